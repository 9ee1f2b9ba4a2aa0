"""The inputs of a search on the command line: files that are all networks or all tallies, names, and weights."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from bnfuse._base.options import default_of, help_of, one_of
from bnfuse._base.texts import listed
from bnfuse.alignment.alignment import UNCHECKED, Alignment
from bnfuse.commands._console import note
from bnfuse.commands._output import STANDARD
from bnfuse.errors import BnfuseError, FileError, OptionError
from bnfuse.files import CYCLIC, Input, Source, expanded, read_apart, share_variables
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG, check_same_variables
from bnfuse.graphs.network import BOOTSTRAP, Network
from bnfuse.problem.inputs import SAME, InputOptions
from bnfuse.problem.tally import Tally

TALLY_ENDINGS = (".tally", ".tally.gz")

Inputs = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE",
        help="Networks: BIF, XMLBIF, NET, DSL, XDSL, UAI, DAGitty, Tetrad, R model strings, CSV edge lists, "
        "matrices and votes, ensembles and Gaussian networks (JSON); or tallies of networks (.tally); each also as "
        ".gz; a folder of networks; or - for the standard input.",
        show_default=False,
    ),
]
Names = Annotated[
    Path | None,
    typer.Option(
        "--names",
        metavar="FILE",
        help="Common names for variables and states that the networks name differently: a table from bnfuse align.",
    ),
]
Unchecked = Annotated[
    str,
    typer.Option(
        metavar="|".join(UNCHECKED),
        help="With --names: rows that have not been checked are an error, are applied, or are left out.",
    ),
]
Weights = Annotated[
    list[str] | None,
    typer.Option(
        "--weight", metavar="NAME=NUMBER", help="How much an input counts, instead of 1; 0 leaves it out. Repeatable."
    ),
]

Cyclic = Annotated[
    str,
    typer.Option(
        metavar="|".join(CYCLIC),
        help="A CSV edge list or matrix whose arcs form a cycle: an error, or read as votes for arcs.",
    ),
]


Variables = Annotated[str, typer.Option(metavar="NAME", help=help_of(InputOptions, "variables"))]
Support = Annotated[str, typer.Option(metavar="NAME", help=help_of(InputOptions, "support"))]
Soft = Annotated[str, typer.Option(metavar="NAME", help=help_of(InputOptions, "soft"))]


@dataclass(frozen=True, slots=True)
class CommonNames:
    """Common names for inputs that use different names."""

    names: Names = None
    unchecked: Unchecked = UNCHECKED[0]

    def given_to(self, graphs: Sequence[Input]) -> list[Input]:
        """The inputs by their common names."""
        choice: Any = one_of("unchecked", self.unchecked, UNCHECKED)
        return list(graphs) if self.names is None else Alignment.load(self.names).apply_all(graphs, choice)


OWN_NAMES = CommonNames()


@dataclass(frozen=True, slots=True)
class CountedInputs:
    """How commands that count inputs read them and weigh them."""

    names: Names = None
    unchecked: Unchecked = UNCHECKED[0]
    weight: Weights = None
    variables: Variables = default_of(InputOptions, "variables")
    support: Support = default_of(InputOptions, "support")
    soft: Soft = default_of(InputOptions, "soft")
    cyclic: Cyclic = CYCLIC[0]

    def options(self) -> InputOptions:
        """Check the values."""
        typed: Any = self  # words as they were typed
        return InputOptions(typed.variables, support=typed.support, soft=typed.soft)

    @property
    def common_names(self) -> CommonNames:
        """The new names of the inputs."""
        return CommonNames(self.names, self.unchecked)


def is_tally(path: Path) -> bool:
    """Whether a file is a tally, by its name."""
    return path.name.lower().endswith(TALLY_ENDINGS)


def files_of(paths: Iterable[Path]) -> list[Path]:
    """The given files, and those that folders and patterns stand for; - is kept."""
    return [file for path in paths for file in ([path] if path == STANDARD else expanded([path]))]


def read_networks(files: Sequence[Path], names: CommonNames = OWN_NAMES) -> list[Network]:
    """The networks in files, with common names if a table gives some; - is standard input.

    Anything that is not a DAG is refused.
    """
    networks, edge_lists = read_apart(*_sources(files), only_networks=True)
    return cast("list[Network]", share_variables(names.given_to(networks), edge_lists))


def read_graphs(
    files: Sequence[Path], cyclic: str, variables: str = SAME, names: CommonNames = OWN_NAMES
) -> list[Input]:
    """The same for commands that also take graphs with undirected edges and votes for arcs."""
    graphs, edge_lists = read_apart(*_sources(files), cyclic=cyclic)
    named = names.given_to(graphs)
    return share_variables(named, edge_lists) if variables == SAME else named


def read_given(files: Sequence[Path]) -> list[Input]:
    """The content of files, unchanged, even if arcs form a cycle."""
    return read_apart(*_sources(files), cyclic="votes")[0]


def _sources(files: Sequence[Path]) -> list[Source]:
    if files.count(STANDARD) > 1:
        raise OptionError("- is given twice, but the standard input can be read only once")
    if STANDARD in files and sys.stdin is None:
        raise OptionError("- is the standard input, which is closed")
    return [sys.stdin.buffer if path == STANDARD else path for path in files]


def note_own(networks: Iterable[object]) -> None:
    """Warn about inputs that a command made: usually the result of the last run was taken for an input."""
    for network in networks:
        if isinstance(network, Network) and network.made_by not in ("", BOOTSTRAP):
            note(
                f"{network.name} was made by bnfuse (a {network.made_by}); leave it out if it is not meant as an input"
            )


def note_repeated(files: Iterable[Path]) -> None:
    """Warn about files that are given twice, if they are read one by one: others are compared when they are read."""
    seen: set[Path] = set()
    for file in files:
        if file.resolve() in seen:
            note(f"counted twice: {file} is given twice; leave one out unless this is intended")
        seen.add(file.resolve())


def read_inputs(files: Sequence[Path], cyclic: str, variables: str, names: CommonNames) -> list[Input] | list[Tally]:
    """The inputs of a consensus, or tallies of them; over the same variables, unless these may differ."""
    tallies = [path for path in files if is_tally(path)]
    if not tallies:
        networks = read_graphs(files, cyclic, variables, names)
        note_own(networks)
        return networks
    if len(tallies) < len(files):
        other = next(path for path in files if not is_tally(path))
        raise OptionError(
            f"{tallies[0]} is a tally and {other} is not: give either tallies or networks; "
            "bnfuse tally makes one tally of both"
        )
    check_no_names(names)
    note_repeated(files)
    loaded = [load_tally(path) for path in files]
    for path, tally in zip(files, loaded, strict=True) if variables == SAME else ():
        check_same_variables(DAG(loaded[0].variables), DAG(tally.variables), str(files[0]), str(path))
    return loaded


def check_no_names(names: CommonNames) -> None:
    """Refuse names for tallies, whose inputs were counted under other names."""
    if names.names is not None:
        raise OptionError(
            f"--names {names.names}: names are for networks; give them to bnfuse tally when it counts these"
        )


def read_everything(
    files: Sequence[Path], names: CommonNames, variables: str = SAME
) -> list[tuple[str, Input | Tally]]:
    """The contents of files, by name: networks, classes and votes, then tallies, named after their files."""
    tallies = [path for path in files if is_tally(path)]
    others = [path for path in files if not is_tally(path)]
    if tallies:
        note_repeated(tallies)
        check_no_names(names)
    graphs = read_graphs(others, "votes", variables, names) if others else []
    for graph in graphs:
        if isinstance(graph, ArcVotes) and _is_cycle(graph):
            note(f"{graph.name}: the arcs form a cycle; they are read as votes for arcs")
    return [*((graph.name, graph) for graph in graphs), *((_stem(path), load_tally(path)) for path in tallies)]


def _is_cycle(votes: ArcVotes) -> bool:
    """Whether votes are a list of arcs: each pair has either all votes or none."""
    joined = votes.counts + votes.counts.T
    return votes.networks == 1 and bool(((joined == 0) | (joined == votes.total)).all())


def _stem(path: Path) -> str:
    return path.name[: path.name.lower().rindex(TALLY_ENDINGS[0])]


def load_tally(path: Path) -> Tally:
    """A tally from its file; every error names the file."""
    try:
        return Tally.load(path)
    except FileError:
        raise
    except BnfuseError as error:
        raise FileError(path, str(error)) from None


def note_left_out(weights: Mapping[str, float]) -> None:
    """Report which inputs do not count."""
    if left_out := [name for name, weight in weights.items() if not weight]:
        note(f"{listed(left_out)} {'was' if len(left_out) == 1 else 'were'} left out: weight 0")


def weights_of(texts: Sequence[str] | None) -> dict[str, float] | None:
    """The weights that `--weight NAME=NUMBER` gave, by name."""
    weights: dict[str, float] = {}
    for text in texts or ():
        name, equals, number = text.rpartition("=")
        if name in weights:
            raise OptionError(f"--weight names {name!r} twice; give it once")
        try:
            weights[name] = float(Fraction(number)) if "/" in number else float(number)
        except (ValueError, ZeroDivisionError, OverflowError):
            equals = ""
        if not equals or not name:
            raise OptionError(f"--weight must be NAME=NUMBER, such as --weight north=2; got {text!r}")
    return weights or None
