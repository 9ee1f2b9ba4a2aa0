"""What the commands that search share: options, constraints, progress, and how a proven bound is reported."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._base import disk
from bnfuse._base.options import default_of, help_of
from bnfuse._base.texts import gap_text
from bnfuse.alignment.alignment import UNCHECKED
from bnfuse.answer.question import Question
from bnfuse.answer.result import Consensus
from bnfuse.commands._console import reporting
from bnfuse.commands._inputs import (
    CommonNames,
    Cyclic,
    Names,
    Soft,
    Support,
    Unchecked,
    Variables,
    Weights,
    weights_of,
)
from bnfuse.commands._states import STATES_HELP, states_of
from bnfuse.errors import FileError, OptionError
from bnfuse.files import CYCLIC
from bnfuse.problem.constraints import Arc, Constraints, Forbidden
from bnfuse.problem.inputs import InputOptions
from bnfuse.problem.problem import DEFAULT_CLIQUE, Problem
from bnfuse.search.direct import DirectOptions
from bnfuse.search.majority import MajorityOptions
from bnfuse.search.paper.genetic import GeneticOptions
from bnfuse.search.paper.min_cut import MinCutOptions
from bnfuse.search.run import Callback, Progress, Run

_WIDE = 70  # a terminal with this many columns shows a word before the progress
TIERS_FILE = ' A JSON file, such as [["Age"], ["Cough"]].'
_TIERS_FORM = 'must be a list of lists of variables, earliest first, such as [["Age", "Smoker"], ["Cough"]]'


Forbid = Annotated[
    list[str] | None, typer.Option(metavar='"A--B"', help=help_of(Constraints, "forbidden", after=" Repeatable."))
]
MaxClique = Annotated[
    int | None,
    typer.Option(
        "--max-clique",
        "-t",
        metavar="SIZE",
        help=help_of(Problem, "max_clique"),
        show_default=f"{DEFAULT_CLIQUE}, or any with --max-table",
    ),
]


@dataclass(frozen=True, slots=True)
class AskedOptions:
    """The question for a consensus, and how it is searched: the library's options, with their help texts."""

    max_table: Annotated[
        str | None, typer.Option("--max-table", metavar="SIZE", help=help_of(Problem, "max_table"))
    ] = default_of(Problem, "max_table")
    metric: Annotated[str, typer.Option(metavar="NAME", help=help_of(Problem, "metric"))] = default_of(
        Problem, "metric"
    )
    require: Annotated[
        list[str] | None,
        typer.Option(
            metavar='"A->B"',
            help=help_of(Constraints, "required", after=" Quote it: the shell interprets >. Repeatable."),
        ),
    ] = None
    forbid: Forbid = None
    tiers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=help_of(Constraints, "tiers", after=TIERS_FILE)),
    ] = None
    max_parents: Annotated[int | None, typer.Option(metavar="NUMBER", help=help_of(Constraints, "max_parents"))] = None
    directions: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=help_of(Constraints, "directions"),
            show_default="majority; any for fsim, genetic, greedy, min-cut",
        ),
    ] = None
    effort: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=help_of(DirectOptions, "effort", before="Direct:"),
            show_default=default_of(DirectOptions, "effort"),
        ),
    ] = None
    prove: Annotated[
        bool,
        typer.Option(
            "--prove",
            help="Direct: tighten the bound until the answer is proven optimal, the time limit is reached or Ctrl-C is "
            "pressed. Needs pip install 'bnfuse[exact]'.",
        ),
    ] = False
    seed: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(Run, "seed"))] = default_of(Run, "seed")
    threads: Annotated[int | None, typer.Option(metavar="NUMBER", help=help_of(Run, "threads"), show_default="all")] = (
        None
    )
    time_limit: Annotated[float | None, typer.Option(metavar="SECONDS", help=help_of(Run, "time_limit"))] = None

    @property
    def files(self) -> list[Path]:
        """The files that are read in addition to the inputs."""
        return [] if self.tiers is None else [self.tiers]

    def given(self) -> dict[str, Any]:
        """The options by name, as they were typed: the question checks them."""
        return {
            "metric": self.metric,
            "max_table": self.max_table,
            "required": [arc_of("--require", text) for text in self.require or ()],
            "forbidden": forbidden_of(self.forbid),
            "tiers": None if self.tiers is None else tiers_of(self.tiers),
            "max_parents": self.max_parents,
            "directions": self.directions,
            "effort": self.effort,
            "prove": self.prove,
            "seed": self.seed,
            "threads": self.threads,
            "time_limit": self.time_limit,
        }

    def question(self, max_clique: int | None, method: TallyMethodOptions) -> Question:
        """The question."""
        return Question.of({"max_clique": max_clique, **self.given(), **method.given()})


