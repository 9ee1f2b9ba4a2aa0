"""The page of inputs that lack variables, give no direction or are votes, counted anew from what each input says."""

import random
import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import pytest

import bnfuse
import oracles
from bnfuse import DAG, ArcVotes, Network, Tally
from bnfuse.graphs.pdag import PDAG
from page_browser import browser_fixture, needs_browser, opened_fixture, said_by  # noqa: F401
from page_numbers import solved_is_true
from strategies import random_dag

pytestmark = needs_browser
NAMES = ["Age", "Smoker", "COPD", "Asthma", "XRay", "Fever"]


@dataclass
class Opinion:
    """What one input says: `free` are those of its arcs that it gives no direction."""

    name: str
    variables: tuple[str, ...]
    arcs: frozenset
    free: frozenset = frozenset()
    weight: int = 1

    @cached_property
    def graph(self):
        return oracles.graph_with(self.variables, self.arcs)

    @property
    def given(self):
        if not self.free:
            return Network(DAG(self.variables, sorted(self.arcs)), name=self.name)
        return PDAG(self.variables, sorted(self.arcs - self.free), sorted(self.free), name=self.name)

    def sees(self, pair):
        return set(pair) <= set(self.variables)

    def vote(self, arc):
        if self.free & {arc, arc[::-1]}:
            return 0.5
        return float(arc in self.arcs)

    def joins(self, pair):
        return frozenset(pair) in oracles.moral_edges(self.graph)

    def distance(self, moral):
        """SMHD on the pairs that it has."""
        return sum(self.joins(pair) != (frozenset(pair) in moral) for pair in combinations(self.variables, 2))


@dataclass
class Panel:
    """The inputs, the consensus, and the twin of its page."""

    opinions: list[Opinion]
    is_tally: bool = False
    options: dict = field(default_factory=dict)

    def __post_init__(self):
        self.names = [one.name for one in self.opinions]
        self.variables = list(dict.fromkeys(name for one in self.opinions for name in one.variables))
        self.total = sum(one.weight for one in self.opinions)
        self.has_halves = any(one.free for one in self.opinions)
        is_weighted = len({one.weight for one in self.opinions}) > 1
        self.is_counted = not self.is_tally and not self.has_halves and not is_weighted
        self.is_whole = all(len(one.variables) == len(self.variables) for one in self.opinions)
        if self.is_tally:
            given = Tally(self.variables)
            for one in self.opinions:
                given.add(one.given, one.weight, partly=True)
        else:
            given = [one.given for one in self.opinions]
            if is_weighted:
                self.options["weights"] = {one.name: one.weight for one in self.opinions}
        self.given = given
        self.found = bnfuse.consensus(given, variables="union", **self.options)
        self.mine = oracles.graph_of(self.found.dag)

    def voters(self, pair):
        return [one for one in self.opinions if one.sees(pair)]

    def seen(self, pair):
        return sum(one.weight for one in self.voters(pair))

    def support(self, arc):
        return sum(one.weight * one.vote(arc) for one in self.opinions)

    def share(self, arc):
        return self.support(arc) / self.seen(arc) if self.seen(arc) else 0

    def owners(self, arc):
        return [one for one in self.opinions if one.vote(arc)]

    def mean(self, graph):
        moral = oracles.moral_edges(graph)
        return sum(one.weight * one.distance(moral) for one in self.opinions) / self.total

    def forced(self, arc, decision):
        """The mean distance of a fresh consensus in which a pair is as it was decided."""
        rule = {"forbidden": [arc, arc[::-1]]} if decision == "out" else {"required": [arc]}
        return bnfuse.consensus(self.given, variables="union", effort="quick", **self.options, **rule).distance

    @property
    def unjudged(self):
        return {frozenset(pair) for pair in combinations(self.variables, 2) if not self.voters(pair)}


def opinions(seed, fewest=3, inputs=4, weights=(1,), classes=0):
    """Random ones over some of the variables; the first `classes` of them are equivalence classes."""
    rng = random.Random(seed)
    made = []
    for i in range(inputs):
        own = rng.sample(NAMES, rng.randint(fewest, len(NAMES)))
        drawn = random_dag(100 * seed + i, len(own), 1.3)
        arcs = frozenset((own[a], own[b]) for a, b in drawn.arc_numbers.tolist())
        free = oracles.reversible_arcs(oracles.graph_with(own, arcs)) if i < classes else ()
        made.append(Opinion(f"expert {i + 1}", tuple(own), arcs, frozenset(free), weights[i % len(weights)]))
    return made


