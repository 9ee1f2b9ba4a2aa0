"""All rounds with all sites in one process: the result of the clear, whoever leaves, lies or is killed."""

from __future__ import annotations

import shutil
from itertools import pairwise

import numpy as np
import pytest
from federation import (
    CLINIC_NAMES,
    CLINICS,
    Recorder,
    agreement_of,
    clinic_sites,
    data_sites,
    fresh,
    losing,
    with_identity,
)

import bnfuse
from bnfuse.data.data import Data
from bnfuse.errors import FederationError, FileError, OptionError
from bnfuse.federated.coordinator import rounds, store
from bnfuse.federated.coordinator.rounds import coordinate
from bnfuse.federated.protocol.wire import packed, unpacked
from bnfuse.federated.site.holdings import Holdings, SiteSettings, described
from bnfuse.federated.site.ledger import Ledger
from bnfuse.federated.site.steps import PROBLEM
from bnfuse.federated.sums import counts
from bnfuse.inference.parameters import fit


@pytest.fixture(scope="module")
def described_clinics(tmp_path_factory):
    agreement = agreement_of(CLINICS[0], CLINIC_NAMES, tables="networks")
    return agreement, clinic_sites(tmp_path_factory.mktemp("clinics"), agreement)


@pytest.fixture
def clinics(described_clinics, tmp_path):
    """The sites of the five clinics, which have answered nothing yet, and their agreement."""
    agreement, sites = described_clinics
    return agreement, fresh(sites, tmp_path)


def quick_first(first, *others):
    """Cases of which the first is quick to try; all others say the same of other steps."""
    return [first, *(pytest.param(*one, marks=pytest.mark.long) for one in others)]


def allow(agreement, sites, *sums):
    for folder in sites:
        for name in sums:
            Ledger(folder).allow(agreement.hash.hex(), name)


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
    held = [Holdings.of(folder) for folder in sites]
    votes = sum(counts.votes_of(one.tally, agreement, one.rows) for one in held)
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


def test_a_vote_a_network_counts_them_up_to_the_cap(tmp_path):
    networks = bnfuse.read(*CLINICS)
    agreement = agreement_of(CLINICS[0], "abc", tables="none", votes="network", most_votes=2)
    (tmp_path / "many").mkdir()
    for path in CLINICS[:2]:
        shutil.copy(path, tmp_path / "many")
    for name in "abc":
        with_identity(tmp_path / name)
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


@pytest.mark.parametrize(
    ("when", "nth", "there"),
    quick_first(
        *(("masked", 1, 4), ("join", 1, 4), ("share", 1, 4), ("consent", 1, 5), ("unmask", 1, 5), ("finish", 1, 5)),
        *(("masked", 2, 5), ("join", 2, 5), ("share", 2, 5), ("consent", 2, 5), ("unmask", 2, 5)),
    ),
)
def test_a_site_leaves_in_any_step(clinics, tmp_path, when, nth, there):
    agreement, sites = clinics
    said = []
    finished = coordinate(agreement, tmp_path, Recorder(sites, losing(when, 2, nth=nth)), said.append)
    assert finished.sites == there
    rest = sites if there == 5 else [sites[0], *sites[2:]]
    assert finished.consensus.dag == in_the_clear(agreement, rest)[0].dag
    assert any(f"{when}: 1 site of 5 left out: it did not answer" in line for line in said)


@pytest.mark.long
def test_a_site_that_was_away_for_a_sum_can_be_in_the_next(clinics, tmp_path):
    agreement, sites = clinics

    def away(kind, site, answer):
        away.joins += kind == "join" and site == 5
        return None if site == 5 and away.joins == 1 else answer

    away.joins = 0
    said = []
    finished = coordinate(agreement, tmp_path, Recorder(sites, away), said.append)
    assert finished.sites == 4
    assert "received the tables of 5 sites" in said


@pytest.mark.parametrize(
    ("when", "what"),
    quick_first(
        ("masked", "sent their tally"),
        ("join", "joined the tally"),
        ("share", "sent their letters"),
        ("consent", "consented to the tally"),
        ("unmask", "helped to unmask the tally"),
    ),
)
def test_with_too_few_sites_it_stops_with_the_reason_and_goes_on_when_they_are_back(clinics, tmp_path, when, what):
    agreement, sites = clinics
    result = tmp_path / "result"
    channel = Recorder(sites, losing(when, 1, 2))
    with pytest.raises(FederationError, match=f"3 sites {what}, and 4 of 5 are needed") as stopped:
        coordinate(agreement, result, channel)
    assert "(left out: 2 because it did not answer)" in str(stopped.value)
    assert store.stopped(result) == str(stopped.value)
    steps = [*dict.fromkeys(kind for kind, _, _ in channel.asked)]
    assert steps[-1] == when, "nothing is asked after it"
    assert not list(result.glob("consensus*"))
    if when in ("masked", "consent", "unmask"):  # answers of two sites were lost on the way: they do not answer twice
        with pytest.raises(FederationError, match="its owner has not allowed it again"):
            coordinate(agreement, result, Recorder(sites))
    else:
        assert coordinate(agreement, result, Recorder(sites)).sites == 5
        assert store.stopped(result) is None


