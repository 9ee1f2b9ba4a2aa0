"""`bnfuse frontier`: a row for each limit, and its plot."""

import contextlib
import json
import signal
import sys
from itertools import combinations

import pytest

import bnfuse
from bnfuse import DAG, Network, clique_size, files, smhd
from bnfuse.commands import frontier, run
from bnfuse.fusion.cliques import inference_cost
from bnfuse.report.drawing import plots
from running import CLINICS


def test_frontier_gives_the_best_network_for_each_limit(said):
    facts = json.loads(said("frontier", *CLINICS, "--effort", "quick", "--json"))
    networks = files.read(*CLINICS)
    assert [row["max_clique"] for row in facts["limits"]] == [2, 3, 4]
    for row in facts["limits"]:
        found = Network(DAG(networks[0].variables, map(tuple, row["edges"])), networks[0].states)
        assert clique_size(found) <= row["clique_size"] <= row["max_clique"]
        assert row["distance"] == pytest.approx(smhd(found, networks))
        assert row["lower_bound"] <= row["distance"]
        assert row["arcs"] == len(found.dag.edges)
        assert row["clique_table_numbers"] == inference_cost(found).total
        assert row["states_known"]
    distances = [row["distance"] for row in facts["limits"]]
    assert distances == sorted(distances, reverse=True)


def test_frontier_takes_limits_and_prints_a_row_for_each(said):
    text = said("frontier", *CLINICS, "--max-clique", "5, 2-3", "--effort", "quick")
    header, *rows = text.partition("\n\n")[0].splitlines()
    assert "limit  mean smhd  proven bound" in header
    assert [row.split()[0] for row in rows] == ["2", "3", "5"]
    assert text.endswith("\nlimit 3 is nearly as good: 5.60 against 5.40\n")


def test_frontier_is_silent_about_flattening_where_there_is_none(tmp_path, chain, said):
    assert "as good" not in said("frontier", chain, chain, "--max-clique", "2,3,3", "--effort", "quick")
    clique = tmp_path / "clique.csv"
    files.write(DAG(list("ABCDE"), combinations("ABCDE", 2)), clique)
    falling = said("frontier", str(clique), str(clique), "--max-clique", "2-5", "--effort", "quick")
    assert "as good" not in falling, "each limit brings as much as the one before"


def test_frontier_of_fsim_has_no_bound(said):
    rows = said("frontier", *CLINICS, "--max-clique", "2", "--metric", "fsim", "--effort", "quick").splitlines()
    assert rows[0].split()[:3] == ["limit", "mean", "fsim"]
    assert rows[1].split()[2:4] == ["-", "-"]


def test_frontier_of_tallies_is_that_of_the_networks(sites, said):
    options = ["--effort", "quick", "--json"]
    from_networks, from_tallies = (json.loads(said("frontier", *paths, *options)) for paths in (CLINICS, sites))
    for fact in ("max_clique", "distance", "lower_bound", "edges"):
        assert [row[fact] for row in from_tallies["limits"]] == [row[fact] for row in from_networks["limits"]]
    assert not from_tallies["limits"][0]["states_known"]


def test_frontier_keeps_constraints(said):
    options = ["--max-clique", "2-4", "--require", "Age->XRay", "--effort", "quick", "--json"]
    facts = json.loads(said("frontier", *CLINICS, *options))
    assert all(["Age", "XRay"] in row["edges"] for row in facts["limits"])
    assert facts["constraints"]["required"] == [["Age", "XRay"]]


def test_frontier_writes_each_network(tmp_path, said):
    text = said("frontier", *CLINICS, "--max-clique", "2,4", "--effort", "quick", "-o", str(tmp_path))
    assert f"wrote {tmp_path}/consensus-LIMIT.bif: structure, states and tables" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["consensus-2.bif", "consensus-4.bif"]
    for network in files.read(*sorted(tmp_path.iterdir())):
        assert clique_size(network) <= int(network.name[-1])
        assert network.states == files.read(CLINICS[0])[0].states


@pytest.mark.parametrize("cliques", ["", "x", "1-3", "0", "4-2", "2-", "-3", "2,,3", "2.5", "2-3-4", "99999", "२"])
def test_frontier_refuses_limits_that_make_no_sense(cliques, refused):
    line = refused("frontier", *CLINICS, f"--max-clique={cliques}")
    assert f"--max-clique must be limits from 2 to 9999, such as 2-6 or 2,3,5; got {cliques!r}" in line


