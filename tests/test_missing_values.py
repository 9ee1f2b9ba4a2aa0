"""Learning where values are missing: the score from available cases, completed rows, and no arcs out of nothing."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnfuse import DAG, ConstraintError, Network, bootstrap, learn
from bnfuse.data.data import MISSING, Data
from bnfuse.data.discretise import prepared
from bnfuse.data.raw_table import RawDataOptions
from bnfuse.errors import TooLargeError
from bnfuse.inference import missing_rows
from bnfuse.inference.missing_rows import Incomplete
from bnfuse.learning import completion
from bnfuse.learning.completion import MOST_ROUNDS, Completion, in_copies, refined
from bnfuse.learning.data_learner import DRAW_SHARED, SCORES, Learner, LearnOptions
from bnfuse.problem.constraints import Constraints
from bnfuse.search.run import Clock, Run
from oracles import enumerated, family_score, graph_of, network_scores, set_score
from samples import data_of, random_data, random_network

ROUNDING = 1e-9


def learner(data: Data, constraints: Constraints | None = None, **options: Any) -> Learner:
    return Learner(prepared(data, RawDataOptions()), LearnOptions(**options), constraints or Constraints())


def with_gaps(data: Data, share: float, seed: int = 0) -> Data:
    codes = data.codes.copy()
    codes[np.random.default_rng([seed, 1]).random(codes.shape) < share] = MISSING
    return Data(data.variables, data.states, codes)


def skewed(seed: int, rows: int) -> Data:
    """Ten variables that do not depend on each other."""
    random = np.random.default_rng(seed)
    return data_of((random.random((rows, 10)) < random.uniform(0.05, 0.3, 10)).astype(int).tolist(), [2] * 10)


def chain(seed: int, rows: int) -> Data:
    """Eight variables, each the copy of the one before in nine rows of ten."""
    random = np.random.default_rng(seed)
    flips = random.random((rows, 8)) < np.array([0.5, *[0.1] * 7])
    return data_of((flips.cumsum(axis=1) % 2).tolist(), [2] * 8)


# The score


@pytest.mark.parametrize("kind", SCORES)
def test_families_without_missing_values_score_as_ever(kind: str) -> None:
    """Exactly the score of complete data, though another column lacks values."""
    complete = random_data(3, 6, 400)
    codes = complete.codes.copy()
    codes[::5, 5] = MISSING
    own = learner(Data(complete.variables, complete.states, codes), score=kind)
    for size in range(5):
        child, *parents = complete.variables[: size + 1]
        expected = family_score(complete, child, parents, kind)
        assert own.family_score(child, parents) == pytest.approx(expected, rel=ROUNDING)
        assert expected == pytest.approx(
            math.fsum(
                set_score(complete, (*some, child), kind)
                for many in range(size + 1)
                for some in itertools.combinations(parents, many)
            ),
            rel=ROUNDING,
        )


@pytest.mark.parametrize("kind", SCORES)
def test_equivalent_networks_score_exactly_the_same(kind: str) -> None:
    data = random_data(1, 4, 300, missing=0.2)
    own = learner(data, score=kind)
    there = own._kernel.network_score([[], [0], [0, 1], [2]])
    back = own._kernel.network_score([[1, 2], [2], [3], []])
    assert there == back
    assert there == pytest.approx(network_scores(data, kind)(graph_of(DAG(data.variables, ARCS))), rel=ROUNDING)


ARCS = [("V0", "V1"), ("V0", "V2"), ("V1", "V2"), ("V2", "V3")]


@pytest.mark.parametrize("kind", SCORES)
def test_the_first_search_ends_where_no_move_improves_the_score(kind: str) -> None:
    for seed in range(3):
        data = random_data(seed, 5, 200, missing=0.15)
        own = learner(data, Constraints(max_parents=2), score=kind)
        found = own.searched(data, Run(seed, 1))
        score = network_scores(data, kind)
        best = score(graph_of(found.dag))
        assert found.score == pytest.approx(best, rel=ROUNDING)
        for u, v in itertools.permutations(data.variables, 2):
            graph = graph_of(found.dag)
            if graph.has_edge(u, v):
                graph.remove_edge(u, v)
            elif not graph.has_edge(v, u) and graph.in_degree(v) < 2 and u not in descendants(graph, v):
                graph.add_edge(u, v)
            assert score(graph) <= best + 1e-6


def descendants(graph: Any, node: str) -> set[str]:
    found, waiting = set[str](), [node]
    while waiting:
        new = set(graph.successors(waiting.pop())) - found
        found |= new
        waiting += new
    return found


def test_repeated_rows_are_weights() -> None:
    data = random_data(6, 6, 80, missing=0.1)
    times = np.random.default_rng(1).integers(1, 5, len(data))
    repeated = Data(data.variables, data.states, np.repeat(data.codes, times, axis=0))
    weighted = Data(data.variables, data.states, data.codes, weights=times.astype(np.float64))
    one, other = learner(repeated), learner(weighted)
    for size in range(4):
        child, *parents = data.variables[: size + 1]
        assert one.family_score(child, parents) == other.family_score(child, parents)
    assert learn(repeated).dag == learn(weighted).dag
    assert learn(repeated).score == learn(weighted).score


def test_weights_need_not_be_whole() -> None:
    data = random_data(6, 5, 300, missing=0.1)
    halves = Data(data.variables, data.states, np.repeat(data.codes, 2, axis=0), weights=np.full(600, 0.5))
    for size in range(4):
        child, *parents = data.variables[: size + 1]
        whole = learner(data).family_score(child, parents)
        assert learner(halves).family_score(child, parents) == pytest.approx(whole, rel=ROUNDING)
    copies = in_copies(halves)
    assert len(copies) == 600
    assert copies.weight == 300
    assert learn(halves).stopped_by == "finished"


def test_an_arc_needs_twenty_rows_that_have_both_ends() -> None:
    codes = np.repeat([[0, 0], [1, 1]], 100, axis=0)
    few, enough = codes.copy(), codes.copy()
    few[10:191, 1] = MISSING  # 19 are left
    enough[10:190, 1] = MISSING
    for own, arcs in ((few, 0), (enough, 1)):
        assert len(learn(data_of(own.tolist(), [2, 2])).dag.edges) == arcs
    required = learn(data_of(few.tolist(), [2, 2]), required=[("V0", "V1")])
    assert required.dag.edges == (("V0", "V1"),)
    assert math.isfinite(required.score)


def test_required_arcs_are_kept_where_no_row_has_all_of_a_family() -> None:
    codes = np.random.default_rng(0).integers(0, 2, (60, 3))
    codes[np.arange(60), np.arange(60) % 3] = MISSING
    data = data_of(codes.tolist(), [2, 2, 2])
    arcs = [("V0", "V2"), ("V1", "V2")]
    assert set(arcs) <= set(learn(data, required=arcs).dag.edges)
    assert all(set(arcs) <= set(one.dag.edges) for one in bootstrap(data, 10, required=arcs))


def test_families_that_are_too_large_are_refused_by_name() -> None:
    data = with_gaps(data_of(np.random.default_rng(0).integers(0, 2, (50, 14)).tolist(), [2] * 14), 0.01)
    arcs = [(name, "V13") for name in data.variables[:12]]
    with pytest.raises(
        ConstraintError, match="V13 has 12 required parents; where values are missing, at most 11 are possible"
    ):
        learn(data, required=arcs)
    assert len(learn(data, required=arcs[1:]).dag.parents("V13")) == 11


# Arcs out of nothing


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_missing_values_make_no_arcs_between_independent_variables(share: float) -> None:
    """The mean of scaled likelihoods of families makes ten and more in each."""
    found = [len(learn(with_gaps(skewed(seed, 4_000), share, seed)).dag.edges) for seed in range(6)]
    assert sum(found) <= 3


def test_completed_rows_remove_what_available_cases_leave_in_a_chain() -> None:
    for seed in range(2):
        data = with_gaps(chain(seed, 5_000), 0.1, seed)
        first = learner(data).searched(data, Run(seed, 1))
        assert len(first.dag.edges) > 7
        found = learn(data, seed=seed)
        assert {frozenset(arc) for arc in found.dag.edges} == set(map(frozenset, itertools.pairwise(data.variables)))
        assert "then from completed rows" in found.notes[-1]


def test_resamples_are_of_completed_rows() -> None:
    data = with_gaps(chain(1, 3_000), 0.1, 1)
    surplus = [len(network.dag.edges) - 7 for network in bootstrap(data, 20)]
    assert sum(surplus) <= 40
    own = learner(data)
    first = own.resampled(Run(0, 1), 0, 2 * DRAW_SHARED)
    assert [one.dag for one in own.resampled(Run(0, 1), 3, 9)] == [one.dag for one in first[3:12]]
    assert [one.dag for one in own.resampled(Run(1, 1), 3, 9)] != [one.dag for one in first[3:12]]


# Completed rows


@st.composite
def cases(draw: Any) -> tuple[Network, list[int]]:
    network = random_network(draw(st.integers(0, 10**6)), draw(st.integers(2, 6)))
    (row,) = network.sample(1, seed=draw(st.integers(0, 99))).codes.tolist()
    return network, [MISSING if draw(st.booleans()) else code for code in row]


@pytest.mark.parametrize("call", [0, 10**9], ids=["part-by-part", "one-tree"])
@given(cases())
@settings(max_examples=25)
def test_cells_are_drawn_jointly_from_what_enumeration_gives(call: int, case: tuple[Network, list[int]]) -> None:
    network, row = case
    names = network.variables
    lacking = [name for name, code in zip(names, row, strict=True) if code == MISSING]
    known = {name: network.states[name][code] for name, code in zip(names, row, strict=True) if code != MISSING}
    copies = 4_000
    codes = np.tile(np.array(row, np.int16), (copies, 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(missing_rows, "_CALL", call)
        rows = Incomplete(network.dag, network.states, codes)
    drawn = rows.completed([network.cpts[name].ravel() for name in names], np.random.default_rng(1))
    assert (drawn[codes != MISSING] == codes[codes != MISSING]).all()
    expected, _ = enumerated(network, lacking, known)
    places = [names.index(name) for name in lacking]
    seen = Counter(map(tuple, drawn[:, places].tolist()))
    for labels, chance in expected.items():
        times = seen[tuple(network.states[name].index(label) for name, label in zip(lacking, labels, strict=True))]
        assert abs(times - copies * chance) <= 6 * math.sqrt(copies * chance * (1 - chance)) + 1


def test_every_row_has_draws_of_its_own() -> None:
    """Different rows, in different patterns, keep their places and what they have."""
    network = random_network(5, 9)
    data = with_gaps(network.sample(500, seed=1), 0.4)
    rows = Incomplete(network.dag, data.states, data.codes)
    tables = [network.cpts[name].ravel() for name in network.variables]
    one, same, other = (rows.completed(tables, np.random.default_rng(seed)) for seed in (1, 1, 2))
    known = data.codes != MISSING
    assert (one[known] == data.codes[known]).all()
    assert (one >= 0).all()
    assert (one < [len(data.states[name]) for name in data.variables]).all()
    assert (one == same).all()
    assert (one != other).any()


def test_rows_that_stand_for_several_are_drawn_for_each() -> None:
    codes = [[0, MISSING], [1, 1], [MISSING, 0]]
    data = data_of(codes, [2, 2])
    weighted = Data(data.variables, data.states, data.codes, weights=np.array([3.0, 5.0, 1.5]), groups=np.arange(3))
    copies = in_copies(weighted)
    assert Counter(map(tuple, copies.codes.tolist())) == {(0, MISSING): 3, (1, 1): 1, (MISSING, 0): 2}
    assert copies.weight == pytest.approx(9.5)
    assert copies.groups is not None
    assert sorted(copies.groups.tolist()) == [0, 0, 0, 1, 2, 2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(completion, "_MOST_COPIES", 2)
        fewer = in_copies(weighted)
    assert len(fewer) < len(copies)
    assert fewer.weight == pytest.approx(9.5)


def test_the_fit_is_that_of_the_rows() -> None:
    """Its log-likelihood is that of the observed cells, by enumeration."""
    network = random_network(2, 4)
    data = with_gaps(network.sample(60, seed=1), 0.3)
    fitted = Completion(network.dag, data, Clock(None))
    tables = dict(zip(network.variables, fitted._tables, strict=True))
    known = Network(network.dag, data.states, {v: tables[v].reshape(network.cpts[v].shape) for v in tables})
    logs = []
    for row in data.codes.tolist():
        given = {v: data.states[v][code] for v, code in zip(data.variables, row, strict=True) if code != MISSING}
        logs.append(math.log(enumerated(known, [], given)[1]))
    assert fitted.log_likelihood == pytest.approx(math.fsum(logs), rel=1e-9)
    states = {v: len(data.states[v]) for v in data.variables}
    configurations = {v: math.prod(states[p] for p in network.dag.parents(v)) for v in data.variables}
    assert fitted.parameters == sum(configurations[v] * (states[v] - 1) for v in data.variables)


# Rounds


class Step:
    """What a search is said to have found."""

    def __init__(self, arcs: list[tuple[str, str]], stopped_by: str = "finished") -> None:
        self.dag, self.stopped_by = DAG(["V0", "V1", "V2"], arcs), stopped_by


def rounds_of(data: Data, *steps: Step, penalty: float = 3.0) -> Any:
    waiting = iter(steps[1:])
    run, rows = Run(0, 1), in_copies(data)
    return refined(steps[0], lambda dag: Completion(dag, rows, run.clock), lambda _: next(waiting), penalty, run)


def test_the_network_that_explains_the_observed_cells_best_is_kept() -> None:
    data = with_gaps(
        data_of(np.repeat(np.random.default_rng(0).integers(0, 2, (200, 1)), 3, axis=1).tolist(), [2] * 3), 0.1
    )
    empty, one, true = Step([]), Step([("V0", "V1")]), Step([("V0", "V1"), ("V1", "V2")])
    same_class = Step([("V1", "V0"), ("V1", "V2")])
    best = rounds_of(data, empty, one, true, same_class)
    assert (best.found, best.rounds, best.problem) == (true, 3, "")
    assert best.completion is not None
    assert rounds_of(data, true, one, empty, one).found is true
    assert rounds_of(data, one, true, empty, one, penalty=1e6).found is empty


def test_rounds_end_when_a_search_is_cut_and_after_five() -> None:
    data = with_gaps(random_data(0, 3, 50), 0.1)
    cut = Step([("V0", "V1")], "time limit")
    best = rounds_of(data, Step([]), cut)
    assert best.found is not cut
    assert not best.is_interrupted
    arcs = list(itertools.permutations(data.variables, 2))
    networks = [Step([arc]) for arc in arcs if arc[0] < arc[1]]
    pairs = [Step([a, b]) for a, b in itertools.combinations([("V0", "V2"), ("V1", "V2"), ("V0", "V1")], 2)]
    assert rounds_of(data, *networks, *pairs).rounds == MOST_ROUNDS == 5


def test_ctrl_c_ends_the_rounds_with_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    data = with_gaps(random_data(0, 3, 50), 0.1)
    best = rounds_of(data, Step([]), Step([("V0", "V1")], "interrupted"))
    assert (best.found.dag.edges, best.is_interrupted) == ((), True)

    def pressed(_: Data) -> Step:
        raise KeyboardInterrupt

    best = refined(Step([]), lambda dag: Completion(dag, in_copies(data), Clock(None)), pressed, 3.0, Run(0, 1))
    assert (best.found.dag.edges, best.is_interrupted) == ((), True)
    own = learner(data)
    first, found = own.searched(data, Run(0, 1)), replace(own.searched(data, Run(0, 1)), stopped_by="interrupted")
    steps = iter([first, found, first, found])
    monkeypatch.setattr(own, "searched", lambda *_: next(steps))
    ended = own.learned(Run(0, 1))
    assert (ended.dag, ended.stopped_by) == (first.dag, "interrupted")
    with pytest.raises(KeyboardInterrupt):  # which a bootstrap waits for
        own.resampled(Run(0, 1), 0, 3)


def test_a_network_too_wide_for_inference_is_kept_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    data = random_data(2, 6, 300, missing=0.2)
    own = learner(data)
    first = own.searched(data, Run(0, 1))
    monkeypatch.setattr(completion, "_MOST_NUMBERS", 10)
    with pytest.raises(TooLargeError):
        Completion(first.dag, data, Clock(None))
    found = own.learned(Run(0, 1))
    assert found.dag == first.dag
    assert "the completion was not finished: inference in all rows needs" in found.notes[-1]
    resamples = own.resampled(Run(0, 1), 0, 3)
    assert len(resamples) == 3
    assert math.isfinite(resamples[0].score)


def test_when_time_is_up_the_best_so_far_comes() -> None:
    data = random_data(2, 6, 300, missing=0.2)
    for limit in (1e-9, 0.002, 0.01):
        assert learn(data, time_limit=limit).stopped_by in {"time limit", "finished"}
    assert bootstrap(data, 5, time_limit=1e-9).run().weight == 0


def test_threads_and_the_order_of_rows_do_not_show() -> None:
    data = random_data(4, 10, 2_000, missing=0.1)
    mixed = Data(data.variables, data.states, data.codes[np.random.default_rng(0).permutation(len(data))])
    one = learn(data, threads=1)
    assert one == learn(data, threads=3)
    assert (one.dag, one.score) == (learn(mixed).dag, learn(mixed).score)
    runs = [[network.dag for network in bootstrap(data, 20, threads=threads)] for threads in (1, 3)]
    assert runs[0] == runs[1]


def test_notes_say_what_was_done_about_missing_values() -> None:
    data = random_data(0, 4, 50, missing=0.2)
    (note,) = learn(data).notes
    assert note.startswith("values are missing: the network was learned from the rows that have")
    (note,) = bootstrap(data, 3).notes
    assert note.startswith("values are missing: they are completed by a network learned from all rows")
    assert learn(random_data(0, 4, 50)).notes == ()
