"""What reaches a terminal: tables as wide as it, and no control characters from anybody's files."""

import io
import itertools
import json
import re
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import DAG, Network, files
from bnfuse.commands import _console, run
from bnfuse.commands._console import print_json, print_table
from bnfuse.commands._search import progress_bar
from bnfuse.commands._table import drawn, folded
from bnfuse.search.run import Progress
from docs_blocks import ROOT
from running import CLINICS, in_shell, on_terminal

cells = st.text(st.sampled_from("ab日 x"), max_size=30).map(str.strip)


@pytest.mark.parametrize("width", [80, 60, 40])
@pytest.mark.parametrize("command", ["inspect", "frontier", "consensus", "compare", "fuse"])
def test_no_line_is_wider_than_the_terminal(command, width):
    options = ["--effort", "quick"] if command in ("frontier", "consensus") else []
    shown = on_terminal(width, command, *CLINICS, *options).splitlines()
    assert any("─" in line or "  " in line for line in shown)
    assert max(map(len, shown)) <= width


@pytest.mark.parametrize("width", [80, 60, 40])
def test_a_narrow_terminal_loses_nothing(width):
    shown = " ".join(on_terminal(width, "inspect", *CLINICS).split())
    plain = in_shell('$BNFUSE inspect "$@"', *CLINICS).stdout.splitlines()
    for row in plain[1:]:
        assert re.search(r"\b.*?\b".join(map(re.escape, re.split("  +", row))), shown)


@pytest.mark.parametrize("command", ["inspect", "frontier", "consensus"])
def test_no_word_is_broken(command, tmp_path, said):
    """Names that do not fit beside the numbers are broken between words, or the table becomes blocks of lines."""
    names = ["A_rather_long_variable_name", "Another_long_name", "C", "D"]
    for number, name in enumerate(["the_first_of_the_clinics", "the_second_of_the_clinics", "the_third"]):
        arcs = [(names[0], names[1]), (names[1], names[2]), (names[number], names[3])]
        files.write(DAG(names, arcs), tmp_path / f"{name}.bif")
    paths = sorted(tmp_path.glob("*.bif"))
    options = ["--effort", "quick"] if command != "inspect" else []
    told = set(said(command, *paths, *options).split())
    shown = on_terminal(60, command, *paths, *options)
    assert max(map(len, shown.splitlines())) <= 60
    seconds = {word for word in told if word.replace(".", "").isdigit()}
    assert told - seconds <= set(shown.split())


class Screen(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("width", [80, 60])
def test_the_progress_of_a_search_is_whole(width, monkeypatch):
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar() as show:
        show(Progress(step=1_999, steps=2_000, distance=1_183.6, clique_size=12, seconds=3.0))
    line = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue()).replace("\r", "\n").rstrip().splitlines()[-1]
    assert "1999/2000" in line
    assert "best 1183.60  largest clique 12" in line
    assert re.search(r" (-:--:--|\d:\d\d:\d\d)$", line)
    assert len(line) <= width


@given(st.text(st.sampled_from("ab日 %x"), max_size=80), st.integers(5, 40))
def test_sentences_are_folded_between_words(text, width):
    lines = folded(text, width)
    assert [word for line in lines for word in line.split()] == text.split()
    indent = len(text) - len(text.lstrip(" "))
    for line in lines:
        words = line.replace(" %", "_%").split()
        assert len(words) < 2 or len(line) + line.count("日") <= width
        assert not words or line.startswith(" " * indent)
    for line, following in itertools.pairwise(lines):  # no line ends sooner than it has to
        whole = f"{line} {following.strip().replace(' %', '_%').split(' ')[0]}"
        assert len(whole) + whole.count("日") > width


@pytest.mark.parametrize(("share", "is_right"), [("under 1 %", True), ("over 99 %", True), ("not known", False)])
def test_shares_stand_right_as_numbers_do(share, is_right, capsys):
    print_table(["arc", "share"], [["a", "5 %"], ["b", share]])
    _, small, large = capsys.readouterr().out.splitlines()
    assert (len(small) == len(large)) == is_right


