"""Every number and every sentence of the page, computed anew from the inputs alone, by the slow twins."""

import math
import re
from collections import Counter
from itertools import combinations, pairwise

import gadjid
import networkx as nx
import pytest

import bnfuse
import oracles
import why_in_words
from bnfuse import DAG, Network
from page_browser import browser_fixture, needs_browser, said_by  # noqa: F401
from page_numbers import Case, assert_true, clinics, exact_clique, rounded
from strategies import random_dag

pytestmark = needs_browser


def small(seed, size=5, count=5):
    return [Network(random_dag(100 * seed + i, size, 1.2), name=f"site {i + 1}") for i in range(count)]


def turned():
    """Inputs that agree on what is joined and not on which way: A and B are joined in 3 of 5, and 2.5 count."""
    ways = [[("A", "B"), ("B", "C")], [("A", "B"), ("C", "B")], [("B", "A"), ("C", "B")], [("B", "C")], [("C", "A")]]
    return [Network(DAG(["A", "B", "C"], way), name=f"way {i}") for i, way in enumerate(ways)]


def disjoint():
    names = [f"V{i}" for i in range(6)]
    ways = [pairwise(names), [(names[0], names[2]), (names[1], names[4]), (names[5], names[3])]]
    return [Network(DAG(names, list(way)), name=f"half {i}") for i, way in enumerate(ways)]


CASES = {
    "plain": lambda: Case(clinics()),
    "tight": lambda: Case(clinics(), {"max_clique": 3, "effort": "quick"}),
    "weights": lambda: Case(clinics(), {"weights": {"harbour": 5}}),
    "some weights": lambda: Case(clinics(), {"weights": {"harbour": 3, "millbrook": 2}, "max_clique": 3}),
    "fsim": lambda: Case(clinics(), {"metric": "fsim"}),
    "fsim and weights": lambda: Case(clinics(), {"metric": "fsim", "weights": {"harbour": 5}, "effort": "quick"}),
    "shd": lambda: Case(clinics(), {"metric": "shd", "max_clique": 3}),
    "shd and weights": lambda: Case(clinics(), {"metric": "shd", "weights": {"harbour": 3}, "effort": "quick"}),
    "shd tally": lambda: Case(clinics(), {"metric": "shd", "max_clique": 2}, is_tally=True),
    "shd vote": lambda: Case(small(4), {"metric": "shd", "method": "majority", "threshold": 0.2, "max_clique": 3}),
    "shd fused": lambda: Case(small(5), {"metric": "shd", "target": "fused", "max_clique": 3, "effort": "quick"}),
    "shd and turned": lambda: Case(turned(), {"metric": "shd", "max_clique": 3, "effort": "quick"}),
    "fused": lambda: Case(clinics(), {"target": "fused"}),
    "fused by fsim": lambda: Case(small(1), {"target": "fused", "metric": "fsim", "max_clique": 3, "effort": "quick"}),
    "unseen": lambda: Case(clinics(), {"weights": {"harbour": 3}}),
    "majority": lambda: Case(clinics(), {"weights": {"harbour": 3}, "directions": "majority"}),
    "vote": lambda: Case(clinics(), {"method": "majority", "threshold": 0.9}),
    "vote by weight": lambda: Case(clinics(), {"method": "majority", "weights": {"harbour": 5}, "max_clique": 2}),
    "genetic": lambda: Case(clinics(), {"method": "genetic", "generations": 2, "population": 8, "max_clique": 3}),
    "tally": lambda: Case(clinics(), {"max_clique": 3}, is_tally=True),
    "constraints": lambda: Case(
        clinics(),
        {
            "required": [("Cough", "Age"), ("COPD", "Smoker")],
            "forbidden": [("Pneumonia", "Fever")],
            "tiers": [["XRay"], ["LungCancer"]],
            "max_parents": 1,
            "max_clique": 3,
        },
    ),
    "one": lambda: Case(clinics()[:1], {"max_clique": 3}),
    "disjoint": lambda: Case(disjoint()),
    **{f"small {seed}": lambda seed=seed: Case(small(seed), {"max_clique": 3}) for seed in range(2, 4)},
    **{
        f"small {seed} by weight": lambda seed=seed: Case(
            small(seed, 6, 4), {"max_clique": 3, "weights": {"site 1": 3, "site 2": 2}}
        )
        for seed in range(6, 8)
    },
    **{
        f"small {seed} by fsim": lambda seed=seed: Case(
            small(seed), {"max_clique": 3, "metric": "fsim", "method": "majority", "weights": {"site 3": 4}}
        )
        for seed in range(10, 12)
    },
}


