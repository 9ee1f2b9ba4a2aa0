"""Shamir's secret sharing over a prime field: any `needed` shares restore a secret; fewer reveal nothing about it.

A share is the value of a random polynomial at a place that belongs to the receiver. The factors that restore the value
at zero depend on the places alone, so they are computed once for all secrets whose shares come from the same sites.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import lru_cache

from bnfuse.errors import FederationError
from bnfuse.federated.protocol.keys import SECRET

PRIME = 2**256 + 297
"""the smallest prime above all secrets"""
SHARE = 33
"""bytes of a share"""


def split(secret: bytes, needed: int, places: Sequence[int]) -> dict[int, bytes]:
    """A share for each place; places are whole numbers from 1."""
    if not 1 <= needed <= len(places):
        raise FederationError(f"a secret cannot be divided among {len(places)} sites if {needed} are needed")
    polynomial = [int.from_bytes(secret, "big"), *(secrets.randbelow(PRIME) for _ in range(needed - 1))]
    polynomial.reverse()
    shares = {}
    for place in places:
        value = 0
        for coefficient in polynomial:
            value = (value * place + coefficient) % PRIME
        shares[place] = value.to_bytes(SHARE, "big")
    return shares


def restored(shares: Mapping[int, bytes], needed: int) -> bytes | None:
    """The secret of these shares, by their places; None if they do not fit any secret."""
    if len(shares) < needed:
        raise FederationError(f"{len(shares)} shares were received, and {needed} are needed")
    places = tuple(sorted(shares))[:needed]
    terms = zip(places, _factors(places), strict=True)
    total = sum(int.from_bytes(shares[place], "big") * factor for place, factor in terms) % PRIME
    return total.to_bytes(SECRET, "big") if total < 1 << (8 * SECRET) else None


@lru_cache(64)
def _factors(places: tuple[int, ...]) -> tuple[int, ...]:
    """Lagrange's factors for the value at zero."""
    found = []
    for place in places:
        above = below = 1
        for other in places:
            if other != place:
                above = above * other % PRIME
                below = below * (other - place) % PRIME
        found.append(above * pow(below, -1, PRIME) % PRIME)
    return tuple(found)
