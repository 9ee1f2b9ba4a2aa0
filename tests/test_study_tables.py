"""The study's tables from results made by hand: what they count, show and leave out, in every format."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from matplotlib.figure import Figure

from bnfuse.study import figures, published
from bnfuse.study import tables as shown
from bnfuse.study.grid import ALGORITHMS, FUSED, INPUTS, PAPERS
from bnfuse.study.jobs import RunRow
from bnfuse.study.statistics import blocks
from bnfuse.study.store import Result
from bnfuse.study.tables import COLUMNS, Line, Table, tables, written

FITTED = {
    "fit_seconds": 1.5,
    "query_seconds": 0.25,
    "marginal_error": 0.125,
    "table_numbers": 1e3,
    "row_mean_error": 0.0625,
}


def result(name: str, base: str, seed: int, limit: int | None, **more: Any) -> Result:
    facts = {"arcs": 9, "seconds": 1.0, "cpu_seconds": 2.0, **more}
    distance = float(COLUMNS.index(name) + (limit or 0))
    return Result(
        base,
        10,
        seed,
        RunRow(
            algorithm=name, metric="smhd", max_clique=limit, distance=distance, clique=4, smallest_clique=4, **facts
        ),
    )


def study(seeds: dict[str, int], limits: tuple[int, ...] = (2, 3), **more: Any) -> list[Result]:
    """All algorithms on so many seeds of each base; the first has the least distance, the second one more, ..."""
    found = []
    for base, count in seeds.items():
        for seed in range(count):
            found += [result(name, base, seed, None, **more) for name in (FUSED, INPUTS)]
            found += [result(name, base, seed, limit, **more) for limit in limits for name in ALGORITHMS]
    return found


@pytest.mark.parametrize(
    ("seeds", "counted"),
    [
        ({"n10": 1}, "blocks: 2 for SMHD, each over 1 seed"),
        ({"n10": 3}, "blocks: 2 for SMHD, each over 3 seeds"),
        ({"n10": 1, "n20": 2}, "blocks: 4 for SMHD, each over 1 to 2 seeds"),
    ],
)
def test_a_table_says_over_how_many_blocks_and_seeds_it_is(seeds: dict[str, int], counted: str) -> None:
    (table,) = tables(study(seeds))
    assert (table.name, table.title) == ("Table 3", f"synthetic networks; {counted}")


def test_the_papers_numbers_stand_beside_ours_only_when_asked_for() -> None:
    results = study({"n10": 2})
    (alone,), (beside,) = tables(results), tables(results, beside_paper=True)
    assert not any(line.is_papers for line in alone.lines)
    assert any(line.is_papers for line in beside.lines)
    assert all(line.values for line in beside.lines)
    assert [line.measure for line in beside.lines if not line.is_papers] == [line.measure for line in alone.lines]


@pytest.mark.parametrize("kind", ["synthetic", "real"])
@pytest.mark.parametrize("metric", ["smhd", "fsim"])
def test_every_measure_that_the_paper_prints_is_known_for_each_of_its_six(kind: str, metric: str) -> None:
    for numbers in (published.MEAN_DIFFERENCE, published.BEST, published.SECONDS):
        assert set(PAPERS) <= numbers[kind, metric].keys()
    assert published.HOLM[kind, metric].keys() == set(PAPERS[1:]), "the first is the best-ranked"
    assert 0 < published.FRIEDMAN[kind, metric] < min(published.HOLM[kind, metric].values())
    for numbers in (published.ROW_MEAN_ERROR, published.FAILURES, published.FIT_SECONDS):
        assert numbers[metric].keys() == {*PAPERS, FUSED, INPUTS}
    assert published.ERROR_HOLM[metric].keys() == {*PAPERS, FUSED}, "the inputs are the best-ranked"
    assert 0 < published.ERROR_FRIEDMAN[metric] < min(published.ERROR_HOLM[metric].values())


def test_the_papers_probabilities_stand_below_ours_with_its_digits() -> None:
    table = tables(study({"n10": 2}), beside_paper=True)[0]
    place = next(i for i, line in enumerate(table.lines) if line.measure.startswith("Holm's p of the six"))
    papers = table.lines[place + 1]
    assert papers.measure == "... in the paper (Friedman 1.05e-141)"
    assert papers.shown(papers.values["greedy per-network"]) == "4.07e-108"


def test_distances_are_compared_among_the_papers_six_and_among_all() -> None:
    (table,) = tables(study({"n10": 2}))
    by_measure = {line.measure: line.values for line in table.lines}
    place = {name: COLUMNS.index(name) for name in ALGORITHMS}
    for among in ("of the six", "of all"):
        ranked = list(by_measure[f"mean rank {among}"])
        first = min(place[name] for name in ranked)
        differences = by_measure[f"mean difference to the best {among}"]
        assert {name: differences[name] for name in ALGORITHMS} == {name: place[name] - first for name in ALGORITHMS}
        assert by_measure[f"number of best {among}"] == {name: 2 * (place[name] == first) for name in ranked}
    assert by_measure["seconds"] == dict.fromkeys((*ALGORITHMS, FUSED), 2.0)


def test_networks_without_arcs_are_counted() -> None:
    results = study({"n10": 2})
    results += [result(name, "n20", 0, None) for name in (FUSED, INPUTS)]
    results += [result(name, "n20", 0, 2, arcs=0 if name == "direct" else 1) for name in ALGORITHMS]
    (table,) = tables(results)
    by_measure = {line.measure: line.values for line in table.lines}
    assert by_measure["networks without arcs, of 5"] == {name: float(name == "direct") for name in ALGORITHMS}


def test_standard_errors_stand_below_what_the_paper_is_compared_in() -> None:
    measures = [line.measure for line in tables(study({"child": 2}, **FITTED), beside_paper=True)[0].lines]
    before = [a for a, b in pairwise(measures) if b == "... standard error over seeds"]
    assert before == ["mean difference to the best of the six", "number of best of the six"]
    one_seed = tables(study({"child": 1}, **FITTED))
    assert not any("standard error" in line.measure for table in one_seed for line in table.lines)


def test_fits_are_compared_where_the_networks_could_be_fitted() -> None:
    results = study({"child": 1, "asia": 1}, **FITTED)
    for i, one in enumerate(results):
        if one.base == "asia" and one.row.algorithm == FUSED:
            facts = {"too_large": "tables", "table_numbers": 2e9, "row_mean_error": 0.75}
            results[i] = result(FUSED, "asia", one.seed, None, **facts)
    table = tables(results)[-1]
    assert table.name == "Table 5"
    by_measure = {line.measure: line.values for line in table.lines}
    everywhere = "where all algorithms succeed (4)"
    assert by_measure["seconds to fit where G+ succeeds (2)"] == dict.fromkeys(COLUMNS, 1.5)
    assert by_measure["seconds for all marginals where G+ succeeds (2)"] == dict.fromkeys(COLUMNS, 0.25)
    errors = by_measure[f"mean absolute error of the marginals {everywhere}"]
    assert errors == dict.fromkeys([name for name in COLUMNS if name != FUSED], 0.125)
    of_fusion = {name: 2 * (name == FUSED) for name in COLUMNS}
    assert by_measure["failures of inference in 256 MiB, of 4"] == of_fusion
    assert by_measure["... of them for the tables alone"] == of_fusion
    assert by_measure["failures as printed (tables beyond 8 GB), of 4"] == of_fusion
    as_printed = "row-mean error, as printed"
    assert by_measure[as_printed] == dict.fromkeys(COLUMNS, 0.0625), "G+ where its tables fit"
    measures = [line.measure for line in tables(results, beside_paper=True)[-1].lines]
    before_papers = [a for a, b in pairwise(measures) if b.startswith("... in the paper")]
    chances = "... in the paper: Holm's p (Friedman 2.24e-106)"
    assert before_papers == [
        *(as_printed, "... in the paper", "failures as printed (tables beyond 8 GB), of 4"),
        "seconds to fit where G+ succeeds (2)",
    ]
    assert chances in measures


@pytest.mark.parametrize(
    ("how", "value", "text"),
    [
        (shown._seconds, 10.0, "10.0"),
        (shown._seconds, 123.45, "123.5"),
        (shown._seconds, 9.994, "9.99"),
        (shown._seconds, 0.012345, "0.0123"),
        (shown._error, 0.001, "0.0010"),
        (shown._error, 0.25, "0.2500"),
        (shown._error, 0.00099, "9.9e-04"),
        (shown._probability, 1.0, "1"),
        (shown._probability, 0.995, "1"),
        (shown._probability, 0.99, "0.99"),
        (shown._probability, 0.01, "0.01"),
        (shown._probability, 0.0099, "1e-02"),
        (shown._probability, 3e-7, "3e-07"),
        (shown._probability, 1e-120, "0"),
        (shown._tenths, 1.26, "1.3"),
        (shown._hundredths, 1.256, "1.26"),
        (shown._whole, 7.0, "7"),
    ],
)
def test_numbers_are_shown_with_the_digits_that_mean_something(how: Any, value: float, text: str) -> None:
    assert how(value) == text


def a_table() -> Table:
    values = {name: i + 0.5 for i, name in enumerate(COLUMNS) if name != INPUTS}
    return Table("Table 9", "50 % of G+", [Line("smhd", "seconds", values, shown._tenths)])


def test_csv_has_all_numbers_in_full_and_nothing_where_nothing_is_known() -> None:
    rows = list(csv.reader(io.StringIO(written([a_table(), a_table()], "csv"))))
    assert rows[0] == ["table", "metric", "measure", *COLUMNS]
    numbers = [str(i + 0.5) if name != INPUTS else "" for i, name in enumerate(COLUMNS)]
    assert rows[1:] == [["Table 9", "smhd", "seconds", *numbers]] * 2


def test_latex_has_a_column_for_each_cell() -> None:
    lines = written([a_table()], "latex").splitlines()
    assert rf"\begin{{tabular}}{{ll{'r' * len(COLUMNS)}}}" in lines
    assert r"\caption{50 \% of $G^+$}" in lines
    (body,) = (line for line in lines if line.startswith("SMHD"))
    assert body.count("&") == len(COLUMNS) + 1
    assert body.endswith(r" - \\")


def test_markdown_aligns_numbers_to_the_right() -> None:
    lines = written([a_table()], "markdown").splitlines()
    assert lines[0] == "**Table 9**: 50 % of G+."
    header, rule, row = (line.strip("|").split("|") for line in lines[2:5])
    assert [cell.strip() for cell in rule] == ["---", "---", *["---:"] * len(COLUMNS)]
    assert len(header) == len(row) == len(COLUMNS) + 2
    assert row[-1].strip() == "-"


def test_the_terminal_shows_method_and_candidates_one_above_the_other() -> None:
    title, empty, methods, candidates, row = written([a_table()], "terminal").splitlines()
    assert (title, empty) == ("Table 9: 50 % of G+", "")
    assert methods.split()[0] == "metric"
    both = [name for name in ALGORITHMS if " " in name]
    assert candidates.split() == [name.split(" ")[1] for name in both]
    assert methods.split()[1 : 1 + len(ALGORITHMS)] == [name.split(" ")[0] for name in ALGORITHMS]
    assert row.split()[:3] == ["SMHD", "seconds", "0.5"]
    assert row.split()[-1] == "-"
    place = methods.index(ALGORITHMS[0].split(" ")[0])
    assert place > row.index("seconds")


def test_the_terminal_aligns_words_to_the_left_and_numbers_to_the_right() -> None:
    lines = [Line("smhd", measure, dict.fromkeys(COLUMNS, value), shown._tenths)
             for measure, value in (("long measure", 1.0), ("short", 100.0))]  # fmt: skip
    first, second = written([Table("T", "t", lines)], "terminal").splitlines()[-2:]
    assert first.index("long measure") == second.index("short")
    assert len(first) == len(second)


# Figures


def panel(values: dict[str, float], limits: tuple[int, ...] = (2, 3, 4, 7, 10, 13, 16, 17, 18)) -> Any:
    """A panel in which each algorithm has one distance at all limits; 10 unless `values` say otherwise."""
    found = study({"n10": 1}, limits)
    changed = [
        replace(one, row=replace(one.row, distance=values.get(one.row.algorithm, 10.0), smallest_clique=3))
        for one in found
    ]
    axes = Figure().subplots()
    figures._draw_panel(axes, sorted(blocks(changed, "smhd", real=False), key=lambda block: block.max_clique))
    return axes


def test_every_limit_has_its_tick_and_those_with_room_a_number() -> None:
    axes = panel({})
    ticks = {*axes.xaxis.get_majorticklocs().tolist(), *axes.xaxis.get_minorticklocs().tolist()}
    assert ticks >= {2, 3, 4, 7, 10, 13, 16, 17, 18}
    assert axes.xaxis.get_majorticklocs().tolist() == [2, 3, 4, 7, 10, 13, 16]


def test_greedy_curves_far_above_all_others_are_cut_off_and_their_height_is_told() -> None:
    calm = panel({"greedy shared": 12.0})
    assert calm.get_ylim() == pytest.approx((0, 1.05 * 12))
    assert not calm.texts
    wild = panel({"greedy shared": 264.4, "genetic fused": 20.0})
    assert wild.get_ylim() == pytest.approx((0, 1.05 * 20))
    assert [text.get_text() for text in wild.texts] == ["greedy: up to 264"]