def apart():
    """Two that have a pair of variables in common, and one that has no pair in common with either."""
    ways = {"AB": ["AB"], "BCD": ["BC", "CD"], "CDE": ["CD", "ED"]}
    return [Opinion(own, tuple(own), frozenset((a, b) for a, b in arcs)) for own, arcs in ways.items()]


PANELS = {
    "partly": lambda: Panel(opinions(1)),
    "few variables": lambda: Panel(opinions(2, fewest=2, inputs=5)),
    "within 2": lambda: Panel(opinions(3, fewest=4, inputs=5), options={"max_clique": 2}),
    "weights": lambda: Panel(opinions(4, weights=(1, 3, 2))),
    "classes": lambda: Panel(opinions(5, fewest=6, classes=3)),
    "classes partly": lambda: Panel(opinions(6, classes=2, inputs=5)),
    "weighted classes": lambda: Panel(opinions(8, classes=4, weights=(2, 1))),
    "tally": lambda: Panel(opinions(7, inputs=5), is_tally=True),
    "tally of classes": lambda: Panel(opinions(9, classes=3, weights=(1, 2)), is_tally=True),
    "apart": lambda: Panel(apart()),
}

READ = """() => {
    const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.innerText);
    const rows = (selector) => {
        const head = texts(`${selector} th`);
        return [...document.querySelectorAll(`${selector} tbody tr`)].map((row) =>
            Object.fromEntries([...row.cells].map((cell, i) => [head[i], cell.innerText.trim()])));
    };
    const names = [...document.querySelectorAll(".node[data-v]")].map((one) => one.getAttribute("aria-label"));
    const grey = () => [...document.querySelectorAll(".node.unknown[data-v]")].map((one) => names[one.dataset.v]);
    const set = (id, value, event) => {
        const control = document.getElementById(id);
        control.value = value;
        control.dispatchEvent(new Event(event));
    };
    const lines = () => [...document.querySelectorAll("[data-a]")].map((one) => ({
        arc: [names[Math.floor(one.dataset.a / names.length)], names[one.dataset.a % names.length]],
        width: Number.parseFloat(one.querySelector(".line").style.strokeWidth),
        hasHead: one.querySelector(".line").hasAttribute("marker-end"),
        kind: one.getAttribute("class").split(" ")[1],
    }));
    const details = () => [...document.querySelectorAll("#details > *")].map((one) =>
        one.className === "chips" ? [...one.children].map((chip) => chip.innerText) : one.innerText);
    const told = {
        headline: texts("h1")[0], notes: texts("#notes")[0], tiles: texts("#facts dt"), bars: texts("#bars button"),
        arcs: rows("#arc-table"), compared: rows("#compared"), inputs: rows("#apart"),
        heat: document.querySelector("#between svg")?.getAttribute("aria-label") ?? null,
        heatTexts: texts("#between"),
        fields: [...document.querySelectorAll("#between svg text")].map((one) => one.textContent),
        barNotes: texts("#bars-card .note"),
        facts: [], chosen: {}, views: {}, dropped: [], names,
    };
    told.lines = lines();
    told.greyAtFirst = grey();
    for (const arc of document.querySelectorAll("[data-a]")) {
        arc.focus();
        told.facts.push(details());
    }
    for (const name of names) {
        set("search", name, "input");
        told.chosen[name] = { grey: grey(), details: details(), legend: texts("#legend li.grey") };
    }
    document.getElementById("net").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    for (const option of document.querySelectorAll("#view optgroup option")) {
        set("view", option.value, "change");
        told.views[option.innerText] = { grey: grey(), lines: lines(), legend: texts("#legend li") };
    }
    set("view", "consensus", "change");
    const most = Number(document.getElementById("least").max);
    for (let step = 1; step <= most; step++) {
        set("least", step, "input");
        told.dropped.push([step / most, document.querySelectorAll("[data-a].dropped").length]);
    }
    return told;
}"""


QUICK = {"partly", "weights", "classes", "tally"}  # the others only in the long tests
PARAMETERS = [pytest.param(name, marks=[pytest.mark.long] * (name not in QUICK)) for name in PANELS]


