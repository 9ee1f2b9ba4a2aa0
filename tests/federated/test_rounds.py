"""All rounds with all sites in one process: the result of the clear, whoever leaves, lies or is killed."""

from __future__ import annotations

import shutil
from itertools import pairwise

import numpy as np
import pytest
from federation import CLINICS, Recorder, agreement_of, clinic_sites, data_sites, losing

import bnfuse
from bnfuse.data.data import Data
from bnfuse.errors import FederationError, FileError
from bnfuse.federated import coordinator as rounds
from bnfuse.federated import counts
from bnfuse.federated.coordinator import coordinate
from bnfuse.federated.holdings import Holdings, SiteSettings, described
from bnfuse.federated.site import PROBLEM
from bnfuse.federated.wire import packed, unpacked
from bnfuse.inference.parameters import fit


@pytest.fixture(scope="module")
def clinics(tmp_path_factory):
    """The sites of the five clinics, and their agreement."""
    agreement = agreement_of(CLINICS[0], tables="networks")
    return agreement, clinic_sites(tmp_path_factory.mktemp("clinics"), agreement)


@pytest.fixture(scope="module")
def rows():
    """Complete rows of one clinic's network, for five sites."""
    (network,) = bnfuse.read(CLINICS[1])
    data = network.sample(1_000, seed=3)
    ends = [0, 100, 350, 500, 900, 1_000]
    parts = [Data(data.variables, data.states, data.codes[a:b]) for a, b in pairwise(ends)]
    return network, data, parts


def in_the_clear(agreement, sites):
    """The same counts, added up openly."""
    held = [Holdings.of(folder, agreement) for folder in sites]
    votes = sum(counts.votes_of(one.tally, agreement) for one in held)
    settings = agreement.settings
    found = bnfuse.consensus(
        counts.tally_from(votes, agreement, len(sites)), settings.max_clique, settings.metric, effort=settings.effort
    )
    families = counts.Families(found.dag, agreement)
    vectors = [
        families.vector(*one.family_counts(found.dag), counts.bin_of(found.distance, found.distance)) for one in held
    ]
    total, tables, _ = families.apart(sum(vectors), len(sites))
    return found, families.fitted(total, tables, len(sites)).network


def same_tables(one, other):
    return one.dag == other.dag and all(np.array_equal(one.cpts[name], other.cpts[name]) for name in one.variables)


def test_networks_of_five_sites_give_what_they_give_in_the_clear(clinics, tmp_path):
    agreement, sites = clinics
    finished = coordinate(agreement, tmp_path, Recorder(sites))
    networks = bnfuse.read(*CLINICS)
    openly = bnfuse.consensus(networks, agreement.settings.max_clique, effort="quick")
    assert finished.consensus.dag == openly.dag
    assert finished.consensus.distance == openly.distance
    assert finished.consensus.lower_bound == openly.lower_bound
    assert finished.consensus.problem.tally == openly.problem.tally
    _, network = in_the_clear(agreement, sites)
    assert same_tables(finished.consensus.network, network)
    for name in openly.dag.variables:  # which pool computes with fractions of floating-point numbers
        assert np.allclose(network.cpts[name], openly.network.cpts[name], rtol=0, atol=1e-11)
    assert any("one of them stands apart" in note for note in finished.notes)
    saved = bnfuse.Consensus.load(tmp_path / rounds.SAVED)
    assert same_tables(saved.network, network)
    assert (tmp_path / rounds.REPORT).is_file()
    for folder in sites:
        (kept,) = bnfuse.read(folder / "consensus.bif")
        assert kept.dag == openly.dag
        assert "mean smhd of this site's networks to it" in (folder / "report.txt").read_text("utf-8")


def test_data_of_five_sites_give_the_tables_of_all_rows_together(rows, tmp_path):
    network, data, parts = rows
    agreement = agreement_of(network)
    sites = data_sites(tmp_path, agreement, parts)
    found = coordinate(agreement, tmp_path / "result", Recorder(sites)).consensus
    whole = fit(found.dag, data, states=network.states, prior=agreement.settings.prior).network
    assert same_tables(found.network, whole)
    summed, again = in_the_clear(agreement, sites)
    assert (summed.dag, same_tables(again, found.network)) == (found.dag, True)
    report = (sites[0] / "report.txt").read_text("utf-8")
    assert "mean log-likelihood of a row of this site" in report


