"""`bnfuse federated`: init, site, rehearse and status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib

import pytest

import bnfuse
from running import CLINICS


@pytest.fixture
def federation(said, tmp_path):
    """The folder of a federation of three clinics."""
    folder = tmp_path / "clinics"
    said("federated", "init", folder, "--vocabulary", CLINICS[0], "--tables", "networks", "--no-frontier")
    return folder


def site(said, federation, number):
    folder = federation.parent / f"site-{number}"
    said("federated", "site", folder, "--federation", federation, "--networks", CLINICS[number])
    return folder


def test_init_writes_an_app_that_flower_accepts_and_people_can_read(federation):
    config = pytest.importorskip("flwr.cli.config_utils", reason="needs flwr: pip install 'bnfuse[federated]'")
    content, warnings = config.load_and_validate(federation / "pyproject.toml")
    assert content["tool"]["flwr"]["app"]["fab-include"] == ["federation.toml"]
    assert not warnings
    text = (federation / "federation.toml").read_text("utf-8")
    assert tomllib.loads(text)["vocabulary"]["Smoker"] == ["never", "former", "current"]
    assert "# How many sites are expected: the coordinator waits for them.\nsites = 3\n" in text


def test_a_rehearsal_runs_all_rounds_and_can_be_asked_about(said, federation):
    pytest.importorskip("flwr", reason="needs flwr: pip install 'bnfuse[federated]'")
    sites = [site(said, federation, number) for number in range(3)]
    assert "not finished" in said("federated", "status", federation)
    facts = json.loads(said("federated", "rehearse", federation, *sites, "--json"))
    openly = bnfuse.consensus(bnfuse.read(*CLINICS[:3]), 4)
    assert [tuple(arc) for arc in facts["arcs"]] == list(openly.dag.edges)
    assert facts["distance"] == openly.distance
    assert json.loads(said("federated", "status", federation, "--json"))["rounds"]["finish"] == 3
    assert "is kept from an earlier run" in said("federated", "rehearse", federation, *sites)


def test_bad_input_is_one_line_and_leaves_nothing(refused, federation, tmp_path):
    def init(*more):
        return refused("federated", "init", tmp_path / "new", "--vocabulary", CLINICS[0], *more)

    assert "--least-sites is 4, but only 3 sites" in init("--least-sites", 4)
    assert "--sites must be a whole number of at least 3" in init("--sites", 2)
    assert "epsilon needs --most-edges" in init("--epsilon", 1)
    assert "with epsilon each site has one vote" in init("--epsilon", 1, "--most-edges", 9, "--votes", "network")
    assert "no such file" in refused("federated", "init", tmp_path / "new", "--vocabulary", "nowhere.json")
    (tmp_path / "odd.json").write_text('{"A": "yes"}')
    said = refused("federated", "init", tmp_path / "new", "--vocabulary", tmp_path / "odd.json")
    assert "the states of 'A' must be a list of labels" in said
    (tmp_path / "bare.csv").write_text("from,to\nA,B\n")
    said = refused("federated", "init", tmp_path / "new", "--vocabulary", tmp_path / "bare.csv")
    assert "those of 'A' are not known" in said
    assert not (tmp_path / "new").exists()

    def describe(*more):
        return refused("federated", "site", tmp_path / "site", "--federation", federation, *more)

    assert "either networks or data" in describe()
    (tmp_path / "rows.csv").write_text("Age,Smoker\nyoung,never\n")
    assert "lacks the columns" in describe("--data", tmp_path / "rows.csv")
    (tmp_path / "net.csv").write_text("from,to\nAge,Smokr\n")
    assert "lacks" in describe("--networks", tmp_path / "net.csv")
    assert "allows epsilon 1" in describe("--networks", CLINICS[0], "--most-epsilon", 1)
    assert "no such file" in refused("federated", "site", tmp_path / "site", "--federation", tmp_path, "--data", "x")
    assert not (tmp_path / "site").exists()
    assert "is not the folder of a site" in refused("federated", "rehearse", federation, tmp_path / "site")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[federation", "is not valid TOML"),
        ("", "lacks the settings"),
        ("[federation]\nsitse = 3", "unknown setting 'sitse'"),
        ("[federation]\nsites = true", "sites must be a whole number"),
        ("[federation]\nsites = 3", "must give the states of each variable"),
    ],
)
def test_a_settings_file_that_was_edited_wrongly(refused, federation, text, problem):
    (federation / "federation.toml").write_text(text)
    assert problem in refused("federated", "status", federation)


def test_files_that_are_not_ours_stay(refused, said, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'mine'\n")
    line = refused("federated", "init", tmp_path, "--vocabulary", CLINICS[0])
    assert "exists and is not a file of a federation that bnfuse wrote; to replace it: --force" in line
    assert not (tmp_path / "federation.toml").exists()
    said("federated", "init", tmp_path, "--vocabulary", CLINICS[0], "--force")
    said("federated", "init", tmp_path, "--vocabulary", CLINICS[0], "--sites", 4)


def test_without_flower_the_remedy_is_named(tmp_path):
    """And `import bnfuse` and the commands never import it."""
    code = (
        "import sys; sys.modules['flwr'] = None\n"
        "from bnfuse.commands import run\n"
        "assert run(['federated', 'init', 'f', '--vocabulary', sys.argv[1]]) == 0\n"
        "sys.exit(run(['federated', 'rehearse', 'f', '.']))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code, CLINICS[0]],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "bnfuse federated needs the package flwr: pip install 'bnfuse[federated]'" in done.stderr
