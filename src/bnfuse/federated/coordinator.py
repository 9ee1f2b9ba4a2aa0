"""The rounds of a federation: vocabulary, tally, search, tables, and the finished network to all.

Each finished round is kept, so that a coordinator that was killed goes on after it. What is kept of the sites are sums.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from bnfuse._base.texts import count
from bnfuse.answer import persistence
from bnfuse.answer.consensus import consensus, frontier
from bnfuse.answer.result import Consensus
from bnfuse.federated import counts, store
from bnfuse.federated.settings import Agreement
from bnfuse.federated.store import FederationStore
from bnfuse.federated.summing import Channel, Summing
from bnfuse.files import write
from bnfuse.problem.tally import Tally
from bnfuse.report.page.page import write_report

RESULT = "result"
"""The folder of what came out, in that of the federation."""
NETWORK, SAVED, REPORT = "consensus.bif", "consensus.json", "report.html"
ROUNDS = ("tally", "search", "tables", "finish")
_BE = {"tally": "is", "tables": "are"}


@dataclass(frozen=True)
class Finished:
    """What a federation found."""

    consensus: Consensus
    sites: int
    """in the tally"""
    notes: tuple[str, ...]


def coordinate(
    agreement: Agreement, folder: Path, channel: Channel, say: Callable[[str], None] = lambda text: None
) -> Finished:
    """Run all rounds that are not finished yet; the result goes into a folder."""
    with store.opened(folder, agreement) as kept:
        return _Rounds(agreement, folder, kept, channel, say).run()


class _Rounds:
    def __init__(
        self, agreement: Agreement, folder: Path, kept: FederationStore, channel: Channel, say: Callable[[str], None]
    ) -> None:
        self._agreement, self._folder, self._kept, self._say = agreement, folder, kept, say
        self._sums = Summing(agreement, channel, say)

    def run(self) -> Finished:
        done = self._kept.finished("finish")
        if done is None:
            missing = [name for name in ("tally", "tables") if self._kept.finished(name) is None]
            self._sums.join(missing)
            self._say(f"{count(len(self._sums.joined), 'site')} joined; {self._sums.needed} must stay")
        sites, tally = self._tally()
        found = self._search(tally, sites)
        tabled, total, tables, bins = self._tables(found)
        finished = self._finished(found, sites, tabled, total, tables, bins)
        self._write(finished.consensus)
        if done is None:
            told = self._sums.tell(self._last_message(finished))
            self._kept.finish("finish", told, b"")
            self._say(f"{count(told, 'site')} have the finished network")
        for note in finished.notes:
            self._say(note)
        return finished

    def _sum(self, name: str, request: dict[str, Any], length: int) -> tuple[int, counts.Counts]:
        """A sum that was kept, or a new one, which nobody has checked yet."""
        before = self._kept.finished(name)
        if before is not None:
            self._say(f"the {name} of {count(before[0], 'site')} {_BE[name]} kept from an earlier run")
            return before[0], np.frombuffer(before[1], "<i8").astype(np.int64)
        total, sites = self._sums.sum(name, request, length)
        return sites, total

    def _keep(self, name: str, sites: int, vector: counts.Counts) -> None:
        if self._kept.finished(name) is None:
            self._kept.finish(name, sites, vector.astype("<i8").tobytes())
            self._say(f"received the {name} of {count(sites, 'site')}")

    def _tally(self) -> tuple[int, Tally]:
        sites, vector = self._sum("tally", {}, counts.votes_length(self._agreement))
        tally = counts.tally_from(vector, self._agreement, sites)
        self._keep("tally", sites, vector)
        return sites, tally

    def _search(self, tally: Tally, sites: int) -> Consensus:
        """The consensus of the tally, with the best networks for other limits."""
        before = self._kept.finished("search")
        if before is not None:
            return persistence.parsed(before[1], self._folder / store.FILE, Consensus)
        settings = self._agreement.settings
        asked: dict[str, Any] = {
            "metric": settings.metric,
            "directions": settings.directions,
            "states": self._agreement.vocabulary.known or None,
            "seed": settings.seed,
            "effort": settings.effort,
        }
        found = consensus(tally, settings.max_clique, **asked)
        if settings.frontier:
            found = found.with_frontier(frontier(tally, **asked))
        self._kept.finish("search", sites, persistence.as_bytes(found))
        self._say(f"consensus: {count(len(found.dag.edges), 'arc')}, mean {settings.metric} {found.distance:.2f}")
        return found

    def _tables(self, found: Consensus) -> tuple[int, int, list[counts.Counts], list[int]]:
        families = counts.Families(found.dag, self._agreement)
        request = {"arcs": found.dag.arc_numbers.tolist(), "mean": found.distance}
        sites, vector = self._sum("tables", request, families.length)
        total, tables, bins = families.apart(vector, sites)
        self._keep("tables", sites, vector)
        return sites, total, tables, bins

    def _finished(
        self, found: Consensus, sites: int, tabled: int, total: int, tables: list[counts.Counts], bins: list[int]
    ) -> Finished:
        settings = self._agreement.settings
        votes = "one vote each"
        if settings.votes != "site":
            votes = f"one vote per network, at most {settings.most_votes} each"
        notes = [f"the inputs are a secure sum over {count(sites, 'site')} of the federation {settings.name}, {votes}"]
        if settings.epsilon is not None and settings.tally_epsilon is not None:
            spent = f"{float(settings.tally_epsilon):g} on the tally"
            if settings.tables_epsilon:
                spent += f", {float(settings.tables_epsilon):g} on the tables"
            notes.append(
                f"differentially private: epsilon {settings.epsilon:g} for each run ({spent}); distances, bounds and "
                "supports are those of counts with noise"
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
