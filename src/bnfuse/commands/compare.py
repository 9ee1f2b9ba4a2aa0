"""`bnfuse compare`: how far networks are from each other, and which arcs make the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer

from bnfuse._base.options import one_of
from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, Cell, examples, note, print_facts, print_json, print_table, say, working
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import CommonNames, Inputs, files_of, is_tally, read_everything, read_given
from bnfuse.errors import MismatchError, OptionError
from bnfuse.fusion.causal_distances import CausalDistances, causal_distances
from bnfuse.graphs.dag import DAG, check_same_variables
from bnfuse.problem.differences import Difference, Said
from bnfuse.problem.inputs import SAME, SHARED, distinct

EXAMPLES = examples(
    "bnfuse compare examples/clinics/millbrook.bif examples/clinics/harbour.bif",
    "bnfuse compare examples/clinics/*.bif                # which is farthest?",
    "bnfuse compare examples/clinics/*.bif --to examples/clinics/harbour.bif",
    "bnfuse compare examples/clinics/*.bif --metric fsim  # another distance",
    "bnfuse compare examples/clinics/*.bif --to examples/clinics/harbour.bif \\\n      --causal",
    "bnfuse compare examples/panel/* --names examples/panel-names.csv \\\n      --variables shared",
)

_MOST_LISTED = 10  # pairs; more become a matrix
_WIDEST_MATRIX = 40  # networks; no screen is wider
_CHOICES = (SAME, SHARED)

_COUNTED = ("shd", "smhd", "fsim", "cpdag shd", "only here", "only there", "reversed")


@grouped
def compare(
    files: Inputs,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="REF", help="Compare with this network only: a file, or a name from an ensemble."),
    ] = None,
    metric: Annotated[
        str, typer.Option(metavar="NAME", help="The distance by which to rank the networks: shd, smhd or fsim.")
    ] = "shd",
    arcs: Annotated[
        bool | None, typer.Option("--arcs/--no-arcs", help="List the arcs that differ.", show_default="for one pair")
    ] = None,
    causal: Annotated[
        bool,
        typer.Option(
            "--causal",
            help="Causal distances too (SID and AID): effects that the first gets wrong if the second is true.",
        ),
    ] = False,
    variables: Annotated[
        str,
        typer.Option(
            metavar="|".join(_CHOICES),
            help="Over which variables: same (all inputs must have the same) or shared (for each pair, those of both).",
        ),
    ] = SAME,
    naming: CommonNames = CommonNames(),  # noqa: B008 - never changed
    as_json: AsJson = False,
) -> None:
    """Compare networks, or anything else that a consensus takes.

    shd: arcs to add, delete or reverse. smhd: edges that only one of the two moral graphs has. fsim: what two networks
    must change and add to agree on one order of the variables; where that order has ties, the order of the variables in
    the first file breaks them. cpdag shd: the pairs of variables that the Markov equivalence classes join differently.
    "Only here" counts pairs of variables that only the first input of a pair joins, "only there" those that only the
    second or the reference joins.

    An edge without a direction counts half for each direction. Votes and tallies count by their shares, and join what
    more than half of the votes join; arcs that form a cycle are read as votes.

    --causal counts ordered pairs of variables: for how many the set that the first network adjusts for does not
    identify the effect if the second one is true. SID and the parent AID adjust for parents; the
    other two for ancestors or the optimal set, and assume that only descendants are affected.
    """
    one_of("metric", metric, ("shd", "smhd", "fsim"))
    one_of("variables", variables, _CHOICES)
    inputs, reference = _read(files, to, naming, variables)
    chosen = _chosen(inputs, reference)
    with working(f"comparing {count(len(chosen), 'pair')}"):
        pairs = [Difference.of(here, there) for here, there in chosen]
    _check_metric(pairs, metric)
    wrong = [_causal(here, there) for here, there in chosen] if causal else []
    if as_json:
        own = [{"causal": asdict(one)} for one in wrong] or [{}] * len(pairs)
        facts = [_facts(pair) | one for pair, one in zip(pairs, own, strict=True)]
        print_json("compare", {"networks": [one.name for one in inputs], "pairs": facts})
        return
    if len(pairs) == 1:
        _print_one(pairs[0])
    elif reference is not None:
        say(f"compared to {pairs[0].there}:")
        print_table(("network", *_COUNTED), [(pair.here, *_counts(pair)) for pair in pairs])
    else:
        _print_all([one.name for one in inputs], pairs, metric)
    _print_causal(pairs, wrong)
    if arcs if arcs is not None else len(pairs) == 1:
        for pair in pairs:
            _print_arcs(pair, title=len(pairs) > 1)
    if variables == SHARED:
        fewest, most = min(pair.variables for pair in pairs), max(pair.variables for pair in pairs)
        note(f"compared over the variables that both have: {fewest if fewest == most else f'{fewest} to {most}'}")


def _chosen(inputs: Sequence[Said], reference: int | None) -> list[tuple[Said, Said]]:
    """The pairs to compare: all, or each with the reference."""
    if reference is None:
        chosen = list(combinations(inputs, 2))
    else:
        chosen = [(one, inputs[reference]) for i, one in enumerate(inputs) if i != reference]
    for here, there in chosen:
        if not {*here.variables} & {*there.variables}:
            raise OptionError(f"{here.name!r} and {there.name!r} share no variable: bnfuse align proposes common names")
    return chosen


def _causal(here: Said, there: Said) -> CausalDistances:
    """The effects that the first gets wrong if the second is true, over the variables that both have."""
    kept = [name for name in here.variables if name in set(there.variables)]
    guess, truth = here.over(kept).dag, there.over(kept).dag
    if guess is None or truth is None:
        raise OptionError(f"--causal compares networks, and {here.name!r} or {there.name!r} is not one")
    return causal_distances(truth, guess)


def _print_causal(pairs: Sequence[Difference], wrong: Sequence[CausalDistances]) -> None:
    if not wrong:
        return
    say()
    say("effects that the first network gets wrong if the second is true:")
    rows = [
        (pair.here, pair.there, own.sid, own.parent_aid, own.ancestor_aid, own.oset_aid, own.pairs)
        for pair, own in zip(pairs, wrong, strict=True)
    ]
    print_table(("here", "there", "sid", "parent aid", "ancestor aid", "oset aid", "of"), rows)


def _facts(pair: Difference) -> dict[str, Any]:
    """The JSON output."""
    return {one.name: getattr(pair, one.name) for one in fields(pair)}


def _counts(pair: Difference) -> tuple[Cell, ...]:
    """A row of a table, without the names."""
    lists = (pair.only_here, pair.only_there, pair.reversed)
    return pair.shd, pair.smhd, pair.fsim, pair.cpdag_shd, *map(len, lists)


def _check_metric(pairs: Sequence[Difference], metric: str) -> None:
    for pair in pairs:
        if getattr(pair, metric) is None:
            raise OptionError(
                f"--metric {metric} compares networks, and {pair.here!r} or {pair.there!r} is not one: use shd or smhd"
            )


def _read(files: Sequence[Path], to: Path | None, names: CommonNames, variables: str) -> tuple[list[Said], int | None]:
    """The inputs, and which of them is the reference."""
    files = files_of(files)
    if to is None:
        inputs = _said(files, names, variables)
        if len(inputs) < 2:
            raise OptionError(f"{files[0]}: comparing needs two networks, got one; name another file, or --to REF")
        return inputs, None
    inputs = [] if to.exists() else _said(files, names, variables)
    known = [one.name for one in inputs]
    if str(to) in known:
        reference = known.index(str(to))
    else:
        if not is_tally(to) and len(read_given([to])) != 1:
            raise OptionError(f"{to}: a reference must be one network; of an ensemble among the files, give its name")
        others = [file for file in files if file.resolve() != to.resolve()]
        inputs = _said([*others, to], names, variables)
        reference = len(inputs) - 1 - (0 if is_tally(to) else sum(map(is_tally, others)))
    if len(inputs) < 2:
        raise OptionError(f"{files[0]}: there is no other network to compare with {to}")
    return inputs, reference


def _said(files: Sequence[Path], names: CommonNames, variables: str) -> list[Said]:
    """The inputs in files, tallies last; with the variables in one order if all have the same."""
    given = read_everything(files, names, variables)
    called = distinct([name for name, _ in given])
    inputs = [Said(name, one) for name, (_, one) in zip(called, given, strict=True)]
    if variables == SHARED:
        return inputs
    first = inputs[0]
    for one in inputs[1:]:
        labels = (f"network {first.name!r}", f"network {one.name!r}")
        try:
            check_same_variables(DAG(first.variables), DAG(one.variables), *labels)
        except MismatchError as error:
            raise MismatchError(f"{error}; here, --variables shared compares what both have") from None
    return [one.over(first.variables) for one in inputs]


def _print_one(pair: Difference) -> None:
    say(f"{pair.here} (here) and {pair.there} (there):")
    print_facts({"shd": pair.shd, "smhd": pair.smhd, "fsim": pair.fsim, "cpdag shd": pair.cpdag_shd})


def _print_all(names: Sequence[str], pairs: Sequence[Difference], metric: str) -> None:
    means = {name: _Means(pairs, name) for name in names}
    print_table(
        ("network", *(f"mean {distance}" for distance in _COUNTED[:4])),
        [(name, *(mean.of(one) for one in ("shd", "smhd", "fsim", "cpdag_shd"))) for name, mean in means.items()],
    )
    say()
    if len(pairs) <= _MOST_LISTED:
        print_table(("here", "there", *_COUNTED), [(pair.here, pair.there, *_counts(pair)) for pair in pairs])
    elif len(names) <= _WIDEST_MATRIX:
        say(f"{metric} of all pairs:")
        _print_matrix(names, pairs, metric)
    else:
        say(f"{count(len(pairs), 'pair')}: --json prints them all")
    mean = {name: own.of(metric) or 0.0 for name, own in means.items()}
    ranked = sorted(names, key=mean.__getitem__)
    nearest, second, farthest = (mean[name] for name in (ranked[0], ranked[-2], ranked[-1]))
    if farthest > second:
        others = f"all others {nearest:.2f} to {second:.2f}"
        say()
        say(f"farthest from the others: {ranked[-1]} (mean {metric} {farthest:.2f}; {others})")


class _Means:
    """The mean distances of one network to all others."""

    def __init__(self, pairs: Sequence[Difference], name: str) -> None:
        self._pairs = [pair for pair in pairs if name in (pair.here, pair.there)]

    def of(self, metric: str) -> float | None:
        found = [getattr(pair, metric) for pair in self._pairs]
        return None if None in found else fmean(found)


def _print_matrix(names: Sequence[str], pairs: Sequence[Difference], metric: str) -> None:
    distance = {(pair.here, pair.there): getattr(pair, metric) for pair in pairs}
    numbers = [str(i + 1) for i in range(len(names))]
    rows: list[tuple[Cell, ...]] = [
        (i + 1, name, *(distance.get((name, other), distance.get((other, name))) for other in names))
        for i, name in enumerate(names)
    ]
    print_table(("", "network", *numbers), rows)


def _print_arcs(pair: Difference, title: bool) -> None:
    if title:
        say()
        say(f"{pair.here} and {pair.there}:")
    groups = (
        (f"only in {pair.here}", pair.only_here),
        (f"only in {pair.there}", pair.only_there),
        (f"reversed (shown as in {pair.here})", pair.reversed),
        *([("with a direction in only one of them", pair.directed_in_one)] if pair.directed_in_one else []),
    )
    for label, arcs in groups:
        say(f"  {label}: {len(arcs)}")
        for source, target in arcs:
            say(f"    {source} {'--' if (source, target) in pair.undirected else '->'} {target}")
