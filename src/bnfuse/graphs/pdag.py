"""Graphs in which some edges have no direction: PDAGs, and the CPDAGs that represent whole equivalence classes.

An arc has a direction; the direction of an edge is open. A consistent extension is a DAG with the same skeleton, the
same arcs and no v-structures except those of the arcs. Source: Dor and Tarsi, A Simple Algorithm to Construct a
Consistent Extension of a Partially Oriented Graph, UCLA R-185, 1992 (`extension`).
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from bnfuse._base.public import public
from bnfuse._base.texts import listed
from bnfuse.errors import GraphError
from bnfuse.graphs.dag import DAG, Immutable, NetworkLike, as_dag, checked_arc, iterated, numbered
from bnfuse.graphs.equivalence import reversible_arcs
from bnfuse.graphs.interop import mixed
from bnfuse.graphs.interop.mixed import DIRECTED, UNDIRECTED

_MARK = re.compile("[<o-]-[>o-]")

_SHOWN = 12  # arcs and edges of a part without an extension that one message lists


@public
class PDAG(Immutable):
    """An immutable graph over named variables whose `arcs` have a direction and whose `edges` have none.

    Such a graph represents all its consistent extensions, for example a Markov equivalence class: networks that imply
    the same independences. Two are equal when they have the same variables, arcs and edges; the order of the variables
    and the name do not matter.

    Parameters
    ----------
    variables
        The names, all different.
    arcs
        The directed edges, as pairs (from, to).
    edges
        The undirected edges, as pairs.
    name
        Its name in tables and messages.

    Raises
    ------
    GraphError
        A name is unknown or occurs twice, the arcs form a cycle, or a pair is an arc and an edge.

    Examples
    --------
    >>> import bnfuse
    >>> graph = bnfuse.PDAG(["A", "B", "C"], arcs=[("A", "B")], edges=[("B", "C")])
    >>> graph.extension.edges
    (('A', 'B'), ('B', 'C'))
    """

    def __init__(
        self,
        variables: Iterable[str],
        arcs: Iterable[tuple[str, str]] = (),
        edges: Iterable[tuple[str, str]] = (),
        name: str = "",
    ) -> None:
        directed = DAG(variables, arcs)
        names = directed.variables
        index = {variable: i for i, variable in enumerate(names)}
        pairs = {_checked_pair(edge, index) for edge in iterated(edges, "edges must be a list of pairs")}
        for source, target in directed.edges:
            if tuple(sorted((index[source], index[target]))) in pairs:
                raise GraphError(f"{source} --> {target} is given as an edge without a direction too")
        undirected = tuple((names[a], names[b]) for a, b in sorted(pairs))
        self.__dict__.update(_directed=directed, _edges=undirected, _name=name)

    _directed: DAG
    _edges: tuple[tuple[str, str], ...]
    _name: str

    @property
    def variables(self) -> tuple[str, ...]:
        """The names, in their given order."""
        return self._directed.variables

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """The directed edges, as pairs (from, to) in the order of the variables."""
        return self._directed.edges

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The undirected edges, as pairs in the order of the variables."""
        return self._edges

    @property
    def name(self) -> str:
        """Its name in tables and messages; empty if there is none."""
        return self._name

    def renamed(self, name: str) -> PDAG:
        """The same graph with another name.

        Parameters
        ----------
        name
            The new name.

        Returns
        -------
        PDAG
            A graph that is equal to this one.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.PDAG(["A", "B"]).renamed("ward").name
        'ward'
        """
        copy = PDAG.__new__(PDAG)
        copy.__dict__.update(self.__dict__, _name=name)
        return copy

    def reordered(self, variables: Sequence[str]) -> PDAG:
        """The same graph with its variables in another order.

        Parameters
        ----------
        variables
            All names of the graph, in the new order.

        Returns
        -------
        PDAG
            A graph that is equal to this one.

        Raises
        ------
        MismatchError
            These are not the variables of the graph.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.PDAG(["A", "B"], edges=[("A", "B")]).reordered(["B", "A"]).edges
        (('B', 'A'),)
        """
        numbered(variables, self._directed)
        return PDAG(variables, self.arcs, self._edges, self._name)

    def over(self, variables: Sequence[str]) -> PDAG:
        """The arcs and edges among these variables.

        Parameters
        ----------
        variables
            Some of its variables.

        Returns
        -------
        PDAG
            The part of the graph over these variables.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.PDAG(["A", "B", "C"], [("A", "B")], [("B", "C")]).over(["B", "C"]).edges
        (('B', 'C'),)
        """
        kept = frozenset(variables)
        arcs, edges = ([pair for pair in pairs if kept.issuperset(pair)] for pairs in (self.arcs, self._edges))
        return PDAG(variables, arcs, edges, self._name)

    @cached_property
    def extension(self) -> DAG:
        """A DAG that it represents; if there are several, early variables come before late ones.

        Raises
        ------
        GraphError
            No DAG represents it; the message names the arcs and edges at fault.

        References
        ----------
        Dor and Tarsi: A Simple Algorithm to Construct a Consistent Extension of a Partially Oriented Graph. UCLA R-185,
        1992.
        """
        parts = _Parts.of(self)
        found = parts.extended(range(len(self.variables)))
        if found is None:
            raise GraphError(self._without_extension(parts))
        return DAG(self.variables, [(self.variables[source], self.variables[target]) for source, target in found])

    def _without_extension(self, parts: _Parts) -> str:
        names = self.variables
        fault = {names[i] for i in parts.fault()}
        drawn = [f"{a} {mark} {b}" for a, mark, b in self.marked() if a in fault and b in fault]
        return (
            f"no DAG represents it: {listed(drawn, _SHOWN, str)} cannot all have a direction without a cycle or a new "
            "v-structure"
        )

    def marked(self) -> Iterator[tuple[str, str, str]]:
        """Arcs, then edges, as `(from, "-->", to)` and `(one, "---", other)`.

        Returns
        -------
        iterator of tuple
            Two names with the mark between them.

        Examples
        --------
        >>> import bnfuse
        >>> list(bnfuse.PDAG(["A", "B", "C"], [("A", "B")], [("B", "C")]).marked())
        [('A', '-->', 'B'), ('B', '---', 'C')]
        """
        yield from ((source, DIRECTED, target) for source, target in self.arcs)
        yield from ((one, UNDIRECTED, other) for one, other in self._edges)

    @classmethod
    def of_class(cls, dag: NetworkLike) -> PDAG:
        """The CPDAG of a DAG: its arcs, without a direction if the equivalence class has both directions.

        Parameters
        ----------
        dag
            A network in any form.

        Returns
        -------
        PDAG
            The graph that all DAGs of the class share.

        Raises
        ------
        BnfuseError
            The argument is not a network.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.PDAG.of_class(bnfuse.DAG.from_edges([("A", "B"), ("B", "C")])).edges
        (('A', 'B'), ('B', 'C'))
        >>> bnfuse.PDAG.of_class(bnfuse.DAG.from_edges([("A", "B"), ("C", "B")])).arcs
        (('A', 'B'), ('C', 'B'))
        """
        structure = as_dag(dag)
        free = set(reversible_arcs(structure))
        return cls(structure.variables, [arc for arc in structure.edges if arc not in free], free)

    @cached_property
    def completed(self) -> PDAG:
        """The CPDAG of the equivalence class to which its extensions belong."""
        return PDAG.of_class(self.extension).renamed(self._name)

    # Conversions

    @classmethod
    def from_networkx(cls, graph: Any) -> PDAG:
        """From a networkx graph; the attribute `type` of an edge, if there is one, is "-->" or "---".

        Without it, an edge of a directed graph is an arc. If the graph has it in both directions, or is undirected, the
        edge has no direction. Names that are whole numbers are turned into text.

        Parameters
        ----------
        graph
            The graph, directed or not.

        Returns
        -------
        PDAG
            Its nodes, arcs and edges.

        Raises
        ------
        GraphError
            It is not a graph, or has other kinds of edges.

        Examples
        --------
        >>> import bnfuse, networkx
        >>> bnfuse.PDAG.from_networkx(networkx.DiGraph([("A", "B"), ("B", "C"), ("C", "B")]))
        <PDAG: 3 variables, 1 arcs, 1 edges>
        """
        return cls(*mixed.from_networkx(graph))

    def to_networkx(self) -> Any:
        """The graph as a networkx DiGraph with the attribute `type`, "-->" or "---"; undirected edges run both ways.

        Returns
        -------
        networkx.DiGraph
            A new graph.

        Raises
        ------
        MissingPackageError
            networkx is not installed.

        Examples
        --------
        >>> import bnfuse
        >>> list(bnfuse.PDAG(["A", "B"], edges=[("A", "B")]).to_networkx().edges)
        [('A', 'B'), ('B', 'A')]
        """
        return mixed.to_networkx(self.variables, self.marked())

    @classmethod
    def from_pgmpy(cls, graph: Any) -> PDAG:
        """From a pgmpy PDAG; names that are whole numbers are turned into text.

        Parameters
        ----------
        graph
            A `pgmpy.base.PDAG`.

        Returns
        -------
        PDAG
            Its nodes, arcs and edges.

        Raises
        ------
        GraphError
            It is not a PDAG of pgmpy.

        Examples
        --------
        >>> import bnfuse
        >>> from pgmpy.base import PDAG  # doctest: +SKIP
        >>> bnfuse.PDAG.from_pgmpy(PDAG([("A", "B")], [("B", "C")])).edges  # doctest: +SKIP
        (('B', 'C'),)
        """
        return cls(*mixed.from_pgmpy(graph))

    @classmethod
    def from_pyagrum(cls, graph: Any) -> PDAG:
        """From a pyAgrum EssentialGraph, or from a MixedGraph or PDAG, whose node numbers become the names.

        Parameters
        ----------
        graph
            The graph. For pyAgrum, the network from which it was made must still exist.

        Returns
        -------
        PDAG
            Its nodes, arcs and edges.

        Raises
        ------
        GraphError
            It is not a graph of pyAgrum with arcs and edges.

        Examples
        --------
        >>> import bnfuse, pyagrum
        >>> network = pyagrum.fastBN("A->B->C")
        >>> bnfuse.PDAG.from_pyagrum(pyagrum.EssentialGraph(network)).edges
        (('A', 'B'), ('B', 'C'))
        """
        return cls(*mixed.from_pyagrum(graph))

    @classmethod
    def from_causallearn(cls, graph: Any) -> PDAG:
        """From a causal-learn GeneralGraph, or the CausalGraph that its searches return.

        Parameters
        ----------
        graph
            The graph.

        Returns
        -------
        PDAG
            Its nodes, arcs and edges.

        Raises
        ------
        GraphError
            It is not a graph of causal-learn, or has edges for hidden causes.

        Examples
        --------
        >>> import bnfuse
        >>> from causallearn.search.ConstraintBased.PC import pc  # doctest: +SKIP
        >>> bnfuse.PDAG.from_causallearn(pc(rows, show_progress=False))  # doctest: +SKIP
        <PDAG: 3 variables, 0 arcs, 2 edges>
        """
        return cls(*mixed.from_causallearn(graph))

    # Identity

    @cached_property
    def _content(self) -> tuple[DAG, frozenset[frozenset[str]]]:
        return self._directed, frozenset(map(frozenset, self._edges))

    def __eq__(self, other: object) -> bool:
        return self._content == other._content if isinstance(other, PDAG) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._content)

    def __repr__(self) -> str:
        return f"<PDAG: {len(self.variables)} variables, {len(self.arcs)} arcs, {len(self._edges)} edges>"

    def __reduce__(self) -> tuple[Any, ...]:
        return PDAG, (self.variables, self.arcs, self._edges, self._name)


