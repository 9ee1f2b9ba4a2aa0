"""Directed acyclic graphs over named variables, on which all of bnfuse is built."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._base import display, spelling
from bnfuse._base.optional import optional
from bnfuse._base.options import option_name
from bnfuse._base.public import public
from bnfuse._base.texts import NAMES, listed
from bnfuse.errors import CycleError, GraphError, MismatchError, OptionError
from bnfuse.graphs.interop import structures

ArcNumbers: TypeAlias = npt.NDArray[np.int64]
"""Pairs (from, to) of numbers of variables."""

Rows: TypeAlias = npt.NDArray[np.uint64]
"""Parents of each variable as bits: (variables, words), or (DAGs, variables, words) for several DAGs."""

NetworkLike: TypeAlias = Any
"""A DAG, a Network, a networkx DiGraph, a pyAgrum BayesNet or DAG, or a pgmpy model."""


_SHOWN = 12  # variables of a cycle in one error message


class Immutable:
    """An object whose attributes cannot be set. It fills its `__dict__` when it is created, and caches there."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")


@public
class DAG(Immutable):
    """An immutable directed acyclic graph over named variables.

    Two DAGs are equal when they have the same variables and the same arcs. The order of the variables
    does not matter: it only breaks ties in some algorithms.

    Parameters
    ----------
    variables
        The names, all different. Their order breaks ties.
    edges
        The arcs as pairs of names (from, to).

    Raises
    ------
    GraphError
        A name is not text or occurs twice, or an arc names an unknown variable.
    CycleError
        The arcs form a cycle; a kind of `GraphError`.

    See Also
    --------
    bnfuse.read : reads networks from files.
    Network : a DAG with states and tables.

    Examples
    --------
    >>> import bnfuse
    >>> dag = bnfuse.DAG(["Smoker", "Cancer", "Cough"], [("Smoker", "Cancer"), ("Cancer", "Cough")])
    >>> dag.parents("Cancer")
    ('Smoker',)
    >>> dag
    <DAG: 3 variables, 2 arcs>

    Anything with a structure can be converted: graphs of networkx, pyAgrum and pgmpy, matrices, lists of arcs.

    >>> dag == bnfuse.DAG.from_edges([("Cancer", "Cough"), ("Smoker", "Cancer")])
    True
    """

    def __init__(self, variables: Iterable[str], edges: Iterable[tuple[str, str]] = ()) -> None:
        self.__dict__["_variables"] = checked_variables(variables)
        arcs = [checked_arc(edge, self._index) for edge in iterated(edges, "arcs must be a list of pairs")]
        self._take(np.array(arcs, np.int64).reshape(-1, 2))
        self._refuse_cycles()

    def _take(self, arcs: ArcNumbers) -> None:
        """Store the arcs, given as pairs of numbers: as rows of bits or, with many variables, as they are."""
        if len(self._variables) <= _kernel.MOST_IN_ROWS:
            self.__dict__["_rows"] = rows_of(len(self._variables), arcs[:, 0], arcs[:, 1])
            return
        arcs = np.unique(arcs, axis=0)
        arcs.flags.writeable = False
        self.__dict__["arc_numbers"] = arcs

    def _refuse_cycles(self) -> None:
        if cycle := [self._variables[i] for i in _kernel.find_cycle(self.for_kernel)]:
            raise CycleError(f"the arcs form a cycle: {_closed(cycle)}")

    @classmethod
    def from_numbers(cls, variables: tuple[str, ...], arcs: ArcNumbers, *, are_checked: bool = False) -> DAG:
        """The DAG with these arcs, given by the numbers of variables; the names are not checked.

        Parameters
        ----------
        variables
            The names.
        arcs
            Pairs (from, to) of numbers of variables.
        are_checked
            Whether the arcs are known to form no cycle.

        Returns
        -------
        DAG
            The graph with these arcs.

        Raises
        ------
        CycleError
            The arcs form a cycle.

        Examples
        --------
        >>> import bnfuse, numpy as np
        >>> bnfuse.DAG.from_numbers(("A", "B"), np.array([[0, 1]])).edges
        (('A', 'B'),)
        """
        dag = cls.__new__(cls)
        dag.__dict__["_variables"] = variables
        dag._take(arcs)
        if not are_checked:
            dag._refuse_cycles()
        return dag

    @classmethod
    def from_rows(cls, variables: tuple[str, ...], rows: Rows) -> DAG:
        """The DAG with these rows of parents, as `rows` returns them; the names are not checked.

        Parameters
        ----------
        variables
            The names.
        rows
            The parents of each variable as bits of 64-bit words.

        Returns
        -------
        DAG
            The graph with these arcs.

        Raises
        ------
        GraphError
            The array does not have the right shape or type, or has bits that do not belong to a variable.
        CycleError
            The arcs form a cycle.

        Examples
        --------
        >>> import bnfuse, numpy as np
        >>> bnfuse.DAG.from_rows(("A", "B"), np.array([[0], [1]], np.uint64)).edges
        (('A', 'B'),)
        """
        n, words = len(variables), (len(variables) + 63) // 64
        if not isinstance(rows, np.ndarray) or rows.dtype != np.uint64 or rows.shape != (n, words):
            raise GraphError(f"the parents of {n} variables are {n} rows of {words} words of 64 bits")
        rows = np.ascontiguousarray(rows)
        try:
            cycle = [variables[i] for i in _kernel.find_cycle(rows)]
        except ValueError as error:
            raise GraphError(f"these are not rows of parents: {error}") from None
        if cycle:
            raise CycleError(f"the arcs form a cycle: {_closed(cycle)}")
        return cls.trusted(variables, rows)

    @classmethod
    def trusted(cls, variables: tuple[str, ...], rows: Rows) -> DAG:
        """The same for rows that the kernel made from checked ones: they are not checked again.

        Parameters
        ----------
        variables
            The names.
        rows
            The parents of each variable as bits; the array is made read-only.

        Returns
        -------
        DAG
            The graph with these arcs.

        Examples
        --------
        >>> import bnfuse
        >>> dag = bnfuse.DAG.from_edges([("A", "B")])
        >>> bnfuse.DAG.trusted(("X", "Y"), dag.rows).edges
        (('X', 'Y'),)
        """
        dag = cls.__new__(cls)
        rows.flags.writeable = False
        dag.__dict__.update(_variables=variables, _rows=rows)
        return dag

    _variables: tuple[str, ...]
    _rows: Rows

    @property
    def variables(self) -> tuple[str, ...]:
        """The names, in their given order."""
        return self._variables

    @property
    def rows(self) -> Rows:
        """The parents of each variable as bits, read-only, as the kernel uses them; too many variables are refused."""
        if not self.has_rows:
            refuse_many(len(self._variables))
        return self._rows

    @property
    def has_rows(self) -> bool:
        """Whether the variables are few enough for rows of bits."""
        return "_rows" in self.__dict__

    @property
    def for_kernel(self) -> Any:
        """The DAG as an argument of the kernel: its rows, or the number of variables and the arcs."""
        return self._rows if self.has_rows else (len(self._variables), self.arc_numbers.astype(np.int32))

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self._variables)}

    @cached_property
    def arc_numbers(self) -> npt.NDArray[np.int64]:
        """The arcs as pairs of variable numbers (from, to), sorted."""
        arcs = np.argwhere(self.to_adjacency())
        arcs.flags.writeable = False
        return arcs

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The arcs as pairs of names (from, to), in the order of the variables."""
        names = self._variables
        return tuple((names[source], names[target]) for source, target in self.arc_numbers.tolist())

    def parents(self, variable: str) -> tuple[str, ...]:
        """The parents of a variable, in the order of the variables.

        Parameters
        ----------
        variable
            Its name.

        Returns
        -------
        tuple of str
            The variables with an arc to it.

        Raises
        ------
        GraphError
            There is no such variable.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.DAG.from_edges([("Smoker", "Cancer"), ("Pollution", "Cancer")]).parents("Cancer")
        ('Smoker', 'Pollution')
        """
        return self._parents[self._number(variable)]

    def children(self, variable: str) -> tuple[str, ...]:
        """The children of a variable, in the order of the variables.

        Parameters
        ----------
        variable
            Its name.

        Returns
        -------
        tuple of str
            The variables to which it has an arc.

        Raises
        ------
        GraphError
            There is no such variable.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.DAG.from_edges([("Cancer", "Cough"), ("Cancer", "Xray")]).children("Cancer")
        ('Cough', 'Xray')
        """
        return self._children[self._number(variable)]

    @cached_property
    def _parents(self) -> list[tuple[str, ...]]:
        return self._grouped((target, source) for source, target in self.arc_numbers.tolist())

    @cached_property
    def _children(self) -> list[tuple[str, ...]]:
        return self._grouped(self.arc_numbers.tolist())

    def _grouped(self, pairs: Iterable[Sequence[int]]) -> list[tuple[str, ...]]:
        groups: list[list[str]] = [[] for _ in self._variables]
        for key, member in pairs:
            groups[key].append(self._variables[member])
        return [tuple(group) for group in groups]

    def _number(self, variable: str) -> int:
        try:
            return self._index[variable]
        except (KeyError, TypeError):
            raise GraphError(spelling.unknown("variable", variable, self._variables)) from None

    def reordered(self, variables: Sequence[str]) -> DAG:
        """The same DAG with its variables in a different order.

        Parameters
        ----------
        variables
            All names of the DAG, in the new order.

        Returns
        -------
        DAG
            A DAG that is equal to this one.

        Raises
        ------
        MismatchError
            These are not the variables of the DAG.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.DAG.from_edges([("A", "B")]).reordered(["B", "A"]).variables
        ('B', 'A')
        """
        chosen = numbered(variables, self)
        place = np.empty(len(chosen), np.int64)
        place[chosen] = np.arange(len(chosen))
        return DAG.from_numbers(tuple(variables), place[self.arc_numbers], are_checked=True)

    def over(self, variables: Sequence[str]) -> DAG:
        """The arcs among these variables; those that the DAG lacks are added without arcs.

        Parameters
        ----------
        variables
            The names of the variables to keep or add.

        Returns
        -------
        DAG
            The part of the DAG over these variables.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.DAG.from_edges([("A", "B"), ("B", "C")]).over(["B", "C", "D"]).edges
        (('B', 'C'),)
        """
        if tuple(variables) == self._variables:
            return self
        place = {name: i for i, name in enumerate(variables)}
        moved = np.array([place.get(name, -1) for name in self._variables])
        arcs = moved[self.arc_numbers]
        arcs = arcs[(arcs >= 0).all(axis=1)]
        return DAG.from_numbers(tuple(variables), arcs, are_checked=True)

    # Conversions

    @classmethod
    def from_edges(cls, edges: Iterable[tuple[str | int, str | int]]) -> DAG:
        """The DAG with these arcs over the variables that they mention, in the order of first mention.

        Parameters
        ----------
        edges
            The arcs as pairs of names (from, to); whole numbers are turned into text.

        Returns
        -------
        DAG
            The graph with these arcs.

        Raises
        ------
        GraphError
            An arc is not a pair of names, a name is neither text nor a whole number, the number 1 and the text "1" both
            occur, or the arcs form a cycle.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.DAG.from_edges([("Smoker", "Cancer"), ("Cancer", "Cough")]).variables
        ('Smoker', 'Cancer', 'Cough')
        >>> bnfuse.DAG.from_edges([(1, 2)]).edges
        (('1', '2'),)
        """
        arcs = iterated(edges, "arcs must be a list of pairs")
        names = structures.texts_of(name for arc in arcs for name in _pair(arc))
        return cls(dict.fromkeys(names), zip(names[::2], names[1::2], strict=True))

    @classmethod
    def from_networkx(cls, graph: Any) -> DAG:
        """From a networkx DiGraph (or a pgmpy model, which is one); names that are whole numbers are turned into text.

        Parameters
        ----------
        graph
            The directed graph.

        Returns
        -------
        DAG
            Its nodes and arcs.

        Raises
        ------
        GraphError
            It is not a graph, is not directed, has a cycle, or has edges that a DAG cannot represent; or a name is
            neither text nor a whole number, or the number 1 and the text "1" both occur.

        Examples
        --------
        >>> import bnfuse, networkx
        >>> bnfuse.DAG.from_networkx(networkx.DiGraph([(1, 2), (2, 3)])).edges
        (('1', '2'), ('2', '3'))
        """
        return cls(*structures.from_networkx(graph))

    def to_networkx(self) -> Any:
        """The DAG as a networkx DiGraph.

        Returns
        -------
        networkx.DiGraph
            A new graph with the same nodes and arcs.

        Raises
        ------
        MissingPackageError
            networkx is not installed.

        Examples
        --------
        >>> import bnfuse
        >>> list(bnfuse.DAG.from_edges([("A", "B")]).to_networkx().edges)
        [('A', 'B')]
        """
        return structures.to_networkx(self._variables, self.edges)

    @classmethod
    def from_pyagrum(cls, network: Any) -> DAG:
        """Convert from a pyAgrum BayesNet, or from a pyAgrum DAG, whose node numbers become the names.

        Parameters
        ----------
        network
            The network or graph.

        Returns
        -------
        DAG
            Its nodes and arcs.

        Raises
        ------
        GraphError
            It is not a network of pyAgrum, or is a graph that a DAG cannot represent.

        Examples
        --------
        >>> import bnfuse, pyagrum
        >>> bnfuse.DAG.from_pyagrum(pyagrum.fastBN("A->B<-C")).parents("B")
        ('A', 'C')
        """
        return cls(*structures.from_pyagrum(network))

    def to_pyagrum(self) -> Any:
        """The DAG as a pyAgrum BayesNet with two states per variable and uniform tables, both marked as assumed.

        Returns
        -------
        pyagrum.BayesNet
            A new network.

        Raises
        ------
        MissingPackageError
            pyAgrum is not installed.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.DAG.from_edges([("A", "B")]).to_pyagrum().sizeArcs()
        1
        """
        return structures.to_pyagrum(self._variables, self.edges)

    def to_pgmpy(self) -> Any:
        """The DAG as a pgmpy DAG.

        Returns
        -------
        pgmpy.base.DAG
            A new graph with the same nodes and arcs.

        Raises
        ------
        MissingPackageError
            pgmpy is not installed.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.DAG.from_edges([("A", "B")]).to_pgmpy().edges()  # doctest: +SKIP
        OutEdgeView([('A', 'B')])
        """
        return structures.to_pgmpy(self._variables, self.edges)

    @classmethod
    def from_adjacency(cls, matrix: Any, variables: Iterable[str] | None = None) -> DAG:
        """From a square matrix of 0 and 1, in which 1 in row A, column B is the arc A -> B.

        For a matrix with the other convention, pass its transpose: `from_adjacency(matrix.T)`.

        Parameters
        ----------
        matrix
            An array, a list of rows, or a pandas DataFrame, which has its own names.
        variables
            The names; by default those of the DataFrame, or X1, X2, ... for anything else. Whole numbers are turned
            into text.

        Returns
        -------
        DAG
            The graph with these arcs.

        Raises
        ------
        GraphError
            The matrix is not square, has other entries, or its arcs form a cycle.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.DAG.from_adjacency([[0, 1], [0, 0]]).edges
        (('X1', 'X2'),)
        """
        if hasattr(matrix, "columns") and hasattr(matrix, "index"):
            rows, columns = structures.texts_of(matrix.index), structures.texts_of(matrix.columns)
            if sorted(rows) != sorted(columns):
                raise GraphError("the rows and columns of an adjacency matrix must have the same names")
            checked_variables(rows)
            order = [columns.index(name) for name in rows]
            matrix = matrix.to_numpy()[:, order]
            variables = rows if variables is None else variables
        try:
            entries = np.asarray(matrix)
        except ValueError:
            raise GraphError("an adjacency matrix must be square, got rows of different lengths") from None
        if entries.ndim != 2 or entries.shape[0] != entries.shape[1]:
            raise GraphError(f"an adjacency matrix must be square, got shape {entries.shape}")
        if not np.isin(entries, (0, 1)).all():
            raise GraphError("an adjacency matrix may contain only 0 and 1")
        names = [f"X{i + 1}" for i in range(len(entries))] if variables is None else structures.texts_of(variables)
        if len(names) != len(entries):
            raise GraphError(f"{len(names)} variables for an adjacency matrix of {len(entries)} rows")
        return cls(names, [(names[source], names[target]) for source, target in np.argwhere(entries).tolist()])

    def to_adjacency(self) -> npt.NDArray[np.bool_]:
        """The matrix with True in row A, column B for the arc A -> B.

        Returns
        -------
        numpy.ndarray
            A square matrix of truth values.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.DAG.from_edges([("A", "B")]).to_adjacency().tolist()
        [[False, True], [False, False]]
        """
        n = len(self._variables)
        bits = np.unpackbits(self.rows.astype("<u8", copy=False).view(np.uint8), axis=1, count=n, bitorder="little")
        return bits.T.astype(np.bool_)

    def to_pandas(self) -> Any:
        """The adjacency matrix as a pandas DataFrame of 0 and 1 with the names on both sides.

        Returns
        -------
        pandas.DataFrame
            In row A, column B 1 for the arc A -> B.

        Raises
        ------
        MissingPackageError
            pandas is not installed.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.DAG.from_edges([("A", "B")]).to_pandas().loc["A", "B"].item()
        1
        """
        pandas = optional("pandas", "a pandas matrix")
        names = list(self._variables)
        return pandas.DataFrame(self.to_adjacency().astype(np.int8), index=names, columns=names)

    # Identity

    @cached_property
    def _content(self) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
        return frozenset(self._variables), frozenset(self.edges)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DAG):
            return NotImplemented
        if self._variables == other._variables:
            if not self.has_rows:
                return np.array_equal(self.arc_numbers, other.arc_numbers)
            return np.array_equal(self._rows, other._rows)
        return self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    def _repr_html_(self) -> str | None:
        return display.html(self)

    def __repr__(self) -> str:
        return f"<DAG: {len(self._variables)} variables, {len(self.arc_numbers)} arcs>"

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.has_rows:
            return DAG.from_numbers, (self._variables, self.arc_numbers)
        return DAG.from_rows, (self._variables, self._rows)


def as_dag(network: NetworkLike) -> DAG:
    """The structure of anything that has one."""
    if isinstance(network, DAG):
        return network
    if isinstance(dag := getattr(network, "dag", None), DAG):
        return dag
    packages = {kind.__module__.partition(".")[0].lower() for kind in type(network).__mro__}
    if "networkx" in packages:
        return DAG.from_networkx(network)
    if "pyagrum" in packages:
        return DAG.from_pyagrum(network)
    structures.refuse_mixed(network)
    shown = "" if _is_matrix(network) else f" {network!r:.60}"
    raise OptionError(f"expected a network, got {type(network).__name__}{shown}{_remedy(network)}")


def _remedy(given: object) -> str:
    """How to turn an object that is not a network into one."""
    if isinstance(given, str | os.PathLike):
        return f"; bnfuse.read({os.fspath(given)!r:.60}) reads the networks of a file"
    if _is_matrix(given):
        rows, columns = given.shape  # type: ignore[attr-defined]
        if rows == columns:
            return "; bnfuse.DAG.from_adjacency(matrix) makes a network of an adjacency matrix"
        return "; bnfuse.learn(data) learns a network from data"
    if isinstance(given, list | tuple | set | frozenset):
        return "; bnfuse.DAG.from_edges(arcs) makes a network of a list of arcs"
    return ""


def _is_matrix(given: object) -> bool:
    return len(getattr(given, "shape", ())) == 2


"""Graphs of other packages that a DAG cannot represent, and the reason: nothing may be left out of them silently."""


def is_network(candidate: object) -> bool:
    """Whether this is one network, and not a list of them."""
    return isinstance(candidate, DAG) or hasattr(candidate, "dag") or hasattr(candidate, "nodes")


def as_list(networks: Iterable[NetworkLike] | Mapping[str, NetworkLike]) -> list[NetworkLike]:
    """Several networks, at least one; for a mapping from names, its values."""
    one = is_network(networks) or isinstance(networks, str) or _is_matrix(networks)
    if one or not isinstance(networks, Iterable):
        raise OptionError(f"expected a list of networks, got {type(networks).__name__}{_remedy(networks)}")
    networks = list(networks.values() if isinstance(networks, Mapping) else networks)
    if not networks:
        raise OptionError("expected at least one network, got an empty list")
    return networks


def as_dags(networks: Iterable[NetworkLike]) -> list[DAG]:
    """The structures of several networks, all with their variables in the order of the first."""
    networks = as_list(networks)
    dags = [as_dag(network) for network in networks]
    for position, dag in enumerate(dags):
        if dag.variables != dags[0].variables:
            check_same_variables(
                dags[0], dag, network_label(networks[0], 0), network_label(networks[position], position)
            )
            dags[position] = dag.reordered(dags[0].variables)
    return dags


def stacked(dags: Sequence[DAG]) -> Rows:
    """The rows of several DAGs over the same variables as one array."""
    return np.stack([dag.rows for dag in dags])


def kernel_dags(dags: Sequence[DAG]) -> Any:
    """Several DAGs over the same variables as an argument of the kernel."""
    return stacked(dags) if dags[0].has_rows else [dag.for_kernel for dag in dags]


def parent_sets(dag: DAG) -> list[int]:
    """The parents of each variable as whole numbers, with a bit for each."""
    if dag.has_rows:
        return [int.from_bytes(row.tobytes(), "little") for row in dag.rows.astype("<u8", copy=False)]
    sets = [0] * len(dag.variables)
    for source, target in dag.arc_numbers.tolist():
        sets[target] |= 1 << source
    return sets


def numbered(order: Iterable[str], dag: DAG) -> npt.NDArray[np.int32]:
    """An order of the variables of `dag` as their numbers."""
    names = list(order) if isinstance(order, Iterable) else [order]
    numbers = [dag._index.get(name, -1) if isinstance(name, str) else -1 for name in names]
    if sorted(numbers) != list(range(len(dag.variables))):
        missing = [name for name in dag.variables if name not in names]
        detail = f"it lacks {listed(missing)}" if missing else "it has unknown or repeated names"
        raise MismatchError(f"an order must name each variable of the networks once; {detail}")
    return np.array(numbers, np.int32)


def network_label(network: NetworkLike, position: int) -> str:
    """The name of one of several networks in messages, or its position if it has none."""
    name = getattr(network, "name", None)
    return f"network {name!r}" if isinstance(name, str) and name else f"network {position + 1}"


def check_same_variables(first: DAG, other: DAG, first_label: str, other_label: str) -> None:
    """Refuse networks over different variables, and name one variable that differs."""
    for lacking, having, lacking_label, having_label in (
        (other, first, other_label, first_label),
        (first, other, first_label, other_label),
    ):
        missing = [name for name in having.variables if name not in lacking._index]
        if missing:
            noun = "variable" if len(missing) == 1 else "variables"
            proposes, takes = option_name("bnfuse.align(networks)"), option_name("bnfuse.consensus takes")
            union = option_name('variables="union"')
            raise MismatchError(
                f"{lacking_label} lacks {noun} {listed(missing)}, which {having_label} has"
                f"{_nearest(missing, [name for name in lacking.variables if name not in having._index])}; "
                f"all networks need the same variables, spelled alike: {proposes} proposes common names; {takes} "
                f"different ones with {union} or {option_name('shared')}"
            )


def lookalike(name: str, others: Iterable[str]) -> str | None:
    """The other name with the same letters and digits, whatever the case and the characters between them."""
    wanted = spelling.letters(name)
    return next((other for other in others if spelling.letters(other) == wanted), None) if wanted else None


def _nearest(missing: Sequence[str], others: Sequence[str]) -> str:
    found = [other for name in missing[:NAMES] if (other := spelling.nearest(name, others)) is not None]
    return f", though it has {listed(list(dict.fromkeys(found)))}" if found else ""


def iterated(values: Iterable[Any], wanted: str) -> list[Any]:
    """The values as a list; a text is refused, although it can be iterated over."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise GraphError(f"{wanted}, got {values!r:.60}")
    return list(values)