@dataclass(frozen=True, slots=True)
class SearchOptions(AskedOptions):
    """The same, with the options for reading inputs that `consensus` and `frontier` have."""

    target: Annotated[str, typer.Option(metavar="NAME", help=help_of(Problem, "target"))] = default_of(
        Problem, "target"
    )
    states: Annotated[Path | None, typer.Option(metavar="FILE", help=STATES_HELP)] = None
    names: Names = None
    unchecked: Unchecked = UNCHECKED[0]
    weight: Weights = None
    variables: Variables = default_of(InputOptions, "variables")
    marginalise: Annotated[bool, typer.Option("--marginalise", help=help_of(InputOptions, "marginalise"))] = default_of(
        InputOptions, "marginalise"
    )
    support: Support = default_of(InputOptions, "support")
    soft: Soft = default_of(InputOptions, "soft")
    cyclic: Cyclic = CYCLIC[0]

    @property
    def files(self) -> list[Path]:
        """The files that are read in addition to the inputs."""
        return [file for file in (self.tiers, self.states, self.names) if file is not None]

    @property
    def common_names(self) -> CommonNames:
        """The new names of the inputs."""
        return CommonNames(self.names, self.unchecked)

    def given(self) -> dict[str, Any]:
        """The options by name, as they were typed: the question checks them."""
        return {
            **AskedOptions.given(self),
            "target": self.target,
            "states": None if self.states is None else states_of(self.states),
            "variables": self.variables,
            "marginalise": self.marginalise,
            "support": self.support,
            "soft": self.soft,
            "weights": weights_of(self.weight),
        }


@dataclass(frozen=True, slots=True)
class TallyMethodOptions:
    """The method, and the options of those methods that need only counts."""

    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="direct (best), majority (the usual vote), genetic or greedy (the paper's), min-cut.",
        ),
    ] = "direct"
    threshold: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help=help_of(MajorityOptions, "threshold", before="Majority:"),
            show_default=str(default_of(MajorityOptions, "threshold")),
        ),
    ] = None

    def given(self) -> dict[str, Any]:
        """The options by name; None if they were not typed."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True, slots=True)
class MethodOptions(TallyMethodOptions):
    """The method and its options; options that are not given have the method's defaults."""

    candidates: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=help_of(GeneticOptions, "candidates", before="Genetic, greedy:"),
            show_default=default_of(GeneticOptions, "candidates"),
        ),
    ] = None
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Genetic: default (measured best), paper (the printed algorithm), program (its public program).",
            show_default="default",
        ),
    ] = None
    population: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help=help_of(GeneticOptions, "population", before="Genetic:"),
            show_default=str(default_of(GeneticOptions, "population")),
        ),
    ] = None
    generations: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help=help_of(GeneticOptions, "generations", before="Genetic:"),
            show_default=str(default_of(GeneticOptions, "generations")),
        ),
    ] = None
    min_cut: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help=help_of(MinCutOptions, "min_cut", before="Min-cut:")),
    ] = None


def constraint_facts(constraints: Constraints) -> dict[str, Any]:
    """The JSON output."""
    return asdict(constraints)


def weight_facts(problem: Problem) -> dict[str, Any]:
    """The JSON output: the weights as they were given, by the names of the inputs, and the inputs left out."""
    given = [int(one) if one.denominator == 1 else float(one) for one in problem.inputs.given_weights]
    weights = dict(zip(problem.names, given, strict=True)) if problem.names else None
    return {"weights": weights, "left_out": problem.inputs.left_out}


