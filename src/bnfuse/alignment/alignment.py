"""A table of the names and states of several networks that belong together, and how it is applied."""

from __future__ import annotations

import os
import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from bnfuse._base.options import one_of, option_name
from bnfuse._base.public import public
from bnfuse._base.spelling import meant
from bnfuse._base.texts import count, listed
from bnfuse.alignment.table import CHECK, EVERY, AlignmentRow, read_table, write_table
from bnfuse.errors import BnfuseError, BnfuseWarning, FileError, OptionError
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG, NetworkLike, as_list
from bnfuse.graphs.network import Network, as_network
from bnfuse.graphs.pdag import as_pdag, is_mixed
from bnfuse.graphs.renaming import as_named, renamed_states, renamed_variables
from bnfuse.problem.inputs import distinct, given_names

__all__ = ["Alignment", "AlignmentRow"]

UNCHECKED = ("refuse", "apply", "skip")
_SHOWN = 5  # rows to check that a message lists

Unchecked = Literal["refuse", "apply", "skip"]
States = Mapping[str, tuple[str, ...]] | None


@public
@dataclass(frozen=True)
class Alignment:
    """Which names and states of several networks belong together.

    A row without a state renames a variable, one with a state renames that state; `variable` is then still the
    network's own name. If the rows of a variable name all its states, their order becomes the order of the states. A
    row for the network `*` applies to all networks that have the variable; a row for one network takes precedence. All
    names change at once. A name that one variable gives up and another one gets is refused nevertheless, as it is
    usually a mistake.

    Parameters
    ----------
    rows
        The table.
    path
        The file that it comes from, for messages.

    Raises
    ------
    OptionError
        Rows contradict each other; a `FileError` if they come from a file.

    Examples
    --------
    >>> import bnfuse
    >>> one = bnfuse.DAG.from_edges([("lung_cancer", "cough")])
    >>> two = bnfuse.DAG.from_edges([("LungCancer", "Cough")])
    >>> names = bnfuse.align(one, two)
    >>> names
    <Alignment: 2 to rename, 0 to check>
    >>> bnfuse.consensus(names.apply_all([one, two])).dag.edges
    (('lung_cancer', 'cough'),)
    """

    rows: tuple[AlignmentRow, ...]
    path: Path | None = field(default=None, compare=False)
    """The file that it comes from, for messages."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(self.rows))
        for row in self.rows:
            self._check_row(row)
        self._check_names()
        self._check_labels()

    @property
    def changes(self) -> tuple[AlignmentRow, ...]:
        """The rows that rename something."""
        return tuple(row for row in self.rows if row.changes)

    @property
    def to_check(self) -> tuple[AlignmentRow, ...]:
        """The rows that need a check."""
        return tuple(row for row in self.rows if row.check)

    @property
    def waiting(self) -> tuple[AlignmentRow, ...]:
        """The rows that rename something and still need a check: applying the table refuses them."""
        return tuple(row for row in self.rows if row.check and row.changes)

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the table as CSV, to be edited in any spreadsheet.

        The columns are network, variable, name, state, becomes and why.

        Parameters
        ----------
        path
            The file.
        overwrite
            Whether another file may be replaced; a table of names is always replaced.

        Raises
        ------
        FileError
            The file cannot be written, or is not such a table.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.align(bnfuse.DAG(["cough"]), bnfuse.DAG(["Cough"])).save("names.csv")
        >>> print(open("names.csv").read().splitlines()[1].rsplit(",", 1)[0])
        2,Cough,cough,,
        """
        write_table(self.rows, Path(path), overwrite)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Alignment:
        r"""Read a table that `save` wrote, or one with the columns `variable` and `name`, for all networks.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        Alignment
            Its rows.

        Raises
        ------
        FileError
            The file cannot be read, is not such a table, or its rows contradict each other.

        Examples
        --------
        >>> import bnfuse, pathlib
        >>> _ = pathlib.Path("names.csv").write_text("variable,name\nLungCancer,cancer\n")
        >>> bnfuse.Alignment.load("names.csv").apply(bnfuse.DAG(["LungCancer"])).variables
        ('cancer',)
        """
        return cls(tuple(read_table(Path(path))), Path(path))

    def apply(self, network: NetworkLike, label: str | None = None, unchecked: Unchecked = "refuse") -> Any:
        """A network with the common names and states.

        Parameters
        ----------
        network
            A network in any form, an equivalence class or arc votes.
        label
            What the table calls the network, if that is not its own name.
        unchecked
            As in `apply_all`.

        Returns
        -------
        DAG, Network, PDAG or ArcVotes
            DAG, PDAG and ArcVotes stay what they are; anything else becomes a Network.

        Raises
        ------
        OptionError
            The table does not fit the network, or rows wait for a check; a `FileError` if it comes from a file.

        Examples
        --------
        >>> import bnfuse
        >>> one, two = bnfuse.DAG(["cough"]), bnfuse.DAG(["Cough"])
        >>> bnfuse.align(one, two).apply(two, label="2").variables
        ('cough',)
        """
        known = known_input(network)
        called = given_names([network])[0] if label is None else label
        return self._settled([called], unchecked)._applied(known, called)

    def _applied(self, known: Any, called: str) -> Any:
        names, labels = self._names_for(called, known), self._labels_for(called, known)
        if labels:
            known = renamed_states(known, labels)
        return renamed_variables(known, names) if names else known

    def apply_all(self, networks: Iterable[NetworkLike], unchecked: Unchecked = "refuse") -> list[Any]:
        """Networks with the common names and states; states that differ only in order follow the first network.

        The table calls a network by its name, or by its place (1, 2, ...) if it has none. Rows for other networks are
        not used; a BnfuseWarning reports this.

        Parameters
        ----------
        networks
            Networks in any form.
        unchecked
            What to do with rows that rename something and whose reason begins with "check": "refuse" is an error that
            names them, "apply" applies them like the others, "skip" leaves them out, with all rows for the states of
            such a variable, and a BnfuseWarning names them.

        Returns
        -------
        list
            The same networks, with other names.

        Raises
        ------
        OptionError
            The table does not fit the networks, or rows wait for a check; a `FileError` if it comes from a file.

        Examples
        --------
        >>> import bnfuse
        >>> one, two = bnfuse.DAG(["cough"]), bnfuse.DAG(["Cough"])
        >>> [network.variables for network in bnfuse.align(one, two).apply_all([one, two])]
        [('cough',), ('cough',)]
        """
        given = as_list(as_named(networks))
        labels = distinct(given_names(given))
        self._check_used(given, labels)
        settled = self._settled(labels, unchecked)
        return _in_one_order(
            [settled._applied(known_input(network), label) for network, label in zip(given, labels, strict=True)]
        )

    def _settled(self, labels: Sequence[str], unchecked: str) -> Alignment:
        """The table as it is applied to networks: rows that need a check are refused or left out."""
        chosen = one_of("unchecked", unchecked, UNCHECKED)
        waiting = [row for row in self.waiting if row.network in (*labels, EVERY)]
        if not waiting or chosen == "apply":
            return self
        which = listed([_shown(row) for row in waiting], _SHOWN, str)
        if chosen == "refuse":
            waits, its = ("waits", "its") if len(waiting) == 1 else ("wait", "their")
            applying, skipping = (option_name(f'unchecked="{word}"') for word in UNCHECKED[1:])
            raise self._error(
                waiting[0],
                f"{count(len(waiting), 'row')} {waits} for a check: {which}; if the table is right, delete "
                f"{CHECK.strip()!r} from {its} reason; if it is wrong, correct it; {applying} takes all rows as "
                f"they are, {skipping} leaves out those that wait",
            )
        _warn(f"{self._where}: left out, not checked yet: {which}")
        names = {(row.network, row.variable) for row in waiting if not row.state}
        states = {(row.network, row.variable) for row in waiting if row.state} | names
        kept = [row for row in self.rows if (row.network, row.variable) not in (states if row.state else names)]
        return Alignment(tuple(kept), self.path)

    def __repr__(self) -> str:
        return f"<Alignment: {len(self.changes)} to rename, {len(self.to_check)} to check>"

    # Errors in a table

    @property
    def _where(self) -> str:
        return "names" if self.path is None else str(self.path)

    def _error(self, row: AlignmentRow, problem: str) -> BnfuseError:
        return OptionError(f"names: {problem}") if self.path is None else FileError(self.path, problem, row.line)

    def _check_row(self, row: AlignmentRow) -> None:
        cells = (row.network, row.variable, row.name, row.state, row.becomes)
        if not all(isinstance(cell, str) for cell in cells):
            raise self._error(row, f"names and states must be text; got {cells!r:.80}")
        if not row.variable:
            raise self._error(row, "a row without a variable")
        if row.state and _is_blank(row.becomes, row.state):
            raise self._error(row, f"the state {row.state!r} of {row.variable!r} has no label to become")
        if row.becomes and not row.state:
            raise self._error(row, f"{row.variable!r} has the label {row.becomes!r}, but no state that gets it")
        if not row.state and _is_blank(row.name, row.variable):
            raise self._error(row, f"the variable {row.variable!r} has no name to get; to keep its name, repeat it")

    def _check_names(self) -> None:
        """Refuse a variable with two names, two variables with one name, and a name passed to another variable."""
        renamed: dict[tuple[str, str], AlignmentRow] = {}
        having: dict[tuple[str, str], AlignmentRow] = {}
        for row in (row for row in self.rows if row.name):
            before = renamed.setdefault((row.network, row.variable), row)
            if before.name != row.name:
                raise self._error(
                    row, f"{_whose(row)} is to be called both {before.name!r}{_at(before)} and {row.name!r}"
                )
            other = having.setdefault((row.network, row.name), row)
            if other.variable != row.variable and row.network != EVERY:
                raise self._error(row, _one_name(other.variable, row, _at(other)))
        for row in renamed.values():
            following = renamed.get((row.network, row.name))
            if row.name != row.variable and following is not None and following.name != row.name:
                raise self._error(row, _chain(row, following))

    def _check_labels(self) -> None:
        """Refuse a state with two labels, and two states with one label."""
        renamed: dict[tuple[str, str, str], AlignmentRow] = {}
        having: dict[tuple[str, str, str], AlignmentRow] = {}
        for row in (row for row in self.rows if row.state):
            before = renamed.setdefault((row.network, row.variable, row.state), row)
            if before.becomes != row.becomes:
                raise self._error(
                    row,
                    f"the state {row.state!r} of {_whose(row)} is to become both {before.becomes!r}{_at(before)} and "
                    f"{row.becomes!r}",
                )
            other = having.setdefault((row.network, row.variable, row.becomes), row)
            if other.state != row.state and row.network != EVERY:
                raise self._error(row, _one_label(other.state, row.state, row))

    def _check_used(self, networks: Sequence[NetworkLike], labels: Sequence[str]) -> None:
        """Refuse a table for other networks, and rows for all networks if none has the variable or state."""
        named = dict.fromkeys(row.network for row in self.rows)
        if absent := [name for name in named if name not in labels and name != EVERY]:
            row = next(row for row in self.rows if row.network == absent[0])
            if len(absent) == len(named):
                raise self._error(
                    row,
                    f"there is no network {absent[0]!r}{meant(absent[0], labels)}; the networks are {listed(labels)}",
                )
            rows = "rows for a network that is" if len(absent) == 1 else "rows for networks that are"
            _warn(f"{self._where}: {rows} not among the inputs, not used: {listed(absent)}")
        known = [known_input(network) for network in networks]
        variables = {name for network in known for name in network.variables}
        states = {
            (name, label) for network in known for name, own in (states_of(network) or {}).items() for label in own
        }
        for row in (row for row in self.rows if row.network == EVERY and row.changes):
            if row.variable not in variables:
                raise self._error(
                    row, f"no network has a variable {row.variable!r}{meant(row.variable, sorted(variables))}"
                )
            if row.state and (row.variable, row.state) not in states:
                raise self._error(row, f"{row.variable!r} has no state {row.state!r} in any network")

    # The part of a table that concerns one network

    @cached_property
    def _by_network(self) -> dict[str, list[AlignmentRow]]:
        found: dict[str, list[AlignmentRow]] = defaultdict(list)
        for row in self.rows:
            found[row.network].append(row)
        return found

    def _names_for(self, label: str, network: Network | DAG) -> dict[str, str]:
        """The variables of a network that get another name."""
        own, known = self._by_network.get(label, []), set(network.variables)
        for row in own:
            if row.variable not in known:
                hint = meant(row.variable, network.variables)
                raise self._error(row, f"network {label!r} has no variable {row.variable!r}{hint}")
        rows = {row.variable: row for row in (*self._by_network.get(EVERY, ()), *own) if row.name}
        chosen = {name: rows[name] for name in network.variables if name in rows and rows[name].name != name}
        having = {name: name for name in network.variables if name not in chosen}
        for name, row in chosen.items():
            if (following := chosen.get(row.name)) is not None:
                raise self._error(row, _chain(row, following))
            if (other := having.setdefault(row.name, name)) != name:
                raise self._error(row, _one_name(other, row, f" in network {label!r}"))
        return {name: row.name for name, row in chosen.items()}

    def _labels_for(self, label: str, network: Network | DAG) -> dict[str, dict[str, str]]:
        """The variables of a network whose states get other labels or another order, with all their labels."""
        states = states_of(network)
        rows: dict[str, dict[str, AlignmentRow]] = defaultdict(dict)
        for row in (*self._by_network.get(label, ()), *self._by_network.get(EVERY, ())):
            if not row.state:
                continue
            if states is None or row.state not in states.get(row.variable, ()):
                if row.network == EVERY:
                    continue
                which = "no states"
                if states is not None:
                    known = states[row.variable]
                    which = f"no state {row.state!r}{meant(row.state, known)}: it has {listed(known)}"
                raise self._error(row, f"network {label!r}: {row.variable!r} has {which}")
            rows[row.variable].setdefault(row.state, row)
        found: dict[str, dict[str, str]] = {}
        for variable, own in rows.items():
            assert states is not None
            order = tuple(own) if len(own) == len(states[variable]) else states[variable]
            labels = {state: own[state].becomes if state in own else state for state in order}
            having: dict[str, str] = {}
            for state, becomes in labels.items():
                if (other := having.setdefault(becomes, state)) != state:
                    row = own.get(state) or own[other]
                    raise self._error(row, _one_label(other, state, row))
            if tuple(labels.items()) != tuple(zip(states[variable], states[variable], strict=True)):
                found[variable] = labels
        return found


