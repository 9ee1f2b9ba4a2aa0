"""Where the variables of a picture stand, and how its arcs run."""

from itertools import pairwise

from hypothesis import given

import bnfuse
from bnfuse import DAG
from bnfuse.report.layout import BOX_HEIGHT, arrange
from bnfuse.report.page_data import layout_of
from bnfuse.report.picture import curve
from strategies import dag_lists, dags
from test_report import arcs_of


def overlapping(layout):
    boxes = list(zip(layout.centres, layout.widths, strict=True))
    return [
        (i, j)
        for i, ((x, y), width) in enumerate(boxes)
        for j, ((other_x, other_y), other_width) in enumerate(boxes[:i])
        if abs(x - other_x) < (width + other_width) / 2 and abs(y - other_y) < BOX_HEIGHT
    ]


@given(dags(max_size=14))
def test_no_boxes_overlap_and_every_arc_leads_down(dag):
    layout = arrange(dag.variables, arcs_of(dag))
    assert not overlapping(layout)
    for source, target in dag.arc_numbers.tolist():
        ways = [layout.centres[source], *layout.routes.get((source, target), ()), layout.centres[target]]
        assert all(upper[1] < lower[1] for upper, lower in pairwise(ways))
    for (x, y), width in zip(layout.centres, layout.widths, strict=True):
        assert x - width / 2 >= 0
        assert x + width / 2 <= layout.width
        assert y - BOX_HEIGHT / 2 >= 0
        assert y + BOX_HEIGHT / 2 <= layout.height


@given(dag_lists(min_size=2, max_size=7, min_dags=2, max_dags=4))
def test_arcs_of_the_consensus_lead_down_whatever_the_inputs_say(inputs):
    found = bnfuse.consensus(inputs, max_clique=3, effort="quick")
    layout = layout_of(found)
    assert not overlapping(layout)
    assert all(layout.centres[a][1] < layout.centres[b][1] for a, b in found.dag.arc_numbers.tolist())


@given(dags(min_size=2, max_size=9))
def test_bends_lie_beside_the_boxes_of_their_layer(dag):
    layout = arrange(dag.variables, arcs_of(dag))
    for way in layout.routes.values():
        for x, y in way:
            beside = [(box, width) for box, width in zip(layout.centres, layout.widths, strict=True) if box[1] == y]
            assert all(abs(x - box[0]) > width / 2 for box, width in beside)


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


def test_arcs_that_close_a_cycle_have_no_say():
    layout = arrange("ABC", [(0, 1), (1, 2), (2, 0)])
    assert layout == arrange("ABC", [(0, 1), (1, 2)])


def test_variables_without_arcs_fill_rows_not_one_line():
    layout = arrange([f"variable {i}" for i in range(200)], [])
    assert not overlapping(layout)
    assert layout.width < 4 * layout.height


def test_an_arc_ends_where_its_head_reaches_the_box():
    layout = arrange("AB", [(0, 1)])
    assert curve(layout, 0, 1)[0][1] == layout.centres[0][1] + BOX_HEIGHT / 2
    assert curve(layout, 0, 1)[-1][1] < layout.centres[1][1] - BOX_HEIGHT / 2
    assert curve(layout, 1, 0)[-1][1] > layout.centres[0][1] + BOX_HEIGHT / 2


def test_long_and_odd_names_are_cut_and_made_visible():
    layout = arrange(["x" * 100, "a\nb"], [])
    assert layout.labels == ("x" * 23 + "…", "a·b")
