"""`bnfuse convert`: what is kept and what is lost."""

import json
from pathlib import Path

from bnfuse import files
from bnfuse.commands import run
from running import CLINICS


def test_convert_keeps_states_and_tables(tmp_path, said):
    output = tmp_path / "clinic.xmlbif"
    assert said("convert", CLINICS[0], str(output)) == f"wrote {output}: structure, states and tables\n"
    assert files.read(output) == files.read(CLINICS[0])


def test_convert_says_what_is_lost_and_what_is_made_up(tmp_path, capsys):
    table, back = tmp_path / "clinic.csv", tmp_path / "clinic.bif"
    assert run(["convert", CLINICS[0], str(table)]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"wrote {table}: the structure only\n"
    assert captured.err == f"note: {table} has no room for states and tables; they are left out\n"
    assert run(["convert", str(table), str(back)]) == 0
    assert "every variable has two states, the tables are placeholders (uniform tables)" in capsys.readouterr().out


def test_convert_makes_an_ensemble_of_many_files(tmp_path, said, refused):
    ensemble = tmp_path / "clinics.json"
    said("convert", *CLINICS, str(ensemble))
    assert [network.dag for network in files.read(ensemble)] == [network.dag for network in files.read(*CLINICS)]
    assert "hold one network, got 5" in refused("convert", *CLINICS, str(tmp_path / "clinics.bif"))


def test_convert_for_programs(tmp_path, capsys):
    path = tmp_path / "clinics.json"
    assert run(["convert", *CLINICS, str(path), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts == {
        "kind": "convert",
        "version": 1,
        "networks": [Path(clinic).stem for clinic in CLINICS],
        "output": {"path": str(path), "tables": None, "states": None},
        "lost": True,
    }


MIXED = "from,to,type\nA,B,-->\nC,B,-->\nC,D,---\n"


def test_convert_keeps_edges_without_a_direction(tmp_path, said):
    source = tmp_path / "mixed.csv"
    source.write_text(MIXED)
    for step in ("one.dagitty", "two.tetrad", "three.csv"):
        assert said("convert", source, tmp_path / step) == f"wrote {tmp_path / step}: the structure only\n"
        source = tmp_path / step
    assert source.read_text() == MIXED


def test_convert_refuses_a_format_that_cannot_hold_them(tmp_path, refused):
    source = tmp_path / "mixed.csv"
    source.write_text(MIXED)
    assert "BIF files cannot hold edges without a direction (a PDAG); those that can: .csv, .dagitty" in refused(
        "convert", source, tmp_path / "mixed.bif"
    )
    assert "ensemble files cannot hold edges" in refused("convert", source, tmp_path / "mixed.json")


def test_convert_takes_a_cycle_as_votes_when_told_so(tmp_path, said, refused):
    source, output = tmp_path / "cycle.csv", tmp_path / "votes.csv"
    source.write_text("from,to\nA,B\nB,A\nB,C\n")
    line = refused("convert", source, output)
    assert line.endswith(
        "the arcs form a cycle: A -> B -> A; to read them as votes for arcs: --cyclic votes "
        "(consensus, frontier, tally, convert)"
    )
    said("convert", source, output, "--cyclic", "votes")
    assert output.read_text() == "from,to,count,of,networks\nA,B,1,2,1\nB,A,1,2,1\nB,C,2,2,1\n"
    assert "--cyclic must be one of 'refuse', 'votes'; got 'often'" in refused(
        "convert", source, output, "--cyclic", "often", "--force"
    )


def test_convert_speaks_model_strings(tmp_path, said):
    source = tmp_path / "model.txt"
    source.write_text("[A][B|A][C|A:B]\n")
    assert said("convert", source, "-", "--format", "csv") == "from,to\nA,B\nA,C\nB,C\n"
    assert said("convert", source, "-", "--format", "modelstring") == "[A][B|A][C|A:B]\n"


def test_commands_that_need_a_dag_refuse_what_is_none(tmp_path, refused):
    mixed, votes = tmp_path / "mixed.csv", tmp_path / "votes.csv"
    mixed.write_text(MIXED)
    votes.write_text("from,to,strength,direction\nA,B,0.5,1\n")
    for command in (["fuse"], ["draw", "-o", tmp_path / "a.svg"]):
        for file, has in ((mixed, "edges without a direction (a PDAG)"), (votes, "votes for arcs")):
            assert f"{file}: holds {has}, where a DAG is needed" in refused(*command, file)


def test_convert_says_which_files_pyagrum_reads_wrongly(tmp_path, capsys):
    for extension in (".xdsl", ".uai", ".bif", ".bifxml"):
        output = tmp_path / f"clinic{extension}"
        assert run(["convert", CLINICS[0], str(output)]) == 0
        problem = f"pyAgrum reads tables with two or more parents wrongly from {output}"
        expected = f"note: {problem}; for pyAgrum, write a .bifxml file"
        said = " ".join(capsys.readouterr().err.split())
        assert said == (expected if extension in (".xdsl", ".uai") else "")
    chain = tmp_path / "chain.csv"
    chain.write_text("from,to\nA,B\n")
    assert run(["convert", str(chain), str(tmp_path / "chain.xdsl")]) == 0
    assert capsys.readouterr().err == ""
