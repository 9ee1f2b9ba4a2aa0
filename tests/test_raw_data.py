"""From a raw table to discrete data: what becomes of each kind of column, and one line for what cannot be used."""

import gzip
from datetime import datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnfuse import BnfuseError, MismatchError, OptionError, read, write
from bnfuse.data import readers
from bnfuse.data.data import MISSING, Data
from bnfuse.data.discretise import discretised
from bnfuse.data.raw_table import RawDataOptions
from samples import uniform

ROWS = 60
RNG = np.random.default_rng(5)
COLUMNS = {
    "id": [str(i + 1) for i in range(ROWS)],
    "sex": [("m", "f")[i % 2] for i in range(ROWS)],
    "score": [str(i % 7) for i in range(ROWS)],
    "age": [str(20 + (i * 7) % 50) for i in range(ROWS)],
    "dose": [repr(round(float(x), 3)) for x in RNG.exponential(size=ROWS)],
    "visit": [f"2024-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(ROWS)],
    "ward": ["west"] * ROWS,
    "remark": [f"patient was fine on day {i}" for i in range(ROWS)],
    "blank": [""] * ROWS,
}
STATES = {"sex", "score"}
CUT = {"age", "dose"}
LEFT_OUT = {
    "id": "every row has a different number, as in an identifier",
    "visit": "dates or times",
    "ward": "one value only, 'west'",
    "remark": "60 different values in 60 rows, as in names or free text",
    "blank": "missing values only",
}


def csv_text(columns, separator=","):
    return "\n".join(separator.join(row) for row in ([*columns], *zip(*columns.values(), strict=True))) + "\n"


@pytest.fixture
def written(tmp_path):
    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def refusal(source, **options):
    with pytest.raises(BnfuseError) as refused:
        discretised(source, **options)
    message = str(refused.value)
    assert "\n" not in message
    return message


def with_column(values, name="X"):
    """A table with this column and two plain ones."""
    return {
        "A": [("p", "q")[i % 2] for i in range(len(values))],
        name: values,
        "B": ["01"[i % 3 > 1] for i in range(len(values))],
    }


def test_each_kind_of_column_is_told(written):
    found = discretised(written(csv_text(COLUMNS)))
    assert set(found.data.variables) == STATES | CUT
    assert found.data.variables == tuple(name for name in COLUMNS if name in STATES | CUT)
    assert set(found.data.cuts) == CUT
    assert dict(found.left_out) == LEFT_OUT
    assert found.data.states["sex"] == ("f", "m")
    assert found.data.states["score"] == tuple("0123456")
    assert found.data.missing == 0
    assert len(found.data) == ROWS
    for name, reason in LEFT_OUT.items():
        assert f"left out {name!r}: {reason}" in found.notes
    assert any("name it in keep" in note and "in cut" in note for note in found.notes)
    for name in CUT:
        values = np.array(COLUMNS[name], float)
        assert found.data.column(name).tolist() == np.searchsorted(found.data.cuts[name], values).tolist()
        assert np.ptp(np.bincount(found.data.column(name))) <= 3
        assert any(f"{name!r} ({', '.join(found.data.states[name])})" in note for note in found.notes)


def test_all_sources_give_the_same_data(written, tmp_path):
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    pytest.importorskip("pyarrow", reason="needs the extra 'data'")
    text = csv_text(COLUMNS)
    path = written(text)
    frame = pandas.read_csv(path, parse_dates=["visit"])
    frame.to_parquet(tmp_path / "table.parquet")
    sources = [
        frame,
        tmp_path / "table.parquet",
        str(written(gzip.compress(text.encode()), "table.csv.gz")),
        written(csv_text(COLUMNS, ";"), "semicolon.csv"),
        written(csv_text(COLUMNS, "\t"), "tab.tsv"),
    ]
    expected = discretised(path)
    for found in map(discretised, sources):
        assert found.data.variables == expected.data.variables
        assert found.data.states == expected.data.states
        assert (found.data.codes == expected.data.codes).all()
        assert found.data.cuts == expected.data.cuts
        assert found.left_out.keys() == expected.left_out.keys()


def test_a_polars_table_is_taken_like_any_other(written):
    polars = pytest.importorskip("polars", reason="an optional package")
    path = written(csv_text(COLUMNS))
    found, expected = discretised(polars.read_csv(path, try_parse_dates=True)), discretised(path)
    assert found.data.states == expected.data.states
    assert (found.data.codes == expected.data.codes).all()


def test_what_looks_like_a_polars_table_is_read_in_slices(monkeypatch):
    """The few methods that are used of polars, which need not be installed."""

    class Column(list):
        to_list = list.copy

    class Frame:
        columns = ("A", "B")

        def __init__(self, columns):
            self._columns = columns

        def __len__(self):
            return len(self._columns[0])

        def slice(self, start, length):
            return Frame([Column(column[start : start + length]) for column in self._columns])

        def get_columns(self):
            return self._columns

    Frame.__module__ = "polars.dataframe.frame"
    monkeypatch.setattr(readers, "_BATCH", 3)
    found = discretised(Frame([Column("abababa"), Column([1, None, 2, 2, 1, 1, 2])]))
    assert found.data.codes.T.tolist() == [[0, 1, 0, 1, 0, 1, 0], [0, MISSING, 1, 1, 0, 0, 1]]


def test_data_stay_as_they_are_but_for_constant_columns():
    states = {"A": ("b", "a"), "B": tuple(map(str, range(200))), "C": ("x", "y")}
    codes = np.array([[0, 150, 0], [1, MISSING, 0], [1, 3, 0]], np.int16)
    found = discretised(Data(tuple(states), states, codes))
    assert found.data.states == {"A": states["A"], "B": states["B"]}
    assert found.data.codes.tolist() == [[0, 150], [1, MISSING], [1, 3]]
    assert dict(found.left_out) == {"C": "one value only, 'x'"}


def test_the_categories_of_pandas_keep_their_order():
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    frame = pandas.DataFrame(
        {
            "A": pandas.Categorical(["mid", "low", None, "mid"], ["low", "mid", "high"]),
            "B": pandas.Categorical([3, 1, 1, 2], [3, 2, 1]),
            "C": [True, False, True, True],
        }
    )
    found = discretised(frame)
    assert found.data.states == {"A": ("low", "mid", "high"), "B": ("3", "2", "1"), "C": ("False", "True")}
    assert found.data.codes.tolist() == [[1, 0, 1], [0, 2, 0], [MISSING, 2, 1], [1, 1, 1]]


def test_up_to_ten_numbers_are_states_and_more_are_cut(written):
    for distinct, is_cut in ((10, False), (11, True)):
        found = discretised(written(csv_text(with_column([f"{(i * 7) % distinct}" for i in range(99)]))))
        assert ("X" in found.data.cuts) == is_cut
        assert len(found.data.states["X"]) == (3 if is_cut else 10)


def test_notes_name_every_column_of_a_wide_table(written):
    numbers = {f"N{i}": [f"{i + row}.5" for row in range(30)] for i in range(20)}
    days = {f"D{i}": [f"2024-01-{row % 28 + 1:02}" for row in range(30)] for i in range(20)}
    notes = discretised(written(csv_text({**numbers, **days}))).notes
    for name in (*numbers, *days):
        assert any(repr(name) in note for note in notes)


def test_labels_that_are_the_same_number_are_one_state(written):
    found = discretised(written(csv_text(with_column(["1", "1.0", "2", "02", "NA", "10"]))))
    assert found.data.states["X"] == ("1", "2", "10")
    assert found.data.column("X").tolist() == [0, 0, 1, 1, MISSING, 2]


def test_columns_can_be_kept_cut_and_left_out(written):
    path = written(csv_text(COLUMNS))
    found = discretised(path, keep=["visit", "age"], cut=["score", "id"], leave_out="sex", bins=4)
    assert set(found.data.variables) == {"visit", "age", "dose", "score", "id"}
    assert found.data.states["age"] == tuple(sorted(set(COLUMNS["age"]), key=int))
    assert set(found.data.cuts) == {"score", "id", "dose"}
    assert np.bincount(found.data.column("id")).tolist() == [15, 15, 15, 15]
    assert found.left_out["sex"] == "as requested"
    assert set(discretised(path, leave_out=("ward", "id")).left_out) == set(LEFT_OUT)


@pytest.mark.parametrize("binning", ["quantile", "width"])
def test_ties_give_fewer_classes_and_a_note_says_so(written, binning):
    found = discretised(
        written(csv_text(with_column(["0"] * 80 + [str(i) for i in range(20)]))), binning=binning, bins=5
    )
    way, classes = {"quantile": ("quantile", 2), "width": ("equal width", 5)}[binning]
    assert len(found.data.states["X"]) == classes
    note = next(note for note in found.notes if note.startswith("cut into"))
    assert note.startswith(f"cut into {classes} classes by {way}")
    assert ("too many values are equal" in note) == (classes < 5)


def test_classes_of_equal_width_that_would_be_empty_are_joined_and_a_note_says_so(written):
    cells = [str(i) for i in range(20, 0, -1)] + ["1000"]
    found = discretised(written(csv_text(with_column(cells))), binning="width", bins=5)
    assert found.data.cuts["X"] == (200.0,)
    assert "cut into 2 classes by equal width, as others would be empty: 'X' (<=200, >200)" in found.notes


MISSING_CELLS = with_column(["1.5", "NA", "", "null", "N/A", *(str(i / 3) for i in range(15)), "?", "NaN"])


def test_missing_values_stay_missing(written):
    found = discretised(written(csv_text(MISSING_CELLS)))
    assert np.flatnonzero(found.data.column("X") == MISSING).tolist() == [1, 2, 3, 4, 20, 21]
    assert "6 of 66 values are missing, in 1 column" in found.notes


def test_rows_with_missing_values_can_be_dropped_before_anything_is_cut(written):
    whole = {
        name: [one for one, x in zip(cells, MISSING_CELLS["X"], strict=True) if x[:1].isdigit()]
        for name, cells in MISSING_CELLS.items()
    }
    found = discretised(written(csv_text(MISSING_CELLS)), missing="drop")
    expected = discretised(written(csv_text(whole)))
    assert (found.data.codes == expected.data.codes).all()
    assert found.data.missing == 0
    assert "dropped 6 of 22 rows, which have missing values" in found.notes


def test_missing_values_can_be_refused(written):
    said = refusal(written(csv_text(MISSING_CELLS)), missing="error")
    assert "column 'X' has 6 missing values, the first in row 2" in said
    discretised(written(csv_text(COLUMNS)), missing="error")  # a column that is left out does not count


def test_a_column_that_dropping_rows_leaves_constant_is_left_out(written):
    columns = {
        "A": list("xyxyxy"),
        "B": list("ppqqpq"),
        "C": ["1", "1", "1", "", "", "2"],
        "D": ["", "u", "u", "v", "v", ""],
    }
    found = discretised(written(csv_text(columns)), missing="drop", leave_out=())
    assert dict(found.left_out) == {
        "C": "one value only in the rows that are complete",
        "D": "one value only in the rows that are complete",
    }
    assert found.data.codes.tolist() == [[1, 0], [0, 1]]


def test_decimal_commas_and_commas_between_thousands_are_understood(written):
    text = "A;X\n" + "".join(f"{'pq'[i % 2]};{i},{i % 10}5\n" for i in range(40))
    found = discretised(written(text))
    values = np.array([float(f"{i}.{i % 10}5") for i in range(40)])
    assert found.data.column("X").tolist() == np.searchsorted(found.data.cuts["X"], values).tolist()
    assert "read the comma as the decimal point in 'X'" in found.notes
    text = "A;X;B\n" + "".join(f"{'pq'[i % 2]};{i},{i:03};{'pq'[i % 3 > 0]}\n" for i in range(1, 40))
    found = discretised(written(text))
    values = np.array([1001 * i for i in range(1, 40)])
    assert found.data.column("X").tolist() == np.searchsorted(found.data.cuts["X"], values).tolist()
    assert "removed the thousands separators from the numbers in 'X'" in found.notes


@pytest.mark.parametrize(
    ("name", "values", "is_left_out"),
    [
        ("X", [str(i) for i in range(30)], True),  # counts the rows
        ("X", [str(i + 1) for i in range(30)], True),
        ("X", [str(30 - i) for i in range(30)], True),
        ("X", [str(1000 + 3 * i) for i in range(30)], False),  # sorted measurements, perhaps
        ("X", [str(58 + i) for i in range(30)], False),
        ("X", [str((i * 7) % 30) for i in range(30)], False),  # ranks, perhaps
        ("patient_id", [str((i * 7) % 30 * 11) for i in range(30)], True),
        ("Unnamed: 0", [str((i * 7) % 30 * 11) for i in range(30)], True),
        ("X", [str((i * 7) % 30 * 11) for i in range(30)], False),  # an income, perhaps
        ("period", [str((i * 7) % 30 * 11) for i in range(30)], False),
        ("patient_id", [str(i % 20) for i in range(30)], True),  # of several rows each
        ("ID", [str((i * 7) % 30 * 11) for i in range(30)], True),
        ("MRN", [str((i * 7) % 30 * 11) for i in range(30)], True),
        ("subject", [str((i * 7) % 30 * 11) for i in range(30)], True),
        ("PATID", [str((i * 7) % 30 * 11) for i in range(30)], True),
        ("caseNo", [str((i * 7) % 30 * 11) for i in range(30)], True),
        ("acid", [str((i * 7) % 30 * 11) for i in range(30)], False),
        ("no", [str(i % 20) for i in range(30)], False),  # repeats, and may be anything
        ("X", [str(i + 0.5) for i in range(30)], False),
    ],
)
def test_identifiers_are_whole_numbers_that_tell_rows_apart(written, name, values, is_left_out):
    found = discretised(written(csv_text(with_column(values, name))))
    assert (name in found.left_out) == is_left_out
    assert (name in found.data.cuts) != is_left_out


@pytest.mark.parametrize(
    "shape",
    [
        "2024-0{}-17",
        "2024-01-0{}T10:30",
        "2024-01-02 10:0{}:00.125Z",
        "0{}.12.2024",
        "1/{}/24",
        "1{}:45",
        "{} days 00:00:00",
    ],
)
def test_dates_and_times_are_recognised(written, shape):
    found = discretised(written(csv_text(with_column([shape.format(i % 9 + 1) for i in range(30)]))))
    assert dict(found.left_out) == {"X": "dates or times"}


@pytest.mark.parametrize("count", [1_500, 3])
def test_what_is_nearly_a_date_is_text(written, count):
    values = [f"{i}-2024-A" for i in range(count)] * 2
    assert ("X" in discretised(written(csv_text(with_column(values)))).left_out) == (count > 10)


def test_row_names_of_R_are_left_out(written):
    text = "A,B\n" + "".join(f"{i},{'pq'[i % 2]},{'pq'[i % 3 > 0]}\n" for i in range(20))
    assert dict(discretised(written(text)).left_out) == {"": "it has no name"}


def test_a_table_without_a_header_is_wondered_at(written):
    notes = discretised(written("1,2\n0,1\n1,0\n1,1\n")).notes
    assert "the names of all columns are numbers: does the table have a header?" in notes


@given(
    st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6), st.integers(-50, 50)), min_size=30, max_size=60),
    st.integers(2, 6),
    st.sampled_from(["quantile", "width"]),
)
@settings(max_examples=50)
def test_codes_follow_from_the_cuts_whatever_the_numbers(values, bins, binning):
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    frame = pandas.DataFrame(
        {"X": values, "A": [i % 2 for i in range(len(values))], "B": [i % 3 for i in range(len(values))]}
    )
    found = discretised(frame, bins=bins, binning=binning)
    if "X" not in found.data.cuts:
        return
    numbers = np.array([np.nan if one is None else one for one in values], float)
    expected = np.where(np.isnan(numbers), MISSING, np.searchsorted(found.data.cuts["X"], numbers))
    assert found.data.column("X").tolist() == expected.tolist()