def test_a_vote_a_network_counts_them_up_to_the_cap(clinics, tmp_path):
    networks = bnfuse.read(*CLINICS)
    agreement = agreement_of(CLINICS[0], tables="none", sites=3, votes="network", most_votes=2)
    (tmp_path / "many").mkdir()
    for path in CLINICS[:2]:
        shutil.copy(path, tmp_path / "many")
    described(tmp_path / "a", SiteSettings(networks=str(tmp_path / "many")), agreement)
    described(tmp_path / "b", SiteSettings(networks=str(CLINICS[2])), agreement)
    shutil.copytree(tmp_path / "many", tmp_path / "more")
    for path in CLINICS[2:4]:
        shutil.copy(path, tmp_path / "more")
    described(tmp_path / "c", SiteSettings(networks=str(tmp_path / "more")), agreement)
    found = coordinate(agreement, tmp_path / "result", Recorder([tmp_path / one for one in "abc"])).consensus
    tally = found.problem.tally
    by_hand = bnfuse.Tally.of([one.dag for one in networks], [3, 3, 3, 1, 0])  # halves: 2 of 4 networks at the last
    assert tally.weight * 2 == by_hand.weight * tally.parts
    assert np.array_equal(tally.arcs * 2, by_hand.arcs * tally.parts)
    assert found.parameters is None


@pytest.mark.parametrize("when", ["join", "share", "tally", "tables", "finish"])
def test_a_fifth_of_the_sites_leaves_in_any_round(clinics, tmp_path, when):
    agreement, sites = clinics
    said = []
    finished = coordinate(agreement, tmp_path, Recorder(sites, losing(when, 2)), said.append)
    there = 5 if when in ("tables", "finish") else 4
    assert finished.sites == there
    rest = sites if there == 5 else [sites[0], *sites[2:]]
    assert finished.consensus.dag == in_the_clear(agreement, rest)[0].dag
    assert any(f"{when}: 1 site of 5 left out: it did not answer" in line for line in said)


@pytest.mark.parametrize(("nth", "there"), [(1, 5), (2, 5)])
def test_sites_that_leave_while_a_sum_is_unmasked_are_still_in_it(clinics, tmp_path, nth, there):
    agreement, sites = clinics
    finished = coordinate(agreement, tmp_path, Recorder(sites, losing("unmask", 3, nth=nth)))
    assert finished.sites == there
    assert finished.consensus.dag == in_the_clear(agreement, sites)[0].dag


def test_a_site_more_leaves_in_each_round_until_too_few_are_left(clinics, tmp_path):
    agreement, sites = clinics

    def together(*changes):
        def change(kind, site, answer):
            answers = [one(kind, site, answer) for one in changes]
            return None if None in answers else answer

        return change

    leaving = together(losing("tally", 1), losing("tables", 2), losing("finish", 3))
    assert coordinate(agreement, tmp_path, Recorder(sites, leaving)).sites == 4
    leaving = together(losing("tally", 1), losing("tables", 2, 3))
    with pytest.raises(
        FederationError, match=r"2 sites sent their tables, and 3 are needed \(left out: 3 because it did"
    ):
        coordinate(agreement, tmp_path / "again", Recorder(sites, leaving))


def test_with_too_few_sites_nothing_is_unmasked(clinics, tmp_path):
    agreement, sites = clinics
    channel = Recorder(sites, losing("tally", 1, 2, 4))
    with pytest.raises(FederationError, match="2 sites sent their tally, and 3 are needed"):
        coordinate(agreement, tmp_path, channel)
    assert "unmask" not in {kind for kind, _, _ in channel.asked}
    with pytest.raises(FederationError, match="2 sites joined, and 3 are needed"):
        coordinate(agreement, tmp_path / "two", Recorder(sites[:2]))
    assert not list((tmp_path / "two").glob("consensus*"))


class Killed(BaseException):
    """As kill -9 would: nothing is tidied up."""


@pytest.mark.parametrize(
    "moment", [("share", 1), ("tally", 1), ("unmask", 1), ("tables", 1), ("unmask", 2), ("finish", 1)]
)
def test_a_killed_coordinator_goes_on_after_the_last_finished_round(clinics, tmp_path, moment):
    agreement, sites = clinics
    counted = []

    class Dying(Recorder):
        def ask(self, kind, requests, seconds):
            counted.append(kind)
            if (kind, counted.count(kind)) == moment:
                raise Killed
            return super().ask(kind, requests, seconds)

    with pytest.raises(Killed):
        coordinate(agreement, tmp_path, Dying(sites))
    channel = Recorder(sites)
    finished = coordinate(agreement, tmp_path, channel)
    assert same_tables(finished.consensus.network, in_the_clear(agreement, sites)[1])
    asked = {kind for kind, _, _ in channel.asked}
    assert ("tally" in asked) == (moment[0] in ("share", "tally") or moment == ("unmask", 1))
    assert ("tables" in asked) == (moment[0] != "finish")
    quiet = Recorder(sites)
    coordinate(agreement, tmp_path, quiet)
    assert quiet.asked == []


