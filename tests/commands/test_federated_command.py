"""`bnfuse federated`: identity, init, site, allow, rehearse and status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib

import pytest

import bnfuse
from bnfuse.commands import run
from running import CLINICS

pytest.importorskip("cryptography", reason="needs cryptography: pip install 'bnfuse[federated]'")


@pytest.fixture
def federation(said, tmp_path):
    """The folder of a federation of three clinics."""
    folder = tmp_path / "clinics"
    said("federated", "identity", *(tmp_path / f"site-{number}" for number in range(3)))
    given = ("--vocabulary", CLINICS[0], "--roster", tmp_path)
    said("federated", "init", folder, *given, "--tables", "networks", "--no-frontier")
    return folder


def site(said, federation, number):
    folder = federation.parent / f"site-{number}"
    said("federated", "site", folder, "--federation", federation, "--networks", CLINICS[number])
    return folder


def test_an_identity_is_made_once_and_its_secret_is_its_owners_alone(said, refused, tmp_path):
    line = said("federated", "identity", tmp_path / "north")
    assert line.startswith("north: ")
    assert said("federated", "identity", tmp_path / "north") == line
    (facts,) = json.loads(said("federated", "identity", tmp_path / "north", "--json"))["sites"]
    assert (tmp_path / "north" / "identity.pub").read_text() == f"north {facts['key']}\n"
    assert facts["fingerprint"] in line
    assert (tmp_path / "north" / "identity.key").stat().st_mode & 0o077 == 0
    assert (tmp_path / "north").stat().st_mode & 0o077 == 0
    assert "cannot be the name of a site" in refused("federated", "identity", tmp_path / "a b")
    assert "--name is for one site" in refused("federated", "identity", tmp_path / "a", tmp_path / "b", "--name", "c")
    assert "another name or key" in refused("federated", "identity", tmp_path / "north", "--name", "south")


def test_init_writes_an_app_that_flower_accepts_and_people_can_read(federation):
    config = pytest.importorskip("flwr.cli.config_utils", reason="needs flwr: pip install 'bnfuse[federated]'")
    content, warnings = config.load_and_validate(federation / "pyproject.toml")
    assert content["tool"]["flwr"]["app"]["fab-include"] == ["federation.toml"]
    assert not warnings
    text = (federation / "federation.toml").read_text("utf-8")
    assert tomllib.loads(text)["vocabulary"]["Smoker"] == ["never", "former", "current"]
    assert len(tomllib.loads(text)["roster"]) == 3
    assert "# With one vote per network: the largest number of votes of a site.\nmost_votes = 10\n" in text


def test_settings_that_are_comments_are_valid_once_uncommented(said, federation):
    """most_edges was 1.0 there, which is not a whole number."""
    path = federation / "federation.toml"
    text = path.read_text("utf-8")
    assert "\n# epsilon = " in text
    assert "\n# most_edges = " in text
    path.write_text(text.replace("\n# epsilon", "\nepsilon").replace("\n# most_edges", "\nmost_edges"))
    assert json.loads(said("federated", "status", federation, "--json"))["settings"]["most_edges"] == 100


def test_a_rehearsal_runs_all_rounds_and_can_be_asked_about(said, refused, federation, capsys):
    pytest.importorskip("flwr", reason="needs flwr: pip install 'bnfuse[federated]'")
    sites = [site(said, federation, number) for number in range(3)]
    assert "not finished" in said("federated", "status", federation)
    facts = json.loads(said("federated", "rehearse", federation, *sites, "--json"))
    openly = bnfuse.consensus(bnfuse.read(*CLINICS[:3]), 4)
    assert [tuple(arc) for arc in facts["arcs"]] == list(openly.dag.edges)
    assert facts["distance"] == openly.distance
    status = json.loads(said("federated", "status", federation, "--json"))
    assert (status["rounds"]["finish"], status["stopped"]) == (3, None)
    assert "is kept from an earlier run" in said("federated", "rehearse", federation, *sites)
    (federation / "result" / "rounds.sqlite").unlink()
    assert run(["federated", "rehearse", str(federation), *map(str, sites)]) == 2
    line = capsys.readouterr().err
    assert "0 sites joined the tally, and 3 of 3 are needed (left out: 3 because it has answered this before" in line
    assert "0 sites joined the tally" in said("federated", "status", federation)
    for folder in sites:
        assert "may send its tally 2 times; it has sent it 1 time" in said("federated", "allow", folder, "tally")
        assert json.loads(said("federated", "allow", folder, "tables", "--json"))["allowed"] == 2
    assert "received the tally of 3 sites" in said("federated", "rehearse", federation, *sites)
    assert "unknown sum 'tables2'" in refused("federated", "allow", sites[0], "tables2")


def test_what_an_owner_accepts_is_shown_and_kept(said, refused, federation):
    folder = federation.parent / "site-0"
    text = said("federated", "site", folder, "--federation", federation, "--networks", CLINICS[0])
    status = json.loads(said("federated", "status", federation, "--json"))
    assert status["fingerprint"] in text
    (facts,) = json.loads(said("federated", "identity", folder, "--json"))["sites"]
    assert f"site-0: {facts['fingerprint']}" in text
    assert "every sum is over 3 or more of these 3 sites" in text
    kept = json.loads((folder / "agreement.json").read_text("utf-8"))
    assert kept["roster"] == status["roster"]
    stranger = federation.parent / "stranger"
    said("federated", "identity", stranger)
    given = ("--federation", federation, "--networks", CLINICS[0])
    assert "an identity that is not in the roster" in refused("federated", "site", stranger, *given)


def test_bad_input_is_one_line_and_leaves_nothing(refused, federation, tmp_path):
    def init(*more):
        return refused("federated", "init", tmp_path / "new", "--vocabulary", CLINICS[0], "--roster", tmp_path, *more)

    assert "from 3 to 9,999 sites; the roster has 1" in refused(
        *("federated", "init", tmp_path / "new", "--vocabulary", CLINICS[0]),
        *("--roster", tmp_path / "site-0" / "identity.pub"),
    )
    assert "has no keys of sites" in refused(
        "federated", "init", tmp_path / "new", "--vocabulary", CLINICS[0], "--roster", federation
    )
    (tmp_path / "odd.pub").write_text("north ABC\n")
    assert "the name of a site and its key" in init()
    (tmp_path / "odd.pub").write_text(f"site-0 {5:064x}\n")
    assert "site 'site-0' is already in the roster" in init()
    (tmp_path / "odd.pub").unlink()
    assert "epsilon needs --most-edges" in init("--epsilon", 1)
    assert "with epsilon each site has one vote" in init("--epsilon", 1, "--most-edges", 9, "--votes", "network")
    assert "needs noise of scale" in init("--epsilon", 0.001, "--most-edges", 900)
    assert "--structure counts needs sites with data" in init("--structure", "counts", "--tables", "networks")
    assert "no such file" in refused(
        "federated", "init", tmp_path / "new", "--vocabulary", "nowhere.json", "--roster", tmp_path
    )
    (tmp_path / "odd.json").write_text('{"A": "yes"}')
    said = refused("federated", "init", tmp_path / "new", "--vocabulary", tmp_path / "odd.json", "--roster", tmp_path)
    assert "the states of 'A' must be a list of labels" in said
    (tmp_path / "bare.csv").write_text("from,to\nA,B\n")
    said = refused("federated", "init", tmp_path / "new", "--vocabulary", tmp_path / "bare.csv", "--roster", tmp_path)
    assert "those of 'A' are not known" in said
    assert not (tmp_path / "new").exists()

    def describe(*more):
        return refused("federated", "site", tmp_path / "site-0", "--federation", federation, *more)

    before = sorted(path.name for path in (tmp_path / "site-0").iterdir())
    assert "either networks or data" in describe()
    (tmp_path / "rows.csv").write_text("Age,Smoker\nyoung,never\n")
    assert "lacks the columns" in describe("--data", tmp_path / "rows.csv")
    (tmp_path / "net.csv").write_text("from,to\nAge,Smokr\n")
    assert "lacks" in describe("--networks", tmp_path / "net.csv")
    assert "allows epsilon 1" in describe("--networks", CLINICS[0], "--most-epsilon", 1)
    assert "no such file" in refused("federated", "site", tmp_path / "site-0", "--federation", tmp_path, "--data", "x")
    assert "has no identity" in refused(
        "federated", "site", tmp_path / "none", "--federation", federation, "--networks", CLINICS[0]
    )
    assert sorted(path.name for path in (tmp_path / "site-0").iterdir()) == before
    assert "holds no site" in refused("federated", "serve", tmp_path / "site-0")
    assert "holds no site" in refused("federated", "allow", tmp_path / "site-0", "tally")
    assert "is not the folder of a site" in refused("federated", "rehearse", federation, tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[federation", "is not valid TOML"),
        ("", "lacks the settings"),
        ("[federation]\nvoets = 3", "unknown setting 'voets'"),
        ("[federation]\nmost_rows = true", "most-rows must be a whole number"),
        ("[federation]\nseed = 3", "must give the states of each variable"),
        ("[federation]\n[vocabulary]\nA = ['y', 'n']", "lacks the roster"),
        ("[federation]\n[vocabulary]\nA = ['y', 'n']\n[roster]\nx = 'ab'", "must have 64 hexadecimal digits"),
    ],
)
def test_a_settings_file_that_was_edited_wrongly(refused, federation, text, problem):
    (federation / "federation.toml").write_text(text)
    assert problem in refused("federated", "status", federation)


def test_files_that_are_not_ours_stay(refused, said, tmp_path):
    said("federated", "identity", *(tmp_path / f"site-{number}" for number in range(3)))
    given = ("federated", "init", tmp_path, "--vocabulary", CLINICS[0], "--roster", tmp_path)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'mine'\n")
    line = refused(*given)
    assert "exists and is not a file of a federation that bnfuse wrote; to replace it: --force" in line
    assert not (tmp_path / "federation.toml").exists()
    said(*given, "--force")
    said(*given, "--seed", 4)


def test_without_flower_the_remedy_is_named(tmp_path):
    """And `import bnfuse` and the commands never import it."""
    code = (
        "import sys; sys.modules['flwr'] = None\n"
        "from bnfuse.commands import run\n"
        "open('roster', 'w').write(''.join(f's{n} {n:064x}\\n' for n in range(3)))\n"
        "assert run(['federated', 'init', 'f', '--vocabulary', sys.argv[1], '--roster', 'roster']) == 0\n"
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
