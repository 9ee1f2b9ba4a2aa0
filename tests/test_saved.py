"""A consensus in a file: what comes back, and what a damaged file says."""

import contextlib
import importlib.util
import json
import re
from dataclasses import replace
from itertools import cycle, islice

import pytest
from hypothesis import given

import bnfuse
from bnfuse import Consensus, FileError, OptionError, Tally
from bnfuse.answer.persistence import as_bytes, parsed
from bnfuse.answer.provenance import InputFile, Origin
from bnfuse.files import read
from bnfuse.report.page.page import page
from bnfuse.report.summary import Summary
from packed_tables import without_input_tables
from report_cases import CLINICS, hostile_consensus, with_tables
from strategies import dag_lists, random_dag


@pytest.fixture(scope="module")
def clinics():
    return read(*CLINICS)


@pytest.fixture(scope="module")
def consensus(clinics):
    return bnfuse.consensus(clinics)


def assert_same(one, other):
    assert one == other
    for name in ("dags", "names", "weights", "tally", "max_clique", "metric", "target", "constraints", "variables"):
        assert getattr(one.problem, name) == getattr(other.problem, name), name
    for name in ("seed", "seconds", "origin", "frontier"):
        assert getattr(one, name) == getattr(other, name), name
    assert one.network == other.network
    assert (one.distance, one.lower_bound, one.gap) == (other.distance, other.lower_bound, other.gap)


@pytest.mark.parametrize("name", ["result.json", "result.json.gz"])
def test_a_consensus_comes_back_to_the_last_bit(tmp_path, clinics, name):
    weights = [1, 0.3, 2, 1, 1]
    found = bnfuse.consensus(
        clinics,
        3,
        method="genetic",
        candidates="shared",
        weights=weights,
        generations=3,
        population=10,
        seed=5,
    )
    found = replace(found, origin=Origin.now(CLINICS, ["consensus", "a b.bif"]))
    found = with_tables(
        found.with_frontier(bnfuse.frontier(clinics, [2, 3], weights=weights, effort="quick", directions="any"))
    )
    path = tmp_path / name
    found.save(path)
    loaded = Consensus.load(path)
    assert_same(found, loaded)
    assert loaded.network.cpts is not None
    assert loaded.pruned == found.pruned
    again = tmp_path / f"again-{name}"
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()
    assert without_input_tables(page(Summary(loaded))) == without_input_tables(page(Summary(found)))
    assert path.read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")


@given(inputs=dag_lists(min_size=1, max_size=6))
def test_any_consensus_comes_back(tmp_path_factory, inputs):
    path = tmp_path_factory.mktemp("saved") / "c.json"
    found = bnfuse.consensus(inputs, max_clique=3, effort="quick")
    found.save(path)
    assert_same(found, Consensus.load(path))


def test_constraints_and_tallies_come_back(tmp_path, clinics):
    tally = Tally(clinics[0].variables)
    for clinic in clinics:
        tally.add(clinic, weight=3)
    found = bnfuse.consensus(
        tally, required=[("Age", "Smoker")], forbidden=[("Age", "XRay")], tiers=[["Age"], ["Cough"]], max_parents=2,
        effort="quick",
    )  # fmt: skip
    found.save(tmp_path / "c.json")
    assert_same(found, Consensus.load(tmp_path / "c.json"))


