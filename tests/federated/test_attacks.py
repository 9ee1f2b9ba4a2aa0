"""What a lying coordinator tries, and what sites answer. Each attack read a site's votes under the old protocol."""

from __future__ import annotations

import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from federation import CLINIC_NAMES, CLINICS, Recorder, agreement_of, clinic_sites, fresh, secret_of

from bnfuse.errors import FederationError
from bnfuse.federated.coordinator import summing
from bnfuse.federated.coordinator.rounds import coordinate
from bnfuse.federated.protocol import keys, masks, participant, sharing, transcript
from bnfuse.federated.protocol.participant import Member
from bnfuse.federated.protocol.transcript import Advert
from bnfuse.federated.protocol.wire import packed, unpacked
from bnfuse.federated.site.holdings import ACCEPTED, Holdings
from bnfuse.federated.site.ledger import FILE as LEDGER
from bnfuse.federated.site.ledger import Ledger
from bnfuse.federated.site.steps import PROBLEM, Site
from bnfuse.federated.sums import counts

A, B, C, D, E = CLINIC_NAMES
ALL = list(CLINIC_NAMES)


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    agreement = agreement_of(CLINICS[0], CLINIC_NAMES, tables="networks")
    return agreement, clinic_sites(tmp_path_factory.mktemp("clinics"), agreement)


class Coordinator:
    """Asks each site what it wants to; keeps what it hears."""

    def __init__(self, agreement, folders):
        self.agreement = agreement
        self.sites = {folder.name: Site(folder) for folder in folders}
        self.adverts, self.letters = {}, {}

    def ask(self, site, kind, sum_name="tally", **content):
        body = {"agreement": self.agreement.hash, "sum": sum_name, **content}
        return unpacked(self.sites[site].answer(kind, packed(body)))

    def joined(self, among: Iterable[str] = ALL, sum_name="tally"):
        for site in among:
            self.adverts[site] = self.ask(site, "join", sum_name)["advert"]
        return self

    def shared(self, among: Iterable[str] = ALL, sum_name="tally"):
        for site in among:
            self.letters[site] = self.ask(site, "share", sum_name, adverts=self.adverts)["letters"]
        return self

    def letters_for(self, site):
        return {other: letters[site] for other, letters in self.letters.items() if other != site}

    def masked(self, site, sum_name="tally", request=None):
        return self.ask(site, "masked", sum_name, letters=self.letters_for(site), request=packed(request or {}))

    def transcripts(self, request=None, sum_name="tally"):
        adverts = {site: Advert.of(one) for site, one in self.adverts.items()}
        first = transcript.first_transcript(self.agreement.hash, sum_name, adverts)
        return first, transcript.second_transcript(first, sorted(self.letters), packed(request or {}))


@pytest.fixture
def lying(described, tmp_path):
    agreement, sites = described
    return Coordinator(agreement, fresh(sites, tmp_path))


def refused(answer, *words):
    """One word leaves the site, and nothing else."""
    return answer["ok"] is False and set(answer) == {"ok", "why"} and answer["why"] in words


def told(lying, site):
    return (lying.sites[site].folder / PROBLEM).read_text("utf-8")


def looks_like_noise(words):
    """No number is small, and half of the numbers have their first bit set, within six standard errors."""
    error = 0.5 / np.sqrt(len(words))
    return words.min() > 1_000_000 and abs((words >> np.uint64(63)).mean() - 0.5) < 6 * error


# Repeated shares


def test_shares_are_dealt_once(lying):
    """First with few sites or invented keys, then with the real ones: it gave both secrets away."""
    lying.joined()
    four = {site: lying.adverts[site] for site in ALL[:4]}
    assert lying.ask(A, "share", adverts=four)["ok"] is True
    assert refused(lying.ask(A, "share", adverts=lying.adverts), "once")
    assert "'share' of the tally is asked for again" in told(lying, A)


