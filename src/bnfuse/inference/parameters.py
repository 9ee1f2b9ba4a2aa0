"""Parameters for a structure: estimated from data, or pooled from networks with their own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

import numpy as np

from bnfuse._base.options import not_negative
from bnfuse._base.texts import count, listed
from bnfuse.data.data import MISSING, Data, DataLike, RowOptions, as_noted_data
from bnfuse.data.weights import Weights
from bnfuse.errors import MismatchError, OptionError
from bnfuse.fusion.table_sizes import DEFAULT_LIMITS, TableLimits, check_tables
from bnfuse.fusion.weights import exact_weights
from bnfuse.graphs.dag import DAG, NetworkLike, as_dag, network_label
from bnfuse.graphs.network import Codes, Network, Table, alike_labels, as_network
from bnfuse.inference import em
from bnfuse.inference.experts.judgements import (
    INPUT_CASES,
    Judgements,
    Matched,
    checked_input_cases,
    checked_judgements,
    matched,
)
from bnfuse.inference.missing_rows import Incomplete
from bnfuse.inference.queries import Families

DEFAULT_PRIOR = 1.0
MOST_ITERATIONS = 200
CONVERGED = 1e-6
"""the gain of the log-posterior for each row at which expectation maximisation ends"""

EMProgress = Callable[[int, float], None]
"""Called with the number of an iteration of expectation maximisation and its log-likelihood."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A network with parameters, and their origin."""

    network: Network
    notes: tuple[str, ...] = ()
    """notes for its owner"""
    log_likelihoods: tuple[float, ...] = ()
    """the log-likelihood of the data after each iteration of expectation maximisation; empty for complete data"""


def fit(
    structure: NetworkLike,
    data: DataLike,
    *,
    states: Mapping[str, Sequence[str]] | None = None,
    prior: float = DEFAULT_PRIOR,
    progress: EMProgress | None = None,
    limits: TableLimits = DEFAULT_LIMITS,
    na: Iterable[str] | None = None,
    weights: str | None = None,
    judgements: Judgements = (),
) -> Fitted:
    """The structure with parameters estimated from data.

    `data` is the path of a CSV or Parquet file, a pandas DataFrame or Data. The states are `states`, or those of the
    structure if it is a network with states; a variable without states gets the labels that occur. `prior` is the
    equivalent sample size of a uniform Dirichlet prior (BDeu): that many rows, spread evenly over all cells of each
    table, are added to the counts. 0 is maximum likelihood; parent configurations without any row are then uniform, and
    counted in a note.

    Missing values (an empty cell, NA, ?, or the labels `na`) are dealt with by expectation maximisation: until an
    iteration gains less than CONVERGED for each row, at most MOST_ITERATIONS times. A row counts as many times as its
    value in the column `weights`. A judgement adds its cases to the counts of its row of a table.
    """
    asked = RowOptions(na, weights)  # type: ignore[arg-type]
    network = as_network(structure)
    prior = checked_prior(prior)
    given = checked_judgements(judgements)
    known = states if states is not None else network.states
    if known is not None and all(variable in known for variable in network.variables):
        check_tables(network.dag, known, limits)
    rows, said = as_noted_data(data, network.variables, known, asked=asked)
    check_tables(network.dag, rows.states, limits)
    represented = "" if rows.weights is None else f", which represent {rows.weight:,.10g}"
    notes = [f"the tables are estimated from {len(rows):,} rows{represented}"]
    log_likelihoods: list[float] = []
    judged = matched(given, network.dag, rows.states)
    if rows.missing:
        tables, unseen, log_likelihoods, converged = _maximised(network.dag, rows, prior, judged, progress, limits)
        cells = count(rows.missing, "missing cell")
        steps = count(len(log_likelihoods), "iteration")
        notes.append(f"{cells} of {rows.codes.size:,}: {steps} of expectation maximisation")
        if not converged:
            notes.append(f"expectation maximisation was stopped after {MOST_ITERATIONS} iterations, not yet converged")
    else:
        tables, unseen = _estimated(network.dag, rows, prior, judged)
    if unseen:
        notes.append(f"{count(unseen, 'parent configuration')} without any row got uniform distributions")
    notes += judged.notes
    seen = {name: len(set(np.unique(rows.column(name)).tolist()) - {MISSING}) for name in rows.variables}
    for few, words in ((0, "no value"), (1, "one state only")):
        if found := [name for name in rows.variables if seen[name] == few < len(rows.states[name])]:
            more = f" and {len(found) - 1} more columns" if len(found) > 1 else ""
            notes.append(f"the data have {words} in column {found[0]!r}{more}")
    fitted = Network(network.dag, rows.states, tables, network.name, cuts={**network.cuts, **rows.cuts})
    return Fitted(fitted, (*notes, *said), tuple(log_likelihoods))


