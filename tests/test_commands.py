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
from bnfuse import DAG, Network, Tally, clique_size, files, smhd
from bnfuse.cliques import inference_cost
from bnfuse.commands import _search, consensus, frontier, inspect, run
from bnfuse.commands._console import as_bytes, rounded
from bnfuse.report import plots

CLINICS = [str(path) for path in sorted((Path(__file__).parent.parent / "examples" / "clinics").glob("*.bif"))]
COMMANDS = (
    "consensus",
    "frontier",
    "query",
    "fit",
    "sample",
    "report",
    "draw",
    "tally",
    "inspect",
    "compare",
    "fuse",
    "convert",
    "networks",
    "networks show",
    "networks export",
    "study",
    "study run",
    "study status",
    "study tables",
    "study figures",
)


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
    assert all(command in text for command in COMMANDS if " " not in command)
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
    assert [one["imap_arcs"] for one in facts["inputs"]] == [len(imap.arc_numbers) for imap in fusion.imaps]
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
    text = said("consensus", *CLINICS, "--max-clique", "3", "-o", str(path))
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
        (["--method", "greedy", "--candidates", "all"], "candidates must be one of 'shared', 'per-network', 'fused'"),
        (["--metric", "l2"], "metric must be one of 'smhd', 'fsim'"),
        (["--method", "genetic", "--preset", "best"], "preset must be one of"),
        (["--method", "genetic", "--population", "3"], "population must be a whole number of at least 4"),
        (["--method", "greedy", "--generations", "3"], "the method greedy has no --generations; it goes with --method"),
        (["--candidates", "fused"], "the method direct has no --candidates; it goes with --method genetic or greedy"),
        (["--effort", "heroic"], "effort must be one of 'quick', 'normal', 'thorough'"),
        (["--method", "majority", "--threshold", "1"], "threshold must be a number of at least 0 and below 1"),
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

    monkeypatch.setattr(consensus, "progress_bar", ctrl_c_at_step_3)
    path = tmp_path / "c.bif"
    options = ["--method", "genetic", "--generations", "1000000", "-o", str(path)]
    assert run(["consensus", *CLINICS, *options]) == 130
    assert "interrupted: this is the best network so far" in capsys.readouterr().err
    assert clique_size(*files.read(path)) <= 4


def test_consensus_says_what_is_proven(said):
    assert "proven optimal: no network within the limit is closer\n" in said("consensus", *CLINICS)
    facts = json.loads(said("consensus", *CLINICS, "--method", "majority", "--threshold", "0.9", "--json"))
    assert facts["lower_bound"] < facts["distance"]
    assert facts["gap"] == pytest.approx(1 - facts["lower_bound"] / facts["distance"])
    text = said("consensus", *CLINICS, "--method", "majority", "--threshold", "0.9")
    assert (
        f"proven: no network within the limit is closer than {facts['lower_bound']:.2f}; gap {facts['gap']:.0%}"
        == next(line for line in text.splitlines() if line.startswith("proven")).replace(" %", "%")
    )
    assert "found by majority vote" in text
    assert "proven" not in said("consensus", *CLINICS, "--metric", "fsim", "--method", "majority")


@pytest.mark.parametrize(("bound", "shown"), [(4.8, 4.8), (4.35, 4.35), (5.3999, 5.39), (1 / 3, 0.33), (0.0, 0.0)])
def test_a_bound_is_never_rounded_up(bound, shown):
    assert _search.rounded_down(bound) == shown


def test_a_small_gap_is_not_shown_as_none():
    assert [_search.gap_text(gap) for gap in (0, 0.004, 0.01, 0.114)] == ["0 %", "< 1 %", "1 %", "11 %"]


def test_consensus_takes_the_effort_and_majority_its_threshold(said):
    quick = json.loads(said("consensus", *CLINICS, "-t", "3", "--effort", "quick", "--json"))
    assert quick["method"] == "direct"
    many, few = (
        json.loads(said("consensus", *CLINICS, "--method", "majority", "--threshold", share, "--json"))
        for share in ("0.3", "0.9")
    )
    assert len(few["edges"]) < len(many["edges"])
    assert all(one["share"] + one["reversed_share"] > 0.9 for one in few["support"])


