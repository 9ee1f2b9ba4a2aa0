"""Files that are dropped in: what they are taken for, what they are called, and what is too much."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
from bnfuse import DAG, BnfuseError, Tally
from bnfuse.serve import limits
from bnfuse.serve.workspace import reading
from bnfuse.serve.workspace.reading import read_file
from bnfuse.serve.workspace.store import opened
from bnfuse.serve.workspace.uploads import Upload, check_room, file_name

ARCS = b"from,to\nA,B\n"
ROWS = b"A,B\nyes,no\nno,no\n"


@pytest.fixture
def read(tmp_path):
    return lambda name, content, kind=None: read_file(name, content, tmp_path, kind)


def test_files_are_known_by_their_content(read, tmp_path):
    tally = Tally(["A", "B"])
    tally.add(DAG(["A", "B"], [("A", "B")]))
    tally.save(tmp_path / "x.tally")
    assert read("arcs.csv", ARCS).facts["kind"] == "networks"
    assert read("rows.csv", ROWS).facts == {
        "kind": "data",
        "inputs": [],
        "variables": ["A", "B"],
        "stated": [],
        "size": len(ROWS),
    }
    assert read("x.tally", (tmp_path / "x.tally").read_bytes()).facts["inputs"] == [
        {"name": "x", "arcs": 1, "has_tables": False}
    ]
    assert read("arcs.csv.gz", gzip.compress(ARCS)).facts["variables"] == ["A", "B"]
    assert read("arcs.csv", ARCS, "data").facts["kind"] == "data", "unless it is said"


def test_a_gzipped_file_may_have_several_parts(read, tmp_path):
    """As parallel packers write them: the library reads all of them, and so must what repeats it."""
    parts = gzip.compress(ARCS) + gzip.compress(b"B,C\n")
    (tmp_path / "arcs.csv.gz").write_bytes(parts)
    (expected,) = bnfuse.read(tmp_path / "arcs.csv.gz")
    assert read("arcs.csv.gz", parts).graphs[0].dag.edges == expected.dag.edges == (("A", "B"), ("B", "C"))


def test_what_was_put_right_is_told(read):
    matrix = (
        b"network n { }\nvariable A { type discrete [ 2 ] { a, b }; }\nprobability ( A ) { table 0.3334, 0.6667; }\n"
    )
    found = read("one.bif", matrix)
    assert len(found.said) == 1
    assert "one.bif" in found.said[0]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("x.bif", b"", "x.bif: is empty"),
        ("x.csv", b"", "x.csv: is empty"),
        ("x.bif", b"variable", "x.bif:1:"),
        ("x.png", b"\x89PNG\r\n\x1a\n\0\0", "x.png: is a binary file, not a network"),
        (
            "x.bif.gz",
            gzip.compress(ARCS, mtime=0)[:-9],
            "x.bif.gz: the gzipped content ends too early; the file is truncated",
        ),
        ("x.bif.gz", b"\x1f\x8b" + b"?" * 50, "x.bif.gz: the gzipped content is damaged"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line_by_its_name(read, name, content, problem):
    with pytest.raises(BnfuseError) as refused:
        read(name, content)
    assert str(refused.value).startswith(problem)


def test_a_bomb_is_not_unpacked(read, monkeypatch):
    monkeypatch.setattr(limits, "MOST_UNPACKED", 3 << 20)
    with pytest.raises(BnfuseError, match=r"bomb.csv.gz: unpacks to more than 3 MiB, the limit"):
        read("bomb.csv.gz", gzip.compress(bytes(40 << 20)))


def test_too_many_variables_states_and_networks_are_refused(read, monkeypatch):
    many = json.dumps({"variables": [f"X{i}" for i in range(50)], "networks": [{"edges": []}] * 9}).encode()
    monkeypatch.setattr(limits, "MOST_INPUTS", 8)
    with pytest.raises(BnfuseError, match="holds 9 networks, over the limit of 8"):
        read("m.json", many)
    with monkeypatch.context() as patched:
        patched.setattr(reading, "read_apart", None)
        with pytest.raises(BnfuseError, match="holds 9 networks"):  # before any of them is made
            read("m.json", many)
    monkeypatch.setattr(limits, "MOST_INPUTS", 9)
    monkeypatch.setattr(limits, "MOST_VARIABLES", 49)
    with pytest.raises(BnfuseError, match="has 50 variables, over the limit of 49"):
        read("m.json", many)
    monkeypatch.setattr(limits, "MOST_STATES", 2)
    states = (
        b"network n { }\nvariable A { type discrete [ 3 ] { a, b, c }; }\nprobability ( A ) { table 0.2, 0.3, 0.5; }\n"
    )
    with pytest.raises(BnfuseError, match="'A' has 3 states, over the limit of 2"):
        read("s.bif", states)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("north.bif", "north.bif"),
        ("/etc/passwd", "passwd"),
        ("..\\..\\north.bif", "north.bif"),
        ("../../x", "x"),
        ("a\nb\0.bif", "a_b_.bif"),
        ('<script>"x".bif', "_script__x_.bif"),
        (".hidden.bif ", "hidden.bif"),
        ("K\u00f6ln.bif", "K\u00f6ln.bif"),
    ],
)
def test_the_name_of_a_file_leads_nowhere(given, name):
    assert file_name(given) == name


@given(st.text(max_size=300))
def test_any_name_becomes_that_of_a_file_or_is_refused(name):
    try:
        called = file_name(name)
    except BnfuseError:
        return
    assert 0 < len(called) <= limits.LONGEST_NAME
    assert called.isprintable()
    assert not set(called) & set('/\\<>:"|?*')
    assert called.strip(". ") == called


def test_inputs_and_files_get_names_that_no_other_has(tmp_path):
    facts = {"kind": "networks", "inputs": [{"name": "a"}, {"name": "a"}], "variables": ["A"], "size": 1}
    with opened(tmp_path, is_to_create=True) as store:
        assert Upload("a.bif", b"1", facts).keep(store) == ["a", "a (2)"]
        assert Upload("A.xdsl", b"2", facts).keep(store) == ["a (3)", "a (4)"]
        with pytest.raises(BnfuseError, match=r"a.bif: was already added as a.bif"):
            Upload("a.bif", b"1", facts).keep(store)
        assert [one.name for one in store.files().values()] == ["a.bif", "A (2).xdsl"]
        assert Upload("a.bif", b"3", facts).keep(store) == ["a (5)", "a (6)"]


def test_a_workspace_has_room_for_so_much_and_no_more(tmp_path, monkeypatch):
    facts = {"kind": "networks", "inputs": [{"name": "a"}], "variables": ["A"], "size": 1}
    with opened(tmp_path, is_to_create=True) as store:
        Upload("a.bif", b"1234", facts).keep(store)
        check_room(store, 10)
        monkeypatch.setattr(limits, "MOST_BYTES_KEPT", 10)
        with pytest.raises(BnfuseError, match="the files of a workspace may have"):
            check_room(store, 7)
        monkeypatch.setattr(limits, "MOST_FILES", 1)
        with pytest.raises(BnfuseError, match="the workspace has 1 files already"):
            check_room(store, 1)
        monkeypatch.setattr(limits, "MOST_INPUTS", 1)
        with pytest.raises(BnfuseError, match="a workspace may have at most 1 inputs"):
            Upload("b.bif", b"5", facts).keep(store)
        assert len(store.files()) == 1