QUICK = {"plain", "weights", "constraints"}  # the others only in the long tests
assert CASES.keys() > QUICK
PARAMETERS = [pytest.param(name, marks=[pytest.mark.long] * (name not in QUICK)) for name in CASES]


@pytest.fixture(scope="module", params=PARAMETERS)
def case(request):
    return CASES[request.param]()


READ = """() => {
    const text = (selector) => document.querySelector(selector)?.innerText ?? null;
    const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.innerText);
    const rows = (selector) =>
        [...document.querySelectorAll(`${selector} tbody tr`)].map((row) =>
            [...row.cells].map((cell) => cell.innerText.trim()));
    const set = (id, value, event) => {
        const control = document.getElementById(id);
        control.value = value;
        control.dispatchEvent(new Event(event));
    };
    const told = {
        headline: text("h1"), lead: text("#lead"), notes: texts("#notes li"), apart: text("#apart p"),
        tiles: texts("#facts div"), who: texts("#bars .who"), values: texts("#bars .value"),
        arcHead: texts("#arc-table th"), arcs: rows("#arc-table"), compared: rows("#compared"),
        comparedNotes: texts("#compared .note"), cliques: rows("#clique-table"),
        cliqueNotes: texts("#clique-table .note"),
        inputHead: texts("#apart th"), inputs: rows("#apart"), hasInputs: Boolean(document.getElementById("apart")),
        heatMap: document.querySelector("#between svg")?.getAttribute("aria-label") ?? null,
        legends: {}, facts: [], dropped: [],
        views: [...document.querySelectorAll("#view option")].map((one) => one.value),
    };
    const which = document.querySelector("#arc-table select");
    if ([...which.options].some((one) => one.value === "added by fusion")) {
        which.value = "added by fusion"; // which are shown on request alone
        which.dispatchEvent(new Event("change"));
        told.arcs.push(...rows("#arc-table"));
    }
    const names = [...document.querySelectorAll(".node[data-v]")].map((one) => one.getAttribute("aria-label"));
    told.counted = [...document.querySelectorAll("#lead button")].map((count) => {
        count.click();
        const arcs = [...document.querySelectorAll(".arc.chosen")].map(({ dataset: { a } }) =>
            [names[Math.floor(a / names.length)], names[a % names.length]]);
        return [count.parentElement.innerText.trim(), arcs];
    });
    document.getElementById("net").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    for (const view of ["consensus", "fusion"].filter((view) => told.views.includes(view))) {
        set("view", view, "change");
        told.legends[view] = text("#legend");
        for (const arc of [...document.querySelectorAll("[data-a]")].slice(0, 40)) {
            arc.focus();
            told.facts.push([text("#details h3"), text("#details .kind"), texts("#details p")]);
        }
    }
    told.fused = document.querySelectorAll("[data-a]").length;
    set("view", "consensus", "change");
    const most = Number(document.getElementById("least").max);
    for (const step of [1, Math.ceil(most / 2), most]) {
        set("least", step, "input");
        told.dropped.push([step, most, text("#least-text"), document.querySelectorAll("[data-a].dropped").length]);
    }
    return told;
}"""


