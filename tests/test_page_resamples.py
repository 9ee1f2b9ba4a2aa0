"""The page of a consensus of resamples: every number on it counted anew, network by network."""

import re
import statistics
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import pytest

import bnfuse
import oracles
from bnfuse import Consensus
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, opened_fixture, said_by  # noqa: F401
from page_parts import assert_same_as_alone
from samples import random_data

pytestmark = [needs_browser, pytest.mark.long]


@dataclass
class Run:
    """Networks of resamples, their consensus, and the twin of its page."""

    networks: list
    found: Consensus

    def __post_init__(self):
        self.arcs = [frozenset(network.dag.edges) for network in self.networks]
        self.mine = set(self.found.dag.edges)

    def support(self, arc):
        return sum(arc in own for own in self.arcs)

    def joined(self, pair):
        return self.support(tuple(pair)) + self.support(tuple(pair)[::-1])

    def strength(self, arc):
        return self.joined(arc) / len(self.arcs)

    @cached_property
    def free(self):
        """Of each network the arcs that its equivalence class leaves free, in either direction."""
        found = [oracles.reversible_arcs(oracles.graph_of(network.dag)) for network in self.networks]
        return [own | {arc[::-1] for arc in own} for own in found]

    def direction(self, arc):
        if not self.joined(arc):
            return 0
        own = zip(self.arcs, self.free, strict=True)
        return sum(0.5 if arc in free else arc in arcs for arcs, free in own) / self.joined(arc)

    def free_share(self, arc):
        return sum(arc in free for free in self.free) / self.joined(arc) if self.joined(arc) else 0

    @cached_property
    def pairs(self):
        return list(combinations(self.found.dag.variables, 2))

    @cached_property
    def threshold(self):
        """F changes at whole numbers of networks only, so its median over [0, 1] is that of its values there."""
        counts = [self.joined(pair) for pair in self.pairs]
        reached = [sum(one <= number for one in counts) / len(counts) for number in range(len(self.arcs))]
        left_out = statistics.median(reached)
        if not left_out:
            return 0
        return min(one for one in counts if sum(other <= one for other in counts) / len(counts) >= left_out) / len(
            self.arcs
        )

    def is_strong(self, arc):
        return self.strength(arc) > self.threshold or self.strength(arc) == 1

    @property
    def weak(self):
        return {arc for arc in self.mine if not self.is_strong(arc)}

    @property
    def lacking(self):
        joined = {frozenset(arc) for arc in self.mine}
        return {frozenset(pair) for pair in self.pairs if self.is_strong(pair)} - joined

    def words(self, arc):
        if not self.joined(arc):
            return "in no resample"
        free = percent(self.free_share(arc))
        having = f"in {percent(self.strength(arc))} of the resamples"
        if self.free_share(arc) > 0.5:
            return f"{having}, of which {free} leave its direction free"
        some = f" ({free} leave it free: half for each direction)" if self.free_share(arc) else ""
        return f"{having}, in this direction in {percent(self.direction(arc))} of these{some}"


def run(seed, rows, resamples, as_networks=False, max_clique=4, **options):
    runs = bnfuse.bootstrap(random_data(seed, 8, rows), resamples, **options)
    networks = list(runs)
    return Run(networks, bnfuse.consensus(networks if as_networks else runs.tally, max_clique, effort="quick"))


RUNS = {
    "tally": lambda: run(10, 80, 33, max_clique=3, score="aic"),
    "networks": lambda: run(4, 80, 33, as_networks=True, max_clique=3, score="loglik"),
}

