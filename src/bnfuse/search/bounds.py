"""How far any network within a clique limit must be from the inputs, in mean SMHD: a proof, not an estimate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel

Counts = npt.NDArray[np.int64]


def smhd_lower_bound(counts: Counts, total: int, max_clique: int) -> int:
    """A lower bound of `total` times the mean SMHD of any DAG with cliques of at most `max_clique`.

    `counts` has for each pair of variables the weight of the inputs whose moral graph joins them, `total` is the weight
    of all inputs. Mean SMHD falls by `(2 * count - total) / total` with each moral edge, so the bound follows from the
    most that the edges of a graph with small cliques can weigh: those of the heaviest independent set of a rigidity
    matroid, and for `max_clique=2`, where that is a forest, exactly what the best network reaches.
    """
    upper = np.triu(counts, 1)
    first, second = np.nonzero(2 * upper > total)
    gains = 2 * upper[first, second] - total
    heaviest_first = np.argsort(-gains, kind="stable")
    edges = np.stack([first, second], axis=1).astype(np.int32)[heaviest_first]
    return int(upper.sum()) - _kernel.rigidity_weight(len(counts), edges, gains[heaviest_first], max_clique - 1)
