"""The clinics of examples/ are what the demo, the README and the docs say of them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bnfuse
from bnfuse.files import read

EXAMPLES = Path(__file__).parent.parent / "examples"
FILES = sorted((EXAMPLES / "clinics").glob("*.bif"))


@pytest.fixture(scope="module")
def clinics():
    return {network.name: network for network in read(*FILES)}


def test_five_clinics_share_variables_and_states(clinics):
    assert sorted(clinics) == ["eastgate", "harbour", "hillcrest", "millbrook", "northfield"]
    first = clinics["eastgate"]
    assert len(first.variables) == 11
    assert all(clinic.states == first.states for clinic in clinics.values())


def test_every_table_is_there_and_no_two_clinics_have_the_same_patients(clinics):
    ages = [tuple(clinic.cpts["Age"]) for clinic in clinics.values()]
    assert len(set(ages)) == 5
    for clinic in clinics.values():
        for table in clinic.cpts.values():
            assert (table > 0).all()
            np.testing.assert_allclose(table.sum(-1), 1, rtol=0, atol=1e-12)


def test_four_nearly_agree_and_harbour_does_not(clinics):
    agreeing = [clinic for name, clinic in clinics.items() if name != "harbour"]
    core = set.intersection(*(set(clinic.dag.edges) for clinic in agreeing))
    everything = set.union(*(set(clinic.dag.edges) for clinic in agreeing))
    assert all(bnfuse.shd(a, b) <= 6 for a in agreeing for b in agreeing)
    assert all(bnfuse.shd(clinics["harbour"], clinic) > 10 for clinic in agreeing)
    harbour = set(clinics["harbour"].dag.edges)
    assert len(harbour - everything) == 7, "about half of its 13 arcs is in no other clinic"
    assert len(harbour) == 13
    assert len(core) >= 10


def test_the_fusion_is_denser_than_any_clinic_and_the_consensus_is_not(clinics):
    networks = list(clinics.values())
    assert [bnfuse.clique_size(network) for network in networks] == [4] * 5
    assert bnfuse.clique_size(bnfuse.fuse(networks).dag) == 7
    consensus = bnfuse.consensus(networks, max_clique=4)
    assert consensus.clique_size <= 4
    assert consensus.distance < min(bnfuse.smhd(network, networks) for network in networks)
    assert bnfuse.shd(consensus.dag, clinics["harbour"]) > 10


@pytest.mark.long
def test_the_demo_runs(tmp_path):
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    command = tmp_path / "bin" / "bnfuse"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bnfuse "$@"\n')
    command.chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        ["sh", "examples/demo.sh", "bin"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "farthest from the others: harbour" in done.stdout
    (fused,) = read(tmp_path / "build" / "demo" / "fused.bif")
    assert fused.dag == bnfuse.fuse(read(*FILES)).dag
    wrote, *_, apart, ties, directions = done.stdout.splitlines()[-6:]
    assert wrote.startswith("wrote build/demo/report.html")
    assert "harbour (13) may stand apart" in apart
    assert "dropping the arc from COPD to Pneumonia gives an equally close network" in ties
    assert "the inputs that join the two" in directions
    assert (tmp_path / "build" / "demo" / "report.html").is_file()


def test_the_panel_has_every_kind_of_input_that_does_not_match(tmp_path):
    files = sorted((EXAMPLES / "panel").iterdir())
    with pytest.raises(bnfuse.FileError, match=r"assistants\.csv: the arcs form a cycle"):
        read(*files)
    panel = {one.name: one for one in read(*files, cyclic="votes", variables="union")}
    kinds = {name: type(one).__name__ for name, one in panel.items()}
    assert kinds == {
        "assistants": "ArcVotes",
        "bootstrap": "ArcVotes",
        "pc": "PDAG",
        "registry": "Network",
        "textbook": "Network",
        "ward": "Network",
    }
    with pytest.raises(bnfuse.MismatchError):
        bnfuse.consensus(panel.values())
    proposed = bnfuse.align(*panel.values())
    written = bnfuse.Alignment.load(EXAMPLES / "panel-names.csv")
    assert [(row.network, row.variable, row.name) for row in written.rows] == [
        (row.network, row.variable, row.name) for row in proposed.rows
    ]
    found = bnfuse.consensus(written.apply_all(panel.values()), variables="union")
    assert len(found.dag.variables) == 9
    assert found.gap == 0
    assert {frozenset(pair) for pair in found.unjudged} == {
        frozenset(pair) for pair in (("LungCancer", "Age"), ("XRay", "Age"), ("XRay", "Asthma"))
    }
    assert ("Smoker", "COPD") in found.dag.edges
    found.report(tmp_path / "panel.html")