def as_pdag(graph: NetworkLike) -> PDAG:
    """Anything that is a PDAG or can be one. A DAG has arcs only: `PDAG.of_class` gives its class."""
    if isinstance(graph, PDAG):
        return graph
    if is_mixed(graph):
        return _CONSTRUCTORS[_package(graph)](graph)
    dag = as_dag(graph)
    return PDAG(dag.variables, dag.edges, name=getattr(graph, "name", "") if hasattr(graph, "dag") else "")


def is_mixed(graph: object) -> bool:
    """Whether this is a graph with edges that may lack a direction: a PDAG, or its equivalent in other packages.

    A networkx graph is one if the `type` of an edge says so; in a plain DiGraph, an arc in both directions may be a
    mistake.
    """
    if isinstance(graph, PDAG):
        return True
    package = _package(graph)
    if package == "networkx":
        marks = (data.get("type") for _, _, data in graph.edges(data=True))  # type: ignore[attr-defined]
        return any(isinstance(mark, str) and mark != DIRECTED and _MARK.fullmatch(mark) for mark in marks)
    return any(kind.__name__ in _KINDS.get(package, ()) for kind in type(graph).__mro__)


_CONSTRUCTORS = {
    "pgmpy": PDAG.from_pgmpy,
    "pyagrum": PDAG.from_pyagrum,
    "causallearn": PDAG.from_causallearn,
    "networkx": PDAG.from_networkx,
}
_KINDS = {
    "pgmpy": ("PDAG", "CPDAG"),
    "pyagrum": ("EssentialGraph", "MixedGraph"),
    "causallearn": ("GeneralGraph", "CausalGraph"),
}


