"""The numbers that the paper prints in its Tables 3 to 5 and its text, for comparison with ours.

The order is shared, per-network, fused; genetic, then greedy. The paper: Torrijos, Gámez, Puerta, Aledo, Genetic
Algorithms for Tractable Bayesian Network Fusion via Pre-Fusion Edge Pruning, GECCO 2025.

Two of them contradict others. By its Holm probabilities on real networks, the mean rank of per-network is 2.66 over the
551 blocks, which is impossible if it is the best of the six in 379 of them. And its numbers of best for FSim on real
networks add up to 487 of those 551 blocks, although every block has a best.
"""

from __future__ import annotations

from collections.abc import Mapping

from bnfuse.study.grid import FUSED, INPUTS, PAPERS

Numbers = Mapping[str, float]


def _six(*values: float, **references: float) -> Numbers:
    return {**dict(zip(PAPERS, values, strict=True)), **references}


def _other_five(*values: float) -> Numbers:
    return dict(zip(PAPERS[1:], values, strict=True))


MEAN_DIFFERENCE: Mapping[tuple[str, str], Numbers] = {
    ("synthetic", "smhd"): _six(3.5, 15.1, 12.6, 73.0, 114.5, 85.8, **{FUSED: 211.5}),
    ("synthetic", "fsim"): _six(1.4, 9.5, 5.4, 30.9, 62.7, 39.7, **{FUSED: 98.9}),
    ("real", "smhd"): _six(12.6, 9.3, 22.5, 160.4, 192.3, 179.5),
    ("real", "fsim"): _six(4.0, 7.2, 11.2, 51.5, 96.5, 71.1),
}
"""difference to the best of the six"""

BEST: Mapping[tuple[str, str], Numbers] = {
    ("synthetic", "smhd"): _six(95, 95, 27, 1, 0, 0),
    ("synthetic", "fsim"): _six(90, 91, 30, 1, 0, 0),
    ("real", "smhd"): _six(176, 379, 27, 2, 0, 0),
    ("real", "fsim"): _six(178, 278, 30, 1, 0, 0),
}

FRIEDMAN: Mapping[tuple[str, str], float] = {
    ("synthetic", "smhd"): 1.05e-141,
    ("synthetic", "fsim"): 1.72e-128,
    ("real", "smhd"): 1.12e-150,
    ("real", "fsim"): 2.93e-130,
}

HOLM: Mapping[tuple[str, str], Numbers] = {
    ("synthetic", "smhd"): _other_five(9.16e-07, 1.34e-06, 4.38e-25, 4.07e-108, 6.24e-56),
    ("synthetic", "fsim"): _other_five(1.22e-05, 2.31e-05, 4.23e-24, 3.57e-96, 2.86e-50),
    ("real", "smhd"): _other_five(1.57e-02, 1.46e-08, 1.25e-34, 1.07e-86, 7.01e-78),
    ("real", "fsim"): _other_five(2.01e-02, 4.46e-07, 2.14e-24, 2.56e-82, 1.12e-61),
}
"""against the best-ranked, which is genetic shared everywhere"""

SECONDS: Mapping[tuple[str, str], Numbers] = {
    ("synthetic", "smhd"): _six(50.5, 250.0, 4.1, 8.5, 127.8, 0.1),
    ("synthetic", "fsim"): _six(1790.5, 2386.2, 1785.9, 14.3, 274.6, 0.1),
    ("real", "smhd"): _six(160.8, 397.1, 9.2, 18.4, 167.5, 0.2),
    ("real", "fsim"): _six(1596.1, 1970.5, 1703.0, 13.0, 128.2, 0.2),
}
"""on seven threads of an EPYC 7453"""

ROW_MEAN_ERROR: Mapping[str, Numbers] = {
    "smhd": _six(0.0412, 0.0406, 0.0421, 0.0466, 0.0498, 0.0485, **{FUSED: 0.0554, INPUTS: 0.0381}),
    "fsim": _six(0.0410, 0.0414, 0.0417, 0.0478, 0.0515, 0.0497, **{FUSED: 0.0568, INPUTS: 0.0385}),
}
"""the paper's "error of the marginals"; see `row_means`"""

ERROR_FRIEDMAN: Mapping[str, float] = {"smhd": 2.24e-106, "fsim": 1.43e-100}

ERROR_HOLM: Mapping[str, Numbers] = {
    "smhd": _six(5.76e-07, 3.02e-02, 1.74e-13, 1.90e-14, 4.36e-53, 3.35e-25, **{FUSED: 8.05e-67}),
    "fsim": _six(7.21e-02, 6.44e-04, 4.09e-04, 2.78e-14, 1.31e-47, 3.43e-23, **{FUSED: 3.87e-55}),
}
"""against the inputs, which have the smallest error"""

FIT_SECONDS: Mapping[str, Numbers] = {
    "smhd": _six(1.02, 0.93, 1.02, 18.01, 22.17, 19.05, **{FUSED: 112.84, INPUTS: 1.32}),
    "fsim": _six(0.95, 0.98, 1.05, 17.99, 26.05, 23.23, **{FUSED: 145.03, INPUTS: 2.09}),
}

FAILURES: Mapping[str, Numbers] = {
    "smhd": _six(4, 7, 7, 123, 116, 146, **{FUSED: 280, INPUTS: 0}),
    "fsim": _six(2, 2, 2, 43, 58, 56, **{FUSED: 280, INPUTS: 0}),
}
FAILURES_OF = 551
"""blocks"""