READ = """() => {
    const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.innerText);
    const rows = (selector) => {
        const head = texts(`${selector} th`);
        return [...document.querySelectorAll(`${selector} tbody tr`)].map((row) =>
            Object.fromEntries([...row.cells].map((cell, i) => [head[i], cell.innerText.trim()])));
    };
    const names = [...document.querySelectorAll(".node[data-v]")].map((one) => one.getAttribute("aria-label"));
    const plot = document.querySelector("#strengths svg");
    const marks = (kind) => plot.querySelector(`.${kind}`).getAttribute("d");
    const told = {
        headline: texts("h1")[0], lead: texts("#lead")[0], notes: texts("#notes li"),
        nav: texts("nav a"), sections: texts("section > h2"),
        tiles: texts("#facts > div"),
        arcs: rows("#arc-table"), compared: rows("#compared"), lists: texts("#unstable .arc-list"),
        titles: texts("#unstable h3"), note: texts("#strengths .note")[0], grid: [], dots: marks("dots"),
        crosses: marks("crosses"), label: plot.getAttribute("aria-label"), facts: [], dropped: [],
        isViewChosen: document.getElementById("view-label").checkVisibility(), all: document.body.innerText,
    };
    for (const path of plot.querySelectorAll(".grid")) told.grid.push(path.getAttribute("d"));
    const most = document.getElementById("all-bars");
    if (most.checkVisibility()) most.click();
    told.bars = texts("#bars button");
    told.lengths = [...document.querySelectorAll("#bars .bar")].map((one) =>
        [one.style.width, one.style.getPropertyValue("--this-way")].map(Number.parseFloat));
    const slider = document.getElementById("least");
    told.first = [Number(slider.value), Number(slider.max), document.getElementById("least-text").innerText];
    for (let step = 1; step <= told.first[1]; step++) {
        slider.value = step;
        slider.dispatchEvent(new Event("input"));
        told.dropped.push(document.querySelectorAll("[data-a].dropped").length);
    }
    slider.value = 1;
    slider.dispatchEvent(new Event("input"));
    for (const arc of document.querySelectorAll("[data-a]")) {
        arc.focus();
        const code = Number(arc.dataset.a);
        told.facts.push({
            arc: [names[Math.floor(code / names.length)], names[code % names.length]],
            label: arc.getAttribute("aria-label"),
            width: Number.parseFloat(arc.querySelector(".line").style.strokeWidth),
            details: texts("#details > *"),
        });
    }
    const sorted = [...document.querySelectorAll("#arc-table th button")].find((one) =>
        one.innerText.startsWith("Strength"));
    sorted.click();
    told.descending = rows("#arc-table").map((row) => Number(Object.values(row)[3]));
    sorted.click();
    told.ascending = rows("#arc-table").map((row) => Number(Object.values(row)[3]));
    slider.value = slider.max;
    slider.dispatchEvent(new Event("input"));
    [...document.querySelectorAll("#unstable li > button:not(.term)")].at(-1)?.click(); // maybe hidden by the slider
    told.chosen = texts("#details h3")[0] ?? null;
    told.isDrawn = document.querySelector("[data-a].chosen") !== null;
    return told;
}"""


@pytest.fixture(scope="module", params=RUNS, name="one")
def one_fixture(request):
    return RUNS[request.param]()


@pytest.fixture(scope="module")
def told(one, browser, tmp_path_factory):
    return said_by(one.found, browser, tmp_path_factory.mktemp("page"), READ)


def percent(share):
    return f"{int(1000 * share + 0.5) / 10:g}\u00a0%"


def plain(text):
    return text.replace("\u00a0", " ")


def arrow(arc):
    return " \u2192 ".join(arc)


def test_the_runs_have_what_there_is_to_tell():
    runs = [make() for make in RUNS.values()]
    assert any(one.weak for one in runs)
    assert {len(one.lacking) > 10 for one in runs if one.lacking} == {False, True}
    assert all(0 < one.threshold < 1 for one in runs)


def test_the_first_screen_says_how_stable_the_arcs_are(one, told):
    arcs, weak = len(one.mine), len(one.weak)
    assert told["headline"].startswith(f"{len(one.arcs)} resamples, one consensus: {arcs} arcs")
    share = plain(percent(one.threshold))
    some = f"{arcs - weak} of {arcs} arcs" if weak else f"All {arcs} arcs"
    stable = told["notes"][0]
    assert stable.startswith(f"{some} are strong (in more than {share} of the resamples, the estimated threshold)")
    for arc in sorted(one.weak, key=lambda arc: -one.strength(arc))[:1]:
        assert f"; not strong: {arrow(arc)} ({plain(percent(one.strength(arc)))})" in stable
    assert ("; strong, but not in the consensus: " in stable) == bool(one.lacking)
    whole = f"All {arcs}" if weak == arcs else f"{weak} of {arcs}"
    assert (f"{whole} arcs {'is' if weak == 1 else 'are'} not strong." in told["lead"]) == bool(weak)
    lacking = f"{len(one.lacking)} strong {'arc is' if len(one.lacking) == 1 else 'arcs are'} not in the consensus."
    assert (lacking in told["lead"]) == bool(one.lacking)
    tile = f"Strong arcs\n{arcs - weak} of {arcs}\nover {percent(one.threshold)}, the estimated threshold"
    assert told["tiles"][0] == tile


