"""The parameters of a sum: requests that follow from the agreement, as both sides read them.

The coordinator chooses the arcs of the consensus and the families to count. Everything else is agreed, including the
limits on these choices.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bnfuse.errors import BnfuseError, FederationError
from bnfuse.federated.agreement.settings import Agreement
from bnfuse.federated.protocol.participant import RefusedError
from bnfuse.federated.protocol.wire import Body
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network

MOST_CELLS = 1_000_000
"""of all families that are counted in one sum"""


def dag_of(agreement: Agreement, arcs: Iterable[Sequence[int]]) -> DAG:
    """A network by the numbers of its variables."""
    names = agreement.vocabulary.variables
    pairs = [(int(a), int(b)) for a, b in arcs]
    if not all(0 <= one < len(names) for pair in pairs for one in pair):
        raise RefusedError("an arc joins variables that the federation does not have")
    try:
        return DAG(names, [(names[a], names[b]) for a, b in pairs])
    except BnfuseError as error:
        raise RefusedError(str(error)) from None


@dataclass(frozen=True)
class TablesAsked:
    """The arcs of the consensus, and the mean distance whose quarters are the bins of the histogram."""

    dag: DAG
    mean: float

    @classmethod
    def of(cls, body: Body, agreement: Agreement) -> TablesAsked:
        """From a request; refused if it exceeds the agreement."""
        if set(body) != {"arcs", "mean"}:
            raise RefusedError("the request for tables has parts other than arcs and mean")
        dag, mean = dag_of(agreement, body["arcs"]), float(body["mean"])
        largest = max((len(dag.parents(one)) + 1 for one in dag.variables), default=0)
        _check_set_size(largest, agreement)
        if not 0 <= mean <= math.comb(max(len(dag.variables), 2), 2):
            raise RefusedError(f"the mean distance cannot be {mean:g}")
        return cls(dag, mean)


def _check_set_size(largest: int, agreement: Agreement) -> None:
    limit = agreement.settings.max_clique
    if largest > limit:
        raise RefusedError(f"a family of {largest} variables is asked for, and {limit} are agreed", "privacy")


@dataclass(frozen=True)
class FamiliesAsked:
    """Sets of variables whose combinations of states are counted."""

    sets: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, body: Body, agreement: Agreement) -> FamiliesAsked:
        """From a request; refused if it exceeds the agreement."""
        n = len(agreement.vocabulary.variables)
        if set(body) != {"sets"} or not isinstance(body["sets"], list):
            raise RefusedError("the request for families has parts other than sets")
        sets = tuple(tuple(int(one) for one in members) for members in body["sets"])
        for members in sets:
            if not members or list(members) != sorted(set(members)) or not 0 <= members[0] <= members[-1] < n:
                raise RefusedError("a set of variables is not one of the federation")
        if len(set(sets)) < len(sets):
            raise RefusedError("the same set of variables is asked for twice")
        _check_set_size(max(map(len, sets), default=0), agreement)
        asked = cls(sets)
        if asked.length(agreement) > MOST_CELLS:
            raise RefusedError(f"more than {MOST_CELLS:,} counts are asked for", "privacy")
        return asked

    def shapes(self, agreement: Agreement) -> list[tuple[int, ...]]:
        """The numbers of states of the members of each set."""
        sizes = [len(own) for own in agreement.vocabulary.states.values()]
        return [tuple(sizes[one] for one in members) for members in self.sets]

    def length(self, agreement: Agreement) -> int:
        """The length of a vector: all rows, and the counts."""
        return 1 + sum(math.prod(shape) for shape in self.shapes(agreement))

    def names(self, agreement: Agreement) -> list[tuple[str, ...]]:
        """The sets, by name."""
        variables = agreement.vocabulary.variables
        return [tuple(variables[one] for one in members) for members in self.sets]


def finished_network(agreement: Agreement, arcs: Iterable[Sequence[int]], tables: Any) -> Network:
    """The network that all sites receive: arcs by the numbers of their variables, and the numbers of its tables."""
    dag, states = dag_of(agreement, arcs), agreement.vocabulary.states
    if tables is None:
        return Network(dag, dict(states) if len(agreement.vocabulary.known) == len(states) else None, name="consensus")
    shapes = [[len(states[name]) for name in (*dag.parents(variable), variable)] for variable in dag.variables]
    if not isinstance(tables, bytes) or len(tables) != 8 * sum(map(math.prod, shapes)):
        raise FederationError("the length of the tables does not fit the network")
    cpts, place = {}, 0
    for variable, shape in zip(dag.variables, shapes, strict=True):
        cpts[variable] = np.frombuffer(tables, "<f8", math.prod(shape), place).reshape(shape).astype(np.float64)
        place += 8 * math.prod(shape)
    return Network(dag, dict(states), cpts, "consensus")
