"""The rows of a consensus's tables on which inputs and experts differ.

Every input or expert with an opinion on a row has a distribution and a number of cases: an input of weight w has w
times `input_cases`, spread over the rows of a table in proportion to their probability in it; a judgement has its own
number. The pooled row is their mean. Their difference is the mean Kullback-Leibler divergence of their distributions
from it (the generalised Jensen-Shannon divergence), which is 0 if all agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bnfuse._base.public import public
from bnfuse.errors import OptionError
from bnfuse.fusion.table_sizes import DEFAULT_LIMITS
from bnfuse.fusion.weights import Weights, exact_weights
from bnfuse.graphs.dag import NetworkLike
from bnfuse.graphs.network import Network, Table, as_network
from bnfuse.inference.asking.panel import named_inputs, places_of
from bnfuse.inference.evidence import check_known, check_tables
from bnfuse.inference.experts.judgements import (
    INPUT_CASES,
    Judgements,
    Matched,
    RowJudgement,
    Unused,
    checked_input_cases,
    matched,
)
from bnfuse.inference.queries import Families

_NONE = 1e-12  # a smaller divergence is a rounding error
MOST_ROWS = 1_000


@public
@dataclass(frozen=True)
class RowDispute:
    """The distributions of the inputs and experts for one row of a table of the consensus.

    Attributes
    ----------
    variable
        The variable whose distribution it is.
    given
        The state of each of its parents.
    consensus
        The row of the consensus: a probability for each state.
    inputs
        The same in each input that has all of these variables and gives the parents' states a positive probability, by
        name.
    cases
        The number of cases that each of these inputs counts as in this row, by name.
    judgements
        The experts' judgements of the row.
    probability
        The probability of the parents' states in the mixture of the inputs.
    divergence
        Their difference in bits: the mean divergence from the pooled row, by cases.

    Examples
    --------
    >>> import bnfuse
    >>> coin = {"Coin": ("heads", "tails")}
    >>> fair, biased = (
    ...     bnfuse.Network(bnfuse.DAG(["Coin"]), coin, {"Coin": [heads, 1 - heads]}, name)
    ...     for name, heads in (("fair", 0.5), ("biased", 1.0))
    ... )
    >>> row = bnfuse.row_disputes(bnfuse.consensus([fair, biased]), [fair, biased])[0]
    >>> row.widest, round(row.divergence, 4)
    (('heads', 0.5, 1.0), 0.3113)
    """

    variable: str
    given: Mapping[str, str]
    consensus: Mapping[str, float]
    inputs: Mapping[str, Mapping[str, float]]
    cases: Mapping[str, float]
    judgements: tuple[RowJudgement, ...]
    probability: float
    divergence: float

    @property
    def weight(self) -> float:
        """The value by which rows are ranked: the divergence times the probability of the parents' states."""
        return self.probability * self.divergence

    @property
    def is_disputed(self) -> bool:
        """Whether two of them differ."""
        return self.divergence > 0

    @property
    def widest(self) -> tuple[str, float, float]:
        """The state on whose probability they differ most, with the smallest and the largest probability."""
        said = [*self.inputs.values(), *(one.probabilities for one in self.judgements)] or [self.consensus]
        ranges = [(state, min(one[state] for one in said), max(one[state] for one in said)) for state in self.consensus]
        widest = max(high - low for _, low, high in ranges)
        return next(
            one for one in ranges if one[2] - one[1] >= widest - _NONE
        )  # the first, where rounding errors differ


