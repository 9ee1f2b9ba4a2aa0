"""Rows drawn from a network by forward sampling: each variable after its parents, all rows at once."""

from __future__ import annotations

from graphlib import TopologicalSorter

import numpy as np

from bnfuse._base.options import LARGEST_SEED, at_least, option_name
from bnfuse._base.texts import shown_number
from bnfuse.data.data import Data, code_type
from bnfuse.errors import OptionError
from bnfuse.graphs.network import Codes, Network, Table

_CHUNK = 65_536  # rows whose distributions are looked up at once
_MOST_ROWS = 10**9  # rows that are in memory at the same time


def sample(network: Network, n: int, seed: int = 0) -> Data:
    """Draw `n` rows; the same seed gives the same rows on any machine."""
    if network.cpts is None or network.states is None:
        called = f"network {network.name!r}" if network.name else "the network"
        raise OptionError(f"{called} has no tables to sample from; fit it to data, or pool it from its inputs")
    count = at_least("n", n, 0)
    if count > _MOST_ROWS:
        raise OptionError(f"{option_name('n')} must be at most {_MOST_ROWS:,}; draw more in parts, with other seeds")
    random = np.random.default_rng(at_least("seed", seed, 0, LARGEST_SEED))
    try:
        return _sampled(network, count, random)
    except (MemoryError, ValueError, OverflowError):  # for the last two: an array larger than the address space
        wanted = f"{shown_number(count)} rows of {len(network.variables):,} variables"
        raise OptionError(f"{wanted} do not fit into memory; draw fewer") from None


def _sampled(network: Network, count: int, random: np.random.Generator) -> Data:
    assert network.cpts is not None
    assert network.states is not None
    dag = network.dag
    most = max(map(len, network.states.values()))
    codes = np.empty((count, len(dag.variables)), code_type(most))
    place = {name: i for i, name in enumerate(dag.variables)}
    for name in TopologicalSorter({v: dag.parents(v) for v in dag.variables}).static_order():
        table = network.cpts[name]
        parents = codes[:, [place[parent] for parent in dag.parents(name)]]
        codes[:, place[name]] = drawn(table, parents, random.random(count))
    codes.flags.writeable = False
    return Data(dag.variables, dict(network.states), codes)


def drawn(table: Table, parents: Codes, chances: Table) -> Codes:
    """A state for each row: the one whose part of [0, 1) contains its random number, so never one of probability 0."""
    ends = table.reshape(-1, table.shape[-1]).cumsum(1)
    ends /= ends[:, -1:]  # so that the last end is 1 exactly
    configuration = np.zeros(len(parents), np.int64)
    for axis, size in enumerate(table.shape[:-1]):
        configuration = configuration * size + parents[:, axis]
    states = np.empty(len(parents), np.int32)
    for start in range(0, len(parents), _CHUNK):
        rows = slice(start, start + _CHUNK)
        states[rows] = (ends[configuration[rows]] <= chances[rows, np.newaxis]).sum(1)
    return states
