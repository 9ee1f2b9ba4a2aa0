"""Experts' judgements of single rows of tables, and their weight compared with other knowledge about the rows.

A judgement is a Dirichlet distribution: its mean is the row that the expert gives, its equivalent sample size is the
number of cases that the judgement counts as. Judgements of one row, and the cases that inputs or data contribute to it,
add up.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bnfuse._base import disk
from bnfuse._base.fields import Field
from bnfuse._base.options import not_negative, real_number
from bnfuse._base.public import public
from bnfuse._base.spelling import meant, unknown
from bnfuse._base.texts import count, listed
from bnfuse.errors import BnfuseError, FileError, OptionError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import REPAIRABLE, Table

INPUT_CASES = 100.0
"""the number of cases that an input of weight 1 counts as, compared with a judgement"""
MOST_CASES = 1e9
_SHOWN = 3  # judgements that a note lists
_FORM = (
    'expected a list of judgements, such as [{"variable": ..., "given": {...}, "probabilities": {...}, "cases": 20}]'
)


@public
@dataclass(frozen=True)
class RowJudgement:
    """An expert's judgement of one row of a table: the distribution of a variable for one state of each parent.

    Parameters
    ----------
    variable
        The variable whose distribution it is.
    given
        The state of each of its parents in the consensus; empty for a variable without parents.
    probabilities
        The probability of each state. A sum between 0.99 and 1.01 is rescaled to 1.
    cases
        The confidence: the number of observed cases that the judgement counts as (its equivalent sample size). 0
        changes nothing.
    by
        The expert.
    reason
        The reason for the judgement.

    Raises
    ------
    OptionError
        The probabilities are not a distribution, or the cases are not a number from 0 to 1,000,000,000.

    Examples
    --------
    >>> import bnfuse
    >>> bnfuse.RowJudgement("Cancer", {"Smoker": "yes"}, {"yes": 0.2, "no": 0.8}, cases=20).words
    'P(Cancer | Smoker = yes)'
    """

    variable: str
    given: Mapping[str, str]
    probabilities: Mapping[str, float]
    cases: float
    by: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        """Refuse an invalid judgement; rounded probabilities are rescaled."""
        for name in ("variable", "by", "reason"):
            if not isinstance(getattr(self, name), str):
                raise OptionError(f"{name} must be text; got {getattr(self, name)!r:.60}")
        object.__setattr__(self, "given", _states(self.given))
        if self.variable in self.given:
            raise OptionError(f"given must have the parents of {self.variable!r:.60}, not the variable itself")
        object.__setattr__(self, "probabilities", _distribution(self.words, self.probabilities))
        cases = not_negative("cases")("cases", self.cases)
        if cases > MOST_CASES:
            raise OptionError(f"cases must be at most {MOST_CASES:,.0f}; got {self.cases!r:.60}")
        object.__setattr__(self, "cases", float(cases))

    @property
    def words(self) -> str:
        """The row that it describes."""
        states = ", ".join(f"{name} = {state}" for name, state in self.given.items())
        return f"P({self.variable} | {states})" if states else f"P({self.variable})"

    @property
    def row(self) -> tuple[str, frozenset[tuple[str, str]]]:
        """A key for the row, whatever the order of its parents."""
        return self.variable, frozenset(self.given.items())


Judgements = Sequence[RowJudgement]
"""The judgements of several experts, in any order."""


def _states(given: Any) -> dict[str, str]:
    is_mapping = isinstance(given, Mapping)
    if not is_mapping or not all(isinstance(one, str) for pair in given.items() for one in pair):
        raise OptionError(f"given must map each parent to its state; got {given!r:.60}")
    return dict(given)


def _distribution(words: str, probabilities: Any) -> dict[str, float]:
    if not isinstance(probabilities, Mapping) or not all(isinstance(one, str) for one in probabilities):
        raise OptionError(f"probabilities must map states to numbers; got {probabilities!r:.60}")
    found: dict[str, float] = {}
    for state, value in probabilities.items():
        number = real_number(value)
        if number is None or not 0 <= number <= 1 + REPAIRABLE:
            raise OptionError(f"{words}: a probability must be between 0 and 1; got {value!r:.60} for {state!r:.60}")
        found[state] = float(number)
    total = math.fsum(found.values())
    if not abs(total - 1) <= REPAIRABLE:
        raise OptionError(f"{words}: the probabilities must sum to 1; they sum to {total:.6g}")
    return {state: value / total for state, value in found.items()}


@public
def read_judgements(path: str | os.PathLike[str]) -> list[RowJudgement]:
    """Read judgements of rows from a JSON file: a list of objects with the fields of `RowJudgement`.

    Parameters
    ----------
    path
        The file; one that ends in .gz is unpacked.

    Returns
    -------
    list of RowJudgement
        The judgements, in the order of the file.

    Raises
    ------
    FileError
        The file cannot be read, or holds something else.

    Examples
    --------
    >>> import bnfuse, json, pathlib
    >>> said = [{"variable": "Coin", "given": {}, "probabilities": {"heads": 0.5, "tails": 0.5}, "cases": 10}]
    >>> _ = pathlib.Path("judgements.json").write_text(json.dumps(said))
    >>> bnfuse.read_judgements("judgements.json")[0].cases
    10.0
    """
    content = disk.read_bytes(Path(path))
    try:
        rows = Field.parsed(content)
        if not isinstance(rows.value, list):
            raise rows.wrong("a list")
        return [_parsed(one) for one in rows.each()]
    except FileError:
        raise
    except BnfuseError as error:
        raise FileError(path, f"{error}; {_FORM}") from None


def _parsed(one: Field) -> RowJudgement:
    known = ("variable", "given", "probabilities", "cases", "by", "reason")
    for name in one.names:
        if name not in known:
            raise one.error(f"has an unknown field {name!r:.60}{meant(name, known)}")
    with one.about():
        return RowJudgement(
            one["variable"].text(),
            one.get("given", {}).names,
            one["probabilities"].names,
            one["cases"].number(),
            one.get("by", "").text(),
            one.get("reason", "").text(),
        )


@dataclass(frozen=True)
class Unused:
    """A judgement that fits no row of the tables, and the reason."""

    judgement: RowJudgement
    why: str


@dataclass(frozen=True)
class Matched:
    """Judgements by the rows of a structure's tables that they describe."""

    rows: Mapping[str, Mapping[tuple[int, ...], tuple[RowJudgement, ...]]] = field(default_factory=dict)
    """by variable, then by the numbers of the parents' states"""
    unused: tuple[Unused, ...] = ()
    states: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def cases(self, variable: str) -> dict[tuple[int, ...], Table]:
        """The cases that judgements add to each cell of their rows."""
        labels = self.states.get(variable, ())
        return {
            row: np.array([math.fsum(one.cases * one.probabilities[state] for one in said) for state in labels])
            for row, said in self.rows.get(variable, {}).items()
            if any(one.cases for one in said)
        }

    def counts(self, variable: str, shape: Sequence[int]) -> Table:
        """The same as a whole table, with 0 in all other cells."""
        found = np.zeros(tuple(shape))
        for row, cells in self.cases(variable).items():
            found[row] = cells
        return found

    @property
    def notes(self) -> tuple[str, ...]:
        """A note for the owner of the tables."""
        used = [one for rows in self.rows.values() for said in rows.values() for one in said]
        said = []
        if used:
            rows = sum(map(len, self.rows.values()))
            cases = math.fsum(one.cases for one in used)
            who = list(dict.fromkeys(one.by for one in used if one.by))
            by = f" by {listed(who, shown=str)}" if who else ""
            said.append(f"{count(len(used), 'judgement')}{by} of {count(rows, 'row')} counted as {cases:,.10g} cases")
        said += [f"the judgement of {one.judgement.words} is not used: {one.why}" for one in self.unused[:_SHOWN]]
        if len(self.unused) > _SHOWN:
            said.append(f"{len(self.unused) - _SHOWN:,} more judgements are not used")
        return tuple(said)