def test_nobody_disagrees(one, told):
    assert "Who disagrees" not in told["nav"]
    assert told["nav"][1] == "How stable"
    assert told["sections"][0] == "How stable it is"
    assert not told["isViewChosen"]
    assert not re.search(r"resample \d", told["all"])
    assert not re.search(r"stands? apart|who has it|weight|\binput", told["all"].partition("Where this comes from")[0])
    assert [row["Network"] for row in told["compared"]][:2] == ["consensus", "majority vote"]
    assert len(told["compared"]) <= 4


def test_bars_are_the_strengths_of_the_arcs_weakest_first(one, told):
    bars = [plain(text).splitlines() for text in told["bars"]]
    values = [float(lines[-1].removesuffix(" %")) for lines in bars]
    assert values == sorted(values)
    assert {lines[0]: lines[-1] for lines in bars} == {
        arrow(arc): plain(percent(one.strength(arc))) for arc in one.mine
    }
    arcs = [tuple(lines[0].split(" \u2192 ")) for lines in bars]
    for arc, lengths in zip(arcs, told["lengths"], strict=True):
        assert lengths == pytest.approx([100 * one.strength(arc), 100 * one.direction(arc)], abs=0.01)
    assert {lines[0] for lines in bars if "not strong" in lines} == {arrow(arc) for arc in one.weak}
    free = {arrow(arc) for arc in one.mine if one.free_share(arc) > 0.5}
    assert {lines[0] for lines in bars if "free" in lines} == free


def test_the_table_has_strength_and_direction_of_every_arc_and_sorts_by_them(one, told):
    rows = {(row["From"], row["To"]): row for row in told["arcs"]}
    assert set(rows) == one.mine | frozenset().union(*one.arcs)
    for arc, row in rows.items():
        assert row["Strength in %"] == percent(one.strength(arc)).partition("\u00a0")[0]
        assert row["Direction in %"] == percent(one.direction(arc)).partition("\u00a0")[0]
        assert row["Left free in %"] == percent(one.free_share(arc)).partition("\u00a0")[0]
        assert row["Strong"] == ("yes" if one.is_strong(arc) else "no")
    assert told["descending"] == sorted(told["descending"], reverse=True)
    assert told["ascending"] == sorted(told["descending"])
    listed = [arc in one.mine for arc in rows]
    assert listed == sorted(listed, reverse=True), "those of the consensus come first"


def test_the_facts_of_an_arc_are_its_strength_and_direction(one, told):
    shown = {tuple(fact["arc"]): fact for fact in told["facts"]}
    assert {frozenset(arc) for arc in shown} == {frozenset(arc) for arc in [*one.mine, *frozenset().union(*one.arcs)]}
    for arc, fact in shown.items():
        assert one.words(arc) in fact["label"]
        words = one.words(arc)
        assert f"{words[0].upper()}{words[1:]}." in fact["details"]
        strong = "Strong" if one.is_strong(arc) else "Not strong"
        assert f"{strong}: the estimated threshold is {percent(one.threshold)}." in fact["details"]
        assert fact["width"] == pytest.approx(1.2 + 3.2 * one.strength(arc), abs=0.006)


def test_dropped_arcs_are_shown_from_a_number_of_resamples_on(one, told):
    first, most, text = told["first"]
    assert most == len(one.arcs)
    assert text == f"{first} of {most}"
    joined = {frozenset(arc) for arc in one.mine}
    others = [one.joined(pair) for pair in one.pairs if frozenset(pair) not in joined and one.joined(pair)]
    assert told["dropped"] == [sum(count >= step for count in others) for step in range(1, most + 1)]
    assert told["dropped"][first - 1] == len(one.lacking), "at first, the strong ones"