def test_a_folder_with_another_agreement_is_left_alone(clinics, tmp_path):
    agreement, sites = clinics
    coordinate(agreement, tmp_path, Recorder(sites))
    other = agreement_of(CLINICS[0], tables="networks", max_clique=3)
    with pytest.raises(FileError, match="a federation with other settings"):
        coordinate(other, tmp_path, Recorder(sites))


# What others see


def test_the_coordinator_sees_no_vector_that_resembles_a_sites_votes(clinics, tmp_path):
    agreement, sites = clinics
    channel = Recorder(sites)
    coordinate(agreement, tmp_path, channel)
    for number, folder in enumerate(sites, 1):
        held = Holdings.of(folder, agreement)
        votes = counts.votes_of(held.tally, agreement)
        masked = np.frombuffer(channel.bodies("tally")[number]["masked"], "<u8")
        assert not (masked == votes.astype(np.uint64)).any()
        for other in channel.bodies("tally").values():  # differences of two sites say as little
            seen = np.frombuffer(other["masked"], "<u8")
            for one in (seen, masked - seen):
                if one.any():
                    correlation = np.corrcoef(one.astype(np.float64), votes.astype(np.float64))[0, 1]
                    assert abs(correlation) < 5 / np.sqrt(len(votes))
        everything = b"".join(answer for _, site, answer in channel.answered if site == number)
        assert votes.astype("<u8").tobytes() not in everything
        assert not any(name.encode() in everything for name in agreement.vocabulary.variables if len(name) > 5)


def test_what_a_site_answers_can_hardly_be_packed(clinics, tmp_path):
    """A mask that repeats, or has few values, could."""
    import zlib

    agreement, sites = clinics
    channel = Recorder(sites)
    coordinate(agreement, tmp_path, channel)
    vectors = b"".join(body["masked"] for body in channel.bodies("tally").values())
    assert len(zlib.compress(vectors, 9)) > 0.99 * len(vectors)


# Sites that do not fit, and sites that lie


@pytest.mark.parametrize("data", ["a,b\n1,2\n", "Age,Asthma\nyoung,yes\n"])
def test_another_vocabulary_is_named_to_its_site_alone(clinics, tmp_path, data):
    other, sites = clinics
    odd = tmp_path / "odd"
    odd.mkdir()
    (tmp_path / "rows.csv").write_text(data)
    (odd / "site.toml").write_text(SiteSettings(data=str(tmp_path / "rows.csv")).to_toml())
    channel = Recorder([*sites, odd])
    assert coordinate(other, tmp_path / "result", channel).sites == 5
    assert channel.bodies("join")[6] == {"ok": False, "why": "vocabulary"}
    assert "lacks the column" in (odd / PROBLEM).read_text("utf-8")


def test_a_site_takes_part_only_in_what_its_owner_allows(clinics, tmp_path):
    agreement, sites = clinics
    strict = tmp_path / "strict"
    strict.mkdir()
    (strict / "site.toml").write_text(SiteSettings(networks=str(CLINICS[0]), most_epsilon=1.0).to_toml())
    channel = Recorder([*sites, strict])
    coordinate(agreement, tmp_path / "result", channel)
    assert channel.bodies("join")[6] == {"ok": False, "why": "privacy"}
    assert "no noise, and this site allows epsilon 1" in (strict / PROBLEM).read_text("utf-8")


def changed(kind, site, change):
    """A site whose answer to a kind of message is something else."""

    def answered(of, number, answer):
        if (of, number) != (kind, site):
            return answer
        body = unpacked(answer)
        change(body)
        return packed(body)

    return answered


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        ("tally", lambda body: body.update(masked=body["masked"][:-8]), "sent 175 numbers, and 176"[:4]),
        ("tally", lambda body: body.update(masked="text"), "sent 0 numbers"),
        ("tally", lambda body: body.clear(), "it refused"),
        ("join", lambda body: body.update(keys={}), "its answer is damaged"),
        ("share", lambda body: body.update(letters={}), "its answer is damaged"),
        ("unmask", lambda body: body.update(shares={}), "its answer is damaged"),
    ],
)
def test_answers_that_do_not_fit_leave_their_site_out(clinics, tmp_path, kind, change, said):
    agreement, sites = clinics
    lines = []
    finished = coordinate(agreement, tmp_path, Recorder(sites, changed(kind, 4, change)), lines.append)
    assert finished.sites == (5 if kind == "unmask" else 4)
    assert any(said in line for line in lines)