def test_too_few_sites_are_no_federation(clinics, tmp_path):
    agreement, sites = clinics
    with pytest.raises(FederationError, match="2 sites joined the tally, and 4 of 5 are needed"):
        coordinate(agreement, tmp_path / "two", Recorder(sites[:2]))
    assert not list((tmp_path / "two").glob("consensus*"))


class Killed(BaseException):
    """As kill -9 would: nothing is tidied up."""


@pytest.mark.parametrize(
    ("kind", "nth"),
    quick_first(
        ("consent", 1),
        *((kind, nth) for kind in ("join", "share", "masked", "unmask") for nth in (1, 2)),
        ("consent", 2),
    ),
)
def test_a_killed_coordinator_goes_on_with_the_step_that_was_not_finished(clinics, tmp_path, kind, nth):
    agreement, sites = clinics
    counted = []

    class Dying(Recorder):
        def ask(self, of, requests, seconds):
            counted.append(of)
            if (of, counted.count(of)) == (kind, nth):
                raise Killed
            return super().ask(of, requests, seconds)

    with pytest.raises(Killed):
        coordinate(agreement, tmp_path / "result", Dying(sites))
    channel = Recorder(sites)
    finished = coordinate(agreement, tmp_path / "result", channel)
    assert finished.sites == 5
    assert same_tables(finished.consensus.network, in_the_clear(agreement, sites)[1])
    first = next(of for of, _, _ in channel.asked)
    assert first == ("join" if kind == "share" else kind), "before a vector was sent it starts anew"
    quiet = Recorder(sites)
    coordinate(agreement, tmp_path / "result", quiet)
    assert quiet.asked == []


def test_a_folder_with_another_agreement_is_left_alone(clinics, tmp_path):
    agreement, sites = clinics
    coordinate(agreement, tmp_path, Recorder(sites))
    other = agreement_of(CLINICS[0], CLINIC_NAMES, tables="networks", max_clique=3)
    with pytest.raises(FileError, match="a federation with other settings"):
        coordinate(other, tmp_path, Recorder(sites))


# Sites that do not fit, and sites that lie


@pytest.mark.long
def test_a_site_whose_data_changed_is_told_alone(rows, tmp_path):
    network, _, parts = rows
    agreement = agreement_of(network)
    sites = data_sites(tmp_path, agreement, parts)
    (tmp_path / "rows-4.csv").write_text("Age,Asthma\nyoung,yes\n")
    channel = Recorder(sites)
    assert coordinate(agreement, tmp_path / "result", channel).sites == 4
    assert channel.bodies("join")[5] == {"ok": False, "why": "vocabulary"}
    assert "lacks the column" in (sites[4] / PROBLEM).read_text("utf-8")


def test_a_site_with_networks_only_is_not_in_a_federation_of_rows(tmp_path):
    """It gave uniform tables, estimated from 0 rows."""
    agreement = agreement_of(CLINICS[0], CLINIC_NAMES)
    with_identity(tmp_path / CLINIC_NAMES[0])
    with pytest.raises(OptionError, match="the federation counts rows, and this site has networks only"):
        described(tmp_path / CLINIC_NAMES[0], SiteSettings(networks=str(CLINICS[0])), agreement)


