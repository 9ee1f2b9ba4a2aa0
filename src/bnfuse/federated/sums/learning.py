"""Learning from summed counts: the votes select the families to count, and the counts of all rows score them.

A family has a variable and up to three parents. For each variable the parents are chosen among those with which it has
the most votes for a moral edge, so that a few thousand sets of variables are counted instead of millions. The scores
are those of all rows together (BIC), and the search is that of `bnfuse.learn` over a list of scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
import numpy.typing as npt

from bnfuse._base.texts import count
from bnfuse.errors import FederationError
from bnfuse.federated.agreement.settings import Agreement
from bnfuse.federated.sums.asked import MOST_CELLS, FamiliesAsked
from bnfuse.federated.sums.counts import BLAME, Counts
from bnfuse.learning.score_lists import ScoredSet, Scores
from bnfuse.problem.tally import Tally

_MOST_CANDIDATES = 10
_LARGEST = 4  # variables in a family

Tables = Mapping[tuple[int, ...], Counts]
"""by the set of variables"""


def asked_families(tally: Tally, agreement: Agreement) -> FamiliesAsked:
    """The sets of variables to count: as many candidates for each variable as fit the limit on counts."""
    size = min(_LARGEST, agreement.settings.max_clique, len(tally.variables))
    for most in range(_MOST_CANDIDATES, 0, -1):
        asked = FamiliesAsked(tuple(sorted(_sets(tally, most, size))))
        if asked.length(agreement) <= MOST_CELLS:
            return asked
    raise FederationError(
        f"the variables have too many states for counts of families: more than {MOST_CELLS:,} numbers a site"
    )


def _sets(tally: Tally, most: int, size: int) -> set[tuple[int, ...]]:
    """For each variable: all sets of it and some of its candidates."""
    found: set[tuple[int, ...]] = set()
    for variable in range(len(tally.variables)):
        votes = tally.moral[variable]
        ranked = sorted((one for one in range(len(votes)) if votes[one] > 0), key=lambda one: (-int(votes[one]), one))
        candidates = ranked[:most]
        for parents in combinations(candidates, min(size - 1, len(candidates))):
            found.add(tuple(sorted((variable, *parents))))
    return found


def tables_from(vector: Counts, asked: FamiliesAsked, agreement: Agreement, sites: int) -> tuple[int, Tables]:
    """The rows and the tables in a sum over this number of sites; refused if it cannot be theirs."""
    total, most = int(vector[0]), sites * agreement.settings.most_rows
    if not 0 <= total <= most:
        raise FederationError(f"{count(sites, 'site')} sent {total:,} rows, and have at most {most:,}: {BLAME}")
    tables, place = {}, 1
    for members, shape in zip(asked.sets, asked.shapes(agreement), strict=True):
        size = math.prod(shape)
        table = vector[place : place + size].reshape(shape)
        if (table < 0).any() or sum(table.ravel().tolist()) != total:
            names = ", ".join(agreement.vocabulary.variables[one] for one in members)
            raise FederationError(f"the counts of {names} do not add up to {total:,} rows: {BLAME}")
        tables[members] = table
        place += size
    return total, tables


def scores_of(total: int, tables: Tables, agreement: Agreement) -> Scores:
    """The score of every family that the tables contain; families that a smaller one beats are left out."""
    variables = agreement.vocabulary.variables
    best: list[dict[tuple[int, ...], float]] = [{} for _ in variables]
    for members, table in tables.items():
        for variable, parents, joint in _families(members, table):
            if parents not in best[variable]:
                best[variable][parents] = _bic(joint, total)
    sets = []
    for scored in best:
        if () not in scored:
            raise FederationError("a variable has no family that was counted")
        kept = {parents: value for parents, value in scored.items() if not _is_beaten(parents, value, scored)}
        ordered = sorted(kept.items(), key=lambda one: (-one[1], one[0]))
        sets.append(tuple(_named(value, parents, variables) for parents, value in ordered))
    sizes = tuple(len(own) for own in agreement.vocabulary.states.values())
    return Scores(variables, sizes, tuple(sets))


def _named(score: float, parents: tuple[int, ...], variables: tuple[str, ...]) -> ScoredSet:
    return score, tuple(variables[one] for one in parents)


def _families(members: tuple[int, ...], table: Counts) -> Iterator[tuple[int, tuple[int, ...], Counts]]:
    """Every variable of a set with some others of it as parents: the counts have the variable as their last axis."""
    for size in range(1, len(members) + 1):
        for places in combinations(range(len(members)), size):
            joint = table.sum(tuple(one for one in range(len(members)) if one not in places))
            for last, place in enumerate(places):
                parents = tuple(members[one] for one in places if one != place)
                yield members[place], parents, np.moveaxis(joint, last, -1)


def _bic(joint: Counts, total: int) -> float:
    """The log-likelihood of a variable given its parents, minus the penalty for its free parameters."""
    cells = joint.reshape(-1, joint.shape[-1]).astype(np.float64)
    likelihood = _entropy_sum(cells) - _entropy_sum(cells.sum(1))
    return likelihood - 0.5 * math.log(max(total, 1)) * len(cells) * (cells.shape[1] - 1)


def _entropy_sum(numbers: npt.NDArray[np.float64]) -> float:
    """The sum of n ln n."""
    seen = numbers[numbers > 0]
    return float((seen * np.log(seen)).sum())


def _is_beaten(parents: tuple[int, ...], value: float, scored: Mapping[tuple[int, ...], float]) -> bool:
    """Whether a family without some of these parents has at least the same score."""
    return any(
        scored.get(fewer, -math.inf) >= value for size in range(len(parents)) for fewer in combinations(parents, size)
    )