def test_a_new_attempt_has_new_secrets_and_ends_the_old_one(lying):
    """A retry is free before the vector was sent; what was dealt before it is of no use any more."""
    lying.joined().shared()
    before = dict(lying.letters)
    old = lying.adverts[A]
    lying.joined([A])
    assert lying.adverts[A] != old
    assert refused(lying.masked(A), "once")
    lying.shared([A])
    lying.letters.update({site: before[site] for site in ALL[1:]})
    assert refused(lying.masked(A), "protocol"), "the letters of the first attempt do not open in the second"
    assert "does not open" in told(lying, A)


def test_after_the_vector_was_sent_only_the_owner_allows_another(lying):
    lying.joined().shared()
    assert lying.masked(A)["ok"] is True
    assert refused(lying.masked(A), "once")
    assert refused(lying.ask(A, "join"), "once")
    assert "bnfuse federated allow" in told(lying, A)
    again = Site(lying.sites[A].folder)  # another process, after a restart
    assert refused(unpacked(again.answer("join", packed({"agreement": lying.agreement.hash, "sum": "tally"}))), "once")
    assert Ledger(lying.sites[A].folder).allow(lying.agreement.hash.hex(), "tally") == 2
    assert lying.ask(A, "join")["ok"] is True
    assert lying.ask(A, "join", "tables")["ok"] is True, "each sum counts by itself"


# Split views


def test_sites_that_were_shown_different_adverts_cannot_read_each_others_letters(lying):
    lying.joined()
    four = {site: lying.adverts[site] for site in ALL[:4]}
    lying.letters[A] = lying.ask(A, "share", adverts=four)["letters"]
    lying.shared(ALL[1:])
    for site in (A, B):
        assert refused(lying.masked(site), "protocol")
        assert "from another sum" in told(lying, site)


def test_a_lie_about_who_left_gets_no_signatures(lying):
    """Some are told that E has left, the others that A has: nobody reveals anything."""
    lying.joined().shared()
    assert all(lying.masked(site)["ok"] for site in ALL)
    views = {A: ALL[:4], B: ALL[:4], C: ALL[1:], D: ALL[1:], E: ALL[1:]}
    signatures = {site: lying.ask(site, "consent", senders=view)["signature"] for site, view in views.items()}
    for site in ALL:
        assert refused(lying.ask(site, "unmask", signatures=signatures), "privacy")
        assert "consented to the same question and the same senders, and 4 are needed" in told(lying, site)
        assert refused(lying.ask(site, "consent", senders=ALL), "once")


def test_too_few_senders_and_strangers_among_them_get_no_consent(lying):
    lying.joined().shared()
    assert all(lying.masked(site)["ok"] for site in ALL)
    for senders in (ALL[:3], [*ALL[1:]], [*ALL, "nobody"], [A]):
        assert refused(lying.ask(A, "consent", senders=senders), "privacy", "protocol")
    assert refused(lying.ask(A, "unmask", signatures={}), "once"), "before it has consented"


def test_forged_and_copied_signatures_do_not_count(lying):
    lying.joined().shared()
    assert all(lying.masked(site)["ok"] for site in ALL)
    mine = lying.ask(A, "consent", senders=ALL)["signature"]
    _, second = lying.transcripts()
    forged = keys.signed(keys.drawn(), transcript.consent_content(second, ALL))
    for signatures in (dict.fromkeys(ALL, mine), {**dict.fromkeys(ALL, forged), A: mine}, {A: mine}, {}):
        assert refused(lying.ask(A, "unmask", signatures=signatures), "privacy")


# Another agreement


def test_a_site_follows_its_own_copy_of_the_agreement(described, lying):
    """Less noise, larger families, another vocabulary or another roster is another hash."""
    agreement, _ = described
    states = dict(agreement.vocabulary.states)
    name = next(iter(states))
    others = [
        replace(agreement, settings=replace(agreement.settings, max_clique=8)),
        replace(agreement, settings=replace(agreement.settings, epsilon=1e6, most_edges=10)),
        replace(agreement, vocabulary=type(agreement.vocabulary)({**states, name: states[name][:-1]})),
        replace(agreement, roster=type(agreement.roster)({**agreement.roster.keys, "sixth": bytes(32)})),
    ]
    for other in others:
        assert other.hash != agreement.hash
        body = packed({"agreement": other.hash, "sum": "tally"})
        assert unpacked(lying.sites[A].answer("join", body)) == {"ok": False, "why": "agreement"}
    assert not (lying.sites[A].folder / LEDGER).exists(), "nothing was read or written for it"


