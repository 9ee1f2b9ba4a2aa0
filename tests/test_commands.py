"""The command line: what it prints, what it writes, and how it fails."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

import bnfuse
from bnfuse import DAG, Network, clique_size, files, smhd
from bnfuse.commands import consensus, inspect, run
from bnfuse.commands._console import as_bytes, rounded

CLINICS = [str(path) for path in sorted((Path(__file__).parent.parent / "examples" / "clinics").glob("*.bif"))]
COMMANDS = ("inspect", "compare", "fuse", "convert", "networks", "networks show", "networks export")


@pytest.fixture
def chain(tmp_path):
    """A -> B -> C without states, as a CSV edge list."""
    path = tmp_path / "chain.csv"
    path.write_text("from,to\nA,B\nB,C\n")
    return str(path)


@pytest.fixture
def fork(tmp_path):
    """B -> A, B -> C."""
    path = tmp_path / "fork.csv"
    path.write_text("from,to\nB,A\nB,C\n")
    return str(path)


@pytest.fixture
def said(capsys):
    """Runs a command that must succeed; returns its standard output."""

    def run_and_read(*arguments):
        assert run(arguments) == 0
        return capsys.readouterr().out

    return run_and_read


@pytest.fixture
def refused(capsys):
    """Runs a command that must fail with exit code 2 and one line; returns the line."""

    def run_and_read(*arguments):
        assert run(arguments) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        (line,) = captured.err.splitlines()
        assert line.startswith("bnfuse: ")
        return line

    return run_and_read


def in_shell(script, *arguments, **options):
    """Runs a shell script in which $BNFUSE is the command."""
    environment = {
        **os.environ,
        "BNFUSE": f"{sys.executable} -m bnfuse",
        "PYTHONPATH": os.pathsep.join(sys.path),
        **options,
    }
    return subprocess.run(
        ["sh", "-c", script, "sh", *arguments], env=environment, capture_output=True, text=True, check=False
    )


# Help


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_teaches_with_examples(command, said):
    text = said(*command.split(), "--help")
    shown = text.partition("Examples:\n")[2].splitlines()
    assert len(shown) >= 2
    assert all(line.startswith(f"    bnfuse {command}") for line in shown)


def test_alone_it_shows_all_commands(said):
    text = said()
    assert text == said("--help")
    assert all(command in text for command in COMMANDS[:5])
    assert "..." not in text.partition("Commands:")[2], "a summary is cut off"


def test_version(said):
    assert said("--version") == f"bnfuse {bnfuse.__version__}\n"


def test_shell_completion_knows_the_commands():
    asked = {"_BNFUSE_COMPLETE": "complete_bash", "COMP_WORDS": "bnfuse c", "COMP_CWORD": "1"}
    assert in_shell("$BNFUSE", **asked).stdout.split() == ["consensus", "compare", "convert"]


# inspect


def test_inspect_prints_the_facts_of_each_network(said):
    facts = json.loads(said("inspect", *CLINICS, "--json"))
    for one, network in zip(facts, files.read(*CLINICS), strict=True):
        assert one["name"] == network.name
        assert (one["variables"], one["arcs"]) == (11, len(network.dag.edges))
        assert one["most_parents"] == max(map(len, map(network.dag.parents, network.variables)))
        assert one["parameters"] == sum(table.size - table[..., 0].size for table in network.cpts.values())
        assert (one["clique_size"], one["clique_lower_bound"], one["clique_proven"]) == (4, 4, True)
        assert one["inference"]["bytes"] == 8 * one["inference"]["numbers"]


def test_inspect_shows_many_networks_as_one_line_each(said):
    header, *rows = said("inspect", *CLINICS).splitlines()
    assert header.split()[:3] == ["network", "variables", "arcs"]
    assert [row.split()[0] for row in rows] == [Path(path).stem for path in CLINICS]


def test_inspect_says_that_states_are_not_known(chain, capsys):
    assert run(["inspect", chain]) == 0
    captured = capsys.readouterr()
    assert "free parameters  -" in captured.out
    assert captured.err == (
        "note: the states of chain are not known: clique tables are counted with two states for each variable\n"
    )


def test_inspect_proves_more_with_a_higher_limit(tmp_path, said):
    # The moral graph is a grid of 5 x 5, whose largest clique no simple bound proves.
    cells = [(row, column) for row in range(5) for column in range(5)]
    joined = [(a, b) for a, b in combinations(cells, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    arcs = [(f"{a}", f"{a}{b}") for a, b in joined] + [(f"{b}", f"{a}{b}") for a, b in joined]
    path = tmp_path / "grid.json"
    files.write(DAG(sorted({name for arc in arcs for name in arc}), arcs), path)
    (quick,) = json.loads(said("inspect", str(path), "--limit", "0", "--json"))
    (proven,) = json.loads(said("inspect", str(path), "--limit", "20000", "--json"))
    assert not quick["clique_proven"]
    assert proven["clique_proven"]
    assert proven["clique_size"] == 6  # a grid of 5 x 5 has treewidth 5
    assert "; at least" in said("inspect", str(path), "--limit", "0")


def test_inspect_survives_tables_of_any_size(tmp_path, said):
    names = [f"X{i}" for i in range(1100)]
    path = tmp_path / "star.csv"
    files.write(DAG([*names, "child"], [(name, "child") for name in names]), path)
    (facts,) = json.loads(said("inspect", str(path), "--json"))
    assert facts["inference"]["numbers"] == 2**1101
    assert "2.72e+331 numbers, 2.2e+332 bytes" in said("inspect", str(path))


# compare


def test_compare_gives_all_pairs(said):
    facts = json.loads(said("compare", *CLINICS, "--json"))
    networks = {network.name: network for network in files.read(*CLINICS)}
    assert facts["networks"] == list(networks)
    assert [(pair["here"], pair["there"]) for pair in facts["pairs"]] == list(combinations(networks, 2))
    for pair in facts["pairs"]:
        here, there = networks[pair["here"]], networks[pair["there"]]
        assert pair["shd"] == bnfuse.shd(here, there)
        assert pair["smhd"] == bnfuse.smhd(here, there)
        assert pair["shd"] == len(pair["only_here"]) + len(pair["only_there"]) + len(pair["reversed"])
        arcs = {tuple(arc) for arc in pair["only_here"] + pair["reversed"]}
        assert arcs == set(here.dag.edges) - set(there.dag.edges)


def test_compare_lists_the_arcs_of_two_networks(chain, fork, said):
    text = said("compare", chain, fork)
    assert "reversed (shown as in chain): 1\n    A -> B\n" in text
    assert "only in chain: 0\n  only in fork: 0\n" in text


def test_compare_names_the_one_that_stands_apart(said):
    assert said("compare", *CLINICS).splitlines()[-1].startswith("farthest from the others: harbour (mean shd 12.25;")


def test_compare_to_a_reference_does_not_compare_it_with_itself(said):
    reference = next(path for path in CLINICS if "harbour" in path)
    pairs = json.loads(said("compare", *CLINICS, "--to", reference, "--json"))["pairs"]
    assert [pair["here"] for pair in pairs] == ["eastgate", "hillcrest", "millbrook", "northfield"]
    assert {pair["there"] for pair in pairs} == {"harbour"}


def test_compare_takes_a_reference_by_name_from_an_ensemble(tmp_path, said):
    ensemble = str(tmp_path / "clinics.json")
    said("convert", *CLINICS, ensemble)
    by_name = json.loads(said("compare", ensemble, "--to", "harbour", "--json"))
    reference = next(path for path in CLINICS if "harbour" in path)
    by_file = json.loads(said("compare", *CLINICS, "--to", reference, "--json"))
    assert by_name["pairs"] == by_file["pairs"]


def test_compare_of_many_networks_is_a_matrix(tmp_path, said):
    names = list("ABCDEF")
    networks = [Network(DAG(names, [(names[0], other)]), name=f"to {other}") for other in names[1:]]
    networks.append(Network(DAG(names), name="none"))
    path = tmp_path / "many.json"
    files.write(networks, path)
    text = said("compare", str(path), "--metric", "smhd")
    matrix = text.partition("smhd of all pairs:\n")[2].splitlines()
    assert matrix[0].split() == ["network", "1", "2", "3", "4", "5", "6"]
    assert matrix[1].split() == ["1", "to", "B", "-", "2", "2", "2", "2", "1"]


def test_compare_needs_two_networks(chain, tmp_path, refused):
    assert "comparing needs two networks" in refused("compare", chain)
    assert "no other network" in refused("compare", chain, "--to", chain)
    other = tmp_path / "other.csv"
    other.write_text("from,to\nA,X\n")
    assert "lacks variables 'B', 'C'" in refused("compare", chain, str(other))


# fuse


def test_fuse_writes_the_fusion_and_says_that_its_tables_are_placeholders(tmp_path, said):
    output = tmp_path / "fused.bif"
    text = said("fuse", *CLINICS, "-o", str(output))
    assert f"wrote {output}: the states are those of the inputs, the tables are placeholders (uniform tables)" in text
    networks = files.read(*CLINICS)
    (written,) = files.read(output)
    assert written.dag == bnfuse.fuse(networks).dag
    assert written.states == networks[0].states
    assert written.cpts is None


def test_fuse_for_programs(tmp_path, said):
    output = tmp_path / "fused.csv"
    facts = json.loads(said("fuse", *CLINICS, "-o", str(output), "--json"))
    fusion = bnfuse.fuse(files.read(*CLINICS))
    assert facts["order"] == list(fusion.order)
    assert [tuple(arc) for arc in facts["edges"]] == list(fusion.dag.edges)
    assert [one["imap_arcs"] for one in facts["inputs"]] == [len(imap.arcs) for imap in fusion.imaps]
    assert facts["clique_size"] == 7
    assert facts["output"] == {"path": str(output), "tables": None, "states": None}


def test_fuse_follows_a_given_order(chain, fork, said, refused):
    facts = json.loads(said("fuse", chain, fork, "--order", "C, B,A", "--json"))
    assert facts["order"] == ["C", "B", "A"]
    assert facts["edges"] == [["B", "A"], ["C", "B"]]
    assert "it lacks 'C'" in refused("fuse", chain, fork, "--order", "A,B")


def test_fuse_notes_states_that_differ(tmp_path, capsys):
    paths = [str(tmp_path / f"{i}.bif") for i in (1, 2)]
    for path, labels in zip(paths, [("no", "yes"), ("low", "mid", "high")], strict=True):
        files.write(Network(DAG(["A"]), {"A": labels}), path)
    assert run(["fuse", *paths, "-o", str(tmp_path / "fused.bif")]) == 0
    assert "note: the inputs have different states" in capsys.readouterr().err


# convert


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


# networks


def test_networks_lists_the_benchmarks(said):
    rows = json.loads(said("networks", "--json"))
    assert len(rows) == 24
    assert {"name", "variables", "arcs", "parameters", "about"} == set(rows[0])
    _, *lines = said("networks").splitlines()
    assert [line.split()[0] for line in lines] == [row["name"] for row in rows]


def test_networks_exports_what_it_shows(tmp_path, said, refused):
    from bnfuse import networks

    if not networks.available(["asia"]):
        pytest.skip("the benchmark networks are not on this machine")
    facts = json.loads(said("networks", "show", "asia", "--json"))
    assert (facts["variables"], facts["clique_size"], facts["parameters"]) == (8, 3, 18)
    said("networks", "export", "asia", "-o", str(tmp_path))
    assert (tmp_path / "asia.bif").read_text() == networks.source_text("asia")
    said("networks", "export", "asia", "-o", str(tmp_path / "asia.csv"))
    assert files.read(tmp_path / "asia.csv")[0].dag == networks.load("asia").dag
    assert "there is no such folder" in refused("networks", "export", "asia", "cancer", "-o", str(tmp_path / "none"))


def test_networks_suggests_a_name(refused):
    assert "did you mean alarm?" in refused("networks", "show", "alrm")


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
        (("--bogus",), "no such option: --bogus"),
        (("x.bif", "--limit", "many"), "invalid value for '--limit'"),
        (("x.bif", "--limit", "-1"), "invalid value for '--limit'"),
    ],
)
def test_misuse_is_one_line(arguments, problem, refused):
    assert problem in refused("inspect", *arguments)


def test_an_unknown_command_is_one_line(refused):
    assert "no such command 'inspec'" in refused("inspec")


def test_a_name_cannot_break_the_line_or_the_terminal(tmp_path, chain, refused):
    evil = tmp_path / "evil.csv"
    evil.write_text('from,to\n"a\nb\x1b[31m",c\n')
    line = refused("compare", str(evil), chain)
    assert r"a\nb\x1b[31m" in line
    assert line.isprintable()


def test_an_output_is_refused_before_any_input_is_read(tmp_path, refused):
    other_kind = tmp_path / "notes.bif"
    other_kind.write_text("important\n")
    (tmp_path / "folder.bif").mkdir()
    for output, problem in (
        (other_kind, "exists and is no BIF file; to replace it: overwrite=True, or --force"),
        (tmp_path / "folder.bif", "is a folder, not a file"),
        (tmp_path / "none" / "fused.bif", "there is no folder"),
        (tmp_path / "fused.pdf", "the extension says no format"),
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
    assert json.loads(captured.out)[0]["variables"] == 1
    (line,) = captured.err.splitlines()
    assert line.startswith("note: ")
    assert str(path) in line


def test_a_bug_is_exit_code_1_and_asks_for_a_report(chain, monkeypatch, capsys):
    def broken(*paths):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(inspect, "read", broken)
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
        '$BNFUSE inspect "$1" --limit 0 --json 2>"$2" | head -n 1; cat "$2"', str(path), str(tmp_path / "err")
    )
    assert done.stdout.splitlines()[0] == "["
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


def test_a_narrow_terminal_loses_nothing():
    terminal, other_end = os.openpty()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "40", "TERM": "dumb"}
    command = [sys.executable, "-m", "bnfuse", "inspect", *CLINICS]
    with subprocess.Popen(command, env=environment, stdout=other_end) as process:
        os.close(other_end)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal ends
            while chunk := os.read(terminal, 4096):
                shown += chunk
    os.close(terminal)
    assert process.returncode == 0
    header, _, *rows = shown.decode().splitlines()
    assert "largest clique" in header
    assert [row.split()[0] for row in rows] == [Path(path).stem for path in CLINICS]


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1.0 KB"), (1 << 20, "1.0 MB"), (1 << 75, "3.8e+22 bytes")],
)
def test_bytes_for_people(number, shown):
    assert as_bytes(number) == shown


def test_numbers_for_people():
    assert rounded(123456789) == "123,456,789"
    assert rounded(12345678901) == "1.23e+10"


# consensus


def test_consensus_writes_a_network_within_the_limit(tmp_path, said):
    path = tmp_path / "c.bif"
    text = said("consensus", *CLINICS, "--max-clique", "3", "--generations", "5", "-o", str(path))
    (network,) = files.read(path)
    assert clique_size(network) <= 3
    assert "If each of these were the consensus" in text
    assert all(f"{source} -> {target}" in text for source, target in network.dag.edges)


def test_consensus_facts_for_programs(said):
    facts = json.loads(said("consensus", *CLINICS, "--method", "greedy", "--candidates", "fused", "--json"))
    networks = files.read(*CLINICS)
    found = DAG(networks[0].variables, map(tuple, facts["edges"]))
    assert facts["distance"] == pytest.approx(smhd(found, networks))
    assert facts["distances"] == {network.name: smhd(found, network) for network in networks}
    assert facts["clique_size"] <= facts["max_clique"] == 4
    assert [one["name"] for one in facts["compared"]][-2:] == ["full fusion", "no arcs"]


def test_consensus_weights_count(said):
    harbour = json.loads(said("consensus", *CLINICS, "--method", "greedy", "--weight", "harbour=100", "--json"))
    even = json.loads(said("consensus", *CLINICS, "--method", "greedy", "--json"))
    assert harbour["distances"]["harbour"] < even["distances"]["harbour"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["-t", "1"], "max_clique must be a whole number of at least 2"),
        (["-t", "two"], "valid integer"),
        (["--method", "magic"], "method must be one of 'direct', 'genetic', 'greedy', 'majority'"),
        (["--candidates", "all"], "candidates must be one of 'shared', 'per-network', 'fused'"),
        (["--metric", "l2"], "metric must be one of 'smhd', 'fsim'"),
        (["--preset", "best"], "preset must be one of"),
        (["--population", "3"], "population must be a whole number of at least 4"),
        (["--method", "greedy", "--generations", "3"], "unknown option 'generations'"),
        (["--weight", "harbour"], "--weight must be NAME=NUMBER"),
        (["--weight", "nobody=2"], "a weight for 'nobody'"),
        (["--weight", "harbour=-1"], "a weight must be a number of at least 0"),
        (["--time-limit", "0"], "time_limit must be a positive number of seconds"),
        (["-o", "/nowhere/c.bif"], "there is no folder '/nowhere'"),
        (["-o", "c.txt"], "the extension says no format to write"),
    ],
)
def test_consensus_refuses_bad_options_in_one_line(options, problem, capsys):
    assert run(["consensus", *CLINICS, *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert problem in line


def test_an_interrupted_consensus_keeps_the_best_so_far(tmp_path, monkeypatch, capsys):
    @contextlib.contextmanager
    def ctrl_c_at_step_3():
        def progress(now):
            if now.step == 3:
                signal.raise_signal(signal.SIGINT)

        yield progress

    monkeypatch.setattr(consensus, "_progress_bar", ctrl_c_at_step_3)
    path = tmp_path / "c.bif"
    assert run(["consensus", *CLINICS, "--generations", "1000000", "-o", str(path)]) == 130
    assert "stopped by interrupted: this is the best network so far" in capsys.readouterr().err
    assert clique_size(*files.read(path)) <= 4
