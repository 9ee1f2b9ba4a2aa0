"""What commands print with --json, against the schema in the docs."""

import json
import shutil
from importlib.util import find_spec

import jsonschema
import pytest
import typer

from bnfuse.commands import app, run
from bnfuse.commands._console import JSON_VERSION
from docs_blocks import ROOT
from help_examples import EXAMPLES, NEEDS, NOT_RUN, follow

SCHEMA = json.loads((ROOT / "docs" / "reference" / "json-schema.json").read_text("utf-8"))
OBJECTS = {name: one for name, one in SCHEMA["$defs"].items() if "properties" in one}
KINDS = {name.removeprefix("bnfuse ") for name in OBJECTS if name.startswith("bnfuse ")}


def check(printed):
    """Refuse what the schema of its kind does not describe."""
    found = json.loads(printed)
    reference = f"#/$defs/bnfuse%20{found['kind'].replace(' ', '%20')}"
    jsonschema.Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": reference}).validate(found)
    return found


def parameters(command):
    part = typer.main.get_command(app)
    for name in command.split():
        part = part.commands[name]
    return {flag for one in part.params for flag in one.opts}


def as_json(words, name):
    """An example with JSON as its output, and no longer search than needed; as it is where it has an output already."""
    known = parameters(name)
    if "--json" not in known or {">", "-", "--help"} & set(words):
        return words
    more = [] if "--json" in words else ["--json"]
    if "--effort" in known and not {"--effort", "--method", "result.json"} & set(words) and name != "bootstrap":
        more += ["--effort", "quick"]
    if "--resamples" in known and "--resamples" not in words:
        more += ["--resamples", "20"]
    return [*words, *more, *(["--force"] if "--force" in known else []), ">", "printed.json"]


def command_of(words):
    """The command that an example runs."""
    return next(name for name in (" ".join(words[1:3]), words[1]) if name in EXAMPLES)


def test_the_schema_is_one_and_describes_every_key():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for name, one in OBJECTS.items():
        assert one["additionalProperties"] is False, name
        assert all(value.get("description") for value in one["properties"].values()), name
        assert set(one["required"]) <= one["properties"].keys(), name
    commands = {name for name in EXAMPLES if name and "--json" in parameters(name)}
    assert commands == KINDS
    assert {OBJECTS[f"bnfuse {kind}"]["properties"]["version"]["const"] for kind in KINDS} == {JSON_VERSION}


@pytest.mark.parametrize("command", [name for name in EXAMPLES if name and name not in NOT_RUN])
def test_the_examples_print_what_the_schema_describes(command, tmp_path, monkeypatch):
    if command in NEEDS and find_spec(NEEDS[command]) is None:
        pytest.skip(f"needs {NEEDS[command]}")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    kinds = set()
    for words in EXAMPLES[command]:
        asked = as_json(words, command_of(words))
        follow(asked)
        if asked[-1] == "printed.json":
            found = check((tmp_path / "printed.json").read_text("utf-8"))
            assert list(found)[:2] == ["kind", "version"]
            kinds.add(found["kind"])
    assert command in kinds or command not in KINDS


def test_what_examples_do_not_show_is_described_too(said, tmp_path, chain):
    from running import CLINICS

    folder = tmp_path / "study"
    tally = tmp_path / "all.tally"
    said("tally", *CLINICS, "-o", tally)
    for arguments in (
        ("networks",),
        ("consensus", tally, "--effort", "quick"),
        ("consensus", *CLINICS, "--metric", "fsim", "--effort", "quick"),
        ("consensus", *CLINICS, "-t", "2", "--prove", "--effort", "quick"),
        ("disputes", *CLINICS, "--effort", "quick", "--forbid", "Age->COPD", "--count", "3"),
        ("inspect", tally, chain),
        ("frontier", *CLINICS, "--max-clique", "2,3", "--metric", "fsim", "--effort", "quick"),
    ):
        assert check(said(*arguments, "--json"))["kind"] == arguments[0]
    assert not folder.exists()


@pytest.mark.long
def test_a_study_prints_what_the_schema_describes(said, tmp_path):
    folder = tmp_path / "study"
    assert check(said("study", "run", "--preset", "smoke", "-o", folder, "--json"))["left"] == 0
    for arguments in (("status", folder), ("tables", folder), ("figures", folder, "-o", tmp_path / "figures")):
        assert check(said("study", *arguments, "--json"))["kind"] == f"study {arguments[0]}"


def test_benchmark_networks_print_what_the_schema_describes(said, tmp_path):
    from bnfuse import networks

    if not networks.available(["asia"]):
        pytest.skip("the benchmark networks are not on this machine")
    assert check(said("networks", "show", "asia", "--json"))["network"]["arcs"] == 8
    written = check(said("networks", "export", "asia", "-o", tmp_path, "--json"))["written"]
    assert written == [str(tmp_path / "asia.bif")]


def test_json_is_alone_on_the_standard_output(capsys, chain):
    assert run(["inspect", chain, "--json"]) == 0
    captured = capsys.readouterr()
    assert check(captured.out)["inputs"][0]["name"] == "chain"
    assert captured.err.startswith("note: ")
