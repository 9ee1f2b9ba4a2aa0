"""The vectors of whole numbers that sites add up: votes for arcs, counts of families, and each site's distance.

A moral edge joins two variables that an arc joins, or that have a child in common and no arc (a "marriage"). A vector
of votes has arcs and marriages, from which the moral edges follow; so one network changes it by exactly as many votes
as it has moral edges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import option_name
from bnfuse._base.texts import count
from bnfuse.errors import BnfuseError, FederationError, OptionError
from bnfuse.federated.agreement.settings import MOST_SCALE, Agreement
from bnfuse.graphs.dag import DAG, refuse_many
from bnfuse.graphs.network import Network, Table
from bnfuse.inference import em
from bnfuse.inference.parameters import Fitted
from bnfuse.problem.input_votes import SOFT_PARTS
from bnfuse.problem.tally import Tally
from bnfuse.search.outcome import distance_to_tally

Counts = npt.NDArray[np.int64]

BINS = 12
"""bins of the histogram of distances: quarters of the mean distance, the last one open"""
_QUARTERS = 4
_MOST_SITES = 10_000
_PRIVATE_TABLE_PARTS = 100  # noise is drawn in such units: with more of them, drawing takes longer
TINY = 200
"""with fewer rows, a network learned from a site says little"""
_SURE = 1e-9  # the probability that noise exceeds its assumed limit, in a whole sum
BLAME = "at least one site broke the rules, and the sum does not show which; nothing was stored"


def vote_parts(agreement: Agreement) -> int:
    """The number of parts of a vote: with noise it is whole, so that its parts reveal nothing."""
    return 1 if agreement.settings.epsilon is not None else SOFT_PARTS


def table_parts(agreement: Agreement) -> int:
    """The number of parts of a site's vote for its tables; data count rows, which are whole."""
    if agreement.settings.tables == "data":
        return 1
    if agreement.settings.epsilon is not None:
        return _PRIVATE_TABLE_PARTS
    return 1 << (62 - (_MOST_SITES * most_votes(agreement)).bit_length())  # so that sums stay within 63 bits


def most_votes(agreement: Agreement) -> int:
    """The most votes of a site."""
    settings = agreement.settings
    return {"site": 1, "network": settings.most_votes, "rows": settings.most_rows}[settings.votes or "site"]


# Votes


def votes_length(agreement: Agreement) -> int:
    """The length of a vector of votes."""
    n = len(agreement.vocabulary.variables)
    return 1 + n * (n - 1) + n * (n - 1) // 2 + (1 if agreement.settings.epsilon is None else 0)


