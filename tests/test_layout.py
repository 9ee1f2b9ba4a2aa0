"""Where the variables of a picture stand, and how its arcs run."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnfuse
from bnfuse import DAG
from bnfuse.report.drawing.labels import text_width
from bnfuse.report.drawing.layers import acyclic
from bnfuse.report.drawing.layout import arrange
from bnfuse.report.drawing.picture import Arc, Picture
from bnfuse.report.drawing.routes import BOX_HEIGHT, CORNER, HEAD, Streets, curve, turned
from bnfuse.report.page.page_data import layout_of
from drawings import boxes_behind, drawing, sampled
from report_cases import arcs_of, benchmark, shuffled_copies
from strategies import dag_lists, dag_pairs, dags, random_dag

MARGIN = 4  # that arcs keep to the boxes of others, in pixels


def overlapping(layout):
    boxes = list(zip(layout.centres, layout.widths, strict=True))
    return [
        (i, j)
        for i, ((x, y), width) in enumerate(boxes)
        for j, ((other_x, other_y), other_width) in enumerate(boxes[:i])
        if abs(x - other_x) < (width + other_width) / 2 and abs(y - other_y) < BOX_HEIGHT
    ]


def sparse_dag(seed, n, arcs):
    """Arcs between variables that mostly are close in some order, as in networks that people make."""
    random = np.random.default_rng(seed)
    chosen = set()
    while len(chosen) < arcs:
        a, b = sorted(random.choice(n, 2, replace=False).tolist())
        if b - a < n // 5 or random.random() < 0.15:
            chosen.add((a, b))
    names = [f"V{i:03d}" for i in range(n)]
    return DAG(names, [(names[a], names[b]) for a, b in sorted(chosen)])


def assert_well_drawn(picture):
    """Read back from its SVG: no arc behind a box of others, heads from above, and none over another."""
    drawn = drawing(picture.svg())
    heads, tails = {}, {}  # where arcs meet each side of a box
    assert len(drawn.ways) == len(picture.arcs)
    for arc, way, (dx, dy) in zip(picture.arcs, drawn.ways, drawn.headings, strict=True):
        others = boxes_behind(way, drawn.boxes, MARGIN) - {arc.source, arc.target}
        assert not others, (arc, [picture.variables[v] for v in others])
        assert not boxes_behind(way, drawn.boxes, -0.2)
        source, target = drawn.boxes[arc.source], drawn.boxes[arc.target]
        down = 1 if source[1] < target[1] else -1
        x, y = way[-1]
        assert y + down * HEAD == pytest.approx(target[1] if down == 1 else target[3], abs=0.11)
        assert target[0] < x - HEAD / 2
        assert x + HEAD / 2 < target[2]
        assert dx == 0  # upright where the head begins
        assert dy * down > 0
        assert (np.diff(way[:, 1]) * down > -1e-9).all()
        heads.setdefault((arc.target, -down), []).append(x)
        tails.setdefault((arc.source, down), []).append(way[0][0])
    for (v, side), places in heads.items():
        room = drawn.boxes[v][2] - drawn.boxes[v][0] - 2 * CORNER
        if room >= (HEAD + 2) * (len(places) + len(tails.get((v, side), [])) - 1):
            assert all(after - before >= HEAD for before, after in pairwise(sorted(places)))


@given(dags(max_size=14))
def test_no_boxes_overlap_and_every_arc_leads_down(dag):
    layout = arrange(dag.variables, arcs_of(dag))
    assert not overlapping(layout)
    for source, target in dag.arc_numbers.tolist():
        way = [layout.centres[source], *(knot[:2] for knot in layout.way(source, target)), layout.centres[target]]
        assert all(upper[1] < lower[1] for upper, lower in pairwise(way))
    for (x, y), width in zip(layout.centres, layout.widths, strict=True):
        assert x - width / 2 >= 0
        assert x + width / 2 <= layout.width
        assert y - BOX_HEIGHT / 2 >= 0
        assert y + BOX_HEIGHT / 2 <= layout.height
    for way in layout.ways.values():
        assert all(0 <= x <= layout.width for x, _ in sampled(curve(way)))


@settings(max_examples=40)
@given(dags(max_size=14))
def test_arcs_keep_clear_of_boxes_and_of_each_others_heads(dag):
    assert_well_drawn(Picture.of(dag))


@settings(max_examples=40)
@given(dag_pairs(min_size=2, max_size=9))
def test_so_they_do_in_a_difference_where_some_lead_upwards(pair):
    assert_well_drawn(Picture.comparing(*pair, ("first", "second")))


@pytest.mark.parametrize("seed", range(2))
def test_so_they_do_in_large_networks(seed):
    assert_well_drawn(Picture.of(sparse_dag(seed, 300, 450)))
    assert_well_drawn(Picture.of(random_dag(seed, 40)))


@pytest.mark.parametrize(("name", "copies"), [("alarm", 30), ("hailfinder", 50)])
def test_so_they_do_in_a_consensus_and_with_what_half_of_the_inputs_have(name, copies):
    found = bnfuse.consensus(shuffled_copies(benchmark(name), copies), effort="quick")
    assert_well_drawn(Picture.of_consensus(found, hollow_heads=True))
    layout = layout_of(found)
    assert_well_drawn(Picture(found.dag.variables, layout, tuple(Arc(*arc) for arc in layout.ways)))


def test_a_box_with_many_parents_has_room_for_their_heads():
    names = [f"x{i}" for i in range(11)]
    picture = Picture.of(DAG([*names, "y"], [(name, "y") for name in names]))
    assert_well_drawn(picture)
    places = sorted(way[-1][0] for way in picture.layout.ways.values())
    assert all(after - before >= HEAD for before, after in pairwise(places))


@settings(max_examples=30)
@given(dags(min_size=3, max_size=12), st.data())
def test_arcs_that_come_later_find_a_way_between_the_boxes(dag, data):
    layout = arrange(dag.variables, arcs_of(dag))
    levels = [y for _, y in layout.centres]
    pairs = [(a, b) for a in range(len(levels)) for b in range(len(levels)) if levels[a] != levels[b]]
    later = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    ways = dict(layout.ways)
    Streets(layout.centres, layout.widths, ways).add(later)
    everything = Picture(dag.variables, arrange(dag.variables, arcs_of(dag)), ())
    boxes = drawing(everything.svg()).boxes
    for source, target in later:
        assert boxes_behind(sampled(curve(ways[source, target])), boxes, MARGIN) <= {source, target}


@given(dags(min_size=2, max_size=9))
def test_an_arc_turned_round_has_its_head_at_the_other_end(dag):
    layout = arrange(dag.variables, arcs_of(dag))
    for (source, target), way in layout.ways.items():
        assert turned(turned(way)) == way
        back = layout.way(target, source)
        assert back[0][1] == layout.centres[target][1] - BOX_HEIGHT / 2
        assert back[-1][1] == layout.centres[source][1] + BOX_HEIGHT / 2 + HEAD


@settings(max_examples=40)
@given(dag_lists(min_size=2, max_size=7, min_dags=2, max_dags=4))
def test_arcs_of_the_consensus_lead_down_whatever_the_inputs_say(inputs):
    found = bnfuse.consensus(inputs, max_clique=3, effort="quick")
    layout = layout_of(found)
    assert not overlapping(layout)
    assert all(layout.centres[a][1] < layout.centres[b][1] for a, b in found.dag.arc_numbers.tolist())


def test_the_layout_heeds_what_half_of_those_with_both_variables_have():
    """C -> A has one input, of one; D -> A has one of three; nobody has C and D together."""
    inputs = [
        DAG(["A", "B", "D"], [("A", "B"), ("D", "A")]),
        DAG(["A", "B", "D"], [("A", "B")]),
        DAG(["A", "B", "D"], [("A", "B")]),
        DAG(["A", "C"], [("C", "A")]),
    ]
    found = bnfuse.consensus(inputs, variables="union", forbidden=[("C", "A"), ("A", "C")])
    assert found.dag.edges == (("A", "B"),)
    index = {name: i for i, name in enumerate(found.dag.variables)}
    arcs = [(index["A"], index["B"]), (index["C"], index["A"])]
    assert layout_of(found) == arrange(found.dag.variables, arcs)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda arc: arc[0] != arc[1])))
def test_arcs_that_close_a_cycle_are_turned_round(arcs):
    import networkx as nx

    kept = acyclic(7, arcs)
    assert nx.is_directed_acyclic_graph(nx.DiGraph(kept))
    assert {frozenset(arc) for arc in kept} == {frozenset(arc) for arc in arcs}
    assert len(kept) == len({frozenset(arc) for arc in arcs})
    for i, arc in enumerate(dict.fromkeys(arcs)):
        if arc[::-1] not in [*dict.fromkeys(arcs)][:i]:
            earlier = [one for one in kept if {*one} in [{*before} for before in [*dict.fromkeys(arcs)][:i]]]
            graph = nx.DiGraph(earlier)
            graph.add_nodes_from(range(7))
            assert (arc in kept) != nx.has_path(graph, arc[1], arc[0])


def test_variables_without_arcs_fill_rows_not_one_line():
    layout = arrange([f"variable {i}" for i in range(200)], [])
    assert not overlapping(layout)
    assert layout.width < 4 * layout.height


def test_parts_that_no_arc_joins_stand_side_by_side():
    layout = arrange([f"v{i}" for i in range(60)], [(i, i + 1) for i in range(0, 60, 2)])
    assert not overlapping(layout)
    assert len({y for _, y in layout.centres}) > 4
    assert 0.8 < layout.width / layout.height < 3.5


def test_the_picture_of_a_wide_network_is_not_a_strip():
    layout = arrange([f"variable {i}" for i in range(121)], [(0, i) for i in range(1, 121)])
    assert layout.width < 4 * layout.height


def test_an_arc_ends_where_its_head_reaches_the_box():
    layout = arrange("AB", [(0, 1)])
    assert curve(layout.way(0, 1))[0][1] == layout.centres[0][1] + BOX_HEIGHT / 2
    assert curve(layout.way(0, 1))[-1][1] == layout.centres[1][1] - BOX_HEIGHT / 2 - HEAD
    assert curve(layout.way(1, 0))[-1][1] == layout.centres[0][1] + BOX_HEIGHT / 2 + HEAD


def test_long_and_odd_names_are_cut_in_the_middle_and_made_visible():
    layout = arrange(["x" * 50 + "y" * 50, "a\nb"], [])
    cut, odd = layout.labels
    assert cut[0] == "x"
    assert cut[-1] == "y"
    assert "…" in cut
    assert abs(cut.count("x") - cut.count("y")) <= 1
    assert odd == "a·b"
    assert all(text_width(label) < width for label, width in zip(layout.labels, layout.widths, strict=True))


def test_names_that_differ_in_the_middle_are_cut_elsewhere():
    names = [f"the pressure in the chamber {i} of the heart at night and in the morning" for i in range(40)]
    labels = arrange(names, []).labels
    assert len(set(labels)) == 40
    assert all(len(label) <= 24 and label.startswith("the pre") for label in labels)


def test_what_is_one_letter_to_a_reader_is_not_cut_apart():
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    accented = "e\u0301"
    labels = arrange([family * 40, accented * 60, "\u80ba" * 60], []).labels
    assert labels[0].replace("…", "").replace(family, "") == ""
    assert labels[1].replace("…", "").replace(accented, "") == ""
    assert len(labels[2]) < 24
