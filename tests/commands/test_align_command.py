"""`bnfuse align`, and `--names` in the commands that take networks."""

import json

import pytest

import bnfuse
from bnfuse import Alignment
from bnfuse.alignment.alignment import AlignmentRow
from bnfuse.commands import run
from running import CLINICS

OTHER_NAMES = {"LungCancer": "lung_cancer", "Dyspnoea": "Dyspnea", "XRay": "X-ray", "Age": "AGE"}
OTHER_STATES = {"yes": "True", "no": "False"}


@pytest.fixture
def clinics(tmp_path):
    """The example networks, of which the second has other names for some variables and states."""
    networks = bnfuse.read(*CLINICS)
    second = networks[1]
    rows = [AlignmentRow("*", name, other) for name, other in OTHER_NAMES.items()]
    rows += [AlignmentRow("*", "LungCancer", "", *pair) for pair in reversed(OTHER_STATES.items())]
    path = tmp_path / f"{second.name}.bif"
    bnfuse.write(Alignment(rows).apply(second), path)
    return [CLINICS[0], str(path), *CLINICS[2:]]


@pytest.fixture
def names(clinics, tmp_path, said):
    path = tmp_path / "names.csv"
    said("align", *clinics, "-o", path)
    return path


def test_what_differs_is_shown_and_written(clinics, names, said):
    shown = said("align", *clinics)
    other = bnfuse.read(clinics[1])[0].name
    for text in ("Variables to rename:", "States to rename:", "nothing written: -o FILE writes the table"):
        assert text in shown
    assert "not all networks" not in shown
    found = Alignment.load(names)
    assert {row.variable: row.name for row in found.rows if row.name} == {new: old for old, new in OTHER_NAMES.items()}
    assert {row.state: row.becomes for row in found.rows if row.state} == {
        new: old for old, new in OTHER_STATES.items()
    }
    assert {row.network for row in found.rows} == {other}
    assert f"wrote {names}: look at it" in said("align", *clinics, "-o", names, "--force")
    assert said("align", *clinics, "-o", "-") == names.read_text()


def test_nothing_differs(said, tmp_path):
    assert said("align", *CLINICS) == "nothing differs: 5 networks have the same variables, states too\n"
    said("align", *CLINICS, "-o", tmp_path / "names.csv")
    assert Alignment.load(tmp_path / "names.csv").rows == ()


def test_what_needs_a_look_is_counted(clinics, tmp_path, chain, capsys):
    assert run(["align", CLINICS[0], chain]) == 0
    captured = capsys.readouterr()
    assert "Variables that not all networks have:" in captured.out
    assert captured.err == ("note: 14 rows to check (the reason begins with 'check'); none of them renames anything\n")


def test_for_programs(clinics, names, said):
    facts = json.loads(said("align", *clinics, "-o", names, "--json", "--force"))
    assert facts["output"] == str(names)
    assert len(facts["networks"]) == 5
    assert [row["variable"] for row in facts["rows"]] == [row.variable for row in Alignment.load(names).rows]
    first = facts["rows"][0]
    assert (first["variable"], first["name"], first["state"], first["check"]) == ("AGE", "Age", None, False)
    assert 0.85 <= first["confidence"] <= 1


def test_outputs_are_checked_first(clinics, tmp_path, refused):
    notes = tmp_path / "notes.csv"
    notes.write_text("important\n")
    assert "exists; to replace it: --force" in refused("align", "none.bif", "-o", notes)
    assert "is an input, which -o would replace" in refused("align", *clinics, "-o", clinics[1])
    assert "-o - and --json both print" in refused("align", *clinics, "-o", "-", "--json")
    assert "names are compared between two networks or more, got one" in refused("align", clinics[0])


