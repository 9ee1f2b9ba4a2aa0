"""`bnfuse study`: the paper's experiments."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bnfuse._base.options import MOST_WORKERS, at_least, one_of
from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, Force, examples, note, print_facts, print_json, say, working
from bnfuse.commands._grouped import grouped
from bnfuse.commands._help import Command
from bnfuse.commands._long_runs import Cluster
from bnfuse.errors import OptionError, StudyError
from bnfuse.problem.problem import METRICS
from bnfuse.study.grid import OPTIONS, PAPERS_METRICS, PRESETS, Grid, preset

if TYPE_CHECKING:
    from bnfuse._base.processes import Workers
    from bnfuse.study.runner import Now, Status, Watch
    from bnfuse.study.store import StudyStore
    from bnfuse.study.tables import Table

EXAMPLES = examples(
    "bnfuse study run --preset smoke -o smoke/    # everything once, in a minute",
    "bnfuse study run --preset laptop -o laptop/  # a thinned grid, 20 minutes",
    "bnfuse study status laptop/",
    "bnfuse study tables laptop/",
    "bnfuse study figures laptop/ -o figures/",
)
RUN_EXAMPLES = examples(
    "bnfuse study run --preset laptop -o laptop/",
    "bnfuse study run -o laptop/                  # continue, say after Ctrl-C",
    "bnfuse study run --preset paper -o paper/ --cluster tcp://10.0.0.1:8786",
    "bnfuse study run --preset smoke -o mine/ --network asia --seeds 5",
    "bnfuse study run --preset laptop -o theirs/ --reading program --carry",
)
STATUS_EXAMPLES = examples("bnfuse study status laptop/", "bnfuse study status laptop/ --json")
TABLES_EXAMPLES = examples(
    "bnfuse study tables laptop/",
    "bnfuse study tables laptop/ --compare        # beside the paper's numbers",
    "bnfuse study tables laptop/ --format latex > tables.tex",
)
FIGURES_EXAMPLES = examples(
    "bnfuse study figures laptop/ -o figures/",
    "bnfuse study figures laptop/ -o figures/ --format svg",
)

app = typer.Typer(rich_markup_mode=None)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the study.", show_default=False)]

_LINE_SECONDS = 30  # between two lines of progress without a terminal


@app.callback()
def study() -> None:
    """Run the paper's experiments and show the results.

    A study perturbs synthetic and real networks, runs the paper's six algorithms, the direct search and the majority
    vote on them for every clique limit, with the paper's two distances or SHD, and fits parameters to data. Results go
    into one file, and a run resumes where it stopped.
    """


@dataclass(frozen=True)
class GridOptions:
    """Which study to run: a preset, and changes to it."""

    preset: Annotated[
        str | None,
        typer.Option("--preset", metavar="NAME", help=f"What to run: {', '.join(PRESETS)}.", show_default=False),
    ] = None
    networks: Annotated[
        list[str] | None,
        typer.Option(
            "--network", metavar="NAME", help="A benchmark network to perturb, instead of the preset's. Repeatable."
        ),
    ] = None
    seeds: Annotated[int | None, typer.Option(metavar="NUMBER", help="How many instances of each kind.")] = None
    reading: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How instances are made: printed (the paper's text) or program (the authors' public program).",
            show_default="printed",
        ),
    ] = None
    options: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"Options of the paper's six algorithms: {', '.join(OPTIONS)}.",
            show_default="default",
        ),
    ] = None
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help=f"A distance to search by: {', '.join(METRICS)}. Repeatable.",
            show_default=" and ".join(PAPERS_METRICS),
        ),
    ] = None
    carry: Annotated[
        bool,
        typer.Option(
            "--carry",
            help="Start the genetic search for each limit from the result for the limit before it, as the "
            "program does.",
        ),
    ] = False

    def grid(self) -> Grid | None:
        """The requested study; None to continue a study without changes."""
        changes = {
            "networks": tuple(self.networks) if self.networks else None,
            "seeds": self.seeds,
            "reading": self.reading,
            "options": self.options,
            "metrics": tuple(self.metrics) if self.metrics else None,
            "carry": self.carry or None,
        }
        if self.preset is not None:
            return preset(self.preset).changed(**changes)
        if any(change is not None for change in changes.values()):
            raise OptionError(
                "--network, --seeds, --reading, --options, --metric and --carry change a preset: name it with --preset"
            )
        return None


@app.command(cls=Command, epilog=RUN_EXAMPLES)
@grouped
def run(
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the results go.", show_default=False)
    ],
    changes: GridOptions,
    workers: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Processes on this machine.", show_default="one for each core")
    ] = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Run a study, or continue one.

    Each result is saved as soon as it is found: after Ctrl-C, a crash or a full disk, the same command resumes where it
    stopped, and repeats nothing that has finished.
    """
    from bnfuse._base.processes import crew  # noqa: PLC0415 - keeps the start fast
    from bnfuse.networks import fetch  # noqa: PLC0415
    from bnfuse.study import store as stores  # noqa: PLC0415

    grid = changes.grid()
    if workers is not None:
        at_least("workers", workers, 1, MOST_WORKERS)
    started = time.monotonic()
    people = redirect_stdout(sys.stderr) if as_json else nullcontext()
    with stores.writing(folder, grid) as store, people:
        fetch(store.grid.networks)
        say(f"study {store.grid.preset}: {count(len(store.grid.reference_jobs()), 'instance')}")
        now = _finished(store, crew(workers, cluster))
        say(f"{_counted(now)}; this run took {duration(time.monotonic() - started)}")
        if now.failed:
            raise StudyError(
                f"{count(now.failed, 'job')} failed; bnfuse study status {folder} says why; the same command tries them"
            )
    if as_json:
        print_json("study run", {**asdict(now), "left": now.left})


