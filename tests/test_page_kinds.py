"""Asking the page more than hard findings: likelihoods, sets of states, interventions, explanations; beside Python."""

import math
import random
import shlex

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, EvidenceError, Network
from bnfuse.report.page import page_tables
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, opened_fixture, served_fixture  # noqa: F401
from page_parts import choose, modules_of, result, shown, state, strip_of

pytestmark = [needs_browser, pytest.mark.long]

CLOSE = 1e-9
QUESTIONS = 60
MOST = 4  # explanations

# What is known comes as a list of [variable, kind, numbers]; kinds: is, fits, do.
ASK = """async ([questions, most]) => {
    const evidence = await import("/evidence.js");
    const { informative } = await import("/telling-findings.js");
    const { answerOfInput } = evidence;
    const { data } = await import("/page-data.js");
    const finding = { is: (one) => one[0], fits: (all) => all, do: (one) => ({ to: one[0] }) };
    return questions.map(({ known, target }) => {
        evidence.replaceFindings(known.map(([variable, kind, numbers]) => [variable, finding[kind](numbers)]));
        const chances = evidence.chancesOf(target);
        if (!chances) return null;
        return {
            chances: [...chances],
            best: evidence.explanations(most),
            informative: known.some(([variable, kind]) => variable === target) ? null : informative(target),
            input: data.tables.inputs ? answerOfInput(0, target) : {},
        };
    });
}"""


def questions_to(network, seed):
    """Findings of all kinds about up to four variables, most of them possible, and a variable to ask for."""
    chance = random.Random(seed)
    for row in network.sample(QUESTIONS, seed=seed).codes.tolist():
        numbers = chance.sample(range(len(network.variables)), min(5, len(network.variables)))
        known = []
        for number in numbers[: chance.randrange(len(numbers))]:
            size = len(network.states[network.variables[number]])
            kind = chance.choice(["is", "fits", "fits", "do"])
            if kind == "fits":
                weights = [chance.choice([0, 1, 1, round(chance.uniform(0.05, 3), 2)]) for _ in range(size)]
                weights[row[number]] = weights[row[number]] or 1
                if size > 1 and len({*weights}) > 1 and sum(one > 0 for one in weights) > 1:
                    known.append([number, kind, weights])
            else:
                known.append([number, kind, [chance.randrange(size) if kind == "do" else row[number]]])
        yield {"known": known, "target": numbers[-1]}


def in_python(network, known):
    """The same as `given` and `do`."""
    given, do = {}, {}
    for number, kind, numbers in known:
        name = network.variables[number]
        labels = network.states[name]
        if kind == "do":
            do[name] = labels[numbers[0]]
        elif kind == "is":
            given[name] = labels[numbers[0]]
        elif set(numbers) == {0, 1}:
            given[name] = [label for label, weight in zip(labels, numbers, strict=True) if weight]
        else:
            given[name] = dict(zip(labels, numbers, strict=True))
    return given, do


def assert_same_explanations(network, expected, found, known):
    """Of equally probable ones either side may show any."""
    assert len(expected) == len(found)
    logs = [one.log_probability for one in expected]
    np.testing.assert_allclose([one["log"] for one in found], logs, rtol=0, atol=CLOSE)
    fixed = {network.variables[number] for number, kind, _ in known if kind != "fits"}
    for place, (one, own) in enumerate(zip(expected, found, strict=True)):
        apart = [abs(logs[place] - other) for at, other in enumerate(logs) if at != place]
        if place < len(logs) - 1 and min(apart, default=1) > 1e-6:
            states = {name: network.states[name][own["states"][i]] for i, name in enumerate(network.variables)}
            assert {name: label for name, label in states.items() if name not in fixed} == dict(one.states)


