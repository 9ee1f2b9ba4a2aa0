"""`bnfuse compare`: how far networks are from each other, and which arcs make the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer

from bnfuse._base.options import one_of
from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, Cell, Files, examples, print_facts, print_json, print_table, say, working
from bnfuse.commands._inputs import Names, files_of, read_given, read_networks
from bnfuse.errors import OptionError
from bnfuse.fusion.distances import fsim, shd, smhd
from bnfuse.graphs.dag import DAG, as_dags
from bnfuse.graphs.network import Network

EXAMPLES = examples(
    "bnfuse compare examples/clinics/millbrook.bif examples/clinics/harbour.bif",
    "bnfuse compare examples/clinics/*.bif                # who stands apart?",
    "bnfuse compare examples/clinics/*.bif --to examples/clinics/harbour.bif",
    "bnfuse compare examples/clinics/*.bif --metric fsim  # another distance",
)

_MOST_LISTED = 10  # pairs; more become a matrix
_WIDEST_MATRIX = 40  # networks; no screen is wider

Arc = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two networks beside each other."""

    here: str
    there: str
    shd: float
    smhd: float
    fsim: float
    only_here: tuple[Arc, ...]
    only_there: tuple[Arc, ...]
    reversed: tuple[Arc, ...]
    """the way round that they have here"""

    @classmethod
    def of(cls, here: tuple[str, DAG], there: tuple[str, DAG]) -> Pair:
        """Compare two named DAGs."""
        (here_name, a), (there_name, b) = here, there
        ours, theirs = set(a.edges), set(b.edges)
        return cls(
            here_name,
            there_name,
            shd(a, b),
            smhd(a, b),
            fsim(a, b, threads=1),
            only_here=tuple(arc for arc in a.edges if arc not in theirs and arc[::-1] not in theirs),
            only_there=tuple(arc for arc in b.edges if arc not in ours and arc[::-1] not in ours),
            reversed=tuple(arc for arc in a.edges if arc[::-1] in theirs),
        )

    def facts(self) -> dict[str, Any]:
        """For programs."""
        return {name: getattr(self, name) for name in self.__slots__}

    def counts(self) -> tuple[Cell, ...]:
        """For a row of a table, without the names."""
        return self.shd, self.smhd, self.fsim, len(self.only_here), len(self.only_there), len(self.reversed)


_COUNTED = ("shd", "smhd", "fsim", "only here", "only there", "reversed")


def compare(
    files: Files,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="REF", help="Compare with this network only: a file, or a name from an ensemble."),
    ] = None,
    metric: Annotated[
        str, typer.Option(metavar="NAME", help="The distance by which the networks stand apart: shd, smhd or fsim.")
    ] = "shd",
    arcs: Annotated[
        bool | None, typer.Option("--arcs/--no-arcs", help="List the arcs that differ.", show_default="for one pair")
    ] = None,
    names: Names = None,
    as_json: AsJson = False,
) -> None:
    """Compare networks: all pairs, or each with a reference.

    The networks need the same variables. shd: arcs to add, delete or reverse. smhd: edges that only one of the two
    moral graphs has. fsim: what the two must change and add to agree on one order of the variables; where that order
    has ties, the order of the variables in the first file breaks them. Arcs "only here" are those of the first network
    of a pair, "only there" those of the second or of the reference.
    """
    one_of("metric", metric, ("shd", "smhd", "fsim"))
    networks, reference = _read(files, to, names)
    dags = as_dags(networks)
    named = list(zip([network.name for network in networks], dags, strict=True))
    if reference is None:
        chosen = list(combinations(named, 2))
    else:
        chosen = [(one, named[reference]) for i, one in enumerate(named) if i != reference]
    with working(f"comparing {count(len(chosen), 'pair')}"):
        pairs = [Pair.of(here, there) for here, there in chosen]
    if as_json:
        print_json({"networks": [name for name, _ in named], "pairs": [pair.facts() for pair in pairs]})
        return
    if len(pairs) == 1:
        _print_one(pairs[0])
    elif reference is not None:
        say(f"compared to {pairs[0].there}:")
        print_table(("network", *_COUNTED), [(pair.here, *pair.counts()) for pair in pairs])
    else:
        _print_all([name for name, _ in named], pairs, metric)
    if arcs if arcs is not None else len(pairs) == 1:
        for pair in pairs:
            _print_arcs(pair, title=len(pairs) > 1)