def test_more_values_than_labels_are_numbers_or_nothing(written):
    """Beyond 1,000 labels numbers go on as numbers; missing values before and after are kept."""
    numbers = np.random.default_rng(0).normal(size=3_000).round(6)
    cells = ["" if i % 100 == 0 else "NA" if i % 100 == 50 else repr(float(x)) for i, x in enumerate(numbers)]
    found = discretised(written(csv_text(with_column(cells))))
    known = np.array([i % 50 != 0 for i in range(3_000)])
    assert ((found.data.column("X") != MISSING) == known).all()
    assert found.data.column("X")[known].tolist() == np.searchsorted(found.data.cuts["X"], numbers[known]).tolist()
    assert np.ptp(np.bincount(found.data.column("X")[known])) <= 1


def test_very_many_names_are_left_out_and_cannot_be_kept(written):
    path = written("A,B,X\n" + "".join(f"{i % 2},{i % 3},n{i}\n" for i in range(50_000)))
    assert dict(discretised(path).left_out) == {"X": "more than 1,000 different values, as in names or free text"}
    assert "keep: the column 'X' has more than 1,000 different values, too many to be states" in refusal(path, keep="X")


def test_the_classes_survive_in_files_without_quotes(written, tmp_path):
    found = discretised(written(csv_text(COLUMNS)), cut=["id"])
    states = {**found.data.states, "neg": ("<=-2", "-1..1", ">1"), "small": ("<=2e-07", "2e-07..3e-07", ">3e-07")}
    network = uniform(states)
    for name in ("network.bif", "network.xmlbif"):
        write(network, tmp_path / name)
        [back] = read(tmp_path / name)
        assert back.states == states
    assert '"' not in (tmp_path / "network.bif").read_text()  # which other programs do not know


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("A,B\n", "has a header and no rows"),
        ("A,B\n1,2\n", "has only one row, from which nothing can be learned"),
        ("A\nx\ny\n", "one column is left to learn from, and two are needed"),
        (
            "A,B\n,\n?,NA\n",
            "no column is left to learn from, and two are needed; left out: 'A' (missing values only), 'B'",
        ),
        ("A,B,A\n1,2,3\n2,1,3\n", "has two columns 'A'"),
        ("A, A\n1,2\n2,1\n", "has two columns 'A'"),
        (",\n1,2\n2,1\n", "has no column with a name"),
        ("A,B\n1,2\n2\n", ":3: this row has 1 cell, the header has 2"),
        (
            "A,B\nx,p\ny,p\n",
            "one column is left to learn from, and two are needed; left out: 'B' (one value only, 'p')",
        ),
        ('A,B\n1,"2\n', "is not valid CSV"),
        ("A,B\nyes,é\n".encode("utf-16"), "is encoded in UTF-16"),
        (b"\x00\xff\xfe\x00", "is not valid UTF-8"),
        pytest.param(
            "A,B\n1,2\n" + "3," * 3_000_000, ":3: this line has more than 4,194,304 characters", id="long row"
        ),
        pytest.param("A" * 5_000_000, ":1: this line has more than 4,194,304 characters", id="long header"),
        pytest.param("A,B\n1,2\n" + "x" * 200_000 + ",1\n", "is not valid CSV: field larger than", id="long cell"),
    ],
)
def test_bad_files_get_one_clear_line(written, content, message):
    path = written(content)
    said = refusal(path)
    assert said.startswith(str(path))
    assert message in said


