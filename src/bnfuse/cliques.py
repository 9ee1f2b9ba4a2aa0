"""The largest clique of a network's triangulated moral graph: what exact inference in it will cost.

Graph theory's treewidth is this size minus 1.
"""

from __future__ import annotations

from typing import Any

from bnfuse import _kernel
from bnfuse._options import at_least, one_of
from bnfuse.dag import NetworkLike, as_dag

METHODS = ("best", "mcs", "min-fill", "min-degree", "exact")


class CliqueSize(int):
    """The size of a largest clique, with the evidence for it.

    The number is what `elimination_order` reaches. No triangulation has a largest clique below `lower_bound`; where
    the two meet, the size is `proven`.
    """

    elimination_order: tuple[str, ...]
    lower_bound: int

    @property
    def proven(self) -> bool:
        """Whether no elimination order can do better."""
        return self.lower_bound == self

    def __repr__(self) -> str:
        return str(int(self)) if self.proven else f"{int(self)} (at least {self.lower_bound})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return _clique_size, (int(self), self.lower_bound, self.elimination_order)


def clique_size(dag: NetworkLike, method: str = "best", limit: int = 20_000) -> CliqueSize:
    """The size of the largest clique after triangulating the moral graph.

    `method` is an elimination heuristic, "mcs" (maximum cardinality search), "min-fill" or "min-degree", or "best": the
    best of them and of min-fill with random ties. "exact" is branch and bound, which visits at most `limit` states;
    when these do not suffice, the answer is an interval: the size reached and its proven `lower_bound`.
    """
    graph = as_dag(dag)
    one_of("method", method, METHODS)
    lower, size, order = _kernel.triangulate(graph.rows, method, at_least("limit", limit, 0))
    return _clique_size(size, lower, tuple(graph.variables[i] for i in order))


def _clique_size(size: int, lower_bound: int, elimination_order: tuple[str, ...]) -> CliqueSize:
    result = CliqueSize(size)
    result.lower_bound = lower_bound
    result.elimination_order = elimination_order
    return result
