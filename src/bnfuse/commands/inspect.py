"""`bnfuse inspect`: facts about networks and other inputs, and the cost of exact inference in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer

from bnfuse._base.options import one_of
from bnfuse._base.texts import count, shown_number
from bnfuse.commands._console import (
    AsJson,
    Cell,
    as_bytes,
    examples,
    note,
    print_facts,
    print_json,
    print_table,
    say,
    working,
)
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import CommonNames, Inputs, files_of, read_everything
from bnfuse.errors import GraphError
from bnfuse.files import Input
from bnfuse.fusion.cliques import CliqueSize, InferenceCost, clique_size, inference_cost
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network
from bnfuse.graphs.pdag import PDAG
from bnfuse.problem.inputs import UNION
from bnfuse.problem.tally import Tally

EXAMPLES = examples(
    "bnfuse inspect examples/clinics/harbour.bif  # all about one network",
    "bnfuse inspect examples/clinics/*.bif        # several side by side",
    "bnfuse inspect examples/panel                # classes and votes, too",
    "bnfuse inspect examples/clinics/*.bif --effort thorough  # prove more",
    "bnfuse inspect examples/clinics/*.bif --json  # JSON output",
)

# How many sets of variables a proof of the largest clique may examine. By default, it is tried if the bounds are this
# close: under a second for each of the benchmark networks. Bounds that are farther apart hardly ever meet in that time.
_HOPEFUL_GAP = 5
_SETS = {"quick": 0, "normal": 100_000, "thorough": 20_000_000}

NETWORK, CLASS, VOTES, TALLY = "network", "class", "votes", "tally"


@dataclass(frozen=True, slots=True)
class Inspected:
    """The facts about one input."""

    name: str
    kind: str
    variables: int
    arcs: int
    """for votes and tallies, those with more than half of the votes"""
    edges: int = 0
    """arcs that run in no direction"""
    weight: float | None = None
    """for votes and tallies, how many networks they stand for"""
    network: Network | None = None
    """for a class, one of its members: all have the same cliques"""
    parameters: int | None = None
    parents: int | None = None
    clique: CliqueSize | None = None
    cost: InferenceCost | None = None

    @classmethod
    def of(cls, given: Input | Tally, effort: str = "normal", name: str | None = None) -> Inspected:
        """Examine an input; `effort` is how long to look for a proof of the largest clique."""
        called = getattr(given, "name", "") if name is None else name
        if isinstance(given, Tally):
            return cls._of_votes(called, TALLY, given, given.weight / given.parts)
        if isinstance(given, ArcVotes):
            tally = Tally(given.variables)
            tally.add(given)
            return cls._of_votes(called, VOTES, tally, given.networks)
        if isinstance(given, PDAG):
            try:
                member = Network(given.extension, name=called)
            except GraphError as error:
                raise GraphError(f"network {called!r}: {error}") from None
            found = cls.of(member, effort)
            return replace(found, kind=CLASS, arcs=len(given.arcs), edges=len(given.edges), parents=None)
        dag = given.dag
        return cls(
            called,
            NETWORK,
            len(dag.variables),
            len(dag.arc_numbers),
            network=given,
            parameters=parameter_count(given),
            parents=max(len(dag.parents(variable)) for variable in dag.variables),
            clique=_largest_clique(given, effort),
            cost=inference_cost(given),
        )

    @classmethod
    def _of_votes(cls, name: str, kind: str, tally: Tally, weight: float) -> Inspected:
        arcs = int((2 * tally.arcs > tally.seen).sum())
        return cls(name, kind, len(tally.variables), arcs, weight=int(weight) if weight == int(weight) else weight)

    @property
    def guesses_states(self) -> bool:
        """Whether its clique tables are counted with assumed states."""
        has_tables = self.cost is not None and not isinstance(self.network, GaussianNetwork)
        return has_tables and self.cost is not None and not self.cost.states_known

    def facts(self) -> dict[str, Any]:
        """The JSON output."""
        states = None if self.network is None else self.network.states
        clique, cost = self.clique, self.cost
        return {
            "name": self.name,
            "kind": self.kind,
            "variables": self.variables,
            "arcs": self.arcs,
            "edges_without_direction": self.edges,
            "weight": self.weight,
            "states": None if states is None else sum(map(len, states.values())),
            "has_tables": self.network is not None and self.network.cpts is not None,
            "gaussian": isinstance(self.network, GaussianNetwork),
            "parameters": self.parameters,
            "most_parents": self.parents,
            "clique_size": None if clique is None else int(clique),
            "clique_lower_bound": None if clique is None else clique.lower_bound,
            "clique_proven": None if clique is None else clique.proven,
            "inference": None
            if cost is None
            else {
                "states_known": cost.states_known,
                "numbers": cost.total,
                "bytes": cost.total_bytes,
                "largest_table_numbers": cost.largest,
                "largest_table_bytes": cost.largest_bytes,
            },
        }


@grouped
def inspect(
    files: Inputs,
    effort: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How long to look for a proof of the largest clique: quick (not at all), normal (up to a second, "
            "where it may succeed) or thorough (up to minutes).",
        ),
    ] = "normal",
    naming: CommonNames = CommonNames(),  # noqa: B008 - never changed
    as_json: AsJson = False,
) -> None:
    """Show what is in networks, and what inference will cost.

    The largest clique is that of the triangulated moral graph (treewidth + 1): the number that fusion makes grow and
    that a consensus limits. "9 (at least 8)" means that 9 was reached and that less than 8 is impossible. Clique tables
    are the tables of a junction tree, counted in numbers of 8 bytes.

    Anything that bnfuse consensus takes can be inspected. Votes and tallies have no cliques; their arcs are those that
    have more than half of the votes. Arcs that form a cycle are read as votes.
    """
    one_of("effort", effort, list(_SETS))
    inputs = read_everything(files_of(files), naming, UNION)
    with working(f"inspecting {count(len(inputs), 'input')}"):
        inspected = [Inspected.of(one, effort, name) for name, one in inputs]
    if as_json:
        print_json("inspect", {"inputs": [one.facts() for one in inspected]})
    elif len(inspected) == 1:
        print_inspected(inspected[0])
    else:
        _print_side_by_side(inspected)
    if unknown := [one.name for one in inspected if one.guesses_states]:
        whose = unknown[0] if len(unknown) == 1 else f"{len(unknown)} of the inputs"
        note(f"the states of {whose} are not known: clique tables are counted with two states for each variable")


def parameter_count(network: Network) -> int | None:
    """The free parameters: numbers in the tables that the others of their row do not determine."""
    if isinstance(network, GaussianNetwork):
        return network.parameters
    states = network.states
    if states is None:
        return None
    return sum(
        (len(states[variable]) - 1) * math.prod(len(states[parent]) for parent in network.dag.parents(variable))
        for variable in network.variables
    )


def print_inspected(one: Inspected) -> None:
    """All facts about one input."""
    network, cost, clique = one.network, one.cost, one.clique
    if network is None or cost is None or clique is None:
        what = "votes for arcs" if one.kind == VOTES else "a tally"
        say(f"{one.name} ({what})")
        print_facts(
            {"variables": one.variables, "arcs with more than half of the votes": one.arcs, "networks": one.weight}
        )
        return
    known = "structure, states" if network.states is not None else "structure only"
    known = f"{known}, tables" if network.cpts is not None else known
    known = "a Gaussian network" if isinstance(network, GaussianNetwork) else known
    say(f"{one.name} ({known if one.kind == NETWORK else 'an equivalence class'})")
    largest = f"{int(clique)} (treewidth {clique - 1})"
    facts: dict[str, Cell] = {
        "variables": one.variables,
        "arcs": one.arcs,
        **({"edges without a direction": one.edges} if one.kind == CLASS else {"most parents": one.parents}),
        **({} if isinstance(network, GaussianNetwork) else {"states": _state_range(network)}),
        "free parameters": one.parameters,
        "largest clique": f"{largest}, proven" if clique.proven else f"{largest}; at least {clique.lower_bound}",
    }
    if not isinstance(network, GaussianNetwork):
        facts["clique tables"] = f"{shown_number(cost.total)} numbers, {as_bytes(cost.total_bytes)}"
        facts["largest of them"] = f"{shown_number(cost.largest)} numbers, {as_bytes(cost.largest_bytes)}"
    print_facts(facts)


def _print_side_by_side(inspected: Sequence[Inspected]) -> None:
    are_networks = all(one.kind == NETWORK for one in inspected)
    more = () if are_networks else ("kind", "edges", "networks")
    headers = ("variables", "arcs", "parents", "parameters", "largest clique", "clique tables", "memory")
    rows: list[tuple[Cell, ...]] = [
        (
            one.name,
            *(() if are_networks else (one.kind, one.edges, one.weight)),
            one.variables,
            one.arcs,
            one.parents,
            one.parameters,
            None if one.clique is None else str(one.clique),
            None if one.cost is None or is_gaussian else one.cost.total,
            None if one.cost is None or is_gaussian else as_bytes(one.cost.total_bytes),
        )
        for one in inspected
        for is_gaussian in [isinstance(one.network, GaussianNetwork)]
    ]
    print_table(("network" if are_networks else "input", *more, *headers), rows)


def _state_range(network: Network) -> str | None:
    if network.states is None:
        return None
    sizes = [len(labels) for labels in network.states.values()]
    return f"{min(sizes)} each" if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"


def _largest_clique(network: Network, effort: str) -> CliqueSize:
    quick = clique_size(network)
    is_hopeless = effort == "normal" and quick - quick.lower_bound > _HOPEFUL_GAP
    if quick.proven or effort == "quick" or is_hopeless:
        return quick
    return clique_size(network, "exact", _SETS[effort])