@pytest.fixture(scope="module", params=PARAMETERS)
def panel(request):
    return PANELS[request.param]()


@pytest.fixture(scope="module")
def told(panel, browser, tmp_path_factory):
    return said_by(panel.found, browser, tmp_path_factory.mktemp("page"), READ)


def percent(share):
    return f"{int(100 * share + 0.5)}\u00a0%"


# The first screen


def test_the_page_says_how_much_of_it_anybody_has_seen(panel, told):
    pairs = len(panel.variables) * (len(panel.variables) - 1) // 2
    unjudged = len(panel.unjudged)
    some = f"f {pairs} pairs of variables, {unjudged} {'is' if unjudged == 1 else 'are'} in no input together: "
    words = f"{some}no input has a vote on them." if unjudged else f"ll {pairs} pairs of variables are in some input"
    assert (words in told["notes"]) == (not panel.is_whole)
    sizes = sorted(len(one.variables) for one in panel.opinions)
    span = f"{sizes[0]}" if sizes[0] == sizes[-1] else f"{sizes[0]} to {sizes[-1]}"
    each = f"The inputs have {span} of the {len(panel.variables)} variables each; "
    assert (each in told["notes"]) == (not panel.is_whole and not panel.is_tally)
    assert told["headline"].startswith(
        f"Votes worth {panel.total} networks"
        if panel.is_tally
        else f"{len(panel.names)} {'inputs' if panel.has_halves else 'networks'}"
    )


def test_distances_are_on_the_pairs_that_an_input_has(panel, told):
    if panel.is_tally:
        assert told["bars"] == []
        return
    moral = oracles.moral_edges(panel.mine)
    bars = {text.splitlines()[0]: float(text.splitlines()[-1]) for text in told["bars"]}
    assert bars == {one.name: one.distance(moral) for one in panel.opinions}
    assert (told["barNotes"] == ["Each on the pairs of variables that the input has."]) == (not panel.is_whole)


def test_between_two_inputs_the_pairs_that_both_have_count(panel, told):
    if panel.is_tally:
        assert told["heat"] is None
        return
    distances = {}
    for one, other in combinations(panel.opinions, 2):
        shared = [pair for pair in combinations(one.variables, 2) if other.sees(pair)]
        if shared:
            distances[frozenset((one.name, other.name))] = sum(one.joins(pair) != other.joins(pair) for pair in shared)
    missing = len(panel.opinions) * (len(panel.opinions) - 1) // 2 - len(distances)
    assert told["fields"].count("\u2013") == 2 * missing
    for words, limit in (("Closest", min), ("Farthest apart", max)):
        one, other, distance = re.search(rf"{words}: (.+?) and (.+?) \(([0-9]+)\)", told["heat"]).groups()
        assert distances[frozenset((one, other))] == int(distance) == limit(distances.values())
    assert ("Each on the pairs of variables that both inputs have." in told["heatTexts"][0]) == (not panel.is_whole)


# Arcs


def test_shares_are_of_those_that_have_both_variables(panel, told):
    rows = {(row["From"], row["To"]): row for row in told["arcs"]}
    every = {way for one in panel.opinions for arc in one.arcs for way in (arc, arc[::-1]) if one.vote(way)}
    assert set(rows) >= every | set(panel.mine.edges)
    if not (panel.is_whole and not panel.is_tally):
        assert set(rows) == every | set(panel.mine.edges)
    for arc, row in rows.items():
        column = next(name for name in row if name.startswith(("Inputs", "Share of the ")))
        for shown, way in ((row[column], arc), (row["Reversed"], arc[::-1])):
            expected = len(panel.owners(way)) if panel.is_counted else 100 * panel.share(way)
            assert float(shown) == pytest.approx(expected, abs=0.051)
        both = [name for name in row if name.startswith("With both")]
        assert len(both) == (not panel.is_whole)
        if both:
            expected = len(panel.voters(arc)) if panel.is_counted else 100 * panel.seen(arc) / panel.total
            assert float(row[both[0]]) == pytest.approx(expected, abs=0.051)


