"""The rounds of a federation: vocabulary, tally, search, tables, and sending the finished network.

Each finished round is stored, so that a coordinator that was killed continues after it. Only sums of the sites' data
are stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from bnfuse._base.texts import count
from bnfuse.answer import persistence
from bnfuse.answer.consensus import consensus, frontier
from bnfuse.answer.result import Consensus
from bnfuse.errors import BnfuseError, FederationError
from bnfuse.federated.agreement.settings import FAMILIES, TABLED, TALLY, Agreement
from bnfuse.federated.coordinator import store
from bnfuse.federated.coordinator.store import FederationStore
from bnfuse.federated.coordinator.summing import Channel, Summing
from bnfuse.federated.protocol.transcript import dishonest_sites
from bnfuse.federated.sums import counts, learning
from bnfuse.files import write
from bnfuse.learning.learn import learn
from bnfuse.problem.tally import Tally
from bnfuse.report.page.page import write_report
from bnfuse.search.outcome import Found

NETWORK, SAVED, REPORT = "consensus.bif", "consensus.json", "report.html"
_SEARCH, _FINISH = "search", "finish"
_BE = {TALLY: "is", FAMILIES: "are", TABLED: "are"}
_Read = TypeVar("_Read")


def rounds_of(agreement: Agreement) -> tuple[str, ...]:
    """The rounds of a federation, in this order."""
    sums = agreement.settings.sums
    return (*(one for one in sums if one != TABLED), _SEARCH, *(one for one in sums if one == TABLED), _FINISH)


@dataclass(frozen=True)
class Finished:
    """The result of a federation."""

    consensus: Consensus
    sites: int
    """in the tally"""
    notes: tuple[str, ...]


def coordinate(
    agreement: Agreement, folder: Path, channel: Channel, say: Callable[[str], None] = lambda text: None
) -> Finished:
    """Run all rounds that are not finished yet; the result is written to a folder."""
    counts.check_noise(agreement)
    with store.opened(folder, agreement) as kept:
        kept.stop(None)
        try:
            return _Rounds(agreement, folder, kept, channel, say).run()
        except BnfuseError as error:
            kept.stop(str(error))
            raise


class _Rounds:
    def __init__(
        self, agreement: Agreement, folder: Path, kept: FederationStore, channel: Channel, say: Callable[[str], None]
    ) -> None:
        self._agreement, self._folder, self._kept, self._say = agreement, folder, kept, say
        self._sums = Summing(agreement, channel, kept, say)
        self._tiny: int | None = None

    def run(self) -> Finished:
        done = self._kept.finished(_FINISH)
        sites, tally = self._tally()
        found = self._search(tally, sites)
        tabled, total, tables, bins = self._tables(found)
        finished = self._finished(found, sites, tabled, total, tables, bins)
        self._write(finished.consensus)
        if done is None:
            told = self._sums.tell(self._last_message(finished))
            self._kept.finish(_FINISH, told, b"")
            self._say(f"{count(told, 'site')} have the finished network")
        for note in finished.notes:
            self._say(note)
        return finished

    def _sum(
        self, name: str, request: dict[str, Any], length: int, read: Callable[[counts.Counts, int], _Read]
    ) -> tuple[int, _Read]:
        """A stored sum, or a new one; it is stored if it is possible for the sites."""
        before = self._kept.finished(name)
        if before is not None:
            self._say(f"the {name} of {count(before[0], 'site')} {_BE[name]} kept from an earlier run")
            return before[0], read(np.frombuffer(before[1], "<i8").astype(np.int64), before[0])
        vector, sites = self._sums.sum(name, request, length)
        try:
            found = read(vector, sites)
        except FederationError as error:
            self._kept.forget(name)
            raise FederationError(f"{error}. For a new sum, each owner must allow it: bnfuse federated allow") from None
        self._kept.finish(name, sites, vector.astype("<i8").tobytes())
        self._say(f"received the {name} of {count(sites, 'site')}")
        return sites, found

    def _tally(self) -> tuple[int, Tally]:
        def read(vector: counts.Counts, sites: int) -> Tally:
            self._tiny = counts.tiny_sites(vector, self._agreement)
            return counts.tally_from(vector, self._agreement, sites)

        return self._sum(TALLY, {}, counts.votes_length(self._agreement), read)

    def _search(self, tally: Tally, sites: int) -> Consensus:
        """The consensus of the tally, with the best networks for other limits; or what is learned from counts."""
        before = self._kept.finished(_SEARCH)
        if before is not None:
            return persistence.parsed(before[1], self._folder / store.FILE, Consensus)
        settings = self._agreement.settings
        by_counts = settings.structure == "counts"
        asked: dict[str, Any] = {
            "metric": settings.metric,
            "directions": "any" if by_counts else settings.directions,
            "states": self._agreement.vocabulary.known or None,
            "seed": settings.seed,
            "effort": settings.effort,
        }
        found = consensus(tally, settings.max_clique, **asked)
        if by_counts:
            found = self._learned(found, tally)
        elif settings.frontier:
            found = found.with_frontier(frontier(tally, **asked))
        self._kept.finish(_SEARCH, sites, persistence.as_bytes(found))
        what = "learned from counts" if by_counts else "consensus"
        self._say(f"{what}: {count(len(found.dag.edges), 'arc')}, mean {settings.metric} {found.distance:.2f}")
        return found

    def _learned(self, votes: Consensus, tally: Tally) -> Consensus:
        """The network that all rows together support, among the families that the votes select."""
        agreement, settings = self._agreement, self._agreement.settings
        families = learning.asked_families(tally, agreement)
        sites, (total, tables) = self._sum(
            FAMILIES,
            {"sets": [list(members) for members in families.sets]},
            families.length(agreement),
            lambda vector, there: learning.tables_from(vector, families, agreement, there),
        )
        scores = learning.scores_of(total, tables, agreement)
        learned = learn(scores, max_clique=settings.max_clique, effort=cast("Any", settings.effort), seed=settings.seed)
        note = (
            f"the structure is learned from the counts of {count(total, 'row')} at {count(sites, 'site')} (BIC "
            f"{learned.score:,.1f}); distances are measured to the sites' own networks, whose consensus has a "
            f"mean {settings.metric} of {votes.distance:.2f}"
        )
        found = Found.of(votes.problem, votes.found.method, learned.dag)
        return replace(votes, found=found, notes=(note, *votes.notes), proof=None)

    def _tables(self, found: Consensus) -> tuple[int, int, list[counts.Counts], list[int]]:
        if TABLED not in self._agreement.settings.sums:
            return 0, 0, [], []
        families = counts.Families(found.dag, self._agreement)
        request = {"arcs": found.dag.arc_numbers.tolist(), "mean": found.distance}
        sites, (total, tables, bins) = self._sum(TABLED, request, families.length, families.apart)
        return sites, total, tables, bins

    def _finished(
        self, found: Consensus, sites: int, tabled: int, total: int, tables: list[counts.Counts], bins: list[int]
    ) -> Finished:
        settings = self._agreement.settings
        votes = {
            "site": "one vote each",
            "network": f"one vote per network, at most {settings.most_votes} each",
            "rows": f"one vote per row, at most {settings.most_rows:,} each",
        }[settings.votes or "site"]
        notes = [f"the inputs are a secure sum over {count(sites, 'site')} of the federation {settings.name}, {votes}"]
        if settings.epsilon is not None and settings.tally_epsilon is not None:
            spent = f"{float(settings.tally_epsilon):g} on the tally"
            if settings.tables_epsilon:
                spent += f", {float(settings.tables_epsilon):g} on the tables"
            notes.append(
                f"differentially private: epsilon {settings.epsilon:g} ({spent}), also if "
                f"{count(dishonest_sites(self._agreement.sites), 'site')} tell their noise; distances, bounds and "
                "supports are those of counts with noise"
            )
        if self._tiny:
            notes.append(
                f"{self._tiny} of {count(sites, 'site')} have fewer than {counts.TINY} rows: networks from so few "
                "rows say little"
            )
        if bins:
            notes.append(counts.histogram_text(bins, found.distance))
        result = found
        if settings.tables != "none":
            fitted = counts.Families(found.dag, self._agreement).fitted(total, tables, tabled)
            result = result.with_parameters(fitted)
        result = replace(result, notes=(*notes, *result.notes))
        return Finished(result, sites, result.notes)

    def _write(self, result: Consensus) -> None:
        write(result.network, self._folder / NETWORK, overwrite=True)
        result.save(self._folder / SAVED, overwrite=True)
        write_report(result, self._folder / REPORT, overwrite=True)

    def _last_message(self, finished: Finished) -> dict[str, Any]:
        network = finished.consensus.network
        cpts = network.cpts
        tables = None if cpts is None else b"".join(cpts[name].astype("<f8").tobytes() for name in network.variables)
        return {
            "arcs": network.dag.arc_numbers.tolist(),
            "tables": tables,
            "facts": {"sites": finished.sites, "distance": finished.consensus.distance},
        }