def checked_variables(variables: Iterable[str]) -> tuple[str, ...]:
    """The names of variables, if they are distinct, at least one and not too many."""
    names = iterated(variables, "variables must be a list of names")
    if not names:
        raise GraphError("a network needs at least one variable")
    if len(names) > _kernel.MAX_VARIABLES:
        raise GraphError(f"{len(names):,} variables; bnfuse handles at most {_kernel.MAX_VARIABLES:,}")
    seen = set()
    for name in names:
        if not isinstance(name, str) or not name:
            raise GraphError(f"a variable's name must be text that is not empty, got {name!r:.60}{_instead(name)}")
        if name in seen:
            raise GraphError(f"variable {name!r} is listed twice")
        seen.add(name)
    return tuple(names)


def _instead(name: object) -> str:
    if isinstance(name, tuple | list):
        return "; the variables come first, then the arcs; DAG.from_edges(arcs) needs the arcs only"
    return "; DAG.from_edges(arcs) turns whole numbers into text" if hasattr(name, "__index__") else ""


def checked_arc(edge: tuple[str, str], index: dict[str, int], noun: str = "arc", mark: str = "->") -> tuple[int, int]:
    """An arc between two of the variables, or another kind of edge, as their numbers."""
    source, target = _pair(edge, noun)
    for name in edge:
        if not isinstance(name, str) or name not in index:
            raise GraphError(f"{noun} {source} {mark} {target}: {spelling.unknown('variable', name, index)}")
    if source == target:
        raise GraphError(f"{noun} {source} {mark} {target}: a variable cannot be its own parent")
    return index[source], index[target]


