"""Files that hold the same networks: they would be counted twice, usually by mistake.

Several people may well agree on a structure, so equal structures are not reported. Reported are the same file given
twice, files with tables and the same bytes, and a file whose networks are also in another one, with the same names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bnfuse._base.texts import listed
from bnfuse.files._registry import Input
from bnfuse.graphs.network import Network


class Held(NamedTuple):
    """The content of a file."""

    file: Path
    digest: bytes
    """the hash of its content; empty if there is no file"""
    named: Sequence[tuple[str, Input]]
    """its networks under their own names, or under those that the file gives them"""


def repeats(held: Sequence[Held]) -> str:
    """A sentence about the files that repeat others; empty if none does."""
    found = list(_repeated(held))
    return f"counted twice: {listed(found, shown=str)}; leave one of each out unless this is intended" if found else ""


def same_content(one: Input, other: Input) -> bool:
    """Whether two inputs are the same, as far as both are defined: an edge list has no tables and no other variables.

    The names of the inputs do not count.
    """
    if not isinstance(one, Network) or not isinstance(other, Network):
        return one == other
    if one.has_parameters and other.has_parameters:
        return one == other
    mine, theirs = set(one.variables), set(other.variables)
    return set(one.dag.edges) == set(other.dag.edges) and (mine <= theirs or theirs <= mine)


def _repeated(held: Sequence[Held]) -> Iterator[str]:
    paths: dict[Path, Held] = {}
    digests: dict[bytes, Held] = {}
    named: dict[str, list[tuple[int, Input]]] = defaultdict(list)
    for place, one in enumerate(held):
        for name, graph in one.named:
            named[name].append((place, graph))
    for place, one in enumerate(held):
        before = None
        if one.digest and paths.setdefault(one.file.resolve(), one) is not one:
            yield f"{one.file} is given twice"
            continue
        if one.digest and any(_has_tables(graph) for _, graph in one.named):
            before = digests.setdefault(one.digest, one)
        if before is None or before is one:
            before = _holder(place, held, named)
        if before is not None:
            yield f"{one.file} holds the same as {before.file}"


def _share_name(one: Held, mine: Input, another: Held, theirs: Input) -> bool:
    """Whether two inputs with one name are intended: files of one name in two folders may belong to two people."""
    has_own = mine.name or theirs.name or one.file.absolute().parent == another.file.absolute().parent
    return bool(has_own) or (_has_tables(mine) and _has_tables(theirs))


def _has_tables(graph: Input) -> bool:
    return isinstance(graph, Network) and graph.has_parameters


def _holder(place: int, held: Sequence[Held], named: dict[str, list[tuple[int, Input]]]) -> Held | None:
    """Another file that holds all networks of this one: a larger one, or the earlier of two with the same networks."""
    own = held[place].named
    holders: set[int] | None = None
    for name, graph in own:
        others = {
            i
            for i, other in named[name]
            if i != place and same_content(graph, other) and _share_name(held[place], graph, held[i], other)
        }
        holders = others if holders is None else holders & others
        if not holders:
            return None
    able = [i for i in sorted(holders or ()) if i < place or len(held[i].named) > len(own)]
    return held[able[0]] if able else None
