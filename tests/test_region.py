"""Large results: the region of a picture, and what is not searched for when they are shown."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
from bnfuse import DAG, _kernel
from bnfuse.answer import result as results
from bnfuse.answer.disputes import disputes
from bnfuse.report import summary as summaries
from bnfuse.report.page import page as pages
from bnfuse.report.region import contested_region, region_around
from bnfuse.report.summary import Summary

LONG = [f"V{i}" for i in range(300)]


def chain(names, without=(), more=()):
    """Each variable the parent of the next, but for some arcs."""
    arcs = [(a, b) for a, b in pairwise(names) if (a, b) not in without]
    return DAG(names, [*arcs, *more])


@pytest.fixture(scope="module")
def large():
    """300 variables in a chain. Half of the inputs lack three arcs in a row; one has an arc of its own."""
    whole = chain(LONG)
    split = [("V100", "V101"), ("V101", "V102"), ("V102", "V103")]
    return bnfuse.consensus(
        [whole, chain(LONG, more=[("V5", "V9")]), chain(LONG, split), chain(LONG, split)], method="majority"
    )


def test_the_region_lies_where_the_inputs_are_split(large):
    region = contested_region(large, 12)
    assert {LONG[v] for v in region.centre} == {"V101", "V102"}
    assert len(region.members) == len(set(region.members)) == 12
    assert {"V100", "V103"} < {LONG[v] for v in region.members}
    assert len(region.disputed) == 4
    assert len(region.contested) == 3


def test_a_region_has_no_more_variables_than_there_are():
    small = bnfuse.consensus([chain(["A", "B", "C"]), chain(["A", "B", "C"], [("A", "B")])])
    assert sorted(contested_region(small).members) == [0, 1, 2]


def test_without_disputes_the_region_is_around_the_variable_with_most_arcs():
    star = DAG(["A", "B", "C", "D", "E"], [("C", "A"), ("C", "B"), ("C", "D"), ("D", "E")])
    region = contested_region(bnfuse.consensus([star, star]), 3)
    assert region.centre == (2,)
    assert region.members[0] == 2
    assert not region.disputed


def test_of_a_star_a_region_has_more_than_its_middle_and_leaves():
    arcs = [(0, v) for v in range(1, 60)] + [(v, v + 60) for v in range(1, 60)]
    region = region_around(120, arcs, 40)
    assert len(region.members) < 40  # 8 of the leaves, and what hangs on each
    assert any(v > 60 for v in region.members)


def refuse(*_args, **_options):
    raise AssertionError("something is searched for")


def test_a_notebook_shows_a_large_result_without_searching(large, monkeypatch):
    monkeypatch.setattr(results, "direct", refuse)
    monkeypatch.setattr(results, "majority", refuse)
    monkeypatch.setattr(results, "problem_bound", refuse)
    monkeypatch.setattr(disputes, "solved_again", refuse)
    html = large._repr_html_()
    assert html.count('<g class="node"') == 40
    assert "40 of 300 variables, around V101 and V102, where the inputs disagree most" in html
    rows = re.findall("<tr>(.*?)</tr>", html)
    assert len(rows) == 5
    assert "<td>50 %</td><td>0 %</td><td>50 %</td>" in rows[1]


def test_what_is_known_of_a_large_result_is_shown(large):
    assert "at most" not in Summary(large).lines_at_once[1]
    assert "lower_bound" not in vars(large)
    gap = large.gap
    assert "proven" in Summary(large).lines_at_once[1]
    assert gap == 0


def test_a_large_network_is_shown_around_the_variable_with_most_arcs():
    dag = chain(LONG, more=[("V7", "V9"), ("V7", "V20")])
    html = dag._repr_html_()
    assert "40 of 300 variables, around V7, which has the most arcs" in html
    assert html.count('<g class="node"') == 40


def test_a_small_result_is_shown_whole_and_nothing_is_searched(monkeypatch):
    small = bnfuse.consensus([chain(["A", "B", "C"]), chain(["C", "B", "A"])], max_clique=2)
    monkeypatch.setattr(results, "direct", refuse)
    assert small._repr_html_().count('<g class="node"') == 3


def test_a_report_of_a_large_network_searches_for_nothing(monkeypatch, tmp_path):
    for module in (pages, summaries):
        monkeypatch.setattr(module, "LARGE", 2)
    names = ["A", "B", "C", "D"]
    found = bnfuse.consensus([chain(names), chain(names, [("B", "C")]), chain(names[::-1])], directions="majority")
    monkeypatch.setattr(results, "direct", refuse)
    monkeypatch.setattr(disputes, "solved_again", refuse)
    found.report(tmp_path / "report.html")
    data = pages._disputes(Summary(found))
    assert data.stopped_by == "not solved"
    assert len(data) == 3
    assert {one.cost for dispute in data for one in dispute.alternatives} == {None}


# The rows of a layered drawing


@st.composite
def layered(draw):
    """Rows of items, their widths, and links between neighbouring rows."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    rows = [row for row, size in enumerate(sizes) for _ in range(size)]
    widths = [draw(st.integers(1, 40)) for _ in rows]
    pairs = [(a, b) for a, upper in enumerate(rows) for b, lower in enumerate(rows) if upper + 1 == lower]
    links = draw(st.lists(st.sampled_from(pairs), max_size=12, unique=True)) if pairs else []
    return rows, widths, links


def placed(rows, widths, links, sweeps=24, exchanges=8):
    return _kernel.placed_rows(
        np.array(rows, np.int32),
        np.array(widths, np.float64),
        np.array(links, np.int32).reshape(-1, 2),
        np.ones(len(links)),
        sweeps,
        exchanges,
        0.1,
    )


def crossings(places, links):
    return sum(
        (places[a] - places[c]) * (places[b] - places[d]) < 0 for i, (a, b) in enumerate(links) for c, d in links[:i]
    )


@given(layered())
def test_items_of_a_row_stand_side_by_side(drawing):
    rows, widths, _ = drawing
    order, x = placed(*drawing)
    assert sorted(order) == list(range(len(rows)))
    for one, other in pairwise(order):
        assert rows[one] <= rows[other]
        if rows[one] == rows[other]:
            assert x[other] - x[one] >= (widths[one] + widths[other]) / 2 - 1e-9


@given(layered())
def test_sweeps_and_exchanges_never_add_crossings(drawing):
    rows, _, links = drawing
    by_row = [(a, b) for a, b in links]
    counts = []
    for sweeps, exchanges in ((0, 0), (24, 0), (24, 8)):
        order, _ = placed(*drawing, sweeps, exchanges)
        places = {item: place for place, item in enumerate(order)}
        within = sum(
            crossings(places, [link for link in by_row if rows[link[0]] == row]) for row in range(max(rows) + 1)
        )
        counts.append(within)
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize(
    ("rows", "links", "claim"),
    [
        ([0, 2], [], "as many rows as there are items"),
        ([-1], [], "as many rows as there are items"),
        ([0, 0], [(0, 1)], "from a row to the next"),
        ([0, 1], [(1, 0)], "from a row to the next"),
        ([0, 1], [(0, 2)], "joins two items"),
    ],
)
def test_the_kernel_refuses_rows_that_make_no_sense(rows, links, claim):
    with pytest.raises(ValueError, match=claim):
        placed(rows, [1] * len(rows), links)
