"""Ensembles and edge lists, in and out."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import DAG, BnfuseWarning, FileError, Network
from bnfuse.files import edge_list, ensemble, read
from file_checks import failure, names, put
from strategies import dag_lists, dags


@given(dag_lists(max_dags=5))
def test_ensemble_comes_back(graphs: list[DAG]) -> None:
    networks = [Network(dag, name=f"site {i}") for i, dag in enumerate(graphs)]
    found = ensemble.read_text(ensemble.write_networks(networks), "a.json")
    assert [(network.name, network.dag) for network in found] == [(network.name, network.dag) for network in networks]


GOOD = {"variables": ["A", "B"], "networks": [{"name": "n", "edges": [["A", "B"]]}]}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[]", "the file: expected an object, got a list"),
        ("{}", "lacks the key 'variables'"),
        ('{"variables": "AB", "networks": []}', "variables: expected a list, got 'AB'"),
        ('{"variables": ["A"]}', "lacks the key 'networks'"),
        ('{"variables": ["A"], "networks": []}', "networks: the list is empty"),
        ('{"variables": [], "networks": [{"edges": []}]}', "at least one variable"),
        ('{"variables": ["A", 1], "networks": [{"edges": []}]}', "variables[1]: expected text, got 1"),
        ('{"variables": ["A", "A"], "networks": [{"edges": []}]}', "variable 'A' is listed twice"),
        ('{"variables": ["A"], "networks": [[]]}', "networks[0]: expected an object, got a list"),
        ('{"variables": ["A"], "networks": [{}]}', "networks[0] lacks the key 'edges'"),
        ('{"variables": ["A"], "networks": [{"edges": 3}]}', "networks[0].edges: expected a list, got 3"),
        ('{"variables": ["A"], "networks": [{"name": 3, "edges": []}]}', "networks[0].name: expected text, got 3"),
        ('{"variables": ["A"], "networks": [{"edges": ["AB"]}]}', "networks[0].edges[0]: expected a pair of names"),
        ('{"variables": ["A"], "networks": [{"edges": [["A"]]}]}', "networks[0].edges[0]: expected a pair of names"),
        (
            '{"variables": ["A"], "networks": [{"name": "n", "edges": [["A", "Z"]]}]}',
            "network 'n': arc A -> Z: unknown",
        ),
        (
            '{"variables": ["A", "B"], "networks": [{"edges": [["A", "B"], ["B", "A"]]}]}',
            "networks[0]: the arcs form a cycle",
        ),
        ('{"variables": ["A"], "variables": ["B"], "networks": []}', "has the key 'variables' twice"),
        ('{"variables": ["\\ud800"], "networks": [{"edges": []}]}', "not valid Unicode"),
        ('{"variables": NaN}', "NaN"),
        ('{"variables":\n ["A" "B"]}', "a.json:2:7: not valid JSON"),
        ('{"variables": ["A"]', "a.json:1:20: not valid JSON"),
    ],
)
def test_broken_ensemble_says_where(content: str, problem: str) -> None:
    with pytest.raises(FileError) as caught:
        ensemble.read_text(content, "a.json")
    assert str(caught.value).startswith("a.json:")
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    "content", ["[" * 10_000_000, '{"a":' * 1_000_000, "9" * 1_000_000, "[1e" + "9" * 1_000_000 + "]"]
)
def test_monstrous_json_is_refused(tmp_path: Path, content: str) -> None:
    assert "a.json:" in failure(put(tmp_path / "a.json", content))


def test_ensemble_that_would_fill_the_memory_is_refused() -> None:
    content = {"variables": [f"X{i}" for i in range(2048)], "networks": [{"edges": []}] * 100_000}
    with pytest.raises(FileError, match="100,000 networks over 2,048 variables take"):
        ensemble.read_text(json.dumps(content), "a.json")


def test_other_keys_of_an_ensemble_are_left_alone() -> None:
    content = {**GOOD, "reference": {"order": [1, 2.5, None]}}
    assert ensemble.read_text(json.dumps(content), "a.json")[0].dag == DAG(["A", "B"], [("A", "B")])


# Edge lists


@given(st.lists(names, min_size=1, max_size=5, unique=True), st.data())
def test_edge_list_comes_back_whatever_the_names(variables: list[str], data: st.DataObject) -> None:
    pairs = [(a, b) for i, a in enumerate(variables) for b in variables[i + 1 :]]
    dag = DAG(variables, data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])
    [network] = edge_list.read_text(edge_list.write_text(Network(dag)), "a.csv")
    assert network.dag == dag


def test_edge_list_by_hand() -> None:
    [network] = edge_list.read_text('"From", "To"\nA, B\n\nC,\n"D, E",A\nA,B\n', "a.csv")
    assert network.dag == DAG(["A", "B", "C", "D, E"], [("A", "B"), ("D, E", "A")])
    assert network.variables == ("A", "B", "C", "D, E")


@pytest.mark.parametrize(
    "content",
    [
        '"","from","to"\n"1","A","B"\n"2","C","B"\n',
        '"from","to"\n"1","A","B"\n"2","C","B"\n',
        "from;to\nA;B\nC;B\n",
        "from\tto\r\nA\tB\r\nC\tB\r\n",
        '"","A","B","C"\n"A",0,1,0\n"B",0,0,0\n"C",0,1,0\n',
        '"A","B","C"\n"A",0,1,0\n"B",0,0,0\n"C",0,1,0\n',
        ",B,A,C\nA,1,0,0\nC,1,0,0\nB,0,0,0\n",
    ],
    ids=["arcs", "arcs by write.table", "semicolons", "tabs", "amat", "amat by write.table", "another order"],
)
def test_what_r_writes_is_read(content: str) -> None:
    [network] = edge_list.read_text(content, "a.csv")
    assert network.dag == DAG(list("ABC"), [("A", "B"), ("C", "B")])


@given(dags())
def test_an_adjacency_matrix_of_pandas_comes_back(dag: DAG) -> None:
    pytest.importorskip("pandas", reason="needs the extra 'data'")
    [network] = edge_list.read_text(dag.to_pandas().to_csv(), "a.csv")
    assert network.dag == dag
    assert network.variables == dag.variables


def test_variables_that_only_some_edge_lists_mention_are_variables_of_all(tmp_path: Path) -> None:
    first = put(tmp_path / "first.csv", "from,to\nA,B\n")
    second = put(tmp_path / "second.csv", "from,to\nB,C\nB,a\n")
    with pytest.warns(BnfuseWarning) as told:
        found = read(first, second)
    assert [network.dag for network in found] == [
        DAG(list("ABCa"), [("A", "B")]),
        DAG(list("ABCa"), [("B", "C"), ("B", "a")]),
    ]
    assert [str(one.message) for one in told] == [
        "not all edge lists mention the same variables: variables added without arcs are 'C', 'a' in first.csv, 'A' "
        "in second.csv; 'A' and 'a' look alike: if they are the same variable, spell them alike"
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(first)


def test_a_file_of_data_is_told_from_a_network(tmp_path: Path) -> None:
    assert "looks like data" in failure(put(tmp_path / "rows.csv", "A,B\nyes,no\nno,no\n"))
    for name in ("rows.parquet", "rows.csv", "rows.bif", "rows"):
        assert "is a Parquet file, which holds data" in failure(put(tmp_path / name, b"PAR1\0\1PAR1"))


@pytest.mark.parametrize("header", ["source,target", "Parent,Child", "SOURCE;TARGET", '"source" "target"', "From\tTo"])
def test_other_names_of_the_two_columns_are_known(tmp_path: Path, header: str) -> None:
    separator = next(one for one in ",;\t " if one in header)
    lines = [header, *(separator.join(arc) for arc in (("A", "B"), ("B", "C")))]
    path = put(tmp_path / "a.csv", "\n".join(lines) + "\n")
    with warnings.catch_warnings(action="error"):
        [network] = read(path)
        [found] = read(tmp_path)  # known in a folder too
    assert network.dag == found.dag == DAG(["A", "B", "C"], [("A", "B"), ("B", "C")])


def test_other_names_go_with_votes_and_types(tmp_path: Path) -> None:
    [votes] = read(put(tmp_path / "v.csv", "source,target,probability\nA,B,0.5\n"))
    assert votes.variables == ("A", "B")
    [mixed] = read(put(tmp_path / "t.csv", "parent,child,type\nA,B,---\n"))
    assert not isinstance(mixed, Network)


def test_arcs_without_a_header_are_read_with_a_remark(tmp_path: Path) -> None:
    path = put(tmp_path / "a.csv", "A,B\nB,C\nA,C\n")
    with pytest.warns(BnfuseWarning, match=r"a.csv: has no header; each line is read as an arc"):
        [network] = read(path)
    assert network.dag == DAG(["A", "B", "C"], [("A", "B"), ("B", "C"), ("A", "C")])


@pytest.mark.parametrize(
    "content",
    [
        "Smoker,Cancer\nyes,no\nno,no\nyes,yes\n",  # a label beside itself
        "Smoker,Cancer\nyes,low\nyes,low\nno,high\n",  # the same row twice
        "Smoker,Cancer\nyes,low\nno,high\n",  # its first line never comes again
        "Smoker,Cancer\nyes,no\nno,yes\n",  # both ways round
        "A,B\nB,C\nC,A\n",  # a cycle
    ],
)
def test_two_columns_that_may_be_data_are_not_taken_for_arcs(tmp_path: Path, content: str) -> None:
    message = failure(put(tmp_path / "a.csv", content))
    assert "looks like data" in message
    assert message.endswith("an edge list starts with from,to")


@pytest.mark.parametrize("content", ["1,2\n2,3\n", "X,A\nA,0\n", "A,B\nB,\n", "A,B\n"])
def test_numbers_and_single_names_are_not_taken_for_arcs(tmp_path: Path, content: str) -> None:
    path = put(tmp_path / "a.csv", content)
    try:
        [found] = read(path)
    except FileError:
        return
    assert found.variables == ("A",)  # a matrix of one variable