def test_a_site_that_is_not_in_the_roster_cannot_accept(tmp_path):
    agreement = agreement_of(CLINICS[0], CLINIC_NAMES, tables="networks")
    with pytest.raises(FileError, match="has no identity"):
        described(tmp_path / "stranger", SiteSettings(networks=str(CLINICS[0])), agreement)
    with_identity(tmp_path / "stranger")
    with pytest.raises(FileError, match="not in the roster"):
        described(tmp_path / "stranger", SiteSettings(networks=str(CLINICS[0])), agreement)


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
    quick_first(
        (
            "share",
            lambda body: body["letters"].update({CLINIC_NAMES[3]: b"to itself"}),
            "its letters are not addressed",
        ),
        ("masked", lambda body: body.update(masked=body["masked"][:-8]), "it sent 166 numbers, and 167"),
        ("masked", lambda body: body.update(masked="text"), "it sent 0 numbers"),
        ("masked", lambda body: body.clear(), "it refused"),
        ("join", lambda body: body.update(advert=[]), "an advert is damaged"),
        ("join", lambda body: body.update(site="nobody"), "not signed by a site of the roster"),
        ("join", lambda body: body.update(site=CLINIC_NAMES[0]), "not signed by a site of the roster"),
        ("share", lambda body: body.update(letters={}), "its letters are not addressed"),
        ("share", lambda body: body["letters"].update({"01": b"x"}), "its letters are not addressed"),
        ("share", lambda body: body.update(hashes=5), "its answer is damaged"),
        ("consent", lambda body: body.update(signature=b"x" * 64), "its signature is for a different question"),
        ("unmask", lambda body: body.update(shares={}), "its answer is damaged"),
        ("unmask", lambda body: body.update(shares=dict.fromkeys(CLINIC_NAMES, b"")), "its shares are damaged"),
    ),
)
def test_answers_that_do_not_fit_leave_their_site_out(clinics, tmp_path, kind, change, said):
    agreement, sites = clinics
    lines = []
    finished = coordinate(agreement, tmp_path, Recorder(sites, changed(kind, 4, change)), lines.append)
    assert finished.sites == (5 if kind in ("unmask", "consent") else 4)
    assert any(said in line for line in lines)


@pytest.mark.long
def test_bytes_that_are_no_message_leave_their_site_out(clinics, tmp_path):
    agreement, sites = clinics

    def noise(kind, site, answer):
        return b"\x08\0\0\0nonsense" if (kind, site) == ("masked", 1) else answer

    assert coordinate(agreement, tmp_path, Recorder(sites, noise)).sites == 4


def test_a_site_with_a_million_votes_spoils_the_sum_and_nothing_is_kept(clinics, tmp_path):
    agreement, sites = clinics
    result = tmp_path / "result"

    def more(body):
        vector = np.frombuffer(body["masked"], "<u8").copy()
        vector[0] += np.uint64(10**6 * counts.SOFT_PARTS)
        body["masked"] = vector.tobytes()

    with pytest.raises(FederationError, match=r"5 sites sent 1e\+06 votes, and have 5.*each owner must allow it"):
        coordinate(agreement, result, Recorder(sites, changed("masked", 3, more)))
    assert [path.name for path in result.iterdir()] == ["rounds.sqlite"]
    assert (result / "rounds.sqlite").stat().st_mode & 0o077 == 0
    with pytest.raises(FederationError, match="its owner has not allowed it again"):
        coordinate(agreement, result, Recorder(sites))
    allow(agreement, sites, "tally")
    assert coordinate(agreement, result, Recorder(sites)).sites == 5


def test_wrong_shares_of_one_site_are_ignored_and_it_is_named(clinics, tmp_path):
    agreement, sites = clinics
    lines = []

    def other(body):
        body["shares"] = {owner: bytes(len(share)) for owner, share in body["shares"].items()}

    finished = coordinate(agreement, tmp_path, Recorder(sites, changed("unmask", 1, other)), lines.append)
    assert same_tables(finished.consensus.network, in_the_clear(agreement, sites)[1])
    assert any(f"ignored shares that do not fit their announcement, from {CLINIC_NAMES[0]}" in line for line in lines)


@pytest.mark.long
def test_a_site_that_deals_other_shares_than_it_announced_is_named(clinics, tmp_path):
    agreement, sites = clinics

    def other(body):
        body["hashes"] = {site: [bytes(32), bytes(32)] for site in body["hashes"]}

    with pytest.raises(FederationError, match=f"{CLINIC_NAMES[2]} broke the rules"):
        coordinate(agreement, tmp_path, Recorder(sites, changed("share", 3, other)))


# Privacy


@pytest.fixture
def noisy(tmp_path):
    agreement = agreement_of(CLINICS[0], CLINIC_NAMES, tables="networks", epsilon=30.0, most_edges=25)
    return agreement, clinic_sites(tmp_path, agreement)


@pytest.mark.long
def test_noise_is_in_every_count_and_in_the_result(noisy, tmp_path):
    agreement, sites = noisy
    found = [
        coordinate(agreement, tmp_path / name, Recorder(fresh(sites, tmp_path / name))).consensus
        for name in ("one", "two")
    ]
    assert found[0].problem.tally != found[1].problem.tally
    assert any("epsilon 30 (15 on the tally, 15 on the tables)" in note for note in found[0].notes)
    for one in found:
        assert one.clique_size <= 4
        assert all(np.allclose(one.network.cpts[name].sum(-1), 1) for name in one.dag.variables)


