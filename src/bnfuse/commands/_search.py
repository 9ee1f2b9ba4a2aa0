"""What the commands that search share: options, constraints, progress, and how a proven bound is told."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse import _disk
from bnfuse._errors import FileError, OptionError
from bnfuse.consensus import Consensus
from bnfuse.constraints import Arc, Constraints
from bnfuse.run import Callback, Progress

INTERRUPTED = 130

Metric = Annotated[
    str,
    typer.Option(metavar="NAME", help="The distance: smhd (differing moral edges) or fsim (fusion similarity)."),
]
Effort = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Direct: how long to search: quick, normal or thorough; each takes about ten times as long.",
        show_default="normal",
    ),
]
Seed = Annotated[
    int, typer.Option(metavar="NUMBER", help="The same seed gives the same network, on any number of threads.")
]
Threads = Annotated[int | None, typer.Option(metavar="NUMBER", help="How many threads to use.", show_default="all")]
Require = Annotated[
    list[str] | None,
    typer.Option(metavar='"A->B"', help="An arc that must be there; quote it, as > is for the shell. Repeatable."),
]
Forbid = Annotated[list[str] | None, typer.Option(metavar='"A->B"', help="An arc that must not be there. Repeatable.")]
Tiers = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help='No arc goes back: a JSON list of lists of variables, earliest first, such as [["Age"], ["Cough"]].',
    ),
]
MaxParents = Annotated[int | None, typer.Option(metavar="NUMBER", help="How many parents a variable may have.")]


@dataclass(frozen=True, slots=True)
class ConstraintOptions:
    """Constraints as the options of the search call them."""

    required: tuple[Arc, ...]
    forbidden: tuple[Arc, ...]
    tiers: tuple[tuple[str, ...], ...]
    max_parents: int | None

    @classmethod
    def of(
        cls, require: list[str] | None, forbid: list[str] | None, tiers: Path | None, max_parents: int | None
    ) -> ConstraintOptions:
        """From the command line."""
        return cls(
            required=tuple(_arc("--require", text) for text in require or ()),
            forbidden=tuple(_arc("--forbid", text) for text in forbid or ()),
            tiers=() if tiers is None else _tiers(tiers),
            max_parents=max_parents,
        )

    def as_arguments(self) -> dict[str, Any]:
        """For `consensus` and `frontier`."""
        return asdict(self)


def constraint_facts(constraints: Constraints) -> dict[str, Any]:
    """For programs."""
    return asdict(constraints)


def bound_text(result: Consensus) -> str | None:
    """What is proven about the distance of a result; None where nothing is."""
    if result.lower_bound is None or result.gap is None:
        return None
    if result.gap == 0:
        return "proven optimal: no network within the limit is closer"
    bound = rounded_down(result.lower_bound)
    return f"proven: no network within the limit is closer than {bound:.2f}; gap {gap_text(result.gap)}"


def rounded_down(bound: float) -> float:
    """A proven bound with two digits: rounded up it would claim too much."""
    return math.floor(bound * 100 + 1e-6) / 100


def gap_text(gap: float) -> str:
    """A gap in percent; 0 only where it is 0."""
    return "< 1 %" if 0 < gap < 0.01 else percent(gap)


def percent(share: float) -> str:
    """A share for people."""
    return f"{100 * share:.0f} %"


@contextlib.contextmanager
def progress_bar() -> Iterator[Callback | None]:
    """On a terminal: a line with the best value, the clique and the time left."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as bars  # noqa: PLC0415 - keeps the start fast
    from rich.console import Console  # noqa: PLC0415

    columns = (
        bars.TextColumn("searching"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn("{task.description}"),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(now: Progress) -> None:
            if now.step < bar.tasks[0].completed:  # the next of several searches
                bar.reset(task)
            best = f"best {now.distance:.2f}  largest clique {now.clique_size}"
            bar.update(task, total=now.steps, completed=now.step, description=best)

        yield show


def _arc(option: str, text: str) -> Arc:
    names = tuple(name.strip() for name in text.split("->"))
    if len(names) != 2 or not all(names):
        raise OptionError(f"{option} must be FROM->TO in quotes, such as {option} 'Age->Smoker'; got {text!r}")
    return names[0], names[1]


def _tiers(path: Path) -> tuple[tuple[str, ...], ...]:
    try:
        tiers = json.loads(_disk.read_bytes(path))
    except json.JSONDecodeError as error:
        raise FileError(path, f"is no valid JSON: {error.msg}", error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        raise FileError(path, "is no valid JSON") from None
    if not _is_lists_of_names(tiers):
        raise FileError(path, 'must be a list of lists of variables, earliest first, such as [["Age"], ["Cough"]]')
    return tuple(map(tuple, tiers))


def _is_lists_of_names(tiers: object) -> bool:
    return isinstance(tiers, Sequence) and all(
        isinstance(tier, list) and all(isinstance(name, str) for name in tier) for tier in tiers
    )
