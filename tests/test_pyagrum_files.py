"""NET and DSL files, which pyAgrum reads and writes, and UAI files, which it can check."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnfuse import DAG, FileError, MissingPackageError, Network
from bnfuse.errors import BnfuseWarning
from bnfuse.files import net_dsl, read, uai, write
from bnfuse.graphs.interop.pyagrum import texts
from bnfuse.graphs.network import as_network
from strategies import dags

pyagrum = pytest.importorskip("pyagrum", reason="needs the extra 'files'")

KINDS = ("net", "dsl")
DIGITS = 1e-6  # pyAgrum writes six digits
_READ = {"net": net_dsl.read_net, "dsl": net_dsl.read_dsl}
_WRITE = {"net": net_dsl.write_net, "dsl": net_dsl.write_dsl}

# Two parents with different numbers of states, given in an order that is not that of the arcs
PUMP = Network(
    DAG(["Fails", "Old", "Load"], [("Old", "Fails"), ("Load", "Fails")]),
    {"Fails": ("no", "yes"), "Old": ("no", "yes"), "Load": ("low", "mid", "high")},
    {
        "Old": [0.7, 0.3],
        "Load": [0.2, 0.5, 0.3],
        "Fails": [[[0.99, 0.01], [0.98, 0.02], [0.97, 0.03]], [[0.9, 0.1], [0.8, 0.2], [0.65, 0.35]]],
    },
)

HUGIN = """
net { node_size = (80 40); }
node Größe { label = "how large"; states = ("<5" "5 - 10" "größer"); }
node B { states = ("no" "yes"); }
potential (Größe) { data = (0.2 0.3 0.5); }
potential (B | Größe) { data = ((0.1 0.9)(0.2 0.8)(0.3 0.7)); % rows
}
"""
DSL = """net small
{
 node A { TYPE = CPT; HEADER = { ID = A; NAME = "A"; }; PARENTS = ();
  DEFINITION = { NAMESTATES = (a, b, c); PROBABILITIES = (0.25, 0.5, 0.25); }; };
};
"""
UAI = "BAYES\n2\n2 3\n2\n1 0\n2 0 1\n\n2\n 0.25 0.75\n\n6\n 0.1 0.2 0.7\n 0.5 0.25 0.25\n"
CYCLE = "BAYES 2 2 2 2  2 1 0  2 0 1  4 0.5 0.5 0.5 0.5  4 0.5 0.5 0.5 0.5"


def assert_close(found: Network, expected: Network, tolerance: float) -> None:
    assert found.dag == expected.dag
    assert found.states == expected.states
    assert found.cpts is not None
    assert expected.cpts is not None
    for variable in expected.variables:
        parents = found.dag.parents(variable)  # a format may reorder the variables, and with them the axes
        axes = [parents.index(parent) for parent in expected.dag.parents(variable)]
        table = found.cpts[variable].transpose([*axes, len(axes)])
        np.testing.assert_allclose(table, expected.cpts[variable], rtol=0, atol=tolerance)


@pytest.mark.parametrize("packed", ["", pytest.param(".gz", marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", KINDS)
def test_network_comes_back(tmp_path: Path, kind: str, packed: str) -> None:
    write(PUMP, tmp_path / f"pump.{kind}{packed}")
    [network] = read(tmp_path / f"pump.{kind}{packed}")
    assert network.name == "pump"
    assert_close(network, PUMP, 0)


def test_uai_keeps_numbers_instead_of_names(tmp_path: Path) -> None:
    write(PUMP, tmp_path / "pump.uai")
    [network] = read(tmp_path / "pump.uai")
    assert network.dag == DAG(["X0", "X1", "X2"], [("X1", "X0"), ("X2", "X0")])
    assert network.states == {"X0": ("0", "1"), "X1": ("0", "1"), "X2": ("0", "1", "2")}
    assert network.cpts is not None
    assert PUMP.cpts is not None
    assert network.cpts["X0"].tolist() == PUMP.cpts["Fails"].tolist()


@st.composite
def networks(draw: st.DrawFn) -> Network:
    dag = draw(dags(max_size=6))
    generator = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    states = {name: tuple("0123"[: generator.integers(2, 5)]) for name in dag.variables}
    shapes = {name: [len(states[parent]) for parent in dag.parents(name)] for name in dag.variables}
    cpts = {name: generator.dirichlet(np.ones(len(states[name])), shapes[name]) for name in dag.variables}
    return Network(dag, states, cpts)


def numbered(network: Network) -> Network:
    """The network as a UAI file shows it."""
    name = {variable: f"X{i}" for i, variable in enumerate(network.variables)}
    dag = DAG(name.values(), [(name[a], name[b]) for a, b in network.dag.edges])
    assert network.states is not None
    assert network.cpts is not None
    states = {name[v]: tuple(map(str, range(len(labels)))) for v, labels in network.states.items()}
    return Network(dag, states, {name[v]: table for v, table in network.cpts.items()})


@pytest.mark.long
@settings(max_examples=12)  # each starts two processes
@given(networks(), st.sampled_from(KINDS))
def test_random_networks_come_back_to_six_digits(network: Network, kind: str) -> None:
    [found] = _READ[kind](_WRITE[kind](network), "a")
    assert_close(found, network, 2 * DIGITS)


@given(networks())
def test_uai_is_exact(network: Network) -> None:
    assert uai.read_text(uai.write_text(network), "a") == [numbered(network)]


@given(networks())
def test_uai_agrees_with_pyagrum(network: Network) -> None:
    """Its tables of two and more parents are left out: it takes the first parent, not the last, as the faster one."""
    expected = numbered(network)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.uai"
        write(network, path)
        model = pyagrum.loadBN(str(path))
    assert {(f"X{a}", f"X{b}") for a, b in model.arcs()} == set(expected.dag.edges)
    assert expected.cpts is not None
    for i, name in enumerate(expected.variables):
        if len(expected.dag.parents(name)) < 2:
            np.testing.assert_allclose(model.cpt(i).toarray(), expected.cpts[name], rtol=0, atol=DIGITS)


def test_last_variable_of_a_uai_function_is_the_fastest() -> None:
    values = "0.1 0.9  0.2 0.8  0.3 0.7  0.4 0.6  0.15 0.85  0.25 0.75"
    [network] = uai.read_text(f"BAYES 3 2 3 2  3 1 0  1 1  3 0 1 2  2 .5 .5  3 .2 .3 .5  12 {values}", "a.uai")
    assert network.cpts is not None
    assert network.dag.parents("X2") == ("X0", "X1")
    assert network.cpts["X2"][0].tolist() == [[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]]
    [network] = uai.read_text(f"BAYES 3 2 3 2  3 1 0  1 1  3 1 0 2  2 .5 .5  3 .2 .3 .5  12 {values}", "a.uai")
    assert network.cpts is not None
    assert network.cpts["X2"][0].tolist() == [[0.1, 0.9], [0.3, 0.7], [0.15, 0.85]]


def test_bayesnet_there_and_back_is_exact() -> None:
    model = PUMP.to_pyagrum()
    assert model.cpt("Fails")[{"Fails": "yes", "Old": "yes", "Load": "high"}] == 0.35
    assert as_network(model) == PUMP


def test_bayesnet_is_written_with_its_tables(tmp_path: Path) -> None:
    write(PUMP.to_pyagrum(), tmp_path / "pump.bif")
    assert read(tmp_path / "pump.bif") == [PUMP]


@pytest.mark.parametrize("kind", [*KINDS, "uai"])
def test_a_format_that_cannot_mark_placeholders_gets_none_unasked(tmp_path: Path, kind: str) -> None:
    for network in (PUMP.dag, Network(PUMP.dag, PUMP.states)):
        with pytest.raises(FileError, match=rf"{kind.upper()} files cannot mark placeholders: .* placeholders=True"):
            write(network, tmp_path / f"a.{kind}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", [*KINDS, "uai"])
def test_structure_gets_two_states_and_uniform_tables(tmp_path: Path, kind: str) -> None:
    write(PUMP.dag, tmp_path / f"a.{kind}", placeholders=True)
    [network] = read(tmp_path / f"a.{kind}")
    assert network.states is not None
    assert network.cpts is not None
    assert set(network.states.values()) == {("0", "1") if kind == "uai" else ("yes", "no")}
    assert all((table == 0.5).all() for table in network.cpts.values())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "a.net",
            """net { }