def checked_prior(prior: float) -> float:
    """The equivalent sample size of a prior, if it is one."""
    return float(not_negative("rows")("prior", prior))


def pool(
    dag: NetworkLike,
    networks: Sequence[Network],
    weights: Sequence[float | Fraction] | Mapping[str, float] | None = None,
    *,
    limits: TableLimits = DEFAULT_LIMITS,
    judgements: Judgements = (),
    input_cases: float = INPUT_CASES,
) -> Fitted:
    """The structure with the parameters closest to a mixture of networks.

    Networks over other variables count for the families that they contain completely; a family that no network contains
    is refused. Among all networks with this structure, the result minimises the Kullback-Leibler divergence from the
    mixture of the networks' joint distributions by weight (a number for each, or a mapping from names): each variable
    has its distribution given its parents in the mixture, by exact inference in each network. Parent configurations
    that have probability 0 in all of them become uniform, and are counted in a note.

    The cases of a judgement are added to those of the networks for its row. A network of weight w counts as w times
    `input_cases` cases, spread over the rows of a table in proportion to their probability in it.
    """
    graph = as_dag(dag)
    states = pooled_states(graph, networks)
    judged, worth = matched(judgements, graph, states), checked_input_cases(input_cases)
    given = exact_weights(weights, tuple(network.name or f"{i + 1}" for i, network in enumerate(networks)))
    shares = [float(weight / sum(given)) for weight in given]
    check_tables(graph, states, limits)
    families = [(*graph.parents(variable), variable) for variable in graph.variables]
    _check_covered(families, [network for network, share in zip(networks, shares, strict=True) if share])
    joints = [np.zeros([len(states[name]) for name in family]) for family in families]
    for network, share in zip(networks, shares, strict=True):
        if share:
            assert network.states is not None
            own = frozenset(network.variables)
            covered = {i: family for i, family in enumerate(families) if own.issuperset(family)}
            if not covered:
                continue
            inside = Families(network, list(covered.values()), limits)
            orders_of = {name: _places(network.states[name], states[name]) for name in graph.variables if name in own}
            for position, family in covered.items():
                orders = [orders_of[name] for name in family]
                joints[position] += share * inside.joint(family)[np.ix_(*orders)]
    tables, impossible = {}, 0
    for variable, joint in zip(graph.variables, joints, strict=True):
        tables[variable], missing = em.conditional(joint)
        impossible += missing - _judge(tables[variable], joint * (worth * float(sum(given))), judged, variable)
    many = sum(share > 0 for share in shares)
    notes = [f"the tables are pooled from the {many:,} networks, as close to their mixture as possible"]
    if many == 1:
        notes = ["the tables come from one network, as close to it as possible"]
    if impossible:
        notes.append(f"{count(impossible, 'parent configuration')} of probability 0 got uniform distributions")
    return Fitted(Network(graph, states, tables), (*notes, *judged.notes))


def _judge(table: Table, cases: Table, judged: Matched, variable: str) -> int:
    """Add experts' judgements of rows to the cases of each cell of a table; return how many rows only they know."""
    unknown = 0
    for row, said in judged.cases(variable).items():
        unknown += not cases[row].any()
        together = cases[row] + said
        table[row] = together / together.sum()
    return unknown


