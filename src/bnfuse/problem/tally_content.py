"""The counts of a tally as JSON, with numbers for variables, and back."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from bnfuse._base.fields import Field
from bnfuse.problem.input_votes import MOST_PARTS
from bnfuse.problem.pair_counts import Counts, PairCounts, rows_of_counts

Tally: TypeAlias = Any
"""A `bnfuse.Tally`, whose module imports this one."""


def content_of(tally: Tally) -> dict[str, Any]:
    """The counts, for a file."""
    content: dict[str, Any] = {
        "weight": tally.weight,
        "moral": rows_of_counts(tally.moral, is_upper=True),
        "arcs": rows_of_counts(tally.arcs),
    }
    if tally.parts > 1:
        content["parts"] = tally.parts
    if tally._blind is not None:
        content["blind"] = rows_of_counts(tally._blind, is_upper=True)
    if tally._kinds:
        having = ((np.flatnonzero(np.frombuffer(kind, np.uint8)).tolist(), own) for kind, own in tally._kinds.items())
        content["kinds"] = [[weight, *variables] for variables, weight in having]
    for name, counts in (("fixed", tally.fixed), ("drawn", tally._drawn)):
        if counts is not None:
            content[name] = rows_of_counts(counts)
    if tally.is_of_resamples:
        content["resamples"] = True
    return content


def fill(tally: Tally, saved: Field) -> None:
    """Add the result of `content_of` to an empty tally; inconsistent content is refused."""
    tally.parts = saved.get("parts", 1).whole(1, MOST_PARTS + 1)
    weight = saved["weight"].whole()
    with saved["weight"].about():
        tally._check_total(weight)
    tally.weight = weight
    tally._has_others = tally.weight > 0 and not saved.get("resamples", False).flag()
    if tally.is_listed:
        _fill_lists(tally, saved)
        return
    _fill(tally.moral, saved["moral"], tally.weight, is_upper=True)
    _fill(tally.arcs, saved["arcs"], tally.weight)
    if "blind" in saved:
        tally._blind = np.zeros_like(tally.moral)
        _fill(tally._blind, saved["blind"], tally.weight, is_upper=True, has_diagonal=True)
        tally._blind += np.triu(tally._blind, 1).T
        lacking = np.diagonal(tally._blind)
        either = np.maximum(lacking[:, None], lacking)
        if (tally._blind < either).any() or (tally._blind > lacking[:, None] + lacking).any():
            raise saved["blind"].error("the inputs that lack a pair are not those that lack one of its variables")
    tally.moral += tally.moral.T
    if (tally.arcs + tally.arcs.T > tally.moral).any():
        raise saved["arcs"].error("more inputs have an arc than join its ends")
    if (tally.moral > tally.seen).any():
        raise saved["moral"].error("more inputs join a pair than have both")
    _read_classes(tally, saved)


def _fill_lists(tally: Tally, saved: Field) -> None:
    """The same with many variables."""
    n = len(tally.variables)
    half = _listed(saved["moral"], n, tally.weight, is_upper=True)
    tally.moral, tally.arcs = half + half.T, _listed(saved["arcs"], n, tally.weight)
    for i, row in enumerate(saved.get("kinds", []).each()):
        weight, *having = row.wholes(max(tally.weight, n) + 1)
        mask = np.zeros(n, np.uint8)
        if not having or max(having) >= n or not 0 < weight <= tally.weight - sum(tally._kinds.values()):
            raise saved["kinds"].error(f"the inputs of kind {i + 1} have no variables, or weigh more than all")
        mask[having] = 1
        tally._kinds[mask.tobytes()] = weight
    first, second, joined = tally.moral.entries()
    if (joined > tally.seen[first, second]).any():
        raise saved["moral"].error("more inputs join a pair than have both")
    first, second, _ = tally.arcs.entries()
    together = tally.arcs[first, second] + tally.arcs[second, first]
    if (together > tally.moral[first, second]).any():
        raise saved["arcs"].error("more inputs have an arc than join its ends")
    tally._fixed = None
    if "fixed" in saved:
        tally._fixed = _listed(saved["fixed"], n, tally.weight)
        first, second, _ = tally._fixed.entries()
        fixed, together = (one[first, second] + one[second, first] for one in (tally._fixed, tally.arcs))
        if (fixed > together).any():
            raise saved["fixed"].error("more inputs fix the direction of an arc than join its ends")


def _read_classes(tally: Tally, saved: Field) -> None:
    """The directions that classes fix, and the arcs as given, if a file has them."""
    joined = tally.arcs + tally.arcs.T
    if "fixed" in saved:
        fixed = np.zeros_like(tally.arcs)
        _fill(fixed, saved["fixed"], tally.weight)
        if (fixed + fixed.T > joined).any():
            raise saved["fixed"].error("more inputs fix the direction of an arc than join its ends")
        tally._fixed = fixed
    elif tally.weight:
        tally._fixed = None
    if "drawn" in saved:
        tally._drawn = np.zeros_like(tally.arcs)
        _fill(tally._drawn, saved["drawn"], tally.weight)
        if (tally._drawn + tally._drawn.T > tally.moral).any():
            raise saved["drawn"].error("more inputs have an arc as given than join its ends")


def _fill(counts: Counts, entries: Field, most: int, is_upper: bool = False, has_diagonal: bool = False) -> None:
    """Counts from rows of two variables and a number; with `is_upper`, the first variable comes first."""
    n = len(counts)
    for i, (a, b, weight) in enumerate(entries.rows((n, n, most + 1))):
        if (a == b and not has_diagonal) or (a > b and is_upper) or counts[a, b] or not weight:
            raise Field([a, b, weight], f"{entries.place}[{i}]").wrong("a new pair and its count")
        counts[a, b] = weight


def _listed(entries: Field, n: int, most: int, is_upper: bool = False) -> PairCounts:
    """The same for the pairs of many variables."""
    rows = np.array(entries.rows((n, n, most + 1)), np.int64).reshape(-1, 3)
    first, second, numbers = rows.T
    keys, place = np.unique(first * n + second, return_index=True)
    if len(keys) < len(rows) or (first == second).any() or (is_upper and (first > second).any()) or not numbers.all():
        raise entries.error("a pair is repeated, has no count or is not a pair")
    return PairCounts(n, keys, numbers[place])