def votes_of(tally: Tally, agreement: Agreement, rows: int | None = None) -> Counts:
    """The vector of a site: its total votes, then those for arcs and for marriages, and whether it has few rows.

    `rows` is the number of its rows; None if it has only networks.
    """
    refuse_many(len(tally.variables), "a federation")
    settings = agreement.settings
    own = {"site": 1, "network": tally.weight // tally.parts, "rows": rows or 0}[settings.votes or "site"]
    votes = min(own, most_votes(agreement))
    if settings.epsilon is not None:
        arcs, moral = _strongest(tally, settings.most_edges or 0)
        weight = 1
    else:
        weight = votes * SOFT_PARTS
        arcs = _scaled(tally.arcs, weight, tally.weight)
        moral = -_scaled(-tally.moral, weight, tally.weight)
    vector = _laid_out(weight, arcs, moral - arcs - arcs.T)
    if settings.epsilon is not None:
        return vector
    return np.append(vector, int(rows is not None and rows < TINY)).astype(np.int64)


def tiny_sites(vector: Counts, agreement: Agreement) -> int | None:
    """The number of sites with few rows; None with epsilon, as its noise would use a part of the budget."""
    return int(vector[-1]) if agreement.settings.epsilon is None else None


def _scaled(counts: Counts, weight: int, total: int) -> Counts:
    """Counts out of a total as parts of a weight, rounded down."""
    whole = [int(one) * weight // total for one in counts.ravel()]  # a product may be over 64 bits
    return np.array(whole, np.int64).reshape(counts.shape)


def _strongest(tally: Tally, most: int) -> tuple[Counts, Counts]:
    """The arcs and moral edges that more than half of a site's networks have; not more edges than `most`."""
    moral = (2 * tally.moral > tally.weight).astype(np.int64)
    edges = np.argwhere(np.triu(moral))
    weakest_last = sorted(edges.tolist(), key=lambda edge: (-int(tally.moral[edge[0], edge[1]]), edge))
    for a, b in weakest_last[most:]:
        moral[a, b] = moral[b, a] = 0
    arcs = (2 * tally.arcs > tally.weight).astype(np.int64) * moral
    return arcs, moral


def _laid_out(weight: int, arcs: Counts, marriages: Counts) -> Counts:
    n = len(arcs)
    return np.concatenate(([weight], arcs[~np.eye(n, dtype=bool)], marriages[np.triu_indices(n, 1)])).astype(np.int64)


def _apart(vector: Counts, n: int) -> tuple[int, Counts, Counts]:
    """The counts that `_laid_out` was given."""
    arcs = np.zeros((n, n), np.int64)
    arcs[~np.eye(n, dtype=bool)] = vector[1 : 1 + n * (n - 1)]
    marriages = np.zeros((n, n), np.int64)
    start = 1 + n * (n - 1)
    marriages[np.triu_indices(n, 1)] = vector[start : start + n * (n - 1) // 2]
    return int(vector[0]), arcs, marriages + marriages.T


def votes_sensitivity(agreement: Agreement) -> int:
    """How much one site can change the sum of votes, compared with a sum without any arcs from it."""
    return agreement.settings.most_edges or 0


def tally_from(vector: Counts, agreement: Agreement, sites: int) -> Tally:
    """The tally in a sum over this number of sites; refused if it cannot be their sum."""
    variables, parts = agreement.vocabulary.variables, vote_parts(agreement)
    weight, arcs, marriages = _apart(vector, len(variables))
    if agreement.settings.epsilon is not None:
        _check_noisy_votes(vector, agreement, sites)
        weight, arcs, moral = sites, *_plausible(arcs, marriages, sites, _margin(agreement, sites))
    else:
        moral = arcs + arcs.T + marriages
        _check_votes(weight, arcs, marriages, moral, agreement, sites)
        if not 0 <= vector[-1] <= sites:
            raise FederationError(f"{vector[-1]} of {count(sites, 'site')} have few rows: {BLAME}")
    if not any(int(np.bitwise_or.reduce(np.remainder(one, parts), None)) for one in (arcs, moral, np.array(weight))):
        weight, arcs, moral, parts = weight // parts, arcs // parts, moral // parts, 1
    upper = np.triu(moral)
    content = {
        "variables": variables,
        "weight": weight,
        "parts": parts,
        "moral": [[int(a), int(b), int(upper[a, b])] for a, b in np.argwhere(upper)],
        "arcs": [[int(a), int(b), int(arcs[a, b])] for a, b in np.argwhere(arcs)],
    }
    try:
        return Tally.from_content(content)
    except BnfuseError as error:
        raise FederationError(f"the sum of the votes is impossible for {count(sites, 'site')}: {error}") from None


def _margin(agreement: Agreement, sites: int) -> int:
    """The number of votes beyond half of the sites that a moral edge needs to be more likely real than noise.

    A pair is assumed to be joined either at all sites, as many pairs as a site may have edges, or at none: by Bayes'
    rule with normal noise. The larger the noise, the fewer edges are accepted, and finally none.
    """
    epsilon, pairs = agreement.settings.tally_epsilon, math.comb(len(agreement.vocabulary.variables), 2)
    assert epsilon is not None
    stop = -math.expm1(-1 / float(scale_of(votes_sensitivity(agreement), epsilon)))
    each = 2 * (1 - stop) / stop**2  # the variance of discrete Laplace noise
    most = sites / agreement.honest  # more sites than needed make more noise
    joined = min(votes_sensitivity(agreement), pairs)
    odds = math.log(max((pairs - joined) / joined, 1.0))
    return math.ceil(odds * 3 * most * each / sites)  # noise of two arcs and a marriage


def _plausible(arcs: Counts, marriages: Counts, sites: int, margin: int) -> tuple[Counts, Counts]:
    """The nearest possible counts for this number of sites, as noise makes some negative or too large."""
    moral = np.clip(arcs + arcs.T + marriages - margin, 0, sites)
    arcs = np.clip(arcs, 0, sites)
    both = arcs + arcs.T
    return np.where(both > moral, arcs * moral // np.maximum(both, 1), arcs), moral


def noise_limit(agreement: Agreement, scale: Fraction, sites: int, length: int) -> int:
    """A limit that noise exceeds in none of this many numbers, except with probability 1e-9 (Chernoff's bound).

    The part of each site is a difference of two Pólya variables with shape 1/m, where m sites are enough.
    """
    rate = 1 / float(scale)
    shape, half = sites / agreement.honest, rate / 2
    log_moment = shape * (math.log(-math.expm1(-rate)) - math.log(-math.expm1(half - rate)))
    return math.ceil((log_moment + math.log(2 * length / _SURE)) / half)


def _check_noisy_votes(vector: Counts, agreement: Agreement, sites: int) -> None:
    """Refuse a sum that is farther out of range than noise makes it."""
    assert agreement.settings.tally_epsilon is not None
    scale = scale_of(votes_sensitivity(agreement), agreement.settings.tally_epsilon)
    limit = noise_limit(agreement, scale, sites, len(vector))
    if vector[0] != sites or vector[1:].min() < -limit or vector[1:].max() > sites + limit:
        raise FederationError(
            f"{count(sites, 'site')} sent {vector[0]} votes, and from {vector[1:].min()} to {vector[1:].max()} for a "
            f"pair, which is more than their votes and {limit} of noise: {BLAME}"
        )


def _check_votes(weight: int, arcs: Counts, marriages: Counts, moral: Counts, agreement: Agreement, sites: int) -> None:
    """Refuse sums that show that a site sent more than its votes."""
    settings, names = agreement.settings, agreement.vocabulary.variables
    each = SOFT_PARTS * most_votes(agreement)
    fits = weight == each * sites if settings.votes == "site" else 0 < weight <= each * sites
    if not fits:
        most = "" if settings.votes == "site" else "at most "
        raise FederationError(
            f"{count(sites, 'site')} sent {weight / SOFT_PARTS:,.6g} votes, and have {most}"
            f"{each * sites / SOFT_PARTS:,.6g}: {BLAME}"
        )
    wrong = np.argwhere((arcs < 0) | (arcs > weight) | (marriages < 0) | (moral > weight))
    if len(wrong):
        a, b = wrong[0].tolist()
        most_seen = max(abs(int(moral[a, b])), abs(int(arcs[a, b])), abs(int(marriages[a, b])))
        seen = f"{most_seen / SOFT_PARTS:,.6g} votes of {weight / SOFT_PARTS:,.6g}"
        raise FederationError(f"{names[a]} and {names[b]} have {seen}: {BLAME}")


# Distances between a tally and a network


def mean_distance(tally: Tally, dag: DAG, metric: str) -> float:
    """The mean distance of a network to the inputs of a tally."""
    return distance_to_tally(tally, dag.over(tally.variables), metric == "shd") / tally.weight


def bin_of(distance: float, mean: float) -> int:
    """The bin of a site in the histogram."""
    return min(BINS - 1, int(_QUARTERS * distance / max(mean, 1.0)))


def histogram_text(bins: Sequence[int], mean: float) -> str:
    """Whether sites stand apart, without naming them."""
    sites, far = sum(bins), sum(bins[2 * _QUARTERS :])
    if not far:
        return f"none of {count(sites, 'site')} is more than twice as far from the consensus as the mean of {mean:.2f}"
    who = "one of them stands apart" if far == 1 else f"{far} of them stand apart"
    return f"of {count(sites, 'site')}, {who}: more than twice as far from the consensus as the mean of {mean:.2f}"


# Tables


@dataclass(frozen=True)
class Families:
    """The positions of each family's counts in a vector: one number for all rows or votes, the families, the bins."""

    dag: DAG
    agreement: Agreement

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of the tables, the parents' axes first."""
        states = self.agreement.vocabulary.states
        return [tuple(len(states[name]) for name in (*self.dag.parents(v), v)) for v in self.dag.variables]

    @property
    def has_histogram(self) -> bool:
        """Noise for it would use a part of the budget."""
        return self.agreement.settings.epsilon is None

    @property
    def length(self) -> int:
        """The length of a vector."""
        cells = sum(map(math.prod, self.shapes)) if self.agreement.settings.tables != "none" else 0
        return 1 + cells + (BINS if self.has_histogram else 0)

    def vector(self, total: int, tables: Sequence[Counts] | None, place: int) -> Counts:
        """The vector of one site."""
        bins = np.zeros(BINS if self.has_histogram else 0, np.int64)
        if self.has_histogram:
            bins[place] = 1
        if self.agreement.settings.tables == "none":
            tables = []
        elif tables is None:
            tables = [np.zeros(shape, np.int64) for shape in self.shapes]
        return np.concatenate(([total], *(table.ravel() for table in tables), bins)).astype(np.int64)

    @property
    def sensitivity(self) -> int:
        """How much one row, or the tables of one site, can change all counts together, and the total."""
        return (len(self.dag.variables) + 1) * table_parts(self.agreement)

    def apart(self, vector: Counts, sites: int) -> tuple[int, list[Counts], list[int]]:
        """The total, the tables and the bins in a sum over this number of sites; refused if it cannot be theirs."""
        tables, place = [], 1
        for shape in self.shapes if self.agreement.settings.tables != "none" else ():
            size = math.prod(shape)
            tables.append(vector[place : place + size].reshape(shape))
            place += size
        total, bins = int(vector[0]), vector[place:].tolist()
        settings = self.agreement.settings
        most = (
            sites
            * (settings.most_rows if settings.tables == "data" else most_votes(self.agreement))
            * table_parts(self.agreement)
        )
        if settings.epsilon is not None:
            self._check_noisy(vector, most, sites)
            return max(total, 0), [np.maximum(table, 0) for table in tables], bins
        rounding = 0 if settings.tables == "data" else sites * max(map(math.prod, self.shapes), default=0)
        if settings.tables != "none" and not 0 <= total <= most:
            raise FederationError(
                f"{count(sites, 'site')} sent {total:,} rows or votes, and have at most {most:,}: {BLAME}"
            )
        wrong = [
            name
            for name, table in zip(self.dag.variables, tables, strict=False)
            if (table < 0).any() or sum(table.ravel().tolist()) > total + rounding
        ]
        if wrong:
            raise FederationError(f"the counts for {wrong[0]!r} are more than all rows or votes: {BLAME}")
        if bins and (min(bins) < 0 or sum(bins) != sites):
            raise FederationError(f"{count(sites, 'site')} sent {sum(bins)} distances: {BLAME}")
        return total, tables, bins

    def _check_noisy(self, vector: Counts, most: int, sites: int) -> None:
        """Refuse a sum that is farther out of range than noise makes it."""
        epsilon = self.agreement.settings.tables_epsilon
        if not epsilon:
            return
        limit = noise_limit(self.agreement, scale_of(self.sensitivity, epsilon), sites, len(vector))
        if vector.min() < -limit or vector.max() > most + limit:
            raise FederationError(
                f"the counts go from {vector.min():,} to {vector.max():,}, which is more than {most:,} rows or votes "
                f"and {limit:,} of noise: {BLAME}"
            )

    def fitted(self, total: int, tables: Sequence[Counts], sites: int) -> Fitted:
        """The network with the tables from the sums."""
        settings, states = self.agreement.settings, self.agreement.vocabulary.states
        parts = table_parts(self.agreement)
        found: dict[str, Table] = {}
        unseen = 0
        for variable, table in zip(self.dag.variables, tables, strict=True):
            prior = settings.prior if settings.tables == "data" else 0.0
            cells = (table if parts == 1 else table / parts) + prior / table.size
            found[variable], empty = em.conditional(cells.astype(np.float64))
            unseen += empty
        whose = count(sites, "site")
        if settings.tables == "data":
            notes = [f"the tables are estimated from {count(total, 'row')} at {whose}, by a secure sum"]
        else:
            notes = [f"the tables are pooled from the networks of {whose}, by a secure sum"]
        if unseen:
            notes.append(f"{count(unseen, 'parent configuration')} that no site knows got uniform distributions")
        return Fitted(Network(self.dag, dict(states), found), tuple(notes))


def check_noise(agreement: Agreement) -> None:
    """Refuse an agreement with more noise than can be drawn, or than allows any use."""
    settings = agreement.settings
    if settings.epsilon is None:
        return
    scales = [scale_of(votes_sensitivity(agreement), settings.tally_epsilon or Fraction(1))]
    if settings.tables_epsilon:
        scales.append(
            scale_of((len(agreement.vocabulary.variables) + 1) * table_parts(agreement), settings.tables_epsilon)
        )
    if max(scales) > MOST_SCALE:
        raise OptionError(
            f"epsilon {settings.epsilon:g} needs noise of scale {float(max(scales)):,.0f}, and {MOST_SCALE:,} is the "
            f"most: nothing could be seen in the sums; use a larger epsilon, or {option_name('tables')} none"
        )


def scale_of(sensitivity: int, epsilon: Fraction) -> Fraction:
    """The scale of the noise for this sensitivity."""
    return Fraction(sensitivity) / epsilon
