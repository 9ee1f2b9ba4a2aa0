"""The coordinator's half of the secure sums: the participants, the requests to them, and the sum.

Sites that do not answer, or whose answer does not fit, are left out of the step, with the reason. The answers of each
step are stored: a coordinator that was stopped continues with the unfinished step, and asks no site twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bnfuse._base.texts import count
from bnfuse.errors import FederationError
from bnfuse.federated.agreement.settings import Agreement
from bnfuse.federated.coordinator.store import FederationStore
from bnfuse.federated.coordinator.unmasking import unmasked
from bnfuse.federated.protocol import keys, transcript
from bnfuse.federated.protocol.masks import words_of
from bnfuse.federated.protocol.sharing import SHARE
from bnfuse.federated.protocol.transcript import Advert
from bnfuse.federated.protocol.wire import Body, packed, unpacked
from bnfuse.federated.site.steps import FINISH, REFUSALS

_REASONS = {
    "agreement": "it has accepted another agreement",
    "vocabulary": "it has other variables or states",
    "privacy": "its owner asks for more privacy than the federation gives",
    "once": "it has answered this before, and its owner has not allowed it again",
    "holdings": "it cannot read its own data",
    "protocol": "it refused a message",
}
_HASH = 32


class Channel(Protocol):
    """Carries requests to sites and brings their answers back; each site has a number."""

    def sites(self, wanted: int, seconds: float) -> list[int]:
        """The sites that are present: as soon as there are enough, or when the time is up."""

    def ask(self, kind: str, requests: Mapping[int, bytes], seconds: float) -> dict[int, bytes]:
        """The answers that arrive in time."""


class Summing:
    """The secure sums of one run."""

    def __init__(
        self, agreement: Agreement, channel: Channel, kept: FederationStore, say: Callable[[str], None]
    ) -> None:
        self.agreement, self.channel, self.say = agreement, channel, say
        self._kept = kept
        self._hash = agreement.hash
        self.numbers: dict[str, int] = {}
        """of the sites that have joined a sum"""

    def sum(self, name: str, request: Mapping[str, Any], length: int) -> tuple[npt.NDArray[np.int64], int]:
        """The sum of the vectors of all sites that stay, and the number of these."""
        asked = packed(request)
        begun = self._kept.begun(name)
        if begun is None or begun["request"] != asked:
            begun = {"request": asked, **self._shared(name, self._joined(name))}
            self._kept.begin(name, begun)
        self.numbers.update(begun["numbers"])
        adverts = {site: Advert.of(one) for site, one in begun["adverts"].items()}
        first = transcript.first_transcript(self._hash, name, adverts)
        among = sorted(begun["letters"])
        second = transcript.second_transcript(first, among, asked)
        if "senders" not in begun:
            self._masked(name, begun, among, length)
            begun["senders"] = sorted(begun["vectors"])
            self._kept.begin(name, begun)
        vectors = {site: words_of(one, length) for site, one in begun["vectors"].items()}
        self._consented(name, begun, transcript.consent_content(second, begun["senders"]))
        self._revealed(name, begun, among)
        total = unmasked(
            self.agreement.roster.keys,
            adverts,
            {site: begun["hashes"][site] for site in among},
            vectors,
            begun["shares"],
            (first, second),
            self.say,
        )
        return total, len(vectors)

    def _joined(self, name: str) -> dict[str, Advert]:
        """The adverts of the sites that are present, by their names in the roster."""
        settings, roster = self.agreement.settings, self.agreement.roster.keys
        there = self.channel.sites(self.agreement.sites, settings.wait)
        adverts: dict[str, Advert] = {}

        def check(body: Body, number: int) -> None:
            site, advert = str(body["site"]), Advert.of(body["advert"])
            if site not in roster or not advert.is_of(site, roster[site], self._hash, name):
                raise FederationError("its keys are not signed by a site of the roster")
            if site in adverts:
                raise FederationError(f"there are two sites {site}")
            adverts[site], self.numbers[site] = advert, number

        reasons = self._ask_numbers("join", {one: self._message(name) for one in there}, check)
        self._check_enough(len(adverts), f"joined the {name}", reasons)
        self.say(
            f"{name}: {count(len(adverts), 'site')} of {self.agreement.sites} joined; {self.agreement.needed} must stay"
        )
        return adverts

    def _shared(self, name: str, adverts: Mapping[str, Advert]) -> dict[str, Any]:
        """The letters between sites, and the hashes of their contents."""
        letters: dict[str, dict[str, bytes]] = {}
        hashes: dict[str, dict[str, list[bytes]]] = {}

        def check(body: Body, site: str) -> None:
            own, of_shares = body["letters"], body["hashes"]
            if set(own) != set(adverts) - {site} or set(of_shares) != set(adverts):
                raise FederationError("its letters are not addressed to exactly the other sites that joined")
            fits = all(isinstance(one, bytes) for one in own.values())
            fits &= all([len(bytes(one)) for one in both] == [_HASH, _HASH] for both in of_shares.values())
            if not fits:
                raise FederationError("its letters are damaged")
            letters[site], hashes[site] = own, of_shares

        listed = {site: one.to_list() for site, one in adverts.items()}
        reasons = self._ask("share", dict.fromkeys(adverts, self._message(name, adverts=listed)), check)
        self._check_enough(len(letters), "sent their letters", reasons)
        return {"numbers": {site: self.numbers[site] for site in adverts}, "adverts": listed} | {
            "letters": {to: {site: letters[site][to] for site in letters if site != to} for to in letters},
            "hashes": hashes,
            "vectors": {},
            "signatures": {},
            "shares": {},
        }

    def _masked(self, name: str, begun: dict[str, Any], among: list[str], length: int) -> None:
        def check(body: Body, site: str) -> None:
            words_of(body["masked"], length)
            begun["vectors"][site] = body["masked"]

        requests = {
            site: self._message(name, letters=begun["letters"][site], request=begun["request"])
            for site in among
            if site not in begun["vectors"]
        }
        reasons = self._ask("masked", requests, check)
        self._kept.begin(name, begun)
        self._check_enough(len(begun["vectors"]), f"sent their {name}", reasons)

    def _consented(self, name: str, begun: dict[str, Any], content: bytes) -> None:
        def check(body: Body, site: str) -> None:
            if not keys.is_signed(self.agreement.roster.keys[site], body["signature"], content):
                raise FederationError("its signature is for a different question")
            begun["signatures"][site] = body["signature"]

        message = self._message(name, senders=begun["senders"])
        missing = [site for site in begun["senders"] if site not in begun["signatures"]]
        reasons = self._ask("consent", dict.fromkeys(missing, message), check)
        self._kept.begin(name, begun)
        self._check_enough(len(begun["signatures"]), f"consented to the {name}", reasons)

    def _revealed(self, name: str, begun: dict[str, Any], among: list[str]) -> None:
        def check(body: Body, site: str) -> None:
            shares = {owner: body["shares"][owner] for owner in among}
            if not all(isinstance(one, bytes) and len(one) == SHARE for one in shares.values()):
                raise FederationError("its shares are damaged")
            begun["shares"][site] = shares

        message = self._message(name, signatures=begun["signatures"])
        missing = [site for site in begun["signatures"] if site not in begun["shares"]]
        reasons = self._ask("unmask", dict.fromkeys(missing, message), check)
        self._kept.begin(name, begun)
        self._check_enough(len(begun["shares"]), f"helped to unmask the {name}", reasons)

    def tell(self, request: Mapping[str, Any]) -> int:
        """Send the result to all sites that are present; returns the number that received it."""
        message = packed({"agreement": self._hash, **request})
        told: list[int] = []
        there = sorted(self.numbers.values()) or self.channel.sites(self.agreement.sites, self.agreement.settings.wait)
        self._ask_numbers(FINISH, dict.fromkeys(there, message), lambda body, number: told.append(number))
        return len(told)

    def _message(self, sum_name: str, **content: Any) -> bytes:
        return packed({"agreement": self._hash, "sum": sum_name, **content})

    def _ask(self, kind: str, requests: Mapping[str, bytes], check: Callable[[Body, str], None]) -> dict[int, str]:
        names = {self.numbers[site]: site for site in requests}
        return self._ask_numbers(
            kind, {self.numbers[site]: one for site, one in requests.items()}, lambda body, n: check(body, names[n])
        )

    def _ask_numbers(
        self, kind: str, requests: Mapping[int, bytes], check: Callable[[Body, int], None]
    ) -> dict[int, str]:
        """Send requests to sites; `check` keeps the answers that fit. Returns why the others do not count."""
        if not requests:
            return {}
        answers = self.channel.ask(kind, requests, self.agreement.settings.wait)
        left_out: dict[int, str] = {}
        for number in requests:
            try:
                if number not in answers:
                    raise FederationError("it did not answer")
                body = unpacked(answers[number])
                if body.get("ok") is not True:
                    why = body.get("why")
                    raise FederationError(_REASONS[why] if why in REFUSALS else "it refused")
                check(body, number)
            except FederationError as error:
                left_out[number] = str(error)
            except (KeyError, TypeError, ValueError, AttributeError):
                left_out[number] = "its answer is damaged"
        if left_out:
            reasons = "; ".join(sorted(set(left_out.values())))
            self.say(f"{kind}: {count(len(left_out), 'site')} of {len(requests)} left out: {reasons}")
        return left_out

    def _check_enough(self, there: int, what: str, left_out: Mapping[int, str]) -> None:
        if there < self.agreement.needed:
            reasons = "; ".join(f"{n} because {why}" for why, n in _counted(left_out.values()))
            reasons = f" (left out: {reasons})" if reasons else ""
            needed = f"{self.agreement.needed} of {self.agreement.sites} are needed"
            raise FederationError(
                f"{count(there, 'site')} {what}, and {needed}{reasons}; "
                "nothing more was unmasked, and what is finished is kept: run it again when the sites are there"
            )


def _counted(reasons: Iterable[str]) -> list[tuple[str, int]]:
    listed = list(reasons)
    return [(why, listed.count(why)) for why in sorted(set(listed))]