node Old { states = ("no" "yes"); }
node Load { states = ("low" "mid" "high"); }
node Fails { states = ("no" "yes"); }
potential (Old) { data = (0.7 0.3); }
potential (Load) { data = (0.2 0.5 0.3); }
potential (Fails | Load Old) {
  data = (((0.99 0.01)(0.9 0.1))((0.98 0.02)(0.8 0.2))((0.97 0.03)(0.65 0.35)));
}
""",
        ),
        (
            "a.dsl",
            """net Pump {
 node Old { TYPE = CPT; HEADER = { ID = Old; NAME = "Old"; }; PARENTS = ();
  DEFINITION = { NAMESTATES = (no, yes); PROBABILITIES = (0.7, 0.3); }; };
 node Load { TYPE = CPT; HEADER = { ID = Load; NAME = "Load"; }; PARENTS = ();
  DEFINITION = { NAMESTATES = (low, mid, high); PROBABILITIES = (0.2, 0.5, 0.3); }; };
 node Fails { TYPE = CPT; HEADER = { ID = Fails; NAME = "Fails"; }; PARENTS = (Load, Old);
  DEFINITION = { NAMESTATES = (no, yes); PROBABILITIES = (
   0.99, 0.01, 0.9, 0.1, 0.98, 0.02, 0.8, 0.2, 0.97, 0.03, 0.65, 0.35); }; };
};
""",
        ),
    ],
)
def test_own_states_vary_fastest_then_the_last_parent(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    [network] = read(tmp_path / name)
    assert_close(network, PUMP, 0)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_hugin_file_with_quoted_labels_and_umlauts(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "hugin.net").write_bytes(HUGIN.encode(encoding))
    [network] = read(tmp_path / "hugin.net")
    assert network.states == {"Größe": ("<5", "5 - 10", "größer"), "B": ("no", "yes")}
    assert network.cpts is not None
    assert network.cpts["B"].tolist() == [[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]]


@pytest.mark.parametrize(("kind", "content"), [("net", HUGIN), ("dsl", DSL), ("uai", UAI)])
def test_format_is_known_by_content(tmp_path: Path, kind: str, content: str) -> None:
    for name in (f"a.{kind}", "unknown"):
        (tmp_path / name).write_text(content, "utf-8")
    assert read(tmp_path / "unknown") == read(tmp_path / f"a.{kind}")


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.net", HUGIN.replace("node B", "node B B"), "a.net:4:8: "),
        ("a.net", HUGIN.replace("0.2 0.3 0.5", "0.2 0.3 0.5 0.1"), "too many data for cpt of node größe"),
        ("a.net", HUGIN.replace("0.2 0.3 0.5", "0.2 0.8"), "not enough data for cpt of node größe"),
        ("a.net", HUGIN.replace("0.2 0.3 0.5", "0.2 0.3 0.4"), "table of 'Größe'"),
        ("a.net", HUGIN[: HUGIN.index("potential (B")], "table of 'B' is missing"),
        ("a.net", HUGIN.replace("(Größe) {", "(Größe | B) {"), "cycle"),
        ("a.dsl", DSL.replace("0.25, 0.5, 0.25", "0.5, 0.5"), "PROBABILITIES"),
        ("a.uai", UAI.replace("BAYES", "MARKOV"), "a.uai:1:1: expected BAYES, got 'MARKOV'"),
        ("a.uai", UAI + "0.5", "a.uai:14:1: expected the end of the file, got '0.5'"),
        ("a.uai", UAI.replace(" 0.7\n", " 0.7x\n"), "a.uai:12:10: expected a probability, got '0.7x'"),
        ("a.uai", UAI.replace(" 0.7\n", " nan\n"), "a.uai:12:10: expected a probability, got 'nan'"),
        ("a.uai", UAI.replace(" 0.7\n", " 0.6\n"), "P(X1 | X0 = 0) sums to 0.9, not to 1"),
        ("a.uai", UAI[:-12], "the file ends where a probability should be"),
        ("a.uai", UAI.replace("2 3", "2 999999999"), "the table of 'X1' with 1 parents needs more than 20 numbers"),
        ("a.uai", UAI.replace("2 3", "2 " + "9" * 100_000), "expected a number of states"),
        ("a.uai", UAI.replace("2 0 1", "2 1 0"), "variable 0 is the child of two functions"),
        ("a.uai", UAI.replace("2 0 1", "2 1 1"), "names a variable twice"),
        ("a.uai", UAI.replace("2 0 1", "2 7 1"), "unknown variable 7"),
        ("a.uai", CYCLE, "the arcs form a cycle"),
        ("a.uai", "BAYES 2 2 2 1", "one function for each of its 2 variables"),
    ],
)
def test_broken_file_says_what(tmp_path: Path, name: str, content: str, problem: str) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(FileError) as caught:
        read(tmp_path / name)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "bnfuse-" not in str(caught.value)  # the name of a temporary folder


def test_rows_that_nearly_sum_to_one_are_renormalised_and_said(tmp_path: Path) -> None:
    (tmp_path / "a.uai").write_text(UAI.replace("0.25 0.75", "0.2505 0.75"))
    with pytest.warns(BnfuseWarning, match="renormalised a row"):
        [network] = read(tmp_path / "a.uai")
    assert network.cpts is not None
    assert network.cpts["X0"].sum() == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["a b", "a<b", 'a"b', "Größe"])
def test_name_that_a_format_cannot_hold_is_refused(tmp_path: Path, kind: str, name: str) -> None:
    with pytest.raises(FileError, match=f"variable .*{kind.upper()} files cannot hold this name"):
        write(DAG([name]), tmp_path / f"a.{kind}", placeholders=True)
    states = {"A": (name, "other")}
    with pytest.raises(FileError, match=f"state .*{kind.upper()} files cannot hold this name"):
        write(Network(DAG(["A"]), states), tmp_path / f"a.{kind}", placeholders=True)
    assert not list(tmp_path.iterdir())


def test_name_that_means_something_in_a_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="could not read the NET file"):
        write(DAG(["node", "B"]), tmp_path / "a.net", placeholders=True)


def test_file_that_pyagrum_never_finishes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "_SECONDS", 0.001)
    monkeypatch.setattr(texts, "_BYTES_A_SECOND", 1e9)
    (tmp_path / "a.net").write_text(HUGIN, "utf-8")
    with pytest.raises(FileError, match=r"a\.net: pyAgrum cannot read it: not a NET file, or a broken one"):
        read(tmp_path / "a.net")


@pytest.mark.parametrize("said", ["std::bad_alloc", "<ticpp.cpp@521>: Type is unsupported", ""])
def test_words_of_pyagrums_own_insides_are_not_shown(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setattr(texts, "read_apart", lambda *_: {"error": said or " \n"})
    with pytest.raises(FileError, match=r"^a\.net: pyAgrum cannot read it: not a NET file, or a broken one$"):
        net_dsl.read_net(HUGIN, "a.net")


@given(st.data())
def test_mutated_uai_files_are_read_or_refused(data: st.DataObject) -> None:
    words = UAI.split()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(words)))
        piece = data.draw(
            st.sampled_from(["0", "1", "2", "-1", "1e999", "999999999", "0.5", "#", "x"]) | st.text(max_size=3)
        )
        words[at : at + data.draw(st.integers(0, 2))] = [piece]
    with contextlib.suppress(FileError):
        assert uai.read_text(" ".join(words), "a.uai")


@pytest.mark.parametrize("kind", KINDS)
def test_without_pyagrum_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    write(PUMP, tmp_path / f"a.{kind}")
    monkeypatch.setitem(sys.modules, "pyagrum", None)  # what Python itself does for a package that is not there
    for attempt in (lambda: read(tmp_path / f"a.{kind}"), lambda: write(PUMP, tmp_path / f"b.{kind}")):
        with pytest.raises(MissingPackageError, match=rf"{kind.upper()} files needs .* pip install 'bnfuse\[files\]'"):
            attempt()


@pytest.mark.parametrize("kind", KINDS)
def test_files_are_written_with_all_digits(kind: str) -> None:
    row = [0.123456789012345, 1 - 0.123456789012345]
    network = Network(DAG(["A"]), {"A": ("no", "yes")}, {"A": row})
    text = _WRITE[kind](network)
    assert all(repr(number) in text for number in row)