def _read(files: Sequence[Path], to: Path | None, names: Path | None) -> tuple[list[Network], int | None]:
    """The networks, and which of them is the reference."""
    files = files_of(files)
    if to is None:
        networks = read_networks(files, names)
        if len(networks) < 2:
            raise OptionError(f"{files[0]}: comparing needs two networks, got one; name another file, or --to REF")
        return networks, None
    networks = [] if to.exists() else read_networks(files, names)
    known = [network.name for network in networks]
    if str(to) in known:
        reference = known.index(str(to))
    else:
        if len(read_given([to])) != 1:
            raise OptionError(f"{to}: a reference must be one network; of an ensemble among the files, give its name")
        others = [file for file in files if file.resolve() != to.resolve()]
        networks = read_networks([*others, to], names)
        reference = len(networks) - 1
    if len(networks) < 2:
        raise OptionError(f"{files[0]}: there is no other network to compare with {to}")
    return networks, reference


def _print_one(pair: Pair) -> None:
    say(f"{pair.here} (here) and {pair.there} (there):")
    print_facts({"shd": pair.shd, "smhd": pair.smhd, "fsim": pair.fsim})


def _print_all(names: Sequence[str], pairs: Sequence[Pair], metric: str) -> None:
    means = {name: _Means(pairs, name) for name in names}
    print_table(
        ("network", "mean shd", "mean smhd", "mean fsim"),
        [(name, mean.of("shd"), mean.of("smhd"), mean.of("fsim")) for name, mean in means.items()],
    )
    say()
    if len(pairs) <= _MOST_LISTED:
        print_table(("here", "there", *_COUNTED), [(pair.here, pair.there, *pair.counts()) for pair in pairs])
    elif len(names) <= _WIDEST_MATRIX:
        say(f"{metric} of all pairs:")
        _print_matrix(names, pairs, metric)
    else:
        say(f"{count(len(pairs), 'pair')}: --json prints them all")
    ranked = sorted(names, key=lambda name: means[name].of(metric))
    nearest, second, farthest = (means[name].of(metric) for name in (ranked[0], ranked[-2], ranked[-1]))
    if farthest > second:
        others = f"all others {nearest:.2f} to {second:.2f}"
        say()
        say(f"farthest from the others: {ranked[-1]} (mean {metric} {farthest:.2f}; {others})")


class _Means:
    """The mean distances of one network to all others."""

    def __init__(self, pairs: Sequence[Pair], name: str) -> None:
        self._pairs = [pair for pair in pairs if name in (pair.here, pair.there)]

    def of(self, metric: str) -> float:
        return fmean(getattr(pair, metric) for pair in self._pairs)


def _print_matrix(names: Sequence[str], pairs: Sequence[Pair], metric: str) -> None:
    distance = {(pair.here, pair.there): getattr(pair, metric) for pair in pairs}
    numbers = [str(i + 1) for i in range(len(names))]
    rows: list[tuple[Cell, ...]] = [
        (i + 1, name, *(distance.get((name, other), distance.get((other, name))) for other in names))
        for i, name in enumerate(names)
    ]
    print_table(("", "network", *numbers), rows)


def _print_arcs(pair: Pair, title: bool) -> None:
    if title:
        say()
        say(f"{pair.here} and {pair.there}:")
    groups = (
        (f"only in {pair.here}", pair.only_here),
        (f"only in {pair.there}", pair.only_there),
        (f"reversed (shown as in {pair.here})", pair.reversed),
    )
    for label, arcs in groups:
        say(f"  {label}: {len(arcs)}")
        for source, target in arcs:
            say(f"    {source} -> {target}")