def test_hostile_names_come_back(tmp_path):
    found = hostile_consensus()
    found.save(tmp_path / "c.json")
    assert_same(found, Consensus.load(tmp_path / "c.json"))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda content: content | {"kind": "other"}, "is not a saved consensus"),
        (lambda content: content | {"version": 6}, "version 6; this bnfuse reads 1 to 5"),
        (lambda content: content | {"clique_size": 3}, "damaged"),
        (lambda content: content | {"elimination_order": [0, 1]}, "damaged"),
        (lambda content: content | {"arcs": [[0, 1], [1, 0]]}, "damaged"),
        (lambda content: content | {"arcs": [[0, 99]]}, "damaged"),
        (lambda content: {key: value for key, value in content.items() if key != "history"}, "damaged"),
        (lambda content: content | {"frontier": [{"limit": 3}]}, "damaged"),
        (lambda content: content | {"inputs": 7}, "damaged"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(tmp_path, consensus, change, complaint):
    path = tmp_path / "c.json"
    consensus.save(path)
    content = json.loads(path.read_bytes())
    path.write_text(json.dumps(change(content)))
    with pytest.raises(FileError, match=complaint):
        Consensus.load(path)


@pytest.fixture(scope="module")
def saved(clinics):
    """A consensus with a frontier, as it is saved."""
    found = bnfuse.consensus(clinics, 3, effort="quick")
    return as_bytes(found.with_frontier(bnfuse.frontier(clinics, [2, 3], effort="quick")))


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        (["inputs", 2, "weight"], "x", "inputs[2].weight: expected a whole number of at least 1, got 'x'"),
        (["inputs", 1, "name"], 7, "inputs[1].name: expected text, got 7"),
        (["inputs", 0, "arcs", 3], [0, 99], "inputs[0].arcs[3]: expected 2 whole numbers below 11, 11, got [0, 99]"),
        (["inputs", 0, "given_weight"], "3", "inputs[1].given_weight: it is not in proportion to the weight 1"),
        (["inputs", 0, "given_weight"], "a/b", "inputs[0].given_weight: expected a number or a fraction"),
        (["frontier", 1, "answer", "seconds"], None, "frontier[1].answer.seconds: expected a number, got None"),
        (["frontier", 0, "answer", "arcs"], [[0, 1], [1, 0]], "frontier[0].answer.arcs: the arcs form a cycle"),
        (["options", "effort"], "huge", "options: effort must be one of"),
        (["options", "swing"], 3, "options: unknown option 'swing'"),
        (["parameters", "cpts", 0], [0.5], "parameters.cpts[0]: expected a list of "),
        (["origin"], [], "origin: expected an object, got []"),
        (["history"], 3, "history: expected a list, got 3"),
    ],
)
def test_a_damaged_file_says_where_it_is_wrong(tmp_path, saved, place, value, complaint):
    content = inside = json.loads(saved)
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value
    path = tmp_path / "c.json"
    path.write_text(json.dumps(content, separators=(",", ":")))
    with pytest.raises(FileError, match=re.escape(f"c.json: is a damaged saved consensus: {complaint}")):
        Consensus.load(path)


def places(value, path=()):
    """All values inside a value of JSON; of long lists the first two."""
    yield path
    numbered = list(enumerate(value))[:2] if isinstance(value, list) else []
    for key, one in value.items() if isinstance(value, dict) else numbered:
        yield from places(one, (*path, key))


@pytest.mark.parametrize("kind", ["networks", "tally", "votes", "proof"])
def test_whatever_is_replaced_in_a_file_is_read_or_refused_in_one_line(clinics, kind):
    replace_values(clinics, kind, each=1)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["networks", "tally", "votes", "proof"])
def test_each_value_in_each_place_of_a_file_is_read_or_refused_in_one_line(clinics, kind):
    replace_values(clinics, kind, each=len(WRONG))


WRONG = (None, True, -1, 2, 10**30, 0.5, "x", [], [[]], [[0, 1, 2]], {}, {"x": 1})


def replace_values(clinics, kind, each):
    """Put some of the wrong values, others at the next place, into each place of a saved consensus, and read it."""
    if kind == "proof" and importlib.util.find_spec("pyscipopt") is None:
        pytest.skip("proofs need pyscipopt")
    inputs = {
        "networks": lambda: clinics,
        "tally": lambda: Tally.of([one.dag for one in clinics], [1] * 5),
        "votes": lambda: [
            bnfuse.ArcVotes.from_count_matrix(["A", "B", "C"], [[0, 3, 1], [1, 0, 2], [0, 0, 0]], 5, 5),
            bnfuse.PDAG(["A", "B"], [], [("A", "B")]),
        ],
        "proof": lambda: [random_dag(1000 + seed, 12, 2.5) for seed in range(3)],  # no cheap bound proves these
    }[kind]()
    words = {"votes": {"variables": "union"}, "proof": {"prove": True, "directions": "any"}}.get(kind, {})
    found = bnfuse.consensus(inputs, 3, effort="quick", **words)
    if kind == "proof":
        assert found.proof is not None
    found = found.with_frontier(bnfuse.frontier(inputs, [2], effort="quick", **words | {"prove": False}))
    found = replace(found, origin=Origin.now(CLINICS[:1], ["consensus"]))
    text = as_bytes(found)
    values = cycle(WRONG)
    for place in places(json.loads(text)):
        if not place:
            continue
        for value in islice(values, each):
            content = inside = json.loads(text)
            for step in place[:-1]:
                inside = inside[step]
            inside[place[-1]] = value
            with contextlib.suppress(FileError):
                parsed(json.dumps(content).encode(), "c.json", Consensus)


