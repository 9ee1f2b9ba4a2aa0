"""The commands query, fit and sample, and the tables of bnfuse consensus: what they print and write, how they fail."""

import gzip
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, Network
from bnfuse.commands import run
from bnfuse.inference.parameters import fit, pool
from running import CLINICS

EXAMPLES = Path(CLINICS[0]).parent.parent
WARDS = sorted(EXAMPLES.glob("wards/*.json"))


@pytest.fixture
def consensus(tmp_path, capsys):
    """The consensus of the clinics, pooled, as a file."""
    path = tmp_path / "consensus.bif"
    assert run(["consensus", *CLINICS, "-o", str(path)]) == 0
    capsys.readouterr()
    return path


@pytest.fixture
def rows(tmp_path, consensus):
    """A thousand patients of that consensus, as a CSV file."""
    path = tmp_path / "rows.csv"
    bnfuse.read(consensus)[0].sample(1000).write(path)
    return path


# consensus


def test_a_consensus_of_networks_with_tables_is_written_with_pooled_tables(said, tmp_path):
    path = tmp_path / "out.bif"
    text = said("consensus", *CLINICS, "-o", path)
    assert "the tables are pooled from the 5 networks" in text
    assert f"wrote {path}: structure, states and tables" in text
    written = bnfuse.read(path)[0]
    clinics = bnfuse.read(*CLINICS)
    assert written == pool(written.dag, clinics).network


def test_pooling_follows_the_weights_of_the_search(said, tmp_path):
    path = tmp_path / "out.bif"
    said("consensus", *CLINICS, "--weight", "harbour=9", "--pool", "-o", path)
    written = bnfuse.read(path)[0]
    assert written == pool(written.dag, bnfuse.read(*CLINICS), {"harbour": 9}).network


def test_no_pool_writes_the_structure(said, tmp_path):
    path = tmp_path / "out.bif"
    assert "the tables are placeholders" in said("consensus", *CLINICS, "--no-pool", "-o", path)
    assert bnfuse.read(path)[0].cpts is None


def test_a_consensus_of_structures_says_that_it_is_one(said, tmp_path):
    ensemble = tmp_path / "structures.json"
    bnfuse.write(bnfuse.read(*CLINICS), ensemble)
    text = said("consensus", ensemble, "-o", tmp_path / "out.bif")
    assert "a structure: no input has tables; --fit FILE estimates them from data" in text
    assert "every variable has two states, the tables are placeholders" in text


def test_a_consensus_is_fitted_to_data(said, tmp_path, rows):
    path = tmp_path / "fitted.bif"
    assert "the tables are estimated from 1,000 rows" in said("consensus", *CLINICS, "--fit", rows, "-o", path)
    written = bnfuse.read(path)[0]
    assert written == fit(Network(written.dag, written.states), rows).network
    facts = json.loads(said("consensus", *CLINICS, "--fit", rows, "--prior", "5", "-o", path, "--json"))
    assert "the tables are estimated from 1,000 rows" in facts["notes"]
    assert facts["output"]["tables"] == "given"
    assert bnfuse.read(path)[0] == fit(Network(written.dag, written.states), rows, prior=5).network


def test_rows_of_a_fitted_consensus_have_weights_and_missing_labels(said, refused, tmp_path, rows):
    """Rows with the number of their copies give the same tables, and a label that means missing is named."""
    plain, weighted = tmp_path / "plain.bif", tmp_path / "weighted.bif"
    header, *lines = rows.read_text().splitlines()
    counted = tmp_path / "counted.csv"
    counted.write_text("\n".join([f"n,{header}", *(f"{n},{line}" for line, n in Counter(lines).items())]))
    said("consensus", *CLINICS, "--fit", rows, "-o", plain)
    text = said("consensus", *CLINICS, "--fit", counted, "--weights", "n", "-o", weighted)
    assert f"estimated from {len(set(lines))} rows, which represent 1,000" in text
    assert bnfuse.read(weighted)[0].renamed("same") == bnfuse.read(plain)[0].renamed("same")
    gaps = tmp_path / "gaps.csv"
    gaps.write_text("\n".join([header, "?" + lines[0][lines[0].index(",") :], *lines[1:]]))
    words = ("consensus", *CLINICS, "-o", weighted, "--force", "--json", "--fit", gaps)
    notes = json.loads(said(*words))["notes"]
    assert any(note.startswith("taken as missing: '?' (1)") for note in notes)
    gaps.write_text(gaps.read_text().replace("?", "-"))
    assert "'-' is not a state" in refused(*words)
    assert any(note.startswith("taken as missing: '-' (1)") for note in json.loads(said(*words, "--na", "-"))["notes"])