@pytest.fixture(scope="module")
def told(case, browser, tmp_path_factory):
    """All that the page of a case says."""
    return said_by(case.found, browser, tmp_path_factory.mktemp("page"), READ)


def as_number(text):
    return float(text.replace(",", ""))


# The first screen


def test_the_first_screen_is_true(case, told):
    head = told["headline"]
    who = f"Votes worth {case.total} networks" if case.is_tally else f"{len(case.names)} network"
    assert head.startswith(who)
    assert int(re.search(r"consensus: ([0-9]+) arc", head)[1]) == case.mine.number_of_edges()
    tiles = {name: (value, more) for name, value, more in map(str.splitlines, told["tiles"])}
    mine = case.mean(case.mine)
    assert as_number(tiles["Mean distance"][0]) == rounded(mine)
    metric = {"smhd": "SMHD", "fsim": "FSim", "shd": "SHD"}[case.metric]
    to = "the full fusion" if case.options.get("target") == "fused" else "the inputs"
    by = ", by weight" if len(set(case.weights)) > 1 and to == "the inputs" else ""
    assert tiles["Mean distance"][1] == f"{metric} to {to}{by}"
    order = case.found.elimination_order
    along = max(oracles.cliques_along(oracles.moral_graph(case.mine), order))
    assert tiles["Largest clique"] == (str(along), f"limit {case.limit}, treewidth {along - 1}")
    assert ("proven optimal" in head) == (tiles.get("Proven bound", ("", ""))[1] == "reached: nothing is closer")
    if "Proven bound" in tiles:
        assert as_number(tiles["Proven bound"][0]) <= mine + 0.005
    if gap := re.search(r"at most ([0-9.,]+)\s% above the best possible", head):
        assert float(gap[1].replace(",", "")) / 100 >= mine / case.found.lower_bound - 1 - 1e-9
    if len(case.variables) <= 5 and case.metric == "smhd" and "target" not in case.options:
        optimum = oracles.least_mean_smhd([one.dag for one in case.networks], case.weights, case.limit)
        assert as_number(tiles["Proven bound"][0]) <= optimum + 0.005
        assert "proven optimal" not in head or mine == pytest.approx(optimum)


def counted_sentences(case):
    """Each short sentence that could stand under the headline, first things first, with the arcs that it counts."""
    arcs, apart = list(case.mine.edges), case.apart()
    many = lambda some: f"All {len(arcs)}" if len(some) == len(arcs) > 1 else f"{len(some)} of {len(arcs)}"  # noqa: E731
    of_all = lambda some: "The only arc" if len(arcs) == 1 else f"{many(some)} arcs"  # noqa: E731
    noun = lambda some: "1 arc" if len(some) == 1 else f"{len(some)} arcs"  # noqa: E731
    one = lambda some, single, several: single if len(some) == 1 else several  # noqa: E731
    if apart:
        graph = case.graphs[case.names.index(apart[0])]
        differ = [arc for arc in arcs if not graph.has_edge(*arc)]
        differ += [arc for arc in graph.edges if not {arc, arc[::-1]} & set(arcs)]
        who = apart[0] if len(apart) == 1 else f"{apart[0]} and {len(apart) - 1} more"
        where = "" if len(apart) == 1 else f"in {apart[0]}, "
        yield f"{who} may stand apart: {where}{noun(differ)} {one(differ, 'differs', 'differ')}.", differ
    against = [arc for arc in arcs if not case.weight(arc) or case.weight(arc) < case.weight(arc[::-1])]
    yield f"{of_all(against)} {one(against, 'runs', 'run')} against most or all inputs.", against
    shared = [arc for arc in arcs if case.weight(arc) == case.total and (len(case.names) > 1 or case.is_tally)]
    yield f"{of_all(shared)} {one(shared, 'is', 'are')} in every input.", shared
    tied = [arc for arc in case.tied() if arc not in case.options.get("required", ())]
    yield f"Dropping {one(tied, '', 'any one of ')}{noun(tied)} would cost nothing.", tied
    free = [arc for arc in arcs if arc in oracles.reversible_arcs(case.mine)]
    yield f"The {one(free, 'direction', 'directions')} of {noun(free)} {one(free, 'is', 'are')} free.", free