@pytest.mark.parametrize("name", ["clinics", "alarm", "mildew"])
def test_the_page_answers_every_kind_as_python_does(served, name):
    found = result(name)
    network = found.network
    questions = list(questions_to(network, seed=3))
    assert {kind for one in questions for _, kind, _ in one["known"]} == {"is", "fits", "do"}
    answers = served(modules_of(found)).evaluate(ASK, [questions, MOST])
    possible = 0
    for question, answer in zip(questions, answers, strict=True):
        given, do = in_python(network, question["known"])
        target = network.variables[question["target"]]
        if answer is None:
            with pytest.raises(EvidenceError):
                network.query(target, given, do=do)
            continue
        possible += 1
        np.testing.assert_allclose(answer["chances"], network.query(target, given, do=do), rtol=0, atol=CLOSE)
        expected = network.most_probable(given, k=MOST, do=do)
        assert_same_explanations(network, expected, answer["best"], question["known"])
        if "chances" in answer["input"]:
            own = found.inputs[0].query(target, given, do=do)
            np.testing.assert_allclose(answer["input"]["chances"], own, rtol=0, atol=CLOSE)
        if answer["informative"] is not None:
            bits = {network.variables[one["variable"]]: one["bits"] for one in answer["informative"]}
            told = {one.variable: one.mutual_information for one in network.informative(target, given, do=do)}
            assert bits == pytest.approx(told, abs=CLOSE)
    assert possible > QUESTIONS / 2


@pytest.fixture(scope="module", name="clinics_page")
def clinics_page_fixture(tmp_path_factory):
    path = tmp_path_factory.mktemp("kinds") / "clinics.html"
    result("clinics").report(path)
    return path


def kind(tab, text):
    tab.locator(".kinds select").select_option(label=text)


def values(tab):
    return tab.locator(".states .value").all_inner_texts()


def assert_effect(tab, variable, given, causes):
    """Of smoking instead of never smoking, in points, and on the sign of which the inputs agree."""
    choose(tab, variable)

    def effect_in(network):
        now, then = (network.query(variable, given, do={"Smoker": one}) for one in ("current", "never"))
        return 100 * (now["yes"] - then["yes"])

    found = result("clinics")
    theirs = [effect_in(one) for one in found.inputs]
    said = tab.locator(".effect").nth(causes.index("never")).inner_text()
    own, inputs = said.split("; ", 1)
    assert own == f"Instead of never: yes {effect_in(found.network):+.1f}"
    least, most = (f"{one:+.1f}" if abs(one) > 1e-10 else "0.0" for one in (min(theirs), max(theirs)))
    assert inputs.startswith(f"inputs {least} to {most}: ")
    return inputs


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_each_kind_of_finding_by_hand(opened, clinics_page, size):
    tab = opened(clinics_page, size)
    network = result("clinics").network
    # Ruled out: the others are left.
    choose(tab, "Smoker")
    kind(tab, "ruled out")
    state(tab, "never").click()
    assert state(tab, "never").get_attribute("aria-pressed") == "true"
    assert strip_of(tab).startswith("given Smoker not never × probability")
    left = [one for one in network.states["Smoker"] if one != "never"]
    assert values(tab) == [shown(one) if one else "0\u00a0%" for one in network.query("Smoker", {"Smoker": left})]
    assert tab.locator(".node.weighed").count() == 1
    # All ruled out.
    for label in left:
        state(tab, label).click()
    assert "impossible: every state of Smoker is ruled out" in strip_of(tab)
    for label in ("never", *left):
        state(tab, label).click()
    assert strip_of(tab).startswith("What if?")
    # Likelihoods.
    choose(tab, "Cough")
    kind(tab, "weighed (likelihoods)")
    field = tab.locator(".states input").first
    field.fill("3")
    field.press("Enter")
    given = {"Cough": {"yes": 3, "no": 1}}
    assert strip_of(tab).startswith("given Cough = yes:3, no:1 × Clear all")
    assert values(tab) == [*map(shown, network.query("Cough", given))]
    field.fill("-1")
    field.press("Enter")
    assert strip_of(tab).startswith("given Cough = yes:3, no:1 × Clear all")
    # Set, beside what was weighed; and the inputs beside the consensus.
    choose(tab, "Smoker")
    kind(tab, "set from outside (do)")
    assert "Only right where arcs are causes" in tab.locator(".answers").inner_text()
    state(tab, "current").click()
    assert "do Smoker = current ×" in strip_of(tab)
    assert tab.locator(".node.found .chances").all_text_contents() == ["do current"]
    choose(tab, "COPD")
    do = {"Smoker": "current"}
    now = network.query("COPD", given, do=do)
    assert values(tab) == [*map(shown, now)]
    endings = [assert_effect(tab, name, given, network.states["Smoker"]) for name in ("COPD", "LungCancer")]
    assert [one.partition(": ")[2] for one in endings] == ["all agree on the sign.", "harbour sees no effect."]
    assert tab.evaluate("document.documentElement.scrollWidth") <= size[0]
    # A known state becomes one that is set, and back.
    choose(tab, "Smoker")
    kind(tab, "known")
    assert "× Smoker = current ×" in strip_of(tab)


