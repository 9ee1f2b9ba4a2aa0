"""A consensus in a file: what comes back, and what a damaged file says."""

import json
from dataclasses import replace

import pytest
from hypothesis import given

import bnfuse
from bnfuse import Consensus, FileError, Tally
from bnfuse.answer.provenance import InputFile, Origin
from bnfuse.files import read
from bnfuse.report.page.page import page
from bnfuse.report.summary import Summary
from packed_tables import without_input_tables
from report_cases import CLINICS, hostile_consensus, with_tables
from strategies import dag_lists


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
    found = with_tables(found.with_frontier(bnfuse.frontier(clinics, [2, 3], weights=weights, effort="quick")))
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
        (lambda content: content | {"version": 5}, "version 5; this bnfuse reads 1 to 4"),
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
