"""Why arcs are in, as the page says it: each sentence of the details, and every kind of sentence."""

import pytest

import why_in_words
from bnfuse import bootstrap
from page_browser import browser_fixture, needs_browser, said_by, served_fixture  # noqa: F401
from page_numbers import Case, assert_true, clinics
from samples import random_data

pytestmark = [needs_browser, pytest.mark.long]

RIGHT, LEFT = "\u2192", "\u2190"
DETAILS = """() => [...document.querySelectorAll("[data-a]:not(.dropped)")].map((arc) => {
    arc.focus();
    const details = document.getElementById("details");
    return [details.querySelector("h3").innerText, [...details.querySelectorAll("p")].map((one) => one.innerText)];
})"""
RULES = {"required": [("COPD", "Smoker")], "forbidden": [("Pneumonia", "Fever")], "max_clique": 3, "effort": "quick"}


def resampled():
    return list(bootstrap(random_data(0, 8, 300), 12, threads=1, max_clique=3))


CASES = {
    "clinics": lambda: Case(clinics()),
    "clinics with constraints": lambda: Case(clinics(), RULES),
    "a bootstrap": lambda: Case(resampled(), {"max_clique": 2, "effort": "quick"}),
    "a bootstrap by shd": lambda: Case(resampled(), {"max_clique": 3, "metric": "shd", "effort": "quick"}),
}


@pytest.mark.parametrize("name", CASES)
def test_the_details_of_each_arc_say_why_it_is_in(browser, tmp_path, name):
    case = CASES[name]()
    told = said_by(case.found, browser, tmp_path, DETAILS)
    arcs = {tuple(title.split(f" {RIGHT} ")): sentences for title, sentences in told}
    assert set(arcs) == set(case.mine.edges)
    for arc, sentences in arcs.items():
        # Who has it, and who in the other direction; of resamples how strong it is, and whether that is enough.
        who = 2 if case.noun == "resample" else 1 + bool(case.weight(arc[::-1]))
        rest = [one for one in sentences[who:] if "have a child together" not in one]
        for sentence in why_in_words.checked(case, arc, rest):
            assert_true(case, arc[::-1], sentence)


# Every kind of sentence

WHY = {"cost": 0.4, "rule": "free", "others": [], "v_structure": [], "married": []}
ARC = {"source": "S", "target": "T", "forward": 3, "backward": 0, "voters": 5, "isSeenByAll": True, "isTurned": False}
PROBLEM = {"isCounted": True, "input": "input", "measure": "weight"}
ALONE = "In this network, without changing anything else, leaving it out would"
TIES = "It ties: in this network, without changing anything else, leaving it out would not change the mean distance"


@pytest.mark.parametrize(
    ("why", "arc", "problem", "expected"),
    [
        ({}, {}, {}, f"{ALONE} raise the mean distance by 0.40."),
        (
            {"cost": -0.004},
            {},
            {},
            f"{ALONE} lower the mean distance by 0.004: this search did not find that.",
        ),
        ({"cost": None}, {}, {}, "The cost of leaving it out was not measured."),
        (
            {"married": ["P", "Q"]},
            {},
            {},
            f"{ALONE} raise the mean distance by 0.40, as S would no longer share the child T with P and Q.",
        ),
        ({"cost": 0}, {}, {}, f"{TIES}, and at least half of the inputs are for it in this direction."),
        ({"cost": 0}, {"forward": 2}, {}, f"{TIES}."),
        ({"cost": 0}, {"forward": 0, "voters": 0}, {}, f"{TIES}."),
        (
            {"cost": 0},
            {"voters": 4, "isSeenByAll": False},
            {},
            f"{TIES}, and at least half of the inputs that have both variables are for it in this direction.",
        ),
        (
            {"cost": 0},
            {"voters": 4, "isSeenByAll": False},
            {"isCounted": False},
            f"{TIES}, and at least half of the weight of those that have both variables is for it in this direction.",
        ),
        (
            {"cost": 0},
            {},
            {"isCounted": False, "measure": "votes"},
            f"{TIES}, and at least half of the votes are for it in this direction.",
        ),
    ],
)
def test_costs_in_words(served, why, arc, problem, expected):
    said = served().evaluate("async all => (await import('/why-in.js')).whyIn(...all)", given(why, arc, problem))
    assert said == [expected, why_in_words.FREE]


def given(why, arc, problem, is_required=False):
    return [WHY | why, ARC | arc, PROBLEM | problem, is_required]


@pytest.mark.parametrize(
    ("rule", "others", "known", "expected"),
    [
        ("v-structure", ["A"], [], f"by the v-structure S {RIGHT} T {LEFT} A."),
        ("new v-structure", ["A"], [], f": if it were reversed, A {RIGHT} S {LEFT} T would be a new v-structure."),
        ("cycle", ["A"], [], f": if it were reversed, it would close a cycle with S {RIGHT} A {RIGHT} T, which are fixed."),
        (
            "cycle or new v-structure",
            ["A", "B"],
            [],
            f": if it were reversed, there would be a cycle or the new v-structure A {RIGHT} S {LEFT} B.",
        ),
        (
            "new v-structure",
            ["A"],
            ["B", "C", "D"],
            f"by the v-structure B {RIGHT} C {LEFT} D: if it were reversed, A {RIGHT} S {LEFT} T would be a new one.",
        ),
    ],
)
def test_directions_in_words(served, rule, others, known, expected):
    ask = "async all => (await import('/why-in.js')).whyIn(...all)"
    why = {"rule": rule, "others": others, "v_structure": known, "cost": -1}
    said = served().evaluate(ask, given(why, {}, {}, is_required=True))
    fixed = "Its direction is fixed" + ("" if expected[0] == ":" else " ") + expected
    assert said == ["The constraints require it.", f"{ALONE} lower the mean distance by 1.00.", fixed]


@pytest.mark.parametrize(
    ("forward", "backward", "is_counted", "expected"),
    [
        (1, 3, True, "It runs against most of the inputs that join the two."),
        (0, 3, True, "It runs against all of the inputs that join the two."),
        (1, 3, False, "It runs against most, by weight, of the inputs that join the two."),
        (0, 0, True, "No input joins the two by an arc."),
    ],
)
def test_arcs_against_the_inputs_in_words(served, forward, backward, is_counted, expected):
    arguments = [ARC | {"forward": forward, "backward": backward}, PROBLEM | {"isCounted": is_counted}]
    assert served().evaluate("async all => (await import('/why-in.js')).whyAgainst(...all)", arguments) == expected
