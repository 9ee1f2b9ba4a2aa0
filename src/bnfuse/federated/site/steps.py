"""One site's answers: its work for a coordinator, and its refusals.

The agreement is the site's own copy; a message about another one is refused before anything is read. Each step is in
the ledger before its answer leaves. A refusal leaves the site as a single word; the full reason is for its owner alone.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np

from bnfuse._base import disk
from bnfuse.errors import BnfuseError, FederationError, MismatchError
from bnfuse.federated.agreement.settings import FAMILIES, TALLY
from bnfuse.federated.protocol import participant
from bnfuse.federated.protocol.participant import Member, Progress, RefusedError
from bnfuse.federated.protocol.transcript import STEPS
from bnfuse.federated.protocol.wire import Body, packed, unpacked
from bnfuse.federated.site import identity
from bnfuse.federated.site.holdings import Holdings
from bnfuse.federated.site.home import write_report
from bnfuse.federated.site.ledger import Ledger, Taken
from bnfuse.federated.sums import counts
from bnfuse.federated.sums.asked import FamiliesAsked, TablesAsked, finished_network
from bnfuse.federated.sums.privacy import noise

PROBLEM = "problem.txt"
FINISH = "finish"
REFUSALS = ("agreement", "vocabulary", "privacy", "once", "holdings", "protocol")
"""The complete text of a refusal to others."""


class Site:
    """Answers the coordinator for the site that a folder describes."""

    def __init__(self, folder: Path, say: Callable[[str], None] | None = None) -> None:
        self.folder = folder
        self._say = say or (lambda text: None)

    def answer(self, kind: str, request: bytes) -> bytes:
        """The answer to a request."""
        try:
            return packed({"ok": True, **self._answered(kind, unpacked(request))})
        except RefusedError as error:
            return self._refusal(error.word, error)
        except BnfuseError as error:
            return self._refusal("holdings", error)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            return self._refusal("protocol", FederationError(f"the coordinator's message is damaged: {error!r:.80}"))

    def _refusal(self, word: str, error: BnfuseError) -> bytes:
        self._say(f"refused: {error}")
        if self.folder.is_dir():
            disk.write_bytes(f"{error}\n".encode(), self.folder / PROBLEM)
        return packed({"ok": False, "why": word})

    def _answered(self, kind: str, request: Body) -> Body:
        holdings = Holdings.of(self.folder)
        agreement = holdings.agreement
        if request["agreement"] != agreement.hash:
            raise RefusedError(
                f"the coordinator runs another agreement than this site accepted ({agreement.fingerprint})",
                "agreement",
            )
        if kind == FINISH:
            return self._finish(holdings, request)
        name = request["sum"]
        if kind not in STEPS or name not in agreement.settings.sums:
            raise RefusedError(f"the coordinator asks for {kind!r:.40} of {name!r:.40}, which was not agreed")
        member = identity.member(self.folder, agreement)
        if kind == STEPS[0]:
            self._check(holdings)
        with Ledger(self.folder).step(agreement.hash.hex(), name, kind) as taken:
            return self._stepped(kind, name, request, member, holdings, taken)

    def _check(self, holdings: Holdings) -> None:
        """The owner's limits, and the needs of the federation; neither depends on the coordinator's message."""
        try:
            holdings.check_allowed()
        except FederationError as error:
            raise RefusedError(str(error), "privacy") from None
        try:
            holdings.check()
        except MismatchError as error:
            raise RefusedError(str(error), "vocabulary") from None
        (self.folder / PROBLEM).unlink(missing_ok=True)

    def _stepped(self, kind: str, name: str, request: Body, member: Member, holdings: Holdings, taken: Taken) -> Body:
        if kind == "join":
            progress, answer = participant.joined(member, name)
            taken.progress = progress.to_bytes()
            return answer
        progress = Progress.of(taken.progress)
        if kind == "share":
            answer = participant.shared(member, name, progress, request)
        elif kind == "masked":
            among = participant.in_sum(member, progress, request)
            vector, taken.cost = self._vector(name, unpacked(request["request"]), holdings)
            self._check_budget(holdings, taken)
            answer = participant.masked_vector(member, progress, among, vector)
        elif kind == "consent":
            answer = participant.consented(member, progress, request)
        else:
            answer = participant.unmasking(member, progress, request)
        taken.progress = b"" if kind == STEPS[-1] else progress.to_bytes()
        return answer

    def _check_budget(self, holdings: Holdings, taken: Taken) -> None:
        most = holdings.settings.most_epsilon
        if most is None:
            return
        after = taken.spent + (taken.cost or 0)
        if taken.cost is None or after > Fraction(str(most)):
            raise RefusedError(
                f"the sums that this site has taken part in have spent epsilon {float(taken.spent):g} of {most:g}, and "
                f"this one would make it {float(after):g}",
                "privacy",
            )

    def _vector(self, name: str, asked: Body, holdings: Holdings) -> tuple[counts.Counts, Fraction | None]:
        """The site's vector for a sum, with its part of the noise, and its epsilon."""
        if name == TALLY:
            return self._votes(asked, holdings)
        if name == FAMILIES:
            families = FamiliesAsked.of(asked, holdings.agreement)
            rows = holdings.complete
            tables = [holdings.table(members, rows).ravel() for members in families.names(holdings.agreement)]
            return np.concatenate([[len(rows)], *tables]).astype(np.int64), None
        return self._tables(asked, holdings)

    def _votes(self, asked: Body, holdings: Holdings) -> tuple[counts.Counts, Fraction | None]:
        agreement = holdings.agreement
        if asked:
            raise RefusedError("the request for votes must be empty")
        votes = counts.votes_of(holdings.tally, agreement, holdings.rows)
        if (epsilon := agreement.settings.tally_epsilon) is None:
            return votes, None
        scale = counts.scale_of(counts.votes_sensitivity(agreement), epsilon)
        votes[1:] += noise(len(votes) - 1, scale, agreement.honest)  # the number of sites is not secret
        return votes, epsilon

    def _tables(self, asked: Body, holdings: Holdings) -> tuple[counts.Counts, Fraction | None]:
        agreement = holdings.agreement
        request = TablesAsked.of(asked, agreement)
        families = counts.Families(request.dag, agreement)
        total, tables = (0, None) if agreement.settings.tables == "none" else holdings.family_counts(request.dag)
        away = counts.mean_distance(holdings.tally, request.dag, agreement.settings.metric)
        vector = families.vector(total, tables, counts.bin_of(away, request.mean))
        if (epsilon := agreement.settings.tables_epsilon) is None:
            return vector, None
        vector += noise(len(vector), counts.scale_of(families.sensitivity, epsilon), agreement.honest)
        return vector, epsilon

    def _finish(self, holdings: Holdings, request: Body) -> Body:
        """The finished network; the report on it stays at the site."""
        network = finished_network(holdings.agreement, request["arcs"], request["tables"])
        lines = write_report(holdings, network, request["facts"])
        self._say(f"{lines[1]}; the report is in {self.folder}")
        return {}