def test_steps_are_undone_and_done_again(opened, clinics_page):
    tab = opened(clinics_page)
    choose(tab, "Smoker")
    state(tab, "current").click()
    kind(tab, "set from outside (do)")
    choose(tab, "Cough")
    state(tab, "yes").click()
    seen = []
    for _ in range(3):
        seen.append(tab.locator(".finding span").all_inner_texts())
        tab.click("#undo-finding")
    assert seen == [["do Smoker = current", "Cough = yes"], ["do Smoker = current"], ["Smoker = current"]]
    assert strip_of(tab).startswith("What if?")
    assert tab.locator("#undo-finding").get_attribute("aria-disabled") == "true"
    tab.keyboard.press("Control+Shift+z")
    tab.keyboard.press("Control+y")
    assert strip_of(tab).startswith("given do Smoker = current ×")
    tab.keyboard.press("Control+z")
    assert strip_of(tab).startswith("given Smoker = current ×")
    # Something new cannot be done again.
    tab.click("#clear")
    assert tab.locator("#redo-finding").get_attribute("aria-disabled") == "true"


def test_bars_before_any_finding_and_the_address(opened, clinics_page):
    tab = opened(clinics_page)
    network = result("clinics").network
    tab.click("#all-boxes")
    assert tab.locator(".node .chances").count() == len(network.variables)
    widths = tab.eval_on_selector_all('[data-v="0"] .chances rect', "all => all.map(one => +one.getAttribute('width'))")
    np.testing.assert_allclose(np.array(widths) / sum(widths), network.query(network.variables[0]), atol=0.01)
    assert tab.evaluate("document.activeElement.id") == "all-boxes"
    choose(tab, "Smoker")
    kind(tab, "ruled out")
    state(tab, "never").click()
    choose(tab, "Cough")
    kind(tab, "set from outside (do)")
    state(tab, "no").click()
    cut = tab.eval_on_selector_all(".arc.cut", "all => all.map(one => +one.dataset.a)")
    number, many = network.variables.index("Cough"), len(network.variables)
    parents = [network.variables.index(name) for name in network.dag.parents("Cough")]
    assert sorted(cut) == sorted(parent * many + number for parent in parents)
    choose(tab, "XRay")
    tab.evaluate("new Promise(done => setTimeout(done, 400))")  # browsers slow down addresses that change often
    at = tab.evaluate("location.hash")
    assert "bars=all" in at
    other = opened(clinics_page, at=at)
    assert strip_of(other) == strip_of(tab)
    assert other.locator("#details").inner_text() == tab.locator("#details").inner_text()
    other.click("#clear")
    assert other.locator("#all-boxes").is_checked()


