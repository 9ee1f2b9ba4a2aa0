"""`bnfuse learn` and `bnfuse bootstrap` on tables as people have them: what becomes of columns, and what is refused."""

from __future__ import annotations

import json
import random

import pytest

import bnfuse
from bnfuse import read
from bnfuse.commands import run

LEARNING = {"learn": (), "bootstrap": ("--resamples", "3")}


def patients(rows: int = 300) -> list[dict[str, object]]:
    draw = random.Random(1)
    found = []
    for i in range(rows):
        age, ill = draw.randrange(20, 90), draw.random() < 0.3
        crp = draw.lognormvariate(2 if ill else 0, 0.7)
        found.append(
            {
                "patient_id": 7000 + i,
                "admitted": f"2024-01-{i % 28 + 1:02}",
                "ward": "west",
                "age": age,
                "crp": f"{crp:.2f}" if draw.random() < 0.95 else "",
                "ill": "yes" if ill else "no",
                "remark": f"see letter {i}",
            }
        )
    return found


@pytest.fixture
def table(tmp_path):
    rows = patients()
    path = tmp_path / "patients.csv"
    path.write_text("\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]) + "\n")
    return path


@pytest.mark.parametrize("command", LEARNING)
def test_a_table_as_it_comes_gives_a_network_with_its_cut_points(command, table, tmp_path, capsys):
    output = tmp_path / "network.bif"
    assert run([command, str(table), *LEARNING[command], "-o", str(output)]) == 0
    notes = capsys.readouterr().err
    prepared = bnfuse.discretised(table)
    (network,) = read(output)
    assert set(network.variables) == {"age", "crp", "ill"}
    assert network.cuts == prepared.data.cuts
    assert set(network.cuts) == {"age", "crp"}
    assert network.states == prepared.data.states
    for text in prepared.notes:
        assert (
            text.replace("name it in keep", "name it in --keep").replace("numbers, in cut", "numbers, in --cut")
            in notes
        )


@pytest.mark.parametrize("command", LEARNING)
def test_every_option_on_columns_reaches_the_table(command, table, said):
    wanted = {"bins": 4, "binning": "width", "missing": "drop", "keep": ("admitted",), "cut": ("patient_id",)}
    flags = [*("--bins", 4, "--binning", "width", "--missing", "drop", "--keep", "admitted", "--cut", "patient_id")]
    facts = json.loads(said(command, table, *LEARNING[command], *flags, "--leave-out", "age", "--json"))
    data = bnfuse.discretised(table, **wanted, leave_out="age").data
    assert tuple(facts["variables"]) == data.variables
    assert facts["rows"] == len(data) < 300
    assert {name: tuple(points) for name, points in facts["cuts"].items()} == data.cuts


@pytest.mark.parametrize("command", LEARNING)
def test_missing_values_can_be_refused(command, table, tmp_path, refused):
    text = refused(command, table, "--missing", "error", "-o", tmp_path / "network.bif")
    assert "column 'crp' has" in text
    assert "--missing says that this is an error" in text


@pytest.mark.parametrize("command", LEARNING)
def test_names_that_the_format_cannot_hold_are_refused_before_anything_is_learned(
    command, table, tmp_path, refused, monkeypatch
):
    monkeypatch.setattr(bnfuse.learning.data_learner.Learner, "learned", lambda *_: pytest.fail("it was learned"))
    monkeypatch.setattr(bnfuse.learning.data_learner.Learner, "resampled", lambda *_: pytest.fail("it was learned"))
    text = refused(command, table, "-o", tmp_path / "network.net")
    assert "NET files cannot hold this name" in text
    assert list(tmp_path.iterdir()) == [table]


BAD = {
    "empty": (b"", "is empty"),
    "header": (b"A,B\n", "has a header and no rows"),
    "one row": (b"A,B\nyes,no\n", "has only one row"),
    "one column": (b"A\nyes\nno\n", "one column is left to learn from"),
    "all missing": (b"A,B\n,\nNA,?\n,\n", "no column is left to learn from"),
    "same names": (b"A,A,B\nx,y,z\nx,y,z\n", "has two columns 'A'"),
    "mixed": (b"A,B\n" + b"".join(b"%d.5,%d\n" % (i, i % 2) for i in range(20)) + b">100,1\n", "mixes numbers with"),
    "lengths": (b"A,B\nyes,no\nyes\n", "this row has 1 cell, the header has 2"),
    "no text": (b"\xff\xfe\x00\x01" * 100, "patients.csv"),
    "long line": (b"A,B\n" + b"x" * 5_000_000, "characters"),
}


@pytest.mark.parametrize("command", LEARNING)
@pytest.mark.parametrize("kind", BAD)
def test_bad_tables_get_one_line_and_leave_nothing(command, kind, tmp_path, refused):
    content, words = BAD[kind]
    path = tmp_path / "patients.csv"
    path.write_bytes(content)
    outputs = ("-o", tmp_path / "network.bif")
    if command == "bootstrap":
        outputs += ("--report", tmp_path / "page.html", "--save", tmp_path / "s.json", "--tally", tmp_path / "t.tally")
    assert words in refused(command, path, *outputs)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("command", LEARNING)
def test_many_names_are_left_out(command, tmp_path, capsys):
    path = tmp_path / "names.csv"
    path.write_text("name,A,B\n" + "".join(f"n{i},{i % 2},{i % 3}\n" for i in range(20_000)))
    assert run([command, str(path), *LEARNING[command]]) == 0
    assert "left out 'name': more than 1,000 different values" in capsys.readouterr().err
    assert run([command, str(path), "--keep", "name"]) == 2
    assert "more than 1,000 different values, too many to be states" in capsys.readouterr().err