def test_each_sentence_under_the_headline_counts_arcs_and_shows_them(case, told):
    expected = [(text, sorted(arcs)) for text, arcs in counted_sentences(case) if arcs][:3]
    assert [(text, sorted(map(tuple, arcs))) for text, arcs in told["counted"]] == expected
    assert told["lead"].strip() == " ".join(text for text, _ in expected)


def test_what_must_be_known_is_said_and_true(case, told):
    lead = " ".join(told["notes"])
    same = [
        name for name, graph in zip(case.names, case.graphs, strict=True) if set(graph.edges) == set(case.mine.edges)
    ]
    itself = re.search(r"The consensus is one of the inputs, arc for arc: ([^.]*)\.", lead)
    if same and not case.is_tally:
        assert itself[1] == ", ".join(same)
    else:
        assert itself is None
    assert ("Weights were given" in lead) == (len(set(case.weights)) > 1)
    if len(set(case.weights)) > 1:
        heaviest = max(case.weights)
        name = case.names[case.weights.index(heaviest)]
        assert f"{name} counts for {round(100 * heaviest / case.total)} % of the total" in lead
    assert_directions_are_true(case, lead)
    if not CONSTRAINED & set(case.options):
        assert_ties_are_true(case, lead)
    notes = [note.lower() for note in told["notes"]]
    own = [f"{note.lower().removesuffix('.')}." for note in case.found.finished.notes]
    assert notes[-1 - len(own) : -1] == own
    assert notes[-1] == "arcs are not causes: they show which variables help to predict each other."


CONSTRAINED = {"required", "forbidden", "tiers", "max_parents", "directions"}


def assert_ties_are_true(case, lead):
    asked = {name: case.options[name] for name in ("max_clique", "metric", "target", "weights") if name in case.options}
    vote = bnfuse.consensus(case.found.problem.tally if case.is_tally else case.networks, method="majority", **asked)
    others = [("the majority vote", oracles.graph_of(vote.dag))]
    if not case.is_tally:
        others += [*zip(case.names, case.graphs, strict=True), ("full fusion", case.fusion)]
    mine = case.mean(case.mine)
    names = [
        name
        for name, graph in others
        if set(graph.edges) != set(case.mine.edges)
        and abs(case.mean(graph) - mine) < 1e-9
        and exact_clique(graph) <= case.limit
    ]
    tied = case.tied()
    said = []
    if names:
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        said.append(f"equally close: {', '.join(names[:3])}{more}")
    if tied:
        which = f"any one of {len(tied)} arcs" if len(tied) > 1 else f"the arc from {tied[0][0]} to {tied[0][1]}"
        said.append(f"dropping {which} gives an equally close network")
    expected = "; ".join(said)
    assert ("equally close" in lead.lower()) == bool(said)
    assert not said or f"{expected[0].upper()}{expected[1:]}." in lead


def assert_freedom_is_true(case, lead):
    """What is told of any direction: another consensus, by the option that stands there, is as close as that."""
    told = re.search(r'Allowing any direction would bring the mean distance to ([0-9.]+) \(directions="any"\)\.', lead)
    has_rule = case.options.get("method", "direct") in ("direct", "majority") and case.metric != "fsim"
    has_rule &= case.options.get("target") != "fused" and case.options.get("directions") != "any"
    free = bnfuse.consensus(case.networks, **case.options | {"directions": "any"})
    mean = case.mean(oracles.graph_of(free.dag))
    assert (told is not None) == (has_rule and mean < case.mean(case.mine) - 1e-9)
    assert told is None or float(told[1]) == pytest.approx(mean, abs=0.005)