@given(st.data(), st.integers(1, 5), st.integers(5, 100))
def test_every_cell_is_in_the_table_and_no_line_is_too_long(data, columns, width):
    headers = data.draw(st.lists(cells.filter(bool), min_size=columns, max_size=columns))
    rows = data.draw(st.lists(st.lists(cells, min_size=columns, max_size=columns), max_size=4))
    numeric = data.draw(st.lists(st.booleans(), min_size=columns, max_size=columns))
    table = drawn(headers, rows, numeric, width)
    lines = [*table.header, *table.body]
    assert all(len(line) + line.count("日") <= width for line in lines)
    letters = "".join(lines)
    for char in "ab日x":
        rule = "─"
        given_once = sum(cell.count(char) for row in rows for cell in row)
        named = sum(header.count(char) for header in headers)
        assert letters.replace(rule, "").count(char) == given_once + named * (1 if table.header else len(rows))


NASTY = "a\x1b[31m\x9b31m\x07\u202eb"


@pytest.fixture
def nasty(tmp_path):
    """A network whose names and labels are full of control characters."""
    path = tmp_path / "nasty.bif"
    names = [NASTY, "B"]
    states = {NASTY: ("yes\x9b", "no\x1b]0;x\x07"), "B": ("x", "y")}
    tables = {NASTY: [0.5, 0.5], "B": [[0.5, 0.5], [0.1, 0.9]]}
    files.write(Network(DAG(names, [(NASTY, "B")]), states, tables), path)
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["inspect"],
        ["inspect", "--json"],
        ["sample", "-n", "3"],
        ["sample", "-n", "3", "--json"],
        ["query"],
        ["query", "--json"],
        ["query", "--joint", NASTY, "B"],
        ["query", "--joint", NASTY, "B", "--json"],
        ["consensus"],
        ["consensus", "--json"],
        ["consensus", "-o", "-"],
        ["convert", "-"],
        ["convert", "-", "--format", "csv"],
        ["convert", "-", "--format", "xmlbif"],
        ["fuse"],
    ],
    ids=" ".join,
)
def test_no_control_character_reaches_a_terminal(nasty, arguments):
    command, *options = arguments
    shown = on_terminal(80, command, nasty, *options)
    assert shown.replace("\n", "").isprintable()


def test_control_characters_stay_in_the_content_of_json_and_csv(nasty, said):
    facts = json.loads(said("query", nasty, "--json"))
    assert list(facts["marginals"]) == [NASTY, "B"]
    assert list(facts["marginals"][NASTY]) == ["yes\x9b", "no\x1b]0;x\x07"]
    assert NASTY in said("sample", nasty, "-n", 1)


def test_json_has_numbers_of_any_length_and_python_keeps_its_limit_for_files(capsys):
    most = sys.get_int_max_str_digits()
    assert most > 0
    print_json("query", {"cost": 10**most})
    assert capsys.readouterr().out.splitlines()[3] == f'  "cost": 1{"0" * most}'
    assert sys.get_int_max_str_digits() == most


def test_a_bug_is_shown_without_control_characters(nasty):
    done = in_shell('BNFUSE_DEBUG=1 $BNFUSE inspect "$(printf "\\033[31mnone")"')
    assert "\x1b" not in done.stderr


# Progress where there is no terminal


def test_what_takes_long_says_how_far_it_is(monkeypatch):
    said, heard = [], threading.Event()

    def hear(text):
        said.append(text)
        if len(said) == 2:
            heard.set()

    monkeypatch.setattr(_console, "note", hear)
    monkeypatch.setattr(_console, "SILENT_SECONDS", 0.01)
    monkeypatch.setattr(_console, "LINE_SECONDS", 0.01)
    with _console.reporting("learning ...") as tell:
        tell("3 of 8 networks")
        assert heard.wait(60)
    lines = len(said)
    assert said[1] == f"learning, {said[1].split()[1]} s: 3 of 8 networks"
    with _console.reporting("at once"):
        pass
    assert len(said) <= lines + 1


@pytest.mark.parametrize("command", ["consensus", "bootstrap"])
def test_progress_goes_to_the_standard_error_and_leaves_json_alone(command, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(_console, "SILENT_SECONDS", 0.0001)
    monkeypatch.setattr(_console, "LINE_SECONDS", 0.0001)
    files = CLINICS if command == "consensus" else [ROOT / "examples" / "patients.csv", "--resamples", "3"]
    assert run([command, *map(str, files), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["kind"] == command
    assert re.search("note: (searching|reading the data|learning), 0 s", captured.err)


def test_short_commands_say_nothing_about_progress(capsys):
    assert run(["inspect", CLINICS[0], "--json"]) == 0
    assert capsys.readouterr().err == ""