def test_numbers_mixed_with_words_are_refused_and_named(written):
    for count in (40, 2_000):  # while there are few labels, and after
        cells = [repr(i * 1.5) for i in range(count)]
        cells[7] = "inf"
        cells[count - 3] = ">100"
        path = written(csv_text(with_column(cells)))
        said = refusal(path)
        assert "column 'X' mixes numbers with other values, 'inf' in row 8 and 1 more" in said
        assert "leave_out or keep" in said
        assert discretised(path, leave_out="X").data.variables == ("A", "B")
    assert "does not hold two different numbers" in refusal(path, cut="X")


def test_numbers_too_long_to_be_told_apart_are_names(written):
    cells = [str(2**62 + i) for i in range(30)]
    found = discretised(written(csv_text(with_column(cells))))
    assert dict(found.left_out) == {"X": "30 different values in 30 rows, as in names or free text"}
    assert len(discretised(written(csv_text(with_column(cells))), keep="X").data.states["X"]) == 30


def test_the_types_of_parquet_are_understood(tmp_path):
    pyarrow = pytest.importorskip("pyarrow", reason="needs the extra 'data'")
    from pyarrow import parquet

    start = datetime(2024, 1, 1)
    columns = {
        "flag": [i % 2 == 0 for i in range(40)],
        "moment": [start + timedelta(hours=i) for i in range(40)],
        "day": [(start + timedelta(days=i % 5)).date() for i in range(40)],
        "span": [timedelta(minutes=i) for i in range(40)],
        "price": [Decimal(i) / 4 for i in range(40)],
        "nothing": [None] * 40,
        "small": pyarrow.array([i % 3 for i in range(40)], pyarrow.int8()),
    }
    path = tmp_path / "table.parquet"
    parquet.write_table(pyarrow.table(columns), path)
    found = discretised(path)
    assert set(found.left_out) == {"moment", "day", "span", "nothing"}
    assert found.data.states["flag"] == ("False", "True")
    assert found.data.states["small"] == ("0", "1", "2")
    assert found.data.column("price").tolist() == np.searchsorted(found.data.cuts["price"], np.arange(40) / 4).tolist()
    for nested in ([[i] for i in range(40)], [{"a": i} for i in range(40)]):
        parquet.write_table(pyarrow.table({**columns, "nested": nested}), path)
        assert "column 'nested' holds something other than values" in refusal(path)
        assert discretised(path, leave_out="nested").data.states == found.data.states


