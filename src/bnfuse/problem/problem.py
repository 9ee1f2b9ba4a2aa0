"""The problem of a search: which network, among those within the limits, is closest to the inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import at_least, check_options, choice, option, option_name
from bnfuse._base.texts import shown_number
from bnfuse._kernel import MAX_VARIABLES, ConsensusProblem
from bnfuse.errors import ConstraintError
from bnfuse.fusion.cliques import table_orders
from bnfuse.fusion.fusion import Fusion, order
from bnfuse.fusion.table_sizes import check_table_limit, most_members, table_numbers
from bnfuse.graphs.dag import DAG, Rows, numbered
from bnfuse.problem.constraints import NO_CONSTRAINTS, Constraints
from bnfuse.problem.inputs import Inputs
from bnfuse.problem.pair_counts import SeenByKinds
from bnfuse.problem.tally import Tally

METRICS = ("smhd", "fsim", "shd")
TARGETS = ("inputs", "fused")
DEFAULT_CLIQUE = 4


def _clique_limit(name: str, value: Any) -> int:
    return min(at_least(name, value, 2), MAX_VARIABLES)  # no clique is larger


@dataclass(frozen=True)
class Problem:
    """A consensus problem: one DAG with `clique_size <= max_clique`, as close as possible to the inputs.

    With `max_table`, the tables of its cliques have at most that many numbers; `max_clique` is then the largest number
    of variables that such a table can have, or the given limit if that is smaller.

    It is a value: it can be compared, hashed, copied and pickled, and does not depend on how it is searched.
    """

    inputs: Inputs
    max_clique: int = option(None, "The largest clique that the consensus may have.", _clique_limit)
    metric: str = option(
        "smhd",
        "The distance: smhd (differing moral edges), fsim (fusion similarity) or shd (arcs to add, delete or reverse).",
        choice(METRICS),
    )
    target: str = option(
        "inputs", "The target of the distance: the inputs, or fused (their full fusion).", choice(TARGETS)
    )
    constraints: Constraints = NO_CONSTRAINTS
    max_table: int | None = option(
        None,
        "How many numbers the table of a clique may have at most, given the states of its variables: such as 1e6, "
        "or in bytes, 8 per number: 64MB.",
        table_numbers,
    )

    def __post_init__(self) -> None:
        check_options(self)
        if self.constraints.directions is None:
            object.__setattr__(self, "constraints", replace(self.constraints, directions="any"))
        if self.max_clique is None:
            object.__setattr__(self, "max_clique", DEFAULT_CLIQUE if self.max_table is None else MAX_VARIABLES)
        self._limit_tables()
        self.constraints.check(self.tally, self.max_clique)
        if self.metric == "fsim":
            self.inputs.needs_same_variables("fsim")
        if self.target == "fused":
            self.inputs.needs_same_variables("the target fused")

    def with_limit(self, max_clique: int) -> Problem:
        """The same question with another clique limit; known facts about the inputs are kept."""
        return replace(self, max_clique=max_clique)

    def _limit_tables(self) -> None:
        """Refuse a table limit that nothing satisfies; lower the clique limit to what it allows."""
        if self.max_table is None:
            return
        name, counts = option_name("max_table"), self.state_counts
        check_table_limit("max_table", self.max_table, dict(zip(self.variables, counts, strict=True)))
        fitting = max(most_members(counts, self.max_table), 2)
        object.__setattr__(self, "max_clique", min(self.max_clique, fitting))
        if self.constraints.required:
            self.constraints.check(self.tally, MAX_VARIABLES)
            required = DAG(self.variables, self.constraints.required)
            table = min(one.table for one in table_orders(required, counts))
            if table > self.max_table:
                raise ConstraintError(
                    f"the required arcs alone seem to need a clique table of {shown_number(table)} numbers; "
                    f"{name} is {self.max_table:,}"
                )

    # The inputs

    @cached_property
    def state_counts(self) -> tuple[int, ...]:
        """The number of states of each variable, which a limit on tables needs."""
        return self.inputs.state_counts(option_name("max_table"))

    @property
    def is_clique_limited(self) -> bool:
        """Whether cliques have a limit on their members apart from the one implied by their tables."""
        return self.max_table is None or self.max_clique < most_members(self.state_counts, self.max_table)

    @cached_property
    def fitting_pairs(self) -> npt.NDArray[np.bool_]:
        """By two variables: whether a clique may have both, judging by their own states."""
        if self.max_table is None:
            return np.ones((len(self.variables),) * 2, np.bool_)
        counts = np.array(self.state_counts, np.int64)  # none is above 2**62
        fits: npt.NDArray[np.bool_] = counts[:, None] <= self.max_table // counts
        return fits

    @property
    def kernel_tables(self) -> dict[str, Any]:
        """The limit on tables for the searches of the kernel; empty if there is none."""
        if self.max_table is None:
            return {}
        return {"states": np.array(self.state_counts, np.int64), "max_table": self.max_table}

    @cached_property
    def kernel(self) -> ConsensusProblem:
        """The same problem for the kernel, which has numbers instead of names."""
        return ConsensusProblem(
            limit=min(self.max_clique, MAX_VARIABLES),
            max_parents=-1
            if self.constraints.max_parents is None
            else min(self.constraints.max_parents, MAX_VARIABLES),
            metric=self.metric,
            directions=self.constraints.directions or "any",
            is_listed=self.constraints.are_listed,
            reference_weight=self.reference_tally.weight,
            is_whole=self.reference_tally.is_whole,
            **(self._listed_numbers() if self.tally.is_listed else self._numbers()),
            **self.kernel_tables,
        )

    def _rules_at(self, pairs: Any) -> npt.NDArray[np.uint8]:
        """The arcs for the kernel: 1 means allowed, 4 means allowed if arcs may have any direction."""
        rules = self.constraints
        any_way = rules if rules.directions == "any" else replace(rules, directions="any")
        allowed, allowed_any_way = (one.allowed(self.tally)[pairs] for one in (rules, any_way))
        arcs: npt.NDArray[np.uint8] = (allowed + 4 * allowed_any_way).astype(np.uint8)
        return arcs

    @property
    def _required_numbers(self) -> npt.NDArray[np.int64]:
        index = {name: i for i, name in enumerate(self.variables)}
        required = [(index[source], index[target]) for source, target in self.constraints.required]
        return np.array(required, np.int64).reshape(-1, 2)

    def _numbers(self) -> dict[str, Any]:
        """The input of the kernel for each pair of variables."""
        tally, references = self.tally, self.reference_tally
        arcs = self._rules_at(...)
        arcs[tuple(self._required_numbers.T)] |= 2
        return {
            "arcs": arcs,
            "input_arcs": tally.arcs,
            "input_seen": np.ascontiguousarray(tally.seen),
            "reference_arcs": references.arcs,
            "reference_moral": references.moral,
            "reference_seen": np.ascontiguousarray(references.seen),
            "oriented": tally.oriented,
            "worth": self.worth,
        }

    def _listed_numbers(self) -> dict[str, Any]:
        """The input of the kernel for the pairs that some input joins, and for all others together."""
        tally, n = self.tally, len(self.variables)
        source, target = self._required_numbers.T
        keys = np.union1d(tally.moral.keys, np.concatenate([source * n + target, target * n + source]))
        pairs = first, second = np.divmod(keys, n)
        arcs = self._rules_at(pairs)
        arcs[np.isin(keys, source * n + target)] |= 2
        own, seen = tally.arcs[pairs], np.ascontiguousarray(tally.seen[pairs])
        has_kinds = isinstance(tally.seen, SeenByKinds)
        return {
            "pairs": (np.searchsorted(first, np.arange(n + 1)), second.astype(np.int32)),
            "others": 4 if self.constraints.has_rule else 5,
            "see_others": (tally.seen.has, tally.seen.weights) if has_kinds else None,
            "arcs": arcs,
            "input_arcs": own,
            "input_seen": seen,
            "reference_arcs": own,
            "reference_moral": tally.moral[pairs],
            "reference_seen": seen,
            "oriented": own,
            "worth": 4 * own - 2 * seen + 1,
        }

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("kernel", "gain", "worth")}

    @property
    def dags(self) -> tuple[DAG, ...]:
        """The structures of the inputs; empty if only their tally is known."""
        return self.inputs.dags

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the inputs."""
        return self.inputs.names

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights of the inputs."""
        return self.inputs.weights

    @property
    def tally(self) -> Tally:
        """The sums over the inputs."""
        return self.inputs.tally

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables, in the order of the first input, which breaks ties."""
        return self.inputs.variables

    @property
    def rows(self) -> Rows:
        """The inputs for the kernel."""
        return self.inputs.rows

    @property
    def fusion(self) -> Fusion:
        """The full fusion of the inputs (the paper's G+)."""
        return self.inputs.fusion

    # The target of the distance

    @property
    def references(self) -> tuple[DAG, ...]:
        """The DAGs from which the distance is measured."""
        return self.dags if self.target == "inputs" else (self.fusion.dag,)

    @property
    def reference_weights(self) -> tuple[int, ...]:
        """Their weights, in the unit of the tally."""
        parts = self.tally.parts
        return tuple(weight * parts for weight in self.weights) if self.target == "inputs" else (1,)

    @property
    def reference_tally(self) -> Tally:
        """The sums over the references: all that SMHD and SHD depend on."""
        return self.tally if self.target == "inputs" else self.inputs.fused_tally

    @cached_property
    def ties(self) -> npt.NDArray[np.int32]:
        """The order that breaks FSim's ties: that of `fsim(dag, references)`."""
        return numbered(self.fusion.order if self.target == "inputs" else order(self.references), self.dags[0])

    def mean(self, distance: float) -> float:
        """A summed distance, which searches use, as the mean over the references."""
        return distance / self.reference_tally.weight

    @property
    def counts_arcs(self) -> bool:
        """Whether the distance adds up over arcs; otherwise over moral edges, or (FSim) over neither."""
        return self.metric == "shd"

    @cached_property
    def gain(self) -> Any:
        """The decrease in the summed distance when a pair is joined: by an arc (row -> column) or a moral edge.

        For FSim, which has no such number, it is that of SMHD.
        """
        return gains(self.reference_tally, self.counts_arcs)

    @property
    def distance_without_arcs(self) -> int:
        """The summed SHD or SMHD of the network without any arcs."""
        return distance_without_arcs(self.reference_tally, self.counts_arcs)

    @cached_property
    def worth(self) -> Any:
        """The value of an arc (row -> column) among equally close networks.

        It is above 0 if at least half of the inputs, by weight, have it in that direction, and grows with their weight:
        the directed support, minus the support that an arc needs to be included for its own sake.
        """
        if self.tally.is_listed:
            return _ByPair(lambda a, b: 4 * self.tally.oriented[a, b] - 2 * self.tally.seen[a, b] + 1)
        return 4 * self.tally.oriented - 2 * self.tally.seen + 1


class _ByPair:
    """Numbers by pairs of many variables that are computed from others: `of[a, b]`, like a square array."""

    def __init__(self, number: Callable[[Any, Any], Any]) -> None:
        self._number = number

    def __getitem__(self, pair: tuple[Any, Any]) -> Any:
        return self._number(*pair)


def gains(tally: Tally, by_arc: bool) -> Any:
    """The decrease in the summed SHD (by arc) or SMHD to the inputs of a tally when a pair is joined."""
    arcs, moral, seen = tally.arcs, tally.moral, tally.seen
    if tally.is_listed and by_arc:
        return _ByPair(lambda a, b: 2 * arcs[a, b] + arcs[b, a] - seen[a, b])
    if tally.is_listed:
        return _ByPair(lambda a, b: 2 * moral[a, b] - seen[a, b])
    if by_arc:
        return np.ascontiguousarray(2 * arcs + arcs.T - seen)
    return 2 * moral - seen


def distance_without_arcs(tally: Tally, by_arc: bool) -> int:
    """The summed SHD (by arc) or SMHD of the network without any arcs to the inputs of a tally."""
    return int(tally.arcs.sum()) if by_arc else int(tally.moral.sum()) // 2
