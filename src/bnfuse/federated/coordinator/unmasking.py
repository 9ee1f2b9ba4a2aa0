"""The end of a secure sum: shares are checked, secrets restored from them, and the masks removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from bnfuse._base.texts import count, listed
from bnfuse.errors import FederationError
from bnfuse.federated.protocol import keys, masks, sharing, transcript
from bnfuse.federated.protocol.masks import Words
from bnfuse.federated.protocol.transcript import KEY, OWN, Advert

Hashes = Mapping[str, Mapping[str, list[bytes]]]
"""by the owner of the secrets, and by the holder of the share: the hashes of both shares"""


def unmasked(
    roster: Mapping[str, bytes],
    adverts: Mapping[str, Advert],
    hashes: Hashes,
    vectors: Mapping[str, Words],
    shares: Mapping[str, Mapping[str, bytes]],
    transcripts: tuple[bytes, bytes],
    say: Callable[[str], None],
) -> npt.NDArray[np.int64]:
    """The sum of some vectors; `shares` are ordered by the site that revealed them and the owner of the secret."""
    first, second = transcripts
    needed, places = transcript.needed_sites(len(roster)), transcript.places_of(roster)
    own: dict[str, bytes] = {}
    gone: dict[str, bytes] = {}
    liars: set[str] = set()
    for owner in sorted(hashes):
        which = OWN if owner in vectors else KEY
        fitting = {
            places[site]: revealed[owner]
            for site, revealed in shares.items()
            if transcript.share_hash(first, owner, site, which, revealed[owner]) == hashes[owner][site][which]
        }
        odd = {site for site in shares if places[site] not in fitting}
        if len(fitting) < needed:
            names = listed(sorted(odd), shown=str)
            raise FederationError(
                f"the sum cannot be unmasked: {count(len(odd), 'site')} revealed shares that do not fit the hashes of "
                f"{owner}, so either {owner} broke the rules, or all of these did ({names})"
            )
        liars |= odd
        secret = sharing.restored(fitting, needed)
        if secret is None or not _is_announced(secret, which, adverts[owner]):
            raise FederationError(
                f"the sum cannot be unmasked: the shares that {owner} dealt do not restore the secret that it "
                f"announced, so {owner} broke the rules"
            )
        (own if which == OWN else gone)[owner] = secret
    if liars:
        say(f"ignored shares that do not fit their announcement, from {listed(sorted(liars), shown=str)}")
    public = {site: advert.masks for site, advert in adverts.items()}
    return masks.unmasked(vectors, own, gone, public, second)


def _is_announced(secret: bytes, which: int, advert: Advert) -> bool:
    if which == OWN:
        return transcript.commitment_of(secret) == advert.commitment
    return keys.public_key(secret) == advert.masks
