"""The worked examples of the paper (Torrijos, Gámez, Puerta, Aledo, GECCO 2025): its figures and all of Table 1."""

from __future__ import annotations

import pytest

from bnfuse import DAG, clique_size, fsim, fuse, minimal_imap, smhd
from paper_example import G2, G_PLUS, INPUTS, network

FIGURE_INPUTS = [
    network("X1->X2,X2->X3,X4->X3", 4),
    network("X1->X4,X2->X3,X4->X3", 4),
    network("X1->X4,X1->X3,X3->X2", 4),
]
FIGURE_ORDER = ("X1", "X2", "X4", "X3")
FIGURE_IMAPS = [
    network("X1->X2,X2->X3,X4->X3", 4),
    network("X1->X4,X2->X3,X4->X3", 4),
    network("X1->X2,X1->X3,X1->X4,X2->X3", 4),
]
FIGURE_FUSED = network("X1->X2,X1->X3,X1->X4,X2->X3,X4->X3", 4)


@pytest.mark.parametrize(("dag", "imap"), list(zip(FIGURE_INPUTS, FIGURE_IMAPS, strict=True)))
def test_minimal_imaps_of_the_figures(dag: DAG, imap: DAG) -> None:
    assert minimal_imap(dag, FIGURE_ORDER) == imap


def test_fusion_of_the_figures() -> None:
    fusion = fuse(FIGURE_INPUTS, order=FIGURE_ORDER)
    assert fusion.order == FIGURE_ORDER
    assert list(fusion.imaps) == FIGURE_IMAPS
    assert fusion.dag == FIGURE_FUSED


G_PLUS_3 = network("X1->X2,X1->X3,X1->X4,X1->X5,X3->X4,X3->X5,X4->X2", 5)
G_STAR = network("X1->X4,X1->X3,X3->X5", 5)


def test_table_1_fused_network() -> None:
    assert fuse(INPUTS).dag == G_PLUS


@pytest.mark.parametrize(
    ("dag", "clique", "to_fused", "to_inputs", "fusion_similarity"),
    [
        pytest.param(G_PLUS, 5, 0, 6.00, 7.33, id="G+"),
        pytest.param(G_PLUS_3, 3, 3, 4.33, 5.33, id="G+3"),
        pytest.param(G_STAR, 2, 7, 3.00, 3.33, id="G*"),
    ],
)
def test_table_1_of_three_inputs(
    dag: DAG, clique: int, to_fused: int, to_inputs: float, fusion_similarity: float
) -> None:
    assert clique_size(dag) == clique
    assert clique_size(dag, method="exact") == clique
    assert smhd(dag, G_PLUS) == to_fused
    assert round(smhd(dag, INPUTS), 2) == to_inputs
    assert round(fsim(dag, INPUTS), 2) == fusion_similarity


@pytest.mark.parametrize(
    ("dag", "moral_distance", "fusion_similarity"),
    [
        pytest.param(G_PLUS, 5.94, 4.95, id="G+"),
        pytest.param(G_PLUS_3, 3.00, 2.99, id="G+3"),
        pytest.param(G2, 0.06, 0.05, id="G2"),
    ],
)
def test_table_1_of_a_hundred_inputs(dag: DAG, moral_distance: float, fusion_similarity: float) -> None:
    inputs = [*[G2] * 99, G_PLUS]
    assert round(smhd(dag, inputs), 2) == moral_distance
    assert round(fsim(dag, inputs), 2) == fusion_similarity


def test_the_mean_of_single_fsim_values_breaks_ties_in_another_way() -> None:
    assert sum(fsim(G_PLUS, dag) for dag in INPUTS) / 3 == 6.00
