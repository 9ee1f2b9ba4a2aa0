"""DAGitty, Tetrad and R's model strings: texts of graphs, some of whose edges have no direction."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import DAG, PDAG, FileError, GraphError, Network, files
from bnfuse.files import dagitty, model_string, read, tetrad, write
from soft_graphs import causallearns_graph, pdags
from strategies import dags

MIXED = PDAG(["A", "B", "C", "D"], [("A", "B"), ("C", "B")], [("C", "D")])
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=5)


@given(pdags())
def test_what_is_written_comes_back(graph: PDAG) -> None:
    expected = graph if graph.edges else Network(DAG(graph.variables, graph.arcs))
    for form in (dagitty, tetrad):
        [again] = form.read_text(form.write_text(graph), "a")
        assert again == expected
        assert again.variables == graph.variables


@given(dags())
def test_networks_come_back(dag: DAG) -> None:
    for form in (dagitty, tetrad, model_string):
        [again] = form.read_text(form.write_text(Network(dag)), "a")
        assert again == Network(dag)
        assert again.variables == dag.variables


@pytest.mark.parametrize("form", [dagitty, tetrad, model_string])
@given(st.lists(names, min_size=2, max_size=4, unique=True))
def test_a_name_comes_back_or_is_refused(form: ModuleType, variables: list[str]) -> None:
    network = Network(DAG(variables, [(variables[0], variables[1])]))
    try:
        text = form.write_text(network)
    except GraphError:
        assert any(not name.isprintable() or set(name) & set("[]|:;,\\") or name != name.strip() for name in variables)
        return
    assert form.read_text(text, "a") == [network]


# DAGitty


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('dag { A [exposure,pos="0,1"] B [outcome] A -> B C -> B D }', DAG(list("ABCD"), [("A", "B"), ("C", "B")])),
        ('dag{\nbb="-2,-3,4,5"\nA [pos="-1.2,0.3"]\nA->B\n}\n', DAG(list("AB"), [("A", "B")])),
        ("dag { A -> {B C}; {B C} -> D }", DAG(list("ABCD"), [("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")])),
        ("dag { X -> {Z -> Y} }", DAG(list("XZY"), [("X", "Z"), ("X", "Y"), ("Z", "Y")])),
        ("DAG my.graph { A -> B <- C }", DAG(list("ABC"), [("A", "B"), ("C", "B")])),
        ('dag { "a b" -> X "\\"hi\\"" -> X }', DAG(["a b", "X", '"hi"'], [("a b", "X"), ('"hi"', "X")])),
        ('dag "a name" { A -> B [beta=0.3] ; B [latent, label="b ; c"] }', DAG(list("AB"), [("A", "B")])),
        ("strict dag { A_1 -> B.2 // why\n /* -> C */ }", DAG(["A_1", "B.2"], [("A_1", "B.2")])),
        ('dag { "A" + "B" -> Größe }', DAG(["AB", "Größe"], [("AB", "Größe")])),
        ("dag { A B }", DAG(list("AB"))),
    ],
)  # fmt: skip
def test_dagitty_texts(text: str, expected: DAG) -> None:
    [network] = dagitty.read_text(text, "a.dagitty")
    assert network == Network(expected)
    assert network.variables == expected.variables


def test_an_edge_without_a_direction_makes_a_pdag() -> None:
    assert dagitty.read_text("pdag { A -> B <- C -- D }", "a") == [MIXED]
    assert dagitty.read_text("pdag { A -> B }", "a") == [Network(DAG(["A", "B"], [("A", "B")]))]
    assert dagitty.write_text(MIXED) == "pdag {\nA\nB\nC\nD\nA -> B\nC -> B\nC -- D\n}\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "dag { A -> B\nA <-> C }",
            "a:2:3: A <-> C: a hidden common cause, which a DAG cannot represent; add the cause as a",
        ),
        ("pdag { A @-> B }", "a:1:10: A o-> B: an end that may or may not be an arrowhead"),
        ("pdag { A @-@ B }", "A o-o B: an end that may or may not"),
        ("mag { A -> B }", "a:1:1: a MAG shows hidden causes, which no DAG does; only dag and pdag are read"),
        ("graph { A }", "a:1:1: expected dag or pdag, got 'graph'"),
        ("dag { A -> B", "a:1:13: expected a name, got the end of the text"),
        ("dag { A -> }", "a:1:12: expected a name, got '}'"),
        ("dag { A -> A }", "a:1:9: A -> A: a variable cannot be its own parent"),
        ("dag { A -> B } C", "a:1:16: expected the end of the text, got 'C'"),
        ("dag { A [pos= }", "expected a name, got '}'"),
        ("dag { A ? B }", "a:1:9: unexpected '?'"),
        ("dag A -> B", "a:1:7: expected '{', got '->'"),
        ("dag { A -> B -> C -> A }", "a: the arcs form a cycle: A -> B -> C -> A"),
        ("pdag { A -> B B -- A }", "a: A --> B is given as an edge without a direction too"),
        ("dag { }", "a: a network needs at least one variable"),
        ("dag " + "{" * 20_000, "braces are nested too deeply"),
        ('dag { "A }', "a:1:7: unexpected '\"'"),
        ('dag { "A\\" }', "a:1:7: unexpected '\"'"),
        ("dag", "a:1:4: expected '{', got the end of the text"),
    ],
)
def test_broken_dagitty_says_where(text: str, problem: str) -> None:
    with pytest.raises(FileError) as caught:
        dagitty.read_text(text, "a")
    assert problem in str(caught.value)


# Model strings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[A][C][F][B|A][D|A:C][E|B:F]\n", [("A", "B"), ("A", "D"), ("C", "D"), ("B", "E"), ("F", "E")]),
        ('[1] "[A][C][F][B|A][D|A:C][E|B:F]"\n', [("A", "B"), ("A", "D"), ("C", "D"), ("B", "E"), ("F", "E")]),
        ("[D|A:C]\n[A] [C]\n [F][B][E]", [("A", "D"), ("C", "D")]),
    ],
)
def test_model_strings(text: str, expected: list[tuple[str, str]]) -> None:
    [network] = model_string.read_text(text, "a")
    assert set(network.dag.edges) == set(expected)
    assert set(network.variables) == set("ABCDEF")


def test_a_model_string_is_written_in_the_order_of_the_variables() -> None:
    assert model_string.write_text(Network(DAG(["B", "A", "C"], [("A", "B"), ("C", "B")]))) == "[B|A:C][A][C]\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[A][B|A", "a:1:4: expected a variable in brackets, such as [A] or [B|A:C], got '[B|A'"),
        ("[A]\n[B|]", "a:2:1: a name is empty in '[B|]'"),
        ("[A][|A]", "a:1:4: a name is empty in '[|A]'"),
        ("[A][B|A:]", "a name is empty"),
        ("[A][A]", "a:1:4: variable 'A' has two pairs of brackets"),
        ("[A|B]", "a: arc B -> A: unknown variable 'B'"),
        ("[A|B][B|A]", "a: the arcs form a cycle"),
        ("[A|A]", "a: arc A -> A"),
        ("[A]B", "a:1:4: expected a variable in brackets"),
        ("[A|B|C]", "a:1:1: expected a variable in brackets"),
    ],
)
def test_broken_model_strings_say_where(text: str, problem: str) -> None:
    with pytest.raises(FileError) as caught:
        model_string.read_text(text, "a")
    assert problem in str(caught.value)


# Tetrad

TETRAD = """Graph Nodes:
A;B;C;D

