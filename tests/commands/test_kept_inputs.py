"""No output replaces an input or a foreign file unasked, and a result that is taken for an input is noticed."""

import shutil
from pathlib import Path

import pytest

import bnfuse
from bnfuse import files
from bnfuse.commands import run
from running import CLINICS


@pytest.fixture
def clinics(tmp_path):
    """Copies of the example networks, which a test may lose."""
    for path in CLINICS:
        shutil.copy(path, tmp_path)
    return sorted(map(str, tmp_path.glob("*.bif")))


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.csv"
    bnfuse.read(CLINICS[0])[0].sample(50).write(path)
    return path


def test_no_command_replaces_its_input(clinics, rows, tmp_path, refused, said):
    saved, tally, tiers = tmp_path / "result.json", tmp_path / "all.tally", tmp_path / "tiers.json"
    said("consensus", *clinics, "--effort", "quick", "--save", saved)
    said("tally", *clinics, "-o", tally)
    tiers.write_text('[["Age"]]')
    link = tmp_path / "link.bif"
    link.symlink_to(clinics[1])
    first = clinics[0]
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for command in (
        ["consensus", *clinics, "-o", clinics[1]],
        ["consensus", *clinics, "-o", link],
        ["consensus", tmp_path / "*.bif", "-o", clinics[1]],
        ["consensus", *clinics, "--fit", rows, "-o", rows],
        ["consensus", saved, *clinics, "--save", saved],
        ["consensus", *clinics, "--tiers", tiers, "--save", tiers],
        ["consensus", *clinics, "--report", first],
        ["fuse", *clinics, "-o", f"{tmp_path}/./{Path(first).name}"],
        ["convert", first, first],
        ["fit", first, rows, "-o", first],
        ["fit", first, rows, "-o", rows],
        ["sample", first, "-o", first],
        ["draw", first, "-o", first],
        ["draw", first, "--compare", clinics[1], "-o", clinics[1]],
        ["report", saved, "-o", saved],
        ["report", saved, "--convergence", saved],
        ["tally", tally, first, "-o", tally],
        ["frontier", *clinics, "--plot", first],
    ):
        assert "is an input, which" in refused(*command)
    assert {path: path.read_bytes() for path in before} == before


def test_force_replaces_an_input(clinics, said):
    said("fuse", *clinics, "-o", clinics[0], "--force")
    assert len(files.read(clinics[0])[0].dag.edges) > 16


def test_outputs_need_different_files(tmp_path, refused):
    path = tmp_path / "x.json"
    assert f"{path} is named twice, by -o and by --save" in refused("consensus", *CLINICS, "-o", path, "--save", path)


def test_a_frontier_is_not_written_over_its_inputs(tmp_path, clinics, refused, said):
    folder = tmp_path / "nets"
    said("frontier", *clinics, "--max-clique", "2,3", "--effort", "quick", "-o", folder)
    line = refused("frontier", *folder.iterdir(), "--max-clique", "2", "-o", folder)
    assert "is an input, which -o" in line


@pytest.mark.parametrize("extension", [".bif", ".xmlbif"])
def test_a_result_that_is_taken_for_an_input_is_noticed(tmp_path, clinics, extension, capsys):
    output = str(tmp_path / f"mine{extension}")
    assert run(["consensus", *clinics, "--effort", "quick", "-o", output]) == 0
    assert "made by" not in capsys.readouterr().err
    for command in ("consensus", "frontier", "fuse", "tally"):
        options = ["-o", str(tmp_path / "out.tally")] if command == "tally" else []
        assert run([command, *clinics, output, *options]) == 0
        assert capsys.readouterr().err.count("note: mine was made by bnfuse (a consensus); leave it out if") == 1
    for command in ("inspect", "compare"):
        assert run([command, *clinics, output]) == 0
        assert "made by" not in capsys.readouterr().err


def test_the_mark_survives_a_file_and_a_pickle(tmp_path, clinics):
    import pickle

    for made_by in ("consensus", "fusion", ""):
        network = files.read(clinics[0])[0].marked(made_by)
        files.write(network, tmp_path / "marked.bif")
        assert files.read(tmp_path / "marked.bif")[0].made_by == made_by
        assert pickle.loads(pickle.dumps(network)).made_by == made_by
        assert files.read(tmp_path / "marked.bif")[0] == network


def test_the_mark_does_not_disturb_other_readers(tmp_path, clinics):
    pyagrum = pytest.importorskip("pyagrum", reason="needs the extra 'files'")
    files.write(files.read(clinics[0])[0].marked("consensus"), tmp_path / "marked.bif")
    model = pyagrum.loadBN(str(tmp_path / "marked.bif"))
    assert len(model.arcs()) == 16


def test_a_consensus_written_from_python_says_that_it_is_one(tmp_path):
    bnfuse.write(bnfuse.consensus(bnfuse.read(*CLINICS[:3]), 3, effort="quick").network, tmp_path / "c.bif")
    assert bnfuse.read(tmp_path / "c.bif")[0].made_by == "consensus"