@app.command("status", cls=Command, epilog=STATUS_EXAMPLES)
def show_status(folder: Folder, as_json: AsJson = False) -> None:
    """Show the progress of a study, even while it runs."""
    from bnfuse.study import store as stores  # noqa: PLC0415 - keeps the start fast
    from bnfuse.study.runner import status  # noqa: PLC0415

    with stores.reading(folder) as store:
        now, grid, failures = status(store), store.grid, store.failures()
    if as_json:
        print_json("study status", {"grid": asdict(grid), **asdict(now), "left": now.left, "failures": failures})
        return
    print_facts({"preset": grid.preset, "finished": now.finished, "left": now.left, "failed": now.failed})
    if now.unplanned:
        say(f"  and the searches of {count(now.unplanned, 'instance')} that are not made yet")
    for job, problem in failures.items():
        say(f"failed: {job}: {problem}")


@app.command("tables", cls=Command, epilog=TABLES_EXAMPLES)
def show_tables(
    folder: Folder,
    how: Annotated[
        str, typer.Option("--format", metavar="NAME", help="terminal, markdown, latex or csv.")
    ] = "terminal",
    beside_paper: Annotated[
        bool, typer.Option("--compare", help="Put the paper's printed numbers below ours.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print the paper's Tables 3, 4 and 5.

    They hold what a study has found so far. Tables 3 and 4: mean difference to the best, number of best, mean rank,
    Holm's test against the best-ranked, and seconds, among the paper's six algorithms and among all. Table 5: networks
    fitted on data. Standard errors show how much of a number is due to the seeds.
    """
    from bnfuse.study import store as stores  # noqa: PLC0415 - keeps the start fast
    from bnfuse.study.tables import FORMATS, tables, written  # noqa: PLC0415

    one_of("format", how, FORMATS)
    with stores.reading(folder) as store:
        results = store.results()
    found = tables(results, beside_paper)
    if as_json:
        print_json("study tables", {"tables": [_table_facts(one) for one in found]})
    else:
        sys.stdout.write(written(found, how))


def _table_facts(table: Table) -> dict[str, object]:
    lines = [{"metric": one.metric, "measure": one.measure, "values": dict(one.values)} for one in table.lines]
    return {"name": table.name, "title": table.title, "lines": lines}


@app.command(cls=Command, epilog=FIGURES_EXAMPLES)
def figures(
    folder: Folder,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the figures.", show_default=False)
    ],
    kind: Annotated[str, typer.Option("--format", metavar="NAME", help="png, svg or pdf.")] = "png",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Draw mean distance against the limit.

    They show what a study has found so far: one figure for each distance and kind of network, one panel for each base
    and number of inputs.
    """
    from bnfuse.study import store as stores  # noqa: PLC0415 - keeps the start fast
    from bnfuse.study.figures import draw  # noqa: PLC0415

    with stores.reading(folder) as store:
        results = store.results()
    with working("drawing"):
        written = draw(results, output, kind, force)
    if as_json:
        print_json("study figures", {"written": [str(path) for path in written]})
        return
    for path in written:
        say(f"wrote {path}")


def duration(seconds: float) -> str:
    """A time for people."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6_000 else f"{seconds / 3_600:.1f} h"


def _finished(store: StudyStore, place: AbstractContextManager[Workers]) -> Status:
    """Run everything that is left, and estimate beforehand how long it will take."""
    from bnfuse.study.runner import Runner, status  # noqa: PLC0415 - keeps the start fast

    try:
        with place as workers, _progress() as watch:
            runner = Runner(store, workers, watch)
            seconds = runner.prepare()
            crew_size = count(workers.count(), "worker")
            say(f"{_counted(status(store))}; what is left takes about {duration(seconds)} on {crew_size}")
            return runner.finish()
    except KeyboardInterrupt:
        note(f"{_counted(status(store))}; the same command continues")
        raise


def _counted(now: Status) -> str:
    failed = f", {now.failed:,} failed" if now.failed else ""
    return f"{now.finished:,} of {count(now.jobs, 'job')} finished{failed}"


@contextmanager
def _progress() -> Iterator[Watch]:
    """A bar on a terminal; elsewhere a line from time to time."""
    if not sys.stderr.isatty():
        said = time.monotonic()

        def tell(now: Now) -> None:
            nonlocal said
            if time.monotonic() - said >= _LINE_SECONDS:
                said = time.monotonic()
                note(f"{now.phase}: {now.done:,} of {now.total:,}{_left(now)}")

        yield tell
        return
    from rich import progress as bars  # noqa: PLC0415 - keeps the start fast
    from rich.console import Console  # noqa: PLC0415

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn("{task.fields[left]}"),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None, left="")

        def show(now: Now) -> None:
            left = _left(now).removeprefix(", ")
            bar.update(task, description=now.phase, total=now.total, completed=now.done, left=left)

        yield show


def _left(now: Now) -> str:
    failed = f", {now.failed:,} failed" if now.failed else ""
    return failed + ("" if now.seconds_left is None else f", about {duration(now.seconds_left)} left")
