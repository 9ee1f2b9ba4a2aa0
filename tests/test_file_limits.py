"""A small file cannot take all memory: what is refused, and how much reading takes at most."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bnfuse import FileError, Tally
from bnfuse._base import disk
from bnfuse.files import read
from file_checks import failure, put


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "from,to\n" + "A,B\n" * 40_000),
        ("matrix.csv", "A,B\n" + "0,1\n" * 40_000),
        ("votes.csv", "from,to,count,of\n" + "A,B,1,2\n" * 40_000),
        ("a.json", '{"variables": ["A"], "networks": [' + "[]," * 40_000 + "[]]}"),
        ("objects.json", '{"variables": ["A"], "networks": [' + "{}," * 40_000 + "{}]}"),
        ("a.uai", "BAYES\n2\n" + "22 " * 40_000),
    ],
)
def test_a_file_whose_parts_would_take_too_much_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str
) -> None:
    monkeypatch.setattr(disk, "MAX_MEMORY", 1 << 20)
    message = failure(put(tmp_path / f"{name}.gz", gzip.compress(content.encode())))
    assert message.endswith("would take more than 1 MiB of memory: too large to be read")


@pytest.mark.long
def test_the_memory_that_reading_takes_is_bounded(tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="needs a system that tells how much memory a process took")
    with gzip.open(tmp_path / "a.csv.gz", "wb", compresslevel=1) as file:
        file.write(b"from,to\n")
        for _ in range(60):
            file.write(b"A,B\n" * 1_000_000)
    code = (
        "import bnfuse, resource, sys\n"
        "try: bnfuse.read(sys.argv[1])\n"
        "except bnfuse.FileError as error: print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    line = [sys.executable, "-c", code, str(tmp_path / "a.csv.gz")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    message, peak = subprocess.run(
        line, env=environment, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert message.endswith("would take more than 1,024 MiB of memory: too large to be read")
    assert int(peak) * (1 if sys.platform == "darwin" else 1024) < 2 << 30


def test_a_row_that_never_ends_is_refused(tmp_path: Path) -> None:
    assert "a row has more than" in failure(put(tmp_path / "a.csv", "from,to\n" + "ab," * 2_000_000))
    assert "a row has more than" in failure(put(tmp_path / "b.csv", "from,to\n" + '"\n",' * 1_500_000))


def test_gzip_inside_gzip_is_refused(tmp_path: Path) -> None:
    twice = gzip.compress(gzip.compress(b"from,to\nA,B\n"))
    assert failure(put(tmp_path / "a.csv.gz", twice)).endswith("is gzipped twice; unpack it once")
    with pytest.raises(FileError, match="is gzipped twice"):
        read(io.BytesIO(twice))


def test_text_without_tables_has_a_smaller_limit(tmp_path: Path) -> None:
    assert "more than 32 MiB" in failure(put(tmp_path / "a.modelstring", "[ab]" * (9 << 20)))


def test_a_tally_is_bounded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MAX_MEMORY", 1 << 20)
    content = '{"kind":"bnfuse tally","version":1,"arcs":[' + "[]," * 40_000 + "[]]}"
    with pytest.raises(FileError, match="would take more than 1 MiB of memory"):
        Tally.load(put(tmp_path / "a.tally", content))
