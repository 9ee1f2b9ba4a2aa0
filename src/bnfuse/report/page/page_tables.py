"""The probability tables on the page, exact if the page can answer queries with them.

A table has the shortest form of `page_schema.Packed`. Nothing is rounded, unless the page only shows the numbers.
"""

from __future__ import annotations

import base64
import json
import shlex
import string
from collections.abc import Iterable, Sequence
from dataclasses import is_dataclass
from itertools import pairwise

import numpy as np

from bnfuse.answer.provenance import Origin
from bnfuse.answer.result import Consensus
from bnfuse.errors import BnfuseError
from bnfuse.files import holds_parameters
from bnfuse.fusion.cliques import InferenceCost, inference_cost
from bnfuse.graphs.network import Network, Table
from bnfuse.report.page.page_schema import InputTables, Numbers, Packed, PageTables, Repeated
from bnfuse.report.page.records import as_json

LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
_MOST_TEXT = 400_000  # characters of the consensus's tables
_MOST_TEXT_OF_INPUTS = 80_000  # of those of all inputs together
_MOST_IN_CLIQUES = 1_000_000  # numbers in clique tables: a browser answers within a second
_LARGEST_SHOWN = 2_000  # numbers of one variable's table, where the page shows tables and answers nothing
_MOST_SHOWN = 30_000  # of all tables together
_SHOWN_DIGITS = 6


def page_tables(consensus: Consensus, cost: InferenceCost) -> PageTables | None:
    """The consensus's states and tables, and the data that the page needs for queries; `cost` is that of inference."""
    network = consensus.network
    if network.cpts is None or network.states is None:
        return None
    along = inference_cost(network, consensus.elimination_order)
    cheapest = min(along, cost, key=lambda one: one.total)
    exact: list[Packed | None] | None = None
    if cheapest.total <= _MOST_IN_CLIQUES:
        exact = _all_packed((network.cpts[name] for name in network.variables), _MOST_TEXT)
    number = {name: i for i, name in enumerate(network.variables)}
    of_inputs = sum(table.size for one in consensus.inputs for table in (one.cpts or {}).values())
    is_small = exact is not None and of_inputs <= _MOST_TEXT_OF_INPUTS  # a number takes a character or more
    return PageTables(
        states=[network.states[name] for name in network.variables],
        sizes=[network.cpts[name].size for name in network.variables],
        values=_shown(network) if exact is None else exact,
        order=None if exact is None else [number[name] for name in cheapest.elimination_order],
        file=network_file(consensus.origin),
        inputs=_inputs(consensus.problem.inputs.networks, network) if is_small else None,
        inputs_size=of_inputs,
    )


def packed(table: Table) -> Packed:
    """All numbers of a table, in the form that takes the fewest characters."""
    flat = np.asarray(table, dtype=np.float64).ravel()
    whole = _shortest(flat)
    distinct, places = np.unique(flat, return_inverse=True)
    if len(distinct) <= len(LETTERS) ** 2:
        letters = _letters(places.ravel().tolist(), len(distinct) <= len(LETTERS))
        repeated = Repeated(_shortest(distinct), letters)
        if _characters(repeated) < _characters(whole):
            return repeated
    return whole


def _shortest(numbers: Table) -> Numbers:
    plain: Numbers = [int(number) if number.is_integer() else number for number in numbers.tolist()]
    doubles = base64.b64encode(numbers.astype("<f8").tobytes()).decode()
    return plain if _characters(plain) <= _characters(doubles) else doubles


def _letters(places: Iterable[int], is_single: bool) -> str:
    if is_single:
        return "".join(LETTERS[place] for place in places)
    return "".join(LETTERS[place // len(LETTERS)] + LETTERS[place % len(LETTERS)] for place in places)


def _characters(value: object) -> int:
    return len(json.dumps(as_json(value) if is_dataclass(value) else value, separators=(",", ":")))


def _all_packed(tables: Iterable[Table], room: int) -> list[Packed | None] | None:
    """All of the tables; None if that takes more than this number of characters."""
    found: list[Packed | None] = []
    for table in tables:
        found.append(packed(table))
        room -= _characters(found[-1])
        if room < 0:
            return None
    return found


def _shown(network: Network) -> list[Packed | None]:
    """Tables for display, rounded: the smallest first, as long as there is room."""
    assert network.cpts is not None
    tables = [network.cpts[name] for name in network.variables]
    room = _MOST_SHOWN
    shown: list[Packed | None] = [None] * len(tables)
    for i in sorted(range(len(tables)), key=lambda i: tables[i].size):
        if tables[i].size <= min(room, _LARGEST_SHOWN):
            room -= tables[i].size
            shown[i] = [float(f"{number:.{_SHOWN_DIGITS}g}") for number in tables[i].ravel().tolist()]
    return shown


def _inputs(networks: Sequence[Network | None], consensus: Network) -> list[InputTables | None] | None:
    """The inputs as separate networks; None if their tables are not known or too large together."""
    room, found = _MOST_TEXT_OF_INPUTS, list[InputTables | None]()
    for network in networks:
        one = None if network is None else _input(network, consensus, _MOST_IN_CLIQUES // len(networks))
        room -= _characters(one)
        if room < 0:
            return None
        found.append(one)
    return found or None


def _input(network: Network, consensus: Network, most_in_cliques: int) -> InputTables:
    """An input: its variables by their numbers in the consensus, with those that the consensus lacks after these."""
    assert network.cpts is not None
    assert network.states is not None
    assert consensus.states is not None
    own = frozenset(network.variables)
    more = [name for name in network.variables if name not in consensus.states]
    names = [*consensus.variables, *more]
    number = {name: i for i, name in enumerate(names)}
    here = [name for name in names if name in own]
    values: list[Packed] = []
    parents: list[list[int]] = []
    for name in here:
        before = network.dag.parents(name)
        axes = sorted(range(len(before)), key=lambda axis: number[before[axis]])
        parents.append([number[before[axis]] for axis in axes])
        values.append(packed(network.cpts[name].transpose([*axes, len(before)])))
    cost = inference_cost(network)
    states = {number[name]: network.states[name] for name in here}
    return InputTables(
        more=more,
        states={str(i): labels for i, labels in states.items() if labels != consensus.states.get(names[i])},
        parents=parents,
        values=values,
        order=[number[one] for one in cost.elimination_order] if cost.total <= most_in_cliques else None,
    )


def network_file(origin: Origin | None) -> str | None:
    """The file from which `bnfuse query` can read the consensus, if the command that made it names one."""
    try:
        words = shlex.split(origin.command) if origin is not None else []
    except ValueError:  # a command that somebody has written
        return None
    output = _given(words, "--output", "-o")
    try:
        is_network = output is not None and output != "-" and holds_parameters(output)
    except BnfuseError:
        is_network = False
    return output if is_network else _given(words, "--save")


def _given(words: Sequence[str], long: str, short: str | None = None) -> str | None:
    """The value of an option on a command line, the last one if it is repeated."""
    found = ""
    for word, following in pairwise([*words, ""]):
        if word in (long, short):
            found = following
        elif word.startswith(f"{long}="):
            found = word.partition("=")[2]
        elif short is not None and word.startswith(short):
            found = word.removeprefix(short)
    return found or None
