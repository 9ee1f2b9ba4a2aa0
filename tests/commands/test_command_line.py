"""The command line as a whole: help, bad input, exit codes, terminals and pipes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from rich.cells import cell_len

import bnfuse
import right_to_left
from bnfuse import DAG, Network, files
from bnfuse._base.texts import shown_number
from bnfuse.commands import _help, app, inspect, run
from bnfuse.commands._console import as_bytes
from bnfuse.commands._help import GROUPS
from running import CLINICS, in_shell

COMMANDS = (
    "consensus",
    "frontier",
    "disputes",
    "schools",
    "learn",
    "bootstrap",
    "query",
    "explain",
    "informative",
    "sensitivity",
    "effects",
    "fit",
    "sample",
    "report",
    "serve",
    "try",
    "draw",
    "tally",
    "strength",
    "align",
    "inspect",
    "compare",
    "fuse",
    "convert",
    "networks",
    "networks show",
    "networks export",
    "federated",
    "federated identity",
    "federated init",
    "federated site",
    "federated serve",
    "federated allow",
    "federated run",
    "federated rehearse",
    "federated status",
    "study",
    "study run",
    "study status",
    "study tables",
    "study figures",
)


# Help


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_teaches_with_examples(command, said):
    text = said(*command.split(), "--help")
    shown = text.partition("Examples:\n")[2].replace("\\\n", "").splitlines()
    assert all(line.startswith("    bnfuse ") for line in shown)
    assert sum(line.startswith(f"    bnfuse {command}") for line in shown) >= 2, "others prepare its files"


def test_every_command_that_answers_has_json(said):
    without = {
        command for command in COMMANDS if "--json" not in said(*command.split(), "--help").partition("Examples")[0]
    }
    groups = {"federated", "study"}
    assert without - groups == {"serve", "federated serve"}, "which run until they are stopped"


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_help_fits_80_columns(command, said, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, said(*command.split(), "--help").splitlines())) <= 80


def test_alone_it_shows_all_commands(said):
    text = said()
    assert text == said("--help")
    assert all(command in text for command in COMMANDS if " " not in command)
    assert "..." not in text.partition("Commands:")[2], "a summary is cut off"


def test_every_option_has_its_group(said):
    group = typer.main.get_command(app)
    names = {one.name for command in group.commands.values() for one in command.params}
    grouped = [name for members in GROUPS.values() for name in members]
    assert len(grouped) == len(set(grouped))
    assert set(grouped) - {"help"} <= names
    for command in ("consensus", "frontier", "learn", "bootstrap"):
        assert "Options:" not in said(command, "--help").splitlines(), command
    listed = [name for members in _help.COMMANDS.values() for name in members]
    assert sorted(listed) == sorted(group.commands)


def test_every_day_options_come_first(said):
    text = said("consensus", "--help")
    titles = [line.rstrip(":") for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert titles == ["Arguments", *GROUPS]
    assert text.index("--max-clique") < text.index("--json") < text.index("--population")


@pytest.mark.parametrize("command", ["consensus", "inspect", "compare", "tally", "networks export"])
def test_the_usage_shows_that_several_files_are_allowed(command, said):
    assert said(*command.split(), "--help").splitlines()[0].endswith("...")


def test_version(said):
    assert said("--version") == f"bnfuse {bnfuse.__version__}\n"


def test_shell_completion_knows_the_commands():
    asked = {"_BNFUSE_COMPLETE": "complete_bash", "COMP_WORDS": "bnfuse c", "COMP_CWORD": "1"}
    assert in_shell("$BNFUSE", **asked).stdout.split() == ["consensus", "compare", "convert"]


# Bad input


def bad_files(folder):
    text = Path(CLINICS[0]).read_text()
    (folder / "truncated.bif").write_text(text[: len(text) // 2])
    (folder / "binary.bif").write_bytes(bytes(range(256)))
    (folder / "empty.bif").write_text("")
    (folder / "folder.bif").mkdir()
    (folder / "unknown.txt").write_text("hello\n")
    (folder / "cycle.csv").write_text("from,to\nA,B\nB,A\n")
    return "truncated.bif", "binary.bif", "empty.bif", "folder.bif", "unknown.txt", "cycle.csv", "missing.bif"


@pytest.mark.parametrize("command", ["inspect", "compare", "fuse", "convert"])
def test_bad_files_are_refused_in_one_line_that_names_them(command, tmp_path, refused):
    for name in bad_files(tmp_path):
        if name == "cycle.csv" and command in ("inspect", "compare"):
            continue  # votes for arcs are inputs, too
        output = [str(tmp_path / "out.csv")] if command == "convert" else []
        assert f"{tmp_path / name}:" in refused(command, CLINICS[0], str(tmp_path / name), *output)
        assert not (tmp_path / "out.csv").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_refused(chain, refused):
    os.chmod(chain, 0)
    assert f"{chain}: permission denied" in refused("inspect", chain)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "missing argument 'FILE'; see bnfuse inspect --help"),
        (("--bogus",), "no such option"),
        (("x.bif", "--effort", "much"), "--effort must be one of 'quick', 'normal', 'thorough'; got 'much'"),
    ],
)
def test_misuse_is_one_line(arguments, problem, refused):
    assert problem in refused("inspect", *arguments)


def test_an_unknown_command_is_one_line(refused):
    assert "no such command 'inspec'" in refused("inspec")


def test_a_name_cannot_break_the_line_or_the_terminal(tmp_path, chain, refused):
    evil = tmp_path / "evil.csv"
    evil.write_text('from,to\n"a\nb\x1b[31m","a\nb\x1b[31m"\n')
    line = refused("compare", str(evil), chain)
    assert r"a b\x1b[31m" in line
    assert line.isprintable()


def test_arcs_of_names_that_run_from_right_to_left_are_isolated_and_columns_stay_aligned(tmp_path, said, refused):
    files = [tmp_path / f"{i}.json" for i in range(3)]
    for network, file in zip(right_to_left.networks(), files, strict=True):
        bnfuse.write(network, file)
    output = tmp_path / "c.csv"
    shown = right_to_left.marked(said("consensus", *files, "--effort", "quick", "-o", output))
    arcs = shown[shown.index("Arcs of the consensus:") :].splitlines()[2:6]
    assert sorted(arc.split("  ")[0] for arc in arcs) == sorted(
        ["[גיל 2] -> [עישון]", "[עישון] -> [סרטן ריאות]", "[סרטן ריאות] -> [قلب]", r"a\u202eb -> Plain"]
    )
    assert len({cell_len(arc.replace("[", "").replace("]", "")) for arc in arcs}) == 1
    assert "\u2068" not in output.read_text("utf-8")
    assert "\u2068" not in said("consensus", *files, "--effort", "quick", "--json")
    line = refused("consensus", *files, "--require", "עישון->עישון")
    assert "arc [עישון] -> [עישון]:" in right_to_left.marked(line)


def test_an_output_is_refused_before_any_input_is_read(tmp_path, refused):
    other_kind = tmp_path / "notes.bif"
    other_kind.write_text("important\n")
    (tmp_path / "folder.bif").mkdir()
    for output, problem in (
        (other_kind, "exists and is not a BIF file that bnfuse wrote; to replace it: --force"),
        (tmp_path / "folder.bif", "is a folder, not a file"),
        (tmp_path / "none" / "fused.bif", "there is no folder"),
        (tmp_path / "fused.pdf", "cannot tell the format from the extension"),
    ):
        assert f"{output}: " in (line := refused("fuse", "missing.bif", "-o", str(output)))
        assert problem in line
        assert problem in refused("convert", "missing.bif", str(output))
    assert other_kind.read_text() == "important\n"


def test_force_replaces_a_file_of_another_kind(tmp_path, chain, said):
    output = tmp_path / "notes.bif"
    output.write_text("important\n")
    said("fuse", chain, "-o", str(output), "--force")
    assert files.read(output)[0].dag == files.read(chain)[0].dag


# Around the commands


def test_what_a_reader_put_right_is_noted_once_and_json_stays_clean(tmp_path, capsys):
    path = tmp_path / "rounded.bif"
    path.write_text(
        "network n { } variable A { type discrete [ 3 ] { a, b, c }; } probability ( A ) { table 0.3, 0.3, 0.3995; }"
    )
    assert run(["inspect", str(path), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["inputs"][0]["variables"] == 1
    (line,) = captured.err.splitlines()
    assert line.startswith("note: ")
    assert str(path) in line


def test_a_bug_is_exit_code_1_and_asks_for_a_report(chain, monkeypatch, capsys):
    def broken(*paths):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(inspect, "read_everything", broken)
    assert run(["inspect", chain]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "please report it" in line
    monkeypatch.setenv("BNFUSE_DEBUG", "1")
    assert run(["inspect", chain]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_exit_codes_reach_the_shell(chain):
    assert in_shell('$BNFUSE inspect "$1"', chain).returncode == 0
    assert in_shell("$BNFUSE inspect missing.bif").returncode == 2


def test_ctrl_c_is_exit_code_130(tmp_path):
    pipe = tmp_path / "slow.bif"
    os.mkfifo(pipe)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "bnfuse", "inspect", str(pipe)]
    with (
        subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process,
        open(pipe, "wb"),  # waits until the command reads
    ):
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert (process.returncode, said) == (130, "bnfuse: interrupted\n")


def test_a_reader_that_leaves_is_no_error(tmp_path):
    # more than a pipe holds, so that the command still writes when nobody reads any more
    names = [f"{'long name ' * 10}{i}" for i in range(100)]
    path = tmp_path / "large.json"
    files.write([Network(DAG(names), name=f"{'n' * 300}{i}") for i in range(300)], path)
    done = in_shell(
        '$BNFUSE inspect "$1" --effort quick --json 2>"$2" | head -n 1; cat "$2"', str(path), str(tmp_path / "err")
    )
    assert done.stdout.splitlines()[0] == "{"
    assert "Traceback" not in done.stdout
    assert "BrokenPipe" not in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_one_line(tmp_path):
    done = in_shell('$BNFUSE inspect "$1" > /dev/full', CLINICS[0])
    assert (done.returncode, done.stderr) == (2, "bnfuse: standard output: no space left on device\n")


def test_a_closed_output_is_no_error(chain):
    assert in_shell('$BNFUSE inspect "$1" >&-', chain).returncode == 0


def test_names_that_the_output_cannot_encode_are_escaped(tmp_path):
    path = tmp_path / "größe.csv"
    path.write_text("from,to\nA,B\n")
    done = in_shell('$BNFUSE inspect "$1"', str(path), PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert r"gr\xf6\xdfe (structure only)" in done.stdout


def test_tables_are_plain_and_unwrapped_in_a_pipe(tmp_path, said):
    names = ["x" * 150, "[bold]red[/bold]"]
    path = tmp_path / "long.json"
    files.write([Network(DAG(["A", "B"]), name=name) for name in names], path)
    lines = said("inspect", str(path)).splitlines()
    assert len(lines) == 3
    assert lines[1].startswith(names[0])
    assert lines[2].startswith(names[1])
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1.0 KB"), (1 << 20, "1.0 MB"), (1 << 75, "3.8e+22 bytes")],
)
def test_bytes_for_people(number, shown):
    assert as_bytes(number) == shown


def test_numbers_for_people():
    assert shown_number(123456789) == "123,456,789"
    assert shown_number(12345678901) == "1.23e+10"
