"""Ctrl-C while a command starts or ends, and names of files that are not text."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import bnfuse
from running import CLINICS

STOPPING = """
import os, signal
os.kill(os.getpid(), signal.SIGINT)
for _ in range(10**9): pass
"""


def started(folder, *command, ignoring=False):
    """A command that is sent Ctrl-C while it imports a module."""
    Path(folder, "typer.py").write_text(STOPPING if not ignoring else STOPPING.replace("10**9", "1"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    return subprocess.run(
        [sys.executable, *command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN if ignoring else signal.SIG_DFL),
    )


@pytest.fixture
def script(tmp_path):
    """The command as pip installs it."""
    path = tmp_path / "bnfuse"
    path.write_text("import sys\nfrom bnfuse.commands import main\nsys.exit(main())\n")
    return str(path)


def test_ctrl_c_while_a_command_starts_is_quiet(tmp_path, script):
    for command in (["-m", "bnfuse", "--version"], [script, "--version"]):
        done = started(tmp_path, *command)
        assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_ctrl_c_that_is_ignored_stays_ignored(tmp_path):
    code = "import bnfuse, signal; print(signal.getsignal(signal.SIGINT) == signal.SIG_IGN)"
    assert started(tmp_path, "-c", code, ignoring=True).stdout == "True\n"


def test_the_library_leaves_ctrl_c_alone(tmp_path):
    code = "import bnfuse, bnfuse.commands, signal; print(signal.getsignal(signal.SIGINT).__name__)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for command in (["-c", code], ["-"]):
        done = subprocess.run(
            [sys.executable, *command], input=code, env=environment, capture_output=True, text=True, check=False
        )
        assert done.stdout == "default_int_handler\n"


def test_a_name_that_is_no_text_can_be_written_saved_and_reported(tmp_path):
    paths = [os.path.join(os.fsencode(tmp_path), name) for name in (b"caf\xe9.bif", b"b\xe4r.bif")]
    for path, clinic in zip(paths, CLINICS, strict=False):
        Path(os.fsdecode(path)).write_bytes(Path(clinic).read_bytes())
    folder = os.fsencode(tmp_path)
    output, saved, page = (os.path.join(folder, name) for name in (b"\xe9.bif", b"\xe9.json", b"\xe9.html"))
    command = [b"consensus", *paths, b"-o", output, b"--save", saved, b"--report", page, b"--json"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-m", "bnfuse", *command], env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    result = bnfuse.Consensus.load(os.fsdecode(saved))
    assert result.problem.names == ("caf\\xe9", "b\\xe4r")
    assert result.origin.files[0].path.endswith("caf\\xe9.bif")
    assert Path(os.fsdecode(page)).stat().st_size > 1000
    assert bnfuse.read(os.fsdecode(output))[0].dag == result.dag


def test_more_rows_than_there_can_be_are_refused(refused):
    for rows in (99999999999999999999, 10**9 + 1):
        assert "-n must be at most 1,000,000,000" in refused("sample", CLINICS[0], "-n", rows)