Graph Edges:
1. A --> B
2. B <-- C
3. C --- D
"""


def test_tetrad_texts() -> None:
    assert tetrad.read_text(TETRAD, "a") == [MIXED]
    assert tetrad.read_text(TETRAD.replace(";", ","), "a") == [MIXED]  # as older versions write it
    assert tetrad.read_text(TETRAD.replace("\n", "\r\n") + "\nGraph Attributes:\nScore: -1.5\n", "a") == [MIXED]
    assert tetrad.read_text(TETRAD.replace("A --> B", "A --> B dd nl"), "a") == [MIXED]
    found = "A --> B [A --> B]:0.9000;[no edge]:0.1000;"
    assert tetrad.read_text(TETRAD.replace("A --> B", found), "a") == [MIXED]
    assert tetrad.read_text("Graph Nodes:\nX 1;X\n\nGraph Edges:\n1. X --> X 1\n", "a") == [
        Network(DAG(["X 1", "X"], [("X", "X 1")]))
    ]
    odd = Network(DAG(["Graph Edges:"]))
    assert tetrad.read_text(tetrad.write_text(odd), "a") == [odd]
    assert tetrad.read_text("Graph Nodes:\nA\n\nGraph Edges:\n", "a") == [Network(DAG(["A"]))]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("3. C --- D", "3. C <-> D"), "a:7: C <-> D: a hidden common cause, which a DAG cannot represent"),
        (("3. C --- D", "3. C o-> D"), "a:7: C o-> D: an end that may or may not be an arrowhead"),
        (("3. C --- D", "3. C o-o D"), "a:7: C o-o D: an end that may or may not"),
        (("3. C --- D", "3. C --- E"), "a:7: unknown variable 'E'"),
        (("3. C --- D", "3. E --- D"), "a:7: unknown variable 'E'"),
        (("3. C --- D", "3. C --- D and more"), "a:7: unknown variable 'D and more'"),
        (("3. C --- D", "3. C D"), "a:7: expected an edge such as 1. A --> B, got '3. C D'"),
        (("3. C --- D", "3. B --> A"), "a: the arcs form a cycle: A -> B -> A"),
        (("A;B;C;D", "A;B;C;D;A"), "a: variable 'A' is listed twice"),
        (("Graph Edges:", "Graph Ends:"), "a: expected 'Graph Edges:' after the names"),
        (("Graph Nodes:", "Nodes:"), "a: expected 'Graph Nodes:' and under it the names"),
    ],
)
def test_broken_tetrad_says_where(change: tuple[str, str], problem: str) -> None:
    with pytest.raises(FileError) as caught:
        tetrad.read_text(TETRAD.replace(*change), "a")
    assert problem in str(caught.value)


def test_causallearn_prints_what_is_read() -> None:
    assert tetrad.read_text(str(causallearns_graph()), "a") == [MIXED]


# All of them


@pytest.mark.parametrize("extension", [".dagitty", ".tetrad", ".csv"])
def test_files_that_hold_a_pdag_are_known_by_their_content(tmp_path: Path, extension: str) -> None:
    write(MIXED, tmp_path / f"mixed{extension}")
    (tmp_path / f"mixed{extension}").rename(tmp_path / "mixed.txt")
    [again] = read(tmp_path / "mixed.txt")
    assert again == MIXED
    assert again.name == "mixed.txt"


@pytest.mark.parametrize("extension", [".bif", ".json", ".uai", ".modelstring", ".graphml", ".xdsl"])
def test_other_formats_refuse_a_pdag_and_say_where_it_can_go(tmp_path: Path, extension: str) -> None:
    with pytest.raises(
        FileError, match=r"cannot hold edges without a direction \(a PDAG\); those that can: "
    ) as caught:
        write(MIXED, tmp_path / f"mixed{extension}")
    assert str(caught.value).endswith("those that can: .csv, .dagitty, .dot, .tetrad")
    with pytest.raises(FileError, match="cannot hold edges without a direction"):
        write([Network(DAG(MIXED.variables)), MIXED], tmp_path / "mixed.json")


def test_a_mixed_graph_of_another_package_can_be_written(tmp_path: Path) -> None:
    write(MIXED.to_networkx(), tmp_path / "mixed.tetrad")
    assert read(tmp_path / "mixed.tetrad") == [MIXED]


def test_a_pdag_whose_edges_all_have_a_direction_is_written_as_a_network(tmp_path: Path) -> None:
    write(PDAG(["A", "B"], [("A", "B")], name="x"), tmp_path / "a.bif")
    assert read(tmp_path / "a.bif")[0].dag == DAG(["A", "B"], [("A", "B")])


def test_dot_draws_an_edge_without_a_head() -> None:
    assert '  "C" -> "D" [dir=none];\n' in files.as_text(MIXED, ".dot")


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")
def test_graphviz_reads_it() -> None:
    found = subprocess.run(
        ["dot", "-Tjson"], input=files.as_text(MIXED, ".dot"), capture_output=True, text=True, check=True
    )
    assert [edge.get("dir") for edge in json.loads(found.stdout)["edges"]] == [None, None, "none"]
