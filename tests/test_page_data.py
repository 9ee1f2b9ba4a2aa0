"""The page's data: every report has the fields that the schema says, and the documentation names them."""

import ast
import inspect
import json
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path

import pytest

import bnfuse
from bnfuse import DAG, ArcVotes, Network, read
from bnfuse.answer.provenance import Origin
from bnfuse.graphs.pdag import PDAG
from bnfuse.report import between
from bnfuse.report.page import page_schema
from bnfuse.report.page.page import page
from bnfuse.report.page.page_schema import VERSION, PageData
from bnfuse.report.page.records import as_json, json_schema
from bnfuse.report.summary import Summary
from packed_tables import plain_data, with_names
from page_browser import browser_fixture, needs_browser, served_fixture  # noqa: F401
from page_parts import CLINICS
from samples import random_data

DOCUMENTATION = Path(__file__).parent.parent / "docs" / "report.md"


def clinics():
    found = bnfuse.consensus(read(*CLINICS), max_clique=3, required=[("Smoker", "XRay")], effort="quick")
    return replace(found, origin=Origin.now(CLINICS))


def union_of_variables():
    first = Network(DAG(list("ABCD"), [("A", "B"), ("B", "C"), ("C", "D")]), name="first")
    second = PDAG(list("BCE"), [("B", "C")], [("C", "E")], name="second")
    return bnfuse.consensus([first, second], variables="union", weights={"second": 2})


def votes():
    return bnfuse.consensus([ArcVotes(list("ABC"), [[0, 0.8, 0], [0, 0, 0.6], [0, 0.3, 0]])])


def resamples():
    data = random_data(0, 6, 200)
    return bnfuse.consensus(bnfuse.bootstrap(data, 12, threads=1).run()).fit(data)


def frontier():
    inputs = read(*CLINICS)
    return bnfuse.consensus(inputs, effort="quick").with_frontier(bnfuse.frontier(inputs, effort="quick"))


REPORTS = {
    "clinics": clinics,
    "union of variables": union_of_variables,
    "votes": votes,
    "resamples": resamples,
    "frontier": frontier,
    "one variable": lambda: bnfuse.consensus([DAG(["A"])]),
}


@cache
def data_of(name):
    """The data of a report, as they are in its file."""
    return plain_data(page(Summary(REPORTS[name]().finished)))


# The schema

KINDS = {"null": type(None), "boolean": bool, "integer": int, "number": int | float, "string": str, "array": list}
KEYWORDS = {"type", "anyOf", "const", "description", "items", "prefixItems", "minItems", "maxItems"}
KEYWORDS |= {"properties", "required", "additionalProperties"}


def faults(value, schema, place="data"):
    """Where a value is not what a schema says, in the part of JSON Schema that is used here."""
    assert schema.keys() <= KEYWORDS
    if "anyOf" in schema:
        found = [list(faults(value, one, place)) for one in schema["anyOf"]]
        yield from min(found, key=len)
    if "const" in schema and value != schema["const"]:
        yield f"{place}: {value!r:.60}"
    kind = KINDS.get(schema.get("type"), dict) if "type" in schema else object
    if not isinstance(value, kind) or (isinstance(value, bool) and schema.get("type") in ("integer", "number")):
        yield f"{place}: {value!r:.60} is no {schema['type']}"
    elif isinstance(value, dict):
        yield from faults_of_object(value, schema, place)
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{place}: {len(value)} items"
        each = schema.get("prefixItems") or [schema.get("items", {})] * len(value)
        for i, (one, own) in enumerate(zip(value, each, strict=False)):
            yield from faults(one, own, f"{place}[{i}]")


def faults_of_object(value, schema, place):
    known = schema.get("properties", {})
    yield from (f"{place} has no {name}" for name in schema.get("required", ()) if name not in value)
    for name, one in value.items():
        own = known.get(name, schema.get("additionalProperties", {}))
        if own is False:
            yield f"{place} has {name}"
        else:
            yield from faults(one, own, f"{place}.{name}")


