"""Asking the page, as people do: by mouse, by keyboard, on a phone, with a screen reader; and when it is too large."""

import math
import shlex

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, Network, read
from bnfuse.report.page import page_tables
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, opened_fixture  # noqa: F401
from page_parts import CLINICS, choose, log_of, result, shown, state, strip_of

pytestmark = needs_browser


@pytest.fixture(scope="module", name="clinics_page")
def clinics_page_fixture(tmp_path_factory):
    path = tmp_path_factory.mktemp("evidence") / "clinics.html"
    result("clinics").report(path)
    return path


def bars_of(tab, variable):
    """The shares of the thick bar in a box, and of the thin one."""
    number = result("clinics").dag.variables.index(variable)
    widths = tab.eval_on_selector_all(
        f'[data-v="{number}"] .chances rect', "all => all.map(one => +one.getAttribute('width'))"
    )
    half = len(widths) // 2
    return [np.array(one) / sum(one) for one in (widths[:half], widths[half:])]


@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)])
def test_a_click_on_a_state_asks_what_if(opened, clinics_page, size):
    tab = opened(clinics_page, size)
    network = result("clinics").network
    assert tab.locator(".chances rect").count() == 0
    choose(tab, "Smoker")
    state(tab, "current").click()
    choose(tab, "Cough")
    state(tab, "yes").click()
    given = {"Smoker": "current", "Cough": "yes"}
    probability = f"{math.exp(log_of(network, given)):.3g}"
    assert strip_of(tab).startswith(f"given Smoker = current × Cough = yes × probability {probability} Clear all")
    choose(tab, "COPD")
    before, now = network.query(["COPD"])[0], network.query(["COPD"], given)[0]
    button = state(tab, "yes")
    assert button.locator(".value").inner_text() == shown(now)
    assert button.locator(".change").inner_text() == f"+{100 * (now - before):.1f}"
    assert button.get_attribute("aria-label") == f"yes: {shown(now)} ({shown(before)} without findings)"
    assert button.get_attribute("aria-pressed") == "false"
    assert button.bounding_box()["height"] >= 24
    for variable in network.variables:
        if variable in given:
            continue
        thick, thin = bars_of(tab, variable)
        np.testing.assert_allclose(thick, network.query([variable], given), atol=0.01)
        np.testing.assert_allclose(thin, network.query([variable]), atol=0.01)
    assert tab.locator(".node.found .chances").all_text_contents() == ["= current", "= yes"]
    assert tab.evaluate("document.documentElement.scrollWidth") <= size[0]
    tab.click("#clear")
    assert strip_of(tab).startswith("What if?")
    assert tab.locator(".chances rect, .found, .states [aria-pressed=true]").count() == 0
    assert button.locator(".value").inner_text() == shown(before)


def test_a_finding_changes_and_is_taken_back(opened, clinics_page):
    tab = opened(clinics_page)
    choose(tab, "Smoker")
    state(tab, "current").click()
    state(tab, "never").click()
    assert strip_of(tab).startswith("given Smoker = never × probability")
    state(tab, "never").click()
    assert strip_of(tab).startswith("What if?")
    state(tab, "never").click()
    tab.click(".finding")
    assert strip_of(tab).startswith("What if?")
    assert tab.evaluate("document.activeElement.id") == "evidence"


def test_the_keyboard_alone_can_ask(opened, clinics_page):
    tab = opened(clinics_page)
    network = result("clinics").network
    tab.locator("#net").focus()
    tab.keyboard.press("Tab")
    while not tab.evaluate("document.activeElement.matches('.node')"):
        tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    chosen = tab.locator("#details h3").inner_text()
    for _ in range(60):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.matches('.states button')"):
            break
    label = network.states[chosen][0]
    assert tab.evaluate("document.activeElement.querySelector('.state').textContent") == label
    tab.keyboard.press("Space")
    assert tab.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    prior = network.query([chosen])[0]
    assert tab.locator("#evidence-said").inner_text() == f"Given {chosen} = {label}: probability {prior:.3g}."
    assert tab.locator("#evidence-said").get_attribute("role") == "status"
    choose(tab, "XRay")
    tab.keyboard.press("Tab")
    tab.locator(".finding").focus()
    tab.keyboard.press("Enter")
    assert tab.locator("#evidence-said").inner_text() == "No findings."


