"""Data sets: the same rows from every source, and one clear line for what is wrong with them."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import BnfuseError, BnfuseWarning, MissingPackageError, OptionError
from bnfuse._base import optional
from bnfuse.data import data
from bnfuse.data.data import MISSING, Data, as_data

STATES = {"A": ("yes", "no"), "B": ("low", "high", "very, very high")}
ROWS = 'B,A\nlow,yes\nhigh,no\n"very, very high",yes\nlow,no\n'
CODES = [[0, 0], [1, 1], [0, 2], [1, 0]]


@pytest.fixture
def written(tmp_path):
    """Writes a file and returns its path."""

    def write(content, name="rows.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def refusal(source, states=STATES, variables=("A", "B")):
    with pytest.raises(BnfuseError) as refused:
        as_data(source, variables, states)
    message = str(refused.value)
    assert "\n" not in message
    return message


def test_a_csv_file_becomes_numbers_of_states(written):
    found = as_data(written(ROWS), ("A", "B"), STATES)
    assert found.variables == ("A", "B")
    assert found.states == STATES
    assert found.codes.tolist() == CODES
    assert len(found) == 4
    assert found.missing == 0


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\n\n"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_other_separators_line_ends_and_a_byte_order_mark_are_understood(written, separator, line_end):
    text = line_end.join(separator.join(row) for row in (["A", "B"], ["yes", "low"], ["no", "high"]))
    assert as_data(written(b"\xef\xbb\xbf" + text.encode()), ("A", "B"), STATES).codes.tolist() == [[0, 0], [1, 1]]


def test_gzipped_csv_is_unpacked_whatever_its_name(written):
    for name in ("rows.csv.gz", "rows.csv"):
        assert as_data(written(gzip.compress(ROWS.encode()), name), ("A", "B"), STATES).codes.tolist() == CODES


@pytest.mark.parametrize("marker", ["", "NA", "?", "nan", "NaN", "NULL", " NA ", "  "])
@pytest.mark.parametrize("states", [STATES, None], ids=["known", "inferred"])
def test_missing_cells_are_known_by_their_markers(written, marker, states):
    found = as_data(written(f"A,B\nyes,{marker}\nno,low\n{marker},high\n"), ("A", "B"), states)
    assert (found.codes == MISSING).tolist() == [[False, True], [False, False], [True, False]]
    assert found.missing == 2


def test_the_missing_values_of_pandas_are_missing():
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    for nothing in (None, float("nan"), np.float32("nan"), pandas.NA, pandas.NaT, "NA", ""):
        frame = pandas.DataFrame({"A": ["yes", nothing], "B": ["low", "low"]}, dtype=object)
        assert as_data(frame, ("A", "B"), STATES).codes.tolist() == [[0, 0], [MISSING, 0]]


def test_a_state_without_a_label_does_not_swallow_the_missing_cells_of_a_csv_file(written, tmp_path):
    states = {"A": ("", "yes"), "B": ("x", "y")}
    assert as_data(written("A,B\n,x\nyes,y\n"), ("A", "B"), states).codes.tolist() == [[MISSING, 0], [1, 1]]
    there = Data(("A", "B"), states, np.array([[0, 0], [MISSING, 1]], np.int8))
    with pytest.raises(BnfuseError, match="a state of 'A' has an empty label"):
        there.write(tmp_path / "other.csv")
    pytest.importorskip("pyarrow", reason="needs the extra 'data'")
    there.write(tmp_path / "rows.parquet")
    assert as_data(tmp_path / "rows.parquet", ("A", "B"), states).codes.tolist() == [[0, 0], [MISSING, 1]]


def test_spaces_around_labels_and_names_do_not_count(written):
    text = "B , A\nlow , yes\nhigh,no  \n"
    assert as_data(written(text), ("A", "B"), STATES).codes.tolist() == [[0, 0], [1, 1]]
    assert as_data(written(text), ("A", "B")).states == {"A": ("no", "yes"), "B": ("low", "high")}


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("id,A,B\n7,yes,low\n8,no,high\n", "the column 'id'"),
        ("A,id,B,C\nyes,7,low,1\nno,8,high,2\n", "the columns 'id', 'C'"),
        ('"","A","B"\n"1","yes","low"\n"2","no","high"\n', "the column without a name"),
        ('"A","B"\n"1","yes","low"\n"2","no","high"\n', "the column without a name"),
    ],
    ids=["identifier", "several", "R's write.csv", "R's write.table"],
)
def test_columns_that_are_no_variables_are_left_out_and_named(written, content, named):
    with pytest.warns(BnfuseWarning, match=f"left out {named}: the network has no such variable"):
        assert as_data(written(content), ("A", "B"), STATES).codes.tolist() == [[0, 0], [1, 1]]


def test_states_may_be_known_of_some_variables_only(written):
    found = as_data(written(ROWS), ("A", "B"), {"A": STATES["A"]})
    assert found.states == {"A": ("yes", "no"), "B": ("high", "low", "very, very high")}
    assert found.codes.tolist() == [[0, 1], [1, 0], [0, 2], [1, 1]]


@pytest.mark.parametrize(
    "labels",
    [
        ("1", "2", "10"),
        ("-2", "-1", "0", "0.5", "3"),
        ("x2", "x10", "y1"),
        ("[0,18.5]", "(18.5,25]", "(25,100]"),
        ("(-Inf,3]", "(3,10]", "(10, Inf]"),
        ("low", "medium", "high"),
        ("2", "10", "many"),
    ],
)
def test_labels_that_occur_sort_as_people_sort_them(written, labels):
    cells = "".join(f'"{label}"\n' for label in sorted(labels, reverse=True))
    assert as_data(written(f"A\n{cells}"), ("A",)).states["A"] == labels


def test_a_state_that_is_called_na_is_no_missing_value(written):
    found = as_data(written("A\nNA\nx\n?\n"), ("A",), {"A": ("x", "NA")})
    assert found.codes.tolist() == [[1], [0], [MISSING]]


def test_without_states_the_sorted_labels_are_the_states(written):
    found = as_data(written(ROWS), ("A", "B"))
    assert found.states == {"A": ("no", "yes"), "B": ("high", "low", "very, very high")}
    assert found.codes.tolist() == [[1, 1], [0, 0], [1, 2], [0, 1]]


@pytest.mark.parametrize("name", ["rows.csv", "rows.csv.gz", "rows.parquet"])
def test_what_is_written_is_read_back(tmp_path, name):
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="needs the extra 'data'")
    original = Data(("A", "B"), STATES, np.array([*CODES, [MISSING, 1], [0, MISSING]], np.int8))
    original.write(tmp_path / name)
    found = as_data(tmp_path / name, ("A", "B"), STATES)
    np.testing.assert_array_equal(found.codes, original.codes)
    assert as_data(tmp_path / name, ("B", "A"), STATES).codes[:, 1].tolist() == original.codes[:, 0].tolist()


def test_pandas_and_data_are_matched_by_label():
    pytest.importorskip("pandas", reason="needs the extra 'data'")
    original = Data(("A", "B"), STATES, np.array([*CODES, [MISSING, 1]], np.int8))
    turned = {"A": ("no", "yes"), "B": ("high", "low", "very, very high")}
    for source in (original, original.to_pandas(), original.to_pandas().astype(object)):
        np.testing.assert_array_equal(as_data(source, ("A", "B"), STATES).codes, original.codes)
        other = as_data(source, ("B", "A"), turned)
        assert other.codes.tolist() == [[1, 1], [0, 0], [2, 1], [1, 0], [0, MISSING]]


def test_numbers_in_pandas_are_labels_even_where_some_are_missing():
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    states = {"A": ("0", "1"), "B": ("False", "True")}
    frame = pandas.DataFrame({"A": [1, None, 0], "B": [True, False, None]})
    assert frame["A"].dtype == float
    assert as_data(frame, ("A", "B"), states).codes.tolist() == [[1, 1], [MISSING, 0], [0, MISSING]]
    whole = pandas.DataFrame({"A": [1, 0], "B": [True, False]})
    assert as_data(whole, ("A", "B"), states).codes.tolist() == [[1, 1], [0, 0]]
    assert "something other than labels" in refusal(pandas.DataFrame({"A": [[1]], "B": [[2]]}), states)


@given(st.data())
def test_any_labels_survive_a_csv_file(tmp_path_factory, draw):
    text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=6)
    labels = draw.draw(st.lists(text.filter(lambda label: label == label.strip()), min_size=2, max_size=6, unique=True))
    states = {"A": tuple(labels), "B": ("x", "y")}
    codes = draw.draw(st.lists(st.integers(-1, len(labels) - 1), min_size=1, max_size=20))
    if "" in labels:
        return
    original = Data(("A", "B"), states, np.array([[code, 0] for code in codes], np.int8))
    path = tmp_path_factory.mktemp("labels") / "rows.csv"
    original.write(path)
    assert as_data(path, ("A", "B"), states).codes.tolist() == original.codes.tolist()


def test_a_label_with_a_line_end_survives_a_csv_file(tmp_path):
    states = {"A": ("0", "0\r0", "0\n0")}
    original = Data(("A",), states, np.array([[1], [0], [2]], np.int8))
    original.write(tmp_path / "rows.csv")
    assert as_data(tmp_path / "rows.csv", ("A",), states).codes.tolist() == [[1], [0], [2]]


def test_more_states_than_a_byte_can_count(written):
    labels = tuple(f"s{i}" for i in range(300))
    found = as_data(written("A\n" + "\n".join(labels)), ("A",), {"A": labels})
    assert found.codes[:, 0].tolist() == list(range(300))
    assert sorted(as_data(written("A\n" + "\n".join(labels)), ("A",)).states["A"]) == sorted(labels)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("A,B\n", "has a header and no rows"),
        ("A,B\nyes,low\nno\n", ":3: this row has 1 cell, the header has 2"),
        ("A,B\nyes,low\nno,low,high\n", ":3: this row has 3 cells, the header has 2"),
        ('A,B\nyes,"low\n', "is not valid CSV"),
        ("A\nyes\n", "lacks the column 'B': each variable needs a column"),
        ("A, b \nyes,low\n", "lacks the column 'B', though there is a column 'b': each variable needs a column"),
        ("A,B\nyes,low,\n", ":2: this row has 3 cells, the header has 2"),
        ("A,B,A\nyes,low,no\n", "has two columns 'A'"),
        (
            "A,B\nyes,low\nmaybe,low\nperhaps,low\n",
            "column 'A', row 2: 'maybe' is not a state of 'A', nor is 'perhaps'; its states are 'yes', 'no'",
        ),
        ("A,B\ny\u00e9s,low\n".encode("latin-1"), "is not valid UTF-8 text; save it as UTF-8"),
        ("A,B\nyes,low\n".encode("utf-16"), "is encoded in UTF-16; save it as UTF-8"),
        (b"A,B\nye\0s,low\n", r"row 1: 'ye\x00s' is not a state of 'A' (did you mean 'yes'?); its"),
        pytest.param(gzip.compress(ROWS.encode())[:-12], "the file is truncated", id="truncated gzip"),
        pytest.param(gzip.compress(ROWS.encode())[:10] + b"garbage", "the gzipped content", id="damaged gzip"),
    ],
)
def test_bad_files_get_one_clear_line(written, content, message):
    path = written(content)
    said = refusal(path)
    assert said.startswith(str(path))
    assert message in said


def test_ten_thousand_labels_are_no_states(written):
    path = written("A,B\n" + "\n".join(f"patient{i},low" for i in range(10_000)))
    assert "column 'A' has more than 1,000 different labels" in refusal(path, None)
    assert "row 1: 'patient0' is not a state of 'A', nor are 'patient1', " in refusal(path)


def test_a_constant_column_cannot_tell_the_states(written):
    path = written("A,B\nyes,low\nyes,high\n")
    assert "column 'A' has one label only, 'yes'; a variable needs two states" in refusal(path, None)
    assert as_data(path, ("A", "B"), STATES).codes.tolist() == [[0, 0], [0, 1]]
    assert "column 'A' has missing values only" in refusal(written("A,B\n?,low\n,high\n"), None)


def test_files_that_cannot_be_opened_get_one_clear_line(tmp_path, written):
    assert "no such file" in refusal(tmp_path / "none.csv")
    assert "is a folder" in refusal(_folder(tmp_path / "folder.csv"))
    assert "use .csv, .csv.gz or .parquet" in refusal(tmp_path / "rows.xlsx")
    assert "is not gzipped" in refusal(written(ROWS, "rows.csv.gz"))
    with pytest.raises(OptionError, match="expected the path of a file"):
        as_data(7, ("A",))


def _folder(path):
    path.mkdir()
    return path


def test_broken_parquet_files_get_one_clear_line(tmp_path, written):
    pytest.importorskip("pyarrow", reason="needs the extra 'data'")
    assert "cannot be read as Parquet" in refusal(written("A,B\n", "rows.parquet"))
    assert "no such file" in refusal(tmp_path / "none.parquet")


def test_a_missing_package_is_named_with_its_extra(monkeypatch, tmp_path):
    def no_module(name):
        raise ImportError(name)

    monkeypatch.setattr(optional.importlib, "import_module", no_module)
    with pytest.raises(MissingPackageError, match=r"reading Parquet files needs .* pip install 'bnfuse\[data\]'"):
        as_data(tmp_path / "rows.parquet", ("A",))
    with pytest.raises(MissingPackageError, match="writing Parquet files"):
        data.check_output(tmp_path / "rows.parquet")


def test_separators_and_spaces_in_names_survive(tmp_path):
    states = {"a;b;c": (" x", "y "), " B": ("1", "2")}
    there = Data(tuple(states), states, np.array([[0, 1], [1, 0], [MISSING, 1]], np.int8))
    there.write(tmp_path / "odd.csv")
    back = as_data(tmp_path / "odd.csv", tuple(states), states)
    assert (back.codes == there.codes).all()


@pytest.mark.parametrize("content", ["A,B\n1,2\n", "A,B\nyes,low\n", "from,to\nA,B\n"])
def test_data_replace_no_file_unless_told(written, content):
    there = Data(("A", "B"), STATES, np.array(CODES, np.int8))
    path = written(content)
    with pytest.raises(BnfuseError, match=r"exists; to replace it: overwrite=True"):
        there.write(path)
    assert path.read_text() == content
    there.write(path, overwrite=True)
    assert path.read_text() == there.to_csv()


@pytest.mark.parametrize("rows", ["1.0,low\n0.0,low\n,high\n", "1,low\n0,low\nNA,high\n", "1.00,low\n+0,low\n?,high\n"])
def test_a_number_stands_for_the_state_with_that_number(written, rows):
    """As pandas writes 0 and 1 in a column with missing values."""
    path = written("A,B\n" + rows)
    states = {"A": ("0", "1"), "B": ("low", "high")}
    assert as_data(path, ["A", "B"], states).column("A").tolist() == [1, 0, -1]
    frame = pytest.importorskip("pandas", reason="needs the extra 'data'").read_csv(path, na_values="?")
    assert as_data(frame, ["A", "B"], states).column("A").tolist() == [1, 0, -1]


def test_a_number_stands_for_no_state_where_two_have_it_or_none(written):
    path = written("A,B\n1.00,low\n0,low\n")
    for labels in (("0", "1", "1.0"), ("0", "2"), ("0", "one"), ("0", "1.001")):
        assert "'1.00' is not a state of 'A'" in refusal(path, {"A": labels, "B": ("low", "high")})


def test_a_lazy_frame_is_collected():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"A": ["yes", "no"], "B": ["low", "high"]})
    whole, lazy = (as_data(one, ["A", "B"], STATES) for one in (frame, frame.lazy()))
    assert lazy.codes.tolist() == whole.codes.tolist()
