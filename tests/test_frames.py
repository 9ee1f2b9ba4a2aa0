"""Results as DataFrames, and DataFrames of any kind as data."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import bnfuse
from bnfuse import DAG, OptionError
from running import CLINICS

ROWS = {"Smoker": ["yes", "no", None, "yes"] * 30, "Cough": ["a", "b", "b", "a"] * 30, "Age": [1, 2, 3, 1] * 30}
PLAIN = pandas.DataFrame(ROWS)
TABLES: dict[str, Any] = {
    "pyarrow": lambda: pyarrow.table(ROWS),
    "pyarrow, one batch": lambda: pyarrow.table(ROWS).to_batches()[0],
    "pyarrow dictionaries": lambda: pyarrow.table({k: pyarrow.array(v).dictionary_encode() for k, v in ROWS.items()}),
    "polars": lambda: polars.DataFrame(ROWS),
    "polars lazy": lambda: polars.LazyFrame(ROWS),
    "pandas of arrow": lambda: pyarrow.table(ROWS).to_pandas(types_mapper=pandas.ArrowDtype),
    "chunks": lambda: pyarrow.concat_tables([pyarrow.table(ROWS).slice(0, 7), pyarrow.table(ROWS).slice(7)]),
}


@pytest.fixture(scope="module")
def result() -> bnfuse.Consensus:
    return bnfuse.consensus(bnfuse.read(*CLINICS), effort="quick")


# Data


@pytest.mark.parametrize("kind", TABLES)
def test_any_table_is_data(kind: str) -> None:
    dag = DAG(["Smoker", "Cough", "Age"], [("Smoker", "Cough")])
    wanted, found = (bnfuse.Network(dag).fit(table, prior=1.0) for table in (PLAIN, TABLES[kind]()))
    assert found.states == wanted.states
    assert found.allclose(wanted) if hasattr(found, "allclose") else found == wanted
    assert bnfuse.learn(TABLES[kind]()).dag == bnfuse.learn(PLAIN).dag


def test_narwhals_frames_are_tables() -> None:
    narwhals = pytest.importorskip("narwhals")
    for own in (narwhals.from_native(PLAIN), narwhals.from_native(polars.LazyFrame(ROWS))):
        assert bnfuse.discretised(own).data.codes.tolist() == bnfuse.discretised(PLAIN).data.codes.tolist()


@pytest.mark.parametrize("other", [3, {"a": [1]}, [1, 2], pyarrow.array([1, 2]), pandas.Series([1, 2])])
def test_what_is_not_a_table_is_refused(other: Any) -> None:
    with pytest.raises(OptionError, match="expected the path of a file, a DataFrame or Data, got"):
        bnfuse.discretised(other)


# Results


def test_arcs_and_who_has_them(result: bnfuse.Consensus) -> None:
    assert result.arcs == result.support()
    frame = result.arcs.to_pandas()
    assert list(zip(frame["from"], frame["to"], strict=True)) == list(result.dag.edges)
    assert frame["share"].tolist() == [one.share for one in result.support()]
    assert frame["inputs"].tolist() == [list(one.inputs) for one in result.support()]
    assert result.arcs.to_polars().to_dicts() == result.arcs.records


@pytest.mark.parametrize("what", ["arcs", "compared", "strengths", "disputes"])
def test_tables_become_frames_of_both_kinds(what: str, result: bnfuse.Consensus) -> None:
    table: Any = {
        "arcs": lambda: result.arcs,
        "compared": result.compared,
        "strengths": lambda: result.strengths.arcs,
        "disputes": lambda: bnfuse.disputes(result, count=2),
    }[what]()
    left, right = table.to_pandas(), table.to_polars()
    assert len(left) == len(right) == len(table)
    assert list(left) == right.columns == list(table.records[0])
    head, *lines = str(table).splitlines()
    assert head.split() == list(left)
    assert len(lines) == len(table)
    assert table._repr_html_().count("<tr>") == 1 + len(table)


def test_a_table_without_rows_is_a_frame_without_rows() -> None:
    empty = bnfuse.consensus([DAG(["A", "B"])]).arcs
    assert (len(empty.to_pandas()), len(empty.to_polars()), str(empty)) == (0, 0, "")


def test_names_are_text_in_a_notebook() -> None:
    text = bnfuse.consensus([DAG.from_edges([("<b>", "B")])]).arcs._repr_html_()
    assert "<td>&lt;b&gt;</td>" in text
    assert "<td><b></td>" not in text


def test_print_tells_what_matters_in_five_lines(result: bnfuse.Consensus) -> None:
    lines = str(result).splitlines()
    assert 3 <= len(lines) <= 5
    assert f"{len(result.dag.edges)} arcs over 11 variables" in lines[0]
    assert f"{result.distance:.2f}" in lines[1]
    assert "stand" in lines[2]
    assert repr(result).startswith("<Consensus: ")


def test_printing_a_large_network_searches_nothing() -> None:
    names = [f"X{i}" for i in range(150)]
    large = bnfuse.consensus([DAG(names, list(pairwise(names)))], method="majority")
    assert len(str(large).splitlines()) <= 5
    assert not {"if_any", "lower_bound", "why_in"} & vars(large).keys()