@pytest.mark.long
def test_a_screen_reader_hears_what_becomes_of_the_chosen_variable(opened, clinics_page):
    tab = opened(clinics_page)
    network = result("clinics").network
    choose(tab, "Smoker")
    state(tab, "current").click()
    choose(tab, "Cough")
    state(tab, "yes").click()
    choose(tab, "COPD")
    tab.click(".finding >> nth=1")
    given = {"Smoker": "current"}
    expected = "; ".join(
        f"{label}: {shown(now)} ({shown(before)} without findings)"
        for label, now, before in zip(
            network.states["COPD"], network.query(["COPD"], given), network.query(["COPD"]), strict=True
        )
    )
    assert tab.locator("#evidence-said").inner_text().endswith(f" COPD: {expected}.")
    # The same at the pointer.
    number = network.variables.index("COPD")
    tab.hover(f'[data-v="{number}"]')
    told = tab.locator("#tip").inner_text().split("\n")
    assert [told[0], *sorted(told[1:])] == ["COPD", *sorted(expected.split("; "))]


@pytest.mark.long
def test_every_input_stands_beside_the_consensus(opened, clinics_page):
    tab = opened(clinics_page)
    found = result("clinics")
    choose(tab, "Smoker")
    state(tab, "current").click()
    choose(tab, "LungCancer")
    given = {"Smoker": "current"}
    ours = np.array(found.network.query(["LungCancer"], given))
    named = zip(found.problem.names, found.inputs, strict=True)
    answers = {name: np.array(one.query(["LungCancer"], given)) for name, one in named}
    rows = tab.eval_on_selector_all(
        ".answers tbody tr", "all => all.map(row => [...row.children].map(cell => cell.textContent))"
    )
    order = sorted(answers, key=lambda name: -np.abs(answers[name] - ours).max())
    lowest, highest = np.array([*answers.values()]).min(0), np.array([*answers.values()]).max(0)
    assert rows[:3] == [
        ["consensus", *map(shown, ours)],
        ["lowest input", *map(shown, lowest)],
        ["highest input", *map(shown, highest)],
    ]
    assert rows[3:] == [*([name, *map(shown, answers[name])] for name in order)]
    first, yes = order[0], [one[0] for one in answers.values()]
    assert tab.locator(".answers p").first.inner_text() == (
        f"{first} differs most: yes {shown(answers[first][0])}, in the consensus {shown(ours[0])}. "
        f"The inputs range from {shown(min(yes))} to {shown(max(yes))}."
    )


def certain():
    """Rain makes the street wet for sure, and nothing else does; that it is late has to do with neither."""
    dag = DAG(["Rain", "Wet", "Late"], [("Rain", "Wet")])
    states = dict.fromkeys(dag.variables, ("yes", "no"))
    cpts = {"Rain": np.array([0.25, 0.75]), "Wet": np.array([[1.0, 0.0], [0.0, 1.0]]), "Late": np.array([0.5, 0.5])}
    return Network(dag, states, cpts, name="street")


@pytest.mark.long
def test_an_input_without_tables_is_named_and_the_others_answer(opened, tmp_path):
    first, second, third = read(*CLINICS[:3])
    bnfuse.consensus([first, Network(second.dag, name=second.name), third], effort="quick").report(tmp_path / "r.html")
    tab = opened(tmp_path / "r.html")
    choose(tab, "Cough")
    table = tab.locator("table.chances")
    assert set(table.locator("tbody th").all_inner_texts()) == {
        *("consensus", "lowest input", "highest input"),
        *(first.name, third.name),
    }
    assert f"No answer of {second.name}: has no tables." in tab.locator("#details").inner_text()
    assert f"'{second.name}' has no tables and took no part" in tab.locator("#notes").inner_text()


@pytest.mark.long
def test_impossible_findings_are_said_to_be(opened, tmp_path):
    bnfuse.consensus([certain()]).report(tmp_path / "r.html")
    tab = opened(tmp_path / "r.html")
    choose(tab, "Rain")
    state(tab, "yes").click()
    choose(tab, "Wet")
    assert tab.locator(".states .value").all_inner_texts() == ["100\u00a0%", "0\u00a0%"]
    state(tab, "no").click()
    assert "impossible together: given the others, Wet = no has probability 0" in strip_of(tab)
    assert tab.locator("#evidence-said").inner_text().endswith("Wet = no has probability 0.")
    assert tab.locator(".answers .group").first.inner_text() == "The findings cannot all be true"
    assert tab.locator(".states .value").all_inner_texts() == ["–", "–"]
    assert tab.locator(".chances rect").count() == 0
    choose(tab, "Late")
    state(tab, "yes").click()
    assert "impossible together: given those before it, Wet = no has probability 0" in strip_of(tab)
    state(tab, "yes").click()
    tab.click(".finding >> nth=0")
    assert "probability 0.75" in strip_of(tab)


