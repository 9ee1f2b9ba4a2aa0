"""What each format is called, holds and marks; and what readers and writers say of edges, sizes and places."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path

import pytest

from bnfuse import DAG, FileError, read, write
from bnfuse.files import as_text, check_placeholders, ensemble, holds_parameters
from bnfuse.files._registry import by_extension
from strategies import random_dag

FORMATS = {
    ".bif": ("a BIF file", True, True),
    ".xmlbif": ("an XMLBIF file", True, True),
    ".xml": ("an XMLBIF file", True, True),
    ".xdsl": ("an XDSL file", True, True),
    ".net": ("a NET file", True, False),
    ".dsl": ("a DSL file", True, False),
    ".uai": ("a UAI file", True, False),
    ".json": ("an ensemble file", False, False),
    ".csv": ("a CSV edge list", False, False),
    ".dot": ("a DOT file", False, False),
    ".graphml": ("a GraphML file", False, False),
}


@pytest.mark.parametrize("extension", FORMATS)
def test_what_a_format_is_called_and_holds(extension: str) -> None:
    called, tables, marks = FORMATS[extension]
    form = by_extension(extension)
    assert form is not None
    assert form.called == called
    assert holds_parameters(f"x{extension}") == tables
    assert form.marks_placeholders == marks


@pytest.mark.parametrize("extension", FORMATS)
def test_placeholders_go_only_where_they_are_marked_unless_asked_for(extension: str, tmp_path: Path) -> None:
    _, tables, marks = FORMATS[extension]
    dag = DAG(["A", "B"], [("A", "B")])
    if tables and not marks:
        with pytest.raises(FileError, match="tables"):
            check_placeholders(f"x{extension}")
        with pytest.raises(FileError, match="tables"):
            as_text(dag, extension)
        with pytest.raises(FileError, match="tables"):
            write(dag, tmp_path / f"x{extension}")
    else:
        check_placeholders(f"x{extension}")
        assert as_text(dag, extension)
    check_placeholders(f"x{extension}", allowed=True)


@pytest.mark.parametrize("edge", [["A"], ["A", "B", "C"], ["A", 1], [None, "B"], "AB", {"A": "B"}])
def test_an_edge_of_an_ensemble_is_a_pair_of_names(edge: object, tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    path.write_text(json.dumps({"variables": ["A", "B", "C"], "networks": [{"edges": [["A", "C"], edge]}]}))
    with pytest.raises(FileError, match=r"networks\[0\]\.edges\[1\]: expected a pair of names"):
        read(path)


def test_an_ensemble_shows_names_as_they_are(tmp_path: Path) -> None:
    write(DAG(["Größe", "体重"], [("Größe", "体重")]), tmp_path / "e.json")
    assert (tmp_path / "e.json").read_text(encoding="utf-8").count("体重") == 2


@pytest.mark.parametrize(("size", "words"), [(64, 1), (65, 2), (128, 2), (129, 3)])
def test_an_ensemble_is_refused_by_the_memory_that_it_needs(
    size: int, words: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "e.json"
    members = [{"edges": []}, {"edges": []}]
    path.write_text(json.dumps({"variables": [f"V{i}" for i in range(size)], "networks": members}))
    monkeypatch.setattr(ensemble, "_MAX_MEMORY", 2 * size * words * 8)
    assert len(read(path)) == 2
    monkeypatch.setattr(ensemble, "_MAX_MEMORY", 2 * size * words * 8 - 1)
    with pytest.raises(FileError, match=f"2 networks over {size} variables take"):
        read(path)


def test_genie_finds_every_node_below_its_parents_and_beside_the_others(tmp_path: Path) -> None:
    dag = random_dag(7, 12)
    write(dag, tmp_path / "n.xdsl")
    text = (tmp_path / "n.xdsl").read_text()
    nodes = re.findall(r'<node id="(\w+)">.*?<position>(\d+) (\d+) (\d+) (\d+)</position>', text, re.DOTALL)
    boxes = {name: tuple(map(int, box)) for name, *box in nodes}
    assert boxes.keys() == set(dag.variables)
    for source, target in dag.edges:
        assert boxes[source][3] < boxes[target][1]
    for a, b in combinations(boxes.values(), 2):
        assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
    assert all(left < right and top < bottom for left, top, right, bottom in boxes.values())


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("n.bif", "network x { }\n\n ;, garbage", ":3:5: "),
        ("n.xmlbif", "\n<ROOT/>", ":2:1: "),
        ("n.xmlbif", "\n <AAA/>", ":2:2: "),
        ("n.xmlbif", "<BIF>\n <BIF>\n", ":3:1: "),
    ],
)
def test_an_error_names_the_line_and_column_of_what_is_wrong(name: str, text: str, place: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FileError, match=re.escape(f"{name}{place}")):
        read(tmp_path / name)


def test_one_column_is_not_taken_for_data(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("A\nyes\nno\n")
    with pytest.raises(FileError, match="expected the header from,to"):
        read(tmp_path / "e.csv")
    (tmp_path / "e.csv").write_text("A,B\nyes,no\nno,no\n")
    with pytest.raises(FileError, match="looks like data"):
        read(tmp_path / "e.csv")


@pytest.mark.parametrize("number", [2, 3])
def test_uai_numbers_its_variables_from_0(number: int, tmp_path: Path) -> None:
    tables = "2 0.5 0.5\n4 0.5 0.5 0.5 0.5\n"
    (tmp_path / "n.uai").write_text(f"BAYES\n2\n2 2\n2\n1 0\n2 {number} 1\n\n{tables}")
    with pytest.raises(FileError, match=rf"n\.uai:6:\d: unknown variable {number}: there are 2, numbered from 0"):
        read(tmp_path / "n.uai")
    (tmp_path / "n.uai").write_text(f"BAYES\n2\n2 2\n2\n1 0\n2 0 1\n\n{tables}")
    assert len(read(tmp_path / "n.uai")[0].dag.edges) == 1
