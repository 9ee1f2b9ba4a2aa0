"""The study: jobs, the store, runs that are killed and go on, clusters, tables, figures, and how all of it fails."""

import csv
import importlib.util
import io
import json
import multiprocessing
import os
import resource
import select
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

import oracles
from bnfuse import networks
from bnfuse._base import processes as workers
from bnfuse.commands import run as run_command
from bnfuse.commands.study import duration
from bnfuse.errors import MissingPackageError
from bnfuse.problem.problem import METRICS
from bnfuse.study import figures, jobs, store
from bnfuse.study.estimate import Estimate
from bnfuse.study.grid import ALGORITHMS, CARRIED, INPUTS, PRESETS, Grid, Instance, Job
from bnfuse.study.runner import Runner, planned, status
from bnfuse.study.tables import tables, written
from tiny_study import TINY, run_or_die

needs_networks = pytest.mark.skipif(
    not networks.available(["child"]),
    reason="the network child is not on this machine; bnfuse.networks.fetch() does it",
)
needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="distributed is not installed: pip install 'bnfuse[cluster]'",
)


def facts(folder):
    """All that a study has found, without the times."""
    with store.reading(folder) as there:
        assert not there.failures()
        timeless = {"seconds": 0, "cpu_seconds": 0, "fit_seconds": 0, "query_seconds": 0}
        return [replace(one, row=replace(one.row, **timeless)) for one in there.results()]


def keys(folder):
    """Every key, as often as it is there."""
    with closing(sqlite3.connect(folder / store.FILE)) as connection:
        return [key for (key,) in connection.execute("SELECT key FROM jobs ORDER BY key")]


def run_study(folder, plan=TINY, place=None):
    with store.writing(folder, plan) as there, place or workers.processes(2) as crew:
        runner = Runner(there, crew)
        runner.prepare()
        return runner.finish()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a tiny study that nothing has disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    assert run_study(folder).is_complete
    return folder


@pytest.fixture
def refused(capsys):
    """Runs a command that must fail with exit code 2 and one line, maybe after it told its plan; returns the line."""

    def run_and_read(*arguments):
        assert run_command(arguments) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("bnfuse: ")
        return line

    return run_and_read


# The grid


def test_the_papers_grid_is_what_the_paper_ran():
    whole = PRESETS["paper"]
    assert len(list(whole.instances())) == (3 + 7) * 3 * 10
    instance = Instance("n30", 10, 0, "printed")
    found = list(whole.search_jobs(instance, fused_clique=20))
    assert {job.limits for job in found} == {(limit,) for limit in range(2, 20)}
    assert {job.metric for job in found} == {"smhd", "fsim"}
    assert {job.algorithm for job in found} == set(ALGORITHMS)
    assert len(found) == len({job.key for job in found}) == 18 * 2 * 8
    assert {job.rows for job in found} == {0}
    real = next(whole.search_jobs(Instance("alarm", 10, 0, "printed"), 20))
    assert (real.rows, real.population, real.generations) == (5_000, 100, 100)


def test_with_carrying_one_job_has_all_limits_of_an_algorithm():
    carrying = PRESETS["paper"].changed(carry=True, options="program")
    found = list(carrying.search_jobs(Instance("n30", 10, 0, "program"), fused_clique=20))
    together = [job for job in found if job.carry]
    assert {(job.algorithm, job.metric) for job in together} == {
        (name, metric) for name in CARRIED for metric in ("smhd", "fsim")
    }
    assert {job.limits for job in together} == {tuple(range(2, 20))}
    assert len(together) == 2 * len(CARRIED)
    alone = [job for job in found if not job.carry and job.algorithm == "direct"]
    assert sorted(job.limits for job in alone if job.metric == "smhd") == [(limit,) for limit in range(2, 20)]
    assert {job.options for job in found if job.algorithm not in ("direct", "majority")} == {"program"}
    assert not list(carrying.search_jobs(Instance("n30", 10, 0, "program"), fused_clique=2))