def test_frontier_refuses_limits_over_the_number_of_variables(refused):
    line = refused("frontier", *CLINICS, "--max-clique", "2-12")
    assert "--max-clique goes up to 12, but 11 variables cannot form a clique larger than 11" in line


def test_frontier_refuses_outputs_before_any_input_is_read(tmp_path, refused):
    (tmp_path / "consensus-7.bif").write_text("important\n")
    assert "consensus-7.bif: exists and is not a BIF file" in refused("frontier", "missing.bif", "-o", str(tmp_path))
    refused("frontier", "missing.bif", "-o", str(tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def test_frontier_makes_the_folder(tmp_path, chain, said):
    said("frontier", chain, "--max-clique", "2", "-o", f"{tmp_path}/new/nets/")
    assert [path.name for path in (tmp_path / "new" / "nets").iterdir()] == ["consensus-2.bif"]


def test_an_interrupted_frontier_keeps_the_best_so_far(monkeypatch, capsys):
    @contextlib.contextmanager
    def ctrl_c_at_once():
        yield lambda now: signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(frontier, "progress_bar", ctrl_c_at_once)
    assert run(["frontier", *CLINICS, "--effort", "quick", "--json"]) == 130
    captured = capsys.readouterr()
    assert [row["stopped_by"] for row in json.loads(captured.out)["limits"]] == ["interrupted"]
    assert "note: interrupted: these are the best networks so far" in captured.err


# The plot of a frontier


@pytest.mark.parametrize(("name", "opening"), [("f.png", b"\x89PNG"), ("f.svg", b"<?xml"), ("f.pdf", b"%PDF")])
def test_frontier_draws_the_same_picture_each_time(name, opening, tmp_path, said):
    pytest.importorskip("matplotlib")
    path = tmp_path / name
    command = ["frontier", *CLINICS, "--effort", "quick", "--plot", str(path)]
    assert f"wrote {path}\n" in said(*command)
    first = path.read_bytes()
    assert first.startswith(opening)
    said(*command)
    assert path.read_bytes() == first


def test_the_plot_shows_distance_bound_and_tables(tmp_path, said):
    pytest.importorskip("matplotlib")
    path = tmp_path / "f.svg"
    said("frontier", *CLINICS, "--effort", "quick", "--plot", str(path))
    text = path.read_text()
    for label in ("mean smhd to the inputs", "limit: largest clique allowed", "numbers in the clique tables"):
        assert f"<!-- {label} -->" in text
    assert "<!-- proven: no network lies here -->" in text
    said("frontier", *CLINICS, "--metric", "fsim", "--max-clique", "2", "--effort", "quick", "--plot", str(path))
    assert "<!-- proven: no network lies here -->" not in path.read_text()


def test_a_plot_survives_tables_of_any_size(tmp_path):
    pytest.importorskip("matplotlib")
    (found,) = bnfuse.frontier(files.read(*CLINICS), [2])
    plots.plot_frontier([found], [2**4000], tmp_path / "huge.png")
    assert (tmp_path / "huge.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_is_refused_before_any_input_is_read(tmp_path, refused):
    pytest.importorskip("matplotlib")
    (tmp_path / "notes.png").write_text("important\n")
    (tmp_path / "folder.png").mkdir()
    for name, problem in (
        ("notes.png", "exists and is not a PNG file"),
        ("folder.png", "is a folder, not a file"),
        ("none/f.png", "there is no folder"),
        ("f.gif", "a plot is written to a file that ends in .png, .svg, .pdf"),
    ):
        line = refused("frontier", "missing.bif", "--plot", str(tmp_path / name))
        assert f"{tmp_path / name}: " in line
        assert problem in line
    assert (tmp_path / "notes.png").read_text() == "important\n"


@pytest.mark.filterwarnings("ignore:sys.meta_path is empty:ImportWarning")
def test_a_plot_without_matplotlib_is_refused_in_one_line(tmp_path, monkeypatch, refused):
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "meta_path", [])
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    line = refused("frontier", "missing.bif", "--plot", str(tmp_path / "f.png"))
    assert line == "bnfuse: a plot needs the package matplotlib: pip install 'bnfuse[plot]'"