def test_the_plot_has_every_pair_that_a_resample_joins(one, told):
    height = {}  # of the lines at 0 and 100 %
    ys = sorted(float(re.search(r" ([\d.]+)H", d)[1]) for d in told["grid"])
    height[100], height[0] = ys[0], ys[-1]

    def drawn(path):
        places = [tuple(map(float, found)) for found in re.findall(r"M([\d.]+) ([\d.]+)", path)]
        assert places == sorted(places), "strongest first"
        return [100 * (height[0] - y) / (height[0] - height[100]) for _, y in places]

    joined = {frozenset(arc) for arc in one.mine}
    kept = [one.strength(pair) for pair in one.pairs if one.joined(pair) and frozenset(pair) in joined]
    others = [one.strength(pair) for pair in one.pairs if one.joined(pair) and frozenset(pair) not in joined]
    for path, strengths in ((told["dots"], kept), (told["crosses"], others)):
        assert drawn(path) == pytest.approx([100 * one for one in sorted(strengths, reverse=True)], abs=0.1)
    strong = sum(one.is_strong(pair) for pair in one.pairs)
    total = len(kept) + len(others)
    assert f"{strong} of {total} are strong. " in told["note"]
    assert f"Dots: joined in the consensus ({len(kept)}). " in told["note"]
    assert f"Crosses: not joined in it ({len(others)})." in told["note"]
    rest = len(one.pairs) - total
    assert (f"the other {rest} pairs." in told["note"]) == (rest > 1)
    assert told["label"].endswith(f"{strong} over the threshold of {percent(one.threshold)}")


def test_where_threshold_and_consensus_differ_is_listed_with_the_reasons(one, told):
    titles = (
        f"In the consensus, but not strong ({len(one.weak)})",
        f"Strong, but not in the consensus ({len(one.lacking)})",
    )
    assert told["titles"] == list(titles)
    weak, lacking = (text.splitlines() for text in told["lists"])
    assert sorted(weak) == sorted(f"{arrow(arc)}: {one.words(arc)}." for arc in one.weak) or weak == ["none"]
    assert (weak == ["none"]) == (not one.weak)
    assert (lacking == ["none"]) == (not one.lacking)
    if len(one.lacking) > 10:
        assert lacking.pop() == f"and {len(one.lacking) - 10} more, in the table of arcs below"
    named = [tuple(line.partition(":")[0].split(" \u2192 ")) for line in lacking if line != "none"]
    assert [one.joined(arc) for arc in named] == sorted(map(one.joined, one.lacking), reverse=True)[:10]
    assert {frozenset(arc) for arc in named} <= one.lacking
    for arc, line in zip(named, lacking, strict=False):
        assert one.support(arc) >= one.support(arc[::-1])
        assert re.match(re.escape(f"{arrow(arc)}: {one.words(arc)}.") + " [A-Z]", line), "with a reason"
    if one.weak or one.lacking:
        assert told["chosen"] is not None
        assert told["isDrawn"]


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "dark"), (PHONE, "light")])
def test_it_fits_the_screen_and_says_nothing_to_the_console(opened, tmp_path, size, scheme):
    path = tmp_path / "report.html"
    RUNS["tally"]().found.report(path)
    page = opened(path, size, scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.locator("#strengths svg").bounding_box()
    assert box["width"] > 300
    assert box["x"] + box["width"] <= size[0]


def test_one_variable_has_nothing_to_be_stable(opened, tmp_path):
    runs = bnfuse.bootstrap(random_data(0, 1, 20), 3)
    bnfuse.consensus(runs.run()).report(tmp_path / "report.html")
    page = opened(tmp_path / "report.html")
    assert page.inner_text("h1").startswith("3 resamples, one consensus: 0 arcs")
    assert page.locator("#lead").is_hidden()
    assert page.locator("#notes li").first.inner_text() == "The consensus has no arcs."
    assert "No resample joins any two variables." in page.inner_text("#strengths")


def test_each_limit_says_what_its_own_report_says(opened, tmp_path):
    networks = bnfuse.bootstrap(random_data(3, 6, 200), 12).run()
    steps = bnfuse.frontier(networks, [2, 3, 4], effort="quick")
    assert_same_as_alone(opened, tmp_path, bnfuse.consensus(networks, 3, effort="quick"), steps)
