"""Learning from summed counts gives what all rows together give."""

from __future__ import annotations

import numpy as np
import pytest
from federation import CLINICS, Recorder, agreement_of, data_sites

import bnfuse
from bnfuse.data.data import Data
from bnfuse.errors import FederationError, OptionError
from bnfuse.federated.coordinator.rounds import coordinate
from bnfuse.federated.sums import learning
from bnfuse.federated.sums.asked import FamiliesAsked
from bnfuse.inference.parameters import fit


@pytest.fixture(scope="module")
def rows():
    (network,) = bnfuse.read(CLINICS[1])
    return network, network.sample(2_000, seed=11)


def parts_of(rows, number):
    size = len(rows) // number
    return [Data(rows.variables, rows.states, rows.codes[size * i : size * (i + 1)]) for i in range(number)]


def test_scores_of_summed_tables_are_those_of_the_rows(rows):
    """Against the learner's own scores, which count the rows themselves."""
    network, data = rows
    agreement = agreement_of(network, structure="counts")
    tally = bnfuse.Tally.of([network.dag], [1])
    asked = learning.asked_families(tally, agreement)
    total, tables = learning.tables_from(summed(parts_of(data, 5), asked, agreement), asked, agreement, 5)
    assert total == len(data)
    scores = learning.scores_of(total, tables, agreement)
    for variable in scores.variables[:6]:
        for score, parents in scores.sets(variable)[:4]:
            dag = bnfuse.DAG(network.variables, [(parent, variable) for parent in parents])
            assert score == pytest.approx(bic(dag, variable, data), rel=1e-12)


def bic(dag, variable, data):
    """By definition, row by row."""
    parents = dag.parents(variable)
    own = data.column(variable)
    above = [tuple(int(data.column(parent)[row]) for parent in parents) for row in range(len(data))]
    pairs: dict[tuple, int] = {}
    singles: dict[tuple, int] = {}
    for row, configuration in enumerate(above):
        pairs[configuration, int(own[row])] = pairs.get((configuration, int(own[row])), 0) + 1
        singles[configuration] = singles.get(configuration, 0) + 1
    likelihood = sum(n * np.log(n / singles[configuration]) for (configuration, _), n in pairs.items())
    free = (len(data.states[variable]) - 1) * int(np.prod([len(data.states[parent]) for parent in parents]))
    return likelihood - 0.5 * np.log(len(data)) * free


def summed(parts, asked, agreement):
    sizes = asked.shapes(agreement)
    total = np.zeros(asked.length(agreement), np.int64)
    for part in parts:
        tables = []
        for members, shape in zip(asked.names(agreement), sizes, strict=True):
            table = np.zeros(shape, np.int64)
            np.add.at(table, tuple(part.column(name) for name in members), 1)
            tables.append(table.ravel())
        total += np.concatenate([[len(part)], *tables])
    return total


def test_many_small_sites_learn_what_their_rows_together_would(rows, tmp_path):
    network, data = rows
    agreement = agreement_of(network, sites=10, structure="counts", max_clique=4)
    sites = data_sites(tmp_path, agreement, parts_of(data, 10), 3)
    said = []
    finished = coordinate(agreement, tmp_path / "result", Recorder(sites), said.append)
    together = bnfuse.learn(data, max_clique=4, max_parents=3, effort="quick")
    found = finished.consensus
    of_votes = bnfuse.consensus(found.problem.tally, 4, effort="quick").dag
    score, of_others = (sum(bic(dag, name, data) for name in dag.variables) for dag in (found.dag, of_votes))
    assert score >= together.score - 10
    assert score > of_others, "the votes of small sites alone know less"
    assert found.clique_size <= 4
    whole = fit(found.dag, data, states=network.states, prior=agreement.settings.prior).network
    assert all(np.array_equal(found.network.cpts[name], whole.cpts[name]) for name in whole.variables)
    assert "received the families of 10 sites" in said
    assert any("learned from the counts of 2,000 rows at 10 sites" in note for note in finished.notes)
    again = coordinate(agreement, tmp_path / "result", Recorder(sites))
    assert again.consensus.dag == found.dag


def test_counts_that_no_honest_sites_can_have_are_refused(rows):
    network, data = rows
    agreement = agreement_of(network, structure="counts")
    asked = FamiliesAsked(((0, 1), (1, 2)))
    good = summed(parts_of(data, 5), asked, agreement)
    learning.tables_from(good, asked, agreement, 5)
    for place, value, said in (
        (0, 10**9, "have at most 50,000"),
        (1, -1, "do not add up"),
        (2, 10**6, "do not add up"),
    ):
        wrong = good.copy()
        wrong[place] = value
        with pytest.raises(FederationError, match=said):
            learning.tables_from(wrong, asked, agreement, 5)


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        ([[0, 1, 2, 3, 4]], "a family of 5 variables"),
        ([[1, 0]], "not one of the federation"),
        ([[0, 0]], "not one of the federation"),
        ([[0, 99]], "not one of the federation"),
        ([[]], "not one of the federation"),
        ([[0, 1], [0, 1]], "asked for twice"),
    ],
)
def test_requests_for_other_families_are_refused(rows, sets, said):
    agreement = agreement_of(rows[0], structure="counts")
    with pytest.raises(FederationError, match=said):
        FamiliesAsked.of({"sets": sets}, agreement)


def test_counts_need_rows_and_no_noise(rows):
    for more in ({"tables": "networks"}, {"epsilon": 1.0, "most_edges": 5}):
        with pytest.raises(OptionError, match="structure counts needs sites with data and sums without noise"):
            agreement_of(rows[0], structure="counts", **more)
