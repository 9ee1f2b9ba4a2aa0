"""`bnfuse learn --gaussian` and `bnfuse bootstrap --gaussian`."""

from __future__ import annotations

import json
import re

import pytest

import bnfuse
import gaussian_twin as twin


@pytest.fixture
def table(tmp_path):
    rows = twin.system(5, 120, 1)[0]
    path = tmp_path / "numbers.csv"
    path.write_text("\n".join(["a,b,c,d,e", *(",".join(map(repr, row)) for row in rows.tolist())]))
    return path


@pytest.mark.parametrize("score", ["bic-g", "bge"])
def test_the_network_is_that_of_the_library(table, tmp_path, said, score):
    output = tmp_path / "network.json"
    facts = json.loads(said("learn", table, "--gaussian", "--score", score, "--prove", "--json", "-o", output))
    found = bnfuse.learn(table, score, gaussian=True, prove=True)
    assert facts["score"] == facts["bound"] == found.score
    assert [tuple(edge) for edge in facts["edges"]] == list(found.dag.edges)
    assert facts["cuts"] == {}
    assert bnfuse.read(output)[0].dag == found.dag
    text = said("learn", table, "--gaussian", "--score", score, "-t", 2)
    assert f"{score} " in text
    assert "120 rows of 5 variables" in text


def test_a_consensus_of_resamples(table, tmp_path, said):
    output = tmp_path / "consensus.json"
    arguments = ("bootstrap", table, "--gaussian", "--resamples", 20, "--score", "bge", "--alpha-mu", 2)
    facts = json.loads(said(*arguments, "--json", "-o", output, "--report", tmp_path / "report.html"))
    runs = bnfuse.bootstrap(table, 20, gaussian=True, score="bge", alpha_mu=2)
    result = bnfuse.consensus(runs.run(), max_clique=4, method="majority")
    assert bnfuse.read(output)[0].dag == result.dag
    assert facts["resamples"]["done"] == 20
    assert "(BGE)" in said(*arguments)


@pytest.mark.parametrize("command", ["learn", "bootstrap"])
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--score", "bic"], "--score bic is for networks of states: choose one of bge, bic-g with --gaussian"),
        (["--bins", "4"], "--bins is for classes of numbers"),
        (["--keep", "a"], "--keep is for classes of numbers"),
        (["--score", "bic-g", "--alpha-w", "20"], "--alpha-w is for --score bge, not for bic-g"),
        (["--score", "bge", "--alpha-w", "6"], "--alpha-w must be more than the number of variables and one, 6"),
    ],
)
def test_what_cannot_be_is_refused(table, refused, command, arguments, problem):
    assert problem in refused(command, table, "--gaussian", *arguments)


def test_what_needs_the_switch_or_tables_says_so(table, tmp_path, refused):
    assert "--score bge is for networks of numbers: it needs --gaussian" in refused("learn", table, "--score", "bge")
    assert "use --max-clique" in refused("learn", table, "--gaussian", "--max-table", "64MB")
    (tmp_path / "some.jkl").write_text("1\nA 1\n-1 0\n")
    assert "--gaussian is for tables of numbers" in refused("learn", tmp_path / "some.jkl", "--gaussian")


BAD = {
    "text": ("a,b\n1.5,2\n2.5,x\n3.5,4\n4.5,5\n", "column 'b' mixes numbers with other values, 'x' in row 2"),
    "infinite": ("a,b\n1.5,2\n2.5,inf\n3.5,4\n4.5,5\n", "column 'b' has the infinite value 'inf' in row 2"),
    "constant": ("a,b\n1.5,2\n1.5,2\n1.5,2\n", "no column is left to learn from"),
    "few rows": ("a,b,c\n1.5,2,3.5\n2.5,3,1\n", "needs more rows than columns; choose bge"),
    "mixed": ("a,b,sex\n1.5,2,f\n2.5,3,m\n3.5,5,f\n4.5,4,m\n", "a column of categories, 'sex' .*--leave-out.*--bins"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_data_get_one_clear_line(kind, tmp_path, refused):
    text, problem = BAD[kind]
    path = tmp_path / "bad.csv"
    path.write_text(text)
    said = refused("learn", path, "--gaussian", "--score", "bic-g")

    assert re.search(problem, said)
    assert len(said.strip().splitlines()) == 1
