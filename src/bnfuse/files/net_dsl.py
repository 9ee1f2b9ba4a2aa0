"""NET (Hugin) and DSL (older GeNIe) files, which pyAgrum reads.

In addition to pyAgrum, this module checks the number of values and the sum of each row, keeps non-ASCII letters when
reading, and refuses to write a network that pyAgrum would read back differently. Files are written with all digits, of
which pyAgrum keeps seven when it reads them. Neither format can mark placeholder tables in a way that pyAgrum keeps.
"""

from __future__ import annotations

import re
from collections import Counter
from graphlib import TopologicalSorter
from typing import Any

import numpy as np

from bnfuse._base.disk import MARK
from bnfuse._base.optional import require
from bnfuse.errors import FileError, GraphError
from bnfuse.files import _tables
from bnfuse.graphs.interop.pyagrum import texts
from bnfuse.graphs.interop.pyagrum.models import arranged
from bnfuse.graphs.network import Network, Table, normalised

_SIX_DIGITS = 1e-5  # a row this far from 1 is renormalised silently: six digits explain it
_PLACE = re.compile(r"^[^\n]*?:(\d+): (\d+) : error : (?:Syntax error : )?([^\n]*)$", re.M)
_LOST = re.compile(r"^[^\n]*?:(\d+): (\d+) : warning : Warning : ([^\n]* data for cpt [^\n]*)$", re.M)
_NAME = r"[A-Za-z_]\w*"
_STATE = r"\w+"
_SMALL = 1 << 16  # numbers that a table may have, however short the file is
_LABEL = re.compile(r'"[^"]*"|[^\s,"]+')
# A node, the states of the previous node, and a variable with its parents: each ends at the next bracket
_PARTS = {
    "net": re.compile(
        r"\bnode\s+(?P<node>[^\s{]+)|\bstates\s*=\s*\((?P<states>[^()]*)\)"
        r"|\bpotential\s*\(\s*(?P<child>[^\s|()]+)(?P<parents>[^()]*)\)"
    ),
    "dsl": re.compile(
        r"\bnode\s+(?P<node>[^\s{]+)|\bNAMESTATES\s*=\s*\((?P<states>[^()]*)\)"
        r"|\bPARENTS\s*=\s*\((?P<parents>[^()]*)\)(?P<child>)"
    ),
}


def read_net(text: str, path: str) -> list[Network]:
    """The network of a NET file."""
    return [_read("net", text, path)]


def read_dsl(text: str, path: str) -> list[Network]:
    """The network of a DSL file."""
    return [_read("dsl", text, path)]


def write_net(network: Network) -> str:
    """A network as a NET file; unknown states become yes and no, unknown tables uniform."""
    return _write("net", network)


def write_dsl(network: Network) -> str:
    """A network as a DSL file; unknown states become yes and no, unknown tables uniform."""
    return _write("dsl", network)


def _read(kind: str, text: str, path: str) -> Network:
    require("pyagrum", f"reading {kind.upper()} files", extra="files")
    _check_table_sizes(kind, text, path)
    mark = _unused_mark(text)
    try:
        found = texts.read_apart(kind, _escaped(text, mark), path)
    except texts.UnreadableError:
        raise FileError(path, f"pyAgrum cannot read it: not a {kind.upper()} file, or a broken one") from None
    if found["error"]:
        raise _file_error(kind, path, _unescaped(found["error"], mark))
    if lost := _LOST.search(found["said"]):
        raise FileError(path, _unescaped(lost[3], mark).lower(), int(lost[1]), int(lost[2]))
    if kind == "dsl":
        _check_dsl_counts(found, text, path)
    try:
        dag, states, tables = arranged(_renamed(found, mark))
        decimals = {variable: _decimal(table) for variable, table in tables.items()}
        return Network(dag, states, normalised(decimals, path, silently=_SIX_DIGITS))
    except GraphError as error:
        raise FileError(path, str(error)) from None


def _write(kind: str, network: Network) -> str:
    require("pyagrum", f"writing {kind.upper()} files", extra="files")
    _tables.check_writable(network)
    states = _tables.written_states(network)
    for variable, labels in states.items():
        _check_writable(kind, f"variable {variable!r}", variable, _NAME)
        for label in labels:
            _check_writable(kind, f"state {label!r} of variable {variable!r}", label, _STATE)
        if len(labels) < 2:
            raise GraphError(f"variable {variable!r} has one state only; {kind.upper()} files need at least two")
    text = _net_text(network) if kind == "net" else _dsl_text(network)
    _check_same(kind, text, Network(network.dag, states))
    return text


def _net_text(network: Network) -> str:
    lines = [f"% {MARK}", "net", "{", "  node_size = (80 40);", "}"]
    states = _tables.written_states(network)
    for variable, labels in states.items():
        listed = " ".join(f'"{label}"' for label in labels)
        lines += ["", f"node {variable}", "{", f'  label = "{variable}";', f"  states = ({listed});", "}"]
    for variable in network.variables:
        parents = network.dag.parents(variable)
        parts = [f"({' '.join(map(repr, row))})" for row in _tables.written_rows(network, variable)]
        for parent in reversed(
            parents
        ):  # brackets around the numbers that have the same states of the previous parents
            size = len(states[parent])
            parts = ["(" + "\n    ".join(parts[i : i + size]) + ")" for i in range(0, len(parts), size)]
        given = f" | {' '.join(parents)}" if parents else ""
        lines += ["", f"potential ({variable}{given})", "{", f"  data = {parts[0]};", "}"]
    return "\n".join([*lines, ""])


