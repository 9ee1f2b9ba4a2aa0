"""Every number that a command takes, far out of range: it works, or one line says what is wrong."""

from typing import Any

import pytest
import typer

import bnfuse
from bnfuse.commands import app, run

EXTREME = ["3000000000", str(2**63), str(2**64), "-1", "nan", "inf", "1e400"]
COMMANDS = {
    "consensus": ["NET", "NET"],
    "frontier": ["NET", "NET"],
    "disputes": ["NET", "NET"],
    "schools": ["NET", "NET"],
    "learn": ["ROWS"],
    "bootstrap": ["ROWS", "--resamples", "2"],
    "query": ["NET", "B"],
    "explain": ["NET"],
    "sensitivity": ["NET", "B=y"],
    "fit": ["NET", "ROWS", "-o", "OUT"],
    "sample": ["NET", "-n", "3"],
    "inspect": ["NET"],
    "serve": ["--no-browser"],
    "federated init": ["FED", "--vocabulary", "NET", "--roster", "ROSTER"],
    "federated serve": ["SITE"],
    "federated site": ["SITE", "--federation", "nowhere", "--data", "ROWS"],
    "study run": ["--preset", "smoke", "-o", "STUDY"],
}
BESIDE = {
    "population": ["--method", "genetic", "--generations", "1"],
    "generations": ["--method", "genetic"],
    "min_cut": ["--method", "min-cut"],
    "sample_size": ["--score", "bdeu"],
    "prior": ["-o", "OUT"],
}


def numeric_options() -> list[tuple[str, str, str]]:
    """(command, its option in Python, its flag) of every option that is a number."""
    found = []

    def look(command: Any, name: str) -> None:
        for part in getattr(command, "commands", {}).values():
            look(part, f"{name} {part.name}".strip())
        for one in command.params:
            if one.type.name.split()[0] in ("integer", "float"):
                found.append((name, one.name, max(one.opts, key=len)))

    look(typer.main.get_command(app), "")
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("numbers")
    states = {"A": ["n", "y"], "B": ["n", "y"]}
    tables = {"A": [0.3, 0.7], "B": [[0.9, 0.1], [0.1, 0.9]]}
    network = bnfuse.Network(bnfuse.DAG(["A", "B"], [("A", "B")]), states=states, cpts=tables)
    bnfuse.write(network, folder / "net.bif")
    network.sample(40).write(folder / "rows.csv")
    (folder / "roster").write_text("".join(f"site-{n} {n:064x}\n" for n in range(3)))
    names = {"NET": "net.bif", "ROWS": "rows.csv", "OUT": "out.bif", "FED": "fed", "SITE": "site", "STUDY": "study"}
    names["ROSTER"] = "roster"
    return {word: str(folder / name) for word, name in names.items()}


@pytest.mark.parametrize(("command", "option", "flag"), numeric_options())
def test_an_extreme_number_works_or_is_refused_in_one_line(
    command: str, option: str, flag: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    beside = [] if option == "prior" and command == "federated init" else BESIDE.get(option, [])
    if option == "prior" and command == "consensus":
        beside = [*beside, "--fit", "ROWS"]
    arguments = [files.get(word, word) for word in [*command.split(), *COMMANDS[command], *beside]]
    for value in EXTREME:
        force = ["--force"] if "OUT" in (*COMMANDS[command], *beside) else []
        code = run([*arguments, *force, flag, value])
        told = capsys.readouterr().err
        assert code in (0, 2), told
        if code == 2:
            *notes, line = told.splitlines()  # the same network is given twice, which is noted
            assert all(note.startswith("note: counted twice") for note in notes)
            assert line.startswith("bnfuse: ")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ["--method", "genetic", "--population", "3000000000"],
            "--population must be at most 1,000,000; got 3000000000",
        ),
        (["--method", "genetic", "--generations", "3000000000"], "--generations must be at most 1,000,000,000"),
        (["--seed", str(2**64)], "--seed must be below 2**64; got 18446744073709551616"),
    ],
)
def test_a_number_that_is_too_large_is_told_the_largest(
    arguments: list[str], problem: str, files: dict[str, str], refused: Any
) -> None:
    assert problem in refused("consensus", files["NET"], files["NET"], *arguments)
