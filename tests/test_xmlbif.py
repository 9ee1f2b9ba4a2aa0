"""XMLBIF: what is read, what is refused and where, and that whatever is written is read back exactly."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import DAG
from bnfuse.errors import BnfuseError, BnfuseWarning, FileError
from bnfuse.files import xmlbif
from bnfuse.graphs.network import Network
from file_checks import assert_same, mutations, networks

PROLOGUE = """\
<?xml version="1.0" encoding="US-ASCII"?>
<!-- a comment -->
<!DOCTYPE BIF [
  <!ELEMENT BIF ( NETWORK )*>
  <!ATTLIST BIF VERSION CDATA #REQUIRED>
  <!ELEMENT NETWORK ( NAME, ( PROPERTY | VARIABLE | DEFINITION )* )>
  <!ELEMENT NAME (#PCDATA)>
]>
"""
NETWORK = """\
<NETWORK>
<NAME>tiny</NAME>
<PROPERTY>author = somebody</PROPERTY>
<VARIABLE TYPE="nature">
  <NAME>A</NAME><OUTCOME>&lt;5</OUTCOME><OUTCOME> say &quot;5&#x2B;&quot; </OUTCOME>
  <PROPERTY>position = (1, 2)</PROPERTY>
</VARIABLE>
<VARIABLE>
  <NAME>B</NAME><OUTCOME>low</OUTCOME><OUTCOME>mid</OUTCOME><OUTCOME>high</OUTCOME>
</VARIABLE>
<VARIABLE TYPE="nature"><NAME>C</NAME><OUTCOME>on</OUTCOME><OUTCOME>off</OUTCOME></VARIABLE>
<DEFINITION><FOR>A</FOR><TABLE>0.25 0.75</TABLE></DEFINITION>
<DEFINITION><FOR>B</FOR><GIVEN>A</GIVEN><TABLE>
  0.1 0.2 0.7 <!-- A = <5 -->
  0.3 0.3<!-- A = 5+ -->0.4
</TABLE></DEFINITION>
<DEFINITION><FOR>C</FOR><GIVEN>B</GIVEN><GIVEN>A</GIVEN>
  <TABLE>0 1.0 0.1 0.9 .2 0.8 0.3 0.7 4e-1 0.6 0.5 0.5</TABLE>
</DEFINITION>
</NETWORK>
"""
TINY = f'{PROLOGUE}<BIF VERSION="0.3">\n{NETWORK}</BIF>\n'


def read(text: str) -> Network:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (network,) = xmlbif.read_text(text, "net.xml")
    return network


def pair(table: str, outcome: str = "yes", definition: str = "<FOR>B</FOR><GIVEN>A</GIVEN>") -> str:
    """A -> B with the probabilities of B to be filled in on line 5."""
    return (
        '<BIF VERSION="0.3"><NETWORK><NAME>x</NAME>\n'
        "<VARIABLE><NAME>A</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME></VARIABLE>\n"
        f"<VARIABLE><NAME>B</NAME><OUTCOME>{outcome}</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>\n"
        "<DEFINITION><FOR>A</FOR><TABLE>0.5 0.5</TABLE></DEFINITION>\n"
        f"<DEFINITION>{definition}<TABLE>{table}</TABLE></DEFINITION></NETWORK></BIF>\n"
    )


def test_a_file_gives_structure_states_tables_and_name():
    network = read(TINY)
    assert network.name == "tiny"
    assert network.variables == ("A", "B", "C")
    assert set(network.dag.edges) == {("A", "B"), ("A", "C"), ("B", "C")}
    assert network.states == {"A": ("<5", 'say "5+"'), "B": ("low", "mid", "high"), "C": ("on", "off")}
    assert network.cpts["B"].tolist() == [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]


def test_the_child_varies_fastest_and_parent_axes_follow_the_dag():
    table = read(TINY).cpts["C"]  # the file says B, A
    assert table.shape == (2, 3, 2)
    assert table[1, 2].tolist() == [0.5, 0.5]
    assert table[0, 1].tolist() == [0.2, 0.8]
    assert table[1, 0].tolist() == [0.1, 0.9]


def test_tables_that_fit_only_the_other_order_are_read_so_and_said():
    with pytest.warns(BnfuseWarning, match=r"net\.xml: .*child varying slowest") as said:
        (network,) = xmlbif.read_text(pair("0.1 0.2 0.9 0.8"), "net.xml")
    assert len(said) == 1
    assert network.cpts["B"].tolist() == [[0.1, 0.9], [0.2, 0.8]]


def test_a_file_may_hold_several_networks():
    text = TINY.replace("</BIF>", NETWORK.replace("tiny", "again") + "</BIF>")
    first, second = xmlbif.read_text(text, "net.xml")
    assert (first.name, second.name) == ("tiny", "again")
    assert first == second


def test_the_names_of_version_0_2_are_known():
    assert read(TINY.replace("DEFINITION>", "PROBABILITY>").replace("OUTCOME>", "VALUE>")) == read(TINY)


def test_unicode_needs_no_entity():
    assert read(pair("0.1 0.9 0.2 0.8", "漢é&#233;")).states["B"] == ("漢éé", "no")


def test_elements_of_others_are_passed_over():
    text = TINY.replace("<NETWORK>", "<NOTE><NAME>other</NAME></NOTE><NETWORK><NOTE><NAME>b</NAME></NOTE>")
    assert_same(read(text), read(TINY))


def test_small_errors_are_renormalised_and_said_once():
    with pytest.warns(BnfuseWarning, match=r"net\.xml: renormalised a row .*P\(B \| A = a\) sums to 1\.0004") as said:
        (network,) = xmlbif.read_text(pair("0.1 0.9004 0.2 0.8"), "net.xml")
    assert len(said) == 1
    assert network.cpts["B"][0].tolist() == [0.1 / 1.0004, 0.9004 / 1.0004]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (pair("0.1 0.9 0.2 0.7"), r"5:41: P\(B \| A = b\) sums to 0.9, not to 1"),
        (pair("0.1 0.9\n-0.2 1.2"), "6:1: '-0.2' in the table of 'B' is not a probability"),
        (pair("0.1 0.9 <!-- 5 --> nan 1.2"), "5:67: 'nan' in the table of 'B' is not a probability"),
        (pair("0.1 0.9 1_0 1"), "5:56: '1_0' in the table of 'B' is not a probability"),
        (pair("0.1 0.9 1.2.3 1"), "5:56: '1.2.3' in the table of 'B' is not a probability"),
        (pair("0.1 0.9 1e999 1"), "5:56: '1e999' in the table of 'B' is not a probability"),
        (pair("0.1 0.9 0.2\u00a00.8"), r"5:56: '0.2\\xa00.8' in the table of 'B' is not a probability"),
        (pair("0.1 0.9 <![CDATA[x]]> 1"), "5:41: 'x' in the table of 'B' is not a probability"),
        (pair("0.1 0.9 0.2"), "5:41: the table of 'B' needs 4 numbers, got 3"),
        (pair("0.1 0.9 0.2 0.8 0"), "5:41: the table of 'B' needs 4 numbers, got more"),
        (pair("0.1 0.9", definition="<FOR>B</FOR><GIVEN>Z</GIVEN>"), "5:1: unknown variable 'Z'"),
        (pair("0.1 0.9", definition="<FOR>Z</FOR>"), "5:1: unknown variable 'Z'"),
        (pair("0.1 0.9", definition="<FOR>A</FOR>"), "5:1: variable 'A' has a second DEFINITION"),
        (pair("0.1 0.9", definition="<FOR>B</FOR><GIVEN>B</GIVEN>"), "5:1: variable 'B' occurs twice"),
        (pair("0.1 0.9", definition="<FOR>A</FOR><FOR>B</FOR>"), "5:1: .*must be FOR one variable, not 2"),
        (pair("0.1 0.9", definition="<FOR>B</FOR><TABLE>1 0</TABLE>"), "5:43: a second TABLE"),
        (pair("").replace("<TABLE></TABLE>", ""), "5:1: variable 'B' has no TABLE"),
        (pair("", "no"), "3:46: the state 'no' is given twice"),
        (pair("").replace("<NAME>B</NAME>", ""), "3:1: a VARIABLE must have one NAME"),
        (pair("").replace("<NAME>B", "<NAME>A"), "3:1: variable 'A' is declared twice"),
        (pair("").replace("<VARIABLE>", '<VARIABLE TYPE="utility">'), "2:1: a utility variable"),
        (pair("").replace("OUTCOME", "RESULT"), "2:1: variable 'A' has no OUTCOME"),
        (
            pair("", definition="<FOR>A</FOR>").split("<DEFINITION><FOR>A</FOR><TABLE></T")[0] + "</NETWORK></BIF>",
            "3:1: ",
        ),
        (pair("0.1 0.9 0.2 0.8").replace("<FOR>A</FOR>", "<FOR>A</FOR><GIVEN>B</GIVEN>"), "needs 4 numbers, got 2"),
        (
            pair("0.1 0.9 0.2 0.8").replace("<FOR>A</FOR><TABLE>0.5", "<FOR>A</FOR><GIVEN>B</GIVEN><TABLE>0 1 0.5"),
            "form a cycle",
        ),
        (TINY[:300], "not valid XML"),
        (TINY.replace("</NAME>", "</NAMES>", 1), "11:13: not valid XML: mismatched tag"),
        (pair("", "&nbsp;"), "3:34: not valid XML: undefined entity"),
        (pair("", "\x00"), "3:34: not valid XML"),
        (pair("", "\ud800"), "3:34: not valid XML"),
        ("", "not valid XML: no element found"),
        ("<html></html>", "1:1: expected <BIF>, got <html>"),
        ("<BIF></BIF>", "it has no NETWORK"),
        ("<BIF><NETWORK></NETWORK></BIF>", "at least one variable"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, problem: str):
    with pytest.raises(FileError, match="^net.xml:.*" + problem):
        read(text)


BOMB = "<!DOCTYPE BIF [<!ENTITY a0 'ha'>" + "".join(f"<!ENTITY a{i + 1} '&a{i};&a{i};'>" for i in range(60)) + "]>"


@pytest.mark.parametrize(
    "prologue",
    [
        BOMB,
        "<!DOCTYPE BIF [<!ENTITY a60 SYSTEM 'file:///etc/passwd'>]>",
        "<!DOCTYPE BIF [<!ENTITY % a60 SYSTEM 'http://localhost/x'> %a60;]>",
        "<!DOCTYPE BIF SYSTEM 'http://localhost/bif.dtd'>",
    ],
)
def test_entities_are_refused_not_expanded(prologue: str):
    with pytest.raises(FileError, match=r"^net\.xml:\d+:\d+: .*entity of its own"):
        read(prologue + pair("0.1 0.9 0.2 0.8", "&a60;"))


@pytest.mark.parametrize(
    "text",
    [
        "<BIF>" + "<NETWORK>" * 100_000,
        "<BIF " + "a='1' " * 100_000,
        "<!--" * 100_000,
        "<!DOCTYPE BIF [" * 100_000,
        "<BIF>" + "<![CDATA[" * 100_000,
        pair("1" * 1_000_000),
        pair("0 " * 300_000),
        pair("", definition="<FOR>B</FOR>" + "<GIVEN>A</GIVEN>" * 30_000),
        "<BIF><NETWORK>"
        + "".join(
            f"<VARIABLE><NAME>{i}</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME></VARIABLE>" for i in range(9_000)
        )
        + "<DEFINITION><FOR>0</FOR>"
        + "".join(f"<GIVEN>{i}</GIVEN>" for i in range(1, 9_000))
        + "<TABLE>1 0</TABLE></DEFINITION></NETWORK></BIF>",
    ],
    ids=lambda text: text[:20],
)
def test_large_nonsense_is_refused_without_much_ado(text: str):
    with pytest.raises(FileError):
        read(text)


@given(networks())
def test_whatever_is_written_is_read_back_exactly(network: Network):
    assert_same(read(xmlbif.write_text(network)), network)


@given(networks())
def test_what_is_written_can_be_encoded(network: Network):
    text = xmlbif.write_text(network)
    assert text.encode().decode() == text


@given(st.data())
def test_mutated_files_raise_nothing_but_our_errors(data: st.DataObject):
    text = data.draw(mutations(data.draw(st.sampled_from([TINY, NETWORK, pair("0.1 0.9 0.2 0.8")]))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BnfuseWarning)
        try:
            networks_read = xmlbif.read_text(text, "net.xml")
        except BnfuseError:
            return
    assert len(networks_read) == 1


def test_a_bare_structure_is_written_with_uniform_tables_that_say_so():
    network = Network(DAG(["A", "B"], [("A", "B")]))
    text = xmlbif.write_text(network)
    assert "<PROPERTY>bnfuse_states = assumed</PROPERTY>" in text
    assert "<PROPERTY>bnfuse_tables = uniform</PROPERTY>" in text
    assert "\n0.5 0.5\n0.5 0.5\n" in text
    assert_same(read(text), network)


def test_only_names_that_xml_cannot_carry_are_escaped():
    states = {"A": ("a & <b>", "\\", '"'), " B": ("\x00", "x")}
    text = xmlbif.write_text(Network(DAG(states), states))
    assert "<OUTCOME>a &amp; &lt;b&gt;</OUTCOME>" in text
    assert "<OUTCOME>\\</OUTCOME>" in text
    assert '<NAME ESCAPED="yes"> B</NAME>' in text
    assert '<OUTCOME ESCAPED="yes">\\u0000</OUTCOME>' in text
