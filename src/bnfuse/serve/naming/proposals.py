"""Proposals for names of the inputs that may mean the same, by `bnfuse.align` from the names in files; in a worker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bnfuse._base.texts import count, listed
from bnfuse.alignment.alignment import states_of
from bnfuse.alignment.proposals import align
from bnfuse.alignment.table import CHECK, EVERY, AlignmentRow
from bnfuse.files import Input as Graph
from bnfuse.serve.jobs.solving import Asked
from bnfuse.serve.naming.decisions import names_by_input
from bnfuse.serve.workspace.reading import TALLY
from bnfuse.serve.workspace.state import Input, State

Row = dict[str, Any]
_NAMED = 3


def proposals(asked: Asked) -> dict[str, Any]:
    """Undecided proposals, and the variables that not all inputs have, with a sentence about them."""
    counted = [one for one in asked.state.counted if asked.library[one.file].kind != TALLY]
    if len(counted) < 2:
        return {"sentence": "", "rows": [], "alone": []}
    files = [asked.library[one.file].graphs[one.place] for one in counted]
    found = _Found(asked.state, counted, asked.named(counted), files)
    rows = [*found.names(), *found.states()]
    alone = list(found.alone())
    return {"sentence": sentence(rows, alone), "rows": rows, "alone": alone}


@dataclass(frozen=True)
class _Found:
    """The alignment of inputs with the names decided so far."""

    question: State
    inputs: Sequence[Input]
    named: Sequence[Graph]
    """the inputs with those names"""
    files: Sequence[Graph]
    """and with those of their files"""

    @cached_property
    def _rows(self) -> tuple[AlignmentRow, ...]:
        return align([graph.renamed(label) for graph, label in zip(self.named, self._places, strict=True)]).rows

    @cached_property
    def _places(self) -> dict[str, int]:
        """The inputs by their names in the table: `*` is not the name of one there."""
        return {one.name if one.name != EVERY else f"({EVERY})": i for i, one in enumerate(self.inputs)}

    def _own(self, place: int, name: str) -> str:
        """The name of a variable in its file."""
        return self.files[place].variables[self.named[place].variables.index(name)]

    def names(self) -> Iterable[Row]:
        """Variables that may be others under different names."""
        decided = {(one.id, one.variable) for one in self.question.names}
        for row in self._rows:
            if row.state or row.network == EVERY:
                continue
            place = self._places[row.network]
            one, variable = self.inputs[place], self._own(place, row.variable)
            if (one.id, variable) not in decided:
                yield _row(one, variable, row.name, [row])

    def states(self) -> Iterable[Row]:
        """Variables whose states may be others under different names."""
        decided = {(one.id, one.variable) for one in self.question.labels}
        groups: dict[tuple[int, str], list[AlignmentRow]] = {}
        for row in self._rows:
            if row.state:
                groups.setdefault((self._places[row.network], row.variable), []).append(row)
        for (place, name), rows in groups.items():
            one, variable = self.inputs[place], self._own(place, name)
            if (one.id, variable) in decided:
                continue
            pairs = [{"state": row.state, "becomes": row.becomes} for row in rows]
            yield _row(one, variable, name, rows) | {"states": pairs, "labels": self._labels(place, name)}

    def _labels(self, place: int, name: str) -> list[str]:
        """The names of a variable's states in other inputs."""
        known = (states_of(graph) or {} for i, graph in enumerate(self.named) if i != place)  # type: ignore[arg-type]
        return list(dict.fromkeys(label for states in known for label in states.get(name, ())))

    def alone(self) -> Iterable[Row]:
        """Variables that not all inputs have, even if all proposals are accepted."""
        told = {row.variable: row.why.removeprefix(CHECK) for row in self._rows if row.network == EVERY}
        proposed = {(row["id"], row["variable"]): row["name"] for row in self.names()}
        having: dict[str, list[int]] = {}
        for i, (one, named, file) in enumerate(zip(self.inputs, self.named, self.files, strict=True)):
            for name, variable in zip(named.variables, file.variables, strict=True):
                having.setdefault(proposed.get((one.id, variable), name), []).append(i)
        for name, places in having.items():
            if len(places) == len(self.inputs):
                continue
            own = [(self.inputs[i], self.files[i], self.named[i]) for i in places if name in self.named[i].variables]
            yield {
                "variable": name,
                "why": told.get(name) or self._where(places),
                "inputs": [
                    {"id": one.id, "variable": file.variables[named.variables.index(name)]} for one, file, named in own
                ],
            }

    def _where(self, places: Sequence[int]) -> str:
        lacking = [one.name for i, one in enumerate(self.inputs) if i not in places]
        if len(places) < len(lacking):
            return f"only in {listed([self.inputs[i].name for i in places], _NAMED, str)}"
        return f"not in {listed(lacking, _NAMED, str)}"


def _row(one: Input, variable: str, name: str, rows: Sequence[AlignmentRow]) -> Row:
    why = "; ".join(dict.fromkeys(row.why.removeprefix(CHECK) for row in rows))
    return {
        **{"id": one.id, "input": one.name, "variable": variable, "name": name, "states": None, "labels": []},
        **{"why": why, "confidence": round(min(row.confidence for row in rows), 4)},
        "check": any(row.check for row in rows),
    }


def sentence(rows: Sequence[Row], alone: Sequence[Row]) -> str:
    """The differences in one sentence; empty if there are none."""
    names = [row for row in rows if row["states"] is None]
    states = [row for row in rows if row["states"] is not None]
    parts = []
    if names:
        first = names[0]
        how_many = "1 name differs" if len(names) == 1 else f"{len(names):,} names differ, for example"
        parts.append(f"{how_many}: {first['input']} has {first['variable']} where others have {first['name']}")
    if states:
        first = states[0]
        own = ", ".join(one["state"] for one in first["states"])
        example = f"the states of {first['name']} in {first['input']} ({own}) are not those of others"
        parts.append(
            example if len(states) == 1 else f"the states of {len(states):,} variables differ, for example: {example}"
        )
    if alone:
        named = listed([one["variable"] for one in alone], _NAMED, str)
        parts.append(
            f"{count(len(alone), 'variable')} {'is' if len(alone) == 1 else 'are'} not in every input: {named}"
        )
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def may_differ(question: State, holdings: Sequence[tuple[Input, Any, bool]]) -> bool:
    """Whether names of inputs may differ, judging by the server's facts about them: (input, holdings, has tables)."""
    variables: set[frozenset[str]] = set()
    known: dict[str, frozenset[str]] = {}
    named = names_by_input(question)
    renamed = {(one.id, one.variable): dict(one.states) for one in question.labels}
    for one, held, has_tables in holdings:
        own_names = named.get(one.id, {})
        names = [own_names.get(name, name) for name in held.variables]
        variables.add(frozenset(names))
        if has_tables and held.states is None:
            return True  # there are states, but too many to remember
        for variable, name in zip(held.variables, names, strict=True):
            if (own := (held.states or {}).get(variable)) is not None:
                becomes = renamed.get((one.id, variable), {})
                labels = frozenset(becomes.get(label, label) for label in own)
                if known.setdefault(name, labels) != labels:
                    return True
    return len(variables) > 1
