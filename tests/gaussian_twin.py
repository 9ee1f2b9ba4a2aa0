"""The scores of linear networks with normal noise, as the papers write them, slow and with no code of the package."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

import numpy as np
import numpy.typing as npt
from scipy import special

Rows = npt.NDArray[np.float64]


def bic_g(rows: Rows, weights: Rows, child: int, parents: Sequence[int]) -> float:
    """By least squares: the log-likelihood of the residuals, less ln(W)/2 for slopes, intercept and variance."""
    root = np.sqrt(weights)
    design = np.column_stack([np.ones(len(rows)), rows[:, list(parents)]])
    slopes = np.linalg.lstsq(design * root[:, None], rows[:, child] * root, rcond=None)[0]
    residuals = rows[:, child] - design @ slopes
    total = float(weights.sum())
    variance = float((weights * residuals**2).sum()) / total
    likelihood = -0.5 * float((weights * (math.log(2 * math.pi * variance) + residuals**2 / variance)).sum())
    return likelihood - math.log(total) / 2 * (len(parents) + 2)


def bge(
    rows: Rows, weights: Rows, child: int, parents: Sequence[int], alpha_mu: float = 1, alpha_w: float | None = None
) -> float:
    """The ratio of two marginal likelihoods of Kuipers, Moffa and Heckerman (2014), equation 2 and what follows it."""
    n = rows.shape[1]
    alpha_w = n + alpha_mu + 1 if alpha_w is None else alpha_w
    members = [*parents, child]
    return _of_set(rows, weights, members, alpha_mu, alpha_w) - _of_set(rows, weights, parents, alpha_mu, alpha_w)


def _of_set(rows: Rows, weights: Rows, members: Sequence[int], alpha_mu: float, alpha_w: float) -> float:
    size, n, total = len(members), rows.shape[1], float(weights.sum())
    if not size:
        return 0.0
    own = rows[:, list(members)]
    mean = (weights[:, None] * own).sum(axis=0) / total
    scatter = (weights[:, None] * (own - mean)).T @ (own - mean)
    prior = alpha_mu * (alpha_w - n - 1) / (alpha_mu + 1) * np.diag(np.diag(scatter) / total)
    freedom = alpha_w - n + size
    return float(
        size / 2 * math.log(alpha_mu / (total + alpha_mu))
        - size * total / 2 * math.log(math.pi)
        + special.multigammaln((total + freedom) / 2, size)
        - special.multigammaln(freedom / 2, size)
        + freedom / 2 * np.linalg.slogdet(prior)[1]
        - (total + freedom) / 2 * np.linalg.slogdet(prior + scatter)[1]
    )


def dags(n: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All DAGs over n variables: for each the parents of each variable."""
    seen = set()
    for order in permutations(range(n)):
        before = [order[:place] for place in range(n)]
        choices = [
            [set_ for size in range(place + 1) for set_ in combinations(before[place], size)] for place in range(n)
        ]
        for sets in product(*choices):
            found: list[tuple[int, ...]] = [()] * n
            for v, parents in zip(order, sets, strict=True):
                found[v] = tuple(sorted(parents))
            if (key := tuple(found)) not in seen:
                seen.add(key)
                yield key


def best_score(family: dict[tuple[int, tuple[int, ...]], float], n: int) -> float:
    """The best over all orders: each variable with its best parents among those before it."""
    best = -math.inf
    for order in permutations(range(n)):
        total = 0.0
        for place, v in enumerate(order):
            total += max(
                family[v, tuple(sorted(own))] for size in range(place + 1) for own in combinations(order[:place], size)
            )
        best = max(best, total)
    return best


def system(n: int, rows: int, seed: int, arcs: float = 2.0) -> tuple[Rows, list[tuple[int, int]]]:
    """Rows of a random linear network with normal noise, and its arcs: `arcs` for each variable, on average."""
    random = np.random.default_rng(seed)
    order = random.permutation(n)
    share = min(1.0, 2 * arcs / max(n - 1, 1))
    values, found = np.zeros((rows, n)), []
    for place, v in enumerate(order):
        values[:, v] = random.normal(size=rows) * random.uniform(0.5, 1.5)
        for u in order[:place]:
            if random.random() < share:
                found.append((int(u), int(v)))
                values[:, v] += values[:, u] * random.uniform(0.4, 1.2) * random.choice([-1, 1])
    return values, found