def bound_text(result: Consensus) -> str | None:
    """The proof about the distance of a result as a sentence; None if nothing is proven."""
    if result.lower_bound is None:
        return None
    one = _others(result.problem.constraints)
    if result.gap == 0:
        return f"proven optimal: {one} is closer"
    bound, above = rounded_down(result.lower_bound), gap_text(result.distance, result.lower_bound)
    return f"proven: {one} is closer than {bound:.2f}; this one is at most {above} above the best possible"


def _others(constraints: Constraints) -> str:
    """The beginning of a sentence about the networks with which a consensus competes."""
    within = "the limit and the constraints" if constraints.are_listed else "the limit"
    whose = {"majority": " whose arcs follow the majority", "seen": " whose arcs some input has"}
    return f"no network within {within}{whose.get(constraints.directions or '', '')}"


def proof_facts(result: Consensus) -> dict[str, Any] | None:
    """The JSON output: everything but the inequalities themselves, which a saved consensus has."""
    if result.proof is None:
        return None
    return result.proof.content | {"inequalities": result.proof.counts}


def rounded_down(bound: float) -> float:
    """A proven bound with two digits, rounded down: rounded up, it would claim too much."""
    return math.floor(bound * 100 + 1e-6) / 100


@contextlib.contextmanager
def progress_bar() -> Iterator[Callback]:
    """A line with the best value, the clique and the time left; without a terminal, a line from time to time."""
    if not sys.stderr.isatty():
        with reporting("searching") as tell:
            yield lambda now: tell(_found_so_far(now))
        return
    from rich import progress as bars  # noqa: PLC0415 - keeps the start fast
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Column  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (
        *([bars.TextColumn("{task.fields[work]}")] if console.width >= _WIDE else []),
        bars.BarColumn(),  # the part that shrinks on a narrow terminal
        bars.MofNCompleteColumn(table_column=Column(no_wrap=True)),
        bars.TextColumn("{task.description}"),
        bars.TimeRemainingColumn(table_column=Column(no_wrap=True)),
    )
    with bars.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None, work="searching")

        def show(now: Progress) -> None:
            if now.step < bar.tasks[0].completed:  # the next of several searches
                bar.reset(task)
            work = "searching" if now.lower_bound is None else "proving"
            bar.update(task, total=now.steps or None, completed=now.step, description=_found_so_far(now), work=work)

        yield show


def _found_so_far(now: Progress) -> str:
    if now.lower_bound is None:
        return f"best {now.distance:.2f}  largest clique {now.clique_size}"
    gap = gap_text(now.distance, now.lower_bound)
    return f"best {now.distance:.2f}  bound {rounded_down(now.lower_bound):.2f}  gap {gap}"


def arc_of(option: str, text: str) -> Arc:
    """An arc as it is written on the command line."""
    names = tuple(name.strip() for name in text.split("->"))
    if len(names) != 2 or not all(names):
        raise OptionError(f"{option} must be FROM->TO in quotes, such as {option} 'Age->Smoker'; got {text!r}")
    return names[0], names[1]


def forbidden_of(texts: Sequence[str] | None) -> list[Forbidden]:
    """Forbidden arcs as they are written on the command line: A->B, or A--B for either way."""
    found: list[Forbidden] = []
    for text in texts or ():
        names = [name.strip() for name in text.split("--")]
        if "->" not in text and len(names) == 2 and all(names) and names[0] != names[1]:
            found.append(frozenset(names))
            continue
        if "->" not in text:
            raise OptionError(
                "--forbid must be two different variables in quotes: 'Age--Smoker' forbids any arc between the two, "
                f"'Age->Smoker' the arc from Age to Smoker; got {text!r}"
            )
        found.append(arc_of("--forbid", text))
    return found


def tiers_of(path: Path) -> tuple[tuple[str, ...], ...]:
    """The tiers in a file of JSON."""
    try:
        tiers = json.loads(disk.read_bytes(path))
    except json.JSONDecodeError as error:
        raise FileError(path, f"is not valid JSON; {_TIERS_FORM}", error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        raise FileError(path, f"is not valid JSON; {_TIERS_FORM}") from None
    if not _is_lists_of_names(tiers):
        raise FileError(path, _TIERS_FORM)
    return tuple(map(tuple, tiers))


def _is_lists_of_names(tiers: object) -> bool:
    return isinstance(tiers, Sequence) and all(
        isinstance(tier, list) and all(isinstance(name, str) for name in tier) for tier in tiers
    )
