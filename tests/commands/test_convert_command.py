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
        "networks": [Path(clinic).stem for clinic in CLINICS],
        "output": {"path": str(path), "tables": None, "states": None},
        "lost": True,
    }