def test_too_many_columns_are_refused(written):
    names = [f"V{i}" for i in range(10_001)]
    assert "has 10,001 columns, and at most 10,000" in refusal(written(csv_text({name: ["1", "2"] for name in names})))


def test_what_is_infinite_is_no_number_however_late_it_comes(written):
    cells = [repr(i * 1.5) for i in range(3_000)]
    cells[2_500] = "-inf"
    assert "'-inf' in row 2,501: if that means missing, name it in na" in refusal(written(csv_text(with_column(cells))))


def test_odd_values_of_parquet_are_counted_by_cell(tmp_path):
    pytest.importorskip("pyarrow", reason="needs the extra 'data'")
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    cells = ["low" if i % 1_000 == 7 else str(i * 1.5) for i in range(30_000)]
    pandas.DataFrame(with_column(cells)).to_parquet(tmp_path / "table.parquet")
    assert "'low' in row 8 and 29 more" in refusal(tmp_path / "table.parquet")


@pytest.mark.parametrize(
    ("values", "is_left_out"),
    [
        ([f"v{i % 100}" for i in range(500)], False),
        ([f"v{i % 101}" for i in range(500)], True),
        ([f"v{i % 11}" for i in range(22)], False),
        ([f"v{i % 11}" for i in range(21)], True),
        ([f"v{i}" for i in range(10)], False),
        ([f"{i * 7 % 30 * 11}_5" for i in range(30)], True),  # no numbers, though Python takes them for some
        ([str(i) for i in range(11, 0, -1)], True),  # of rows, from the last to the first
        ([str(i) for i in range(10, 0, -1)], False),
        ([str(i) for i in range(20)] + [f"v{i}" for i in range(21)], True),  # more words than numbers
        ([str(i) for i in range(10)] + [f"v{i}" for i in range(10)], True),
        (([str(i) for i in range(10)] + [f"v{i}" for i in range(10)]) * 2, False),  # few numbers and words are states
    ],
)
def test_the_limits_are_where_the_documentation_says(written, values, is_left_out):
    found = discretised(written(csv_text(with_column(values))))
    assert ("X" in found.left_out) == is_left_out
    assert not found.data.cuts


