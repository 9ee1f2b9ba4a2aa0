"""Every kind of answer from the whole joint distribution as one array: slow, obvious, no code shared."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from bnfuse import DAG, Network


def random_network(seed: int, largest: int = 8) -> Network:
    """A seeded network of up to so many variables of 1 to 4 states; a quarter of them have zeros in their tables."""
    random = np.random.default_rng(seed)
    size = int(random.integers(1, largest + 1))
    names = [f"V{i}" for i in range(size)]
    places = random.permutation(size)
    share = random.uniform(0.1, 0.7)
    arcs = [
        (names[i], names[j])
        for i, j in itertools.permutations(range(size), 2)
        if places[i] < places[j] and random.random() < share
    ]
    kept: list[tuple[str, str]] = []
    for source, target in arcs:
        if sum(target == other for _, other in kept) < 3:
            kept.append((source, target))
    dag = DAG(names, kept)
    most = 4 if size <= 6 else 3
    states = {
        name: tuple(f"s{j}" for j in range(random.integers(1 if random.random() < 0.2 else 2, most + 1)))
        for name in names
    }
    with_zeros = random.random() < 0.25
    tables = {}
    for name in names:
        shape = [len(states[one]) for one in (*dag.parents(name), name)]
        table = random.gamma(0.6, size=shape) + 1e-6
        if with_zeros:
            table *= random.random(shape) < 0.7
            table[..., 0] += table.sum(-1) == 0
        tables[name] = table / table.sum(-1, keepdims=True)
    return Network(dag, states, tables, name="random")


def joint(network: Network, do: Mapping[str, str] | None = None) -> Any:
    """An axis for each variable, in their order: the product of all tables, but 0 and 1 for those that are set."""
    names, states = list(network.variables), network.states
    whole = np.ones([len(states[name]) for name in names])
    for name in names:
        if name in (do or {}):
            table, family = np.array([float(label == do[name]) for label in states[name]]), [name]
        else:
            table, family = network.cpts[name], [*network.dag.parents(name), name]
        axes = sorted(range(len(family)), key=lambda axis: names.index(family[axis]))
        shape = [len(states[one]) if one in family else 1 for one in names]
        whole = whole * table.transpose(axes).reshape(shape)
    return whole


def along(network: Network, name: str, numbers: Sequence[float]) -> Any:
    """Numbers for the states of one variable, to be multiplied with a joint distribution."""
    shape = [1] * len(network.variables)
    shape[network.variables.index(name)] = -1
    return np.reshape(numbers, shape)


def weighed(network: Network, whole: Any, given: Mapping[str, Any]) -> Any:
    """A joint distribution times the likelihoods of findings: not normalised."""
    for name, finding in given.items():
        labels = network.states[name]
        if isinstance(finding, str):
            numbers = [float(label == finding) for label in labels]
        elif isinstance(finding, Mapping):
            numbers = [finding.get(label, 0.0) for label in labels]
        else:
            numbers = [float(label in finding) for label in labels]
        whole = whole * along(network, name, numbers)
    return whole


def marginal(network: Network, whole: Any, names: Sequence[str]) -> Any:
    """Normalised, an axis for each name."""
    places = [network.variables.index(name) for name in names]
    table = whole.sum(axis=tuple(i for i in range(whole.ndim) if i not in places))
    ranks = np.argsort(np.argsort(places))
    return table.transpose(ranks) / table.sum()


def fitted(network: Network, whole: Any, beliefs: Mapping[str, Mapping[str, float]], rounds: int = 20_000) -> Any:
    """The joint distribution with these marginals that is closest to the one given: by proportional fitting."""
    whole = whole / whole.sum()
    for _ in range(rounds):
        before = whole
        for name, belief in beliefs.items():
            wanted = np.array([belief.get(label, 0.0) for label in network.states[name]])
            found = marginal(network, whole, [name])
            ratio = np.divide(wanted, found, out=np.zeros_like(found), where=found > 0)
            whole = whole * along(network, name, ratio)
        if np.abs(whole - before).max() < 1e-15:
            break
    return whole


def ranked(network: Network, whole: Any, names: Sequence[str]) -> Iterator[tuple[float, tuple[str, ...]]]:
    """The states of some variables together with their probabilities, the most probable first."""
    table = marginal(network, whole, names)
    labels = list(itertools.product(*(network.states[name] for name in names)))
    order = np.argsort(-table.ravel(), kind="stable")
    return ((float(table.ravel()[i]), labels[i]) for i in order)


def entropy(table: Any) -> float:
    positive = table[table > 0]
    return float(-(positive * np.log2(positive)).sum())


def random_findings(network: Network, random: np.random.Generator, most: int = 3) -> dict[str, Any]:
    """Hard findings, sets of states and likelihoods about a few variables."""
    found: dict[str, Any] = {}
    for name in random.permutation(network.variables)[: random.integers(0, most + 1)].tolist():
        labels = network.states[name]
        kind = random.integers(3)
        if kind == 0:
            found[name] = str(random.choice(labels))
        elif kind == 1:
            found[name] = random.choice(labels, random.integers(1, len(labels) + 1), replace=False).tolist()
        else:
            found[name] = dict(zip(labels, (random.random(len(labels)) * 5).tolist(), strict=True))
    return found


def best_log(network: Network, given: Mapping[str, Any]) -> float:
    """The logarithm of the largest product of tables and likelihoods: by eliminating one variable after the other."""
    factors: list[tuple[list[str], Any]] = []
    with np.errstate(divide="ignore"):
        for name in network.variables:
            factors.append(([*network.dag.parents(name), name], np.log(network.cpts[name])))
        for name, finding in given.items():
            alone = Network(DAG([name]), {name: network.states[name]})
            factors.append(([name], np.log(weighed(alone, np.ones(len(network.states[name])), {name: finding}))))
    left = set(network.variables)
    while left:
        around = {name: {one for scope, _ in factors if name in scope for one in scope} for name in left}
        chosen = min(sorted(left), key=lambda name: len(around[name]))
        left.remove(chosen)
        scope = [chosen, *sorted(around[chosen] - {chosen})]
        total = np.zeros([len(network.states[name]) for name in scope])
        for own, table in (one for one in factors if chosen in one[0]):
            axes = sorted(range(len(own)), key=lambda axis: scope.index(own[axis]))
            total = total + table.transpose(axes).reshape([len(network.states[n]) if n in own else 1 for n in scope])
        factors = [one for one in factors if chosen not in one[0]]
        factors.append((scope[1:], total.max(0)))
    return float(sum(table for _, table in factors))
