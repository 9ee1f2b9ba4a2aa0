"""Tries an installed bnfuse without its tests: `python tests/smoke.py examples/clinics`, on any system.

It needs nothing but what `pip install bnfuse` brings, and leaves no files.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import bnfuse


def main(folder: str) -> None:
    """From files to a consensus, a report and an answer, in Python and by the command."""
    clinics = bnfuse.read(Path(folder).resolve())
    result = bnfuse.consensus(clinics, max_clique=3, seed=1)
    assert result.clique_size <= 3
    assert result.gap is not None
    again = bnfuse.consensus(clinics, max_clique=3, seed=1, threads=1)
    assert again.dag == result.dag
    answer = result.network.query(result.dag.variables[0])
    assert abs(sum(answer.to_dict().values()) - 1) < 1e-9
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        bnfuse.write(result.network, "consensus.bif")
        assert bnfuse.read("consensus.bif")[0].dag == result.dag
        result.report("report.html")
        result.save("consensus.json")
        assert bnfuse.Consensus.load("consensus.json").dag == result.dag
        files = [str(path) for path in sorted(Path(folder).glob("*.bif"))]
        command = [sys.executable, "-m", "bnfuse", "consensus", *files, "--max-clique", "3", "-o", "by-command.bif"]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        assert Path("by-command.bif").stat().st_size > 0
        os.chdir(Path(folder).parent)  # Windows removes no folder in which somebody is
    print(f"bnfuse {bnfuse.__version__} works on Python {sys.version.split()[0]}, {sys.platform}: {result!r}")


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).resolve()))