def test_many_findings_on_a_phone_leave_their_probability_in_sight(opened, clinics_page):
    found = "&".join(f"given={name}&is=yes" for name in ("COPD", "Cough", "Dyspnoea", "Pneumonia", "LungCancer"))
    tab = opened(clinics_page, PHONE, at=f"#{found}")
    frame, *told = [tab.locator(one).bounding_box() for one in ("#evidence", ".probable", "#clear")]
    assert tab.evaluate("(one => one.scrollHeight > one.clientHeight)(document.getElementById('evidence'))")
    for box in told:
        assert frame["y"] <= box["y"] < box["y"] + box["height"] <= frame["y"] + frame["height"] + 1


# Above a size


@pytest.mark.long
def test_above_a_size_the_page_says_the_command(opened, tmp_path, monkeypatch, said):
    monkeypatch.setattr(page_tables, "_MOST_IN_CLIQUES", 20)
    network, report = tmp_path / "my nets" / "out.bif", tmp_path / "r.html"
    network.parent.mkdir()
    said("consensus", *CLINICS, "-o", network, "--report", report)
    tab = opened(report)
    choose(tab, "Smoker")
    assert tab.locator(".states .value").count() == 0
    state(tab, "current").click()
    assert strip_of(tab).startswith("given Smoker = current × Clear all")
    choose(tab, "Cough")
    assert "too many for a page to answer by itself" in tab.locator(".answers").inner_text()
    command = tab.locator(".answers code").inner_text()
    assert command == f"bnfuse query '{network}' --given Smoker=current Cough"
    answer = said(*shlex.split(command)[1:])
    expected = read(network)[0].query(["Cough"], {"Smoker": "current"})[0]
    assert f"{expected:.4f}"[:5] in answer
    assert tab.locator(".chances rect").count() == 0


def test_the_words_of_a_command_are_quoted(opened, tmp_path, monkeypatch):
    monkeypatch.setattr(page_tables, "_MOST_TEXT", 5)
    names = ["It's $HOME", "-x"]
    plain = certain()
    states = {names[0]: ("a b", "no"), names[1]: ("yes", "no")}
    odd = Network(
        DAG(names, [tuple(names)]), states, {names[0]: plain.cpts["Rain"], names[1]: plain.cpts["Wet"]}, name="odd"
    )
    bnfuse.consensus([odd]).report(tmp_path / "r.html")
    tab = opened(tmp_path / "r.html")
    choose(tab, names[0])
    state(tab, "a b").click()
    choose(tab, names[1])
    command = tab.locator(".answers code").inner_text()
    assert shlex.split(command) == ["bnfuse", "query", "consensus.bif", "--given", "It's $HOME=a b", "--", "-x"]
    assert "consensus.bif stands for the file" in tab.locator(".answers").inner_text()


@pytest.mark.long
def test_inputs_that_are_too_large_or_unknown_are_left_out_with_a_word(opened, tmp_path, monkeypatch, said):
    said("consensus", *CLINICS, "--save", tmp_path / "r.json")
    said("report", tmp_path / "r.json", "-o", tmp_path / "saved.html")
    tab = opened(tmp_path / "saved.html")
    choose(tab, "Cough")
    assert "Not known: the report was made without the inputs' own tables." in tab.locator(".answers").inner_text()
    monkeypatch.setattr(page_tables, "_MOST_TEXT_OF_INPUTS", 1_000)
    said("consensus", *CLINICS, "--report", tmp_path / "r.html")
    tab = opened(tmp_path / "r.html")
    choose(tab, "Cough")
    numbers = sum(table.size for one in read(*CLINICS) for table in one.cpts.values())
    words = tab.locator(".answers").inner_text()
    assert f"Their tables have {numbers:,} numbers together: too many for this page." in words
    assert tab.locator(".answers code").inner_text() == f"bnfuse query {CLINICS[0]} Cough"
    assert tab.locator(".states .value").count() == 2


def test_a_structure_has_nothing_to_ask(opened, tmp_path):
    bnfuse.consensus([DAG(["A", "B"], [("A", "B")])]).report(tmp_path / "r.html")
    tab = opened(tmp_path / "r.html")
    choose(tab, "A")
    assert not tab.locator("#evidence").is_visible()
    assert tab.locator(".answers").count() == 0