def test_a_site_that_accepted_another_agreement_is_alone(described, lying):
    """Its owner was deceived: its adverts do not count for the others, nor theirs for it."""
    agreement, _ = described
    other = replace(agreement, settings=replace(agreement.settings, max_clique=8))
    (lying.sites[E].folder / ACCEPTED).write_text(other.to_json())
    lying.joined(ALL[:4])
    lying.agreement = other
    lying.joined([E])
    assert refused(lying.ask(E, "share", adverts=lying.adverts), "protocol")
    lying.agreement = agreement
    assert refused(lying.ask(A, "share", adverts=lying.adverts), "protocol")
    assert f"the keys of '{E}' are not signed by that site" in told(lying, A)


def test_only_sums_that_were_agreed_are_answered(lying):
    assert refused(lying.ask(A, "join", "families"), "protocol")
    assert refused(lying.ask(A, "join", "tally2"), "protocol")
    assert refused(lying.ask(A, "everything"), "protocol")
    assert refused(unpacked(lying.sites[A].answer("join", b"\x08\0\0\0nonsense")), "holdings", "protocol")
    assert refused(unpacked(lying.sites[A].answer("join", packed({}))), "protocol")


# Another request


def chain(number):
    return [[parent, number - 1] for parent in range(number - 1)]


def test_sites_that_were_asked_different_things_have_masks_that_do_not_cancel(described, lying):
    """`mean` was 1e12 for all but one site, whose place in the histogram then stood alone."""
    lying.joined(sum_name="tables").shared(sum_name="tables")
    one, other = {"arcs": [[0, 1]], "mean": 5.0}, {"arcs": [[0, 1]], "mean": 50.0}
    words = {
        site: np.frombuffer(lying.masked(site, "tables", one if site == A else other)["masked"], "<u8") for site in ALL
    }
    signatures = {site: lying.ask(site, "consent", "tables", senders=ALL)["signature"] for site in ALL}
    answers = {site: lying.ask(site, "unmask", "tables", signatures=signatures) for site in ALL}
    assert refused(answers[A], "privacy")
    places = transcript.places_of(ALL)
    total = np.zeros(len(words[A]), np.uint64)
    for site in ALL:  # the other four agree, and give their shares: these open the own masks, and no pair mask of A
        shares = {places[giver]: answers[giver]["shares"][site] for giver in ALL[1:]}
        _, second = lying.transcripts(one if site == A else other, "tables")
        opened = words[site] - masks.own_mask(sharing.restored(shares, 4), site, second, len(total))
        assert looks_like_noise(opened)
        total += opened
        assert looks_like_noise(total), "also the sums over some of them"


