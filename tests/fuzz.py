"""Reads mutated files until Ctrl-C: whatever is in a file, `bnfuse.read` gives networks or a BnfuseError, and soon.

    python tests/fuzz.py                        until Ctrl-C
    python tests/fuzz.py --count 200000         so many inputs
    python tests/fuzz.py --seed 7 --only 1234   one input again, the 1234th of that seed

A finding is any other exception, a warning that is not ours, more than some seconds or gigabytes for one input, or a
network that its own format does not give back. Its input is kept in build/fuzz/.
"""

from __future__ import annotations

import argparse
import gzip
import random
import re
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import bnfuse
from bnfuse._errors import BnfuseWarning
from bnfuse.files import bif, edge_list, ensemble, xmlbif

FOLDER = Path(__file__).resolve().parent.parent / "build" / "fuzz"
MEMORY = 4 << 30  # bytes of address space: ten million numbers, the most that a small file may ask for, are far below
REPORT_SECONDS = 10

EXTENSIONS = ("bif", "xmlbif", "json", "csv", "uai")
FREE_EXTENSIONS = ("xml", "txt")  # the content must say what it is
WRITERS = {  # of the formats that hold names: what they write must give the same network again
    "bif": bif.write_text,
    "xmlbif": xmlbif.write_text,
    "json": ensemble.write_text,
    "csv": edge_list.write_text,
}

HAND_WRITTEN = {
    "bif": (
        b"""// a comment
network "odd \\u00e4 \\" name" { property author = somebody; property "x y = z"; }
variable <5 { type discrete [ 3 ] { Asy/Patch, a b, "x,y" }; property position = (1, 2); }
variable "two words" { type discrete[2] { yes no }; }
variable C { type discrete [ 2 ] { t, f }; }
/* default and
   table rows */
probability ( <5 ) { table 0.2 0.3 0.5; }
probability ( "two words" | <5 ) { default 0.25, 0.75; (Asy/Patch) 1e-3, 9.99E-1; }
probability ( C | "two words", <5 ) { table 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4; }
""",
        b"""network unknown { }
variable A { type discrete [ 2 ] { yes, no }; }
variable B { type discrete [ 2 ] { yes, no }; }
probability ( B | A ) { (yes) 0.3334, 0.6667; (no) 1.0, 0.0; }
probability ( A ) { table 0.5, 0.5; }
""",
    ),
    "xmlbif": (
        b"""<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> <!ATTLIST BIF VERSION CDATA #REQUIRED> ]>
<BIF VERSION="0.3"><!-- a comment --><NETWORK><NAME>od\xe4</NAME><PROPERTY>a = b</PROPERTY>
<VARIABLE TYPE="nature"><NAME ESCAPED="yes"> a\\u0009</NAME><OUTCOME>&lt;5</OUTCOME><OUTCOME><![CDATA[<]]></OUTCOME>
<PROPERTY>position = (0, 1)</PROPERTY></VARIABLE>
<VARIABLE><NAME>B</NAME><VALUE>1</VALUE><VALUE>2</VALUE><VALUE>3</VALUE></VARIABLE>
<DEFINITION><FOR ESCAPED="yes"> a\\u0009</FOR><TABLE>.5 <!-- half --> 0.5</TABLE></DEFINITION>
<PROBABILITY><FOR>B</FOR><GIVEN ESCAPED="yes"> a\\u0009</GIVEN><TABLE>1 0 0, 0.2 0.3 0.5</TABLE></PROBABILITY>
</NETWORK></BIF>
""",
        b"""<!DOCTYPE BIF [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>
<BIF><NETWORK><NAME>&b;</NAME></NETWORK></BIF>""",
    ),
    "json": (
        b"""{"note": {"by": ["x", 1, 2.5e3, null, true]}, "variables": ["A", "B c", "\\u00e4", "\\ud83d\\ude00"],
 "networks": [{"name": "one", "edges": [["A", "B c"], ["B c", "\\u00e4"]]}, {"edges": []}]}""",
    ),
    "csv": (b'from,to\r\nA,B\r\n"B, x","C ""q"""\nC,\n\n"two\nlines",A\n', b"\xef\xbb\xbf From , To\nx, y\n"),
    "uai": (b"BAYES\n2\n2 3\n2\n1 0\n2 0 1\n\n2\n 0.5 0.5\n\n6\n 0.2 0.3 0.5\n 1 0 0\n",),
}