def _pair(edge: Any, noun: str = "arc") -> tuple[Any, Any]:
    if not isinstance(edge, (tuple, list)) or len(edge) != 2:
        raise GraphError(f"an {noun} must be a pair of names (from, to), got {edge!r:.60}")
    return edge[0], edge[1]


def _closed(cycle: list[str]) -> str:
    shown = [*cycle, cycle[0]]
    if len(cycle) > _SHOWN:
        shown[_SHOWN - 1 : -1] = [f"({len(cycle) - _SHOWN + 1} more)"]
    return " -> ".join(shown)


def refuse_many(n: int, what: str = "this") -> None:
    """Refuse work whose time or memory grows with the pairs of variables if there are too many."""
    if n > _kernel.MOST_IN_ROWS:
        raise OptionError(
            f"{what} works with at most {_kernel.MOST_IN_ROWS:,} variables, and there are {n:,}; the direct search and "
            "the majority vote for smhd and shd, and their reports, accept more"
        )


def rows_of(n: int, sources: npt.NDArray[np.int64], targets: npt.NDArray[np.int64]) -> Rows:
    """The rows of the graph with these arcs, given by the numbers of their ends; not checked for cycles."""
    rows = np.zeros((n, (n + 63) // 64), np.uint64)
    np.bitwise_or.at(rows, (targets, sources >> 6), np.uint64(1) << (sources & 63).astype(np.uint64))
    rows.flags.writeable = False
    return rows


def set_arc(rows: Rows, source: int, target: int, there: bool) -> None:
    """Add an arc to rows of parents, or remove it."""
    bit = np.uint64(1) << np.uint64(source & 63)
    if there:
        rows[target, source >> 6] |= bit
    else:
        rows[target, source >> 6] &= ~bit