@public
def row_disputes(
    consensus: NetworkLike,
    inputs: Iterable[NetworkLike],
    of: Iterable[str] | None = None,
    *,
    weights: Weights | None = None,
    judgements: Judgements = (),
    input_cases: float = INPUT_CASES,
    most: int = MOST_ROWS,
) -> tuple[RowDispute, ...]:
    """The rows of the tables of a consensus on which inputs and experts differ, the most important first.

    Each input is asked, by exact inference, for the distribution of each variable given its parents in the consensus,
    whatever its own parents are. Rows are ranked by the difference between the answers times the probability of the
    parents' states.

    Parameters
    ----------
    consensus
        A network with tables, or a Consensus.
    inputs
        The networks that it represents; those without tables take no part.
    of
        The variables whose tables are compared: by default all.
    weights
        A number for each input, or a mapping from names; by default 1 each.
    judgements
        Experts' judgements of rows.
    input_cases
        The number of cases that an input of weight 1 counts as, compared with a judgement.
    most
        The largest number of rows to return.

    Returns
    -------
    tuple of RowDispute
        The rows, the most important first; rows on which all agree come last.

    Raises
    ------
    EvidenceError
        A variable is unknown.
    MismatchError
        An input has other states of a variable.
    TooLargeError
        A table would take too much memory.
    OptionError
        The consensus has no tables.

    Examples
    --------
    >>> import bnfuse
    >>> states = {"Smoker": ("no", "yes"), "Cancer": ("no", "yes")}
    >>> north, south = (
    ...     bnfuse.Network(
    ...         bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
    ...         states,
    ...         {"Smoker": [0.7, 0.3], "Cancer": [[0.95, 0.05], [1 - cancer, cancer]]},
    ...         name,
    ...     )
    ...     for name, cancer in (("north", 0.2), ("south", 0.1))
    ... )
    >>> first, *others = bnfuse.row_disputes(bnfuse.consensus([north, south]), [north, south])
    >>> first.variable, first.given, {name: round(row["yes"], 3) for name, row in first.inputs.items()}
    ('Cancer', {'Smoker': 'yes'}, {'north': 0.2, 'south': 0.1})
    >>> [one.is_disputed for one in others]
    [False, False]
    """
    whole = as_network(consensus)
    check_tables(whole)
    assert whole.states is not None
    chosen = whole.variables if of is None else tuple(dict.fromkeys(of))
    check_known(whole, chosen)
    every = named_inputs(inputs)
    given = exact_weights(weights, [name for name, _ in every])
    worth = checked_input_cases(input_cases)
    judged = matched(judgements, whole.dag, whole.states)
    panel = [
        _Voice(name, network, whole, float(weight) * worth, float(weight))
        for (name, network), weight in zip(every, given, strict=True)
        if weight and network.cpts is not None
    ]
    for one in panel:
        one.ask([(*whole.dag.parents(variable), variable) for variable in chosen])
    tables = [_Compared(whole, variable, panel, judged) for variable in chosen]
    ranked = sorted(
        ((-float(weight), place, int(row)) for place, one in enumerate(tables) for row, weight in one.heaviest(most)),
    )
    return tuple(tables[place].row(row) for _, place, row in ranked[:most])


def unused_judgements(consensus: NetworkLike, judgements: Judgements) -> tuple[Unused, ...]:
    """The judgements that fit no row of a consensus's tables, with the reasons."""
    whole = as_network(consensus)
    if whole.states is None:
        raise OptionError("the consensus has no tables")
    return matched(judgements, whole.dag, whole.states).unused


class _Voice:
    """An input that has tables."""

    def __init__(self, name: str, network: Network, consensus: Network, cases: float, weight: float) -> None:
        self.name, self.cases, self.weight = name, cases, weight
        self._network, self._consensus = network, consensus
        self._families: Families | None = None

    def ask(self, families: Sequence[tuple[str, ...]]) -> None:
        """Prepare the answers about families, some of which the input may lack."""
        own = [family for family in families if self.has(family)]
        self._families = Families(self._network, own, DEFAULT_LIMITS) if own else None

    def has(self, family: Sequence[str]) -> bool:
        """Whether it has all of these variables."""
        return set(self._network.variables).issuperset(family)

    def joint(self, family: Sequence[str]) -> Table:
        """The joint distribution of a family: a row for each combination of the parents' states."""
        assert self._families is not None
        orders = [places_of(self._network, self._consensus, variable, self.name) for variable in family]
        found = self._families.joint(family)[np.ix_(*orders)]
        return found.reshape(-1, found.shape[-1])