def _dsl_text(network: Network) -> str:
    lines = ["net bnfuse", "{", f"// {MARK}"]
    states = _tables.written_states(network)
    for variable in TopologicalSorter({v: network.dag.parents(v) for v in network.variables}).static_order():
        numbers = ", ".join(repr(number) for row in _tables.written_rows(network, variable) for number in row)
        lines += [
            f"\tnode {variable}",
            "\t{",
            "\t\tTYPE = CPT;",
            f'\t\tHEADER = {{ ID = {variable}; NAME = "{variable}"; }};',
            f"\t\tPARENTS = ({', '.join(network.dag.parents(variable))});",
            "\t\tDEFINITION =",
            "\t\t{",
            f"\t\t\tNAMESTATES = ({', '.join(states[variable])});",
            f"\t\t\tPROBABILITIES = ({numbers});",
            "\t\t};",
            "\t};",
        ]
    return "\n".join([*lines, "};", ""])


def _renamed(found: dict[str, Any], mark: str) -> dict[str, Any]:
    """The network that pyAgrum found, with the names as in the file."""
    if not mark:
        return found

    def name(text: str) -> str:
        return _unescaped(text, mark)

    return {
        "states": {name(variable): [name(label) for label in labels] for variable, labels in found["states"].items()},
        "arcs": [(name(source), name(target)) for source, target in found["arcs"]],
        "tables": {
            name(variable): ([name(axis) for axis in axes], values)
            for variable, (axes, values) in found["tables"].items()
        },
    }


def _decimal(table: Table) -> Table:
    """Numbers that pyAgrum read in single precision, as their shortest decimals: 0.2, not 0.20000000298023224."""
    return table.astype(np.float32).astype(np.str_).astype(np.float64)


def _check_table_sizes(kind: str, text: str, path: str) -> None:
    """Refuse a table that would need more numbers than the text can contain, before pyAgrum allocates memory for it."""
    most = max(len(text), _SMALL)
    node, states, families = "", dict[str, int](), list[tuple[str, str]]()
    for part in _PARTS[kind].finditer(text):
        if part["node"] is not None:
            node = part["node"]
        elif part["states"] is not None:
            states[node] = len(_LABEL.findall(part["states"]))
        else:
            families.append((part["child"] or node, part["parents"]))
    for variable, parents in families:
        size = 1
        for name in (variable, *re.findall(r"[^\s,|]+", parents)):
            size *= max(1, states.get(name, 1))
            if size > most:
                raise FileError(path, f"the table of {variable!r:.60} needs more numbers than the file holds")


def _check_dsl_counts(found: dict[str, Any], text: str, path: str) -> None:
    """Refuse a list that is too short: pyAgrum reads beyond its end."""
    given = Counter(len(block.split(",")) for block in re.findall(r"PROBABILITIES\s*=\s*\(([^)]*)\)", text))
    needed = Counter(values.size for _, values in found["tables"].values())
    if given != needed:
        raise FileError(
            path, "a list of PROBABILITIES does not have as many values as the states of its variables need"
        )


def _check_writable(kind: str, what: str, name: str, allowed: str) -> None:
    if not re.fullmatch(allowed, name, re.A) or not name.isascii():
        raise GraphError(
            f"{what}: {kind.upper()} files cannot hold this name; write a .bif or .xmlbif file, which take any name, "
            "or give it a name of letters, digits and _"
        )


def _check_same(kind: str, text: str, network: Network) -> None:
    """Names with a meaning in a format (a node called `node`) are written silently, but cannot be read."""
    try:
        written = _read(kind, text, "the written file")
    except FileError as error:
        raise GraphError(f"pyAgrum could not read the {kind.upper()} file ({error}); write BIF or XMLBIF") from None
    if (written.dag, written.states) != (network.dag, network.states):
        raise GraphError(f"a {kind.upper()} file cannot hold its names; BIF and XMLBIF files take any")


def _unused_mark(text: str) -> str:
    """Letters that do not occur in the text, to replace the non-ASCII letters that pyAgrum's readers drop."""
    if text.isascii():
        return ""
    mark = "uni"
    while mark in text:
        mark += "q"
    return mark


def _escaped(text: str, mark: str) -> str:
    return re.sub(r"[^\x00-\x7f]", lambda letter: f"{mark}{ord(letter[0]):06x}", text) if mark else text


def _unescaped(text: str, mark: str) -> str:
    return re.sub(mark + "([0-9a-f]{6})", lambda code: chr(int(code[1], 16)), text) if mark else text


def _file_error(kind: str, path: str, message: str) -> FileError:
    if place := _PLACE.search(message):
        return FileError(path, place[3].lower(), int(place[1]), int(place[2]))
    said = texts.first_line(message)
    # The names of C++ exceptions and of pyAgrum's source files do not help a reader
    if re.search(r"std::|\.cpp\b|\.h\b", said) or not said:
        return FileError(path, f"pyAgrum cannot read it: not a {kind.upper()} file, or a broken one")
    return FileError(path, said)
