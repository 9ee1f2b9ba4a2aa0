"""The quantity that the paper prints as the error of marginals: differences between the row means of tables.

The authors' public program compares, for each variable, the plain mean of its table's rows over all parent
configurations, likely and unlikely ones alike. That is a marginal only if the parents are uniform. Its tables are
Dirichlet estimates with half an observation in each cell, over the states that occur in the data.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from statistics import fmean

import numpy as np
import numpy.typing as npt

from bnfuse.data.data import Data
from bnfuse.graphs.dag import DAG

_PRIOR = 0.5  # of each cell

Means = Mapping[str, npt.NDArray[np.float64]]


class RowMeans:
    """The row means of any structure's tables, estimated from complete data, and the sizes of the tables.

    No table is built: parent configurations that do not occur in the data have uniform rows, and only their number is
    needed.
    """

    def __init__(self, data: Data) -> None:
        self._data = data
        self._known: dict[tuple[str, ...], npt.NDArray[np.float64]] = {}

    def of(self, dag: DAG) -> Means:
        """By variable."""
        return {name: self._of_family((name, *sorted(dag.parents(name)))) for name in dag.variables}

    def table_numbers(self, dag: DAG) -> int:
        """The size of all tables of a structure together."""
        states = {name: count for name, (_, count) in self._columns.items()}
        return sum(math.prod(states[member] for member in (*dag.parents(name), name)) for name in dag.variables)

    def _of_family(self, family: tuple[str, ...]) -> npt.NDArray[np.float64]:
        if family not in self._known:
            self._known[family] = self._computed(*family)
        return self._known[family]

    def _computed(self, variable: str, *parents: str) -> npt.NDArray[np.float64]:
        configuration = np.zeros(len(self._data), np.int64)
        for parent in parents:  # numbered again each time: the product of all states may exceed any integer type
            codes, states = self._columns[parent]
            configuration = np.unique(configuration * states + codes, return_inverse=True)[1]
        codes, states = self._columns[variable]
        seen = int(configuration.max()) + 1
        counts = np.bincount(configuration * states + codes, minlength=seen * states).reshape(seen, states) + _PRIOR
        rows = counts / counts.sum(axis=1, keepdims=True)
        every = math.prod(self._columns[parent][1] for parent in parents)
        means: npt.NDArray[np.float64] = rows.sum(axis=0) / every + (every - seen) / every / states
        return means

    @cached_property
    def _columns(self) -> dict[str, tuple[npt.NDArray[np.int64], int]]:
        """By variable: the states of all rows, renumbered by occurrence, and their number."""
        found = {}
        for name in self._data.variables:
            labels, codes = np.unique(self._data.column(name), return_inverse=True)
            found[name] = codes.astype(np.int64), len(labels)
        return found


def row_mean_error(found: Means, truth: Means) -> float:
    """The absolute difference, averaged over the states of each variable, then over variables."""
    return fmean(float(np.abs(found[name] - truth[name]).mean()) for name in truth)