def test_fsim_is_searched_on_some_seeds_only():
    few = PRESETS["paper"].changed(fsim_seeds=2)
    metrics = [{job.metric for job in few.search_jobs(Instance("n30", 10, seed, "printed"), 5)} for seed in range(3)]
    assert metrics == [{"smhd", "fsim"}, {"smhd", "fsim"}, {"smhd"}]


@pytest.mark.parametrize("name", PRESETS)
def test_grids_survive_being_written_down(name):
    assert Grid.from_json(PRESETS[name].to_json()) == PRESETS[name]


def test_an_estimate_needs_every_group_and_follows_the_work():
    small = Job(Instance("n10", 10, 0, "printed"), 0, "direct", "smhd", (3,))
    large = replace(small, instance=Instance("n50", 50, 0, "printed"))
    other = replace(small, metric="fsim")
    estimate = Estimate()
    assert estimate.seconds([small]) is None
    assert estimate.samples([small, large, other]) == [small, large, other]
    estimate.add(small, 2.0)
    assert estimate.seconds([small, small]) == 4
    assert estimate.seconds([large]) == 50
    assert estimate.seconds([replace(small, limits=(3, 4, 5), carry=True)]) == 6
    assert estimate.seconds([small, other]) is None
    assert estimate.samples([small, large, other]) == [other]


# Running


def test_a_run_finishes_every_job_of_its_grid_once(whole):
    with store.reading(whole) as there:
        plan, unplanned = planned(there)
        assert unplanned == 0
        assert sorted(job.key for job in plan) == keys(whole)
        assert status(there).is_complete
        rows = sum(1 if job.algorithm else 3 * len(METRICS) for job in plan)
        assert len(there.results()) == rows


@pytest.mark.long
def test_a_run_that_carries_never_gets_worse_as_the_limit_grows(tmp_path):
    plan = TINY.changed(limits=(2, 3, 4), fsim_limits=(2, 3, 4), carry=True, seeds=1, reading="program")
    assert run_study(tmp_path, plan, workers.processes(1)).is_complete
    with store.reading(tmp_path) as there:
        found = there.results()
    curves = {}
    for one in found:
        if one.row.algorithm in CARRIED:
            curves.setdefault((one.base, one.row.metric, one.row.algorithm), []).append(one.row)
    assert len(curves) == 2 * 2 * len(CARRIED)
    for rows in curves.values():
        rows.sort(key=lambda row: row.max_clique)
        assert [row.max_clique for row in rows] == [2, 3, 4][: len(rows)]
        assert all(row.clique <= row.max_clique for row in rows)
        distances = [row.distance for row in rows]
        assert distances == sorted(distances, reverse=True)
    assert tables(found)


def test_a_study_by_shd_alone_measures_every_network_by_it(tmp_path):
    plan = TINY.changed(metrics=("shd",), seeds=1, sizes=(6,))
    assert run_study(tmp_path, plan, workers.processes(1)).is_complete
    with store.reading(tmp_path) as there:
        found = there.results()
    searched = [one.row for one in found if one.row.max_clique is not None]
    assert {row.metric for row in searched} == {"shd"}
    assert {row.algorithm for row in searched} == set(ALGORITHMS)
    (instance,) = plan.instances()
    graphs = [dag.to_networkx() for dag in jobs._dags(instance)]
    (shown,) = (one.row for one in found if (one.row.algorithm, one.row.metric) == (INPUTS, "shd"))
    assert shown.distance == pytest.approx(fmean(oracles.shd(one, other) for one in graphs for other in graphs))
    direct = [row for row in searched if row.algorithm == "direct"]
    assert all(
        row.distance <= other.distance for row in direct for other in searched if other.max_clique == row.max_clique
    )
    (table,) = tables(found)
    assert {line.metric for line in table.lines} == {"shd"}


@pytest.mark.long
def test_results_do_not_depend_on_the_number_of_workers(whole, tmp_path):
    assert run_study(tmp_path, place=workers.processes(1)).is_complete
    assert facts(tmp_path) == facts(whole)