class _Compared:
    """The table of one variable, row by row."""

    def __init__(self, whole: Network, variable: str, panel: Sequence[_Voice], judged: Matched) -> None:
        assert whole.states is not None
        assert whole.cpts is not None
        self._variable, self._parents = variable, whole.dag.parents(variable)
        self._states = whole.states
        self._shape = tuple(len(whole.states[name]) for name in self._parents)
        self._table = whole.cpts[variable].reshape(-1, len(whole.states[variable]))
        self._family = (*self._parents, variable)
        self._panel = [one for one in panel if one.has(self._family)]
        self._judged = {self._number(row): said for row, said in judged.rows.get(variable, {}).items()}
        self._divergence, self._probability = self._measured()

    def _number(self, row: tuple[int, ...]) -> int:
        return int(np.ravel_multi_index(row, self._shape)) if row else 0

    def _measured(self) -> tuple[Table, Table]:
        """For each row, the difference and the probability, without keeping the distributions."""
        rows = len(self._table)
        cases, total, entropies = np.zeros_like(self._table), np.zeros(rows), np.zeros(rows)
        probability, weight = np.zeros(rows), 0.0
        for one in self._panel:
            joint = one.joint(self._family)
            chances = joint.sum(-1)
            cases += one.cases * joint
            total += one.cases * chances
            entropies += one.cases * chances * _entropies(_rows_of(joint, chances))
            probability += one.weight * chances
            weight += one.weight
        for row, said in self._judged.items():
            for judgement in said:
                own = self._listed(judgement)
                cases[row] += judgement.cases * own
                total[row] += judgement.cases
                entropies[row] += judgement.cases * float(_entropies(own[None])[0])
        mean = _rows_of(cases, total)
        apart = _entropies(mean) - np.divide(entropies, total, out=np.zeros(rows), where=total > 0)
        apart[(apart < _NONE) | (total == 0)] = 0.0
        return apart, probability / weight if weight else probability

    def _listed(self, judgement: RowJudgement) -> Table:
        return np.array([judgement.probabilities[state] for state in self._states[self._variable]])

    def heaviest(self, most: int) -> list[tuple[int, float]]:
        """The rows ranked first, and all rows that experts judged, each with the value by which it is ranked."""
        weight = self._divergence * self._probability
        order = np.lexsort((np.arange(len(weight)), -weight))[:most]
        judged = [row for row in self._judged if row not in set(order.tolist())]
        return [(row, float(weight[row])) for row in (*order.tolist(), *judged)]

    def row(self, number: int) -> RowDispute:
        """All facts about one row."""
        labels = self._states[self._variable]
        places = np.unravel_index(number, self._shape) if self._shape else ()
        given = {name: self._states[name][int(i)] for name, i in zip(self._parents, places, strict=True)}
        inputs, cases = dict[str, dict[str, float]](), dict[str, float]()
        for one in self._panel:
            joint = one.joint(self._family)[number]
            if (chance := float(joint.sum())) > 0:
                inputs[one.name] = dict(zip(labels, (joint / chance).tolist(), strict=True))
                cases[one.name] = one.cases * chance
        return RowDispute(
            self._variable,
            given,
            dict(zip(labels, self._table[number].tolist(), strict=True)),
            inputs,
            cases,
            self._judged.get(number, ()),
            float(self._probability[number]),
            float(self._divergence[number]),
        )


def _rows_of(cells: Table, sums: Table) -> Table:
    return np.divide(cells, sums[:, None], out=np.zeros_like(cells), where=sums[:, None] > 0)


def _entropies(rows: Table) -> Table:
    """The divergence of each row, in bits."""
    logs = np.log2(rows, out=np.zeros_like(rows), where=rows > 0)
    found: Table = -(rows * logs).sum(-1)
    return found