def test_even_with_all_own_masks_different_requests_leave_noise():
    """As if t sites gave their shares nevertheless: with one question the sum appears, with two it does not."""
    roster = {name: keys.identity_key(secret_of(name)) for name in ALL}

    def summed(requests):
        members = {name: Member(name, secret_of(name), b"A", roster) for name in ALL}
        progress, adverts, letters, total = {}, {}, {}, np.zeros(200, np.uint64)
        for name in ALL:
            progress[name], answer = participant.joined(members[name], "tally")
            adverts[name] = answer["advert"]
        for name in ALL:
            letters[name] = participant.shared(members[name], "tally", progress[name], {"adverts": adverts})["letters"]
        for name in ALL:
            received = {other: letters[other][name] for other in ALL if other != name}
            among = participant.in_sum(members[name], progress[name], {"letters": received, "request": requests[name]})
            own, vector = progress[name].own, np.ones(200, np.int64)
            words = participant.masked_vector(members[name], progress[name], among, vector)["masked"]
            total += np.frombuffer(words, "<u8") - masks.own_mask(own, name, progress[name].second, 200)
        return total

    assert (summed(dict.fromkeys(ALL, b"one")) == len(ALL)).all()
    assert looks_like_noise(summed({**dict.fromkeys(ALL, b"one"), A: b"other"}))


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"arcs": chain(8), "mean": 5.0}, "a family of 8 variables is asked for, and 4 are agreed"),
        ({"arcs": [], "mean": 1e12}, "the mean distance cannot be"),
        ({"arcs": [], "mean": float("nan")}, "the mean distance cannot be"),
        ({"arcs": [[0, 99]], "mean": 1.0}, "variables that the federation does not have"),
        ({"arcs": [[0, 1], [1, 0]], "mean": 1.0}, "cycle"),
        ({"arcs": [], "mean": 1.0, "rows": True}, "parts other than arcs and mean"),
        ({}, "parts other than arcs and mean"),
    ],
)
def test_requests_beyond_the_agreement_are_refused(lying, request_, why):
    lying.joined(sum_name="tables").shared(sum_name="tables")
    assert refused(lying.masked(A, "tables", request_), "privacy", "protocol")
    assert why in told(lying, A)
    assert lying.masked(A, "tables", {"arcs": [[0, 1]], "mean": 1.0})["ok"] is True, "a refusal costs nothing"


# Invented sites


def test_sites_that_the_coordinator_invented_are_not_in_the_roster(lying):
    mine = lying.joined([A]).adverts[A]

    def invented(name, signer):
        parts = keys.public_key(keys.drawn()), keys.public_key(keys.drawn()), bytes(32)
        content = Advert.content(lying.agreement.hash, "tally", name, *parts)
        return [*parts, keys.signed(signer, content)]

    strangers = {f"stranger-{n}": invented(f"stranger-{n}", keys.drawn()) for n in range(4)}
    assert refused(lying.ask(A, "share", adverts={A: mine, **strangers}), "protocol")
    namesakes = {name: invented(name, keys.drawn()) for name in ALL[1:]}
    assert refused(lying.ask(A, "share", adverts={A: mine, **namesakes}), "protocol")
    assert f"the keys of '{B}' are not signed by that site" in told(lying, A)


def test_adverts_of_other_sums_and_other_sites_do_not_count(lying):
    lying.joined()
    mine = dict(lying.adverts)
    lying.joined([B], "tables")
    assert refused(lying.ask(A, "share", adverts={**mine, B: lying.adverts[B]}), "protocol")
    assert refused(lying.ask(A, "share", adverts={**mine, B: mine[C]}), "protocol")
    assert refused(lying.ask(A, "share", adverts={**mine, A: mine[B]}), "protocol")
    assert refused(lying.ask(A, "share", adverts={name: mine[name] for name in ALL[:3]}), "privacy")
    assert refused(lying.ask(A, "share", adverts={name: mine[name] for name in ALL[1:]}), "protocol")
    for odd in ([], [b""], [bytes(32)] * 3, ["a", "b", "c", "d"], "text", 5):
        assert refused(lying.ask(A, "share", adverts={**mine, B: odd}), "protocol", "holdings")
    assert lying.ask(A, "share", adverts=mine)["ok"] is True


def test_a_roster_member_that_colludes_cannot_reuse_the_keys_of_another(lying):
    lying.joined()
    _, masks_key, commitment, _ = lying.adverts[A]
    letters = keys.public_key(keys.drawn())
    content = Advert.content(lying.agreement.hash, "tally", B, letters, masks_key, commitment)
    copied = [letters, masks_key, commitment, keys.signed(secret_of(B), content)]
    assert refused(lying.ask(A, "share", adverts={**lying.adverts, B: copied}), "protocol")
    assert "two sites have the same key" in told(lying, A)


# Many at once


def test_of_fifty_requests_at_once_one_is_answered(lying):
    lying.joined().shared()
    assert all(lying.masked(site)["ok"] for site in ALL)
    views = [ALL if number % 2 else ALL[:4] for number in range(50)]
    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(lambda view: lying.ask(A, "consent", senders=view), views))
    assert sum(answer["ok"] for answer in answers) == 1
    assert all(refused(answer, "once") for answer in answers if not answer["ok"])


