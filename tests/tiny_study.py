"""A study that takes a second, and what child processes of its tests run: imports none of the tests' packages."""

import os

from bnfuse.study import jobs
from bnfuse.study.grid import Grid

TINY = Grid(
    "tiny",
    sizes=(6, 7),
    networks=(),
    inputs=(4,),
    seeds=2,
    limits=(2, 3),
    fsim_limits=(2,),
    fsim_seeds=2,
    generations=2,
    effort="quick",
    population=10,
)


def run_or_die(job):
    if (job.algorithm, job.metric, job.limits, job.instance.seed) == ("majority", "smhd", (2,), 1):
        os._exit(9)
    return jobs.run(job)
