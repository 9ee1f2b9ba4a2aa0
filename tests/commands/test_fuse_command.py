"""`bnfuse fuse`: the fusion, its tables and its order."""

import json

import bnfuse
from bnfuse import DAG, Network, files
from bnfuse.commands import run
from running import CLINICS


def test_fuse_writes_the_fusion_and_says_that_its_tables_are_placeholders(tmp_path, said):
    output = tmp_path / "fused.bif"
    text = said("fuse", *CLINICS, "-o", str(output))
    assert f"wrote {output}: the states are those of the inputs, the tables are placeholders (uniform tables)" in text
    networks = files.read(*CLINICS)
    (written,) = files.read(output)
    assert written.dag == bnfuse.fuse(networks).dag
    assert written.states == networks[0].states
    assert written.cpts is None


def test_fuse_for_programs(tmp_path, said):
    output = tmp_path / "fused.csv"
    facts = json.loads(said("fuse", *CLINICS, "-o", str(output), "--json"))
    fusion = bnfuse.fuse(files.read(*CLINICS))
    assert facts["order"] == list(fusion.order)
    assert [tuple(arc) for arc in facts["edges"]] == list(fusion.dag.edges)
    assert [one["imap_arcs"] for one in facts["inputs"]] == [len(imap.arc_numbers) for imap in fusion.imaps]
    assert facts["clique_size"] == 7
    assert facts["output"] == {"path": str(output), "tables": None, "states": None}


def test_fuse_follows_a_given_order(chain, fork, said, refused):
    facts = json.loads(said("fuse", chain, fork, "--order", "C, B,A", "--json"))
    assert facts["order"] == ["C", "B", "A"]
    assert facts["edges"] == [["B", "A"], ["C", "B"]]
    assert "it lacks 'C'" in refused("fuse", chain, fork, "--order", "A,B")


def test_fuse_notes_states_that_differ(tmp_path, capsys):
    paths = [str(tmp_path / f"{i}.bif") for i in (1, 2)]
    for path, labels in zip(paths, [("No", "maybe"), ("low", "mid", "no")], strict=True):
        files.write(Network(DAG(["A", "B"]), {"A": labels, "B": ("x", "y", "z")}), path)
    assert run(["fuse", *paths, "-o", str(tmp_path / "fused.bif")]) == 0
    assert capsys.readouterr().err == (
        "note: the states of 'A' differ: No, maybe in 1 and low, mid, no in 2 ('No' and 'no' are spelled differently); "
        "the fusion keeps the states on which all agree, the other variables get yes and no\n"
    )
    (fused,) = files.read(tmp_path / "fused.bif")
    assert fused.states == {"A": ("yes", "no"), "B": ("x", "y", "z")}
