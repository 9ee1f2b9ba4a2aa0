"""Kills a server, and its workers, at random moments: nothing that was acknowledged may be lost.

python tests/serve/faults.py                50 of each
python tests/serve/faults.py --count 200 --seed 7
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import os
import random
import re
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from serving import Served, ended, started

import bnfuse
from running import CLINICS

NAME = "faults"
PATH = f"/api/workspaces/{NAME}"
_LONGEST = 0.8  # seconds before a kill


class Talker(threading.Thread):
    """Changes a workspace again and again, and remembers what was acknowledged."""

    def __init__(self, server: Served, first: int) -> None:
        super().__init__(daemon=True)
        self.server, self.next = server, first
        self.acknowledged: list[str] = []
        self.problems: list[Any] = []
        self.is_over = False

    def run(self) -> None:
        while not self.is_over:
            text = f"note {self.next}"
            change = [
                {"kind": "note", "arc": ["Age", "COPD"], "text": text},
                {"kind": "set", "field": "max_clique", "value": 2 + self.next % 4},
            ]
            try:
                status, found, _ = self.server.request("POST", f"{PATH}/changes", change)
            except (OSError, http.client.HTTPException):
                return  # it was killed
            if status == 200:
                self.acknowledged.append(text)
            else:
                self.problems.append(found)
            self.next += 1


def kill_servers(folder: Path, count: int, rng: random.Random) -> int:
    """So many times; how many changes were acknowledged in all."""
    acknowledged: list[str] = []
    first = 0
    for _ in range(count):
        server = started(folder)
        if not first:
            server.workspace(NAME)
        else:
            check_history(server, acknowledged)
        talker = Talker(server, first)
        talker.start()
        time.sleep(rng.random() * _LONGEST)
        server.kill()
        talker.join(30)
        assert not talker.problems, talker.problems[0]
        acknowledged += talker.acknowledged
        first = talker.next + 1
    server = started(folder)
    check_history(server, acknowledged)
    answer = server.answered(PATH)["answer"]
    assert answer["distance"] == bnfuse.consensus(bnfuse.read(*CLINICS), answer["max_clique"]).distance
    assert "Traceback" not in ended(server)
    with closing(sqlite3.connect(folder / NAME / "workspace.sqlite")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return len(acknowledged)


def check_history(server: Served, acknowledged: list[str]) -> None:
    """All that was acknowledged is in the history, in its order, and the last of it is the present state."""
    lines = [line["words"] for line in server.ask("GET", f"{PATH}/history")]
    noted = [
        part.removeprefix("noted on Age and COPD: ") for line in lines for part in line.split("; ") if "noted" in part
    ]
    kept = iter(noted)
    assert all(text in kept for text in acknowledged), "something that was acknowledged is lost"
    (present,) = server.ask("GET", PATH)["question"]["notes"].values()
    assert present == noted[-1]


def kill_workers(server: Served, count: int, rng: random.Random) -> int:
    """So many times while a workspace is changed; how many changes were acknowledged. The last one is answered."""
    server.workspace(NAME)
    talker = Talker(server, 0)
    talker.start()
    for _ in range(count):
        time.sleep(rng.random() * _LONGEST / 4)
        children = server.children()
        if children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(rng.choice(children), signal.SIGKILL)
    talker.is_over = True
    talker.join(60)
    assert not talker.problems, talker.problems[0]
    server.ask("POST", f"{PATH}/changes", {"kind": "set", "field": "max_clique", "value": 3})
    server.ask("POST", f"{PATH}/solve", {"effort": "normal"}, 202)
    found = server.answered(PATH)
    assert found["failed"] is None, found["failed"]
    assert found["answer"]["distance"] == bnfuse.consensus(bnfuse.read(*CLINICS), 3).distance
    check_history(server, talker.acknowledged)
    return len(talker.acknowledged)


def fill_disk(folder: Path) -> int:
    """Changes until no more fit; how many were acknowledged. All of them are there, and with room it goes on."""
    server = started(folder, largest_file=400_000)
    server.workspace(NAME)
    acknowledged: list[str] = []
    while True:
        text = f"note {len(acknowledged)} {'x' * 9_000}"
        change = {"kind": "note", "arc": ["Age", "COPD"], "text": text}
        status, found, _ = server.request("POST", f"{PATH}/changes", change)
        if status != 200:
            break
        acknowledged.append(text)
    assert status == 503
    assert re.search(r"the disk (is full|cannot be written); make room", found["error"]), found
    assert len(found["error"].splitlines()) == 1
    check_history(server, acknowledged)
    assert "Traceback" not in ended(server)
    server = started(folder)
    check_history(server, acknowledged)
    server.ask("POST", f"{PATH}/changes", {"kind": "set", "field": "max_clique", "value": 3})
    assert server.answered(PATH)["failed"] is None
    ended(server)
    return len(acknowledged)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        kept = kill_servers(Path(folder), given.count, rng)
        print(f"{given.count} servers killed: all of {kept} acknowledged changes are there")
    with tempfile.TemporaryDirectory() as folder:
        print(f"a disk is full: all of {fill_disk(Path(folder))} acknowledged changes are there")
    with tempfile.TemporaryDirectory() as folder:
        server = started(Path(folder))
        kept = kill_workers(server, given.count, rng)
        ended(server)
        print(f"{given.count} workers killed: all of {kept} acknowledged changes are there, and the last is answered")


if __name__ == "__main__":
    main()