def _check_covered(families: Sequence[tuple[str, ...]], networks: Sequence[Network]) -> None:
    """Refuse a family that no network contains completely: its joint distribution is unknown."""
    having = [frozenset(network.variables) for network in networks]
    for family in families:
        if not any(own.issuperset(family) for own in having):
            *parents, variable = family
            given = f" given {listed(parents)}" if parents else ""
            raise MismatchError(
                f"no network with tables has a distribution of {variable!r}{given}: fit the structure to data instead"
            )


def pooled_states(dag: DAG, networks: Sequence[Network]) -> dict[str, tuple[str, ...]]:
    """The states of the variables in the first network that has each.

    All must have tables, and the same states in any order.
    """
    if not networks:
        raise OptionError("expected at least one network, got an empty list")
    first: dict[str, tuple[str, tuple[str, ...]]] = {}
    for position, network in enumerate(networks):
        label = network_label(network, position)
        if network.cpts is None or network.states is None:
            raise OptionError(f"{label} has no tables, and pooling needs those of all; fit it to data first")
        for variable in dag.variables:
            if variable not in network.states:
                continue
            labels = network.states[variable]
            where, wanted = first.setdefault(variable, (label, labels))
            if frozenset(labels) != frozenset(wanted):
                raise MismatchError(
                    f"variable {variable!r} has the states {listed(wanted)} in {where} and {listed(labels)} in {label}"
                    f"{alike_labels(wanted, labels)}; pooling needs the same"
                )
    for variable in dag.variables:
        if variable not in first:
            raise MismatchError(
                f"no network with tables has the variable {variable!r}: fit the structure to data instead"
            )
    return {variable: first[variable][1] for variable in dag.variables}


def _places(labels: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """The positions of the wanted labels."""
    place = {label: i for i, label in enumerate(labels)}
    return [place[label] for label in wanted]


def _estimated(dag: DAG, data: Data, prior: float, judged: Matched) -> tuple[dict[str, Table], int]:
    """The tables of complete data, and the number of rows without any information."""
    tables, unseen = {}, 0
    for variable in dag.variables:
        family = (*dag.parents(variable), variable)
        shape = [len(data.states[name]) for name in family]
        counts = _counts([data.column(name) for name in family], shape, data.weights) + prior / math.prod(shape)
        counts += judged.counts(variable, shape)
        tables[variable], missing = em.conditional(counts)
        unseen += missing
    return tables, unseen


def _maximised(
    dag: DAG, data: Data, prior: float, judged: Matched, progress: EMProgress | None, limits: TableLimits
) -> tuple[dict[str, Table], int, list[float], bool]:
    """The tables of incomplete data, and the number of rows without any information.

    Then the log-likelihood of the observed cells after each iteration, and whether another iteration would gain almost
    nothing.
    """
    rows = Incomplete(dag, data.states, data.codes, limits, data.weights)
    shapes = {v: [len(data.states[name]) for name in (*dag.parents(v), v)] for v in dag.variables}
    said = [judged.counts(v, shapes[v]).ravel() for v in dag.variables] if judged.rows else None
    history: list[float] = []
    before = -math.inf
    for step in islice(em.iterations(rows, prior, said), MOST_ITERATIONS):
        history.append(step.log_likelihood)
        if progress is not None:
            progress(len(history), step.log_likelihood)
        converged = not step.log_posterior - before > CONVERGED * data.weight
        if converged:
            break
        before = step.log_posterior
    tables = {v: table.reshape(shapes[v]) for v, table in zip(dag.variables, step.tables, strict=True)}
    return tables, step.unknown, history, converged


def _counts(columns: Sequence[Codes], shape: Sequence[int], weights: Weights | None) -> Table:
    """The number of rows with each combination of states, by their weights."""
    number = np.zeros(len(columns[0]), np.int64)
    for column, size in zip(columns, shape, strict=True):
        number *= size
        number += column
    return np.bincount(number, weights, minlength=math.prod(shape)).reshape(shape).astype(np.float64)