def in_child(script, *arguments, **options):
    """Runs Python in a process of its own, which knows the grid "tiny"."""
    start = "import multiprocessing, os, sys; from bnfuse.commands import run as run_command\n"
    start += "from bnfuse.study import store; from bnfuse.study.grid import PRESETS; from tiny_study import TINY\n"
    start += "PRESETS['tiny'] = TINY\n"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    command = [sys.executable, "-c", start + script, *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, **options)


# After some results this does something terrible, in the middle of the transaction that keeps the next one.
DISTURBED_RUN = """
kept = []
insert = store.StudyStore._insert

def disturbed(self, *arguments):
    added = insert(self, *arguments)
    kept.append(added)
    if len(kept) == 12:
        print(*(child.pid for child in multiprocessing.active_children()), flush=True)
        os.kill(os.getpid(), int(sys.argv[2]))
    return added

store.StudyStore._insert = disturbed
sys.exit(run_command(["study", "run", "--preset", "tiny", "-o", sys.argv[1], "--workers", "2", *sys.argv[3:]]))
"""
RUN = 'sys.exit(run_command(["study", "run", "-o", sys.argv[1], "--workers", "2"]))'


def wait_for_end(pid):
    """Until a process that is not our child has ended; at most a minute."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    with open(descriptor, "rb"):
        assert select.select([descriptor], [], [], 60)[0], f"the worker {pid} outlived its coordinator"


def test_after_kill_9_a_run_continues_and_ends_like_an_undisturbed_one(whole, tmp_path):
    killed = in_child(DISTURBED_RUN, tmp_path, int(signal.SIGKILL))
    assert killed.returncode == -signal.SIGKILL
    for pid in killed.stdout.splitlines()[-1].split():
        wait_for_end(int(pid))
    finished = keys(tmp_path)
    assert 0 < len(finished) < len(keys(whole))
    again = in_child(RUN, tmp_path)
    assert again.returncode == 0, again.stderr
    assert keys(tmp_path) == keys(whole)
    assert facts(tmp_path) == facts(whole)


@pytest.mark.long
def test_after_ctrl_c_a_run_continues(whole, tmp_path):
    stopped = in_child(DISTURBED_RUN, tmp_path, int(signal.SIGINT))
    assert stopped.returncode == 130, stopped.stderr
    told, line = stopped.stderr.splitlines()
    assert told.startswith("note: 11 of ")
    assert told.endswith("jobs finished; the same command continues")
    assert line == "bnfuse: interrupted"
    assert len(keys(tmp_path)) == 11
    assert in_child(RUN, tmp_path).returncode == 0
    assert facts(tmp_path) == facts(whole)


IS_BLOCKED = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"


def is_blocked():
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_ctrl_c_does_not_reach_processes_that_are_still_starting():
    seen = []

    def interrupted():
        with workers._out_of_reach_of_ctrl_c():
            seen.append(subprocess.run([sys.executable, "-c", IS_BLOCKED], capture_output=True, check=True).stdout)
            os.kill(os.getpid(), signal.SIGINT)
            seen.append("the end")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert seen == [b"True\n", "the end"]
    assert not is_blocked()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_does_not_reach_the_workers():
    with workers.processes(1) as crew, workers._out_of_reach_of_ctrl_c():
        assert crew._executor.submit(is_blocked).result()


@pytest.mark.long
def test_after_a_full_disk_a_run_continues(whole, tmp_path):
    limit = 40_000  # bytes: room for some results, not for all
    assert (whole / store.FILE).stat().st_size > limit
    full = in_child(RUN.replace('"-o"', '"--preset", "tiny", "-o"'), tmp_path, preexec_fn=lambda: limit_files(limit))
    assert full.returncode == 2
    (line,) = full.stderr.splitlines()
    assert line.endswith(
        "the disk cannot be written; make room and run the same command again: what is finished is kept"
    )
    assert 0 < len(keys(tmp_path)) < len(keys(whole))
    assert in_child(RUN, tmp_path).returncode == 0
    assert facts(tmp_path) == facts(whole)


def limit_files(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def kill_one_after(count, pids, monkeypatch):
    """After some results, ends one of the processes that `pids()` names."""
    add = store.StudyStore.add
    kept = []

    def adding(self, job, outcome):
        add(self, job, outcome)
        kept.append(job)
        if len(kept) == count:
            os.kill(pids()[0], signal.SIGKILL)

    monkeypatch.setattr(store.StudyStore, "add", adding)
    return kept


@pytest.mark.long
def test_a_killed_process_costs_no_result(whole, tmp_path, monkeypatch):
    kept = kill_one_after(12, lambda: [child.pid for child in multiprocessing.active_children()], monkeypatch)
    assert run_study(tmp_path).is_complete
    assert len(kept) == len({job.key for job in kept}), "nothing that was kept ran again"
    assert facts(tmp_path) == facts(whole)


class Deadly(workers._Processes):
    def submit(self, _, job) -> Future:
        return self._executor.submit(run_or_die, job)


def test_a_job_that_kills_its_process_is_a_failure_and_the_others_go_on(whole, tmp_path):
    deadly, plan = Deadly(2), TINY.changed(sizes=(6,))  # one size: each death makes up to ten processes
    try:
        with store.writing(tmp_path, plan) as there:
            runner = Runner(there, deadly)
            runner.prepare()
            now = runner.finish()
            failures = there.failures()
    finally:
        deadly.stop()
    assert set(failures.values()) == {"the process that ran it died, perhaps for lack of memory"}
    assert all('"majority"' in key and '"seed":1' in key for key in failures)
    assert now.failed == len(failures) > 0
    assert now.finished == now.jobs - now.failed
    assert run_study(tmp_path, plan).is_complete, "the next run tries them again"
    assert facts(tmp_path) == [one for one in facts(whole) if one.base == "n6"]


def test_an_error_in_a_job_is_told_and_the_others_go_on(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(PRESETS, "tiny", TINY.changed(effort="hasty", seeds=1))
    assert run_command(["study", "run", "--preset", "tiny", "-o", str(tmp_path), "--workers", "1"]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert "failed; bnfuse study status" in error
    assert run_command(["study", "status", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "OptionError: effort must be one of 'quick', 'normal', 'thorough'; got 'hasty'" in out
    assert run_command(["study", "status", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["failed"] == len(told["failures"]) > 0
    assert told["finished"] + told["failed"] == told["jobs"]


# Clusters


@pytest.mark.long
@needs_dask
def test_a_cluster_gives_the_same_rows_also_when_a_worker_is_killed(whole, tmp_path, monkeypatch):
    with workers.cluster("local", 2) as crew:
        assert crew.count() == 2
        kept = kill_one_after(12, lambda: list(crew._client.run(os.getpid).values()), monkeypatch)
        with store.writing(tmp_path, TINY) as there:
            runner = Runner(there, crew)
            runner.prepare()
            assert runner.finish().is_complete
    assert len(kept) == len({job.key for job in kept})
    assert keys(tmp_path) == keys(whole)
    assert facts(tmp_path) == facts(whole)


@pytest.mark.long
@needs_dask
def test_ctrl_c_does_not_reach_the_workers_of_a_local_cluster():
    with workers.cluster("local", 1) as crew:
        assert crew._executor.submit(is_blocked).result()
    assert not is_blocked()


@pytest.mark.long
@needs_dask
def test_a_scheduler_elsewhere_is_used_by_its_address(whole, tmp_path):
    import distributed

    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, host="127.0.0.1", dashboard_address=None) as there:
        assert run_study(tmp_path, place=workers.cluster(there.scheduler_address)).is_complete
    assert facts(tmp_path) == facts(whole)


@needs_dask
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere", "udp://127.0.0.1:9"])
def test_an_address_that_nobody_answers_at_is_one_clear_line(address, tmp_path, refused, monkeypatch):
    monkeypatch.setattr(workers, "_CONNECT_SECONDS", 1)
    monkeypatch.setitem(PRESETS, "tiny", TINY)
    line = refused("study", "run", "--preset", "tiny", "-o", str(tmp_path), "--cluster", address)
    assert f"no dask scheduler answers at {address!r} within 1 seconds" in line


def test_without_dask_a_cluster_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackageError, match=r"a cluster needs the package distributed: .*bnfuse\[cluster\]"):
        run_study(tmp_path, place=workers.cluster("local"))


# Bad input


def test_unknown_names_and_wrong_numbers_are_refused(tmp_path, refused):
    def run(*more):
        return refused("study", "run", "-o", str(tmp_path / "new"), *more)

    assert "preset must be one of 'smoke', 'laptop', 'paper'; got 'huge'" in run("--preset", "huge")
    assert "unknown network 'alarn'" in run("--preset", "smoke", "--network", "alarn")
    assert "seeds must be a whole number of at least 1; got 0" in run("--preset", "smoke", "--seeds", "0")
    assert "reading must be one of 'printed', 'program'; got 'mine'" in run("--preset", "smoke", "--reading", "mine")
    assert "options must be one of 'default', 'paper', 'program'; got 'x'" in run("--preset", "smoke", "--options", "x")
    assert "metric must be one of 'smhd', 'fsim', 'shd'; got 'x'" in run("--preset", "smoke", "--metric", "x")
    twice = run("--preset", "smoke", "--metric", "shd", "--metric", "shd")
    assert "the metric 'shd' is named twice" in twice
    assert "holds no study to continue; name a preset to start one" in run()
    for change in (
        ["--seeds", "2"],
        ["--carry"],
        ["--options", "paper"],
        ["--reading", "printed"],
        ["--metric", "shd"],
    ):
        assert "change a preset: name it with --preset" in run(*change)
    assert not (tmp_path / "new").exists()
    assert "holds no study" in refused("study", "status", str(tmp_path))
    assert "holds no study" in refused("study", "figures", str(tmp_path), "-o", str(tmp_path / "figures"))
    (tmp_path / "file").write_text("")
    assert "cannot be written" in refused("study", "run", "--preset", "smoke", "-o", str(tmp_path / "file"))


def test_a_wrong_number_of_workers_is_refused(tmp_path, refused, monkeypatch):
    monkeypatch.setitem(PRESETS, "tiny", TINY)
    line = refused("study", "run", "--preset", "tiny", "-o", str(tmp_path), "--workers", "0")
    assert "must be a whole number of at least 1; got 0" in line


def test_a_study_without_complete_blocks_has_no_tables_and_figures(tmp_path, refused):
    with store.writing(tmp_path, TINY):
        pass
    assert "there is nothing to tabulate" in refused("study", "tables", str(tmp_path))
    assert "there is nothing to draw" in refused("study", "figures", str(tmp_path), "-o", str(tmp_path / "figures"))
    assert not (tmp_path / "figures").exists()


def test_unknown_formats_are_refused(whole, tmp_path, refused):
    assert "format must be one of 'terminal'" in refused("study", "tables", str(whole), "--format", "html")
    assert "format must be one of 'png'" in refused(
        "study", "figures", str(whole), "-o", str(tmp_path), "--format", "gif"
    )


@pytest.mark.long
def test_figures_replace_only_what_bnfuse_drew(whole, tmp_path, refused, said):
    pytest.importorskip("matplotlib", reason="needs the extra 'study'")
    command = ["study", "figures", str(whole), "-o", str(tmp_path), "--format", "svg"]
    said(*command)
    said(*command)
    drawn = next(tmp_path.glob("*.svg"))
    drawn.write_text('<?xml version="1.0"?>\n<svg></svg>\n')
    assert "is not an SVG file that bnfuse wrote; to replace it: --force" in refused(*command)
    assert drawn.read_text().endswith("<svg></svg>\n")
    said(*command, "--force")


def test_without_scipy_and_matplotlib_tables_and_figures_say_what_to_install(whole, tmp_path, monkeypatch):
    with store.reading(whole) as there:
        found = there.results()
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(MissingPackageError, match=r"needs the package scipy: .*bnfuse\[study\]"):
        tables(found)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackageError, match=r"needs the package matplotlib: .*bnfuse\[study\]"):
        figures.draw(found, tmp_path)


# Tables and figures


def test_every_format_shows_the_same_table(whole):
    with store.reading(whole) as there:
        (table,) = tables(there.results(), beside_paper=True)
    assert table.name == "Table 3"
    plain, markdown, latex, raw = (written([table], how) for how in ("terminal", "markdown", "latex", "csv"))
    rows = list(csv.DictReader(io.StringIO(raw)))
    assert len(rows) == len(table.lines)
    for row, line in zip(rows, table.lines, strict=True):
        assert row["measure"] == line.measure
        shown = [line.shown(line.values[name]) if name in line.values else "-" for name in list(row)[3:]]
        assert any(line.measure in text and text.split()[-len(shown) :] == shown for text in plain.splitlines())
        assert any(text.strip("| ").split(" | ")[2:] == shown for text in markdown.splitlines())
        assert any(text.endswith(" & ".join(shown) + r" \\") for text in latex.splitlines())
    assert "3.5" in plain, "the paper's numbers stand beside ours"
    assert "\\begin{tabular}{llrrrrrrrrrr}" in latex


@pytest.mark.long
def test_figures_are_the_same_bytes_for_the_same_results(whole, tmp_path):
    with store.reading(whole) as there:
        found = there.results()
    first, second = figures.draw(found, tmp_path / "a"), figures.draw(found, tmp_path / "b")
    assert [path.name for path in first] == ["synthetic-smhd.png", "synthetic-fsim.png"]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    (svg, _) = figures.draw(found, tmp_path / "c", "svg")
    assert "genetic per-network" in svg.read_text()


@pytest.mark.long
@needs_networks
def test_smoke_shows_everything(tmp_path, capsys):
    """The preset that CI runs: all algorithms, both metrics, a real network, tables and figures."""
    assert run_command(["study", "run", "--preset", "smoke", "-o", str(tmp_path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "study smoke: 4 instances"
    assert "what is left takes about" in said[1]
    assert "196 of 196 jobs finished; this run took" in said[2]
    for how in ("terminal", "markdown", "latex", "csv"):
        assert run_command(["study", "tables", str(tmp_path), "--format", how, "--compare"]) == 0
        text = capsys.readouterr().out
        if how in ("terminal", "markdown"):
            assert all(f"Table {number}" in text for number in (3, 4, 5))
        assert "mean absolute error of the marginals" in text
    assert run_command(["study", "figures", str(tmp_path), "-o", str(tmp_path / "figures")]) == 0
    drawn = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert drawn == ["real-fsim.png", "real-smhd.png", "synthetic-fsim.png", "synthetic-smhd.png"]
    with store.reading(tmp_path) as there:
        found = there.results()
    limited = {
        (one.base, one.seed, one.row.max_clique, one.row.metric, one.row.algorithm): one.row
        for one in found
        if one.row.max_clique
    }
    assert all(row.clique <= row.max_clique for row in limited.values())
    assert {row.algorithm for row in limited.values()} == set(ALGORITHMS)
    for (*place, algorithm), row in limited.items():  # each algorithm starts from its greedy twin
        if algorithm.startswith("genetic"):
            assert row.distance <= limited[*place, algorithm.replace("genetic", "greedy")].distance + 1e-9


def test_durations_are_for_people():
    assert [duration(seconds) for seconds in (0.4, 59, 300, 8_000)] == ["0 s", "59 s", "5 min", "2.2 h"]