def test_rows_of_a_fitted_gaussian_consensus_have_weights_and_missing_labels(said, tmp_path):
    header, *lines = (EXAMPLES / "measurements.csv").read_text().splitlines()
    counted, doubled, fitted = tmp_path / "counted.csv", tmp_path / "doubled.csv", tmp_path / "out.json"
    counted.write_text("\n".join([f"n,{header}", *(f"2,{line}" for line in lines)]))
    doubled.write_text("\n".join([header, *(lines * 2)]))
    found = []
    for words in ([counted, "--weights", "n"], [doubled]):
        said("consensus", *WARDS, "-o", fitted, "--force", "--fit", *words)
        found.append(bnfuse.read(fitted)[0])
    np.testing.assert_allclose(found[0].mean(), found[1].mean())
    gaps = tmp_path / "gaps.csv"
    gaps.write_text("\n".join([header, "nil" + lines[0][lines[0].index(",") :], *lines[1:]]))
    facts = json.loads(said("consensus", *WARDS, "--fit", gaps, "--na", "nil", "--json"))
    assert any(note.startswith("taken as missing: 'nil' (1)") for note in facts["notes"])


def test_a_consensus_of_tallies_can_be_fitted_but_not_pooled(said, refused, tmp_path, rows):
    tally = tmp_path / "clinics.tally"
    said("tally", *CLINICS, "-o", tally)
    assert "a tally has no tables" in refused("consensus", tally, "--pool")
    text = said("consensus", tally, "--fit", rows, "-o", tmp_path / "out.bif")
    assert "the tables are estimated from 1,000 rows" in text


def test_bad_sources_of_tables_are_refused_before_the_search(refused, tmp_path, rows, monkeypatch):
    def searched(*arguments, **options):
        raise AssertionError("the search was started")

    monkeypatch.setattr("bnfuse.commands.consensus.solved", searched)
    out = tmp_path / "out.bif"
    assert "use one of them" in refused("consensus", *CLINICS, "--fit", rows, "--pool", "-o", out)
    assert "no such file" in refused("consensus", *CLINICS, "--fit", tmp_path / "none.csv", "-o", out)
    assert "prior must be" in refused("consensus", *CLINICS, "--fit", rows, "--prior", "-1", "-o", out)
    bad = tmp_path / "bad.csv"
    bad.write_text(rows.read_text().replace("under_40", "young"))
    assert "'young' is not a state of 'Age'" in refused("consensus", *CLINICS, "--fit", bad, "-o", out)
    structure = tmp_path / "structure.csv"
    bnfuse.write(bnfuse.read(CLINICS[0])[0].dag, structure)
    assert "--pool needs an input with tables" in refused("consensus", structure, "--pool", "-o", out)
    other = tmp_path / "other.bif"
    other.write_text(Path(CLINICS[0]).read_text().replace("under_40", "young"))
    line = refused("consensus", *CLINICS, other, "--pool", "-o", out)
    assert "variable 'Age' has the states 'under_40', 'from_40_to_65', 'over_65' in network" in line
    assert not out.exists()


def test_inputs_that_cannot_be_pooled_leave_a_structure_and_a_reason(capsys, tmp_path):
    other = tmp_path / "other.bif"
    other.write_text(Path(CLINICS[0]).read_text().replace("under_40", "young"))
    assert run(["consensus", *CLINICS, str(other), "-o", str(tmp_path / "out.bif")]) == 0
    captured = capsys.readouterr()
    assert "a structure: the tables could not be pooled; --fit FILE" in captured.out
    assert "note: the tables were not pooled: variable 'Age' has the states" in captured.err


def large_inputs(folder):
    """Two networks in which a variable has 14 parents, different ones: too many together."""
    names = [f"X{i}" for i in range(28)]
    states = dict.fromkeys(names, ("a", "b"))
    paths = []
    for i, parents in enumerate((names[:14], names[13:27])):
        dag = DAG(names, [(parent, "X27") for parent in parents])
        tables = {v: np.full([2] * (len(dag.parents(v)) + 1), 0.5) for v in names}
        paths.append(folder / f"large{i}.bif")
        bnfuse.write(Network(dag, states, tables), paths[-1])
    return paths


