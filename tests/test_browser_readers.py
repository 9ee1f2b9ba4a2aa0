"""The readers of the empty page, in JavaScript, held against those in Python by the same files."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import bnfuse
import file_checks
from bnfuse.files import bif, edge_list, ensemble, xdsl, xmlbif
from page_browser import browser_fixture, needs_browser, served_fixture  # noqa: F401
from reader_cases import KINDS, PROGRAM, difference, in_javascript, in_python, mutated, seeds

pytestmark = needs_browser
EXAMPLES = Path(__file__).parent.parent / "examples"
TAKE_ANY_NAME = {"bif": bif, "xmlbif": xmlbif, "json": ensemble, "csv": edge_list}
PLAIN = b"network n { } variable A { type discrete [ 2 ] { a, b }; } probability ( A ) { table 0.5, 0.5; }"


@pytest.fixture(name="modules")
def modules_fixture(served):
    """A page that can load the modules, once for all examples of a test."""
    return served()


def compare(page, cases, folder):
    """Where the page and Python differ on (name, content) pairs. Of plain BIF files every message is the same."""
    found = []
    for (name, content), answer in zip(cases, in_javascript(page, cases), strict=True):
        expected = in_python(name, content, folder)
        differs = difference(answer, expected)
        is_told_alike = name.endswith(".bif") and not content.startswith(b"\x1f\x8b")
        if differs is None and is_told_alike and isinstance(expected, str) and answer["error"] != expected:
            differs = f"says {answer['error']!r}, not {expected!r}"
        if differs is not None:
            found.append((name, content[:200], differs))
    return found


def of(inputs):
    return [(f"case.{one.extension}", one.content) for one in inputs]


def test_the_page_reads_what_python_reads(modules, tmp_path):
    assert compare(modules, of([*seeds(), *mutated(150, "quick")]), tmp_path) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_the_page_reads_what_python_reads_of_many_broken_files(modules, tmp_path, seed):
    assert compare(modules, of(mutated(1500, seed)), tmp_path) == []


@pytest.mark.parametrize("size", [2049, pytest.param(20_001, marks=pytest.mark.long)])
def test_networks_of_many_variables_are_taken_or_refused_alike(modules, tmp_path, size):
    names = [f"v{i}" for i in range(size)]
    text = json.dumps({"variables": names, "networks": [{"name": "one", "edges": [names[:2]]}]})
    assert compare(modules, [("many.json", text.encode())], tmp_path) == []


@given(file_checks.networks())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_names_and_tables_of_any_kind_come_over(modules, tmp_path, network):
    texts = {f"case.{kind}": form.write_text(network) for kind, form in TAKE_ANY_NAME.items()}
    cases = [
        (name, text.encode(errors="replace")) for name, text in texts.items()
    ]  # half characters, which no file holds
    assert compare(modules, cases, tmp_path) == []


@pytest.mark.filterwarnings("ignore:GeNIe may refuse:bnfuse.BnfuseWarning")
@pytest.mark.skipif(not bnfuse.networks.available(), reason="the benchmark networks are not on this machine")
@pytest.mark.parametrize(
    "name", ["asia", "child", *(pytest.param(one, marks=pytest.mark.long) for one in ("alarm", "munin1", "mildew"))]
)
def test_benchmark_networks_come_over(modules, tmp_path, name):
    network = bnfuse.networks.load(name)
    writers = {**{kind: TAKE_ANY_NAME[kind] for kind in ("bif", "xmlbif", "json")}, "xdsl": xdsl}
    cases = [(f"{name}.{kind}", form.write_text(network).encode()) for kind, form in writers.items()]
    cases.append((f"{name}.bif.gz", gzip.compress(cases[0][1])))
    assert compare(modules, cases, tmp_path) == []


def test_the_examples_come_over(modules, tmp_path):
    known = [file for file in sorted(EXAMPLES.rglob("*.*")) if file.is_file() and file.suffix[1:] in KINDS]
    files = [file for file in known if file.parent.name != "wards"]  # Gaussian networks need the program
    assert len(files) > 8
    assert compare(modules, [(file.name, file.read_bytes()) for file in files], tmp_path) == []


OTHERWISE_ENCODED = (
    "<?xml version='1.0' encoding='{}'?>"
    "<smile><nodes><cpt id='{}'><state id='a'/><state id='b'/>{}</cpt></nodes></smile>"
)
HALF = "<probabilities>0.5 0.5</probabilities>"
XML = "<BIF><NETWORK><VARIABLE><NAME>A</NAME><OUTCOME>x</OUTCOME></VARIABLE>{}</NETWORK></BIF>"
TABLE = "<DEFINITION><FOR>A</FOR><TABLE>{}</TABLE></DEFINITION>"


CASES = [
    ("a.bif", b"\xef\xbb\xbf" + PLAIN),
    ("a.bif", b"\xef\xbb\xbf\n \xff" + PLAIN),
    ("a.bif", b"\xef\xbb\xbf\xff" + PLAIN),
    ("a.txt", b"// a comment\n/* another */ " + PLAIN),
    ("a.bif", b"\xff\xfe" + PLAIN),
    ("a.bif", PLAIN + b"\n\n  \xc3("),
    ("a.bif", PLAIN + "\nä\n".encode("latin-1")),
    ("a.bif", PLAIN.replace(b"A", "\U0001f600".encode()) + " \u00e4 oops".encode()),
    ("a.bif", b"\0" + PLAIN),
    ("a.bif", b" \r\n"),
    ("a.csv", b"PAR1" + PLAIN),
    ("a.csv", PLAIN),
    ("a.json", PLAIN),
    ("a.bif", b'{"variables": []}'),
    ("a.bif.gz", PLAIN),
    ("a.bif", gzip.compress(PLAIN)),
    ("a.bif", gzip.compress(gzip.compress(PLAIN))),
    ("a.bif", gzip.compress(PLAIN)[:-12]),
    ("a", PLAIN),
    (".bif", PLAIN),
    ("a.b.BIF", PLAIN),
    ("a.x", b"hello"),
    ("a.dot", b"digraph { a -> b }"),
    *(
        ("a.xdsl", OTHERWISE_ENCODED.format(code, "\u00e4", HALF).encode(code))
        for code in ("iso-8859-1", "windows-1252")
    ),
    ("a.xdsl", OTHERWISE_ENCODED.format("iso-8859-1", "\x85", HALF).encode("latin-1")),
    ("a.xdsl", OTHERWISE_ENCODED.format("windows-1252", "\x81", HALF).encode("latin-1")),
    ("a.xdsl", OTHERWISE_ENCODED.format("koi8-r", "a", HALF).encode()),
    ("a.xml", OTHERWISE_ENCODED.format("utf-8", "a", HALF).encode()),
    ("a.xml", XML.format(TABLE.format("1")).encode()),
    ("a.xml", XML.format(TABLE.format("1&#49;")).encode()),
    ("a.xml", XML.format(TABLE.format("&one;")).encode()),
    ("a.xml", XML.format(TABLE.format("0.5")).encode()),
    ("a.xml", XML.format(TABLE.format("1") * 2).encode()),
    ("a.xml", ("<!DOCTYPE BIF SYSTEM 'http://example.org/bif.dtd'>" + XML.format(TABLE.format("1"))).encode()),
    (
        "a.xml",
        ("<!DOCTYPE BIF [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]>" + XML.format(TABLE.format("1"))).encode(),
    ),
    ("a.xml", ("<!DOCTYPE BIF [<!ATTLIST VARIABLE TYPE (nature|utility) 'utility'>]>" + XML.format("")).encode()),
    (
        "a.xml",
        (
            "<!DOCTYPE BIF [<!ATTLIST VARIABLE TYPE CDATA 'nature' x ID #IMPLIED>]>" + XML.format(TABLE.format("1"))
        ).encode(),
    ),
    ("a.csv", b"from,to\nA,B\nB,A\n"),
    ("a.csv", b"from,to\nA,A\n"),
    ("a.csv", b"from to\nA B\nB  C\n"),
    ("a.csv", b'from,to\n"A,B\n'),
    ("a.csv", b'from,to\n"A"x,B\n'),
    ("a.csv", b"A,B\nB,C\n"),
    ("a.csv", b"A,B\nC,D\n"),
    ("a.csv", b"variable,name\nA,B\n"),
    ("a.csv", b"parent;child\nA;B\n"),
    ("a.csv", b",A,B\nA,0,1\nB,0,0\n"),
    ("a.csv", b",A,B\nA,0,1\nB,1,0\n"),
    ("a.csv", b",A,B\nA,0,0.5\nB,0,0\n"),
    ("a.csv", b"from,to,type\nA,B,o->\n"),
    ("a.json", b'{"variables": ["A", "A"], "networks": [{"edges": []}]}'),
    ("a.json", b'{"variables": ["A"], "networks": [{"edges": [["A", "B"]]}]}'),
    ("a.json", b'{"variables": ["A", "B"], "networks": [{"edges": [["A", "B"], ["B", "A"]]}]}'),
    ("a.json", b'{"variables": ["A"], "variables": ["A"], "networks": []}'),
    ("a.json", b'{"variables": ["__proto__"], "networks": [{"name": "constructor", "edges": []}, {"edges": []}]}'),
    ("a.json", b'{"variables": ["\\ud800"], "networks": [{"edges": []}]}'),
    ("a.json", b'{"variables": ["A"], "networks": [{"edges": []}], "x": ' + b"[" * 5000 + b"]" * 5000 + b"}"),
    ("a.json", b'{"variables": ["A"], "networks": [{"edges": []}], "x": 1e999}'),
    ("a.json", b'{"variables": ["A"], "networks": [{"edges": []}], "x": NaN}'),
]


def test_files_of_every_kind_are_taken_or_refused_alike(modules, tmp_path):
    assert compare(modules, CASES, tmp_path) == []


def test_what_needs_the_installed_program_is_named_with_the_command(modules):
    cases = [
        ("a.uai", b"BAYES 1 2 1 1 0 2 0.5 0.5"),
        ("b.json", b'{"kind":"bnfuse consensus"}'),
        ("c.csv", b"from,to,count,of\nA,B,3,10\n"),
        ("d.csv", b"from,to,type\nA,B,---\n"),
        ("patients.csv", b"Age,Smoker\nold,yes\nyoung,no\n"),
    ]
    said = [one["error"] for one in in_javascript(modules, cases)]
    assert all(PROGRAM in one and "\n" not in one for one in said)
    assert said[0].endswith("bnfuse convert a.uai a.bif")
    assert said[4] == (
        "patients.csv:1: looks like data (columns 'Age', 'Smoker'), not like a network; learning from data needs the "
        "installed program: bnfuse bootstrap patients.csv learns networks from it and finds their consensus; an edge "
        "list starts with from,to"
    )
