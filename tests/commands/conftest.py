"""Inputs that the tests of several commands share."""

import pytest

from running import CLINICS


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
def sites(tmp_path, said):
    """Tallies of the first two clinics and of the other three."""
    paths = [str(tmp_path / "west.tally"), str(tmp_path / "east.tally.gz")]
    said("tally", *CLINICS[:2], "-o", paths[0])
    said("tally", *CLINICS[2:], "-o", paths[1])
    return paths
