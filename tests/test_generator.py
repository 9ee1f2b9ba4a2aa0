"""The study's instances: limits kept, connected, close to uniform; the readings of the paper and of its program."""

from collections import Counter
from itertools import combinations, pairwise, product
from random import Random

import networkx
import pytest
from scipy.stats import chisquare

from bnfuse import DAG, OptionError, clique_size
from bnfuse.study.generator import READINGS, ArcLimits, Walk, inputs, synthetic_base
from oracles import exact_clique_by_subsets, moral_graph


def graph_of(dag):
    graph = networkx.DiGraph(dag.edges)
    graph.add_nodes_from(dag.variables)
    return graph


def most(degrees):
    return max(degree for _, degree in degrees)


def connected_dags(names, limits):
    """By brute force: every choice of no arc, an arc, or its reverse for each pair."""
    found = set()
    for choice in product((None, False, True), repeat=len(names) * (len(names) - 1) // 2):
        pairs = zip(combinations(names, 2), choice, strict=True)
        arcs = frozenset(pair[::-1] if turned else pair for pair, turned in pairs if turned is not None)
        graph = networkx.DiGraph(arcs)
        graph.add_nodes_from(names)
        if (
            networkx.is_directed_acyclic_graph(graph)
            and networkx.is_weakly_connected(graph)
            and most(graph.in_degree) <= limits.parents
            and most(graph.out_degree) <= limits.children
            and (limits.arcs is None or len(arcs) <= limits.arcs)
        ):
            found.add(arcs)
    return found


@pytest.mark.parametrize(
    ("limits", "number"), [(ArcLimits.of_paper(4), 446), (ArcLimits(2, 2, 4), None)], ids=["paper's", "tight"]
)
@pytest.mark.long
def test_the_chain_is_close_to_uniform_on_four_nodes(limits, number):
    names = ("A", "B", "C", "D")
    every = connected_dags(names, limits)
    assert number in (None, len(every))  # the number of connected labelled DAGs on four nodes
    walk = Walk(4, [(0, 1), (1, 2), (2, 3)], limits, Random(2004))
    seen = Counter()
    for _ in range(20 * len(every)):
        for _ in range(50):  # far enough from the last one to be independent of it
            walk.propose()
        seen[frozenset(walk.dag(names).edges)] += 1
    assert set(seen) == every
    assert chisquare([seen[arcs] for arcs in every]).pvalue > 0.001


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("n", [2, 3, 10, 30, 50])
def test_bases_and_copies_keep_all_limits_and_stay_connected(n, reading):
    base = synthetic_base(n, seed=7, reading=reading)
    for dag in (base, *inputs(base, 5, seed=7, reading=reading)):
        graph = graph_of(dag)
        assert networkx.is_weakly_connected(graph)
        assert networkx.is_directed_acyclic_graph(graph)
        assert most(graph.in_degree) <= 3
        assert most(graph.out_degree) <= 4
        if reading == "printed" or dag is base:
            assert len(dag.edges) <= 2.5 * n


def test_limits_restrict_additions_and_reversals_only():
    """A real base may exceed them: what it has may stay, and no variable over a limit gets more."""
    centre = [("hub", f"leaf{i}") for i in range(9)]
    base = DAG(["hub", *(f"leaf{i}" for i in range(9))], centre)
    for dag in inputs(base, 20, seed=1, real=True):
        graph = graph_of(dag)
        assert networkx.is_weakly_connected(graph)
        assert set(graph.successors("hub")) <= {leaf for _, leaf in centre}
        assert most(graph.in_degree) <= 3
        assert max(degree for name, degree in graph.out_degree if name != "hub") <= 4


def test_a_copy_is_at_most_as_many_changes_away_as_it_had_proposals():
    base = synthetic_base(30, seed=0)
    differences = [len(set(dag.edges) ^ set(base.edges)) for dag in inputs(base, 10, seed=0)]
    assert 0 < max(differences) <= 2 * (3 * 30 // 4)  # a reversal differs in two arcs


def walked(limits, steps=300, names="ABCDEFGH"):
    """The DAGs of a walk from a chain, before and after every proposal that added an arc."""
    walk = Walk(len(names), [(i, i + 1) for i in range(len(names) - 1)], limits, Random(5))
    before = walk.dag(tuple(names))
    for _ in range(steps):
        walk.propose()
        after = walk.dag(tuple(names))
        if len(after.edges) > len(before.edges):
            yield before, after
        before = after


def test_nothing_is_added_once_the_clique_limit_is_reached():
    def largest(limits):
        return max(exact_clique_by_subsets(moral_graph(graph_of(after))) for _, after in walked(limits))

    free = ArcLimits(8, 8)
    assert largest(free) > 5
    for before, _ in walked(ArcLimits(8, 8, clique=4)):
        # The heuristic that the limit is measured with never says less than the exact size.
        assert exact_clique_by_subsets(moral_graph(graph_of(before))) < 4
        assert clique_size(before, "mcs") < 4


def test_arcs_can_be_counted_from_another_number_than_there_are():
    most_arcs = max(len(after.edges) for _, after in walked(ArcLimits(8, 8, arcs=12)))
    from_two = max(len(after.edges) for _, after in walked(ArcLimits(8, 8, arcs=12, first_count=2)))
    assert (most_arcs, from_two) == (12, 12 + 7 - 2)  # a chain of eight has seven arcs


def test_the_programs_limits_follow_from_the_real_base_as_it_was_published():
    n = 9
    chain = [f"V{i}" for i in range(n)]
    base = DAG(chain, [*pairwise(chain), ("V0", "V2")])
    clique, parents, children, arcs = 3, 2, 2, n
    for seed in range(3):
        for dag in inputs(base, 5, seed=seed, reading="program", real=True):
            graph = graph_of(dag)
            assert most(graph.in_degree) <= parents + 1
            assert most(graph.out_degree) <= children + 1
            # All moral edges of a new arc are at one variable, so it adds at most 1 to what was below the limit.
            assert exact_clique_by_subsets(moral_graph(graph)) <= 2 * clique
        walked_base = inputs(base, 1, seed=seed, reading="program", real=True)[0]
        assert len(walked_base.edges) <= int(1.1 * arcs) + arcs - (n - 1)


def test_the_programs_reading_has_the_base_among_the_inputs_and_walks_real_ones_away():
    base = synthetic_base(30, seed=3, reading="program")
    assert inputs(base, 4, seed=3, reading="program")[0] == base
    assert base not in inputs(base, 4, seed=3, reading="printed")
    walked = inputs(base, 4, seed=3, reading="program", real=True)[0]
    assert len(set(walked.edges) ^ set(base.edges)) > 30


def test_the_same_seed_gives_the_same_instance_and_another_one_another():
    base = synthetic_base(20, seed=5)
    assert base == synthetic_base(20, seed=5)
    assert base != synthetic_base(20, seed=6)
    assert inputs(base, 6, seed=1) == inputs(base, 6, seed=1)
    assert inputs(base, 6, seed=1) != inputs(base, 6, seed=2)
    assert inputs(base, 3, seed=1) == inputs(base, 6, seed=1)[:3]
    assert len({dag.edges for dag in inputs(base, 6, seed=1)}) > 1


def test_an_unknown_reading_and_too_few_variables_are_refused():
    with pytest.raises(OptionError, match="reading must be one of 'printed', 'program'; got 'mine'"):
        synthetic_base(10, seed=0, reading="mine")
    with pytest.raises(OptionError, match="variables must be a whole number of at least 2; got 1"):
        synthetic_base(1, seed=0)
