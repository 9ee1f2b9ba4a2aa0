r"""XMLBIF 0.3, the XML form of the Interchange Format for Bayesian Networks.

    <BIF VERSION="0.3"><NETWORK><NAME>asia</NAME>
    <VARIABLE TYPE="nature"><NAME>smoke</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
    <DEFINITION><FOR>lung</FOR><GIVEN>smoke</GIVEN><TABLE>0.1 0.9 0.01 0.99</TABLE></DEFINITION></NETWORK></BIF>

A TABLE lists the distributions of the child for one parent configuration after another, the last GIVEN varying fastest.
If all tables of a network are distributions only with the child varying slowest, they are read in that order, with a
warning. White space around names and labels is ignored. A name or label that XML cannot hold, or that starts or ends
with white space, is written with the escapes of BIF (\", \\, \uXXXX) and the attribute ESCAPED="yes".

In version 0.2, PROBABILITY and VALUE are used instead of DEFINITION and OUTCOME.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from bnfuse._base.disk import MARK
from bnfuse.errors import FileError
from bnfuse.files import _tables
from bnfuse.files._tables import Definition, Variable
from bnfuse.files._xml import Document
from bnfuse.graphs.network import Network, Table

_NAMES_OF_0_2 = {"PROBABILITY": "DEFINITION", "VALUE": "OUTCOME"}


def read_text(text: str, path: str) -> list[Network]:
    """The networks of an XMLBIF file."""
    return _Reader(text, path).read()


def write_text(network: Network) -> str:
    """The network as XMLBIF, without a DTD, which pyAgrum cannot read and other programs do not need."""
    _tables.check_writable(network)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<!-- {MARK} -->", '<BIF VERSION="0.3">', "<NETWORK>"]
    lines.append(_element("NAME", network.name))
    lines += [_element("PROPERTY", mark) for mark in _tables.network_marks(network)]
    for variable, labels in _tables.written_states(network).items():
        lines.append('<VARIABLE TYPE="nature">')
        lines.append("  " + _element("NAME", variable))
        lines += ["  " + _element("OUTCOME", label) for label in labels]
        lines.append("</VARIABLE>")
    for variable in network.variables:
        lines.append("<DEFINITION>")
        lines.append("  " + _element("FOR", variable))
        lines += ["  " + _element("GIVEN", parent) for parent in network.dag.parents(variable)]
        lines.append("  <TABLE>")
        lines += [" ".join(map(repr, row)) for row in _tables.written_rows(network, variable)]
        lines += ["  </TABLE>", "</DEFINITION>"]
    return "\n".join([*lines, "</NETWORK>", "</BIF>"]) + "\n"


def _element(tag: str, text: str) -> str:
    if _tables.is_portable(text) and text.strip() == text:
        return f"<{tag}>{escape(text, quote=False)}</{tag}>"
    return f'<{tag} ESCAPED="yes">{escape(_tables.escaped(text), quote=False)}</{tag}>'


@dataclass
class _Table:
    """The content of a DEFINITION, to be interpreted when all variables are known."""

    place: int
    variables: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    text: str | None = None
    text_place: int = 0


@dataclass
class _Found:
    """The content of a NETWORK."""

    name: str = ""
    marks: set[str] = field(default_factory=set)
    variables: dict[str, Variable] = field(default_factory=dict)
    tables: list[_Table] = field(default_factory=list)


class _Reader(Document):
    """The networks of a file."""

    ROOT = "BIF"
    TEXTS = frozenset(("NAME", "OUTCOME", "FOR", "GIVEN", "TABLE", "PROPERTY"))

    def __init__(self, text: str, path: str) -> None:
        super().__init__(text, path)
        self.networks: list[Network] = []
        self.escaped = False
        self.network = _Found()
        self.variable_names: list[str] = []
        self.variable_place = 0
        self.labels: dict[str, None] = {}

    def read(self) -> list[Network]:
        """The networks of the file."""
        self.parse()
        if not self.networks:
            raise FileError(self.path, "not an XMLBIF file: it has no NETWORK")
        return self.networks

    def renamed(self, tag: str) -> str:
        return _NAMES_OF_0_2.get(tag, tag)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.escaped = attributes.get("ESCAPED") == "yes"
        if self.elements == ["BIF", "NETWORK"]:
            self.network = _Found()
        elif self.elements == ["BIF", "NETWORK", "VARIABLE"]:
            self.variable_names, self.variable_place, self.labels = [], self.place, {}
            if (kind := attributes.get("TYPE", "nature")) != "nature":
                raise self.error(
                    f"a {kind:.40} variable; bnfuse reads networks of chance (nature) variables", self.place
                )
        elif self.elements == ["BIF", "NETWORK", "DEFINITION"]:
            self.network.tables.append(_Table(self.place))

    def end(self, tag: str) -> None:
        if self.elements == ["BIF", "NETWORK"] and tag == "VARIABLE":
            self._read_variable()
        elif self.elements == ["BIF"] and tag == "NETWORK":
            self._read_network()

    def text_of(self, tag: str, text: str) -> None:
        self._read_element(tag, _tables.unescaped(text) if self.escaped else text.strip())

    def _read_element(self, tag: str, text: str) -> None:
        match self.elements[2:] if self.elements[1:2] == ["NETWORK"] else None, tag:
            case [], "NAME":
                self.network.name = text
            case [], "PROPERTY":
                self.network.marks.add(_tables.as_mark(text))
            case ["VARIABLE"], "NAME":
                self.variable_names.append(text)
            case ["VARIABLE"], "OUTCOME":
                if text in self.labels:
                    raise self.error(f"the state {text!r} is given twice", self.place)
                self.labels[text] = None
            case ["DEFINITION"], "FOR":
                self.network.tables[-1].variables.append(text)
            case ["DEFINITION"], "GIVEN":
                self.network.tables[-1].parents.append(text)
            case ["DEFINITION"], "TABLE":
                table = self.network.tables[-1]
                if table.text is not None:
                    raise self.error("a second TABLE in a DEFINITION", self.place)
                table.text, table.text_place = text, self.place

    def _read_variable(self) -> None:
        if len(self.variable_names) != 1 or not self.variable_names[0]:
            raise self.error("a VARIABLE must have one NAME", self.variable_place)
        name = self.variable_names[0]
        if name in self.network.variables:
            raise self.error(f"variable {name!r} is declared twice", self.variable_place)
        if not self.labels:
            raise self.error(f"variable {name!r} has no OUTCOME", self.variable_place)
        self.network.variables[name] = Variable(tuple(self.labels), self.variable_place)

    def _read_network(self) -> None:
        found, definitions = self.network, {}
        for table in found.tables:
            variable, definition = self._definition(table)
            if variable in definitions:
                raise self.error(f"variable {variable!r} has a second DEFINITION", table.place)
            definitions[variable] = definition
        self.networks.append(
            _tables.read_network(self, found.name, found.variables, definitions, marks=found.marks, child_slowest=False)
        )

    def _definition(self, table: _Table) -> tuple[str, Definition]:
        if len(table.variables) != 1:
            raise self.error(f"a DEFINITION must be FOR one variable, not {len(table.variables)}", table.place)
        seen: set[str] = set()
        for name in (*table.variables, *table.parents):
            if name not in self.network.variables:
                raise self.error(f"unknown variable {name!r} in a DEFINITION", table.place)
            if name in seen:
                raise self.error(f"variable {name!r} occurs twice in a DEFINITION", table.place)
            seen.add(name)
        variable = table.variables[0]
        return variable, Definition(tuple(table.parents), self._numbers(variable, table), table.text_place, whole=True)

    def _numbers(self, variable: str, table: _Table) -> Table:
        if table.text is None:
            raise self.error(f"variable {variable!r} has no TABLE", table.place)
        sizes = [len(self.network.variables[name].labels) for name in (*table.parents, variable)]
        return self.numbers(variable, sizes, table.text, table.text_place)
