"""XDSL files: their order of numbers by a file written by hand, everything else by properties."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import DAG, FileError, Network, read, write
from bnfuse.errors import BnfuseWarning
from bnfuse.files import xdsl
from strategies import dags

# As GeNIe writes it: a comment, attributes and elements that say nothing about the network, a submodel
GENIE = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- This network was created in GeNIe -->
<smile version="1.0" id="Pump" numsamples="10000" discsamples="10000">
	<properties><property id="author">somebody</property></properties>
	<nodes>
		<cpt id="Old" target="true" diagtype="observation"><state id="no" default="true" /><state id="yes" />
			<probabilities>0.7 0.3</probabilities></cpt>
		<cpt id="Load"><state id="low" /><state id="mid" /><state id="high" />
			<probabilities>0.2 0.5 0.3</probabilities>
			<property id="literature">a book</property></cpt>
		<cpt id="Fails">
			<state id="no" />
			<state id="yes" />
			<parents>Old Load</parents>
			<probabilities>0.99 0.01 0.98 0.02 0.97 0.03 0.9 0.1 0.8 0.2 0.65 0.35</probabilities>
		</cpt>
		<deterministic id="Alarm">
			<state id="silent" /><state id="rings" />
			<parents>Load Fails</parents>
			<resultingstates>silent silent silent rings rings rings</resultingstates>
		</deterministic>
	</nodes>
	<extensions>
		<genie version="1.0" app="GeNIe 2.1" name="a pump">
			<node id="Old"><name>Is it old?</name><position>1 2 3 4</position></node>
			<submodel id="sub1"><name>Sub</name><node id="Load"><name>L\xf6ad</name></node></submodel>
			<textbox><caption>a note</caption></textbox>
		</genie>
	</extensions>
</smile>
"""
EXTENSIONS = GENIE[GENIE.index("\t<extensions>") : GENIE.index("</smile>")]


def of(text: str) -> Network:
    [network] = xdsl.read_text(text, "a.xdsl")
    return network


@pytest.mark.parametrize("text", [GENIE, GENIE.replace(EXTENSIONS, "")], ids=["whole", "without extensions"])
def test_numbers_run_through_own_states_then_the_last_parent(tmp_path: Path, text: str) -> None:
    (tmp_path / "pump.xdsl").write_text(text, "latin-1")
    [network] = read(tmp_path / "pump.xdsl")
    assert network.name == "pump"
    assert network.variables == ("Old", "Load", "Fails", "Alarm")
    assert network.dag.edges == (("Old", "Fails"), ("Load", "Fails"), ("Load", "Alarm"), ("Fails", "Alarm"))
    assert network.states is not None
    assert network.states["Load"] == ("low", "mid", "high")
    assert network.cpts is not None
    assert network.cpts["Fails"].tolist() == [
        [[0.99, 0.01], [0.98, 0.02], [0.97, 0.03]],
        [[0.9, 0.1], [0.8, 0.2], [0.65, 0.35]],
    ]
    assert network.query(["Fails"], {"Old": "yes", "Load": "mid"}).probabilities.tolist() == pytest.approx([0.8, 0.2])


def test_a_deterministic_node_has_the_states_that_it_results_in() -> None:
    network = of(GENIE)
    assert network.cpts is not None
    assert network.dag.parents("Alarm") == ("Load", "Fails")
    assert network.cpts["Alarm"].tolist() == [[[1, 0], [1, 0]], [[1, 0], [0, 1]], [[0, 1], [0, 1]]]


def test_numbers_are_written_in_the_same_order(tmp_path: Path) -> None:
    network = of(GENIE)
    text = xdsl.write_text(network)
    assert "<probabilities>0.99 0.01 0.98 0.02 0.97 0.03 0.9 0.1 0.8 0.2 0.65 0.35</probabilities>" in text
    assert "<parents>Old Load</parents>" in text
    assert of(text) == network


def test_parents_come_first_in_the_file() -> None:
    chain = DAG(["C", "B", "A"], [("A", "B"), ("B", "C")])
    assert of(xdsl.write_text(Network(chain))).variables == ("A", "B", "C")


@st.composite
def networks(draw: st.DrawFn) -> Network:
    dag = draw(dags(max_size=6))
    generator = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    labels = ("a", "two words", "<&>'\"", "ä", "x|y", " ")
    states = {name: labels[: generator.integers(1, 7)] for name in dag.variables}
    shapes = {name: [len(states[parent]) for parent in dag.parents(name)] for name in dag.variables}
    cpts = {name: generator.dirichlet(np.ones(len(states[name])), shapes[name]) for name in dag.variables}
    return Network(dag, states, cpts)