TOKENS = [
    *b"network variable probability property type discrete table default unknown from to variables networks".split(),
    *b"edges name BAYES MARKOV <BIF> </BIF> <NETWORK> <VARIABLE> <TABLE> </TABLE> <OUTCOME/> <NAME> &amp; &a;".split(),
    *b"""{ } ( ) [ ] < > </ /> ; , | : " ' \\ // /* */ \\u \\ud800 \\" <!-- --> <![CDATA[ ]]> <?xml""".split(),
    *b"null true NaN Infinity nan inf 0 1 -1 0.5 1e999 -0.0 1e-400 1_0 0x10 1e308 999999999 2147483648".split(),
    *(b" ", b"\n", b"\r", b"\t", b"\x0b", b"\x0c", b"\x00", b"\x1f\x8b", b"\x80", b"\xff\xfe", b"\xef\xbb\xbf", b""),
    *(text.encode() for text in ("ä", "٣", "\u2028", "\u00a0", "😀", "\ufffe")),
    *(b"9" * 5_000, b"0." + b"3" * 5_000, b"1" + b"0" * 400, b"18446744073709551616"),
]
TOKEN = re.compile(rb"\w+|\s+|.", re.S)
NESTINGS = (b"[", b"{", b"(", b'{"a":', b"<a>", b"<NETWORK>", b'"', b"/*", b"\\", b"-", b",", b"(a", b"a|", b" ", b"//")


class TooSlowError(BaseException):
    """Not an Exception: no reader may take it for an error of the file."""


@dataclass(frozen=True)
class Input:
    """A file to be read."""

    content: bytes
    extension: str


def seeds() -> list[Input]:
    """Small valid files of every format, written by bnfuse itself, and odd ones written by hand."""
    dag = bnfuse.DAG(["A", "B", "<5 x", "ä"], [("A", "B"), ("A", "<5 x"), ("B", "<5 x")])
    states = {"A": ("yes", "no"), "B": ("lo/w", "a b", '"'), "<5 x": ("0", "1"), "ä": ("ö",)}
    cpts = {
        "A": [0.1, 0.9],
        "B": [[0.2, 0.3, 0.5], [1 / 3, 1 / 3, 1 / 3]],
        "<5 x": [[[0.5, 0.5]] * 3, [[0.25, 0.75], [1e-7, 1 - 1e-7], [1, 0]]],
        "ä": [1.0],
    }
    plain = bnfuse.DAG(["X1", "X2", "X3"], [("X1", "X2"), ("X3", "X2")])
    networks = [bnfuse.Network(dag, states, cpts, "odd"), bnfuse.Network(plain), bnfuse.Network(bnfuse.DAG(["alone"]))]
    found = []
    for extension in EXTENSIONS:
        for network in networks:
            file = FOLDER / f"seed.{extension}"
            bnfuse.write(network, file, overwrite=True)
            found.append(Input(file.read_bytes(), extension))
            file.unlink()
        found += [Input(content, extension) for content in HAND_WRITTEN[extension]]
    return found


def flip(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def chunk(content: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(content))
    return start, min(len(content), start + rng.choice((1, 2, 8, 40, 200)))


def delete(content: bytes, rng: random.Random) -> bytes:
    start, end = chunk(content, rng)
    return content[:start] + content[end:]


def duplicate(content: bytes, rng: random.Random) -> bytes:
    start, end = chunk(content, rng)
    place = rng.choice((start, end, rng.randrange(len(content) + 1)))
    return content[:place] + content[start:end] * rng.choice((1, 1, 2, 100)) + content[place:]


def truncate(content: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(content) + 1)
    return content[place:] if rng.random() < 0.2 else content[:place]


def nest(content: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(content) + 1)
    return content[:place] + rng.choice(NESTINGS) * rng.choice((2, 40, 2_000, 20_000)) + content[place:]


def swap_tokens(content: bytes, rng: random.Random) -> bytes:
    tokens = TOKEN.findall(content)
    first, second = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[first], tokens[second] = tokens[second], tokens[first]
    return b"".join(tokens)


def replace_token(content: bytes, rng: random.Random) -> bytes:
    """One token, or all that are like it: a variable then has another name everywhere, and the file may stay valid."""
    tokens = TOKEN.findall(content)
    old, new = rng.choice(tokens), rng.choice(TOKENS + tokens)
    if rng.random() < 0.3:
        return b"".join(new if token == old else token for token in tokens)
    place = rng.randrange(len(tokens))
    return b"".join([*tokens[:place], new, *tokens[place + rng.randrange(2) :]])


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(flip, delete, duplicate, truncate, nest, swap_tokens),
    *(replace_token, replace_token, replace_token),
)


