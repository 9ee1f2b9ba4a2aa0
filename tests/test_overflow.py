"""Numbers that are too large to be added: refused in one line, without a warning of numpy's."""

import warnings

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, FileError, GraphError, Network
from bnfuse.data.data import MISSING, Data
from bnfuse.inference.parameters import fit

BIF = """network x {{ }}
variable A {{ type discrete [ 2 ] {{ a, b }}; }}
variable B {{ type discrete [ 2 ] {{ a, b }}; }}
probability ( A ) {{ table {0}; }}
probability ( B | A ) {{ {1} }}
"""
XMLBIF = """<?xml version="1.0"?><BIF VERSION="0.3"><NETWORK><NAME>x</NAME>
<VARIABLE TYPE="nature"><NAME>A</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME></VARIABLE>
<DEFINITION><FOR>A</FOR><TABLE>1e308 1e308</TABLE></DEFINITION></NETWORK></BIF>
"""
FILES = {
    "table.bif": BIF.format("1e308, 1e308", "(a) 0.5, 0.5; (b) 0.5, 0.5;"),
    "row.bif": BIF.format("0.5, 0.5", "(a) 1e308, 1e308; (b) 0.5, 0.5;"),
    "whole.bif": BIF.format("0.5, 0.5", "table 1e308, 1e308, 1e308, 1e308;"),
    "default.bif": BIF.format("0.5, 0.5", "default 1e308, 1e308;"),
    "large.xml": XMLBIF,
    "large.uai": "BAYES\n1\n2\n1\n1 0\n2\n1e308 1e308\n",
}


@pytest.mark.parametrize("name", FILES)
def test_files_with_sums_beyond_all_numbers_are_refused(name, tmp_path):
    path = tmp_path / name
    path.write_text(FILES[name])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(FileError, match="probability"):
            bnfuse.read(path)


@pytest.mark.parametrize("numbers", [[1e308, 1e308], [np.inf, 1.0], [np.nan, 1.0], [np.inf, -np.inf]])
def test_tables_with_sums_beyond_all_numbers_are_refused(numbers):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(GraphError, match="the table of 'A' has a row"):
            Network(DAG(["A"]), {"A": ("a", "b")}, {"A": numbers})


@pytest.mark.parametrize("prior", [1.7e308, 1e300, 5e-324])
@pytest.mark.parametrize("last", [0, MISSING])
def test_priors_at_the_ends_of_what_numbers_can_say_are_no_trouble(prior, last):
    states = {"A": ("a", "b"), "B": ("a", "b")}
    rows = Data(("A", "B"), states, np.array([[0, 1], [0, 0], [1, last]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = fit(DAG(["A", "B"], [("A", "B")]), rows, prior=prior).network.cpts["A"]
    np.testing.assert_allclose(table, [0.5, 0.5] if prior > 1 else [2 / 3, 1 / 3])