def test_as_many_numbers_as_words_are_mixed(written):
    values = [str(i * 3 % 40) for i in range(20)] + [f"v{i}" for i in range(20)]
    assert "column 'X' mixes numbers with other values, 'v0' in row 21 and 19 more" in refusal(
        written(csv_text(with_column(values)))
    )


def test_categories_that_are_the_same_number_stay_two():
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    frame = pandas.DataFrame({"X": pandas.Categorical(["1", "1.0", "1"], ["1.0", "1"]), "A": [1, 2, 1]})
    found = discretised(frame)
    assert found.data.states["X"] == ("1.0", "1")
    assert found.data.column("X").tolist() == [1, 0, 1]
    assert "does not hold two different numbers" in refusal(frame, cut="X")


def test_categories_can_be_cut_and_too_many_are_judged_like_other_values():
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    frame = pandas.DataFrame(with_column([i * 7 % 20 for i in range(40)])).astype({"X": "category"})
    assert set(discretised(frame).data.cuts) == set()
    assert set(discretised(frame, cut="X").data.cuts) == {"X"}
    for cells, is_cut in (([i * 7 % 1_500 for i in range(3_000)], True), ([f"n{i}" for i in range(3_000)], False)):
        found = discretised(pandas.DataFrame(with_column(cells)).astype({"X": "category"}))
        assert (set(found.data.cuts), set(found.left_out)) == (({"X"}, set()) if is_cut else (set(), {"X"}))