def test_bytes_that_are_no_message_leave_their_site_out(clinics, tmp_path):
    agreement, sites = clinics

    def noise(kind, site, answer):
        return b"\x08\0\0\0nonsense" if (kind, site) == ("tally", 1) else answer

    assert coordinate(agreement, tmp_path, Recorder(sites, noise)).sites == 4


def test_a_site_with_a_million_votes_spoils_the_sum_and_nothing_is_kept(clinics, tmp_path):
    agreement, sites = clinics

    def more(body):
        vector = np.frombuffer(body["masked"], "<u8").copy()
        vector[0] += np.uint64(10**6 * counts.SOFT_PARTS)
        body["masked"] = vector.tobytes()

    with pytest.raises(FederationError, match=r"5 sites sent 1e\+06 votes, and have 5"):
        coordinate(agreement, tmp_path, Recorder(sites, changed("tally", 3, more)))
    assert [path.name for path in tmp_path.iterdir()] == ["rounds.sqlite"]
    assert coordinate(agreement, tmp_path, Recorder(sites)).sites == 5


def test_wrong_shares_are_noticed(clinics, tmp_path):
    agreement, sites = clinics

    def other(body):
        body["shares"] = {owner: share[:4] + bytes(len(share) - 4) for owner, share in body["shares"].items()}

    with pytest.raises(FederationError, match=r"do not fit"):
        coordinate(agreement, tmp_path, Recorder(sites, changed("unmask", 1, other)))


# What a site does for a coordinator that lies


def test_a_site_gives_its_shares_once_and_never_for_too_few(clinics, tmp_path):
    agreement, sites = clinics
    channel = Recorder(sites)
    coordinate(agreement, tmp_path, channel)

    class Curious(Recorder):
        """Asks again, with other sites declared gone."""

        def ask(self, kind, requests, seconds):
            answers = super().ask(kind, requests, seconds)
            if kind == "unmask":
                again = super().ask(
                    kind, {s: packed({"sum": "tally", "active": [1, 2, 3]}) for s in (1, 2, 3)}, seconds
                )
                assert all(unpacked(one) == {"ok": False, "why": "protocol"} for one in again.values())
            if kind == "tally":
                few = super().ask("unmask", {1: packed({"sum": "tally", "active": [1, 2]})}, seconds)
                assert unpacked(few[1]) == {"ok": False, "why": "privacy"}
                odd = super().ask("tally", {1: packed({"among": [1, 2, 3, 4, 5], "letters": {}})}, seconds)
                assert unpacked(odd[1]) == {"ok": False, "why": "protocol"}
            return answers

    coordinate(agreement, tmp_path / "curious", Curious(sites))


def test_a_site_refuses_a_coordinator_that_swaps_keys_or_asks_nonsense(clinics):
    agreement, sites = clinics
    channel = Recorder(sites)
    request = packed({"agreement": agreement.to_json(), "sums": ["tally"]})
    keys = {
        site: unpacked(body)["keys"]
        for site, body in channel.ask("join", dict.fromkeys(range(1, 6), request), 1).items()
    }

    def refused(kind, body):
        answer = unpacked(channel.ask(kind, {1: packed(body)}, 1)[1])
        assert answer["ok"] is False
        return answer["why"]

    assert refused("share", {"keys": {**keys, 1: keys[2]}}) == "protocol"
    assert refused("share", {"keys": {**keys, 2: keys[3]}}) == "protocol"
    assert refused("share", {"keys": {1: keys[1], 2: keys[2]}}) == "privacy"
    assert refused("share", {}) == "protocol"
    assert refused("everything", {}) == "protocol"
    assert refused("join", {"agreement": "{}", "sums": []}) == "holdings"
    assert refused("unmask", {"sum": "tally", "active": [1, 2, 3]}) == "protocol"
    assert (sites[0] / PROBLEM).is_file()


# Privacy


def test_noise_is_in_every_count_and_in_the_result(clinics, tmp_path):
    agreement = agreement_of(CLINICS[0], tables="networks", epsilon=30.0, most_edges=25)
    sites = clinic_sites(tmp_path, agreement)
    found = [coordinate(agreement, tmp_path / name, Recorder(sites)).consensus for name in ("one", "two")]
    assert found[0].problem.tally != found[1].problem.tally
    assert any("epsilon 30 for each run (15 on the tally, 15 on the tables)" in note for note in found[0].notes)
    for one in found:
        assert one.clique_size <= 4
        assert all(np.allclose(one.network.cpts[name].sum(-1), 1) for name in one.dag.variables)
