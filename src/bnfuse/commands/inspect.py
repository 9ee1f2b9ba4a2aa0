"""`bnfuse inspect`: what is in networks, and what exact inference in them will cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from bnfuse._base.texts import count, shown_number
from bnfuse.commands._console import (
    AsJson,
    Cell,
    Files,
    as_bytes,
    examples,
    note,
    print_facts,
    print_json,
    print_table,
    say,
    working,
)
from bnfuse.commands._inputs import Names, read_networks
from bnfuse.fusion.cliques import CliqueSize, InferenceCost, clique_size, inference_cost
from bnfuse.graphs.network import Network

EXAMPLES = examples(
    "bnfuse inspect examples/clinics/harbour.bif  # all about one network",
    "bnfuse inspect examples/clinics/*.bif        # several side by side",
    "bnfuse inspect examples/clinics/*.bif --limit 20000000  # try harder",
    "bnfuse inspect examples/clinics/*.bif --json  # JSON output",
)

# A proof is tried by default where the bounds are this close, for this long: under a second for each of the benchmark
# networks. Far apart they hardly ever meet in that time.
_HOPEFUL_GAP = 5
_SHORT_LIMIT = 100_000


@dataclass(frozen=True, slots=True)
class Inspected:
    """The facts about one network."""

    network: Network
    parameters: int | None
    parents: int
    clique: CliqueSize
    cost: InferenceCost

    @classmethod
    def of(cls, network: Network, limit: int | None = None) -> Inspected:
        """Look into a network; `limit` is how many sets of variables a proof of the largest clique may look at."""
        dag = network.dag
        parents = max(len(dag.parents(variable)) for variable in dag.variables)
        return cls(network, parameter_count(network), parents, _largest_clique(network, limit), inference_cost(network))

    def facts(self) -> dict[str, Any]:
        """For programs."""
        states = self.network.states
        return {
            "name": self.network.name,
            "variables": len(self.network.variables),
            "arcs": len(self.network.dag.arc_numbers),
            "states": None if states is None else sum(map(len, states.values())),
            "has_tables": self.network.cpts is not None,
            "parameters": self.parameters,
            "most_parents": self.parents,
            "clique_size": int(self.clique),
            "clique_lower_bound": self.clique.lower_bound,
            "clique_proven": self.clique.proven,
            "inference": {
                "states_known": self.cost.states_known,
                "numbers": self.cost.total,
                "bytes": self.cost.total_bytes,
                "largest_table_numbers": self.cost.largest,
                "largest_table_bytes": self.cost.largest_bytes,
            },
        }


def inspect(
    files: Files,
    limit: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="STATES",
            help="How many sets of variables to look at for a proof of the largest clique: 0 for none; by default a "
            "short try where it has a chance. A million take seconds.",
            show_default=False,
        ),
    ] = None,
    names: Names = None,
    as_json: AsJson = False,
) -> None:
    """Show what is in networks, and what inference will cost.

    The largest clique is that of the triangulated moral graph (treewidth + 1): the number that fusion makes grow and
    that a consensus limits. "9 (at least 8)" means: 9 was reached, below 8 is impossible. Clique tables are what a
    junction tree has to hold: numbers of 8 bytes.
    """
    networks = read_networks(files, names)
    with working(f"inspecting {count(len(networks), 'network')}"):
        inspected = [Inspected.of(network, limit) for network in networks]
    if as_json:
        print_json([one.facts() for one in inspected])
    elif len(inspected) == 1:
        print_inspected(inspected[0])
    else:
        _print_side_by_side(inspected)
    if unknown := [one.network.name for one in inspected if not one.cost.states_known]:
        whose = unknown[0] if len(unknown) == 1 else f"{len(unknown)} of the networks"
        note(f"the states of {whose} are not known: clique tables are counted with two states for each variable")


def parameter_count(network: Network) -> int | None:
    """The free parameters: numbers in the tables that the others of their row do not determine."""
    states = network.states
    if states is None:
        return None
    return sum(
        (len(states[variable]) - 1) * math.prod(len(states[parent]) for parent in network.dag.parents(variable))
        for variable in network.variables
    )


def print_inspected(one: Inspected) -> None:
    """All about one network."""
    network, cost, clique = one.network, one.cost, one.clique
    known = "structure, states" if network.states is not None else "structure only"
    say(f"{network.name} ({known}, tables)" if network.cpts is not None else f"{network.name} ({known})")
    largest = f"{int(clique)} (treewidth {clique - 1})"
    facts: dict[str, Cell] = {
        "variables": len(network.variables),
        "arcs": len(network.dag.arc_numbers),
        "most parents": one.parents,
        "states": _state_range(network),
        "free parameters": one.parameters,
        "largest clique": f"{largest}, proven" if clique.proven else f"{largest}; at least {clique.lower_bound}",
        "clique tables": f"{shown_number(cost.total)} numbers, {as_bytes(cost.total_bytes)}",
        "largest of them": f"{shown_number(cost.largest)} numbers, {as_bytes(cost.largest_bytes)}",
    }
    print_facts(facts)


def _print_side_by_side(inspected: Sequence[Inspected]) -> None:
    headers = ("network", "variables", "arcs", "parents", "parameters", "largest clique", "clique tables", "memory")
    rows: list[tuple[Cell, ...]] = [
        (
            one.network.name,
            len(one.network.variables),
            len(one.network.dag.arc_numbers),
            one.parents,
            one.parameters,
            str(one.clique),
            one.cost.total,
            as_bytes(one.cost.total_bytes),
        )
        for one in inspected
    ]
    print_table(headers, rows)


def _state_range(network: Network) -> str | None:
    if network.states is None:
        return None
    sizes = [len(labels) for labels in network.states.values()]
    return f"{min(sizes)} each" if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"


def _largest_clique(network: Network, limit: int | None) -> CliqueSize:
    quick = clique_size(network)
    if limit is None:
        limit = _SHORT_LIMIT if quick - quick.lower_bound <= _HOPEFUL_GAP else 0
    return quick if quick.proven or limit == 0 else clique_size(network, "exact", limit)
