"""Secure sums are exact, whoever leaves; shares, hashes and thresholds are what the argument for them needs."""

from __future__ import annotations

import os

import federation  # noqa: F401 - skips without flwr
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnfuse.errors import FederationError
from bnfuse.federated.protocol import keys, masks, sharing, transcript
from bnfuse.federated.protocol.hashing import digest

LARGE = st.integers(-(2**59), 2**59)
NAMES = [f"site-{number}" for number in range(6)]


@settings(max_examples=15)
@given(st.lists(st.lists(LARGE, min_size=3, max_size=3), min_size=3, max_size=6), st.data())
def test_the_sum_is_exact_whoever_leaves(vectors, data):
    names = NAMES[: len(vectors)]
    gone = data.draw(st.sets(st.sampled_from(names), max_size=len(vectors) - 1))
    held = dict(zip(names, vectors, strict=True))
    secret = {name: (keys.drawn(), keys.drawn()) for name in names}
    public = {name: keys.public_key(one[0]) for name, one in secret.items()}
    sent = {
        name: masks.masked(
            np.array(held[name], np.int64), name, *secret[name], {n: k for n, k in public.items() if n != name}, b"T2"
        )
        for name in names
        if name not in gone
    }
    own, left = {name: secret[name][1] for name in sent}, {name: secret[name][0] for name in gone}
    found = masks.unmasked(sent, own, left, public, b"T2")
    assert found.tolist() == [sum(held[name][i] for name in sent) for i in range(3)]


def test_masks_of_another_question_do_not_cancel():
    """Of two sites one was asked something else: even who knows both own masks sees noise."""
    secret = {name: (keys.drawn(), keys.drawn()) for name in "AB"}
    public = {name: keys.public_key(one[0]) for name, one in secret.items()}
    zeros, total = np.zeros(400, np.int64), np.zeros(400, np.uint64)
    for name, other, asked in (("A", "B", b"one"), ("B", "A", b"other")):
        vector = masks.masked(zeros, name, *secret[name], {other: public[other]}, asked)
        total += vector - masks.own_mask(secret[name][1], name, asked, 400)
    assert (total != 0).all()
    assert 0.3 < (total >> np.uint64(63)).mean() < 0.7


# Shares


def test_the_field_is_the_smallest_prime_above_all_secrets():
    def is_prime(number):
        """By Miller and Rabin with the first 40 primes: a composite of this size passes with no chance worth a name."""
        odd, power = number - 1, 0
        while odd % 2 == 0:
            odd, power = odd // 2, power + 1
        for base in [p for p in range(2, 180) if all(p % q for q in range(2, p))]:
            value = pow(base, odd, number)
            squares = [pow(value, 2**i, number) for i in range(power)]
            if number % base == 0 or (value != 1 and number - 1 not in squares):
                return False
        return True

    assert is_prime(sharing.PRIME)
    assert not any(is_prime(number) for number in range(2**256 + 1, sharing.PRIME))


def test_shares_restore_a_secret_and_one_too_few_fit_every_secret():
    secret = os.urandom(32)
    shares = sharing.split(secret, 3, [1, 2, 3, 4, 5])
    assert sharing.restored({place: shares[place] for place in (5, 2, 3)}, 3) == secret
    with pytest.raises(FederationError, match="2 shares were received, and 3 are needed"):
        sharing.restored({place: shares[place] for place in (1, 2)}, 3)
    others = {sharing.restored({1: shares[1], 2: shares[2], 3: bytes([0, n]) + bytes(31)}, 3) for n in range(50)}
    assert len(others) == 50, "each value of the missing share gives another secret"
    with pytest.raises(FederationError, match="cannot be divided"):
        sharing.split(secret, 4, [1, 2, 3])


