"""`bnfuse networks`: the public benchmark networks."""

import json

import pytest

from bnfuse import files


def test_networks_lists_the_benchmarks(said):
    rows = json.loads(said("networks", "--json"))["networks"]
    assert len(rows) == 24
    assert {"name", "variables", "arcs", "parameters", "about"} == set(rows[0])
    _, *lines = said("networks").splitlines()
    assert [line.split()[0] for line in lines] == [row["name"] for row in rows]


def test_networks_exports_what_it_shows(tmp_path, said, refused):
    from bnfuse import networks

    if not networks.available(["asia"]):
        pytest.skip("the benchmark networks are not on this machine")
    shown = json.loads(said("networks", "show", "asia", "--json"))["network"]
    assert (shown["variables"], shown["clique_size"], shown["parameters"]) == (8, 3, 18)
    said("networks", "export", "asia", "-o", str(tmp_path))
    assert (tmp_path / "asia.bif").read_text() == networks.source_text("asia")
    said("networks", "export", "asia", "-o", str(tmp_path / "asia.csv"))
    assert files.read(tmp_path / "asia.csv")[0].dag == networks.load("asia").dag
    folder = tmp_path / "not" / "yet"
    said("networks", "export", "asia", "cancer", "-o", f"{folder}/")
    assert sorted(path.name for path in folder.iterdir()) == ["asia.bif", "cancer.bif"]
    line = refused("networks", "export", "asia", "cancer", "-o", str(tmp_path / "asia.csv"))
    assert f"{tmp_path}/asia.csv: is a file, not a folder" in line
    assert "unknown network 'none'" in refused("networks", "export", "asia", "none", "-o", str(tmp_path / "nets"))
    assert not (tmp_path / "nets").exists()


def test_networks_suggests_a_name(refused):
    assert "did you mean 'alarm'?" in refused("networks", "show", "alrm")