def test_few_numbers_and_words_are_states(written):
    found = discretised(written(csv_text(with_column(["0", "1", "2", "3+"] * 9))))
    assert found.data.states["X"] == ("0", "1", "2", "3+")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bins": 1}, "bins must be a whole number of at least 2; got 1"),
        ({"bins": 101}, "bins must be at most 100; got 101"),
        ({"binning": "kmeans"}, "binning must be one of 'quantile', 'width'; got 'kmeans'"),
        ({"missing": "guess"}, "missing must be one of 'available', 'drop', 'error'; got 'guess'"),
        ({"keep": 7}, "keep must be names of columns; got 7"),
        ({"keep": ["age"], "cut": ["age"]}, "keep and cut both name the column 'age'"),
        ({"keep": "Age"}, "has no column 'Age' (did you mean 'age'?), which keep names"),
        ({"leave_out": "zzz"}, "has no column 'zzz', which leave_out names"),
        ({"cut": "sex"}, "cut: the column 'sex' does not hold two different numbers"),
        ({"keep": "ward"}, "keep: the column 'ward' does not hold two different values"),
        ({"keep": "blank"}, "keep: the column 'blank' does not hold two different values"),
    ],
)
def test_options_that_cannot_be_met_get_one_clear_line(written, options, message):
    assert message in refusal(written(csv_text(COLUMNS)), **options)