def test_tables_that_are_too_large_are_refused_or_left_out(said, refused, tmp_path):
    paths = large_inputs(tmp_path)
    out = tmp_path / "out.csv"
    arcs = [f"--require=X{i}->X27" for i in range(24)]
    options = [*paths, "-t", "28", "--effort", "quick", *arcs]
    line = refused("consensus", *options, "--pool", "-o", out)
    assert "the table of 'X27' with its parents 'X0', 'X1'" in line
    assert "the limit is 10,000,000; with --max-clique=23 every table fits" in line
    assert not out.exists()
    assert "consensus of 2 networks" in said("consensus", *options, "-o", out)  # CSV holds no tables: none are made
    assert "cannot write uniform tables" in refused("consensus", *options, "-o", tmp_path / "out.bif")


def test_a_command_without_a_clique_limit_names_the_command_that_has_one(refused, tmp_path):
    names = [f"X{i}" for i in range(26)]
    structure, rows = tmp_path / "star.csv", tmp_path / "rows.csv"
    bnfuse.write(DAG(names, [(name, "X25") for name in names[:25]]), structure)
    rows.write_text("\n".join(",".join(row) for row in (names, ["a"] * 26, ["b"] * 26)) + "\n")
    line = refused("fit", structure, rows, "-o", tmp_path / "out.bif")
    assert "the limit is 10,000,000; with bnfuse consensus --max-clique=23 every table fits" in line


# query


@pytest.mark.parametrize("size", ["100", "1e6", "64MB"])
def test_query_takes_table_sizes_as_other_commands_do(said, consensus, size):
    assert said("query", consensus, "COPD", "--max-table", size) == said("query", consensus, "COPD")


def test_query_prints_each_variable_by_itself(said, consensus):
    lines = said("query", consensus, "--given", "Smoker=current", "LungCancer", "COPD").splitlines()
    assert lines[0] == "given Smoker = current:"
    assert lines[1].split() == ["variable", "state", "probability"]
    network = bnfuse.read(consensus)[0]
    chance = network.query(["LungCancer"], {"Smoker": "current"})[0]
    assert lines[2].split() == ["LungCancer", "yes", f"{chance:.4f}"]
    assert len(lines) == 6


def test_query_without_variables_prints_all(said, consensus):
    facts = json.loads(said("query", consensus, "--given", "Smoker=never", "--json"))
    network = bnfuse.read(consensus)[0]
    assert list(facts["marginals"]) == list(network.variables)
    assert facts["given"] == {"Smoker": "never"}
    for name, table in facts["marginals"].items():
        np.testing.assert_allclose(list(table.values()), network.query([name], {"Smoker": "never"}), atol=1e-12)


def test_query_prints_a_joint_distribution(said, consensus):
    lines = said("query", consensus, "--joint", "Smoker", "COPD").splitlines()
    assert lines[0].split() == ["Smoker", "COPD", "probability"]
    assert len(lines) == 7
    facts = json.loads(said("query", consensus, "--joint", "Smoker", "COPD", "--json"))
    joint = bnfuse.read(consensus)[0].query(["Smoker", "COPD"]).probabilities
    assert [cell["probability"] for cell in facts["joint"]] == joint.ravel().tolist()
    assert facts["joint"][1]["states"] == ["never", "no"]
    assert facts["largest_table_numbers"] >= joint.size


def test_small_probabilities_keep_their_digits(said, tmp_path):
    path = tmp_path / "rare.bif"
    bnfuse.write(Network(DAG(["A"]), {"A": ("x", "y", "z")}, {"A": [3e-7, 1 - 3e-7, 0]}), path)
    assert [line.split()[-1] for line in said("query", path, "A").splitlines()[1:]] == ["3.0e-07", "1.0000", "0.0000"]


def test_a_name_may_hold_an_equals_sign(said, tmp_path):
    path = tmp_path / "odd.bif"
    names = ["x=1", "B"]
    network = Network(
        DAG(names, [("x=1", "B")]),
        {"x=1": ("a=b", "c"), "B": ("u", "v")},
        {"x=1": [0.5, 0.5], "B": [[0.9, 0.1], [0.2, 0.8]]},
    )
    bnfuse.write(network, path)
    assert "0.9000" in said("query", path, "--given", "x=1=a=b", "B")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Cancer"], "has no variable 'Cancer' (did you mean 'LungCancer'?); it has 'Age', 'Smoker'"),
        (["COPD", "--given", "Smoker=often"], "variable 'Smoker' has no state 'often'; its states are 'never'"),
        (["COPD", "--given", "Smoker"], "--given must be NAME=STATE"),
        (["COPD", "--given", "=yes"], "--given must be NAME=STATE"),
        (["COPD", "--given", "Age=over_65", "--given", "Age=under_40"], "--given says both"),
        (["--joint"], "at least one variable"),
        (["--joint", "COPD", "Age", "--max-table", "3"], "the limit is 3;"),
        (["COPD", "--max-table", "0"], "at least 1"),
        (["COPD", "--max-table", "64 potatoes"], "or a size in bytes, such as 64MB"),
    ],
)
def test_bad_queries_get_one_line(refused, consensus, arguments, message):
    assert message in refused("query", consensus, *arguments)