def test_reasons_count_those_that_have_both_variables(panel, told):
    checked = 0
    for row in told["arcs"]:
        arc, reason = (row["From"], row["To"]), row["Why it is in or out"]
        if panel.mine.has_edge(*arc):
            checked += cost_is_true(panel, arc, reason)
            continue
        assert bool(reason) == (
            panel.support(arc) > 0 or (not panel.support(arc[::-1]) and panel.mine.has_edge(*arc[::-1]))
        )
        is_few = re.search(
            r"(less|[Ff]ewer) than half of the (inputs|votes|weight|total weight)(?P<whose>[^.]*)", reason
        )
        if is_few and "in this direction" not in is_few["whose"]:
            assert 2 * (panel.support(arc) + panel.support(arc[::-1])) < panel.seen(arc)
            assert ("that have both variables" in is_few["whose"]) == (panel.seen(arc) < panel.total)
            checked += 1
        graph = panel.mine.copy()
        graph.remove_edges_from([arc[::-1]])
        graph.add_edge(*arc)
        if solved := SOLVED.search(reason):
            decision = "turned" if panel.mine.has_edge(*arc[::-1]) else "in"
            is_reverse = solved[0].startswith("Adding it reversed")
            said = solved[0].replace(" reversed", "", 1) if is_reverse else solved[0]
            solved_is_true(panel, arc[::-1] if is_reverse else arc, said, decision)
            checked += 1
        if found := re.search(r"would (raise|lower|not change) the mean distance(?: by ([0-9]+[.][0-9]+))?", reason):
            change = {"raise": 1, "lower": -1, "not change": 0}[found[1]] * float(found[2] or 0)
            assert change == pytest.approx(panel.mean(graph) - panel.mean(panel.mine), abs=0.0051)
            checked += 1
    assert checked


SOLVED = re.compile(r"(?:Leaving|Adding|Turning) it[^.]*(?:[0-9]\.[0-9][^.]*)* solved again.*?\w\.(?= |$)")


def cost_is_true(panel, arc, reason):
    """What leaving an arc of the consensus out would cost: on the pairs that inputs have, by their votes."""
    if reason.startswith("Leaving"):
        solved_is_true(panel, arc, SOLVED.search(reason)[0], "out")
        return 1
    graph = panel.mine.copy()
    graph.remove_edge(*arc)
    cost = panel.mean(graph) - panel.mean(panel.mine)
    if abs(cost) < 1e-9:
        tie = re.search(r"leaving it out would not change the mean distance(?P<half>, and at least half)?", reason)
        assert bool(tie["half"]) == (0 < panel.seen(arc) <= 2 * panel.support(arc))
        return 1
    found = re.search(r"leaving it out would (raise|lower) the mean distance by ([0-9]+[.][0-9]+)", reason)
    assert float(found[2]) * {"raise": 1, "lower": -1}[found[1]] == pytest.approx(cost, abs=0.0051)
    return 1


def test_the_comparison_is_on_the_pairs_that_inputs_have(panel, told):
    graphs = {"consensus": panel.mine, "no arcs": oracles.graph_with(panel.variables, ())}
    if not panel.is_tally:
        graphs |= {one.name: oracles.graph_with(panel.variables, one.arcs) for one in panel.opinions if not one.free}
    rows = {row["Network"]: row for row in told["compared"]}
    assert ("full fusion" in rows) == (panel.is_whole and not panel.is_tally)
    for name, graph in graphs.items():
        assert float(rows[name]["Mean SMHD"]) == pytest.approx(panel.mean(graph), abs=0.0051)


def test_thickness_is_the_share_of_those_that_have_both(panel, told):
    assert told["lines"]
    for line in told["lines"]:
        arc = tuple(line["arc"])
        both = panel.share(arc) + panel.share(arc[::-1])
        assert line["width"] == pytest.approx(1.2 + 3.2 * both, abs=0.0051)


def test_dropped_arcs_are_shown_from_the_share_that_is_asked_for(panel, told):
    pairs = {frozenset(arc) for one in panel.opinions for arc in one.arcs}
    out = [tuple(pair) for pair in pairs if not {tuple(pair), tuple(pair)[::-1]} & set(panel.mine.edges)]
    assert len(told["dropped"]) == (len(panel.names) if panel.is_counted and panel.is_whole else 20)
    for least, shown in told["dropped"]:
        assert shown == sum(panel.share(pair) + panel.share(pair[::-1]) >= least - 1e-9 for pair in out)