def assert_directions_are_true(case, lead):
    assert_freedom_is_true(case, lead)
    unseen = sum(not case.weight(arc) for arc in case.mine.edges)
    outvoted = sum(0 < case.weight(arc) < case.weight(arc[::-1]) for arc in case.mine.edges)
    counts = {"direction that no input has": unseen, "against the majority of the inputs": outvoted}
    if not case.mine.number_of_edges():
        assert not any(words in lead for words in counts)
        return
    if not unseen and not outvoted:
        assert "No arc runs against the majority of the inputs that join the two." in lead
        return
    for words, count in counts.items():
        told = re.search(rf"([0-9]+) (?:of ([0-9]+) arcs? runs?|more)[a-z ]* {words}", lead)
        assert (0 if told is None else int(told[1])) == count
        assert told is None or told[2] in (None, str(case.mine.number_of_edges()))


def test_who_stands_apart_is_told_by_distances(case, told):
    if case.is_tally:
        assert told["notes"][0] == "Who disagrees is not known: a tally has only counts."
        return
    distances, apart = case.distances(), case.apart()
    bars = dict(zip(told["who"], told["values"], strict=True))
    assert {name.splitlines()[0]: as_number(value) for name, value in bars.items()} == distances
    assert {name.splitlines()[0] for name in bars if "may stand apart" in name} == set(apart)
    lead = told["apart"]
    rest = [one for name, one in distances.items() if name not in apart]
    span = f"{min(rest)}" if min(rest) == max(rest) else f"{min(rest)} to {max(rest)}"
    if apart:
        assert all(f"{name} ({distances[name]})" in lead for name in apart)
        assert f"apart: the others have distances of {span}." in lead
    else:
        assert (f"distances {span}." if len(distances) > 1 else f"Distance {span} to the only input.") in lead


# Tables


def arc_rows(told):
    return {(row[0], row[1]): row[2:] for row in told["arcs"]}


def test_the_arc_table_is_true(case, told):
    table, head = arc_rows(told), told["arcHead"]
    every = set(case.mine.edges).union(*(graph.edges for graph in case.graphs))
    if not case.is_tally:
        every |= set(case.fusion.edges)
    assert set(table) == every
    assert head[3] == (f"Inputs (of {len(case.names)})" if case.is_counted else "Share of the weight in %")
    free = oracles.reversible_arcs(case.mine)
    for arc, (status, forward, backward, direction, reason) in table.items():
        assert status == case.status(arc)
        assert direction == ("" if not case.mine.has_edge(*arc) else "free" if arc in free else "fixed")
        for shown, one in ((forward, arc), (backward, arc[::-1])):
            if case.is_counted:
                assert int(shown) == len(case.owners(one))
            else:
                assert float(shown) == rounded(100 * case.weight(one) / case.total, 1)
        if case.mine.has_edge(*arc):
            check_why_in(case, arc, sentences_of(reason))
            continue
        is_turned_round = case.mine.has_edge(*arc[::-1])
        assert bool(reason) == (case.weight(arc) > 0 or (is_turned_round and not case.weight(arc[::-1]))), arc
        for sentence in sentences_of(reason):
            assert_true(case, arc, sentence)


def sentences_of(text):
    return [one.strip() for one in re.findall(r"[^.]+(?:\.[0-9][^.]*)*\.", text)]


def legend(told, view):
    return {words: int(count) for words, count in re.findall(r"([^()\n]+) \(([0-9]+)\)", told["legends"][view])}


def test_the_views_count_what_the_table_counts(case, told):
    by_status = Counter(row[2] for row in told["arcs"])
    shown = legend(told, "consensus")
    kept = [status for status in by_status if status.startswith("kept")]
    assert {status: shown[status] for status in kept} == {status: by_status[status] for status in kept}
    if case.is_tally:
        assert "fusion" not in told["legends"]
        return
    shown = legend(told, "fusion")
    assert shown.get("added by fusion: no input has it", 0) == by_status["added by fusion"]
    assert sum(shown.values()) == told["fused"] == case.fusion.number_of_edges()