def _in_one_order(networks: Sequence[Network | DAG]) -> list[Network | DAG]:
    """The networks, with states in the order of the first network where all have the same states."""
    first: dict[tuple[str, frozenset[str]], tuple[str, ...]] = {}
    ordered = []
    for network in networks:
        states = states_of(network) or {}
        orders = {name: first.setdefault((name, frozenset(own)), own) for name, own in states.items()}
        changed = {name: {label: label for label in order} for name, order in orders.items() if order != states[name]}
        ordered.append(renamed_states(network, changed) if changed and isinstance(network, Network) else network)
    return ordered


def known_input(network: NetworkLike) -> Any:
    """A network in any form as a DAG, Network, PDAG or ArcVotes."""
    if isinstance(network, DAG | ArcVotes):
        return network
    return as_pdag(network) if is_mixed(network) else as_network(network)


def states_of(network: Network | DAG) -> States:
    """The states of a network, if they are known."""
    return network.states if isinstance(network, Network) else None


def _is_blank(text: str, before: str) -> bool:
    """Whether a name is replaced by nothing; the name itself may be blank."""
    return not text.strip() and text != before


def _shown(row: AlignmentRow) -> str:
    """A row in a message, with its line if it has one."""
    change = f"{row.variable}: {row.state} -> {row.becomes}" if row.state else f"{row.variable} -> {row.name}"
    where = "" if row.network == EVERY else f" in {row.network}"
    return f"{change}{where}{_at(row)}"


def _whose(row: AlignmentRow) -> str:
    return repr(row.variable) if row.network == EVERY else f"{row.variable!r} of network {row.network!r}"


def _at(row: AlignmentRow) -> str:
    return "" if row.line is None else f" (line {row.line})"


def _one_name(other: str, row: AlignmentRow, where: str) -> str:
    return f"{other!r}{where} and {row.variable!r} cannot both be called {row.name!r}: they are two variables"


def _one_label(one: str, other: str, row: AlignmentRow) -> str:
    return (
        f"the states {one!r} and {other!r} of {_whose(row)} cannot both become {row.becomes!r}: that would merge them"
    )


def _chain(row: AlignmentRow, following: AlignmentRow) -> str:
    return (
        f"a chain of renames: {_whose(row)} becomes {row.name!r}, which itself becomes {following.name!r}"
        f"{_at(following)}; give each variable the name that it is to end with"
    )


def _warn(message: str) -> None:
    warnings.warn(message, BnfuseWarning, stacklevel=4)
