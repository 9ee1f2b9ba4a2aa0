"""Files that the readers of the empty page must take as the Python readers do, and what both make of them."""

import json
import random
import warnings
from base64 import b64encode
from functools import cache
from pathlib import Path

import numpy as np

import bnfuse
import fuzz
from bnfuse import files
from bnfuse.errors import BnfuseWarning
from bnfuse.graphs.network import Network

KINDS = ("bif", "xmlbif", "xdsl", "csv", "json")
"""extensions of the formats that the page reads"""
PROGRAM = "installed program"
"""what a message names where the page does less than Python"""

READ = """async cases => {
    const { readFile } = await import("/read-file.js");
    const { ReadingError } = await import("/reading-error.js");
    const read = async ([name, content]) => {
        try {
            const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt());
            const { networks, warnings } = await readFile(name, bytes);
            const plain = (tables) => tables && tables.map((own) => [...own]);
            return { networks: networks.map((one) => ({ ...one, tables: plain(one.tables) })), warnings };
        } catch (error) {
            if (error instanceof ReadingError) return { error: error.message };
            throw error;
        }
    };
    const read_files = [];
    for (const one of cases) read_files.push(await read(one));
    return JSON.stringify(read_files);
}"""


@cache
def seeds():
    """Files of the fuzzer in the formats that the page reads: written by bnfuse, and odd ones written by hand."""
    found = [fuzz.Input(content, kind) for kind in KINDS for content in fuzz.HAND_WRITTEN[kind]]
    for kind in KINDS:
        networks = fuzz.example_networks(plain=kind in fuzz.PICKY)
        found += [fuzz.Input(fuzz.WRITERS[kind](network).encode(), kind) for network in networks]
    return found


def mutated(count, seed):
    """So many of them with a few changes, most of which no reader takes."""
    corpus = seeds()
    return [fuzz.mutated(corpus, random.Random(f"{seed}/{number}")) for number in range(count)]


def in_javascript(page, cases):
    """What the modules make of (name, content) pairs, in a page that serves them."""
    packed = [(name, b64encode(content).decode()) for name, content in cases]
    return json.loads(page.evaluate(READ, packed))


def in_python(name, content, folder):
    """What Python makes of a file: its networks, or the message."""
    file = Path(folder) / name
    file.write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BnfuseWarning)
        try:
            return files.read_apart(file)[0]
        except bnfuse.BnfuseError as error:
            return str(error).replace(f"{folder}/", "")
        finally:
            file.unlink()


def difference(found, expected):
    """How the page's answer differs from Python's, in a few words; None if it does not.

    Votes and edges without a direction, which Python reads, must be refused with the way out.
    """
    if isinstance(expected, str):
        return None if "error" in found else f"was read, where Python says {expected}"
    if not all(isinstance(one, Network) for one in expected):
        return None if PROGRAM in found.get("error", "") else "should name the installed program"
    if "error" in found:
        return f"was refused: {found['error']}"
    if len(found["networks"]) != len(expected):
        return "has another number of networks"
    return next(filter(None, map(_differing, found["networks"], expected)), None)


def _differing(found, network):
    states = None if network.states is None else [list(network.states[name]) for name in network.variables]
    parts = {
        "name": network.name,
        "variables": list(network.variables),
        "arcs": network.dag.arc_numbers.tolist(),
        "states": states,
    }
    for part, expected in parts.items():
        if whole(found[part]) != whole(expected):
            return f"{part}: {found[part]!r}, not {expected!r}"
    if network.cpts is None or found["tables"] is None:
        return None if found["tables"] is network.cpts is None else "tables: only one has them"
    for name, table in zip(network.variables, found["tables"], strict=True):
        expected = network.cpts[name].reshape(-1)
        if len(table) != len(expected) or not np.allclose(table, expected, rtol=1e-14, atol=0):
            return f"the table of {name!r}"
    return None


def whole(value):
    """The same with two halves of a character as the character that JavaScript takes them for."""
    if isinstance(value, list):
        return [whole(one) for one in value]
    return (
        value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") if isinstance(value, str) else value
    )
