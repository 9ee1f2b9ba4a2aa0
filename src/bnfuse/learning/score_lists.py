"""Lists of scored parent sets from other programs, from which a network can be learned without the data.

Two formats are read. Jaakkola's (`.jkl`): the number of variables, then for each variable a line with its name and the
number of its sets, and a line for each set: its score, the number of parents, and their names. URLearning's (`.pss`):
`VAR name` for each variable, `META arity=3` for its states, and a line for each set: its score and the parents' names.
Larger scores are better in both.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse._base import disk
from bnfuse._base.options import option_name, whole_number
from bnfuse._base.public import public
from bnfuse._base.spelling import unknown
from bnfuse.errors import FileError, OptionError
from bnfuse.problem.inputs import StatesLike

ENDINGS = (".jkl", ".pss")
MOST_VARIABLES = 2048

ScoredSet: TypeAlias = tuple[float, tuple[str, ...]]
"""A score, and the parents that have it."""


@public
class Scores:
    r"""The scores of parent sets for each variable: the result of `bnfuse.read_scores`.

    Parameters
    ----------
    variables
        The names of the variables.
    states
        The number of states of each variable; None if not known.
    sets
        For each variable its parent sets: pairs of a score and a tuple of parents.

    Examples
    --------
    >>> import bnfuse, pathlib
    >>> _ = pathlib.Path("two.jkl").write_text("2\nRain 2\n-9.5 0\n-8 1 Wet\nWet 1\n-7 0\n")
    >>> scores = bnfuse.read_scores("two.jkl")
    >>> scores
    <Scores: 2 variables, 3 parent sets>
    >>> scores.sets("Rain")
    ((-9.5, ()), (-8.0, ('Wet',)))
    """

    __slots__ = ("_sets", "_states", "_variables")

    def __init__(
        self, variables: tuple[str, ...], states: tuple[int, ...] | None, sets: tuple[tuple[ScoredSet, ...], ...]
    ) -> None:
        self._variables, self._states, self._sets = variables, states, sets

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self._variables

    @property
    def states(self) -> tuple[int, ...] | None:
        """The number of states of each variable; None if not known."""
        return self._states

    def sets(self, variable: str) -> tuple[ScoredSet, ...]:
        r"""The parent sets of a variable with their scores, in the order of the file.

        Parameters
        ----------
        variable
            Its name.

        Returns
        -------
        tuple
            Pairs of a score and a tuple of parents.

        Raises
        ------
        OptionError
            There is no such variable.

        Examples
        --------
        >>> import bnfuse, pathlib
        >>> _ = pathlib.Path("coin.jkl").write_text("1\nCoin 1\n-3.5 0\n")
        >>> bnfuse.read_scores("coin.jkl").sets("Coin")
        ((-3.5, ()),)
        """
        if variable not in self.variables:
            raise OptionError(unknown("variable", variable, self.variables))
        return self._sets[self.variables.index(variable)]

    def __repr__(self) -> str:
        return f"<Scores: {len(self.variables)} variables, {sum(map(len, self._sets))} parent sets>"


Arrays: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int32]]


def arrays_of(scores: Scores) -> Arrays:
    """For the kernel: the end of each variable's sets, all scores, the end of each set's members, all members."""
    place = {name: i for i, name in enumerate(scores.variables)}
    ends, numbers, member_ends, members = [], [], [], []
    for name in scores.variables:
        for score, parents in scores.sets(name):
            numbers.append(score)
            members.extend(sorted(place[parent] for parent in parents))
            member_ends.append(len(members))
        ends.append(len(numbers))
    return (
        np.array(ends, np.int64),
        np.array(numbers, np.float64),
        np.array(member_ends, np.int64),
        np.array(members, np.int32),
    )


def is_score_list(path: object) -> bool:
    """Whether a file holds scores of parent sets, judging by its name."""
    if not isinstance(path, str | os.PathLike):
        return False
    name = os.fspath(path)
    return isinstance(name, str) and name.lower().removesuffix(".gz").endswith(ENDINGS)


@public
def read_scores(path: str | os.PathLike[str], *, states: StatesLike | None = None) -> Scores:
    r"""Read the scores of parent sets from a file in Jaakkola's format (.jkl) or URLearning's (.pss), gzipped or not.

    Parameters
    ----------
    path
        The file.
    states
        The states of variables or their numbers: a limit on tables needs them, and .jkl files have none.

    Returns
    -------
    Scores
        The scores, for `bnfuse.learn`.

    Raises
    ------
    FileError
        The file cannot be read, or is not such a list.
    OptionError
        `states` do not fit the variables.

    References
    ----------
    Jaakkola, Sontag, Globerson, Meila: Learning Bayesian network structure using LP relaxations. AISTATS 2010.

    Examples
    --------
    >>> import bnfuse, pathlib
    >>> _ = pathlib.Path("two.pss").write_text("VAR Rain\n-9.5\n-8 Wet\n\nVAR Wet\n-7\n-5 Rain\n")
    >>> bnfuse.learn(bnfuse.read_scores("two.pss")).dag.edges
    (('Rain', 'Wet'),)
    """
    file = Path(path)
    content = disk.read_bytes(file)
    disk.check_memory(40 * len(content), file)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(file, "is not text in UTF-8") from None
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    lines = [(number, words) for number, words in lines if not words[0].startswith("#")]
    if not lines:
        raise FileError(file, "is empty; expected scores of parent sets")
    is_pss = lines[0][1][0].upper() in ("META", "VAR")
    found = _Pss(file).read(lines) if is_pss else _Jkl(file).read(lines)
    return Scores(found.variables, _states(found, states), found.checked())


class _Reader:
    """The common parts of both formats: variables and their sets, each with its line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sets: dict[str, list[tuple[int, float, tuple[str, ...]]]] = {}
        self.arity: dict[str, int] = {}

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(self.sets)

    def add_variable(self, name: str, line: int) -> None:
        if name in self.sets:
            raise FileError(self.path, f"the variable {name!r} is listed twice", line)
        if len(self.sets) == MOST_VARIABLES:
            raise FileError(
                self.path, f"has more than {MOST_VARIABLES:,} variables, which is more than bnfuse accepts", line
            )
        self.sets[name] = []

    def add_set(self, name: str, score: str, parents: Sequence[str], line: int) -> None:
        try:
            number = float(score)
        except ValueError:
            raise FileError(self.path, f"expected a score, got {score!r:.40}", line) from None
        if not math.isfinite(number) or abs(number) > 1e15:
            raise FileError(self.path, f"a score must be a number below 1e15, got {score!r:.40}", line)
        self.sets[name].append((line, number, tuple(parents)))

    def checked(self) -> tuple[tuple[ScoredSet, ...], ...]:
        """All sets, once all names are known."""
        return tuple(tuple(self._checked(name)) for name in self.sets)

    def _checked(self, name: str) -> Iterator[ScoredSet]:
        seen: set[frozenset[str]] = set()
        for line, score, parents in self.sets[name]:
            own = frozenset(parents)
            for parent in parents:
                if parent not in self.sets:
                    raise FileError(self.path, unknown("variable", parent, list(self.sets)), line)
                if parent == name:
                    raise FileError(self.path, f"{name!r} is among its own parents", line)
            if len(own) < len(parents):
                raise FileError(self.path, "a set lists a parent twice", line)
            if own in seen:
                raise FileError(self.path, f"a parent set of {name!r} is listed twice", line)
            seen.add(own)
            yield score, parents
        if frozenset() not in seen:
            raise FileError(self.path, f"{name!r} has no score for the empty parent set, which every list needs")