def test_consensus_shows_shares_with_weights(said):
    facts = json.loads(said("consensus", *CLINICS, "--method", "majority", "--weight", "harbour=4", "--json"))
    for one in facts["support"]:
        weight = sum(4 if name == "harbour" else 1 for name in one["inputs"])
        assert one["share"] == weight / 8
    text = said("consensus", *CLINICS, "--method", "majority", "--weight", "harbour=4")
    assert "inputs (of 5)  other way round  by weight  other way round\n" in text
    assert "by weight" not in said("consensus", *CLINICS, "--method", "majority")


# Constraints


def test_consensus_keeps_constraints(tmp_path, said):
    tiers = tmp_path / "tiers.json"
    tiers.write_text('[["Age", "Smoker"], ["COPD", "Asthma", "LungCancer"]]')
    options = ["--require", "Age->XRay", "--require", "Fever -> Cough", "--forbid", "Smoker->COPD"]
    options += ["--tiers", str(tiers), "--max-parents", "2", "--effort", "quick"]
    facts = json.loads(said("consensus", *CLINICS, *options, "--json"))
    edges = {tuple(arc) for arc in facts["edges"]}
    assert {("Age", "XRay"), ("Fever", "Cough")} <= edges
    assert ("Smoker", "COPD") not in edges
    assert not edges & {(late, early) for late in ("COPD", "Asthma", "LungCancer") for early in ("Age", "Smoker")}
    assert max(sum(target == name for _, target in edges) for name in facts["elimination_order"]) <= 2
    assert facts["constraints"] == {
        "required": [["Age", "XRay"], ["Fever", "Cough"]],
        "forbidden": [["Smoker", "COPD"]],
        "tiers": [["Age", "Smoker"], ["COPD", "Asthma", "LungCancer"]],
        "max_parents": 2,
    }


def test_names_in_constraints_may_contain_spaces(tmp_path, said):
    path = tmp_path / "spaces.csv"
    path.write_text("from,to\nblood pressure,heart rate\n")
    facts = json.loads(said("consensus", str(path), "--require", "heart rate->blood pressure", "--json"))
    assert facts["edges"] == [["heart rate", "blood pressure"]]


@pytest.mark.parametrize("command", ["consensus", "frontier"])
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--require", "Age"], "--require must be FROM->TO in quotes, such as --require 'Age->Smoker'; got 'Age'"),
        (["--forbid", "->Age"], "--forbid must be FROM->TO in quotes"),
        (["--require", "Age->XRay->Cough"], "--require must be FROM->TO in quotes"),
        (["--require", "Age->Nobody"], "required arc Age -> Nobody: unknown variable 'Nobody'"),
        (["--require", "Age->Age"], "a variable cannot be its own parent"),
        (["--require", "Age->XRay", "--forbid", "Age->XRay"], "arc Age -> XRay is both required and forbidden"),
        (["--require", "Age->XRay", "--require", "XRay->Age"], "the required arcs contradict each other"),
        (["--max-parents", "-1"], "max_parents must be a whole number of at least 0"),
        (["--max-parents", "0", "--require", "Age->XRay"], "required parents Age; max_parents is 0"),
    ],
)
def test_bad_constraints_are_refused_in_one_line(command, options, problem, refused):
    assert problem in refused(command, *CLINICS, *options)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[[", ":1:3: is no valid JSON"),
        ("{}", ": must be a list of lists of variables"),
        ('["Age", "XRay"]', ": must be a list of lists of variables"),
        ("[[1]]", ": must be a list of lists of variables"),
        ('"Age"', ": must be a list of lists of variables"),
        ("\udcff", ": is no valid JSON"),
        ("[" * 100_000, ": is no valid JSON"),
        ('[["Nobody"]]', "tiers: unknown variable 'Nobody'"),
        ('[["Age"], ["Age"]]', "tiers: variable 'Age' is there twice"),
    ],
)
def test_bad_tiers_are_refused_in_one_line(content, problem, tmp_path, refused):
    path = tmp_path / "tiers.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    line = refused("consensus", *CLINICS, "--tiers", str(path))
    assert (f"{path}{problem}" if problem.startswith(":") else problem) in line