def test_with_noise_too_votes_out_of_range_are_noticed(noisy, tmp_path):
    agreement, sites = noisy

    def more(body):
        vector = np.frombuffer(body["masked"], "<u8").copy()
        vector[7] += np.uint64(10**6)
        body["masked"] = vector.tobytes()

    with pytest.raises(FederationError, match=r"which is more than their votes and .* of noise"):
        coordinate(agreement, tmp_path / "result", Recorder(sites, changed("masked", 3, more)))


@pytest.mark.long
def test_the_ledger_adds_up_epsilon_over_all_sums_and_runs(noisy, tmp_path):
    agreement, sites = noisy
    settings = SiteSettings(networks=str(CLINICS[0]), most_epsilon=50.0)
    described(sites[0], settings, agreement)
    assert coordinate(agreement, tmp_path / "one", Recorder(sites)).sites == 5
    ledger = Ledger(sites[0])
    assert ledger.summary(agreement.hash.hex()).spent == 30
    allow(agreement, sites, "tally", "tables")
    channel = Recorder(sites)
    assert coordinate(agreement, tmp_path / "two", channel).sites == 5
    assert ledger.summary(agreement.hash.hex()).spent == 45, "the tally still fits 50, the tables do not"
    assert any(kind == "masked" and unpacked(a) == {"ok": False, "why": "privacy"} for kind, s, a in channel.answered)
    assert "have spent epsilon 45 of 50, and this one would make it 60" in (sites[0] / PROBLEM).read_text("utf-8")
    other = agreement_of(CLINICS[0], CLINIC_NAMES, tables="networks", epsilon=30.0, most_edges=25, seed=1)
    described(sites[0], settings, other)
    for site in sites[1:]:
        described(site, SiteSettings.read(site), other)
    assert coordinate(other, tmp_path / "three", Recorder(sites)).sites == 4, "a new agreement is no new budget"


def test_a_site_with_a_budget_takes_no_part_without_noise(described_clinics, tmp_path):
    agreement, _ = described_clinics
    with_identity(tmp_path / CLINIC_NAMES[0])
    with pytest.raises(FederationError, match="no noise, and this site allows epsilon 1"):
        described(tmp_path / CLINIC_NAMES[0], SiteSettings(networks=str(CLINICS[0]), most_epsilon=1.0), agreement)
    with pytest.raises(FederationError, match="adds up 4 sites or more, and this site wants at least 5"):
        described(tmp_path / CLINIC_NAMES[0], SiteSettings(networks=str(CLINICS[0]), least_sites=5), agreement)


def test_with_noise_all_rows_of_a_site_must_count(rows, tmp_path):
    """A sample would change with every row, and the noise hides the change of one."""
    network, _, parts = rows
    agreement = agreement_of(network, epsilon=10.0, most_edges=20, most_rows=200)
    with pytest.raises(OptionError, match=r"this site has 250, and 200 are agreed \(--most-rows\)"):
        data_sites(tmp_path, agreement, parts, 2)


# Votes by rows, and caps


def test_rows_weigh_votes_up_to_the_cap_and_tiny_sites_are_pointed_out(rows, tmp_path):
    network, _, parts = rows
    agreement = agreement_of(network, most_rows=300)
    assert agreement.settings.votes == "rows"
    sites = data_sites(tmp_path, agreement, parts)
    finished = coordinate(agreement, tmp_path / "result", Recorder(sites))
    held = [Holdings.of(folder) for folder in sites]
    assert [one.rows for one in held] == [100, 250, 150, 300, 100]
    tally = finished.consensus.problem.tally
    assert tally.weight == 900 * tally.parts
    exact = sum(one.rows * one.tally.arcs / one.tally.weight for one in held)
    assert np.allclose(tally.arcs / tally.parts, exact, atol=1e-4)
    assert any("estimated from 900 rows at 5 sites" in note for note in finished.notes)
    assert any("3 of 5 sites have fewer than 200 rows" in note for note in finished.notes)
    assert in_the_clear(agreement, sites)[0].dag == finished.consensus.dag


@pytest.mark.long
def test_rows_beyond_what_all_sites_may_have_are_noticed(rows, tmp_path):
    """One site multiplied its rows by 1e9."""
    network, _, parts = rows
    agreement = agreement_of(network, votes="site")
    sites = data_sites(tmp_path, agreement, parts, 2)

    def more(kind, site, answer):
        body = unpacked(answer)
        more.sums += (kind, site) == ("masked", 2)
        if (kind, site) != ("masked", 2) or more.sums != 2:
            return answer
        vector = np.frombuffer(body["masked"], "<u8").copy()
        vector[0] += np.uint64(10**9)
        return packed({**body, "masked": vector.tobytes()})

    more.sums = 0
    with pytest.raises(FederationError, match=r"5 sites sent 1,000,001,000 rows or votes, and have at most 50,000"):
        coordinate(agreement, tmp_path / "result", Recorder(sites, more))