def test_impossible_evidence_gets_one_line(refused, tmp_path):
    path = tmp_path / "sure.bif"
    bnfuse.write(Network(DAG(["A"]), {"A": ("x", "y")}, {"A": [1, 0]}), path)
    assert "the evidence A = y has probability 0" in refused("query", path, "--given", "A=y")


def test_structures_and_ensembles_cannot_be_asked(refused, tmp_path):
    structure = tmp_path / "structure.csv"
    structure.write_text("from,to\nA,B\n")
    assert "network 'structure' has no tables" in refused("query", structure, "A")
    ensemble = tmp_path / "many.json"
    bnfuse.write(bnfuse.read(*CLINICS), ensemble)
    assert "holds 5 networks; give a file that holds one" in refused("query", ensemble, "Age")


# fit and sample


def test_samples_are_fitted_back(said, tmp_path, consensus):
    drawn, fitted = tmp_path / "rows.csv.gz", tmp_path / "fitted.bif"
    assert said("sample", consensus, "-n", 2000, "--seed", 3, "-o", drawn) == (
        f"wrote {drawn}: 2,000 rows of 11 variables\n"
    )
    assert "11 variables: the tables are estimated from 2,000 rows" in said("fit", consensus, drawn, "-o", fitted)
    network = bnfuse.read(consensus)[0]
    assert bnfuse.read(fitted)[0] == fit(network, network.sample(2000, seed=3)).network


def test_samples_go_to_the_screen_as_csv(said, consensus):
    text = said("sample", consensus, "-n", 3)
    assert text == bnfuse.read(consensus)[0].sample(3).to_csv()
    assert text.startswith("Age,Smoker,")
    assert text.count("\n") == 4


def test_missing_values_are_fitted_with_a_line_for_each_iteration(said, tmp_path, consensus, rows):
    gaps = tmp_path / "gaps.csv"
    lines = rows.read_text().splitlines()[:201]
    lines[1] = "?" + lines[1][lines[1].index(",") :]
    lines[2] = "NA" + lines[2][lines[2].index(",") :]
    gaps.write_text("\n".join(lines))
    text = said("fit", consensus, gaps, "-o", tmp_path / "out.bif")
    assert text.splitlines()[0].split() == ["iteration", "log-likelihood"]
    facts = json.loads(said("fit", consensus, gaps, "--json"))
    assert len(facts["log_likelihoods"]) >= 1
    assert any("2 missing cells of 2,200" in note for note in facts["notes"])
    assert facts["output"] is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"A,B\n", "has a header and no rows"),
        (b"A,B\nx,x\nx\n", ":3: this row has 1 cell, the header has 2"),
        (b"A,B\nx,x\nx,y\n", "column 'A' has one label only"),
        (b"A,B\n" + b"".join(b"p%d,x\n" % i for i in range(10_000)), "more than 1,000 different labels"),
        ("A,B\n\u00e4,x\n".encode("latin-1"), "is not valid UTF-8 text"),
        pytest.param(gzip.compress(b"A,B\nx,x\n")[:-9], "truncated", id="truncated gzip"),
    ],
)
def test_bad_data_get_one_line_and_write_nothing(refused, tmp_path, content, message):
    structure, data, out = tmp_path / "structure.csv", tmp_path / "data.csv", tmp_path / "out.bif"
    structure.write_text("from,to\nA,B\n")
    data.write_bytes(content)
    line = refused("fit", structure, data, "-o", out)
    assert message in line
    assert str(data) in line
    assert not out.exists()


def test_bad_options_get_one_line(refused, tmp_path, consensus, rows):
    assert "prior must be a number of rows that is at least 0" in refused("fit", consensus, rows, "--prior", "-1")
    assert "n must be a whole number of at least 0" in refused("sample", consensus, "-n", "-3")
    assert "use .csv, .csv.gz or .parquet" in refused("sample", consensus, "-o", tmp_path / "rows.doc")
    assert "there is no folder" in refused("sample", consensus, "-o", tmp_path / "no" / "rows.csv")
    assert "no tables to sample from" in refused("sample", _structure(tmp_path))


def _structure(folder):
    path = folder / "structure.csv"
    path.write_text("from,to\nA,B\n")
    return path


