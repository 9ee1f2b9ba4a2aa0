"""How far any network within a clique limit must be from the inputs, in mean SMHD: a proof, not an estimate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel

Counts = npt.NDArray[np.int64]

_MOST_ROUNDS = 40
_WORK = 8_000_000
"""Rounds times squared edges: at most about a second; larger problems have the matroid alone."""


def smhd_lower_bound(counts: Counts, total: int, max_clique: int, rounds: int | None = None) -> int:
    """A lower bound of `total` times the mean SMHD of any DAG with cliques of at most `max_clique`.

    `counts` has for each pair of variables the weight of the inputs whose moral graph joins them, `total` is the weight
    of all inputs. Mean SMHD falls by `(2 * count - total) / total` with each moral edge, so the bound follows from the
    most that the edges of a graph with small cliques can weigh: those of the heaviest independent set of a rigidity
    matroid, and for `max_clique=2`, where that is a forest, exactly what the best network reaches. Above that, so many
    `rounds` tighten it by what minors of such a graph can have; with 0 rounds it never rises with `max_clique`, with
    more it may, and then the bound for the larger limit holds for the smaller one too.
    """
    n = len(counts)
    upper = np.triu(counts, 1)
    gains = 2 * upper - total
    first, second = np.nonzero(gains > 0)
    weights = gains[first, second]
    heaviest_first = np.argsort(-weights, kind="stable")
    edges = np.stack([first, second], axis=1).astype(np.int32)[heaviest_first]
    if rounds is None:
        rounds = min(_MOST_ROUNDS, _WORK // (len(edges) ** 2 + 1))
    heaviest = _kernel.minor_weight(n, edges, weights[heaviest_first], max_clique - 1, rounds)
    step = int(np.gcd.reduce(gains[np.triu_indices(n, 1)], initial=0)) or 1
    return int(upper.sum()) - heaviest // step * step  # every set of edges weighs a multiple of the step
