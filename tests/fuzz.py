"""Reads mutated files until Ctrl-C: whatever is in a file, a reader gives what it promises or a BnfuseError, and soon.

Networks of all formats (`bnfuse.read`), saved results (`Consensus.load`), tallies (`Tally.load`) and data (`as_data`).

    python tests/fuzz.py                        until Ctrl-C
    python tests/fuzz.py --count 200000         so many inputs
    python tests/fuzz.py --seed 7 --only 1234   one input again, the 1234th of that seed
    python tests/fuzz.py --kinds net,dsl        files of these kinds only

A finding is any other exception, a warning that is not ours, more than some seconds or gigabytes for one input, or
something read that does not come back the same when it is written again. Its input is kept in build/fuzz/.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import importlib.util
import io
import os
import random
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import bnfuse
from bnfuse import files
from bnfuse.data.data import Data, as_data
from bnfuse.errors import BnfuseWarning
from bnfuse.files import bif, dagitty, edge_list, ensemble, gaussian, model_string, net_dsl, tetrad, uai, xdsl, xmlbif
from bnfuse.graphs.interop.pyagrum import reader, texts

FOUND = Path(__file__).resolve().parent.parent / "build" / "fuzz"
_SCRATCH = tempfile.TemporaryDirectory(prefix="bnfuse-fuzz-")  # of this run alone: several may run at a time
FOLDER = Path(_SCRATCH.name)
MEMORY = 4 << 30  # bytes of address space: ten million numbers, the most that a small file may ask for, are far below
REPORT_SECONDS = 10

BY_PYAGRUM = ("net", "dsl") if importlib.util.find_spec("pyagrum") else ()
NUMBERS, PGMPY = "numbers.json", "pgmpy.json"
NETWORKS = ("bif", "xmlbif", "json", "csv", "uai", "xdsl", "dagitty", "tetrad", "modelstring", *BY_PYAGRUM)
SAVED, TALLY, DATA, NUMPY = "saved.json", "tally", "data.csv", "npy"
KINDS = (*NETWORKS, NUMBERS, PGMPY, SAVED, TALLY, DATA, NUMPY)
FREE_EXTENSIONS = ("xml", "txt")  # the content must say what it is
WRITERS = {  # what they write must give the same network again
    "bif": bif.write_text,
    "xmlbif": xmlbif.write_text,
    "json": ensemble.write_text,
    "csv": edge_list.write_text,
    "uai": uai.write_text,
    "xdsl": xdsl.write_text,
    "dagitty": dagitty.write_text,
    "tetrad": tetrad.write_text,
    "modelstring": model_string.write_text,
    "net": net_dsl.write_net,
    "dsl": net_dsl.write_dsl,
}
PICKY = ("xdsl", "dagitty", "tetrad", "modelstring", *BY_PYAGRUM)  # cannot hold every name
SECONDS_OF_PYAGRUM = 1.0  # for one file: it can be busy for minutes with a broken one, and is then stopped
STATES = {"A": ("yes", "no"), "B": ("lo/w", "a b", '"')}


def numpy_file(matrix: list[list[float]]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.array(matrix))
    return stream.getvalue()


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
    "csv": (
        b'from,to\r\nA,B\r\n"B, x","C ""q"""\nC,\n\n"two\nlines",A\n',
        b"\xef\xbb\xbf From , To\nx, y\n",
        b"from,to,type\nA,B,-->\nB,C,---\nD,,\n",
        b'"","from","to","strength","direction"\n"1","A","B",0.75,0.666666666666667\n"2","B","A",0.75,0.333333333333333\n',
        b"from,to,count,of,networks\nA,B,3,10,1\nB,A,2,10,1\nC,,,,\n",
        b"from;to;probability\nA;B;0.25\n",
        b",A,B,C\nA,0,0.5,1e-3\nB,0.25,0,1\nC,0,0,0\n",
        b"A,B\nA,0,1\nB,1,0\n",
    ),
    "dagitty": (
        b"""dag {
bb="-3,-2,4,5"
"a b" [exposure,pos="-1.5,0.25"]
Y [outcome,label="y \\"q\\""]
U [latent]
{"a b" U} -> Y ; X -> {Z -> W} <- U // why
}
""",
        b"pdag { A -> B <- C -- D }",
    ),
    "tetrad": (
        b"Graph Nodes:\nA;B c;D\n\nGraph Edges:\n1. A --> B c dd nl\n2. D --- A [A --- D]:0.9;\n\nAttributes:\nx: 1\n",
    ),
    "modelstring": (b"[A][C][B|A:C][D x|B]\n", b'[1] "[A][B|A]"\n'),
    NUMPY: (numpy_file([[0, 1, 0], [0, 0, 1], [0, 0, 0]]), numpy_file([[0, 0.5], [0.25, 0]])),
    "uai": (b"BAYES\n2\n2 3\n2\n1 0\n2 0 1\n\n2\n 0.5 0.5\n\n6\n 0.2 0.3 0.5\n 1 0 0\n",),
    "xdsl": (
        b"""<?xml version="1.0" encoding="ISO-8859-1"?><!-- GeNIe -->
<smile version="1.0" id="n" numsamples="1000"><nodes>
<cpt id="A" target="true"><state id="a"/><state id="b" default="true"/><probabilities>0.2 0.8</probabilities>
<property id="x">y</property></cpt><cpt id="B"><state id="\xe4"/><state id="2"/><state id="3"/><parents>A</parents>
<probabilities>1 0 0 .2 .3 .5</probabilities></cpt><deterministic id="D"><state id="x"/><state id="y"/>
<parents>B A</parents><resultingstates>x y x y x y</resultingstates></deterministic></nodes>
<extensions><genie version="1.0"><node id="A"><name>a b</name><position>1 2 3 4</position></node></genie></extensions>
</smile>
""",
        b"""<smile><nodes><noisymax id="A"><state id="a"/><state id="b"/></noisymax></nodes></smile>""",
    ),
    "net": (
        """net { node_size = (80 40); }
node Größe { label = "how large"; states = ("<5" "5 - 10" "größer"); position = (1 2); }
node B { states = ("no" "yes"); HR_x = "y"; }
potential (Größe) { data = (0.2 0.3 0.5); }
potential (B | Größe) { data = ((0.1 0.9)(0.2 0.8)(0.3 0.7)); % rows
}
""".encode(),
        b"""class Pair { inputs = (); outputs = (); node A { states = (a b); } potential (A) { data = (0.5 0.5); } }""",
    ),
    "dsl": (
        b"""net small
{
 HEADER = { ID = small; NAME = "small"; }; // a comment
 node A { TYPE = CPT; HEADER = { ID = A; NAME = "A"; }; PARENTS = ();
  DEFINITION = { NAMESTATES = (a, b, c); PROBABILITIES = (0.25, 0.5, 0.25); }; };
 node B { TYPE = CPT; HEADER = { ID = B; NAME = "B"; }; PARENTS = (A);
  DEFINITION = { NAMESTATES = (a, b); PROBABILITIES = (0.25, 0.75, 1, 0, .5, .5); }; };
};
""",
    ),
    NUMBERS: (
        b"""{"kind": "bnfuse Gaussian networks", "version": 1, "note": [1, null],
 "networks": [{"name": "one", "variables": {"A": {"intercept": 5e1, "sd": 0}, "B \\u00e4": {"intercept": -1, "sd": 2.5,
 "parents": {"A": 0.5}}}}, {"variables": {"A": {"intercept": 1e300, "sd": 1e-300}}}]}""",
    ),
    PGMPY: (
        b"""{"nodes": ["B", "A"], "arcs": [["A", "B"]], "cpds": {"A": {"coefficients": {"(Intercept)": [1.5]},
 "variance": [0.5], "parents": []}, "B": {"coefficients": {"(Intercept)": [2], "A": [-0.25]}, "variance": 4}}}""",
    ),
    DATA: (
        b'A;B\nyes;"lo/w"\nno;NA\n?;a b\n',
        b"\xef\xbb\xbfA,B\r\nyes,a b\r\n,\r\nno,lo/w\r\n",
        b"A\tB\n1\t2\n10\t1.0\n",
    ),
    TALLY: (),
    SAVED: (),
}

