"""XDSL, the files of GeNIe and SMILE.

    <smile version="1.0" id="asia"><nodes>
    <cpt id="smoke"><state id="yes"/><state id="no"/><probabilities>0.5 0.5</probabilities></cpt>
    <cpt id="lung"><state id="yes"/><state id="no"/><parents>smoke</parents>
      <probabilities>0.1 0.9 0.01 0.99</probabilities></cpt>
    </nodes></smile>

`probabilities` lists the distributions of the node for one parent configuration after another: its own states vary
fastest, then the last parent, the first parent slowest. A `deterministic` node lists its `resultingstates` in the same
order. Other kinds of nodes are refused. `extensions` (names, colours, positions, submodels) are ignored, except that a
file of pyAgrum (`app="aGrUM 3.3.1"`) lists its tables with the first parent varying faster than the last.

A network without tables is written with uniform ones, which a user property of each node marks.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from graphlib import TopologicalSorter
from html import escape

import numpy as np

from bnfuse._base.disk import MARK
from bnfuse.errors import BnfuseWarning, FileError, GraphError
from bnfuse.files import _tables
from bnfuse.files._tables import Definition, Variable
from bnfuse.files._xml import Document
from bnfuse.graphs.network import Network, Table

_IDENTIFIER = re.compile(r"[^\W\d_]\w*")  # the limits of GeNIe itself
_SPACE = re.compile(r"[ \t\n\r\f\v]+")
_CHANGE_TYPE = "in GeNIe, change the node's type to Chance - General"
_KINDS = {  # GeNIe's names for the elements of other nodes
    "noisymax": "a noisy-MAX node",
    "noisyadder": "a noisy-adder node",
    "demorgan": "a DeMorgan node",
    "equation": "an equation node",
    "decision": "a decision node",
    "utility": "a utility node",
    "mau": "a multi-attribute utility node",
}
_PYAGRUM = "aGrUM"  # how its files name the program that wrote them
_WIDTH, _HEIGHT, _ACROSS, _DOWN = 88, 44, 120, 100  # the size of a node and the distance to the next, in GeNIe's points


def read_text(text: str, path: str) -> list[Network]:
    """The network of an XDSL file."""
    return [_Reader(text, path).read()]


def write_text(network: Network) -> str:
    """The network as XDSL."""
    _tables.check_writable(network)
    states = _tables.written_states(network)
    _check_names(network)
    name = re.sub(r"\W", "_", network.name) if _IDENTIFIER.match(network.name) else "bnfuse"
    marks = [mark.split(" = ") for mark in _tables.written_marks(network)]
    cuts = _tables.written_cuts(network)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<!-- {MARK} -->"]
    lines.append(f'<smile version="1.0" id="{name}" numsamples="10000" discsamples="10000">')
    lines.append("\t<nodes>")
    for variable in TopologicalSorter({v: network.dag.parents(v) for v in network.variables}).static_order():
        lines.append(f'\t\t<cpt id="{escape(variable)}">')
        lines += [f'\t\t\t<state id="{escape(label)}" />' for label in states[variable]]
        if parents := network.dag.parents(variable):
            lines.append(f"\t\t\t<parents>{escape(' '.join(parents))}</parents>")
        numbers = (repr(number) for row in _tables.written_rows(network, variable) for number in row)
        lines.append(f"\t\t\t<probabilities>{' '.join(numbers)}</probabilities>")
        own = [(_tables.CUTS_KEY, cuts[variable])] if variable in cuts else []
        lines += [f'\t\t\t<property id="{key}">{value}</property>' for key, value in (*marks, *own)]
        lines.append("\t\t</cpt>")
    lines += ["\t</nodes>", *_extensions(network, name), "</smile>", ""]
    return "\n".join(lines)


def _extensions(network: Network, name: str) -> Iterator[str]:
    """Where GeNIe draws the nodes: parents above their children."""
    yield "\t<extensions>"
    yield f'\t\t<genie version="1.0" app="bnfuse" name="{name}">'
    for variable, (left, top) in _places(network).items():
        yield f'\t\t\t<node id="{escape(variable)}">'
        yield f"\t\t\t\t<name>{escape(variable)}</name>"
        yield '\t\t\t\t<interior color="e5f6f7" />'
        yield '\t\t\t\t<outline color="000080" />'
        yield '\t\t\t\t<font color="000000" name="Arial" size="8" />'
        yield f"\t\t\t\t<position>{left} {top} {left + _WIDTH} {top + _HEIGHT}</position>"
        yield "\t\t\t</node>"
    yield "\t\t</genie>"
    yield "\t</extensions>"


def _places(network: Network) -> dict[str, tuple[int, int]]:
    depth: dict[str, int] = {}
    used: dict[int, int] = {}
    places = {}
    for variable in TopologicalSorter({v: network.dag.parents(v) for v in network.variables}).static_order():
        depth[variable] = level = max((depth[parent] + 1 for parent in network.dag.parents(variable)), default=0)
        across = used[level] = used.get(level, -1) + 1
        places[variable] = (50 + across * _ACROSS, 50 + level * _DOWN)
    return places


def _check_names(network: Network) -> None:
    odd = ""
    for variable, labels in _tables.written_states(network).items():
        if not _tables.is_portable(variable) or _SPACE.search(variable):
            raise GraphError(f"variable {variable!r}: XDSL files cannot hold this name; BIF and XMLBIF files take any")
        for label in labels:
            if not _tables.is_portable(label) or not label:
                raise GraphError(
                    f"state {label!r} of variable {variable!r}: XDSL files cannot hold this name; "
                    "BIF and XMLBIF files take any"
                )
        odd = odd or next((name for name in (variable, *labels) if not _IDENTIFIER.fullmatch(name)), "")
    if odd:
        warnings.warn(
            f"GeNIe may refuse the name {odd!r}: it requires letters, digits and _, starting with a letter",
            BnfuseWarning,
            stacklevel=2,
        )


@dataclass
class _Node:
    """The content of an element of `nodes`, to be interpreted when all nodes are known."""

    name: str
    place: int
    deterministic: bool
    labels: dict[str, None] = field(default_factory=dict)
    texts: dict[str, tuple[str, int]] = field(default_factory=dict)
    """the content of its elements, and where they start"""
    marks: set[str] = field(default_factory=set)
    cuts: list[str] = field(default_factory=list)


class _Reader(Document):
    """The network of a file."""

    ROOT = "smile"
    TEXTS = frozenset(("parents", "probabilities", "resultingstates", "property"))

    def __init__(self, text: str, path: str) -> None:
        super().__init__(text, path)
        self.nodes: dict[str, _Node] = {}
        self.node: _Node | None = None
        self.mark = ""
        self.filled = 0  # numbers that the file declares without containing them
        self.writer = ""

    def read(self) -> Network:
        """The network of the file."""
        self.parse()
        if not self.nodes:
            raise FileError(self.path, "not an XDSL file of a Bayesian network: it has no <cpt> nodes")
        variables = {name: Variable(tuple(node.labels), node.place) for name, node in self.nodes.items()}
        definitions = {name: self._definition(node) for name, node in self.nodes.items()}
        if self.writer.startswith(_PYAGRUM) and any(len(known.parents) > 1 for known in definitions.values()):
            definitions = {name: replace(known, parents=known.parents[::-1]) for name, known in definitions.items()}
            warnings.warn(
                f"{self.path}: was written by pyAgrum ({self.writer:.40}), which lists tables with two or more "
                "parents in a different order from GeNIe; they are read in pyAgrum's order",
                BnfuseWarning,
                stacklevel=2,
            )
        marks = set.intersection(*(node.marks for node in self.nodes.values()))
        marks |= {_tables.cuts_mark(name, points) for name, node in self.nodes.items() for points in node.cuts}
        return _tables.read_network(self, "", variables, definitions, marks=marks, child_slowest=False)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = attributes.get("id", "")
        match self.elements:
            case ["smile", "nodes", _]:
                self._start_node(tag, name)
            case ["smile", "nodes", _, "state"]:
                assert self.node is not None
                if not name:
                    raise self.error(f"a <state> of node {self.node.name!r} has no id", self.place)
                if name in self.node.labels:
                    raise self.error(f"node {self.node.name!r} has the state {name!r} twice", self.place)
                self.node.labels[name] = None
            case ["smile", "nodes", _, "property"]:
                self.mark = name
            case ["smile", "extensions", "genie"]:
                self.writer = attributes.get("app", "")
            case ["smile", "dynamic", *_]:
                raise self.error("is a dynamic network, which bnfuse does not read; unroll it in GeNIe", self.place)

    def text_of(self, tag: str, text: str) -> None:
        if self.node is None or self.elements[:2] != ["smile", "nodes"] or len(self.elements) != 3:
            return
        if tag == "property":
            if self.mark == _tables.CUTS_KEY:
                self.node.cuts.append(text.strip())
            else:
                self.node.marks.add(f"{self.mark} = {text.strip()}")
        elif tag in self.node.texts:
            raise self.error(f"node {self.node.name!r} has a second <{tag}>", self.place)
        else:
            self.node.texts[tag] = (text, self.place)

    def end(self, tag: str) -> None:
        if self.elements == ["smile", "nodes"]:
            self.node = None

    def _start_node(self, tag: str, name: str) -> None:
        if tag not in ("cpt", "deterministic"):
            kind = _KINDS.get(tag, f"of the kind <{tag:.40}>")
            raise self.error(
                f"node {name!r} is {kind}; bnfuse reads chance nodes with tables (<cpt>) and <deterministic> ones: "
                f"{_CHANGE_TYPE}",
                self.place,
            )
        if not name:
            raise self.error(f"a <{tag}> has no id", self.place)
        if name in self.nodes:
            raise self.error(f"node {name!r} is declared twice", self.place)
        self.node = self.nodes[name] = _Node(name, self.place, tag == "deterministic")

    def _definition(self, node: _Node) -> Definition:
        if not node.labels:
            raise self.error(f"node {node.name!r} has no <state>", node.place)
        parents = tuple(_words(node.texts.get("parents", ("", 0))[0]))
        seen = {node.name}
        for parent in parents:
            place = node.texts["parents"][1]
            if parent not in self.nodes:
                raise self.error(f"node {node.name!r} has the unknown parent {parent!r}", place)
            if parent in seen:
                problem = "is its own parent" if parent == node.name else f"has the parent {parent!r} twice"
                raise self.error(f"node {node.name!r} {problem}", place)
            seen.add(parent)
        element = "resultingstates" if node.deterministic else "probabilities"
        if element not in node.texts:
            raise self.error(f"node {node.name!r} has no <{element}>", node.place)
        text, place = node.texts[element]
        sizes = [len(self.nodes[name].labels) for name in (*parents, node.name)]
        if node.deterministic:
            numbers = self._certain(node, sizes, text, place)
        else:
            numbers = self.numbers(node.name, sizes, text, place)
        return Definition(parents, numbers, place, whole=False)

    def _certain(self, node: _Node, sizes: list[int], text: str, place: int) -> Table:
        """The table of a node whose state is determined by those of its parents."""
        words = _words(text)
        size = _tables.table_size(self, node.name, sizes, _tables.MOST_FILLED - self.filled, place)
        self.filled += size
        needed = size // len(node.labels)
        if len(words) != needed:
            raise self.error(f"node {node.name!r} needs {needed:,} resulting states, got {len(words):,}", place)
        number = {label: i for i, label in enumerate(node.labels)}
        table = np.zeros((needed, len(node.labels)))
        for row, word in enumerate(words):
            if word not in number:
                raise self.error(f"node {node.name!r} has no state {word!r:.40}, which it should result in", place)
            table[row, number[word]] = 1
        return table.reshape(-1)


def _words(text: str) -> list[str]:
    return [word for word in _SPACE.split(text) if word]
