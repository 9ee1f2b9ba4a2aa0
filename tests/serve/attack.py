"""Attacks a server on this machine: hostile files, broken and forged requests, floods, clients that hang.

    python tests/serve/attack.py                 1,000 hostile uploads, and as many requests of each kind
    python tests/serve/attack.py --count 5000 --seed 7

It must answer each upload with a network or one clear line, serve nothing without the token, and be well afterwards.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import socket
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import bombs
from bombs import SCRIPT
from serving import Served, ended, started

import fuzz

ALLOWED = {200, 413, 422, 429, 503}
ODD_NAMES = (
    "../../etc/passwd",
    "a\0b",
    SCRIPT,
    "x" * 5_000,
    "CON",
    ".",
    "",
    "\u202etxt.bif",
    "a;b",
    "'; DROP TABLE files; --",
)
_EACH = 25  # uploads into one workspace


def workspace(server: Served, number: int) -> str:
    server.ask("POST", "/api/workspaces", {"name": f"attack {number}"}, 201)
    return f"/api/workspaces/attack%20{number}"


def upload(server: Served, path: str, one: fuzz.Input, rng: random.Random) -> int:
    """Send one file; the answer must be one of those that are allowed, and soon."""
    name = rng.choice(ODD_NAMES) if rng.random() < 0.05 else f"{rng.randrange(10**6)}.{one.extension}"
    begun = time.monotonic()
    status, found, _ = server.request("PUT", f"{path}/files?name={quote(name)}", one.content)
    assert status in ALLOWED, (status, found)
    assert time.monotonic() - begun < 70, "too slow"
    if status != 200:
        assert list(found) == ["error"]
        assert len(found["error"].splitlines()) == 1
        assert "a bug in bnfuse" not in found["error"], found
    return status


def hostile_uploads(server: Served, count: int, rng: random.Random) -> Counter[int]:
    """The fuzzer's files, and some that are names all over."""
    corpus = [
        *fuzz.seeds(),
        *(fuzz.Input(one.content.replace(b"A", SCRIPT.encode()), one.extension) for one in fuzz.seeds()),
    ]
    seen: Counter[int] = Counter()
    path = ""
    for i in range(count):
        if i % _EACH == 0:
            path = workspace(server, i // _EACH)
        seen[upload(server, path, hostile_file(corpus, rng), rng)] += 1
        if i % _EACH == _EACH - 1:
            look_around(server, path)
    return seen


def hostile_file(corpus: list[fuzz.Input], rng: random.Random) -> fuzz.Input:
    """One that is broken, or one in ten that is made to hurt."""
    if rng.random() >= 0.1:
        return fuzz.mutated(corpus, rng)
    ending, content = bombs.file(rng)
    return fuzz.Input(content, ending)


def look_around(server: Served, path: str) -> None:
    """All that can be read of a workspace answers, whatever is in it."""
    found = server.ask("GET", path)
    for part in ("view", "disputes", "history", "out/minutes", "out/report", "out/command"):
        status, text, headers = server.request("GET", f"{path}/{part}")
        assert status in (200, 404, 422, 503), (part, status, text)
        if headers.get("content-type", "").startswith("text/html"):
            assert SCRIPT.encode() not in text
            assert "attachment" in headers["content-disposition"]
    assert isinstance(found["question"]["inputs"], list)


def requests(server: Served, path: str) -> list[bytes]:
    """Valid ones, to be broken; of each kind with and without the token."""
    body = b'{"kind": "set", "field": "max_clique", "value": 3}'
    stranger = {"Authorization": "Bearer x"}
    found = []
    for more in ({}, stranger):
        found += [
            server.head("GET", path, **more),
            server.head("GET", f"{path}/view", **more),
            server.head("POST", "/", Content_Length="49", **more)
            + b"token="
            + (b"x" * 43 if more else server.token.encode()),
            server.head("POST", f"{path}/changes", Content_Length=str(len(body)), **more) + body,
            server.head("POST", f"{path}/changes", Transfer_Encoding="chunked", **more) + b"5\r\nhello\r\n0\r\n\r\n",
            server.head("PUT", f"{path}/files?name=a.csv", Content_Length="13", **more) + b"from,to\nA,B\n\n",
            server.head("GET", f"{path}/rounds/1..2", Cookie="a=b; " * 50, **more),
        ]
    return found


def hostile_requests(server: Served, count: int, rng: random.Random) -> Counter[str]:
    """Broken HTTP. What has lost its token must not get anything."""
    path = workspace(server, 10**6)
    valid = requests(server, path)
    seen: Counter[str] = Counter()
    for _ in range(count):
        content = rng.choice(valid)
        for _ in range(rng.choice((1, 1, 2, 5))):
            content = rng.choice(fuzz.MUTATIONS)(content or b"x", rng)
        answer = one_answer(server, content)
        line = answer.split(b"\r\n", 1)[0].decode("latin-1")
        assert not answer or re.match(r"HTTP/1\.1 [1-5]\d\d ", line), answer[:100]
        assert not line.startswith("HTTP/1.1 500"), answer
        if server.token.encode() not in content and line.startswith(("HTTP/1.1 2", "HTTP/1.1 3")):
            assert is_only_a_page(answer), (content, answer)
        seen[line[9:12] or "closed"] += 1
    return seen


def is_only_a_page(answer: bytes) -> bool:
    """The same for everybody, with nothing of a workspace, and no key."""
    return b"content-type: text/html" in answer.lower() and b"&quot;key&quot;" not in answer


def forged_requests(server: Served, path: str, count: int, rng: random.Random) -> Counter[str]:
    """Forged names, sites, tokens and cookies, floods and false lengths: none of them gets or changes anything."""
    before = server.ask("GET", path)["revision"]
    seen: Counter[str] = Counter()
    for i in range(count):
        make = (bombs.forged, bombs.forged, bombs.wrong_lengths, bombs.flood)[i % 4]
        content = make(server, path, rng)
        answer = one_answer(server, content)
        line = answer.split(b"\r\n", 1)[0].decode("latin-1")
        is_page = is_only_a_page(answer) and line.startswith("HTTP/1.1 200")
        assert not answer or is_page or line.startswith(("HTTP/1.1 4", "HTTP/1.1 100")), (content[:500], answer)
        assert b"set-cookie" not in answer.lower()
        seen[line[9:12] or "closed"] += 1
    assert server.ask("GET", path)["revision"] == before, "somebody got in"
    return seen


def one_answer(server: Served, content: bytes) -> bytes:
    """What comes back at first; a server that waits for more gets no more."""
    with server.connected() as connection:
        with contextlib.suppress(OSError):
            connection.sendall(content)
            connection.shutdown(socket.SHUT_WR)
        connection.settimeout(20)
        with contextlib.suppress(OSError):
            return connection.recv(4096)
    return b""


def hanging_clients(server: Served, path: str) -> list[socket.socket]:
    """Half-open streams of events, headers and bodies that never end, and readers that do not read."""
    found = []
    for i in range(60):
        connection = server.connected()
        kind = i % 4
        if kind == 0:
            connection.sendall(server.head("GET", f"{path}/events"))
            connection.shutdown(socket.SHUT_WR)
        elif kind == 1:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
        elif kind == 2:
            connection.sendall(server.head("PUT", f"{path}/files?name=a", Content_Length="1000000") + b"x")
        else:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            connection.sendall(server.head("GET", f"{path}/events"))
        found.append(connection)
    for i in range(300):  # strangers, more than may wait
        connection = server.connected()
        with contextlib.suppress(OSError):
            connection.sendall((b"", b"GET / HTTP/1.1\r\nHost: ")[i % 2])
        found.append(connection)
    return found


def attack(server: Served, count: int, rng: random.Random) -> dict[str, Any]:
    """All of it; what was seen."""
    path = server.workspace("victim")
    server.decided(path)  # nothing is searched any more
    before = server.answered(path)
    hanging = hanging_clients(server, path)
    uploads = hostile_uploads(server, count, rng)
    broken = hostile_requests(server, count, rng)
    forged = forged_requests(server, path, count, rng)
    for connection in hanging:
        connection.close()
    after = server.answered(path)
    assert (after["question"], after["answer"]) == (before["question"], before["answer"]), "somebody else was harmed"
    assert server.process.poll() is None
    return {"uploads": dict(uploads), "requests": dict(broken), "forged": dict(forged)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = started(Path(folder))
        try:
            begun = time.monotonic()
            print(attack(server, given.count, random.Random(given.seed)), f"{time.monotonic() - begun:.0f} s")
        finally:
            complaints = ended(server)
        assert "Traceback" not in complaints, complaints


if __name__ == "__main__":
    main()