def test_dropped_arcs_are_shown_from_the_support_that_is_asked_for(case, told):
    pairs = {tuple(sorted(arc)) for graph in case.graphs for arc in graph.edges}
    left_out = [pair for pair in pairs if not case.mine.has_edge(*pair) and not case.mine.has_edge(*pair[::-1])]
    for step, parts, said, count in told["dropped"]:
        assert parts == (len(case.names) if case.is_counted else 20)
        assert said.startswith(f"{step} of {parts}" if case.is_counted else f"{round(100 * step / parts)}\u00a0%")
        expected = [p for p in left_out if (case.weight(p) + case.weight(p[::-1])) * parts >= step * case.total]
        assert count == len(expected)


def test_the_comparison_is_true(case, told):
    table = told["compared"]
    vote = bnfuse.consensus(
        case.networks,
        method="majority",
        **{
            name: value
            for name, value in case.options.items()
            if name not in ("method", "effort", "threshold", "generations", "population")
        },
    ).dag
    graphs = {"consensus": case.mine, "majority vote": oracles.graph_of(vote)}
    if not case.is_tally:
        graphs |= dict(zip(case.names, case.graphs, strict=True)) | {"full fusion": case.fusion}
    graphs["no arcs"] = oracles.graph_with(case.variables, ())
    assert [row[0] for row in table] == list(graphs)
    for name, mean, clique, arcs in table:
        graph = graphs[name]
        assert as_number(mean) == rounded(case.mean(graph))
        assert int(arcs) == graph.number_of_edges()
        exact = exact_clique(graph)
        found = [int(one) for one in re.findall("[0-9]+", clique)]
        assert found[-1] <= exact <= found[0] or (name == "consensus" and exact <= found[0])


def test_the_clique_tables_add_up_to_what_is_said(case, told):
    table = told["cliques"]
    states = case.found.network.states or dict.fromkeys(case.variables, "ab")
    for size, names, numbers in table:
        clique = names.split(", ")
        assert int(size) == len(clique)
        assert as_number(numbers) == math.prod(len(states[name]) for name in clique)
    total = sum(as_number(row[2]) for row in table)
    said = re.findall(r"([0-9,]+) numbers", told["comparedNotes"][-1])
    said += re.findall(r"([0-9,]+) numbers", told["cliqueNotes"][-1])
    assert [as_number(one) for one in said] == [total, total]
    # They are a triangulation: chordal, and over the moral graph.
    graph = nx.Graph()
    graph.add_nodes_from(case.variables)
    graph.add_edges_from(pair for row in table for pair in combinations(row[1].split(", "), 2))
    assert nx.is_chordal(graph)
    assert {frozenset(row[1].split(", ")) for row in table} == {frozenset(one) for one in nx.find_cliques(graph)}
    assert oracles.moral_edges(case.mine) <= {frozenset(edge) for edge in graph.edges}


def parent_aid(truth, guess):
    """As gadjid counts it: of wrong effects, where the first graph is the true one."""
    one, other = (nx.to_numpy_array(graph, sorted(truth.nodes)).astype("int8") for graph in (truth, guess))
    return gadjid.parent_aid(one, other, "from row to column")[1]