@pytest.mark.filterwarnings("ignore::bnfuse.BnfuseWarning")
@given(networks())
def test_networks_come_back_to_the_last_bit(network: Network) -> None:
    assert of(xdsl.write_text(network)) == network


def test_xdsl_needs_no_other_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyagrum", None)
    write(of(GENIE), tmp_path / "a.xdsl")
    assert read(tmp_path / "a.xdsl") == [of(GENIE)]


def test_placeholder_tables_are_marked_and_known_again(tmp_path: Path) -> None:
    dag = of(GENIE).dag
    write(dag, tmp_path / "a.xdsl")
    assert (tmp_path / "a.xdsl").read_text().count("bnfuse_tables") == 4
    assert read(tmp_path / "a.xdsl") == [Network(dag)]
    write(Network(dag, of(GENIE).states), tmp_path / "a.xdsl")
    assert read(tmp_path / "a.xdsl") == [Network(dag, of(GENIE).states)]


def test_a_mark_on_some_nodes_or_beside_other_numbers_means_nothing() -> None:
    text = xdsl.write_text(Network(DAG(["A", "B"])))
    for old, new in (("0.5 0.5", "0.4 0.6"), ('id="bnfuse_tables"', 'id="other"')):
        assert of(text.replace(old, new, 1)).cpts is not None


@pytest.mark.parametrize("name", ["0", "a-b", "a b", "<5"])
def test_a_name_that_genie_may_refuse_is_said(name: str) -> None:
    with pytest.warns(BnfuseWarning, match="GeNIe may refuse the name"):
        xdsl.write_text(Network(DAG(["A"]), {"A": (name, "other")}))


@pytest.mark.parametrize("name", ["a b", "a\tb", "a\x07", "\ufffe"])
def test_a_name_that_the_format_cannot_hold_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match=r"variable .*XDSL files cannot hold this name"):
        write(DAG([name]), tmp_path / "a.xdsl")
    with pytest.raises(FileError, match=r"state .*XDSL files cannot hold this name"):
        write(Network(DAG(["A"]), {"A": ("", "other")}), tmp_path / "a.xdsl")