def test_names_that_nobody_checked_are_refused_by_name(tmp_path, said, refused, capsys):
    one, two, names = (tmp_path / name for name in ("one.csv", "two.csv", "names.csv"))
    one.write_text("from,to\nSmoker,Cough\n")
    two.write_text("from,to\nSmoking,Cough\n")
    said("align", one, two, "-o", names)
    capsys.readouterr()
    line = refused("compare", one, two, "--names", names)
    assert f"{names}:2: 1 row waits for a check: Smoking -> Smoker in two (line 2); if the table is right" in line
    assert "--unchecked apply takes all rows as they are, --unchecked skip leaves out those that wait" in line
    shown = said("compare", one, two, "--names", names, "--unchecked", "apply", "--json")
    assert json.loads(shown)["pairs"][0]["shd"] == 0
    assert run(["compare", str(one), str(two), "--names", str(names), "--unchecked", "skip", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["pairs"][0]["shd"] == 2
    assert f"note: {names}: left out, not checked yet: Smoking -> Smoker in two (line 2)" in captured.err
    names.write_text(names.read_text().replace("check: ", ""))
    assert said("compare", one, two, "--names", names, "--json") == shown
    assert "--unchecked must be one of 'refuse', 'apply', 'skip'; got 'ask'" in refused(
        "compare", one, two, "--unchecked", "ask"
    )


def without_times(facts):
    return {name: value for name, value in facts.items() if name != "seconds"}


def test_a_consensus_with_names_is_that_of_networks_that_agree(clinics, names, said, refused):
    assert "though it has 'AGE', 'lung_cancer', 'Dyspnea', 'X-ray'; all networks need the same variables" in (
        line := refused("consensus", *clinics)
    )
    assert line.endswith("bnfuse consensus and bnfuse tally take different ones with --variables union or shared")
    options = ("-t", "3", "--effort", "quick", "--json")
    expected, found = (
        json.loads(said("consensus", *given, *options)) for given in (CLINICS, [*clinics, "--names", names])
    )
    assert without_times(found) == without_times(expected)


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "--json"),
        ("inspect", "--json"),
        ("fuse", "--json"),
        ("frontier", "--effort", "quick", "--max-clique", "2,3"),
    ],
)
def test_every_command_takes_names(command, clinics, names, said):
    name, *options = command
    expected, found = (said(name, *given, *options) for given in (CLINICS, [*clinics, "--names", names]))
    if name == "frontier":  # whose last column is a time
        expected, found = ([line.split()[:-1] for line in text.splitlines()] for text in (expected, found))
    assert found == expected


def test_a_tally_counts_by_common_names(clinics, names, tmp_path, said, refused):
    one, two = tmp_path / "one.tally", tmp_path / "two.tally"
    said("tally", *CLINICS, "-o", one)
    said("tally", *clinics, "--names", names, "-o", two)
    assert one.read_bytes() == two.read_bytes()
    assert "names are for networks; give them to bnfuse tally" in refused("consensus", one, "--names", names)


def test_convert_writes_the_common_names(clinics, names, tmp_path, said):
    said("convert", clinics[1], tmp_path / "out.bif", "--names", names)
    assert bnfuse.read(tmp_path / "out.bif")[0] == bnfuse.read(CLINICS[1])[0]


def test_compare_takes_names_for_its_reference(clinics, names, said):
    shown = said("compare", CLINICS[0], "--to", clinics[1], "--names", names, "--json")
    assert shown == said("compare", CLINICS[0], "--to", CLINICS[1], "--json")


def test_a_difference_is_drawn_by_common_names(clinics, names, tmp_path, said, refused):
    arguments = ("draw", CLINICS[0], "--compare", clinics[1], "-o", tmp_path / "difference.svg", "--json")
    assert "all networks need the same variables" in refused(*arguments)
    facts = json.loads(said(*arguments, "--names", names))
    assert (facts["variables"], facts["different"]) == (11, _different(CLINICS[:2]))


def _different(files):
    one, two = ({frozenset(arc): arc for arc in network.dag.edges} for network in bnfuse.read(*files))
    return sum(one.get(pair) != two.get(pair) for pair in one.keys() | two.keys())


def test_edge_lists_are_aligned_before_they_share_their_variables(tmp_path, said, capsys):
    one, two, names = (tmp_path / name for name in ("one.csv", "two.csv", "names.csv"))
    one.write_text("from,to\nAge,LungCancer\nLungCancer,Cough\n")
    two.write_text("from,to\nage,lung_cancer\nage,Fever\n")
    said("align", one, two, "-o", names)
    capsys.readouterr()
    (pair,) = json.loads(said("compare", one, two, "--names", names, "--json"))["pairs"]
    assert pair["only_here"] == [["LungCancer", "Cough"]]
    assert pair["only_there"] == [["Age", "Fever"]]


def test_bad_names_are_refused(clinics, names, tmp_path, refused):
    assert "none.csv: no such file" in refused("consensus", *clinics, "--names", tmp_path / "none.csv")
    assert "it lacks the column" in refused("consensus", *clinics, "--names", clinics[0])
    text = names.read_text()
    names.write_text(text.replace(",AGE,Age,", ",AGE,Smoker,"))
    assert f"{names}:2: 'Smoker' in network" in refused("fuse", *clinics, "--names", names)


def test_names_are_an_input_that_no_output_replaces(clinics, names, refused):
    for command in (
        ["fuse", *clinics, "-o", names],
        ["convert", *clinics, names],
        ["consensus", *clinics, "--report", names],
        ["consensus", *clinics, "--save", names],
        ["frontier", *clinics, "--plot", names],
    ):
        assert "is an input, which" in refused(*command, "--names", names)


def test_a_table_beside_the_networks_is_not_taken_for_one(clinics, names, tmp_path, capsys):
    assert run(["inspect", str(tmp_path)]) == 0
    assert "left out 'names.csv': these do not begin like networks" in capsys.readouterr().err
