"""How `bnfuse serve` holds up: from a change to the page's data, and many clients at once. On this machine alone.

    make load                                            50 clients, ten minutes
    python bench/serve_load.py --seconds 60 --clients 20
    python bench/serve_load.py --clicks                  from a change to the new view, for several sizes
    python bench/serve_load.py --changes 4000 --clients 10   memory over many small questions

The clients are threads of this program, on the same cores as the server. Each has its own workspace of alarm's size (37
variables, 10 inputs), changes it, waits for the new view, and looks around, with pauses of up to a second.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "tests" / part) for part in ("", "serve")]

from serving import Served, ended, started  # noqa: E402 - the tests' client

from bnfuse import DAG  # noqa: E402
from instances import munin_like_dag, perturbed, sparse_dag  # noqa: E402
from measure import print_table, seconds_text  # noqa: E402

_PAUSE = 1.0  # seconds at most between two requests of a client
_PATIENCE = 120.0


def ensemble(dags: list[DAG]) -> bytes:
    networks = [{"name": f"input {i}", "edges": dag.edges} for i, dag in enumerate(dags)]
    return json.dumps({"variables": dags[0].variables, "networks": networks}).encode()


class Client(threading.Thread):
    """Somebody who works in a workspace of their own."""

    def __init__(self, server: Served, number: int, end: float) -> None:
        super().__init__(daemon=True)
        self._server, self._end = server, end
        self._rng = random.Random(number)
        self.path = f"/api/workspaces/client%20{number}"
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.errors: list[str] = []
        server.ask("POST", "/api/workspaces", {"name": f"client {number}"}, 201)
        content = ensemble(perturbed(sparse_dag(37, seed=number), 10, seed=number))
        server.ask("PUT", f"{self.path}/files?name=inputs.json", content)
        question = server.ask("GET", self.path)
        self._inputs = [one["id"] for one in question["question"]["inputs"]]
        self._variables: list[str] = question["variables"]

    def run(self) -> None:
        while time.monotonic() < self._end:
            try:
                self._act()
            except (AssertionError, OSError) as error:
                self.errors.append(f"{type(error).__name__}: {error}")
            time.sleep(self._rng.random() * _PAUSE)

    def _act(self) -> None:
        if self._rng.random() < 0.5:
            begun = time.monotonic()
            told = self._timed("change", "POST", "changes", self._change())
            self._wait_for_view(told["revision"])
            self.seconds["change to view"].append(time.monotonic() - begun)
        else:
            part = self._rng.choice(["", "view", "disputes", "history", "out/bif", "out/minutes"])
            self._timed(part or "state", "GET", part, None)

    def _change(self) -> dict[str, Any]:
        rng = self._rng
        source, target = rng.sample(self._variables, 2)
        return rng.choice(
            [
                {"kind": "switch", "id": rng.choice(self._inputs[1:]), "on": rng.random() < 0.7},
                {"kind": "weight", "id": rng.choice(self._inputs), "weight": str(rng.randrange(1, 9))},
                {"kind": "set", "field": "max_clique", "value": rng.randrange(3, 6)},
                {"kind": "arc", "source": source, "target": target, "say": rng.choice(["forbid", "free"])},
            ]
        )

    def _wait_for_view(self, revision: int) -> None:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            status, found, _ = self._server.request("GET", f"{self.path}/view?revision={revision}")
            if status == 200:
                return
            assert status == 404, found
            time.sleep(0.05)
        raise AssertionError("no view")

    def _timed(self, what: str, method: str, part: str, body: Any) -> Any:
        begun = time.monotonic()
        status, found, _ = self._server.request(method, f"{self.path}/{part}".rstrip("/"), body)
        assert status in (200, 404 if part else 200), (part, status, found)  # no answer yet
        self.seconds[what].append(time.monotonic() - begun)
        return found


def memory(pid: int) -> float:
    """In MB, as it is now."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def handles(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def load(count: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = started(Path(folder))
        pid = server.process.pid
        clients = [Client(server, i, time.monotonic() + seconds) for i in range(count)]
        print(f"{count} workspaces are there; {seconds:g} seconds of requests begin")
        for client in clients:
            client._end = time.monotonic() + seconds
            client.start()
        rows = []
        begun = time.monotonic()
        for share in range(1, 11):
            time.sleep(max(0.0, begun + seconds * share / 10 - time.monotonic()))
            workers = sum(memory(one) for one in server.children())
            rows.append((f"{share * 10} %", f"{memory(pid):.0f}", f"{workers:.0f}", handles(pid)))
        for client in clients:
            client.join(_PATIENCE + 60)
        time.sleep(1)
        rows.append(("after", f"{memory(pid):.0f}", f"{sum(map(memory, server.children())):.0f}", handles(pid)))
        complaints = ended(server)
    errors = [error for client in clients for error in client.errors]
    print(f"errors: {len(errors)}{': ' + errors[0] if errors else ''}; traces: {complaints.count('Traceback')}")
    print_table("Memory (MB) and open files", ["time", "server", "workers", "files"], rows)
    print_table("Seconds", ["what" + " " * 12, "number", "median", "95 %", "longest"], latencies(clients))
    counts = sorted(sum(map(len, client.seconds.values())) for client in clients)
    print(f"\nrequests of a client: fewest {counts[0]}, median {statistics.median(counts):g}, most {counts[-1]}")