def mutated(corpus: list[Input], rng: random.Random) -> Input:
    """An input of the corpus with a few changes, most often under its own extension."""
    source = rng.choice(corpus)
    content, extension = source.content, source.extension
    if rng.random() < 0.1:  # the start of one file and the end of another
        other = rng.choice(corpus).content
        content = content[: rng.randrange(len(content) + 1)] + other[rng.randrange(len(other)) :]
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        if content:
            content = rng.choice(MUTATIONS)(content, rng)
    chance = rng.random()
    if chance < 0.2:
        extension = rng.choice(FREE_EXTENSIONS)
    elif chance < 0.25:
        extension = rng.choice(EXTENSIONS)
    if rng.random() < 0.03:
        packed = gzip.compress(content, 1, mtime=0)
        content = packed if rng.random() < 0.5 else rng.choice((flip, delete, truncate))(packed, rng)
        extension += rng.choice(("", ".gz"))
    return Input(content, extension)


def put(content: bytes, file: Path) -> None:
    """Never waits for the disk, as bnfuse.write does, and truncating a file on some file systems."""
    file.unlink(missing_ok=True)
    file.write_bytes(content)


def read(one: Input) -> str:
    """How reading the input ends: "networks" or "error". Anything else leaves as an exception."""
    file = FOLDER / f"input.{one.extension}"
    put(one.content, file)
    try:
        networks = bnfuse.read(file)
    except bnfuse.BnfuseError as error:
        if len(str(error).splitlines()) != 1:
            raise AssertionError("the message is not one line") from error
        return "error"
    if one.extension in WRITERS:
        check_round_trip(networks, one.extension)
    return "networks"


def check_round_trip(networks: list[bnfuse.Network], extension: str) -> None:
    copy = FOLDER / f"copy.{extension}"
    for network in networks:
        put(WRITERS[extension](network).encode(), copy)
        if bnfuse.read(copy)[0] != network:
            raise AssertionError(f"writing {network!r} and reading it again gives another network")


def inputs(options: argparse.Namespace) -> Iterator[tuple[int, Input]]:
    """The mutated inputs with their numbers. Each depends on the seed and its number only."""
    corpus = seeds()
    number, start = 0, time.monotonic()
    while number != options.count and time.monotonic() - start < options.seconds:
        number += 1
        if options.only is None or number == options.only:
            yield number, mutated(corpus, random.Random(f"{options.seed}/{number}"))
        if number == options.only:
            return


def report(number: int, one: Input, options: argparse.Namespace, slowest: float) -> None:
    """Keep the input of a finding and say how to see it again."""
    traceback.print_exc()
    kept = FOLDER / f"finding-{options.seed}-{number}.{one.extension}"
    kept.write_bytes(one.content)
    print(one.content[:2000].decode(errors="backslashreplace"))
    print(f"\nfinding: input {number} of seed {options.seed}, kept in {kept}; slowest until here: {slowest:.2f} s")


def fuzz(options: argparse.Namespace) -> int:
    """The exit code: 1 at the first finding."""
    done: Counter[str] = Counter()
    slowest, slowest_number = 0.0, 0
    start = said = time.monotonic()
    try:
        for number, one in inputs(options):
            before = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, options.slow)
            try:
                done[read(one)] += 1
            except KeyboardInterrupt:
                raise
            except BaseException:
                signal.setitimer(signal.ITIMER_PROF, 0)
                report(number, one, options, slowest)
                return 1
            signal.setitimer(signal.ITIMER_PROF, 0)
            if (took := time.process_time() - before) > slowest:
                slowest, slowest_number = took, number
            if (now := time.monotonic()) - said > REPORT_SECONDS:
                said = now
                print(f"{done.total():,} inputs, {done.total() / (now - start):,.0f} a second", flush=True)
    except KeyboardInterrupt:
        print()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{done['networks']:,} were networks; slowest {slowest:.2f} s (input {slowest_number}); peak {peak:,} MiB")
    print(f"{done.total():,} inputs, 0 findings")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=-1, help="how many inputs (default: until Ctrl-C)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for how long (default: until Ctrl-C)")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other inputs (default 0)")
    parser.add_argument("--slow", type=float, default=5, help="CPU seconds that one input may take (default 5)")
    parser.add_argument("--only", type=int, help="read only the input with this number")
    options = parser.parse_args()

    def too_slow(*_: object) -> None:
        raise TooSlowError(f"more than {options.slow:g} CPU seconds")

    FOLDER.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGPROF, too_slow)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", BnfuseWarning)
    return fuzz(options)


if __name__ == "__main__":
    sys.exit(main())