def having(panel, arc, how):
    if not panel.support(arc):
        return f"No input has it {how}."
    own, voters, share = panel.owners(arc), panel.voters(arc), percent(panel.share(arc))
    is_all = len(voters) == len(panel.opinions)
    measure = "votes" if panel.has_halves else "weight"
    if panel.is_tally:
        whose = "" if is_all else " of those that have both variables"
        return f"{share} of the {measure}{whose} {'have' if measure == 'votes' else 'has'} it {how}."
    if is_all:
        who = f"{len(own)} of {len(voters)} inputs"
    elif len(voters) == 1:
        who = "The only input that has both variables"
    else:
        who = f"{len(own)} of the {len(voters)} inputs that have both variables"
    by = "" if panel.is_counted else f" ({share} {'of the votes' if panel.has_halves else 'by weight'})"
    return f"{who}{by} {'has' if len(own) == 1 else 'have'} it {how}."


def test_an_arc_tells_who_has_it_who_gives_no_direction_and_who_lacks_a_variable(panel, told):
    for facts in told["facts"]:
        arc = tuple(facts[0].split(" \u2192 "))
        assert having(panel, arc, "in this direction") in facts
        back = having(panel, arc[::-1], "in the other direction")
        assert (back in facts) == (panel.support(arc[::-1]) > 0)
        blind = [one.name for one in panel.opinions if not one.sees(arc)]
        lacking = [text for text in facts if isinstance(text, str) and "of the two variables" in text]
        assert bool(lacking) == bool(blind)
        if panel.is_tally:
            share = percent(1 - panel.seen(arc) / panel.total)
            assert all(text.startswith(share) for text in lacking)
            continue
        if blind:
            verb = "lacks" if len(blind) == 1 else "lack"
            inputs = "input" if len(blind) == 1 else "inputs"
            assert lacking == [f"{len(blind)} {inputs} {verb} one of the two variables or both:"]
            assert facts[facts.index(lacking[0]) + 1] == blind
        own = [f"{one.name} (no direction)" if one.vote(arc) == 0.5 else one.name for one in panel.owners(arc)]
        is_half = any(one.vote(arc) == 0.5 for one in panel.opinions)
        assert (own in facts) == (is_half or 0 < len(own) < len(panel.names)) or own == blind
        assert ("Without a direction, an input gives half a vote to each." in facts) == is_half


# Variables


def after(facts, start):
    """The names that follow a title in the details."""
    place = next((i for i, text in enumerate(facts) if isinstance(text, str) and text.startswith(start)), None)
    return None if place is None else (facts[place], facts[place + 1])


def test_exactly_the_variables_that_nobody_has_together_with_the_chosen_one_are_grey(panel, told):
    assert told["greyAtFirst"] == []
    assert told["names"] == panel.variables
    for name in panel.variables:
        others = [one for one in panel.variables if frozenset((one, name)) in panel.unjudged]
        said = told["chosen"][name]
        assert said["grey"] == others
        assert said["legend"] == ([f"no input has it together with {name} ({len(others)})"] if others else [])
        words = f"No input votes on its pairs with ({len(others)})"
        assert after(said["details"], "No input votes on its pairs") == ((words, others) if others else None)
        lacking = [one.name for one in panel.opinions if name not in one.variables]
        words = f"Inputs that lack it ({len(lacking)} of {len(panel.names)})"
        assert after(said["details"], "Inputs that lack") == (
            (words, lacking) if lacking and not panel.is_tally else None
        )


def test_the_view_of_an_input_greys_what_it_lacks_and_has_no_heads_where_it_gives_no_direction(panel, told):
    assert list(told["views"]) == ([] if panel.is_tally else panel.names)
    for one in panel.opinions if told["views"] else ():
        view = told["views"][one.name]
        lacked = [name for name in panel.variables if name not in one.variables]
        assert view["grey"] == lacked
        assert (f"{one.name} lacks it ({len(lacked)})" in view["legend"]) == bool(lacked)
        bare = [frozenset(line["arc"]) for line in view["lines"] if not line["hasHead"]]
        assert sorted(map(sorted, bare)) == sorted(map(sorted, one.free))
        assert (f"no head: without a direction ({len(bare)})" in view["legend"]) == bool(bare)
        kinds = {frozenset(line["arc"]): line["kind"] for line in view["lines"]}
        for arc in one.arcs:
            either = {arc, arc[::-1]} & set(panel.mine.edges)
            is_turned = either == {arc[::-1]} and arc not in one.free and arc[::-1] not in one.free
            assert kinds[frozenset(arc)] == ("reversed" if is_turned else "kept" if either else "dropped")


