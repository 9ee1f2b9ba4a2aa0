"""Tables of numbers that stay numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from bnfuse.data.numeric import NumericData, read_numeric
from bnfuse.errors import BnfuseError, FileError, MismatchError, OptionError

TABLE = {"height": [1.5, 1.75, 1.25, 2.0], "weight": [60.5, 80.0, 55.25, 99.0], "age": [31.0, 42.5, 17.0, 66.0]}


def written(folder: Path, text: str) -> Path:
    path = folder / "table.csv"
    path.write_text(text)
    return path


def csv_of(table: dict[str, list[Any]]) -> str:
    rows = zip(*table.values(), strict=True)
    return "\n".join([",".join(table), *(",".join("" if cell is None else str(cell) for cell in row) for row in rows)])


def test_every_source_gives_the_same_numbers(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    wanted = np.array(list(TABLE.values())).T
    path = written(tmp_path, csv_of(TABLE))
    for source in (path, str(path), pandas.DataFrame(TABLE), polars.DataFrame(TABLE), TABLE):
        data = read_numeric(source)
        assert data.columns == tuple(TABLE)
        assert np.array_equal(data.values, wanted)
        assert data.weights is None
        assert data.missing == 0
    assert np.array_equal(read_numeric(wanted).values, wanted)
    assert read_numeric(wanted).columns == ("X1", "X2", "X3")
    assert read_numeric(wanted, columns=list(TABLE)).columns == tuple(TABLE)
    assert read_numeric(data) is data


def test_numbers_come_back_to_the_last_bit() -> None:
    values = np.random.default_rng(1).normal(size=(3_000, 2)) * [1e-9, 1e12]
    assert np.array_equal(read_numeric(values).values, values)


def test_missing_values(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b\n1.5,\nNA,2\n2.5,3.5\n4.5,-9\n")
    data = read_numeric(path, missing="available")
    assert np.array_equal(data.values, [[1.5, np.nan], [np.nan, 2], [2.5, 3.5], [4.5, -9]], equal_nan=True)
    assert "2 of 8 values are missing, in 2 columns" in data.notes
    assert len(read_numeric(path, missing="drop")) == 2
    with pytest.raises(MismatchError, match="column 'a' has 1 missing value, the first in row 2"):
        read_numeric(path, missing="error")
    asked = read_numeric(path, na=["-9", "NA"])
    assert np.isnan(asked.values[3, 1])
    assert "taken as missing: 'NA' (1), '-9' (1); na sets the labels that are" in asked.notes


def test_weights_and_groups() -> None:
    table = {**TABLE, "times": [2, 0, 1.5, 1], "subject": ["u", "v", "u", "w"]}
    data = read_numeric(table, weights="times", group="subject")
    assert data.columns == tuple(TABLE)
    assert data.weights is not None
    assert data.weights.tolist() == [2, 1.5, 1]
    assert data.groups is not None
    assert data.groups.tolist() == [0, 0, 1]
    assert data.weight == 4.5
    again = read_numeric(data, leave_out=["age"])
    assert again.columns == ("height", "weight")
    assert again.weights is not None
    assert again.weights.tolist() == [2, 1.5, 1]


def test_named_columns_are_read_as_they_are() -> None:
    table = {"id": [1, 2, 3], "sex": ["m", "f", "f"], "x": [1.0, 1.0, 1.0], "y": [1, 2, 4]}
    data = read_numeric(table, columns=["y", "x"])
    assert data.columns == ("y", "x")
    assert np.array_equal(data.values, [[1, 1], [2, 1], [4, 1]])
    assert len(read_numeric({"x": [1.5], "y": [2.5]}, columns=["x", "y"])) == 1
    assert np.isnan(read_numeric({"x": [None, None], "y": [2.5, 3]}, columns=["x", "y"]).values[:, 0]).all()
    with pytest.raises(MismatchError, match="lacks the column 'z'"):
        read_numeric(table, columns=["y", "z"])
    with pytest.raises(MismatchError, match="has a column of categories, 'sex' \\('m', 'f'\\)"):
        read_numeric(table, columns=["y", "sex"])


def test_what_is_not_a_variable_is_left_out() -> None:
    rows = np.arange(20.0)
    table = {
        "": rows,
        "id": rows + 100,
        "day": [f"2020-01-{day + 1:02d}" for day in range(20)],
        "name": [f"n{row}" for row in range(20)],
        "same": [3.5] * 20,
        "x": rows**1.5,
        "y": np.sin(rows),
        "z": [0, 1] * 10,
    }
    data = read_numeric(table)
    assert data.columns == ("x", "y", "z")
    said = "\n".join(data.notes)
    for text in ("it has no name", "as of an identifier", "dates", "one value only, '3.5'", "names or free text"):
        assert text in said
    assert "taken as numbers, though they have few different values: 'z' (2)" in data.notes


BAD: list[tuple[Any, type[BnfuseError], str]] = [
    ("a,b\n1.5,2\n2.5,x\n3.5,4\n4.5,5\n", MismatchError, "column 'b' mixes numbers with other values, 'x' in row 2"),
    ("a,b\n1.5,2\n2.5,-inf\n3.5,3\n", MismatchError, "column 'b' has the infinite value '-inf' in row 2"),
    ({"a": [1.0, 2.0], "b": [np.inf, 1.0]}, MismatchError, "column 'a' has the infinite value|'inf' in row 1"),
    ("a,b\n1.5,2\n", MismatchError, "has only one row, from which nothing can be learned"),
    ("a,b\n", FileError, "has a header and no rows"),
    ("a,b\n1,2\n1,2\n1,2\n", MismatchError, "no column is left to learn from.*'a' \\(one value only, '1'\\)"),
    ("a,b\n1,2\n2,2\n3,2\n", MismatchError, "one column is left to learn from"),
    (
        "a,b,sex,job\n1.5,2,m,u\n2.5,3,f,v\n3.5,3.5,m,u\n4.5,9,f,v\n",
        MismatchError,
        r"columns of categories, 'sex' \('m', 'f'\), 'job' \('u', 'v'\).*leave_out.*bins",
    ),
    ("a,a\n1,2\n2,3\n", MismatchError, "has two columns 'a'"),
    ({"a": [1, 2], "b": [1, 2, 3]}, MismatchError, "the columns must be lists of one length"),
    (np.zeros(3), OptionError, "an array of data has rows and columns"),
    (3, OptionError, "expected the path of a file"),
]


@pytest.mark.parametrize(("source", "kind", "message"), BAD)
def test_bad_tables_get_one_clear_line(source: Any, kind: type[BnfuseError], message: str, tmp_path: Path) -> None:
    with pytest.raises(kind, match=message) as caught:
        read_numeric(written(tmp_path, source) if isinstance(source, str) else source)
    assert "\n" not in str(caught.value)


def test_large_numbers_and_many_rows() -> None:
    values = np.random.default_rng(2).normal(size=(25_000, 3))
    values[::100, 1] = np.nan
    data = read_numeric(pandas.DataFrame(values, columns=list("abc")))
    assert isinstance(data, NumericData)
    assert np.array_equal(data.values, values, equal_nan=True)
    values[20_001, 2] = np.inf
    with pytest.raises(MismatchError, match="column 'c' has the infinite value 'inf' in row 20,002"):
        read_numeric(pandas.DataFrame(values, columns=list("abc")))
