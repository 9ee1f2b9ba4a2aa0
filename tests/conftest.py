"""How many examples property tests try, the same on every machine by default; slow files first; running a command."""

import contextlib
import signal
import sys

import pytest
from hypothesis import settings

from bnfuse.commands import run

settings.register_profile("bnfuse", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("fresh", deadline=None, max_examples=200, print_blob=True)  # other examples in every run
settings.load_profile("bnfuse")

# Asserts of helpers say as much as those of tests.
pytest.register_assert_rewrite(
    *("brute_force", "consensus_checks", "file_checks", "page_numbers", "page_parts", "serving", "table_browser")
)

# Shells, terminals, signals and limits as POSIX has them.
NEED_POSIX = [
    *("commands/test_command_line.py", "commands/test_standard_streams.py", "commands/test_starting_command.py"),
    *("commands/test_terminal.py", "serve/*", "test_examples.py", "test_long_runs.py", "test_study.py"),
]
collect_ignore_glob = NEED_POSIX if sys.platform == "win32" else []

# A shell starts background jobs with Ctrl-C ignored, and their children inherit that: tests that send it would wait.
with contextlib.suppress(ValueError):  # not in the main thread
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """No property test tries more examples than the profile says. Files with browsers and processes come first.

    A worker takes whole files, and a long one at the end would run alone.
    """
    for test in {getattr(item.obj, "__func__", item.obj) for item in items}:
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if own is not None:
            most = min(own.max_examples, settings.default.max_examples)
            test._hypothesis_internal_use_settings = settings(own, max_examples=most)
    items.sort(key=lambda item: not item.path.name.startswith(("test_flower", "test_page", "test_serve", "test_study")))


@pytest.fixture
def said(capsys):
    """Runs a command that must succeed; returns its standard output."""

    def run_and_read(*arguments):
        assert run([str(argument) for argument in arguments]) == 0
        return capsys.readouterr().out

    return run_and_read


@pytest.fixture
def refused(capsys):
    """Runs a command that must fail with exit code 2 and one line; returns the line."""

    def run_and_read(*arguments):
        assert run([str(argument) for argument in arguments]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        (line,) = captured.err.splitlines()
        assert line.startswith("bnfuse: ")
        return line

    return run_and_read
