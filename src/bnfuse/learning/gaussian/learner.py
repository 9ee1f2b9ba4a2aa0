"""The learner of linear networks with normal noise, from tables of numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from bnfuse import _kernel
from bnfuse._base.options import option_name
from bnfuse._base.texts import listed
from bnfuse.data.discretise import Prepared, prepared
from bnfuse.data.numeric import NumericData, numeric
from bnfuse.data.raw_table import RawDataOptions
from bnfuse.errors import MismatchError, OptionError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network
from bnfuse.learning.completion import Refined, refined
from bnfuse.learning.data_learner import EFFORTS as TABLE_EFFORTS
from bnfuse.learning.data_learner import (
    RESTARTS,
    TABU,
    Learned,
    Learner,
    LearnOptions,
    RowLearner,
    row_units,
    rules_of,
)
from bnfuse.learning.gaussian.linearity import curve_notes
from bnfuse.learning.gaussian.missing_numbers import CompletedNumbers, IncompleteNumbers, copied, units_of_moments
from bnfuse.problem.constraints import Constraints
from bnfuse.search.run import Run

EFFORTS = {**TABLE_EFFORTS, "quick": (6, 2, 150)}
"""as for tables, but families of numbers are scored so fast that `quick` can search longer"""

ALL_FAMILIES = {"quick": 25_000, "normal": 250_000, "thorough": 250_000}
"""by effort: up to this number of variables (12 or 15), all families are scored, and annealing chooses from them"""

_NO_GROUPS = np.zeros(0, np.uint32)


class GaussianLearner(RowLearner[NumericData]):
    """Learns networks of numbers."""

    first_source = "the means and covariances that explain the observed values best"

    def __init__(self, data: NumericData, options: LearnOptions, constraints: Constraints) -> None:
        n = len(data.columns)
        if options.score == "bic-g" and len(data) <= n:
            raise MismatchError(
                f"{len(data):,} rows of {n:,} columns: {option_name('score')} bic-g needs more rows than columns; "
                f"choose bge, which has a prior, or name columns in {option_name('leave_out')}"
            )
        if options.alpha_w is not None and options.alpha_w <= n + 1:
            raise OptionError(
                f"{option_name('alpha_w')} must be more than the number of variables and one, {n + 1}; got "
                f"{options.alpha_w:g}"
            )
        self._whole = IncompleteNumbers(data) if data.missing else None
        super().__init__(data, data.notes, options, constraints)
        if len(data) <= n:
            said = f"{len(data):,} rows of {n:,} columns: few relations can be distinguished from chance"
            self.notes = (*self.notes, said)
        elif names := self._dependent:
            said = (
                f"exact linear functions of other columns: {listed(names)}; arcs from any of these explain "
                "them equally well"
            )
            self.notes = (*self.notes, said)

    @property
    def _dependent(self) -> list[str]:
        """The columns that are linear functions of the columns before them."""
        kernel = self._kernel
        assert isinstance(kernel, _kernel.GaussianLearner)
        return [self.data.columns[place] for place in kernel.dependent]

    def learned(self, run: Run) -> Learned:
        """From all rows, with a note on relations that are not linear."""
        found = super().learned(run)
        return replace(found, notes=(*found.notes, *curve_notes(self.data, found.dag)))

    def look(self) -> tuple[str, ...]:
        """A note on relations that are not linear in a network of all rows."""
        return curve_notes(self.data, self.searched(self.data, Run(0, 1, None)).dag)

    def check_provable(self) -> None:
        """Also refuse data for which no bound holds."""
        super().check_provable()
        if self.options.score == "bic-g" and (names := self._dependent):
            raise OptionError(
                f"{option_name('prove')} does not work with columns that are linear functions of others, as "
                f"{names[0]!r} is; name it in {option_name('leave_out')}"
            )

    def _refined(self, first: Learned, run: Run) -> Refined[Learned, NumericData]:
        rows = IncompleteNumbers(copied(self.data))
        return refined(
            first,
            lambda dag: CompletedNumbers(dag, rows, run.clock),
            lambda completed: self.searched(completed, run),
            math.log(self.data.weight) / 2,
            run,
        )

    def _searching(self, rows: NumericData) -> _kernel.GaussianLearner:
        options = self.options
        if rows.missing:
            assert self._whole is not None
            kept, rows = rows, self._whole.moments(Run(0, 1, None).clock)
            units, unit = units_of_moments(rows, kept)
        else:
            units, unit = row_units(rows)
        n = len(rows.columns)
        return _kernel.GaussianLearner(
            np.ascontiguousarray(rows.values),
            options.score,
            options.alpha_mu,
            options.alpha_w or n + options.alpha_mu + 1,
            rules_of(rows.columns, self._constraints, self._limit),
            self._limit,
            self._most_parents,
            options.method == "anneal",
            TABU if options.tabu is None else options.tabu,
            RESTARTS if options.restarts is None else options.restarts,
            EFFORTS[options.effort],
            ALL_FAMILIES[options.effort],
            units.astype(np.uint32),
            unit,
            _NO_GROUPS if rows.groups is None else rows.groups.astype(np.uint32),
        )

    def _named(self, dag: DAG, name: str, made_by: str) -> Network:
        return Network(dag, None, None, name, made_by)


def read_table(data: Any, asked: RawDataOptions, options: LearnOptions) -> Prepared | NumericData:
    """A table in the form that its learner needs."""
    return numeric(data, asked) if options.gaussian else prepared(data, asked)


def learner_of(rows: Prepared | NumericData, options: LearnOptions, constraints: Constraints) -> RowLearner[Any]:
    """The learner for a table, of states or of numbers."""
    if isinstance(rows, NumericData):
        return GaussianLearner(rows, options, constraints)
    return Learner(rows, options, constraints)