def steady(count: int, changes: int) -> Iterator[tuple[object, ...]]:
    """The server's memory over many new questions in some workspaces of 8 variables, which are answered in no time."""
    with tempfile.TemporaryDirectory() as folder:
        server = started(Path(folder))
        inputs = {}
        for i in range(count):
            path = server.workspace(f"steady-{i}", [])
            server.ask("POST", f"{path}/changes", {"kind": "set", "field": "effort", "value": "quick"})
            content = ensemble(perturbed(sparse_dag(8, seed=i), 10, seed=i))
            server.ask("PUT", f"{path}/files?name=inputs.json", content)
            inputs[path] = [one["id"] for one in server.ask("GET", path)["question"]["inputs"]]
        rng, paths = random.Random(0), list(inputs)
        for i in range(1, changes + 1):
            path = paths[i % count]
            change = {"kind": "weight", "id": rng.choice(inputs[path]), "weight": str(rng.randrange(1, 100))}
            until_view(server, path, server.ask("POST", f"{path}/changes", change)["revision"], [])
            server.ask("GET", f"{path}/{rng.choice(['disputes', 'history', 'out/minutes'])}")
            if i % (changes // 10) == 0:
                yield f"{i:,}", f"{memory(server.process.pid):.1f}", handles(server.process.pid)
        ended(server)


def latencies(clients: list[Client]) -> Iterator[tuple[object, ...]]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for client in clients:
        for what, seconds in client.seconds.items():
            found[what] += seconds
    for what, values in sorted(found.items()):
        ordered = sorted(values)
        marks = (statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))], ordered[-1])
        yield what, len(ordered), *map(seconds_text, marks)


def clicks(repeats: int) -> Iterator[tuple[object, ...]]:
    """One client: from a change to the view; and how long the server takes for another request meanwhile."""
    cases = {
        "n=37, r=10": perturbed(sparse_dag(37, seed=1), 10, seed=1),
        "n=50, r=50": perturbed(sparse_dag(50, seed=1), 50, seed=1),
        "munin-like, r=20": perturbed(munin_like_dag(1), 20, seed=1),
    }
    for name, dags in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            server = started(Path(folder))
            path = server.workspace("clicks", [])
            server.ask("PUT", f"{path}/files?name=inputs.json", ensemble(dags))
            server.ask("POST", f"{path}/changes", {"kind": "set", "field": "effort", "value": "quick"})
            inputs = [one["id"] for one in server.ask("GET", path)["question"]["inputs"]]
            until_view(server, path, None, [])
            to_view, other = [], list[float]()
            for i in range(repeats if len(dags[0].variables) < 100 else 2):
                begun = time.monotonic()
                change = {"kind": "weight", "id": inputs[i % len(inputs)], "weight": str(2 + i)}
                told = server.ask("POST", f"{path}/changes", change)
                until_view(server, path, told["revision"], other)
                to_view.append(time.monotonic() - begun)
            ended(server)
        yield (
            name,
            len(to_view),
            *(seconds_text(value) for value in (statistics.median(to_view), max(to_view), max(other))),
        )


def until_view(server: Served, path: str, revision: int | None, other: list[float]) -> None:
    address = f"{path}/view" + ("" if revision is None else f"?revision={revision}")
    while True:
        begun = time.monotonic()
        status, found, _ = server.request("GET", address)
        if status == 200:
            return
        other.append(time.monotonic() - begun)
        assert status == 404, found
        time.sleep(0.01)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--clicks", action="store_true", help="one client, several sizes")
    parser.add_argument("--changes", type=int, help="so many new questions, one after the other: memory alone")
    given = parser.parse_args()
    if given.changes:
        rows = steady(given.clients, given.changes)
        print_table("Memory (MB) and open files", ["changes", "server", "files"], rows)
    elif given.clicks:
        columns = ["inputs" + " " * 10, "changes", "median", "longest", "others wait"]
        print_table("From a change to the data of the new view", columns, clicks(20))
    else:
        load(given.clients, given.seconds)


if __name__ == "__main__":
    main()