def test_the_table_of_inputs_counts_what_each_could_have(panel, told):
    mine = {frozenset(arc): arc for arc in panel.mine.edges}
    assert len(told["inputs"]) == (0 if panel.is_tally else len(panel.names))
    for row in told["inputs"]:
        one = panel.opinions[panel.names.index(row["Input"])]
        assert row.get("Variables") == (None if panel.is_whole else str(len(one.variables)))
        free = {frozenset(arc) for arc in one.free}
        joined = {frozenset(arc) for arc in one.arcs}
        kept = [arc for arc in one.arcs if frozenset(arc) in mine and (frozenset(arc) in free or arc in mine.values())]
        assert int(row["kept"]) == len(kept)
        assert int(row["reversed"]) == len(joined & set(mine)) - len(kept)
        assert int(row["dropped"]) == len(joined - set(mine))
        assert int(row["lacks"]) == sum(one.sees(pair) and pair not in joined for pair in mine)
        others = {frozenset(arc) for other in panel.opinions if other is not one for arc in other.arcs}
        assert int(row["unique"]) == len(joined - others)


# Other kinds


def test_a_required_arc_between_two_that_nobody_has_together_says_so(opened, tmp_path):
    panel = Panel(apart(), options={"required": [("A", "E")]})
    panel.found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    page.locator('[data-a][aria-label^="A \u2192 E"]').focus()
    text = page.locator("#details").inner_text()
    assert "No input has both variables, so none votes on it." in text
    assert "The constraints require it." in text
    assert "child together" not in text
    assert "NaN" not in page.locator("body").inner_text()
    width = page.locator('[data-a][aria-label^="A \u2192 E"] .line').evaluate("one => one.style.strokeWidth")
    assert float(width) == pytest.approx(1.2)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ((1, 1, 1, 1), "In 1 of the 3 inputs that have both variables the two have a child together."),
        ((3, 1, 1, 1), "In inputs of 60\u00a0% of the weight of those that have both variables the two have a child"),
    ],
)
def test_parents_of_a_child_are_counted_among_those_that_have_both(opened, tmp_path, weights, expected):
    ways = ["ABC", {("A", "C"), ("B", "C")}], ["ABC", {("A", "C")}], ["ABC", {("B", "C")}], ["BCD", {("B", "C")}]
    said = [Opinion(f"e{i}", tuple(own), frozenset(arcs), weight=weights[i]) for i, (own, arcs) in enumerate(ways)]
    Panel(said, options={"required": [("A", "B")]}).found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    page.locator('[data-a][aria-label^="A \u2192 B"]').focus()
    assert expected in page.locator("#details").inner_text()


def test_the_family_in_a_class_has_neighbours_where_it_gives_no_direction(opened, tmp_path):
    chain = Opinion("chain", tuple("ABCD"), frozenset({("A", "B"), ("B", "C"), ("D", "C")}), frozenset({("A", "B")}))
    Panel([chain, Opinion("other", tuple("ABCD"), frozenset({("A", "B")}))]).found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    page.select_option("#view", "0")
    page.fill("#search", "B")
    text = page.locator("#details").inner_text()
    for words in ("Parents (0)", "Children (1)\nC", "without a direction (1)\nA", "parents of its children (1)\nD"):
        assert words in text
    assert "Markov blanket of 3 variables in chain" in text
    assert page.eval_on_selector_all(".node.neighbour text", "all => all.map(one => one.textContent)") == ["A"]


def test_the_difference_of_two_greys_what_either_lacks(opened, tmp_path):
    Panel(apart()).found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    page.select_option("#view", "difference")
    page.select_option("#one", "0")
    page.select_option("#other", "1")
    grey = page.eval_on_selector_all(".node.unknown[data-v] text", "all => all.map(one => one.textContent)")
    assert grey == ["A", "C", "D", "E"]
    assert "AB and BCD do not both have it (4)" in page.locator("#legend").inner_text()
    label = page.locator('.node[data-v="0"]').get_attribute("aria-label")
    assert label == "A, grey: AB and BCD do not both have it"