def test_tiers_that_are_not_there_are_refused(tmp_path, refused):
    assert "no such file or folder" in refused("consensus", *CLINICS, "--tiers", str(tmp_path / "none.json"))


def test_a_required_arc_against_the_tiers_is_refused(tmp_path, refused):
    path = tmp_path / "tiers.json"
    path.write_text('[["Age"], ["XRay"]]')
    line = refused("consensus", *CLINICS, "--tiers", str(path), "--require", "XRay->Age")
    assert "arc XRay -> Age is required, but goes from a later tier to an earlier one" in line


def test_what_prunes_before_fusion_refuses_constraints(refused):
    assert "cannot keep constraints" in refused("consensus", *CLINICS, "--method", "genetic", "--max-parents", "2")


# tally


@pytest.fixture
def sites(tmp_path, said):
    """Tallies of the first two clinics and of the other three."""
    paths = [str(tmp_path / "west.tally"), str(tmp_path / "east.tally.gz")]
    said("tally", *CLINICS[:2], "-o", paths[0])
    said("tally", *CLINICS[2:], "-o", paths[1])
    return paths


def test_tally_counts_what_it_says(tmp_path, said):
    path = tmp_path / "all.tally"
    text = said("tally", *CLINICS, "-o", str(path))
    networks = files.read(*CLINICS)
    counted = Tally.load(path)
    arcs = {arc for network in networks for arc in network.dag.edges}
    assert "counted       5 networks\n  total weight  5\n  variables     11\n" in text
    assert f"arcs          {len(arcs)}\nwrote {path}\n" in text
    place = {name: i for i, name in enumerate(counted.variables)}
    for source, target in arcs:
        having = sum((source, target) in network.dag.edges for network in networks)
        assert counted.arcs[place[source], place[target]] == having


def test_tallies_of_tallies_are_tallies_of_all(tmp_path, sites, said):
    merged, mixed, direct = (tmp_path / f"{name}.tally" for name in ("merged", "mixed", "direct"))
    said("tally", *sites, "-o", str(merged))
    said("tally", sites[0], *CLINICS[2:], "-o", str(mixed))
    said("tally", *CLINICS, "-o", str(direct))
    assert Tally.load(merged) == Tally.load(mixed) == Tally.load(direct)


def test_tally_counts_weights(tmp_path, said):
    path = tmp_path / "weighted.tally"
    facts = json.loads(said("tally", *CLINICS, "--weight", "harbour=3", "-o", str(path), "--json"))
    assert facts == {
        "networks": 5,
        "tallies": 0,
        "weight": 7,
        "variables": 11,
        "moral_edges": facts["moral_edges"],
        "arcs": facts["arcs"],
        "output": str(path),
    }
    assert Tally.load(path).weight == 7


def test_a_tally_of_one_network_is_noted_to_hide_nothing(tmp_path, chain, capsys):
    assert run(["tally", chain, "-o", str(tmp_path / "one.tally")]) == 0
    assert capsys.readouterr().err == "note: a tally of one network hides nothing of its structure\n"


def test_tally_help_says_what_is_hidden(said):
    text = " ".join(said("tally", "--help").split())
    assert "What a tally hides:" in text
    assert "What it does not hide:" in text
    assert "A tally of one network is that network's arcs" in text


def test_the_consensus_of_tallies_is_that_of_the_networks(sites, said):
    for method in ("direct", "majority"):
        options = ["-t", "3", "--method", method, "--json"]
        from_networks = json.loads(said("consensus", *CLINICS, *options))
        from_tallies = json.loads(said("consensus", *sites, *options))
        for fact in ("edges", "distance", "lower_bound", "gap", "clique_size"):
            assert from_tallies[fact] == from_networks[fact]
        shares = [[one["share"], one["reversed_share"]] for one in from_networks["support"]]
        assert [[one["share"], one["reversed_share"]] for one in from_tallies["support"]] == shares
        assert from_tallies["distances"] is None


