"""Expectation maximisation: the tables of a structure from rows with missing cells (Dempster, Laird and Rubin 1977).

Each iteration computes tables from the counts expected under the previous tables, and never lowers the posterior: the
likelihood of the observed cells times the density of the prior.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bnfuse.graphs.network import Table
from bnfuse.inference.missing_rows import Incomplete

_START = 1.0  # equivalent rows of a prior on the first tables: a probability that starts at 0 would always stay 0


@dataclass(frozen=True, slots=True)
class Iteration:
    """The tables after an iteration, each as rows of distributions, and their quality."""

    tables: list[Table]
    log_likelihood: float
    """of the observed cells"""
    log_posterior: float
    """the same with the prior, up to a constant"""
    unknown: int
    """the number of distributions about which nothing is known, and which are uniform"""


def iterations(rows: Incomplete, prior: float, said: Sequence[Table] | None = None) -> Iterator[Iteration]:
    """One iteration after the other, as long as the caller wants more.

    `prior` is the equivalent sample size of a uniform prior; `said` has additional cases for each cell of each table,
    from experts. The first tables come from the rows in which all states of a family are known, with a prior.
    """
    sizes = [rows.structure.sizes[family[-1]] for family in rows.structure.families]
    tables, unknown = _maximised(rows.known, sizes, prior or _START, said)
    counts, log_likelihood = rows.expected(tables)
    while True:
        tables, unknown = _maximised(counts, sizes, prior, said)
        counts, log_likelihood = rows.expected(tables)
        shaped = [table.reshape(-1, size) for table, size in zip(tables, sizes, strict=True)]
        yield Iteration(shaped, log_likelihood, log_likelihood + log_prior(tables, prior, said), unknown)


def log_prior(tables: Sequence[Table], prior: float, said: Sequence[Table] | None = None) -> float:
    """The log-density of the prior, and of the experts' cases, at these tables, up to a constant."""
    with np.errstate(divide="ignore"):
        found = sum(share * float(np.log(table).sum()) for table in tables if (share := prior / table.size))
        for table, cases in () if said is None else zip(tables, said, strict=True):
            given = cases > 0
            found += float((cases[given] * np.log(table[given])).sum())
        return found


def _maximised(
    counts: Sequence[Table], sizes: Sequence[int], prior: float, said: Sequence[Table] | None = None
) -> tuple[list[Table], int]:
    """The most probable tables if the counts were certain, and the number of distributions without any count."""
    tables, unknown = [], 0
    for i, (own, size) in enumerate(zip(counts, sizes, strict=True)):
        more = own + prior / own.size if said is None else own + prior / own.size + said[i]
        table, empty = conditional(more.reshape(-1, size))
        tables.append(table.ravel())
        unknown += empty
    return tables, unknown


def conditional(joint: Table) -> tuple[Table, int]:
    """The distributions of the last axis given the others; rows of 0 become uniform, and their number is returned."""
    sums = joint.sum(-1, keepdims=True)
    empty = sums == 0
    table = np.divide(joint, sums, out=np.full(joint.shape, 1 / joint.shape[-1]), where=~empty)
    return table, int(empty.sum())