def checked_judgements(judgements: Judgements) -> Judgements:
    """A list of judgements, if it is one."""
    if isinstance(judgements, str) or not isinstance(judgements, Sequence):
        raise OptionError(f"judgements must be a list of RowJudgement; got {judgements!r:.60}")
    for one in judgements:
        if not isinstance(one, RowJudgement):
            raise OptionError(f"judgements must be a list of RowJudgement; it has {one!r:.60}")
    return judgements


def checked_input_cases(cases: float) -> float:
    """The number of cases that an input of weight 1 counts as, if it is valid."""
    return float(not_negative("cases")("input_cases", cases))


def matched(judgements: Judgements, dag: DAG, states: Mapping[str, Sequence[str]]) -> Matched:
    """The judgements by row; those that fit no row, with the reason."""
    rows: dict[str, dict[tuple[int, ...], list[RowJudgement]]] = {}
    unused = []
    for one in checked_judgements(judgements):
        if (why := _mismatch(one, dag, states)) is not None:
            unused.append(Unused(one, why))
            continue
        row = tuple(list(states[name]).index(one.given[name]) for name in dag.parents(one.variable))
        rows.setdefault(one.variable, {}).setdefault(row, []).append(one)
    by_row = {name: {row: tuple(said) for row, said in own.items()} for name, own in rows.items()}
    return Matched(by_row, tuple(unused), states)


def unmatched(judgements: Judgements, why: str) -> Matched:
    """Judgements, none of which can be used."""
    return Matched(unused=tuple(Unused(one, why) for one in checked_judgements(judgements)))


def _mismatch(one: RowJudgement, dag: DAG, states: Mapping[str, Sequence[str]]) -> str | None:
    """Why a judgement fits no row of the tables."""
    if one.variable not in dag.variables:
        return f"the consensus has no variable {one.variable!r:.60}{meant(one.variable, dag.variables)}"
    parents = dag.parents(one.variable)
    if set(parents) != set(one.given):
        noun = "the parent" if len(parents) == 1 else "the parents"
        now = f"{noun} {listed(parents, shown=str)}" if parents else "no parents"
        return f"{one.variable} has {now} in the consensus"
    for name, state in one.given.items():
        if state not in states[name]:
            return f"{name}: {unknown('state', state, states[name])}"
    labels = states[one.variable]
    for state in one.probabilities:
        if state not in labels:
            return f"{one.variable}: {unknown('state', state, labels)}"
    if lacking := [state for state in labels if state not in one.probabilities]:
        return f"it gives no probability of {listed(lacking)}"
    return None
