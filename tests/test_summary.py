"""The sentences that sum a consensus up, word by word."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from bnfuse import DAG, Network, consensus
from bnfuse.inference import parameters
from bnfuse.report.summary import Summary

NAMES = ["A", "B", "C"]
CHAIN = DAG(NAMES, [("A", "B"), ("B", "C")])


@pytest.mark.parametrize(
    ("dags", "what"),
    [
        ([DAG(["A", "B"], [("A", "B")])], "1 arc over 2 variables from 1 network; largest clique 2"),
        ([CHAIN] * 3, "2 arcs over 3 variables from 3 networks; largest clique 2"),
        ([DAG(["A"])] * 2, "0 arcs over 1 variable from 2 networks; largest clique 1"),
    ],
)
def test_one_is_one_and_more_are_several(dags: list[DAG], what: str) -> None:
    assert Summary(consensus(dags)).what.startswith(what)


def test_the_weights_are_told_as_shares_of_the_total() -> None:
    one, two, three = CHAIN, DAG(NAMES, [("A", "B")]), DAG(NAMES)

    def weighting(*weights: float) -> str | None:
        return Summary(consensus([one, two, three][: len(weights)], weights=weights)).weighting

    assert weighting(1, 1, 1) is None
    told = "weights were given"
    assert weighting(2, 1, 1) == f"{told} (1=2, 2=1, 3=1): 1 counts for 50 % of the total, the others for 25 % each"
    most = "1 counts for 60 % of the total, the others for 10 % to 30 % each"
    assert weighting(6, 3, 1) == f"{told} (1=6, 2=3, 3=1): {most}"
    assert weighting(1, 3) == f"{told} (1=1, 2=3): 2 counts for 75 % of the total, the other for 25 %"
    assert weighting(4, 4, 2) == f"{told} (1=4, 2=4, 3=2): the inputs count for 20 % to 40 % of the total each"
    most = "1 counts for over 99 % of the total, the other for under 1 %"
    assert weighting(1000, 1) == f"{told} (1=1,000, 2=1): {most}"


def test_a_consensus_that_is_an_input_says_of_whom() -> None:
    assert Summary(consensus([CHAIN])).itself == "the consensus is the input itself, arc for arc"
    assert Summary(consensus([CHAIN] * 2)).itself == "all inputs are this network"
    found = Summary(consensus([CHAIN, CHAIN, DAG(NAMES)]))
    assert found.itself == "the consensus is one of the inputs, arc for arc: 1, 2"
    assert Summary(consensus([DAG(NAMES, [("A", "B")]), DAG(NAMES, [("B", "C")]), DAG(NAMES)])).itself


@pytest.mark.parametrize(("most", "steps"), [(1, "1 iteration of"), (2, "2 iterations of")])
def test_a_fit_says_how_often_it_went_over_the_data(most: int, steps: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parameters, "MOST_ITERATIONS", most)
    rows = [{"A": "yes", "B": "no"}, {"A": "no", "B": "yes"}, {"A": "no", "B": None}, {"A": None, "B": "no"}]
    fitted = parameters.fit(DAG(["A", "B"], [("A", "B")]), pandas.DataFrame(rows))
    assert f"2 missing cells of 8: {steps} expectation maximisation" in fitted.notes
    assert len(fitted.log_likelihoods) == most
    assert any("not yet converged" in note for note in fitted.notes)


def test_networks_without_names_are_weighed_by_their_places() -> None:
    dag = DAG(["A"])
    networks = [Network(dag, {"A": ("no", "yes")}, {"A": np.array([1 - p, p])}) for p in (0.2, 0.6)]
    pooled = parameters.pool(dag, networks, weights={"1": 1, "2": 3})
    assert pooled.network.cpts is not None
    assert pooled.network.cpts["A"].tolist() == pytest.approx([0.5, 0.5])
