"""Model strings, as R's bnlearn and deal write them: `[A][C][B|A:C]`, each variable with its parents."""

from __future__ import annotations

import re

from bnfuse.errors import BnfuseError, FileError, GraphError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network

_PRINTED = re.compile(r'\s*\[1\]\s*"(.*)"\s*', re.S)  # as R prints it
_PART = re.compile(r"\s*\[([^\[\]|:]*)(?:\|([^\[\]|]*))?\]\s*")
_UNFIT = re.compile(r"[\[\]|:]|^\s|\s$")


def read_text(text: str, path: str) -> list[Network]:
    """The structure of a model string, its variables in the order of their brackets."""
    printed = _PRINTED.fullmatch(text)
    start, end = printed.span(1) if printed else (0, len(text))
    parents: dict[str, list[str]] = {}
    while start < end:
        part = _PART.match(text, start, end)
        line = text.count("\n", 0, start) + 1
        column = start - text.rfind("\n", 0, start)
        if part is None:
            shown = text[start:end].strip()[:20]
            problem = f"expected a variable in brackets, such as [A] or [B|A:C], got {shown!a}"
            raise FileError(path, problem, line, column)
        name = part[1].strip()
        own = [] if part[2] is None else [parent.strip() for parent in part[2].split(":")]
        if not name or not all(own):
            raise FileError(path, f"a name is empty in {part[0].strip()[:60]!a}", line, column)
        if name in parents:
            raise FileError(path, f"variable {name!r} has two pairs of brackets", line, column)
        parents[name] = own
        start = part.end()
    try:
        return [Network(DAG(parents, [(parent, name) for name, own in parents.items() for parent in own]))]
    except BnfuseError as error:
        raise FileError(path, str(error)) from None


def write_text(network: Network) -> str:
    """The structure as a model string, in the order of the variables."""
    parts = []
    for name in network.variables:
        if _UNFIT.search(name):
            raise GraphError(f"variable {name!a}: a model string cannot hold [, ], | and :, or spaces around a name")
        parents = ":".join(network.dag.parents(name))
        parts.append(f"[{name}|{parents}]" if parents else f"[{name}]")
    return "".join(parts) + "\n"