def test_a_row_of_an_arc_without_a_direction_shows_it(opened, tmp_path):
    ways = frozenset({("A", "B")})
    said = [Opinion("free", ("A", "B", "C"), ways, ways), *(Opinion(f"e{i}", tuple("ABC"), frozenset()) for i in "123")]
    Panel(said).found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    for row in range(2):
        button = page.locator("#arc-table tbody tr").nth(row).locator("button")
        button.click()
        assert page.locator(".arc.chosen").count() == 1
        assert page.locator("#details h3").inner_text() in ("A \u2192 B", "B \u2192 A")


def test_a_strength_table_alone_has_a_page(opened, tmp_path):
    rows = [("Age", "Smoker", 0.9, 0.8), ("Smoker", "COPD", 0.95, 0.7), ("Asthma", "COPD", 0.45, 0.6)]
    found = bnfuse.consensus([ArcVotes.from_strengths(rows, name="boot")])
    found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    assert page.locator("h1").inner_text().startswith("1 input, one consensus")
    assert "boot" in page.locator("#bars-card").inner_text()
    cells = page.eval_on_selector_all(
        "#arc-table tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    shown = {(source, target): (float(share), float(back)) for source, target, _, share, back, *_ in cells}
    expected = {}
    for source, target, strength, direction in rows:
        ways = 100 * strength * direction, 100 * strength * (1 - direction)
        expected[source, target], expected[target, source] = ways, ways[::-1]
    assert set(shown) == set(expected)
    for arc, ways in expected.items():
        assert shown[arc] == pytest.approx(ways, abs=0.051)
    reasons = {(source, target): reason for source, target, *_, reason in cells}
    assert reasons["Asthma", "COPD"].startswith("It has less than half of the votes, in either direction. ")
    assert "weight" not in page.locator("#arc-table").inner_text()


def test_votes_for_arcs_are_an_input_among_others(opened, tmp_path):
    votes = ArcVotes.from_counts(
        {("A", "B"): 7, ("B", "A"): 2, ("B", "C"): 4, ("C", "B"): 3}, of=10, networks=1, name="votes"
    )
    drawn = Network(DAG(["B", "C", "D"], [("B", "C"), ("C", "D")]), name="drawn")
    found = bnfuse.consensus([votes, drawn], metric="shd", variables="union")
    found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    assert page.locator("h1").inner_text().startswith("2 inputs, one consensus")
    # To votes, the mean over all that voted: one without an arc, three with B -> A, ... of ten each.
    arcs = set(found.dag.edges)
    apart = sum(
        forth + back if (a, b) not in arcs and (b, a) not in arcs else 1 - (forth if (a, b) in arcs else back)
        for (a, b), forth, back in ((("A", "B"), 0.7, 0.2), (("B", "C"), 0.4, 0.3))
    ) + len(arcs & {("A", "C"), ("C", "A")})
    bars = {
        text.splitlines()[0]: float(text.splitlines()[-1]) for text in page.locator("#bars button").all_inner_texts()
    }
    assert bars["votes"] == pytest.approx(apart, abs=0.06)
    page.select_option("#view", label="votes")
    own = page.eval_on_selector_all(
        "[data-a].kept, [data-a].dropped, [data-a].reversed", "all => all.map((one) => Number(one.dataset.a))"
    )
    names = list(found.dag.variables)
    assert [(names[code // 4], names[code % 4]) for code in own] == [("A", "B")]  # all others have less than half
    assert page.locator(".node.unknown[data-v]").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_grey_is_seen_beside_what_is_not_grey(opened, tmp_path, scheme):
    Panel(apart()).found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html", scheme=scheme)
    page.fill("#search", "A")
    looks = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".node[data-v]")].map((one) => {
            const style = getComputedStyle(one.querySelector("rect"));
            return [one.querySelector("text").textContent, [style.fill, style.strokeDasharray]];
        }))"""
    )
    grey, plain = looks["E"], looks["B"]
    assert grey[0] != plain[0]
    assert "none" != grey[1] != plain[1]  # that of a child
    assert looks["C"] == looks["D"] == grey


def test_two_inputs_without_a_pair_in_common_have_no_heat_map(opened, tmp_path):
    Panel([apart()[0], apart()[2]]).found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    assert page.locator("#between").inner_text() == "No two inputs have a pair of variables in common."


def test_an_input_called_full_fusion_is_not_taken_for_it_where_there_is_none(opened, tmp_path):
    two = apart()[:2]
    two[1].name = "full fusion"
    Panel(two).found.report(tmp_path / "r.html")
    assert "Full fusion" not in opened(tmp_path / "r.html").locator("#facts").inner_text()
