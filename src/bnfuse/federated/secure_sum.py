"""Sums that hide their summands from a coordinator that follows the protocol (Bonawitz et al., CCS 2017).

Every two sites agree on a key, from which both draw the same mask; one adds it and the other subtracts it, so that the
masks vanish in the sum. Each site adds a second mask of its own. So that the sum can be found when sites have left,
each site gives every other a share of the secrets behind its masks; enough shares restore a secret, fewer say nothing
about it. Of a site that sent its vector the others reveal the second mask, of one that left the key: never both.

Shares, key agreement and encryption are Flower's (`flwr.common.secure_aggregation`). Its masks are not used: its
generator folds every key into 32 bits. Here masks are streams of ChaCha20, and vectors add up modulo 2**64: exactly.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse._base.optional import optional
from bnfuse.errors import FederationError

Words = npt.NDArray[np.uint64]
"""A vector modulo 2**64."""

_SECRET = 32
_PURPOSE = "a secure sum"


def _flower(module: str) -> Any:
    return optional(f"flwr.common.secure_aggregation.crypto.{module}", _PURPOSE, "federated")


def _curves() -> Any:
    return optional("cryptography.hazmat.primitives.asymmetric.ec", _PURPOSE, "federated")


def needed_sites(joined: int, least: int) -> int:
    """How many sites must stay to the end, and how many shares restore a secret.

    More than half: a coordinator that tells some sites that one has left and others that it has not gets too few shares
    of one of its two secrets.
    """
    return max(least, joined // 2 + 1)


@dataclass(frozen=True, slots=True)
class Secrets:
    """What a site knows about its masks in one sum."""

    key: bytes
    """behind the masks that it shares with others"""
    own: bytes
    """behind the mask that is its own"""

    @classmethod
    def drawn(cls) -> Secrets:
        """New ones, for one sum only."""
        return cls(secrets.token_bytes(_SECRET), secrets.token_bytes(_SECRET))

    @property
    def public(self) -> bytes:
        """The public half of the key."""
        return public_key(self.key)

    @property
    def commitment(self) -> bytes:
        """What the other secret is checked against when shares have restored it."""
        return commitment(self.own)


@lru_cache(16)
def _private_key(secret: bytes) -> Any:
    curves = _curves()
    return curves.derive_private_key(int.from_bytes(hashlib.sha384(secret).digest(), "big"), curves.SECP384R1())


def public_key(secret: bytes) -> bytes:
    """The public key that belongs to a secret."""
    forms = optional("cryptography.hazmat.primitives.serialization", _PURPOSE, "federated")
    point: bytes = (
        _private_key(secret).public_key().public_bytes(forms.Encoding.X962, forms.PublicFormat.CompressedPoint)
    )
    return point


def commitment(secret: bytes) -> bytes:
    """Says nothing about a secret, and fits no other."""
    return hashlib.sha256(b"bnfuse commitment" + secret).digest()


def agreed(secret: bytes, public: bytes) -> bytes:
    """The key that the owners of a secret and of a public key agree on, as Flower derives it."""
    curves = _curves()
    try:
        theirs = curves.EllipticCurvePublicKey.from_encoded_point(curves.SECP384R1(), public)
    except ValueError:
        raise FederationError("a public key is damaged") from None
    key: bytes = _flower("symmetric_encryption").generate_shared_key(_private_key(secret), theirs)
    return key


def sealed(secret: bytes, public: bytes, plain: bytes) -> bytes:
    """What only the owner of the public key can read."""
    content: bytes = _flower("symmetric_encryption").encrypt(agreed(secret, public), plain)
    return content


def opened(secret: bytes, public: bytes, content: bytes) -> bytes:
    """What was sealed for the owner of a secret by the owner of a public key."""
    tokens = optional("cryptography.fernet", _PURPOSE, "federated")
    try:
        plain: bytes = _flower("symmetric_encryption").decrypt(agreed(secret, public), content)
    except tokens.InvalidToken:
        raise FederationError("a share of another site cannot be opened") from None
    return plain


def split(secret: bytes, needed: int, sites: int) -> list[bytes]:
    """Shares of a secret, by Flower: as many as `needed` restore it, fewer say nothing about it."""
    shares: list[bytes] = _flower("shamir").create_shares(secret, needed, sites)
    return shares


def restored(shares: Sequence[bytes], needed: int) -> bytes:
    """The secret of which these are shares."""
    if len(shares) < needed:
        raise FederationError(f"{len(shares)} shares were received, and {needed} are needed")
    if any(len(share) != len(shares[0]) or len(share) < _SECRET for share in shares):
        raise FederationError("a share has a wrong length")
    try:
        secret: bytes = _flower("shamir").combine_shares(list(shares[:needed]))
    except ValueError:
        raise FederationError("the shares do not fit together") from None
    return secret


def mask(seed: bytes, length: int) -> Words:
    """A stream of ChaCha20, as numbers modulo 2**64."""
    ciphers = optional("cryptography.hazmat.primitives.ciphers", _PURPOSE, "federated")
    key = hashlib.sha256(b"bnfuse mask" + seed).digest()
    stream = (
        ciphers.Cipher(ciphers.algorithms.ChaCha20(key, bytes(16)), mode=None).encryptor().update(bytes(8 * length))
    )
    return np.frombuffer(stream, "<u8").astype(np.uint64)


def masked(values: npt.NDArray[np.int64], site: int, own: Secrets, public: Mapping[int, bytes]) -> Words:
    """The vector of a site under its masks; `public` are the keys of all sites that take part, its own too."""
    total = values.astype(np.uint64) + mask(own.own, len(values))
    for other, key in public.items():
        if other != site:
            total = _shifted(total, mask(agreed(own.key, key), len(values)), site < other)
    return total


def _shifted(total: Words, by: Words, is_first: bool) -> Words:
    """Of two sites the first adds the mask that they share, and the other subtracts it."""
    return total + by if is_first else total - by


def unmasked(
    vectors: Mapping[int, Words],
    own: Mapping[int, bytes],
    keys: Mapping[int, bytes],
    public: Mapping[int, bytes],
) -> npt.NDArray[np.int64]:
    """The sum of the vectors of sites that sent one.

    `own` are the secrets behind their own masks, `keys` those of the sites that took part and sent none.
    """
    length = len(next(iter(vectors.values())))
    total = np.zeros(length, np.uint64)
    for site, vector in vectors.items():
        total = total + vector - mask(own[site], length)
    for gone, secret in keys.items():
        for site in vectors:
            total = _shifted(total, mask(agreed(secret, public[site]), length), gone < site)
    return total.astype(np.int64)


def shares_by_owner(replies: Iterable[Mapping[int, bytes]], owners: Collection[int]) -> dict[int, list[bytes]]:
    """What sites reveal, sorted by whose secrets they are shares of."""
    found: dict[int, list[bytes]] = {owner: [] for owner in owners}
    for reply in replies:
        for owner, share in reply.items():
            if owner in found:
                found[owner].append(share)
    return found
