"""What reaches a terminal: tables as wide as it, and no control characters from anybody's files."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import DAG, Network, files
from bnfuse.commands._table import drawn
from running import CLINICS, in_shell, on_terminal

cells = st.text(st.sampled_from("ab日 x"), max_size=30).map(str.strip)


@pytest.mark.parametrize("width", [80, 60, 40])
@pytest.mark.parametrize("command", ["inspect", "frontier", "consensus", "compare", "fuse"])
def test_tables_are_as_wide_as_the_terminal(command, width):
    options = ["--effort", "quick"] if command in ("frontier", "consensus") else []
    shown = on_terminal(width, command, *CLINICS, *options)
    tabular = [line for line in shown.splitlines() if "  " in line or "─" in line]
    assert tabular
    assert max(map(len, tabular)) <= width


@pytest.mark.parametrize("width", [80, 60, 40])
def test_a_narrow_terminal_loses_nothing(width):
    shown = " ".join(on_terminal(width, "inspect", *CLINICS).split())
    plain = in_shell('$BNFUSE inspect "$@"', *CLINICS).stdout.splitlines()
    for row in plain[1:]:
        assert re.search(r"\b.*?\b".join(map(re.escape, re.split("  +", row))), shown)


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


def test_a_bug_is_shown_without_control_characters(nasty):
    done = in_shell('BNFUSE_DEBUG=1 $BNFUSE inspect "$(printf "\\033[31mnone")"')
    assert "\x1b" not in done.stderr
