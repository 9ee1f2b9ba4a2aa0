"""Files and requests that are made to hurt a server: small ones that grow, floods, false lengths, forged names."""

from __future__ import annotations

import gzip
import random
from functools import cache

from serving import Served

SCRIPT = "<script>alert(1)</script>"
_ZEROS = 300 << 20  # more than a server unpacks


def _net_bomb() -> bytes:
    """A table of two to the power of 61 numbers, in a small file."""
    names = [f"X{i}" for i in range(61)]
    nodes = "".join(f'node {name} {{ states = ("a" "b"); }}\n' for name in names)
    return f"net {{ }}\n{nodes}potential (X0 | {' '.join(names[1:])}) {{ data = (0.5 0.5); }}\n".encode()


@cache
def files() -> list[tuple[str, bytes]]:
    """By the endings of their names."""
    flat = gzip.compress(bytes(_ZEROS), 9)
    levels = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    laughs = f'<?xml version="1.0"?><!DOCTYPE BIF [<!ENTITY e0 "ha">{levels}]><BIF><NETWORK>&e9;</NETWORK></BIF>'
    outside = '<?xml version="1.0"?><!DOCTYPE BIF [<!ENTITY x SYSTEM "file:///etc/passwd">]><BIF>&x;</BIF>'
    part = b'--x\r\nContent-Disposition: form-data; name="a"; filename="../../a"\r\nContent-Type: a/b\r\n\r\nA\r\n'
    return [
        ("csv.gz", flat),
        ("bif.gz", gzip.compress(flat, 9)),
        ("json.gz", gzip.compress(b"{") * 20_000),
        ("csv.gz", gzip.compress(gzip.compress(gzip.compress(bytes(1 << 24))))),
        ("net", _net_bomb()),
        ("bif.gz", flat[:1000]),
        ("tally.gz", gzip.compress(b'{"kind":"bnfuse tally"') + flat),
        ("bif", part * 20_000 + b"--x--\r\n"),
        ("xmlbif", laughs.encode()),
        ("xdsl", laughs.replace("BIF", "smile").encode()),
        ("xmlbif", outside.encode()),
        ("xdsl", ("<smile>" * 200_000).encode()),
        ("json", b"[" * 2_000_000),
        ("json", b'{"variables":' + b"[" * 500_000),
        ("json", b'{"variables": [' + b",".join(b'"%d"' % i for i in range(200_000)) + b'], "networks": []}'),
        ("json", b'{"variables": ["A"], "networks": [' + b'{"edges": []},' * 300_000 + b'{"edges": []}]}'),
        ("bif", b"network n { }\nvariable A { type discrete [ 999999999 ] { a, b }; }\n"),
        ("bif", b"network n { }\nvariable A { type discrete [ 20000 ] { " + b"a, " * 19_999 + b"a }; }\n"),
        ("uai", b"BAYES\n3\n99999 99999 99999\n3\n1 0\n2 0 1\n3 0 1 2\n"),
        ("csv", b",".join(b"c%d" % i for i in range(100_000)) + b"\n"),
        ("csv", b"from,to\n" + b"A,B\n" * 1_000_000),
        ("parquet", b"PAR1" + bytes(1_000) + b"\xff\xff\xff\x7fPAR1"),
        ("bif", b"PK\x03\x04" + bytes(10_000)),
        ("json", b'{"kind":"bnfuse tally","variables":["A"],"arcs":[[1e308]],"seen":1e999}'),
        ("bif", b"\xff\xfe" + "network".encode("utf-16-le") * 1_000),
    ]


def file(rng: random.Random) -> tuple[str, bytes]:
    """One of them, and the ending of its name."""
    return rng.choice(files())


def wrong_lengths(server: Served, path: str, rng: random.Random) -> bytes:
    """A file whose length is not what its head says, or of which two heads say two things."""
    body = b"from,to\nA,B\n"
    given = [
        {"Content_Length": str(len(body) + rng.randrange(1, 99))},
        {"Content_Length": "-1"},
        {"Content_Length": "1e3"},
        {"Content_Length": str(1 << 63)},
        {"Content_Length": str(len(body)), "Transfer_Encoding": "chunked"},
        {"Transfer_Encoding": "chunked"},
        {"Transfer_Encoding": "gzip, chunked"},
        {"Transfer_Encoding": "identity", "Content_Length": "3"},
        {"Expect": "100-continue", "Content_Length": "70000000"},
    ]
    return server.head("PUT", f"{path}/files?name=a.csv", **rng.choice(given)) + body


def flood(server: Served, path: str, rng: random.Random) -> bytes:
    """More lines before a request than anybody reads."""
    lines = [b"X-%d: %s\r\n" % (i, b"y" * rng.randrange(50)) for i in range(rng.randrange(1_500, 5_000))]
    long = b"X: " + b"y" * rng.randrange(40_000, 400_000) + b"\r\n"
    folded = b"X: a\r\n" + b" b\r\n" * 20_000
    start = server.head("GET", path).removesuffix(b"\r\n")
    return start + rng.choice([b"".join(lines), long, folded]) + b"\r\n"


def forged(server: Served, path: str, rng: random.Random) -> bytes:
    """Somebody who has no token, or comes under another name or from another site."""
    own = f"127.0.0.1:{server.port}"
    cookie = f"bnfuse-{server.port}"
    token, other = server.token, "".join(rng.sample("abcdefghijklmnopqrstuvwxyz", 20))
    lies = [
        {"Host": f"{other}.example:{server.port}"},
        {"Host": f"127.0.0.1.{other}.example:{server.port}"},
        {"Host": f"{own}@{other}.example"},
        {"Host": f"[::ffff:{other}]:{server.port}"},
        {"Origin": f"http://{other}.example"},
        {"Origin": "null"},
        {"Origin": f"http://{own}.{other}.example"},
        {"Origin": f"http://127.0.0.1:{server.port - 1}"},
        {"Authorization": f"Bearer {token[:-1]}"},
        {"Authorization": f"Bearer {other}"},
        {"Authorization": f"Basic {token}"},
        {"Authorization": token},
        {"Authorization": "x", "Cookie": f"{cookie}={token}"},
        {"Authorization": "Bearer " + "0" * 96},
        {"Authorization": "x", "Cookie": f"{cookie}={other}; {cookie}={token}"},
        {"Authorization": "x", "X_Forwarded_For": "127.0.0.1", "X_Real_IP": "127.0.0.1"},
        {"Authorization": "x", "Cookie": f'{cookie}="{other}'},
    ]
    method, target = rng.choice(
        [("GET", path), ("GET", "/"), ("POST", f"{path}/undo"), ("PUT", f"{path}/files?name=a.csv"), ("DELETE", path)]
    )
    return server.head(method, target, **{"Content_Length": "0", "Connection": "close", **rng.choice(lies)})