@pytest.mark.parametrize("name", REPORTS)
def test_the_data_of_a_report_are_what_the_schema_says(name):
    data = data_of(name)
    assert list(faults(data, json_schema(PageData))) == []
    assert data["version"] == VERSION
    assert list(data) == [one.name for one in fields(PageData)]


def test_the_reports_have_something_in_every_list_of_records():
    """So that the schema of their rows is tried."""
    tables = {}

    def look(value, place):
        if isinstance(value, dict) and value.keys() == {"fields", "rows"}:
            tables[place] = tables.get(place, False) or bool(value["rows"])
        for key, one in value.items() if isinstance(value, dict) else ():
            look(one, f"{place}.{key}")

    for name in REPORTS:
        look({key: value for key, value in data_of(name).items() if key != "limits"}, "")
    assert len(tables) == 15
    assert [place for place, is_filled in tables.items() if not is_filled] == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda data: data.pop("why"), "data has no why"),
        (lambda data: data.update(more=1), "data has more"),
        (lambda data: data["facts"].update(distance="4"), "data.facts.distance: '4' is no number"),
        (lambda data: data.update(weight=True), "data.weight: True is no integer"),
        (lambda data: data["why"]["rows"][0].pop(), "data.why.rows[0]: 4 items"),
        (lambda data: data["inputs"]["fields"].reverse(), "data.inputs.fields: "),
    ],
)
def test_other_data_are_not(change, expected):
    data = json.loads(json.dumps(data_of("clinics")))
    change(data)
    (fault,) = faults(data, json_schema(PageData))
    assert fault.startswith(expected)


# Records


@dataclass(frozen=True)
class Leaf:
    """A leaf."""

    colour: str
    ribs: list[int]


@dataclass(frozen=True)
class Tree:
    """Leaves, in all ways that records can be held."""

    top: Leaf | None
    listed: list[Leaf]
    some: tuple[Leaf | None, ...]
    named: dict[str, Leaf]
    either: list[Leaf | str]


TREE = Tree(
    None, [Leaf("red", [1]), Leaf("green", [])], (None, Leaf("", [2, 3])), {"4": Leaf("x", [])}, ["a", Leaf("b", [])]
)
WRITTEN = {
    "top": None,
    "listed": {"fields": ["colour", "ribs"], "rows": [["red", [1]], ["green", []]]},
    "some": {"fields": ["colour", "ribs"], "rows": [None, ["", [2, 3]]]},
    "named": {"fields": ["colour", "ribs"], "rows": {"4": ["x", []]}},
    "either": ["a", {"colour": "b", "ribs": []}],
}
READ = {
    "top": None,
    "listed": [{"colour": "red", "ribs": [1]}, {"colour": "green", "ribs": []}],
    "some": [None, {"colour": "", "ribs": [2, 3]}],
    "named": {"4": {"colour": "x", "ribs": []}},
    "either": ["a", {"colour": "b", "ribs": []}],
}


def test_many_records_are_a_table():
    assert as_json(TREE) == WRITTEN
    assert as_json(Tree(TREE.listed[0], [], (), {}, []))["listed"] == {"fields": ["colour", "ribs"], "rows": []}
    assert list(faults(WRITTEN, json_schema(Tree))) == []


@needs_browser
def test_python_and_javascript_read_the_same_from_tables(served):
    read_there = "async all => { const { withNames } = await import('/records.js'); return all.map(withNames); }"
    data = data_of("clinics")
    assert served().evaluate(read_there, [WRITTEN, data]) == [READ, with_names(data)]
    assert with_names(WRITTEN) == READ


# What it says


@pytest.mark.parametrize("module", [page_schema, between])
def test_every_field_is_explained(module):
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ClassDef):
            names = [one.target.id for one in node.body if isinstance(one, ast.AnnAssign)]
            texts = [one for one in node.body if isinstance(one, ast.Expr)]
            assert len(texts) == len(names) + 1, node.name


def test_the_documentation_names_every_field():
    text = DOCUMENTATION.read_text("utf-8")
    assert [one.name for one in fields(PageData) if f"`{one.name}`" not in text] == []
    assert f"version {VERSION}" in text