def test_each_input_beside_the_consensus_is_true(case, told):
    if case.is_tally:
        assert not told["hasInputs"]
        return
    head = told["inputHead"]
    table = [dict(zip(head, row, strict=True)) for row in told["inputs"]]
    assert sorted(row["Input"] for row in table) == sorted(case.names)
    assert ("Weight" in head) == (not case.is_counted)
    for row in table:
        i = case.names.index(row["Input"])
        own, mine = set(case.graphs[i].edges), set(case.mine.edges)
        turned = {arc[::-1] for arc in mine}
        others = {arc for j, graph in enumerate(case.graphs) if j != i for arc in graph.edges}
        assert int(row["Arcs"]) == len(own)
        assert int(row["Distance"]) == case.distance(case.mine, case.graphs[i])
        assert int(row["Causal distance"].replace(",", "")) == parent_aid(case.graphs[i], case.mine)
        assert int(row["kept"]) == len(own & mine)
        assert int(row["reversed"]) == len(own & turned)
        assert int(row["dropped"]) == len(own - mine - turned)
        assert int(row["lacks"]) == len(mine - own - {arc[::-1] for arc in own})
        assert int(row["unique"]) == len([arc for arc in own if not {arc, arc[::-1]} & others])
        if not case.is_counted:
            assert int(row["Weight"]) == case.weights[i]


def test_the_heat_map_is_true(case, told):
    if case.is_tally or len(case.names) == 1:
        assert told["heatMap"] is None
        return
    label = told["heatMap"]
    measure = oracles.shd if case.metric == "shd" else oracles.smhd
    between = {
        frozenset((one, other)): measure(case.graphs[i], case.graphs[j])
        for (i, one), (j, other) in combinations(enumerate(case.names), 2)
    }
    for words, limit in (("Closest", min), ("Farthest apart", max)):
        one, other, distance = re.search(rf"{words}: (.+?) and (.+?) \(([0-9]+)\)", label).groups()
        assert between[frozenset((one, other))] == int(distance) == limit(between.values())


# Arcs, one by one


def test_what_is_told_of_each_arc_is_true(case, told):
    assert told["facts"] or not case.mine.number_of_edges()
    for title, kind, sentences in told["facts"]:
        arc = tuple(title.split(" \u2192 "))
        assert kind == case.status(arc)
        assert sentences[0] == owning(case, arc, "in this direction")
        rest = sentences[1:]
        if case.weight(arc[::-1]):
            assert rest.pop(0) == owning(case, arc[::-1], "in the other direction")
        if case.mine.has_edge(*arc):
            if "have a child together" in rest[0]:
                child_is_true(case, arc, rest.pop(0))
            check_why_in(case, arc, rest)
            continue
        if case.status(arc) == "added by fusion":
            assert rest.pop() == "Fusing the inputs under one order of the variables needs it."
            assert case.fusion.has_edge(*arc)
        for sentence in rest:
            assert_true(case, arc, sentence)


def child_is_true(case, arc, sentence):
    assert not case.weight(arc)
    assert not case.weight(arc[::-1])
    parents = [
        i for i, graph in enumerate(case.graphs) if set(graph.successors(arc[0])) & set(graph.successors(arc[1]))
    ]
    weight = sum(case.weights[i] for i in parents)
    if not parents:
        assert sentence == "In no input do the two have a child together."
    elif case.is_counted:
        assert sentence.startswith(f"In {len(parents)} of {len(case.names)} input")
    else:
        assert sentence.startswith(f"In inputs of {round(100 * weight / case.total)}\u00a0% of the weight")


def check_why_in(case, arc, sentences):
    """All that is said of an arc of the consensus; what reversing it would do is said as of an arc that is out."""
    for sentence in why_in_words.checked(case, arc, sentences):
        assert_true(case, arc[::-1], sentence)


def owning(case, arc, how):
    weight, many = case.weight(arc), len(case.owners(arc))
    if not weight:
        return f"No input has it {how}."
    share = f"{math.floor(100 * weight / case.total + 0.5)}\u00a0%"
    if case.is_tally:
        return f"{share} of the weight has it {how}."
    by = "" if case.is_counted else f" ({share} by weight)"
    inputs = "input" if len(case.names) == 1 else "inputs"
    return f"{many} of {len(case.names)} {inputs}{by} {'has' if many == 1 else 'have'} it {how}."