def test_the_most_probable_states_and_what_would_tell_most(opened, clinics_page):
    tab = opened(clinics_page)
    network = result("clinics").network
    choose(tab, "Cough")
    state(tab, "yes").click()
    tab.click("#likeliest-button")
    best = network.most_probable({"Cough": "yes"}, k=3)
    head = tab.locator("#likeliest thead th").all_inner_texts()
    assert head == [f"{one.probability:.3g}" for one in best]
    rows = tab.eval_on_selector_all(
        "#likeliest tbody tr", "all => all.map(row => [...row.children].map(cell => cell.textContent))"
    )
    open_ones = [name for name in network.variables if name != "Cough"]
    assert rows == [[name, *(one.states[name] for one in best)] for name in open_ones]
    tab.keyboard.press("Escape")
    assert not tab.locator("#likeliest").is_visible()
    choose(tab, "LungCancer")
    tab.click(".telling summary")
    told = network.informative("LungCancer", {"Cough": "yes"})
    tab.locator(".telling li").first.wait_for()
    names = tab.locator(".telling .state").all_inner_texts()
    assert names == [one.variable for one in told[:5]]
    shares = tab.locator(".telling .value").all_inner_texts()
    assert [float(one.split("\u00a0")[0].removeprefix("under ")) for one in shares] == pytest.approx(
        [max(0.1, 100 * one.reduction) for one in told[:5]], abs=0.051
    )
    tab.click(".telling button")
    assert tab.locator("#details h3").inner_text() == told[0].variable
    assert tab.locator(".telling[open]").count() == 1


@pytest.mark.filterwarnings("ignore:GeNIe may refuse")
def test_a_command_answers_what_the_page_cannot(opened, tmp_path, monkeypatch, said):
    monkeypatch.setattr(page_tables, "_MOST_IN_CLIQUES", 2)
    names = ["Stage", "Sign", "Cure"]
    states = {"Stage": ("I,II", "III:a", "IV"), "Sign": ("yes", "no"), "Cure": ("yes", "no")}
    cpts = {
        "Stage": np.array([0.5, 0.3, 0.2]),
        "Sign": np.array([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]]),
        "Cure": np.array([[0.9, 0.1], [0.3, 0.7]]),
    }
    network = Network(DAG(names, [("Stage", "Sign"), ("Sign", "Cure")]), states, cpts, name="odd")
    found = bnfuse.consensus([network])
    bnfuse.write(found.network, tmp_path / "consensus.xdsl")
    found.report(tmp_path / "r.html")
    tab = opened(tmp_path / "r.html", at="#given=Stage&fits=1,1,0&given=Sign&fits=3,1&do=Cure&is=yes&variable=Stage")
    words = shlex.split(tab.locator(".answers code").inner_text())
    assert words[3:] == [
        *("--given", r"Stage=I\,II,III\:a", "--given", "Sign=yes:3,no:1", "--do", "Cure=yes", "Stage"),
    ]
    answer = said("query", tmp_path / "consensus.xdsl", *words[3:])
    given = {"Stage": ["I,II", "III:a"], "Sign": {"yes": 3, "no": 1}}
    for chance in found.network.query("Stage", given, do={"Cure": "yes"})[:2]:
        assert f"{chance:.4f}" in answer
    # No number for each state, yet all that can be said.
    assert tab.locator(".states .value").count() == 0
    assert strip_of(tab).startswith("given Stage not IV × Sign = yes:3, no:1 × do Cure = yes × Clear all")


def test_findings_that_contradict_what_was_set(opened, tmp_path):
    dag = DAG(["Rain", "Wet"], [("Rain", "Wet")])
    states = dict.fromkeys(dag.variables, ("yes", "no"))
    cpts = {"Rain": np.array([0.25, 0.75]), "Wet": np.array([[1.0, 0.0], [0.0, 1.0]])}
    bnfuse.consensus([Network(dag, states, cpts, name="street")]).report(tmp_path / "r.html")
    tab = opened(tmp_path / "r.html", at="#given=Wet&is=no&do=Rain&is=yes&variable=Wet")
    assert "impossible together: given the others, Wet = no has probability 0" in strip_of(tab)
    assert tab.locator("#likeliest-button").count() == 0
    tab.evaluate("location.hash = '#do=Wet&is=no&given=Rain&is=yes&given=Rain&fits=1,x'")
    tab.wait_for_selector(".node.found >> text=do no")
    assert math.isclose(0.25, float(strip_of(tab).partition("probability ")[2].split()[0]))
