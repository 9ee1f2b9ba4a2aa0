"""Secure sums are exact, whoever leaves, and say nothing else."""

from __future__ import annotations

import contextlib
import os

import federation  # noqa: F401 - skips without flwr
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnfuse.errors import FederationError
from bnfuse.federated import secure_sum
from bnfuse.federated.secure_sum import Secrets

LARGE = st.integers(-(2**59), 2**59)


@settings(max_examples=15)
@given(st.lists(st.lists(LARGE, min_size=3, max_size=3), min_size=3, max_size=6), st.data())
def test_the_sum_is_exact_whoever_leaves(vectors, data):
    numbers = data.draw(st.lists(st.integers(0, 2**63), unique=True, min_size=len(vectors), max_size=len(vectors)))
    gone = data.draw(st.sets(st.sampled_from(numbers), max_size=len(vectors) - 1))
    held = dict(zip(numbers, vectors, strict=True))
    own = {site: Secrets.drawn() for site in numbers}
    public = {site: one.public for site, one in own.items()}
    sent = {
        site: secure_sum.masked(np.array(held[site], np.int64), site, own[site], public)
        for site in numbers
        if site not in gone
    }
    found = secure_sum.unmasked(
        sent, {site: own[site].own for site in sent}, {site: own[site].key for site in gone}, public
    )
    assert found.tolist() == [sum(held[site][i] for site in sent) for i in range(3)]


def test_shares_restore_a_secret_and_one_too_few_do_not():
    secret = os.urandom(32)
    shares = secure_sum.split(secret, 3, 5)
    assert secure_sum.restored([shares[4], shares[1], shares[2]], 3) == secret
    with pytest.raises(FederationError, match="2 shares were received, and 3 are needed"):
        secure_sum.restored(shares[:2], 3)
    with pytest.raises(FederationError, match="wrong length"):
        secure_sum.restored([shares[0], shares[1], shares[2][:-1]], 3)
    damaged = [shares[0], shares[1], shares[2][:4] + bytes(len(shares[2]) - 4)]
    with contextlib.suppress(FederationError):
        assert secure_sum.restored(damaged, 3) != secret


def test_more_than_half_must_stay_so_that_no_site_loses_both_secrets():
    for joined in range(3, 60):
        assert 2 * secure_sum.needed_sites(joined, 3) > joined
    assert secure_sum.needed_sites(4, 4) == 4


def test_a_sealed_share_opens_for_its_receiver_alone():
    mine, theirs, other = (Secrets.drawn().key for _ in range(3))
    content = secure_sum.sealed(mine, secure_sum.public_key(theirs), b"share")
    assert secure_sum.opened(theirs, secure_sum.public_key(mine), content) == b"share"
    with pytest.raises(FederationError, match="cannot be opened"):
        secure_sum.opened(other, secure_sum.public_key(mine), content)
    with pytest.raises(FederationError, match="public key is damaged"):
        secure_sum.sealed(mine, b"no key", b"share")


def test_the_masks_of_flower_have_32_bits_and_ours_do_not():
    """Why its generator is not used: keys that differ in the order of their words give the same mask."""
    from flwr.common.secure_aggregation.secaggplus_utils import pseudo_rand_gen

    one, other = bytes(range(32)), bytes([*range(4, 32), *range(4)])
    theirs = [pseudo_rand_gen(seed, 1 << 32, [(50,)])[0] for seed in (one, other)]
    assert (theirs[0] == theirs[1]).all()
    assert not (secure_sum.mask(one, 50) == secure_sum.mask(other, 50)).any()


@given(st.lists(st.lists(st.integers(0, 2**20), min_size=4, max_size=4), min_size=1, max_size=9))
def test_what_flowers_workflow_rounds_would_be_exact_for_small_counts(vectors):
    """Clipping at half of the quantisation range makes its stochastic rounding exact, for whole numbers in range."""
    from flwr.common.secure_aggregation.quantization import dequantize, quantize

    half = 1 << 20
    quantised = [quantize([np.array(one, float)], float(half), 2 * half)[0].astype(np.int64) for one in vectors]
    (total,) = dequantize([sum(quantised)], float(half), 2 * half)
    assert (total - (len(vectors) - 1) * half).tolist() == np.sum(vectors, axis=0).tolist()
