"""Rows with missing cells: their probability in a network, and the expected counts of the cells of its tables.

The missing cells of a row matter in a few places only. A missing variable without an observed descendant does not
matter at all. The others fall into separate parts: each is connected to the rest by observed variables alone, so its
distribution depends on their states and on nothing else in the row. So rows are grouped by such a part and by the
observed variables around it, and each group needs one inference for all states around the part. Rows with parts that no
other row shares are calibrated in one tree of all variables.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnfuse.data.weights import Weights
from bnfuse.fusion.elimination import bits, joined, smallest_table_first
from bnfuse.fusion.table_sizes import DEFAULT_LIMITS, TableLimits, too_large_to_infer
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Codes, Table
from bnfuse.inference.junction_tree import Calibrated, CliqueTree
from bnfuse.inference.sampling import drawn

_BATCH = 1 << 20  # numbers in a table that holds a clique for many rows at once
_CALL = 1_000  # numbers that can be multiplied in the time needed to start

_Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Structure:
    """A DAG over numbered variables with states, and the positions of the cells of their flattened tables."""

    dag: DAG
    sizes: tuple[int, ...]
    families: tuple[tuple[int, ...], ...]
    """for each variable, its parents in the order of their axes, and itself"""
    children: tuple[int, ...]
    """of each variable, as bits"""
    family_bits: tuple[int, ...]
    strides: tuple[tuple[int, ...], ...]
    """for each member of a family, the distance in cells to its next state"""

    @classmethod
    def of(cls, dag: DAG, states: Mapping[str, Sequence[str]]) -> Structure:
        """A structure and the states of its variables."""
        number = {name: i for i, name in enumerate(dag.variables)}
        sizes = tuple(len(states[name]) for name in dag.variables)
        families = tuple(tuple(number[member] for member in (*dag.parents(v), v)) for v in dag.variables)
        children = [0] * len(sizes)
        for child, family in enumerate(families):
            for parent in family[:-1]:
                children[parent] |= 1 << child
        strides = tuple(
            tuple(math.prod(sizes[i] for i in family[axis + 1 :]) for axis in range(len(family))) for family in families
        )
        family_bits = tuple(sum(1 << i for i in family) for family in families)
        return cls(dag, sizes, families, tuple(children), family_bits, strides)

    def cells(self, variable: int) -> int:
        """The numbers in the table of a variable."""
        return math.prod(self.sizes[i] for i in self.families[variable])

    def needed(self, observed: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """For each row, the variables that are observed or have an observed descendant: the others cannot matter."""
        needed = observed.copy()
        for variable in reversed(self.topological):
            for child in bits(self.children[variable]):
                needed[:, variable] |= needed[:, child]
        return needed

    @property
    def topological(self) -> list[int]:
        """The variables, parents before their children."""
        missing = [len(family) - 1 for family in self.families]
        order = [i for i, count in enumerate(missing) if not count]
        for variable in order:
            for child in bits(self.children[variable]):
                missing[child] -= 1
                if not missing[child]:
                    order.append(child)
        return order

    def tree(self, hidden: Sequence[int], factors: Sequence[int], extra: Sequence[int] = ()) -> CliqueTree:
        """The junction tree of some tables over the hidden variables, numbered by position, and of additional ones."""
        place = {variable: i for i, variable in enumerate(hidden)}
        scopes = [tuple(place[i] for i in self.families[factor] if i in place) for factor in factors]
        sizes = [self.sizes[i] for i in hidden]
        order = smallest_table_first(joined(scopes, len(hidden)), sizes)
        return CliqueTree([*scopes, *((i,) for i in extra)], sizes, order)


@dataclass(frozen=True)
class _Pattern:
    """Hidden variables, and the variables in whose tables they occur: both as bits."""

    hidden: int
    factors: int


@dataclass(frozen=True)
class _Rows:
    """The states of all variables, and the weight of each row."""

    codes: Codes
    weights: Weights


class _Block:
    """One inference for many rows: the hidden variables of a part, given the states of those around it.

    If a row has the state of a variable that is hidden in the block, only that state is possible.
    """

    def __init__(
        self, structure: Structure, part: _Pattern, rows: _Rows, numbers: _Numbers, limits: TableLimits
    ) -> None:
        """The block of the rows with these numbers."""
        self._numbers = numbers
        codes = rows.codes[numbers]
        self._hidden = list(bits(part.hidden))
        self._factors = list(bits(part.factors))
        inside = frozenset(self._hidden)
        around = sorted({i for factor in self._factors for i in structure.families[factor]} - inside)
        sometimes = [i for i in self._hidden if (codes[:, i] >= 0).any()]
        distinct, self._which = _distinct(codes, [*around, *sometimes])
        self._weights = np.bincount(self._which, rows.weights[numbers], len(distinct))
        column = {variable: distinct[:, i].astype(np.int64) for i, variable in enumerate([*around, *sometimes])}
        self._bases: list[_Numbers] = []
        self._offsets: list[_Numbers] = []
        for factor in self._factors:
            base, offset = np.zeros(len(distinct), np.int64), np.zeros((), np.int64)
            for i, stride in zip(structure.families[factor], structure.strides[factor], strict=True):
                if i in inside:
                    offset = offset[..., np.newaxis] + stride * np.arange(structure.sizes[i])
                else:
                    base += stride * column[i]
            self._bases.append(base)
            self._offsets.append(offset)
        self._possible = []
        for variable in sometimes:
            own = column[variable][:, np.newaxis]
            self._possible.append(((own == np.arange(structure.sizes[variable])) | (own < 0)).astype(np.float64))
        places = [self._hidden.index(variable) for variable in sometimes]
        self._tree = structure.tree(self._hidden, self._factors, places)
        self._needed = self._needed_in(structure, column) if sometimes else None
        if not self._tree.fits(limits):
            names = tuple(structure.dag.variables[self._hidden[i]] for i in sorted(self._tree.widest))
            sizes = self._tree.sizes
            raise too_large_to_infer(names, structure.sizes, max(sizes), sum(sizes), limits)

    def _needed_in(self, structure: Structure, column: Mapping[int, _Numbers]) -> npt.NDArray[np.bool_]:
        observed = np.zeros((len(self._weights), len(structure.sizes)), np.bool_)
        for variable, codes in column.items():
            observed[:, variable] = codes >= 0
        return structure.needed(observed)

    @property
    def numbers(self) -> int:
        """The numbers in the clique tables of all of its rows."""
        return len(self._weights) * sum(self._tree.sizes)

    def pieces(self) -> Iterator[slice]:
        """The rows that are computed together."""
        step = max(1, _BATCH // max(self._tree.sizes, default=1))
        for start in range(0, len(self._weights), step):
            yield slice(start, start + step)

    def expect(self, tables: Sequence[Table], counts: Sequence[Table] | None) -> float:
        """The log-likelihood of the block's rows; on request, adds the expected counts."""
        logs = 0.0
        for piece in self.pieces():
            cells, calibrated = self._calibrated(tables, piece, down=counts is not None)
            weights = self._weights[piece]
            logs += float((calibrated.logs * weights).sum())
            if counts is None:
                continue
            for place, (factor, own) in enumerate(zip(self._factors, cells, strict=True)):
                scope = self._tree.scopes[place]
                share = calibrated.joint(scope) if scope else np.ones(len(weights))
                used = weights if self._needed is None else weights * self._needed[piece, factor]
                share *= used.reshape([-1, *[1] * (share.ndim - 1)])
                np.add.at(counts[factor], own.ravel(), share.ravel())
        return logs

    def draw(self, tables: Sequence[Table], codes: Codes, random: np.random.Generator) -> None:
        """Fill the hidden cells of each row, drawn jointly given the others; equal rows get separate draws."""
        order = np.argsort(self._which, kind="stable")
        step = max(1, _BATCH // max(self._tree.sizes, default=1))
        for piece in self.pieces():
            _, calibrated = self._calibrated(tables, piece, down=False)
            first, end = np.searchsorted(self._which[order], [piece.start, piece.stop])
            for start in range(first, end, step):
                own = order[start : min(start + step, end)]
                states = calibrated.drawn(self._which[own] - piece.start, random)
                codes[self._numbers[own][:, None], self._hidden] = states

    def _calibrated(self, tables: Sequence[Table], piece: slice, down: bool) -> tuple[list[_Numbers], Calibrated]:
        """The positions of some rows in the tables, and their tree."""
        cells = [
            base[piece].reshape([-1, *[1] * offset.ndim]) + offset
            for base, offset in zip(self._bases, self._offsets, strict=True)
        ]
        found = [tables[factor][own] for factor, own in zip(self._factors, cells, strict=True)]
        found += [possible[piece] for possible in self._possible]
        return cells, self._tree.calibrated(found, down)


class Incomplete:
    """Rows of states, some of them missing, decomposed for a structure."""

    def __init__(
        self,
        dag: DAG,
        states: Mapping[str, Sequence[str]],
        codes: Codes,
        limits: TableLimits = DEFAULT_LIMITS,
        weights: Weights | None = None,
    ) -> None:
        """`codes` are in the order of the variables, -1 if a value is missing; a weight for each row, or 1."""
        self.structure = structure = Structure.of(dag, states)
        alone = [i for i, size in enumerate(structure.sizes) if size == 1]
        if alone and (codes[:, alone] < 0).any():  # there is no other possible state
            codes = codes.copy()
            codes[:, alone] = 0
        parts, together = _grouped(structure, codes, limits)
        apart = np.ones(len(codes), np.bool_)
        apart[together] = False
        by_row = np.ones(len(codes)) if weights is None else weights
        self.known = [_counted(structure, variable, codes, by_row) for variable in range(len(structure.sizes))]
        """the certain count of each cell of each flattened table in the rows"""
        self._seen = [
            _counted(structure, variable, codes[apart], by_row[apart]) for variable in range(len(structure.sizes))
        ]
        self._rows = _Rows(codes, by_row)
        self._blocks = [_Block(structure, part, self._rows, own, limits) for part, own in parts.items()]
        if len(together):
            self._blocks.append(_Block(structure, _whole(structure), self._rows, together, limits))

    @property
    def numbers(self) -> int:
        """The numbers in the clique tables that are filled for all rows: the cost of an inference."""
        return sum(block.numbers for block in self._blocks)

    def expected(self, tables: Sequence[Table]) -> tuple[list[Table], float]:
        """The expected count of each cell of each table in the rows, and their log-likelihood; tables are flat."""
        counts = [seen.copy() for seen in self._seen]
        return counts, self._certain(tables) + math.fsum(block.expect(tables, counts) for block in self._blocks)

    def log_likelihood(self, tables: Sequence[Table]) -> float:
        """The log-probability of all rows; tables are flat."""
        return self._certain(tables) + math.fsum(block.expect(tables, None) for block in self._blocks)

    def completed(self, tables: Sequence[Table], random: np.random.Generator) -> Codes:
        """The rows with a state in each missing cell: one draw from their distribution given the row; tables are flat.

        No probability may be 0. The cells of a row are drawn jointly.
        """
        codes = self._rows.codes.copy()
        for block in self._blocks:
            block.draw(tables, codes, random)
        structure = self.structure
        for variable in structure.topological:  # the remaining variables have no observed descendant
            rows = np.flatnonzero(codes[:, variable] < 0)
            parents = list(structure.families[variable][:-1])
            table = tables[variable].reshape([structure.sizes[i] for i in structure.families[variable]])
            codes[rows, variable] = drawn(table, codes[rows][:, parents], random.random(len(rows)))
        return codes

    def _certain(self, tables: Sequence[Table]) -> float:
        logs = []
        with np.errstate(divide="ignore"):
            for seen, table in zip(self._seen, tables, strict=True):
                used = seen > 0
                logs.append(float((seen[used] * np.log(table[used])).sum()))
        return math.fsum(logs) if -math.inf not in logs else -math.inf


def _whole(structure: Structure) -> _Pattern:
    several = sum(1 << i for i, size in enumerate(structure.sizes) if size > 1)
    return _Pattern(several, (1 << len(structure.sizes)) - 1)


def _distinct(codes: Codes, columns: Sequence[int]) -> tuple[Codes, _Numbers]:
    """The distinct rows of some columns, and for each row the number of its distinct row."""
    if not columns:
        return codes[:1, :0], np.zeros(len(codes), np.int64)
    rows, which = np.unique(codes[:, columns], axis=0, return_inverse=True)
    return rows, which.ravel()


def _counted(structure: Structure, variable: int, codes: Codes, weights: Weights) -> Table:
    """The count of each cell of a table in the rows that have the states of all its variables."""
    own = codes[:, structure.families[variable]]
    known = (own >= 0).all(axis=1)
    cells = own[known].astype(np.int64) @ np.array(structure.strides[variable], np.int64)
    return np.bincount(cells, weights[known], minlength=structure.cells(variable)).astype(np.float64)


def _grouped(structure: Structure, codes: Codes, limits: TableLimits) -> tuple[dict[_Pattern, _Numbers], _Numbers]:
    """The rows of each part, and the rows for which one tree of all variables is better."""
    missing = codes < 0
    some = np.flatnonzero(missing.any(axis=1))
    if not len(some):
        return {}, some
    packed, which, counts = np.unique(
        np.packbits(missing[some], axis=1), axis=0, return_inverse=True, return_counts=True
    )
    missing = np.unpackbits(packed, axis=1, count=codes.shape[1]).astype(np.bool_)
    needed = structure.needed(~missing)
    parts = [_parts(structure, hidden, row) for hidden, row in zip(_rows(missing & needed), _rows(needed), strict=True)]
    order = some[np.argsort(which.ravel(), kind="stable")]
    rows = np.split(order, np.cumsum(counts)[:-1])
    apart, together = _cheapest(structure, parts, counts.tolist(), limits)
    groups: dict[_Pattern, list[_Numbers]] = {}
    for pattern in apart:
        for part in parts[pattern]:
            groups.setdefault(part, []).append(rows[pattern])
    joined_rows = {part: np.concatenate(own) for part, own in groups.items()}
    return joined_rows, np.concatenate([some[:0], *(rows[pattern] for pattern in together)])


def _rows(flags: npt.NDArray[np.bool_]) -> list[int]:
    """Each row of flags as bits."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(flags, axis=1, bitorder="little")]


def _parts(structure: Structure, hidden: int, needed: int) -> list[_Pattern]:
    """The hidden variables that are connected to needed variables through tables, directly or indirectly."""
    found = []
    while hidden:
        members, waiting, factors = 0, hidden & -hidden, 0
        while waiting:
            variable = (waiting & -waiting).bit_length() - 1
            members |= 1 << variable
            own = (structure.children[variable] | 1 << variable) & needed & ~factors
            factors |= own
            for factor in bits(own):
                waiting |= structure.family_bits[factor] & hidden
            waiting &= ~members
        found.append(_Pattern(members, factors))
        hidden &= ~members
    return found


def _cheapest(
    structure: Structure, parts: Sequence[Sequence[_Pattern]], rows: Sequence[int], limits: TableLimits
) -> tuple[list[int], list[int]]:
    """Which patterns of missing cells to decompose, and which to calibrate in one tree of all variables.

    A part costs the time of its calls, however many rows share it; a tree of all variables costs its size for each row.
    """
    sharing: dict[_Pattern, int] = {}
    for own, count in zip(parts, rows, strict=True):
        for part in own:
            sharing[part] = sharing.get(part, 0) + count
    calls = {part: _CALL * (part.hidden.bit_count() + part.factors.bit_count()) for part in sharing}
    if sum(calls.values()) < _BATCH:
        return list(range(len(parts))), []
    whole = _whole(structure)
    tree = structure.tree(list(bits(whole.hidden)), list(bits(whole.factors)))
    if not tree.fits(limits):
        return list(range(len(parts))), []
    apart: list[int] = []
    together: list[int] = []
    for pattern, own in enumerate(parts):
        cost = sum(calls[part] / sharing[part] for part in own)
        (apart if cost <= sum(tree.sizes) else together).append(pattern)
    return apart, together
