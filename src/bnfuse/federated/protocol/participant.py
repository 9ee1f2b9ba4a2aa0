"""One site's part of one sum, step by step. Every input may be a lie.

This module does not use the disk: the caller of a step records it before the answer leaves, and calls it once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse.errors import FederationError
from bnfuse.federated.protocol import keys, transcript
from bnfuse.federated.protocol.masks import masked
from bnfuse.federated.protocol.sharing import split
from bnfuse.federated.protocol.transcript import KEY, OWN, Advert
from bnfuse.federated.protocol.wire import Body, packed, unpacked


class RefusedError(FederationError):
    """A refusal of a site, with the word that leaves it."""

    def __init__(self, message: str, word: str = "protocol") -> None:
        self.word = word
        super().__init__(message)


@dataclass(frozen=True)
class Member:
    """A site of a roster, with its keys for signing."""

    name: str
    identity: bytes
    """its secret key"""
    agreement: bytes
    """the hash of the agreement that its owner accepted"""
    roster: Mapping[str, bytes]

    @property
    def needed(self) -> int:
        """The number of sites that a sum needs."""
        return transcript.needed_sites(len(self.roster))


class Progress:
    """The site's memory between the steps of a sum: all of it is secret."""

    def __init__(self, letters: bytes, key: bytes, own: bytes, advert: list[bytes]) -> None:
        self.letters, self.key, self.own = letters, key, own  # secrets: for letters, for masks, of its own mask
        self.advert = advert
        self.first = self.second = b""  # T1 and T2
        self.public: dict[str, list[bytes]] = {}  # of the other sites: their keys for letters and for masks
        self.shares: dict[str, list[bytes]] = {}  # of the secrets of all sites in the sum, its own too
        self.senders: list[str] = []

    def to_bytes(self) -> bytes:
        """For the ledger."""
        return packed(vars(self))

    @classmethod
    def of(cls, content: bytes) -> Progress:
        """A memory from the result of `to_bytes`."""
        progress = cls.__new__(cls)
        vars(progress).update(unpacked(content))
        return progress


def joined(member: Member, sum_name: str) -> tuple[Progress, Body]:
    """Join: new keys, signed for this sum of this agreement."""
    letters, key, own = (keys.drawn() for _ in range(3))
    parts = keys.public_key(letters), keys.public_key(key), transcript.commitment_of(own)
    signature = keys.signed(member.identity, Advert.content(member.agreement, sum_name, member.name, *parts))
    advert = Advert(*parts, signature).to_list()
    return Progress(letters, key, own, advert), {"site": member.name, "advert": advert}


def shared(member: Member, sum_name: str, progress: Progress, request: Body) -> Body:
    """Share: letters with shares of both secrets for all others whose adverts are genuine."""
    adverts = {str(site): Advert.of(one) for site, one in request["adverts"].items()}
    if len(adverts) < member.needed:
        raise RefusedError(f"only {len(adverts)} sites take part, and {member.needed} are needed", "privacy")
    for site, advert in adverts.items():
        identity = member.roster.get(site)
        if identity is None or not advert.is_of(site, identity, member.agreement, sum_name):
            raise RefusedError(f"the keys of {site!r:.70} are not signed by that site for the {sum_name:.20}")
    mine = adverts.get(member.name)
    if mine is None or mine.to_list() != progress.advert:
        raise RefusedError("the coordinator does not pass on this site's own keys")
    every = [key for advert in adverts.values() for key in (advert.letters, advert.masks)]
    if len(set(every)) < len(every):
        raise RefusedError("two sites have the same key")
    first = transcript.first_transcript(member.agreement, sum_name, adverts)
    places = transcript.places_of(member.roster)
    taking = [places[site] for site in adverts]
    parts = [split(secret, member.needed, taking) for secret in (progress.key, progress.own)]
    letters, hashes = {}, {}
    for site, advert in adverts.items():
        own = parts[KEY][places[site]], parts[OWN][places[site]]
        hashes[site] = [transcript.share_hash(first, member.name, site, which, own[which]) for which in (KEY, OWN)]
        if site == member.name:
            progress.shares[site] = list(own)
        else:
            key = transcript.letter_key(progress.letters, advert.letters, first, member.name, site)
            letters[site] = keys.sealed(key, transcript.letter_of(own))
    progress.first = first
    progress.public = {site: [one.letters, one.masks] for site, one in adverts.items() if site != member.name}
    return {"letters": letters, "hashes": hashes}


def in_sum(member: Member, progress: Progress, request: Body) -> list[str]:
    """The first half of a masked vector: open the letters, and fix the participants and the request."""
    for site, letter in request["letters"].items():
        if site not in progress.public or not isinstance(letter, bytes):
            raise RefusedError(f"there is a letter of {site!r:.70}, which is not in this sum")
        key = transcript.letter_key(progress.letters, progress.public[site][0], progress.first, site, member.name)
        shares = transcript.shares_in(keys.opened(key, letter))
        if shares is None:
            raise RefusedError(f"the letter of {site!r:.70} does not open: it was changed, or is from another sum")
        progress.shares[site] = list(shares)
    participants = sorted(progress.shares)
    if len(participants) < member.needed:
        raise RefusedError(f"the sum is over {len(participants)} sites, and {member.needed} are needed", "privacy")
    progress.second = transcript.second_transcript(progress.first, participants, request["request"])
    return participants


def masked_vector(
    member: Member, progress: Progress, participants: Collection[str], vector: npt.NDArray[np.int64]
) -> Body:
    """The second half: the masked vector. The secrets behind the masks are forgotten."""
    others = {site: progress.public[site][1] for site in participants if site != member.name}
    words = masked(vector, member.name, progress.key, progress.own, others, progress.second)
    progress.key = progress.own = progress.letters = b""
    return {"masked": words.astype("<u8").tobytes()}


def consented(member: Member, progress: Progress, request: Body) -> Body:
    """Consent: a signature over the request and the list of sites whose vectors arrived."""
    senders = sorted({str(site) for site in request["senders"]})
    if member.name not in senders or not set(senders) <= set(progress.shares):
        raise RefusedError("the coordinator names senders that are not in this sum, or not this site")
    if len(senders) < member.needed:
        raise RefusedError(f"{len(senders)} sites sent a vector, and {member.needed} are needed", "privacy")
    progress.senders = senders
    return {"signature": keys.signed(member.identity, transcript.consent_content(progress.second, senders))}


def unmasking(member: Member, progress: Progress, request: Body) -> Body:
    """Unmask: shares of the secrets that hide the sum, if enough sites consented to the same request and senders."""
    signatures: Mapping[str, Any] = request["signatures"]
    content = transcript.consent_content(progress.second, progress.senders)
    valid = 0
    for site in progress.senders:
        if valid < member.needed and site in signatures:
            valid += keys.is_signed(member.roster[site], signatures[site], content)
    if valid < member.needed:
        raise RefusedError(
            f"{valid} sites consented to the same question and the same senders, and {member.needed} are needed",
            "privacy",
        )
    senders = set(progress.senders)
    return {"shares": {site: own[OWN if site in senders else KEY] for site, own in progress.shares.items()}}