def _package(graph: object) -> str:
    """The package of a graph: the first of those known here."""
    packages = {kind.__module__.partition(".")[0].lower() for kind in type(graph).__mro__}
    return next((package for package in _CONSTRUCTORS if package in packages), "")


def _checked_pair(edge: tuple[str, str], index: dict[str, int]) -> tuple[int, int]:
    one, other = checked_arc(edge, index, "edge", UNDIRECTED)
    return min(one, other), max(one, other)


class _Parts:
    """A PDAG as sets of numbers, each set the bits of a whole number."""

    def __init__(self, n: int) -> None:
        self.children = [0] * n
        self.joined = [0] * n
        """by an edge without a direction"""
        self.adjacent = [0] * n

    @classmethod
    def of(cls, graph: PDAG) -> _Parts:
        index = {name: i for i, name in enumerate(graph.variables)}
        parts = cls(len(index))
        for one, mark, other in graph.marked():
            a, b = index[one], index[other]
            parts.adjacent[a] |= 1 << b
            parts.adjacent[b] |= 1 << a
            if mark == DIRECTED:
                parts.children[a] |= 1 << b
            else:
                parts.joined[a] |= 1 << b
                parts.joined[b] |= 1 << a
        return parts

    def extended(self, members: Iterable[int]) -> list[tuple[int, int]] | None:
        """The arcs of a consistent extension of the part over some variables; None if it has none.

        A variable can come last if it has no children and if every variable joined to it by an edge is adjacent to all
        others around it. It then takes its edges as arcs and is removed. A variable that can come last keeps this
        property when others are removed, and only the neighbours of a removed variable may gain it.
        """
        left = sum(1 << i for i in members)
        ready = [-i for i in _bits(left) if self._can_be_last(i, left)]
        heapq.heapify(ready)
        arcs = []
        while ready:
            last = -heapq.heappop(ready)
            if not left >> last & 1:
                continue  # it was found twice
            left ^= 1 << last
            around = self.adjacent[last] & left
            arcs += [(i, last) for i in _bits(around)]
            for i in _bits(around):
                if self._can_be_last(i, left):
                    heapq.heappush(ready, -i)
        return None if left else arcs

    def _can_be_last(self, variable: int, left: int) -> bool:
        if self.children[variable] & left:
            return False
        around = self.adjacent[variable] & left
        return all(not around & ~self.adjacent[i] & ~(1 << i) for i in _bits(self.joined[variable] & left))

    def fault(self) -> list[int]:
        """A minimal set of variables over which there is no extension: leaving out any of them allows one.

        Every part of an extension extends the part of the graph, so it is enough to try each variable once.
        """
        kept = list(range(len(self.adjacent)))
        size = len(kept)
        while size := size // 2:
            start = 0
            while start < len(kept):
                fewer = kept[:start] + kept[start + size :]
                if self.extended(fewer) is None:
                    kept = fewer
                else:
                    start += size
        return kept


def _bits(members: int) -> Iterator[int]:
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
