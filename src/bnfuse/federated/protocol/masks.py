"""Masks: streams of ChaCha20 as numbers modulo 2**64. Two sites draw the same: one adds it, the other subtracts it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse._base.optional import optional
from bnfuse.errors import FederationError
from bnfuse.federated.protocol import keys
from bnfuse.federated.protocol.hashing import digest

Words = npt.NDArray[np.uint64]
"""A vector modulo 2**64."""


def _mask(seed: bytes, length: int) -> Words:
    ciphers: Any = optional("cryptography.hazmat.primitives.ciphers", "bnfuse federated", "federated")
    encryptor = ciphers.Cipher(ciphers.algorithms.ChaCha20(seed, bytes(16)), mode=None).encryptor()
    return np.frombuffer(encryptor.update(bytes(8 * length)), "<u8")


def own_mask(secret: bytes, site: str, transcript: bytes, length: int) -> Words:
    """The mask that only one site uses."""
    return _mask(keys.derived(secret, digest("own mask", transcript, site)), length)


def add_pair(total: Words, secret: bytes, public: bytes, site: str, other: str, transcript: bytes) -> None:
    """Add to a vector of `site` the mask shared with another site: the first by name adds, the other subtracts."""
    first, second = sorted((site, other))
    mask = _mask(keys.derived(keys.agreed(secret, public), digest("pair mask", transcript, first, second)), len(total))
    if site == first:
        total += mask
    else:
        total -= mask


def masked(
    values: npt.NDArray[np.int64], site: str, key: bytes, own: bytes, others: Mapping[str, bytes], transcript: bytes
) -> Words:
    """The masked vector of a site; `others` are the public keys of the other sites in the sum."""
    total = values.astype(np.uint64) + own_mask(own, site, transcript, len(values))
    for other, public in others.items():
        add_pair(total, key, public, site, other, transcript)
    return total


def unmasked(
    vectors: Mapping[str, Words],
    own: Mapping[str, bytes],
    gone: Mapping[str, bytes],
    public: Mapping[str, bytes],
    transcript: bytes,
) -> npt.NDArray[np.int64]:
    """The sum of the vectors that arrived.

    `own` are the secrets behind the own masks of the sites that sent them, `gone` the secret keys of the sites in the
    sum that sent none, and `public` the public keys.
    """
    length = len(next(iter(vectors.values())))
    total = np.zeros(length, np.uint64)
    for site, vector in vectors.items():
        total += vector
        total -= own_mask(own[site], site, transcript, length)
    for left, secret in gone.items():
        for site in vectors:  # the share of the site that left
            add_pair(total, secret, public[site], left, site, transcript)
    return total.astype(np.int64)


def words_of(content: object, length: int) -> Words:
    """A masked vector from an answer; refused if its length is wrong."""
    if not isinstance(content, bytes) or len(content) != 8 * length:
        found = len(content) // 8 if isinstance(content, bytes) else 0
        raise FederationError(f"it sent {found:,} numbers, and {length:,} are expected")
    return np.frombuffer(content, "<u8").astype(np.uint64)