@pytest.mark.parametrize("command", ["query", "fit", "sample"])
def test_help_teaches_with_examples(said, command):
    text = said(command, "--help")
    assert "Examples:" in text
    assert f"bnfuse {command} examples/" in text


def test_samples_do_not_replace_a_network(tmp_path, refused, said):
    edges = tmp_path / "edges.csv"
    edges.write_text("from,to\nA,B\n")
    assert "exists; to replace it: --force" in refused("sample", CLINICS[0], "-n", "3", "-o", edges)
    said("sample", CLINICS[0], "-n", "3", "-o", edges, "--force")
    assert edges.read_text().startswith("Age,")


def test_options_for_data_without_data_are_refused(refused):
    for option, value in (("--prior", "3"), ("--na", "none")):
        assert f"{option} is for --fit" in refused("consensus", *CLINICS, option, value)
    assert "--weight NAME=NUMBER is for an input" in refused("consensus", *CLINICS, "--weights", "harbour=2")


def test_samples_for_programs(said, consensus, tmp_path):
    drawn = bnfuse.read(consensus)[0].sample(3, seed=7)
    facts = json.loads(said("sample", consensus, "-n", 3, "--seed", 7, "--json"))
    assert facts["variables"] == list(drawn.variables)
    assert [",".join(row) for row in facts["rows"]] == drawn.to_csv().splitlines()[1:]
    path = tmp_path / "rows.csv"
    facts = json.loads(said("sample", consensus, "-n", 3, "--seed", 7, "-o", path, "--json"))
    assert (facts["rows"], facts["output"]) == (3, str(path))
    assert path.read_text() == drawn.to_csv()


def test_fit_leaves_other_columns_out_and_says_so(capsys, tmp_path, consensus, rows):
    lines = rows.read_text().splitlines()
    patients = tmp_path / "patients.csv"
    patients.write_text("\n".join([f"id,{lines[0]}", *(f"p{i},{line} " for i, line in enumerate(lines[1:]))]))
    assert run(["fit", str(consensus), str(patients), "-o", str(tmp_path / "fitted.bif")]) == 0
    assert capsys.readouterr().err == (
        f"note: {patients}: left out the column 'id': the network has no such variable\n"
    )
    assert bnfuse.read(tmp_path / "fitted.bif")[0] == fit(bnfuse.read(consensus)[0], rows).network


def test_drawings_and_reports_for_programs(said, tmp_path):
    picture, saved, page = tmp_path / "p.svg", tmp_path / "saved.json", tmp_path / "report.html"
    facts = json.loads(said("draw", CLINICS[0], "-o", picture, "--json"))
    assert (facts["variables"], facts["output"]) == (11, str(picture))
    said("consensus", *CLINICS, "--save", saved)
    facts = json.loads(said("report", saved, "-o", page, "--json"))
    assert (facts["report"], facts["convergence"]) == (str(page), None)
    assert "5 networks" in " ".join(facts["summary"])


def test_judgements_count_in_the_tables_of_a_consensus_and_of_a_fit(tmp_path, said, refused):
    row = {"variable": "Smoker", "given": {}, "cases": 300, "by": "Ana"}
    row["probabilities"] = {"never": 0.5, "former": 0.25, "current": 0.25}
    file = tmp_path / "experts.json"
    file.write_text(json.dumps([row, row | {"given": {"Fever": "none"}}]))
    judgements = bnfuse.read_judgements(file)
    inputs = bnfuse.read(*CLINICS)
    words = ["consensus", *CLINICS, "--effort", "quick", "--judgements", file]
    said(*words, "--save", tmp_path / "pooled.json")
    expected = bnfuse.consensus(inputs, effort="quick").pool(judgements=judgements)
    assert bnfuse.Consensus.load(tmp_path / "pooled.json").network == expected.network
    assert expected.notes[-1].startswith("the judgement of P(Smoker | Fever = none) is not used: Smoker has")
    rows = tmp_path / "rows.csv"
    inputs[0].sample(50).write(rows)
    said("fit", CLINICS[0], rows, "--judgements", file, "-o", tmp_path / "fitted.bif")
    fitted = fit(inputs[0], rows, judgements=judgements).network
    found = bnfuse.read(tmp_path / "fitted.bif")[0]
    np.testing.assert_allclose(found.cpts["Smoker"], fitted.cpts["Smoker"], atol=1e-12)
    assert "--judgements are about tables" in refused(*words, "--no-pool")
    assert "--input-cases is for --judgements" in refused("consensus", *CLINICS, "--input-cases", "5")
    assert "--input-cases is for tables pooled from the inputs" in refused(*words, "--fit", rows, "--input-cases", "5")
    assert "is an input" in refused(*words, "--save", file)