class _Jkl(_Reader):
    def read(self, lines: list[tuple[int, list[str]]]) -> _Jkl:
        number, words = lines[0]
        count = self._whole(words[0], number, "the number of variables") if len(words) == 1 else 0
        if not 1 <= count <= MOST_VARIABLES:
            raise FileError(self.path, f"expected the number of variables, 1 to {MOST_VARIABLES:,}", number)
        rest = iter(lines[1:])
        for _ in range(count):
            number, words = self._next(rest, f"a variable: it has {len(self.sets)} of {count}")
            if len(words) != 2:
                raise FileError(self.path, "expected a variable and the number of its parent sets", number)
            name = words[0]
            self.add_variable(name, number)
            sets = self._whole(words[1], number, "the number of parent sets")
            for _ in range(sets):
                number, words = self._next(rest, f"a parent set of {name!r}: it has {len(self.sets[name])} of {sets}")
                if len(words) < 2 or self._whole(words[1], number, "the number of parents") != len(words) - 2:
                    raise FileError(self.path, "expected a score, the number of parents, and that many parents", number)
                self.add_set(name, words[0], words[2:], number)
        for number, _words in rest:
            raise FileError(self.path, f"continues after the last of its {count} variables", number)
        return self

    def _next(self, rest: Iterator[tuple[int, list[str]]], what: str) -> tuple[int, list[str]]:
        for found in rest:
            return found
        raise FileError(self.path, f"ends too early; expected {what}")

    def _whole(self, word: str, line: int, what: str) -> int:
        if not word.isascii() or not word.isdigit() or len(word) > 9:
            raise FileError(self.path, f"expected {what}, got {word!r:.40}", line)
        return int(word)


class _Pss(_Reader):
    def read(self, lines: list[tuple[int, list[str]]]) -> _Pss:
        name = ""
        for number, words in lines:
            kind = words[0].upper()
            if kind == "VAR":
                if len(words) != 2:
                    raise FileError(self.path, "expected VAR and a name without spaces", number)
                name = words[1]
                self.add_variable(name, number)
            elif kind == "META":
                if name:
                    self._note(name, " ".join(words[1:]), number)
            elif not name:
                raise FileError(self.path, "expected META or VAR before the first score", number)
            else:
                self.add_set(name, words[0], words[1:], number)
        if not self.sets:
            raise FileError(self.path, "has no variables; expected a line VAR name for each")
        return self

    def _note(self, name: str, text: str, line: int) -> None:
        key, _, value = (part.strip() for part in text.partition("="))
        if key.lower() != "arity":
            return
        if not value.isascii() or not value.isdigit() or not 1 <= len(value) <= 9 or int(value) < 1:
            raise FileError(self.path, f"the arity of {name!r} must be a whole number of at least 1", line)
        self.arity[name] = int(value)


def _states(found: _Reader, given: StatesLike | None) -> tuple[int, ...] | None:
    counts = dict(found.arity)
    for name, own in (given or {}).items():
        if name not in found.sets:
            raise OptionError(f"{option_name('states')}: {unknown('variable', name, list(found.sets))}")
        count = own if isinstance(own, int) else len(own)
        if whole_number(count) is None or count < 1:
            raise OptionError(f"{option_name('states')}: {name!r} must have a whole number of states; got {own!r:.60}")
        if counts.setdefault(name, count) != count:
            raise OptionError(
                f"{option_name('states')}: {name!r} has {count:,} states, but {counts[name]:,} in the file"
            )
    if not all(name in counts for name in found.sets):
        return None
    return tuple(counts[name] for name in found.sets)