# What writes a file, as OUT; True where the file says that bnfuse wrote it.
WRITERS = {
    "align.csv": (["align", "CLINICS", "-o", "OUT"], False),
    "bootstrap.bif": (["bootstrap", "ROWS", "--resamples", "2", "-o", "OUT"], True),
    "ensemble.json": (["bootstrap", "ROWS", "--resamples", "2", "--ensemble", "OUT"], True),
    "bootstrap.tally": (["bootstrap", "ROWS", "--resamples", "2", "--tally", "OUT"], True),
    "bootstrap.csv": (["bootstrap", "ROWS", "--resamples", "2", "--strength", "OUT"], False),
    "consensus.bif": (["consensus", "CLINICS", "--effort", "quick", "-o", "OUT"], True),
    "consensus.csv": (["consensus", "CLINICS", "--effort", "quick", "-o", "OUT"], False),
    "consensus.html": (["consensus", "CLINICS", "--effort", "quick", "--report", "OUT"], True),
    "consensus.json": (["consensus", "CLINICS", "--effort", "quick", "--save", "OUT"], True),
    "convert.bif.gz": (["convert", "FIRST", "OUT"], True),
    "convert.csv": (["convert", "FIRST", "OUT"], False),
    "convert.dagitty": (["convert", "FIRST", "OUT"], False),
    "convert.dot": (["convert", "FIRST", "OUT"], True),
    "convert.dsl": (["convert", "FIRST", "OUT"], True),
    "convert.graphml": (["convert", "FIRST", "OUT"], True),
    "convert.json": (["convert", "CLINICS", "OUT"], True),
    "convert.modelstring": (["convert", "FIRST", "OUT"], False),
    "convert.net": (["convert", "FIRST", "OUT"], True),
    "convert.tetrad": (["convert", "FIRST", "OUT"], False),
    "convert.uai": (["convert", "FIRST", "OUT"], False),
    "convert.xdsl": (["convert", "FIRST", "OUT"], True),
    "convert.xmlbif": (["convert", "FIRST", "OUT"], True),
    "disputes.csv": (["disputes", "CLINICS", "--effort", "quick", "-o", "OUT"], False),
    "try.html": (["try", "-o", "OUT"], True),
    "tornado.svg": (["sensitivity", "FIRST", "COPD=yes", "-o", "OUT"], True),
    "draw.pdf": (["draw", "FIRST", "-o", "OUT"], True),
    "draw.png": (["draw", "FIRST", "-o", "OUT"], True),
    "draw.svg": (["draw", "FIRST", "-o", "OUT"], True),
    "fit.bif": (["fit", "FIRST", "ROWS", "-o", "OUT"], True),
    "consensus-2.bif": (["frontier", "CLINICS", "--max-clique", "2", "--effort", "quick", "-o", "FOLDER"], True),
    "frontier.png": (["frontier", "CLINICS", "--max-clique", "2", "--effort", "quick", "--plot", "OUT"], True),
    "frontier.pdf": (["frontier", "CLINICS", "--max-clique", "2", "--effort", "quick", "--plot", "OUT"], True),
    "fuse.bif": (["fuse", "CLINICS", "-o", "OUT"], True),
    "learn.bif": (["learn", "ROWS", "-o", "OUT"], True),
    "report.html": (["report", "SAVED", "-o", "OUT"], True),
    "report.svg": (["report", "SAVED", "--convergence", "OUT"], True),
    "sample.csv": (["sample", "FIRST", "-o", "OUT"], False),
    "school-1.bif": (["schools", "CLINICS", "-k", "2", "--effort", "quick", "-o", "FOLDER"], True),
    "schools.html": (["schools", "CLINICS", "-k", "2", "--effort", "quick", "--report", "OUT"], True),
    "schools.json": (["schools", "CLINICS", "-k", "2", "--effort", "quick", "--save", "OUT"], True),
    "strength.csv": (["strength", "CLINICS", "-o", "OUT"], False),
    "strength.svg": (["strength", "CLINICS", "--plot", "OUT"], True),
    "all.tally": (["tally", "CLINICS", "-o", "OUT"], True),
}
FOREIGN = {
    ".bif": b"network mine {\n}\n",
    ".bif.gz": b"network mine {\n}\n",
    ".csv": b"Age,Smoker\nold,yes\n",
    ".json": b'{"variables": ["A"], "networks": []}\n',
    ".svg": b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>\n',
    ".png": b"\x89PNG\r\n\x1a\nmine",
    ".pdf": b"%PDF-1.4\nmine",
    ".dot": b"digraph mine {}\n",
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_bnfuse_did_not_write_is_kept_unless_forced(name, tmp_path, rows, refused, said):
    if name.endswith((".pdf", ".png", ".svg")):
        pytest.importorskip("matplotlib", reason="needs the extra 'plot'")
    if name.endswith((".net", ".dsl")):
        pytest.importorskip("pyagrum", reason="needs the extra 'files'")
    command, is_marked = WRITERS[name]
    folder = tmp_path / "out"
    folder.mkdir()
    path = folder / name
    words = {"CLINICS": CLINICS, "FIRST": CLINICS[:1], "ROWS": [rows], "OUT": [path], "FOLDER": [folder]}
    if "SAVED" in command:
        words["SAVED"] = [tmp_path / "saved.json"]
        said("consensus", *CLINICS, "--effort", "quick", "--save", *words["SAVED"])
    line = [word for part in command for word in words.get(part, [part])]
    foreign = FOREIGN.get(name[name.index(".") :], b"not by bnfuse\n")
    path.write_bytes(foreign)
    assert "--force" in refused(*line)
    assert path.read_bytes() == foreign
    said(*line, "--force")
    own = path.read_bytes()
    assert own != foreign
    if is_marked:
        said(*line)
    else:
        assert "--force" in refused(*line)
        assert path.read_bytes() == own
