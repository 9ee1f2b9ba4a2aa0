"""What a consensus must or must not have: required and forbidden arcs, tiers, a limit on parents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnfuse._errors import ConstraintError, GraphError
from bnfuse._options import at_least, option_name
from bnfuse.cliques import clique_size
from bnfuse.dag import DAG

Arc = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Constraints:
    """Checked constraints: some network within the clique limit satisfies them."""

    required: tuple[Arc, ...]
    forbidden: tuple[Arc, ...]
    tiers: tuple[tuple[str, ...], ...]
    max_parents: int | None

    def __bool__(self) -> bool:
        return bool(self.required or self.forbidden or self.tiers or self.max_parents is not None)

    @classmethod
    def of(
        cls,
        variables: Sequence[str],
        max_clique: int,
        required: Iterable[Arc] = (),
        forbidden: Iterable[Arc] = (),
        tiers: Iterable[Iterable[str]] | None = None,
        max_parents: int | None = None,
    ) -> Constraints:
        """Constraints over these variables; an error names the first contradiction."""
        constraints = cls(
            required=_arcs("required", required, variables),
            forbidden=_arcs("forbidden", forbidden, variables),
            tiers=_tiers(() if tiers is None else tiers, variables),
            max_parents=None if max_parents is None else at_least("max_parents", max_parents, 0),
        )
        constraints._check(tuple(variables), max_clique)
        return constraints

    def _check(self, variables: tuple[str, ...], max_clique: int) -> None:
        if not self.required:
            return
        allowed = self.allowed(variables)
        index = {name: i for i, name in enumerate(variables)}
        for source, target in self.required:
            if (source, target) in self.forbidden:
                raise ConstraintError(f"arc {source} -> {target} is both required and forbidden")
            if not allowed[index[source], index[target]]:
                raise ConstraintError(
                    f"arc {source} -> {target} is required, but goes from a later tier to an earlier one"
                )
        try:
            dag = DAG(variables, self.required)
        except GraphError as error:
            raise ConstraintError(f"the required arcs contradict each other: {error}") from None
        for name in variables:
            parents = dag.parents(name)
            if self.max_parents is not None and len(parents) > self.max_parents:
                raise ConstraintError(
                    f"{name} has the {len(parents)} required parents {', '.join(parents)}; "
                    f"{option_name('max_parents')} is {self.max_parents}"
                )
            if len(parents) + 1 > max_clique:
                raise ConstraintError(
                    f"{name} and its {len(parents)} required parents {', '.join(parents)} are a clique over the limit "
                    f"of {max_clique}"
                )
        size = clique_size(dag)
        if size > max_clique:
            size = clique_size(dag, "exact")
        if size > max_clique:
            reach = "need" if size.lower_bound > max_clique else "seem to need"
            raise ConstraintError(f"the required arcs alone {reach} a clique of {size}; the limit is {max_clique}")

    def allowed(self, variables: Sequence[str]) -> npt.NDArray[np.bool_]:
        """In row A, column B: whether the arc A -> B may be in the consensus."""
        n = len(variables)
        index = {name: i for i, name in enumerate(variables)}
        allowed = ~np.eye(n, dtype=np.bool_)
        for source, target in self.forbidden:
            allowed[index[source], index[target]] = False
        tier_of = {name: place for place, tier in enumerate(self.tiers) for name in tier}
        for source, source_tier in tier_of.items():
            for target, target_tier in tier_of.items():
                if target_tier < source_tier:
                    allowed[index[source], index[target]] = False
        return allowed


def _arcs(option: str, arcs: Iterable[Arc], variables: Sequence[str]) -> tuple[Arc, ...]:
    if isinstance(arcs, str) or not isinstance(arcs, Iterable):
        raise ConstraintError(f"{option} must be a list of arcs (from, to), got {arcs!r:.60}")
    checked = []
    for arc in arcs:
        if not isinstance(arc, (tuple, list)) or len(arc) != 2:
            raise ConstraintError(f"{option}: an arc must be a pair of names (from, to), got {arc!r:.60}")
        source, target = arc
        for name in arc:
            if name not in variables:
                raise ConstraintError(f"{option} arc {source} -> {target}: unknown variable {name!r}")
        if source == target:
            raise ConstraintError(f"{option} arc {source} -> {target}: a variable cannot be its own parent")
        checked.append((source, target))
    return tuple(dict.fromkeys(checked))


def _tiers(tiers: Iterable[Iterable[str]], variables: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    if isinstance(tiers, str) or not isinstance(tiers, Iterable):
        raise ConstraintError(f"tiers must be lists of variables, got {tiers!r:.60}")
    listed = list(tiers)
    for tier in listed:
        if isinstance(tier, str) or not isinstance(tier, Iterable):
            raise ConstraintError(f"tiers: each must be a list of variables, got {tier!r:.60}")
    checked = tuple(tuple(tier) for tier in listed)
    seen = set()
    for name in (name for tier in checked for name in tier):
        if name not in variables:
            raise ConstraintError(f"tiers: unknown variable {name!r}")
        if name in seen:
            raise ConstraintError(f"tiers: variable {name!r} is there twice")
        seen.add(name)
    return checked