def test_tables_that_cannot_be_read_get_one_clear_line(tmp_path):
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    assert "has no column with a name" in refusal(pandas.DataFrame())
    assert "has a header and no rows" in refusal(pandas.DataFrame({"A": [], "B": []}))
    assert "holds something other than values" in refusal(pandas.DataFrame({"A": [[1], [2]], "B": [1, 2]}))
    assert "has two columns 'A'" in refusal(pandas.DataFrame([[1, 2], [2, 1]], columns=["A", "A"]))
    assert "expected the path of a file, a DataFrame or Data, got int" in refusal(7)
    assert "no such file" in refusal(tmp_path / "none.csv")


def test_no_complete_row_is_refused(written):
    path = written("A,B,C\nx,p,\ny,,u\n,q,v\nx,q,\n")
    assert "no row is complete" in refusal(path, missing="drop")
    assert "one row is complete" in refusal(written("A,B,C\nx,p,u\ny,,u\n,q,v\nx,q,\n"), missing="drop")


def test_the_options_have_the_defaults_of_the_function():
    assert RawDataOptions() == RawDataOptions(3, "quantile", "available", (), (), ())
    with pytest.raises(OptionError):
        RawDataOptions(bins=0)
    with pytest.raises(MismatchError):
        discretised(Data(("A",), {"A": ("x", "y")}, np.array([[0], [1]])))
