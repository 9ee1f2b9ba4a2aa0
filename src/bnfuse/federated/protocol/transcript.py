"""The values that bind the steps of a sum together: the participants, their keys, and the request.

T1 is the hash of the agreement, the sum and all adverts, T2 that of T1, the participants and the request. Letters are
sealed under T1 and masks drawn under T2. The threshold follows from the roster alone. docs/explain/federated.md has
the argument.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from bnfuse.errors import FederationError
from bnfuse.federated.protocol import keys
from bnfuse.federated.protocol.hashing import digest
from bnfuse.federated.protocol.sharing import SHARE

STEPS = ("join", "share", "masked", "consent", "unmask")
KEY, OWN = 0, 1
"""the two secrets of a site that are shared: its mask key, and the secret of its own mask"""


def needed_sites(roster: int) -> int:
    """The number of sites that a sum needs, and of shares that restore a secret: floor(2n/3) + 1.

    Twice as many must be more than all sites and the dishonest ones together (Bonawitz et al. 2017, active adversary).
    """
    return 2 * roster // 3 + 1


def dishonest_sites(roster: int) -> int:
    """The number of sites that may collude with the coordinator."""
    return roster // 3


def honest_sites(roster: int) -> int:
    """The number of honest sites in every sum."""
    return needed_sites(roster) - dishonest_sites(roster)


@dataclass(frozen=True, slots=True)
class Advert:
    """A site's announcement for one sum."""

    letters: bytes
    """its public key for letters"""
    masks: bytes
    """its public key for masks"""
    commitment: bytes
    """to the secret of its own mask"""
    signature: bytes

    @staticmethod
    def content(agreement: bytes, sum_name: str, site: str, letters: bytes, masks: bytes, commitment: bytes) -> bytes:
        """The signed content."""
        return digest("advert", agreement, sum_name, site, letters, masks, commitment)

    def is_of(self, site: str, identity: bytes, agreement: bytes, sum_name: str) -> bool:
        """Whether the owner of an identity key signed this for a sum."""
        content = self.content(agreement, sum_name, site, self.letters, self.masks, self.commitment)
        return keys.is_signed(identity, self.signature, content)

    def to_list(self) -> list[bytes]:
        """For a message."""
        return [self.letters, self.masks, self.commitment, self.signature]

    @classmethod
    def of(cls, content: Any) -> Advert:
        """From a message."""
        sizes = (keys.SECRET, keys.SECRET, 32, keys.SIGNATURE)
        if not isinstance(content, list) or [len(one) for one in content if isinstance(one, bytes)] != list(sizes):
            raise FederationError("an advert is damaged")
        return cls(*content)


def first_transcript(agreement: bytes, sum_name: str, adverts: Mapping[str, Advert]) -> bytes:
    """T1: the sum, its participants and their keys."""
    return digest("T1", agreement, sum_name, {site: advert.to_list() for site, advert in adverts.items()})


def second_transcript(first: bytes, participants: Collection[str], request: bytes) -> bytes:
    """T2: the participants of the sum, and the request."""
    return digest("T2", first, sorted(participants), request)


def consent_content(second: bytes, senders: Collection[str]) -> bytes:
    """The content that sites sign before they help to unmask a sum: the request, and the senders of vectors."""
    return digest("consent", second, sorted(senders))


def commitment_of(own: bytes) -> bytes:
    """The hash for checking the secret of a site's own mask after shares have restored it."""
    return digest("commitment", own)


def share_hash(first: bytes, dealer: str, receiver: str, which: int, share: bytes) -> bytes:
    """The hash for checking a revealed share; a share has 256 random bits, so that its hash does not reveal it."""
    return digest("share", first, dealer, receiver, which, share)


def places_of(roster: Collection[str]) -> dict[str, int]:
    """The place of each site's shares on the polynomials: its number in the roster."""
    return {site: place for place, site in enumerate(sorted(roster), 1)}


def letter_key(secret: bytes, public: bytes, first: bytes, sender: str, receiver: str) -> bytes:
    """The key of one letter from one site to another."""
    return keys.derived(keys.agreed(secret, public), digest("letter", first, sender, receiver))


def letter_of(shares: tuple[bytes, bytes]) -> bytes:
    """Two shares in a letter."""
    return b"".join(shares)


def shares_in(plain: bytes | None) -> tuple[bytes, bytes] | None:
    """The shares in a letter; None if it could not be opened, or has other content."""
    return None if plain is None or len(plain) != 2 * SHARE else (plain[:SHARE], plain[SHARE:])