def test_the_consensus_of_tallies_is_told_in_shares(sites, said):
    text = said("consensus", *sites, "--method", "majority")
    assert text.startswith("consensus of 2 tallies of weight 5 over 11 variables: ")
    compared = text.partition("If each of these were the consensus:\n")[2].splitlines()
    assert [line[:13].rstrip() for line in compared[1:4]] == ["consensus", "majority vote", "no arcs"]
    arcs = text.partition("Arcs of the consensus:\n")[2].splitlines()
    assert arcs[0].split("  ")[-2:] == ["share that has it", "the other way round"]
    assert arcs[1].split()[-4:] == ["100", "%", "0", "%"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--metric", "fsim"], "fsim needs the networks themselves; a tally has only counts"),
        (["--target", "fused"], "the target fused needs the networks themselves"),
        (["--method", "genetic"], "the genetic search needs the networks themselves"),
        (["--method", "greedy"], "the greedy search needs the networks themselves"),
        (["--weight", "west=2"], "tallies can be mixed neither with networks nor with weights"),
    ],
)
def test_what_needs_networks_refuses_tallies(options, problem, sites, refused):
    assert problem in refused("consensus", *sites, *options)


@pytest.mark.parametrize("command", ["consensus", "frontier"])
def test_tallies_and_networks_are_not_mixed(command, sites, refused):
    line = refused(command, sites[0], CLINICS[0])
    assert f"{sites[0]} is a tally and {CLINICS[0]} is not: give either tallies or networks" in line


def test_bad_tallies_are_refused_in_one_line_that_names_them(tmp_path, sites, refused):
    good = json.loads(Path(sites[0]).read_text())
    bad = {
        "text": "hello",
        "list": "[]",
        "network": Path(CLINICS[0]).read_text(),
        "truncated": Path(sites[0]).read_text()[:100],
        "repeated": json.dumps(good | {"variables": [*good["variables"][:-1], good["variables"][0]]}),
        "negative": json.dumps(good | {"weight": -1}),
        "too many": json.dumps(good | {"weight": 1}),
        "keyless": json.dumps({key: value for key, value in good.items() if key != "arcs"}),
    }
    for name, content in bad.items():
        path = tmp_path / f"{name}.tally"
        path.write_text(content)
        for command in (["consensus"], ["frontier"], ["tally", "-o", str(tmp_path / "out.tally")]):
            assert f"{path}: " in refused(*command, sites[0], str(path))
    assert "no such file or folder" in refused("consensus", str(tmp_path / "missing.tally"))
    assert not (tmp_path / "out.tally").exists()


def test_tallies_over_different_variables_are_refused(tmp_path, chain, sites, said, refused):
    other = str(tmp_path / "chain.tally")
    said("tally", chain, "-o", other)
    assert f"{other} lacks variables" in refused("consensus", sites[0], other)
    assert f"{other} lacks variables" in refused("tally", sites[0], other, "-o", str(tmp_path / "out.tally"))
    assert "network 'chain' lacks variables" in refused("tally", sites[0], chain, "-o", str(tmp_path / "out.tally"))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--weight", "nobody=2"], "a weight for 'nobody', but the networks are 'eastgate', 'harbour'"),
        (["--weight", "harbour=0.5"], "--weight harbour=0.5: a tally counts in whole numbers of at least 0"),
        (["--weight", "harbour=-1"], "a tally counts in whole numbers of at least 0"),
        (["--weight", "harbour=nan"], "a tally counts in whole numbers of at least 0"),
        (["--weight", "harbour=inf"], "a tally counts in whole numbers of at least 0"),
        (["--weight", "harbour=1e18"], "the weights add up to more than"),
        (["--weight", "harbour"], "--weight must be NAME=NUMBER"),
    ],
)
def test_tally_refuses_bad_weights(options, problem, tmp_path, refused):
    output = tmp_path / "out.tally"
    assert problem in refused("tally", *CLINICS, *options, "-o", str(output))
    assert not output.exists()


def test_tally_refuses_an_output_before_any_input_is_read(tmp_path, refused):
    (tmp_path / "notes.tally").write_text("important\n")
    (tmp_path / "folder.tally").mkdir()
    for name, problem in (
        ("notes.tally", "exists and is no tally; to replace it: --force"),
        ("folder.tally", "is a folder, not a file"),
        ("none/out.tally", "there is no folder"),
        ("out.json", "a tally is written to a file that ends in .tally or .tally.gz"),
    ):
        assert f"{tmp_path / name}: {problem}" in refused("tally", "missing.bif", "-o", str(tmp_path / name)).replace(
            "cannot be written: ", ""
        )
    assert (tmp_path / "notes.tally").read_text() == "important\n"
    assert "missing option '--output'" in refused("tally", CLINICS[0]).lower()