def test_every_part_of_a_loaded_consensus_can_do_what_it_could_in_memory(tmp_path, clinics):
    found = bnfuse.consensus(clinics, 3, effort="quick", weights=[1, 0, 2, 1, 1])
    found = found.with_frontier(bnfuse.frontier(clinics, [2, 3], effort="quick", weights=[1, 0, 2, 1, 1])).finished
    found.save(tmp_path / "c.json")
    loaded = Consensus.load(tmp_path / "c.json")
    data = clinics[0].sample(50, seed=1)
    arguments = {
        "fit": (data,), "noted": ("a note",), "report": (tmp_path / "r.html",), "save": (tmp_path / "d.json",),
        "with_frontier": ([],), "with_parameters": (found.parameters,), "informative": ("COPD",),
        "draw": (tmp_path / "c.svg",), "write": (tmp_path / "c.bif",),
    }  # fmt: skip
    parts = [(found, loaded), *((a.result, b.result) for a, b in zip(found.frontier, loaded.frontier, strict=True))]
    for known, one in parts:
        assert type(one) is type(known) is Consensus
        for name in (name for name in dir(Consensus) if not name.startswith("_") and name != "load"):
            value = getattr(one, name)
            if name == "if_any":  # whose tables nobody has asked for
                assert value.found == known.if_any.found
            elif name == "strengths":
                assert value.tally == known.strengths.tally
            elif not callable(value):
                assert name == "inputs" or value == getattr(known, name), name
            elif name == "why":
                assert value(*one.dag.edges[0]) == known.why(*known.dag.edges[0])
            elif name == "query":
                assert value("COPD").to_dict() == known.query("COPD").to_dict()
            elif name == "pool":  # a file has no tables of its inputs
                with pytest.raises(OptionError, match="which a saved consensus no longer has"):
                    value()
            elif name == "with_parameters":
                assert value(known.parameters) == known.with_parameters(known.parameters)
            else:
                own, other = value(*arguments.get(name, ())), getattr(known, name)(*arguments.get(name, ()))
                assert own == other, name
        assert repr(one) == repr(known)
        assert one._repr_html_() == known._repr_html_()


def test_a_mistake_in_bnfuse_is_not_called_a_damaged_file(tmp_path, consensus, monkeypatch):
    consensus.save(tmp_path / "c.json")
    Tally.of([bnfuse.DAG(["A"])], [1]).save(tmp_path / "t.tally")

    def mistaken(*_, **__):
        raise AttributeError("a mistake")

    monkeypatch.setattr("bnfuse.answer.persistence.mean_distance", mistaken)
    monkeypatch.setattr("bnfuse.problem.tally_content._fill", mistaken)
    for load in (lambda: Consensus.load(tmp_path / "c.json"), lambda: Tally.load(tmp_path / "t.tally")):
        with pytest.raises(AttributeError, match="a mistake"):
            load()


def test_a_saved_consensus_replaces_only_its_kind(tmp_path, consensus):
    path = tmp_path / "c.json"
    path.write_text('{"variables": ["A"], "networks": []}')
    with pytest.raises(FileError, match="exists and is not a saved consensus"):
        consensus.save(path)
    assert "networks" in path.read_text()
    consensus.save(path, overwrite=True)
    consensus.save(path)
    Consensus.load(path)


def test_files_are_known_by_their_hash(tmp_path):
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    assert InputFile.of(path) == InputFile(
        str(path), 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    assert InputFile.of("/dev/null") is None
    assert Origin.now([], ["consensus", "my file.bif"]).command == "bnfuse consensus 'my file.bif'"
