"""Every example of a help text runs as it stands, in the root of a fresh clone."""

import shutil
from importlib.util import find_spec

import pytest

from docs_blocks import ROOT
from help_examples import EXAMPLES, NEEDS, NOT_RUN, follow


@pytest.mark.parametrize("command", [name for name in EXAMPLES if name not in NOT_RUN])
def test_every_example_of_the_help_runs_in_a_fresh_clone(command, tmp_path, monkeypatch):
    if command in NEEDS and find_spec(NEEDS[command]) is None:
        pytest.skip(f"needs {NEEDS[command]}")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for words in EXAMPLES[command]:
        follow(words)


def test_examples_that_are_not_run_belong_to_commands():
    assert set(NOT_RUN) <= set(EXAMPLES)
    assert all(EXAMPLES.values())
