"""- is the standard input or output."""

import json

import pytest

import bnfuse
from bnfuse import files
from running import CLINICS, in_shell


def test_networks_come_from_the_standard_input():
    for script in ('$BNFUSE inspect - --json < "$1"', 'gzip -c "$1" | $BNFUSE inspect - --json'):
        (facts,) = json.loads(in_shell(script, CLINICS[0]).stdout)["inputs"]
        assert (facts["name"], facts["arcs"]) == ("standard input", 16)


def test_the_standard_input_may_stand_among_files():
    done = in_shell('$BNFUSE compare "$2" - --json < "$1"', *CLINICS[:2])
    assert json.loads(done.stdout)["networks"] == ["harbour", "standard input"]


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("echo hello | $BNFUSE inspect -", "standard input: neither the name nor the content determines the format"),
        ("$BNFUSE inspect - < /dev/null", "standard input: is empty"),
        ("$BNFUSE inspect - - < /dev/null", "- is given twice"),
        ("$BNFUSE inspect - <&-", "- is the standard input, which is closed"),
        ('$BNFUSE consensus "$1" -o - --json', "-o - and --json both print to the standard output"),
        ('$BNFUSE convert "$1" - --format doc', "standard output.doc: "),
        ('$BNFUSE convert "$1" out.bif --format csv', "--format is for the standard output"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(script, problem):
    done = in_shell(script, CLINICS[0])
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert problem in line


@pytest.mark.parametrize("command", ["consensus", "fuse"])
def test_the_standard_output_gets_the_network_and_nothing_else(command, tmp_path):
    done = in_shell(f'$BNFUSE {command} "$@" -o -', *CLINICS)
    (tmp_path / "piped.bif").write_text(done.stdout)
    (piped,) = files.read(tmp_path / "piped.bif")
    assert "wrote to the standard output: " in done.stderr
    assert piped.dag == getattr(bnfuse, command)(files.read(*CLINICS)).dag


def test_commands_make_a_pipe():
    script = '$BNFUSE consensus "$@" -o - | $BNFUSE query - LungCancer --json'
    facts = json.loads(in_shell(script, *CLINICS).stdout)
    assert set(facts["marginals"]) == {"LungCancer"}
    rows = in_shell('$BNFUSE sample - -n 3 -o - < "$1"', CLINICS[0]).stdout
    assert rows == in_shell('$BNFUSE sample "$1" -n 3', CLINICS[0]).stdout
    assert rows.count("\n") == 4


@pytest.mark.long
def test_convert_writes_any_format_to_the_standard_output(tmp_path):
    for extension in ("bif", "csv", "json", "xmlbif", "dot"):
        done = in_shell(f'$BNFUSE convert "$1" - --format {extension}', CLINICS[0])
        files.write(files.read(CLINICS[0])[0], tmp_path / f"file.{extension}")
        assert done.stdout == (tmp_path / f"file.{extension}").read_text()


def test_fit_writes_to_the_standard_output(tmp_path):
    network = files.read(CLINICS[0])[0]
    network.sample(100).write(tmp_path / "rows.csv")
    done = in_shell('$BNFUSE fit - "$2" -o - < "$1"', CLINICS[0], str(tmp_path / "rows.csv"))
    (tmp_path / "fitted.bif").write_text(done.stdout)
    assert files.read(tmp_path / "fitted.bif")[0].dag == network.dag