@given(st.binary(min_size=32, max_size=32), st.integers(1, 9), st.data())
def test_any_enough_shares_restore_any_secret(secret, needed, data):
    places = data.draw(st.lists(st.integers(1, 9_999), unique=True, min_size=needed, max_size=needed + 3))
    chosen = data.draw(st.permutations(places))[:needed]
    shares = sharing.split(secret, needed, places)
    assert sharing.restored({place: shares[place] for place in chosen}, needed) == secret


# Thresholds


@pytest.mark.parametrize("n", [*range(3, 60), 100, 299, 300])
def test_the_threshold_is_the_smallest_that_a_third_of_liars_cannot_cheat(n):
    needed, liars = transcript.needed_sites(n), transcript.dishonest_sites(n)
    assert 2 * needed > n + liars, "no coordinator gets both secrets of a site (Bonawitz et al. 2017)"
    assert 2 * (needed - 1) <= n + liars, "and one site fewer would not do"
    assert 2 * needed - n > liars, "any two groups of this size share an honest site"
    assert needed <= n
    assert transcript.honest_sites(n) == needed - liars >= 2


@pytest.mark.parametrize(("n", "may_leave"), [(3, 0), (4, 1), (5, 1), (7, 2), (10, 3), (100, 33)])
def test_how_many_sites_may_leave(n, may_leave):
    assert n - transcript.needed_sites(n) == may_leave


# Hashes, signatures and letters

VALUES = st.recursive(
    st.binary(max_size=4) | st.text(max_size=4) | st.integers(-99, 99),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)


@given(VALUES, VALUES)
def test_different_values_have_different_hashes(one, other):
    assert (digest("a", one) == digest("a", other)) == (one == other and type(one) is type(other))
    assert digest("a", one) != digest("b", one)


def test_values_that_only_look_alike_have_different_hashes():
    alike = [["ab"], ["a", "b"], [["a"], "b"], ["a", ["b"]], [b"ab"], ["1"], [1], [b"1"], [{}], [[]], [""], [b""]]
    assert len({digest("x", one) for one in alike}) == len({digest("x", *one) for one in alike}) == len(alike)


def test_a_signature_is_for_its_content_and_its_signer():
    secret, other = keys.drawn(), keys.drawn()
    signature = keys.signed(secret, b"this")
    assert keys.is_signed(keys.identity_key(secret), signature, b"this")
    assert not keys.is_signed(keys.identity_key(secret), signature, b"that")
    assert not keys.is_signed(keys.identity_key(other), signature, b"this")
    for odd in (b"", b"x" * 64, None, "text", signature[:-1]):
        assert not keys.is_signed(keys.identity_key(secret), odd, b"this")


def test_a_letter_opens_for_its_receiver_in_its_transcript_alone():
    mine, theirs, other = (keys.drawn() for _ in range(3))
    letter = keys.sealed(transcript.letter_key(mine, keys.public_key(theirs), b"T1", "A", "B"), b"shares")

    def opened(secret, public, first=b"T1", sender="A", receiver="B"):
        return keys.opened(transcript.letter_key(secret, keys.public_key(public), first, sender, receiver), letter)

    assert opened(theirs, mine) == b"shares"
    assert opened(other, mine) is None
    assert opened(theirs, mine, b"T1 of others") is None
    assert opened(theirs, mine, sender="B", receiver="A") is None
    assert opened(theirs, mine, receiver="C") is None
    with pytest.raises(FederationError, match="public key is damaged"):
        keys.agreed(mine, bytes(32))  # a point of small order


def test_the_masks_of_flower_have_32_bits_and_ours_do_not():
    """Why its generator is not used: keys that differ in the order of their words give the same mask."""
    from flwr.common.secure_aggregation.secaggplus_utils import pseudo_rand_gen

    one, other = bytes(range(32)), bytes([*range(4, 32), *range(4)])
    theirs = [pseudo_rand_gen(seed, 1 << 32, [(50,)])[0] for seed in (one, other)]
    assert (theirs[0] == theirs[1]).all()
    assert not (masks.own_mask(one, "A", b"", 50) == masks.own_mask(other, "A", b"", 50)).any()
