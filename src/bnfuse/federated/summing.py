"""The coordinator's half of the secure sums: who takes part, whose shares are needed, and the sum.

Sites that do not answer, or answer with something that does not fit, are left out from then on, with the reason; what
they have sent before stays in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bnfuse._base.texts import count
from bnfuse.errors import FederationError
from bnfuse.federated import secure_sum
from bnfuse.federated.settings import Agreement
from bnfuse.federated.site import REFUSALS, vector_of
from bnfuse.federated.wire import Body, packed, unpacked

_REASONS = {
    "vocabulary": "it has other variables or states",
    "privacy": "its owner asks for more privacy than the federation gives",
    "holdings": "it cannot read what it holds",
    "protocol": "it refused a message",
}


class Channel(Protocol):
    """Carries requests to sites and brings their answers back."""

    def sites(self, wanted: int, seconds: float) -> list[int]:
        """The sites that are there: as soon as there are as many as wanted, or when the time is up."""

    def ask(self, kind: str, requests: Mapping[int, bytes], seconds: float) -> dict[int, bytes]:
        """The answers of those that answer in time."""


class Summing:
    """One run with some sites."""

    def __init__(self, agreement: Agreement, channel: Channel, say: Callable[[str], None]) -> None:
        self.agreement, self.channel, self.say = agreement, channel, say
        self.joined: dict[int, Body] = {}
        """what each site answered when it joined"""
        self.letters: dict[int, dict[int, bytes]] = {}
        """sealed shares: for each site those from others"""
        self.left_out: dict[int, str] = {}
        """why"""

    def join(self, sums: Iterable[str]) -> None:
        """Ask who takes part, and let the sites exchange the keys for these sums."""
        settings = self.agreement.settings
        names = list(sums)
        there = self.channel.sites(settings.sites, settings.wait)
        request = {"agreement": self.agreement.to_json(), "sums": names}
        answers = self._ask("join", _to_all(there, request), lambda body: _check_keys(body, names))
        self.joined = dict(sorted(answers.items()))
        self._check_enough(len(self.joined), settings.least_sites, "joined")
        if not names:
            return
        keys = {site: answer["keys"] for site, answer in self.joined.items()}
        others = set(self.joined)
        answers = self._ask(
            "share",
            _to_all(self.joined, {"keys": keys}),
            lambda body: _check_letters(body, others),
        )
        self._check_enough(len(answers), self.needed, "sent their shares")
        self.letters = {
            site: {int(other): body["letters"][str(site)] for other, body in answers.items() if other != site}
            for site in answers
        }

    @property
    def needed(self) -> int:
        """How many sites must stay."""
        return secure_sum.needed_sites(len(self.joined), self.agreement.settings.least_sites)

    @property
    def active(self) -> list[int]:
        """The sites that can take part in a sum."""
        return [site for site in self.letters if site not in self.left_out]

    def sum(self, name: str, request: Mapping[str, Any], length: int) -> tuple[npt.NDArray[np.int64], int]:
        """The sum of the vectors of all sites that stay, and how many these are."""
        among = self.active
        self._check_enough(len(among), self.needed, f"are there for the {name}")
        requests = {site: {**request, "among": among, "letters": self.letters[site]} for site in among}
        answers = self._ask(name, requests, lambda body: vector_of(body["masked"], length))
        self._check_enough(len(answers), self.needed, f"sent their {name}")
        vectors = {site: vector_of(body["masked"], length) for site, body in answers.items()}
        senders = sorted(vectors)
        revealed = self._ask(
            "unmask", _to_all(senders, {"sum": name, "active": senders}), lambda body: _check_shares(body, among)
        )
        self._check_enough(len(revealed), self.needed, f"helped to unmask the {name}")
        replies = [{int(owner): share for owner, share in body["shares"].items()} for body in revealed.values()]
        own, keys = self._restored(name, among, senders, replies)
        public = {site: self.joined[site]["keys"][name] for site in among}
        return secure_sum.unmasked(vectors, own, keys, public), len(senders)

    def _restored(
        self, name: str, among: list[int], senders: list[int], replies: list[dict[int, bytes]]
    ) -> tuple[dict[int, bytes], dict[int, bytes]]:
        """The secrets behind the masks that are still in the sum, checked."""
        shares = secure_sum.shares_by_owner(replies, among)
        own, keys = {}, {}
        for site in among:
            secret = secure_sum.restored(shares[site], self.needed)
            if site in senders:
                fits = secure_sum.commitment(secret) == self.joined[site]["commitments"][name]
                own[site] = secret
            else:
                fits = secure_sum.public_key(secret) == self.joined[site]["keys"][name]
                keys[site] = secret
            if not fits:
                raise FederationError(
                    f"the {name} cannot be unmasked: the shares of a secret do not fit what its site announced; at "
                    "least one site did not keep to the rules. Nothing was kept: run it again"
                )
        return own, keys

    def tell(self, request: Mapping[str, Any]) -> int:
        """Send the end of it to all sites that are still there; how many have it."""
        there = [site for site in self.joined if site not in self.left_out]
        return len(self._ask("finish", _to_all(there, request), lambda body: None))

    def _ask(
        self, kind: str, requests: Mapping[int, Mapping[str, Any]], check: Callable[[Body], object]
    ) -> dict[int, Body]:
        """The answers that fit; the other sites are left out."""
        same: dict[int, bytes] = {}  # a request to all is packed once
        bodies = {}
        for site, request in requests.items():
            if id(request) not in same:
                same[id(request)] = packed(request)
            bodies[site] = same[id(request)]
        found: dict[int, Body] = {}
        answers = self.channel.ask(kind, bodies, self.agreement.settings.wait)
        for site in requests:
            try:
                if site not in answers:
                    raise FederationError("it did not answer")
                body = unpacked(answers[site])
                if body.get("ok") is not True:
                    why = body.get("why")
                    raise FederationError(_REASONS[why] if why in REFUSALS else "it refused")
                check(body)
                found[site] = body
            except FederationError as error:
                self.left_out[site] = str(error)
            except (KeyError, TypeError, ValueError, AttributeError):
                self.left_out[site] = "its answer is damaged"
        if gone := [site for site in requests if site not in found]:
            reasons = sorted({self.left_out[site] for site in gone})
            self.say(f"{kind}: {count(len(gone), 'site')} of {len(requests)} left out: {'; '.join(reasons)}")
        return found

    def _check_enough(self, there: int, needed: int, what: str) -> None:
        if there < needed:
            reasons = "; ".join(f"{n} because {why}" for why, n in _counted(self.left_out.values()))
            reasons = f" (left out: {reasons})" if reasons else ""
            raise FederationError(
                f"{count(there, 'site')} {what}, and {needed} are needed{reasons}; "
                "nothing more was unmasked, and what is finished is kept: run it again when the sites are there"
            )


def _to_all(sites: Iterable[int], request: Mapping[str, Any]) -> dict[int, Mapping[str, Any]]:
    """The same request, the same object, for each of them."""
    return dict.fromkeys(sites, request)


def _counted(reasons: Iterable[str]) -> list[tuple[str, int]]:
    listed = list(reasons)
    return [(why, listed.count(why)) for why in sorted(set(listed))]


def _check_keys(body: Body, sums: list[str]) -> None:
    if not all(isinstance(body["keys"][name], bytes) for name in ("letters", *sums)):
        raise ValueError
    if not all(isinstance(body["commitments"][name], bytes) for name in sums):
        raise ValueError


def _check_letters(body: Body, others: set[int]) -> None:
    letters = body["letters"]
    if len({int(site) for site in letters} & others) != len(others) - 1:
        raise ValueError
    if not all(isinstance(letter, bytes) for letter in letters.values()):
        raise ValueError


def _check_shares(body: Body, among: list[int]) -> None:
    shares = {int(owner): share for owner, share in body["shares"].items()}
    if not all(isinstance(shares[site], bytes) for site in among):
        raise ValueError