@pytest.mark.parametrize("kind", ["noisymax", "equation", "decision", "utility", "mau", "noisyadder", "whatever"])
def test_other_kinds_of_nodes_are_refused_by_name(kind: str) -> None:
    shown = {"noisymax": "noisy-MAX", "mau": "multi-attribute", "noisyadder": "noisy-adder"}.get(kind, kind)
    text = GENIE.replace("<deterministic", f"<{kind}").replace("</deterministic", f"</{kind}")
    with pytest.raises(FileError, match=rf"a\.xdsl:17:3: node 'Alarm' is .*{shown}.*<cpt>"):
        of(text)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("0.99 0.01 0.98", "0.99 0.01 0.9", r"15:4: P\(Fails \| Old = no, Load = mid\) sums to 0.92, not to 1"),
        ("0.99 0.01 ", "", "15:4: the table of 'Fails' needs 12 numbers, got 10"),
        ("0.65 0.35", "0.65 0.35 0.1", "needs 12 numbers, got more"),
        ("0.99 0.01", "0.99 0.0nan", "15:24: '0.0nan' in the table of 'Fails' is not a probability"),
        ("0.7 0.3", "1.7 -0.7", "7:19: '1.7' in the table of 'Old' is not a probability"),
        ("0.7 0.3", "1e308 1e308", "'1e308' in the table of 'Old' is not a probability"),
        ("<probabilities>0.7 0.3</probabilities>", "", "6:3: node 'Old' has no <probabilities>"),
        ("<probabilities>0.7 0.3", "<probabilities/><probabilities>0.7 0.3", "has a second <probabilities>"),
        ("Old Load", "Old Lead", "14:4: node 'Fails' has the unknown parent 'Lead'"),
        ("Old Load", "Load Load", "node 'Fails' has the parent 'Load' twice"),
        ("Old Load", "Fails Load", "node 'Fails' is its own parent"),
        ('cpt id="Load"', 'cpt id="Old"', "8:3: node 'Old' is declared twice"),
        ('cpt id="Load"', "cpt", "8:3: a <cpt> has no id"),
        ('<state id="low" /><state id="mid" /><state id="high" />', "", "8:3: node 'Load' has no <state>"),
        ('<state id="low" />', '<state id="mid" />', "has the state 'mid' twice"),
        ('<state id="low" />', "<state/>", "a <state> of node 'Load' has no id"),
        ("silent silent silent rings", "silent silent silent", "20:4: node 'Alarm' needs 6 resulting states, got 5"),
        ("silent silent silent", "silent silent loud", "node 'Alarm' has no state 'loud'"),
        ("<nodes>", "<dynamic numslices='3'/><nodes>", "dynamic network"),
        ("<nodes>", "<nodes><a>", "mismatched tag|of the kind <a>"),
        ("</smile>", "", "not valid XML"),
        ('"Pump"', '"&pump;"', "not valid XML: undefined entity"),
        ("<smile ", '<!DOCTYPE s [<!ENTITY a "b">]><smile ', "declares or uses an entity"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(old: str, new: str, problem: str) -> None:
    assert old in GENIE
    with pytest.raises(FileError, match=rf"^a\.xdsl:.*(?:{problem})"):
        of(GENIE.replace(old, new, 1))


def test_a_file_without_nodes_is_not_a_network() -> None:
    with pytest.raises(FileError, match="it has no <cpt> nodes"):
        of("<smile><nodes/></smile>")


def test_a_cycle_is_refused() -> None:
    with pytest.raises(FileError, match="the arcs form a cycle"):
        of(
            '<smile><nodes><cpt id="A"><state id="a"/><parents>B</parents><probabilities>1</probabilities></cpt>'
            '<cpt id="B"><state id="a"/><parents>A</parents><probabilities>1</probabilities></cpt></nodes></smile>'
        )


def test_a_small_file_cannot_ask_for_a_large_table() -> None:
    states = "".join(f'<state id="s{i}"/>' for i in range(1000))
    nodes = [f'<cpt id="P{i}">{states}<probabilities>1</probabilities></cpt>' for i in range(2)]
    wide = f'<deterministic id="D">{states}<parents>P0 P1</parents><resultingstates/></deterministic>'
    with pytest.raises(FileError, match="the table of"):
        of(f"<smile><nodes>{wide}{''.join(nodes)}</nodes></smile>")


def test_format_is_known_by_content_and_wrong_extensions_are_said(tmp_path: Path) -> None:
    for name in ("a.xdsl", "a.xml", "unknown"):
        (tmp_path / name).write_text(GENIE, "latin-1")
        assert read(tmp_path / name) == [of(GENIE)]
    (tmp_path / "b.xdsl").write_text("<BIF VERSION='0.3'></BIF>")
    with pytest.raises(FileError, match="looks like XMLBIF, not XDSL"):
        read(tmp_path / "b.xdsl")


PYAGRUM = """<?xml version="1.0" ?>
<smile version="1.0" id="pump">
  <nodes>
    <cpt id="Old"><state id="no" /><state id="yes" /><probabilities>0.7 0.3</probabilities></cpt>
    <cpt id="Load"><state id="low" /><state id="mid" /><state id="high" />
      <probabilities>0.2 0.5 0.3</probabilities></cpt>
    <cpt id="Fails"><state id="no" /><state id="yes" /><parents>Old Load</parents>
      <probabilities>0.99 0.01 0.9 0.1 0.98 0.02 0.8 0.2 0.97 0.03 0.65 0.35</probabilities></cpt>
  </nodes>
  <extensions><genie version="1.0" app="aGrUM 3.3.1" name="pump"></genie></extensions>
</smile>
"""


def test_tables_of_a_file_by_pyagrum_are_read_as_it_meant_them() -> None:
    with pytest.warns(BnfuseWarning, match=r"a.xdsl: was written by pyAgrum \(aGrUM 3.3.1\), .* in a different order"):
        [found] = xdsl.read_text(PYAGRUM, "a.xdsl")
    assert found.query("Fails", {"Old": "no", "Load": "high"})["yes"] == pytest.approx(0.03)
    assert found.query("Fails", {"Old": "yes", "Load": "low"})["yes"] == pytest.approx(0.1)


def test_a_file_by_pyagrum_with_one_parent_needs_no_remark(recwarn: pytest.WarningsRecorder) -> None:
    xdsl.read_text(PYAGRUM.replace("Old Load", "Old").replace(" 0.98 0.02 0.8 0.2 0.97 0.03 0.65 0.35", ""), "a.xdsl")
    assert not recwarn


def test_what_pyagrum_writes_comes_back(tmp_path: Path) -> None:
    pytest.importorskip("pyagrum", reason="needs the extra 'files'")
    [pump] = xdsl.read_text(GENIE, "pump.xdsl")
    model = pump.to_pyagrum()
    model.saveXDSL(str(tmp_path / "pump.xdsl"))
    with pytest.warns(BnfuseWarning, match="written by pyAgrum"):
        [found] = read(tmp_path / "pump.xdsl")
    assert pump.states is not None
    for old in ("no", "yes"):
        for load in pump.states["Load"]:
            given_states = {"Old": old, "Load": load}
            assert found.query("Fails", given_states) == pytest.approx(pump.query("Fails", given_states))