def test_tally_replaces_a_tally_and_with_force_anything(tmp_path, chain, fork, said):
    path = tmp_path / "notes.tally"
    path.write_text("important\n")
    said("tally", chain, "-o", str(path), "--force")
    said("tally", chain, fork, "-o", str(path))
    assert Tally.load(path).weight == 2


# frontier


def test_frontier_gives_the_best_network_for_each_limit(said):
    facts = json.loads(said("frontier", *CLINICS, "--effort", "quick", "--json"))
    networks = files.read(*CLINICS)
    assert [row["max_clique"] for row in facts["limits"]] == [2, 3, 4]
    for row in facts["limits"]:
        found = Network(DAG(networks[0].variables, map(tuple, row["edges"])), networks[0].states)
        assert clique_size(found) <= row["clique_size"] <= row["max_clique"]
        assert row["distance"] == pytest.approx(smhd(found, networks))
        assert row["lower_bound"] <= row["distance"]
        assert row["arcs"] == len(found.dag.edges)
        assert row["clique_table_numbers"] == inference_cost(found).total
        assert row["states_known"]
    distances = [row["distance"] for row in facts["limits"]]
    assert distances == sorted(distances, reverse=True)


def test_frontier_takes_limits_and_prints_a_row_for_each(said):
    text = said("frontier", *CLINICS, "--cliques", "5, 2-3", "--effort", "quick")
    header, *rows = text.partition("\n\n")[0].splitlines()
    assert "limit  mean smhd  proven bound" in header
    assert [row.split()[0] for row in rows] == ["2", "3", "5"]
    assert text.endswith("\nlimit 3 has 96 % of what limit 5 gains over limit 2\n")


def test_frontier_is_silent_about_flattening_where_there_is_none(tmp_path, chain, said):
    assert "gains" not in said("frontier", chain, chain, "--cliques", "2,3,3", "--effort", "quick")
    clique = tmp_path / "clique.csv"
    files.write(DAG(list("ABCDE"), combinations("ABCDE", 2)), clique)
    falling = said("frontier", str(clique), str(clique), "--cliques", "2-5", "--effort", "quick")
    assert "gains" not in falling, "each limit brings as much as the one before"


def test_frontier_of_fsim_has_no_bound(said):
    rows = said("frontier", *CLINICS, "--cliques", "2", "--metric", "fsim", "--effort", "quick").splitlines()
    assert rows[0].split()[:3] == ["limit", "mean", "fsim"]
    assert rows[1].split()[2:4] == ["-", "-"]


def test_frontier_of_tallies_is_that_of_the_networks(sites, said):
    options = ["--effort", "quick", "--json"]
    from_networks, from_tallies = (json.loads(said("frontier", *paths, *options)) for paths in (CLINICS, sites))
    for fact in ("max_clique", "distance", "lower_bound", "edges"):
        assert [row[fact] for row in from_tallies["limits"]] == [row[fact] for row in from_networks["limits"]]
    assert not from_tallies["limits"][0]["states_known"]


def test_frontier_keeps_constraints(said):
    options = ["--cliques", "2-4", "--require", "Age->XRay", "--effort", "quick", "--json"]
    facts = json.loads(said("frontier", *CLINICS, *options))
    assert all(["Age", "XRay"] in row["edges"] for row in facts["limits"])
    assert facts["constraints"]["required"] == [["Age", "XRay"]]


def test_frontier_writes_each_network(tmp_path, said):
    text = said("frontier", *CLINICS, "--cliques", "2,4", "--effort", "quick", "-o", str(tmp_path))
    assert f"wrote {tmp_path}/consensus-LIMIT.bif: structure, states and tables" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["consensus-2.bif", "consensus-4.bif"]
    for network in files.read(*sorted(tmp_path.iterdir())):
        assert clique_size(network) <= int(network.name[-1])
        assert network.states == files.read(CLINICS[0])[0].states