TOKENS = [
    *b"network variable probability property type discrete table default unknown from to variables networks".split(),
    *b"type strength direction count of probability --> --- <-> o-> -> -- dag pdag [A] [B|A] Nodes: Edges:".split(),
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
    """Small valid files of every kind, written by bnfuse itself, and odd ones written by hand."""
    found = [Input(content, kind) for kind in KINDS for content in HAND_WRITTEN[kind]]
    for kind in NETWORKS:
        for network in example_networks(plain=kind in PICKY):
            file = FOLDER / f"seed.{kind}"
            bnfuse.write(network, file, overwrite=True, placeholders=True)
            found.append(Input(file.read_bytes(), kind))
            file.unlink()
    file = FOLDER / "seed"
    counted = bnfuse.Tally(["A", "B", "ä"])
    counted.add(bnfuse.DAG(["A", "B", "ä"], [("A", "B"), ("ä", "B")]), 3)
    counted.save(file, overwrite=True)
    found.append(Input(file.read_bytes(), TALLY))
    Data(("A", "B"), STATES, np.array([[0, 2], [-1, 1], [1, 0]], np.int8)).write(FOLDER / "seed.csv", overwrite=True)
    found.append(Input((FOLDER / "seed.csv").read_bytes(), DATA))
    for method in ("direct", "genetic", "majority"):
        networks = [*example_networks(plain=True)[:1]] * 2
        forbidden = [("C", "A")] if method == "direct" else []
        result = bnfuse.consensus(networks, max_clique=3, method=method, seed=1, forbidden=forbidden)
        result.save(file, overwrite=True)
        found.append(Input(file.read_bytes(), SAVED))
    bnfuse.consensus([counted], max_clique=3).save(file, overwrite=True)
    found.append(Input(file.read_bytes(), SAVED))
    return found


def example_networks(plain: bool) -> list[bnfuse.Network]:
    """With two parents of different sizes; without tables; of one variable. Not all formats hold odd names."""
    names = ["A", "B", "C", "D"] if plain else ["A", "B", "<5 x", "ä"]
    labels = [("yes", "no"), ("low", "mid", "high"), ("a0", "a1"), ("o", "p")]
    if not plain:
        labels[1:] = [("lo/w", "a b", '"'), ("0", "1"), ("ö",)]
    states = dict(zip(names, labels, strict=True))
    a, b, c, d = names
    cpts = {
        a: [0.1, 0.9],
        b: [[0.2, 0.3, 0.5], [1 / 3, 1 / 3, 1 / 3]],
        c: [[[0.5, 0.5]] * 3, [[0.25, 0.75], [1e-7, 1 - 1e-7], [1, 0]]],
        d: [1.0] if not plain else [0.5, 0.5],
    }
    odd = bnfuse.Network(bnfuse.DAG(names, [(a, b), (a, c), (b, c)]), states, cpts, "odd")
    collider = bnfuse.DAG(["X1", "X2", "X3"], [("X1", "X2"), ("X3", "X2")])
    return [odd, bnfuse.Network(collider), bnfuse.Network(bnfuse.DAG(["alone"]))]


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
    if extension in (*NETWORKS, NUMBERS, PGMPY) and chance < 0.2:
        extension = rng.choice(FREE_EXTENSIONS)
    elif chance < 0.25:
        extension = rng.choice(corpus).extension
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
    """How reading the input ends: "read" or "error". Anything else leaves as an exception."""
    file = FOLDER / f"input.{one.extension}"
    put(one.content, file)
    kind = one.extension.removesuffix(".gz")
    try:
        if kind == TALLY:
            check_tally(bnfuse.Tally.load(file))
        elif kind == DATA:
            read_data(file)
        elif kind == SAVED:
            check_saved(bnfuse.Consensus.load(file))
        else:
            networks = bnfuse.read(file, cyclic="votes")
            check_numbers(networks)
            if kind in WRITERS:
                check_round_trip(networks, kind)
    except bnfuse.BnfuseError as error:
        if len(str(error).splitlines()) != 1:
            raise AssertionError("the message is not one line") from error
        if re.search(r"std::|\.cpp\b", str(error).removeprefix(str(file))):
            raise AssertionError("the message speaks of somebody else's insides") from error
        return "error"
    return "read"


def check_round_trip(networks: list[files.Input], extension: str) -> None:
    copy = FOLDER / f"copy.{extension}"
    for network in networks:
        try:
            put(WRITERS[extension](network).encode(), copy)
        except bnfuse.BnfuseError:
            if extension in PICKY:
                continue
            raise AssertionError(f"{network!r} was read and cannot be written") from None
        again = bnfuse.read(copy)[0]
        if extension == "json":  # a saved consensus may have tables, an ensemble has none
            same = again.dag == network.dag
        elif extension in BY_PYAGRUM:  # which keep six digits
            same = (again.dag, again.states) == (network.dag, network.states)
        else:
            same = again == network
        if not same:
            raise AssertionError(f"writing {network!r} and reading it again gives another network")


def check_numbers(networks: list[files.Input]) -> None:
    """A Gaussian network comes back to the last bit, and answers or says why not."""
    for network in networks:
        if isinstance(network, bnfuse.GaussianNetwork):
            if gaussian.read_text(gaussian.write_text(network), "copy") != [network]:
                raise AssertionError(f"writing {network!r} and reading it again gives another network")
            with contextlib.suppress(bnfuse.BnfuseError):
                network.query(network.variables[0], dict.fromkeys(network.variables[1:], 1.0))


def check_tally(tally: bnfuse.Tally) -> None:
    copy = FOLDER / "copy.tally"
    copy.unlink(missing_ok=True)
    tally.save(copy)
    if bnfuse.Tally.load(copy) != tally:
        raise AssertionError(f"writing {tally!r} and reading it again gives another tally")


def check_saved(result: bnfuse.Consensus) -> None:
    """What was loaded can be shown, and saved again."""
    copy = FOLDER / "copy.saved.json"
    copy.unlink(missing_ok=True)
    repr(result)
    result.save(copy)
    first = copy.read_bytes()
    bnfuse.Consensus.load(copy).save(copy)
    if copy.read_bytes() != first or bnfuse.read(copy)[0] != result.network:
        raise AssertionError("saving it and loading it again gives another consensus")


def read_data(file: Path) -> None:
    """With the states of a network, and with those that occur."""
    errors = []
    for states in (STATES, None):
        try:
            data = as_data(file, ("A", "B"), states)
            if data.codes.min() < -1 or any(data.column(v).max() >= len(data.states[v]) for v in data.variables):
                raise AssertionError("a code that is not a state")
        except bnfuse.BnfuseError as error:
            errors.append(error)
    if len(errors) == 2:
        raise errors[0]


def run_forked(kind: str, file: Path, answer: Path, size: int) -> None:
    """What `texts._run` does, without a new interpreter for each file: pyAgrum is in memory already."""
    child = os.fork()
    if child == 0:
        code = 1
        with contextlib.suppress(BaseException):
            signal.setitimer(signal.ITIMER_PROF, 0)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            reader.main(kind, str(file), str(answer), str(MEMORY))
            code = 0
        os._exit(code)
    with open(os.pidfd_open(child), "rb", buffering=0) as ended:
        finished = select.select([ended], [], [], SECONDS_OF_PYAGRUM)[0]
        if not finished:
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    if status:
        raise subprocess.SubprocessError


def inputs(options: argparse.Namespace) -> Iterator[tuple[int, Input]]:
    """The mutated inputs with their numbers. Each depends on the seed and its number only."""
    corpus = [one for one in seeds() if one.extension in options.kinds]
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
    FOUND.mkdir(parents=True, exist_ok=True)
    kept = FOUND / f"finding-{options.seed}-{number}.{one.extension}"
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
    print(f"{done['read']:,} could be read; slowest {slowest:.2f} s (input {slowest_number}); peak {peak:,} MiB")
    print(f"{done.total():,} inputs, 0 findings")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=-1, help="how many inputs (default: until Ctrl-C)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for how long (default: until Ctrl-C)")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other inputs (default 0)")
    parser.add_argument("--slow", type=float, default=5, help="CPU seconds that one input may take (default 5)")
    parser.add_argument("--only", type=int, help="read only the input with this number")
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=KINDS, help=f"of {','.join(KINDS)}")
    options = parser.parse_args()
    if BY_PYAGRUM:
        importlib.import_module("pyagrum")
        texts._run = run_forked

    def too_slow(*_: object) -> None:
        raise TooSlowError(f"more than {options.slow:g} CPU seconds")

    os.fsync = lambda _: None  # whole files matter here, not power cuts
    signal.signal(signal.SIGPROF, too_slow)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", BnfuseWarning)
    with _SCRATCH:
        return fuzz(options)


if __name__ == "__main__":
    sys.exit(main())
