"""Whether a file may be replaced: one rule for everything that writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, Alignment, FileError, Network, Tally
from bnfuse.data.data import Data
from bnfuse.report.drawing.picture import Picture
from bnfuse.report.drawing.plots import draw

PAIR = Network(DAG(["A", "B"], [("A", "B")]), {"A": ("no", "yes"), "B": ("no", "yes")})
ROWS = Data(("A", "B"), {"A": ("no", "yes"), "B": ("no", "yes")}, np.array([[0, 1], [1, 0]], np.int8))
RESULT = bnfuse.consensus([PAIR], max_clique=2)


def tally() -> Tally:
    counted = Tally(["A", "B"])
    counted.add(PAIR)
    return counted


Writer = Callable[[Path, bool], Any]
# What an error calls a file that bnfuse wrote; nothing where the format cannot tell who wrote it.
WRITERS: dict[str, tuple[str, Writer]] = {
    "a.bif": ("a BIF file", lambda path, over: bnfuse.write(PAIR, path, overwrite=over)),
    "a.csv": ("", lambda path, over: bnfuse.write(PAIR, path, overwrite=over)),
    "a.json": ("an ensemble file", lambda path, over: bnfuse.write(PAIR, path, overwrite=over)),
    "a.uai": ("", lambda path, over: bnfuse.write(PAIR, path, overwrite=over, placeholders=True)),
    "a.xdsl": ("an XDSL file", lambda path, over: bnfuse.write(PAIR, path, overwrite=over)),
    "names.csv": ("", lambda path, over: Alignment(()).save(path, overwrite=over)),
    "strengths.csv": ("", lambda path, over: bnfuse.strengths([PAIR]).write(path, overwrite=over)),
    "a.tally": ("a tally", lambda path, over: tally().save(path, overwrite=over)),
    "a.tally.gz": ("a tally", lambda path, over: tally().save(path, overwrite=over)),
    "rows.csv": ("", lambda path, over: ROWS.write(path, overwrite=over)),
    "rows.csv.gz": ("", lambda path, over: ROWS.write(path, overwrite=over)),
    "rows.parquet": ("", lambda path, over: ROWS.write(path, overwrite=over)),
    "a.svg": ("an SVG file", lambda path, over: draw(Picture.of(PAIR), path, overwrite=over)),
    "a.html": ("a report", lambda path, over: RESULT.report(path, overwrite=over)),
}
OTHERS = {
    "notes": b"my notes, nothing else\n",
    "binary": bytes(range(1, 200)),
    "edge list": b"from,to\nX,Y\n",
    "other data": b"X,Y\n1,2\n",
    "data": b"A,B\nno,yes\nno,no\n",
    "BIF by another program": b"network mine {\n}\nvariable A { type discrete [ 2 ] { a, b }; }\n",
    "XDSL by another program": b'<?xml version="1.0"?>\n<smile version="1.0" id="mine">\n</smile>\n',
    "SVG by another program": b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>\n',
    "ensemble by hand": b'{"variables": ["A"], "networks": []}\n',
    "report of another program": b"<!doctype html>\n<p>mine</p>\n",
    "tally": b'{"kind":"bnfuse tally","version":1,"weight":0,"variables":["A"],"moral":[],"arcs":[]}\n',
}


def written(name: str, path: Path, overwrite: bool = False) -> bytes:
    if name == "rows.parquet":
        pytest.importorskip("pyarrow")
    WRITERS[name][1](path, overwrite)
    return path.read_bytes()


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_bnfuse_did_not_write_stays_unless_told(tmp_path: Path, name: str, other: str) -> None:
    if other == "tally" and ".tally" in name:
        pytest.skip("the same kind")
    path = tmp_path / name
    path.write_bytes(OTHERS[other])
    called = f" and is not {WRITERS[name][0]} that bnfuse wrote" if WRITERS[name][0] else ""
    with pytest.raises(FileError, match=f"exists{called}; to replace it: overwrite=True"):
        written(name, path)
    assert path.read_bytes() == OTHERS[other]
    assert written(name, path, overwrite=True) != OTHERS[other]


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_bnfuse_wrote_or_without_content_is_replaced(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"\n")
    first = written(name, path)
    assert first.strip()
    if WRITERS[name][0]:
        assert written(name, path) == first
    else:
        with pytest.raises(FileError, match="exists; to replace it: overwrite=True"):
            written(name, path)
        assert written(name, path, overwrite=True) == first


def test_a_network_is_replaced_by_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "x.bif"
    bnfuse.write(PAIR, path)
    before = path.read_bytes()
    with pytest.raises(FileError, match="exists and is not a tally"):
        tally().save(path)
    assert path.read_bytes() == before


def test_a_place_without_a_folder_is_refused(tmp_path: Path) -> None:
    for name in WRITERS:
        if name != "rows.parquet":
            with pytest.raises(FileError, match="there is no folder"):
                written(name, tmp_path / "none" / name)