# A patched coordinator


def test_a_coordinator_that_keeps_everything_sees_noise_and_the_sum(described, tmp_path):
    """All bytes of a whole run: no vector of a site is among them, nor the difference of two."""
    agreement, sites = described
    copies = fresh(sites, tmp_path)
    channel = Recorder(copies)
    coordinate(agreement, tmp_path / "result", channel)
    vectors = {number: np.frombuffer(body["masked"], "<u8") for number, body in channel.bodies("masked").items()}
    for number, folder in enumerate(copies, 1):
        votes = counts.votes_of(Holdings.of(folder).tally, agreement).astype(np.uint64)
        assert looks_like_noise(vectors[number] - votes)
        for other, words in vectors.items():
            if other != number:
                assert looks_like_noise(vectors[number] - words)
        everything = b"".join(answer for _, site, answer in channel.answered if site == number)
        assert votes.astype("<u8").tobytes() not in everything
        assert not any(name.encode() in everything for name in agreement.vocabulary.variables if len(name) > 5)


def test_a_patched_coordinator_that_drops_all_checks_still_gets_no_second_sum(described, tmp_path, monkeypatch):
    """It finishes one sum, and then asks the same sites for one without A."""
    agreement, sites = described
    copies = fresh(sites, tmp_path)
    coordinate(agreement, tmp_path / "one", Recorder(copies))
    monkeypatch.setattr(summing.Summing, "_check_enough", lambda self, there, what, left_out: None)
    with pytest.raises((FederationError, ValueError, IndexError, StopIteration)):
        coordinate(agreement, tmp_path / "two", Recorder(copies[1:]))
    channel = Recorder(copies[1:])
    with pytest.raises((FederationError, ValueError, IndexError, StopIteration)):
        coordinate(agreement, tmp_path / "three", channel)
    assert all(body == {"ok": False, "why": "once"} for body in channel.bodies("join").values())


def test_what_colluding_sites_know_does_not_open_a_vector(lying):
    """One of five sites works for the coordinator (the most that may), and says whatever helps it."""
    lying.joined().shared()
    words = np.frombuffer(lying.masked(A)["masked"], "<u8")
    assert all(lying.masked(site)["ok"] for site in ALL[1:])
    views = {B: ALL, C: ALL, D: ALL, A: ALL, E: ALL[1:]}  # E, which lies, says whatever is asked
    signatures = {site: lying.ask(site, "consent", senders=view)["signature"] for site, view in views.items()}
    answers = {site: lying.ask(site, "unmask", signatures=signatures) for site in (A, B, C, D)}
    assert all(answer["ok"] for answer in answers.values()), "four agree on what is the truth"
    revealed = {A: answers[A]["shares"], B: answers[B]["shares"]}
    assert all(len(shares[A]) == 33 for shares in revealed.values())
    own = [answer["shares"][A] for answer in answers.values()]
    assert len(set(own)) == 4, "shares of A's own mask only: its key stays with A, and the sum is over all"
    assert looks_like_noise(words)


# What stays on the disk


def test_files_of_a_site_are_its_owners_alone(lying):
    lying.joined().shared()
    for path in lying.sites[A].folder.iterdir():
        if path.name not in ("identity.pub", PROBLEM):
            assert path.stat().st_mode & 0o077 == 0, path.name


def test_secrets_are_gone_when_a_sum_has_been_unmasked(described, tmp_path):
    agreement, sites = described
    copies = fresh(sites, tmp_path)
    seen = []

    class Reading(Recorder):
        def ask(self, kind, requests, seconds):
            answers = super().ask(kind, requests, seconds)
            seen.append((kind, (copies[0] / LEDGER).stat().st_size, (copies[0] / LEDGER).read_bytes()))
            return answers

    coordinate(agreement, tmp_path / "result", Reading(copies))
    last = seen[-1][2]
    assert b'"shares"' not in last
    assert any(b'"shares"' in content for _, _, content in seen)
    assert json.loads((copies[0] / ACCEPTED).read_text("utf-8"))["roster"]
