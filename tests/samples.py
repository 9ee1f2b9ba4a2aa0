"""Random data: of random networks, and of a network that is given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bnfuse import DAG
from bnfuse.data.data import Data
from bnfuse.graphs.network import Network
from strategies import random_dag


def data_of(codes: Sequence[Sequence[int]], states: Sequence[int]) -> Data:
    names = tuple(f"V{i}" for i in range(len(states)))
    labels = {name: tuple(f"s{k}" for k in range(count)) for name, count in zip(names, states, strict=True)}
    return Data(names, labels, np.array(codes, np.int16))


def random_data(seed: int, variables: int, rows: int, most_states: int = 4, missing: float = 0.0) -> Data:
    """Rows in which each variable depends on some earlier ones."""
    random = np.random.default_rng(seed)
    states = random.integers(2, most_states + 1, variables)
    codes = np.zeros((rows, variables), np.int16)
    for v in range(variables):
        parents = random.permutation(v)[: random.integers(0, 3)]
        shift = codes[:, parents].sum(1) if len(parents) else 0
        noise = np.where(random.random(rows) < 0.3, random.integers(0, states[v], rows), 0)
        codes[:, v] = (shift + noise) % states[v]
    codes[random.random(codes.shape) < missing] = -1
    return data_of(codes.tolist(), states.tolist())


def random_network(seed: int, size: int) -> Network:
    """With two to four states a variable, of which none is impossible."""
    random = np.random.default_rng(seed)
    dag = random_dag(seed, size, 1.5)
    states = {name: tuple("abcd"[: random.integers(2, 5)]) for name in dag.variables}
    tables = {}
    for name in dag.variables:
        table = random.uniform(0.05, 1, [len(states[own]) for own in (*dag.parents(name), name)])
        tables[name] = table / table.sum(axis=-1, keepdims=True)
    return Network(dag, states, tables)


def sampled(size: int, rows: int, seed: int) -> Data:
    """Rows of a network whose largest clique is large."""
    random = np.random.default_rng(seed)
    dag = random_dag(seed, size, 2.5)
    states = dict.fromkeys(dag.variables, ("a", "b"))
    tables = {}
    for name in dag.variables:
        share = random.uniform(0.05, 0.95, (2,) * len(dag.parents(name)))
        tables[name] = np.stack([share, 1 - share], axis=-1)
    return Network(dag, states, tables).sample(rows, seed)


def uniform(states, cuts=None):
    tables = {v: np.full(len(own), 1 / len(own)) for v, own in states.items()}
    return Network(DAG(states, []), states, tables, cuts=cuts)