@pytest.mark.parametrize("cliques", ["", "x", "1-3", "0", "4-2", "2-", "-3", "2,,3", "2.5", "2-3-4", "99999", "२"])
def test_frontier_refuses_limits_that_make_no_sense(cliques, refused):
    line = refused("frontier", *CLINICS, f"--cliques={cliques}")
    assert f"--cliques must be limits from 2 to 9999, such as 2-6 or 2,3,5; got {cliques!r}" in line


def test_frontier_refuses_limits_over_the_number_of_variables(refused):
    line = refused("frontier", *CLINICS, "--cliques", "2-12")
    assert "--cliques goes up to 12, but 11 variables make no larger clique than 11" in line


def test_frontier_refuses_outputs_before_any_input_is_read(tmp_path, refused):
    (tmp_path / "consensus-7.bif").write_text("important\n")
    assert "consensus-7.bif: exists and is no BIF file" in refused("frontier", "missing.bif", "-o", str(tmp_path))
    assert "there is no such folder" in refused("frontier", "missing.bif", "-o", str(tmp_path / "none"))


def test_an_interrupted_frontier_keeps_the_best_so_far(monkeypatch, capsys):
    @contextlib.contextmanager
    def ctrl_c_at_once():
        yield lambda now: signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(frontier, "progress_bar", ctrl_c_at_once)
    assert run(["frontier", *CLINICS, "--effort", "quick", "--json"]) == 130
    captured = capsys.readouterr()
    assert [row["stopped_by"] for row in json.loads(captured.out)["limits"]] == ["interrupted"]
    assert "note: interrupted: these are the best networks so far" in captured.err


# The plot of a frontier


@pytest.mark.parametrize(("name", "opening"), [("f.png", b"\x89PNG"), ("f.svg", b"<?xml"), ("f.pdf", b"%PDF")])
def test_frontier_draws_the_same_picture_each_time(name, opening, tmp_path, said):
    pytest.importorskip("matplotlib")
    path = tmp_path / name
    command = ["frontier", *CLINICS, "--effort", "quick", "--plot", str(path)]
    assert f"wrote {path}\n" in said(*command)
    first = path.read_bytes()
    assert first.startswith(opening)
    said(*command)
    assert path.read_bytes() == first


def test_the_plot_shows_distance_bound_and_tables(tmp_path, said):
    pytest.importorskip("matplotlib")
    path = tmp_path / "f.svg"
    said("frontier", *CLINICS, "--effort", "quick", "--plot", str(path))
    text = path.read_text()
    for label in ("mean smhd to the inputs", "limit: largest clique allowed", "numbers in the clique tables"):
        assert f"<!-- {label} -->" in text
    assert "<!-- proven: no network lies here -->" in text
    said("frontier", *CLINICS, "--metric", "fsim", "--cliques", "2", "--effort", "quick", "--plot", str(path))
    assert "<!-- proven: no network lies here -->" not in path.read_text()


def test_a_plot_survives_tables_of_any_size(tmp_path):
    pytest.importorskip("matplotlib")
    (found,) = bnfuse.frontier(files.read(*CLINICS), [2])
    plots.plot_frontier([found], [2**4000], tmp_path / "huge.png")
    assert (tmp_path / "huge.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_is_refused_before_any_input_is_read(tmp_path, refused):
    pytest.importorskip("matplotlib")
    (tmp_path / "notes.png").write_text("important\n")
    (tmp_path / "folder.png").mkdir()
    for name, problem in (
        ("notes.png", "exists and is not a PNG file"),
        ("folder.png", "is a folder, not a file"),
        ("none/f.png", "there is no folder"),
        ("f.gif", "a plot is written to a file that ends in .png, .svg, .pdf"),
    ):
        line = refused("frontier", "missing.bif", "--plot", str(tmp_path / name))
        assert f"{tmp_path / name}: " in line
        assert problem in line
    assert (tmp_path / "notes.png").read_text() == "important\n"


def test_a_plot_without_matplotlib_is_refused_in_one_line(tmp_path, monkeypatch, refused):
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "meta_path", [])
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    line = refused("frontier", "missing.bif", "--plot", str(tmp_path / "f.png"))
    assert line == "bnfuse: a plot needs the package matplotlib: pip install 'bnfuse[plot]'"
