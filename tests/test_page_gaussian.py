"""The report of a Gaussian consensus: what the page answers, beside `GaussianNetwork.query`, and how it is asked."""

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, GaussianNetwork
from bnfuse.inference.gaussian.pooling import pool
from gaussian_oracle import random_network
from packed_tables import plain_data
from page_browser import PHONE, browser_fixture, needs_browser, opened_fixture, served_fixture  # noqa: F401
from page_parts import choose, modules_of, strip_of

ASK = """async (questions) => {
    const own = await import("/number-findings.js");
    const { data } = await import("/page-data.js");
    return questions.map(({ given, settings }) => {
        own.forgetValues();
        const know = (all, isSet) => Object.entries(all).forEach(([name, value]) =>
            own.knowValue(data.variables.indexOf(name), { value, isSet }));
        know(given, false);
        know(settings, true);
        return {
            consensus: data.variables.map((_, variable) => own.answerOf(variable)),
            inputs: data.inputs.map((_, i) => data.variables.map((_, variable) => own.valueOfInput(i, variable))),
            impossible: own.impossibleValue(),
        };
    });
}"""


def wards():
    random = np.random.default_rng(3)
    return [random_network(random, 7, name=name) for name in ("north", "south", "west")]


def questions_to(network, count):
    random = np.random.default_rng(4)
    for _ in range(count):
        names = random.permutation(network.variables).tolist()
        known, settings = names[: random.integers(0, 4)], names[4 : 4 + random.integers(0, 3)]
        yield {
            "given": {name: random.normal(0, 5) for name in known},
            "settings": {name: random.normal(0, 5) for name in settings},
        }


@needs_browser
def test_the_page_answers_as_python_does(served):
    networks = wards()
    result = bnfuse.consensus(networks)
    questions = list(questions_to(result.network, 60))
    for question, found in zip(questions, served(modules_of(result)).evaluate(ASK, questions), strict=True):
        for own, answers in zip([result.network, *networks], [found["consensus"], *found["inputs"]], strict=True):
            expected = own.query(result.dag.variables, question["given"], do=question["settings"])
            scale = float(np.abs(expected.mean).max()) + 1
            assert [one["mean"] for one in answers] == pytest.approx(expected.mean, abs=1e-9 * scale)
            assert [one["sd"] for one in answers] == pytest.approx(expected.sd, abs=1e-9 * scale)


@needs_browser
def test_values_that_cannot_be_are_told(served):
    dag = DAG.from_edges([("A", "B"), ("A", "C")])
    network = GaussianNetwork(dag, {"A": 1, "B": 2, "C": 0}, {"B": {"A": 2}, "C": {"A": 1}}, {"A": 1, "B": 0, "C": 1})
    tab = served(modules_of(bnfuse.consensus([network])))
    questions = [{"given": {"A": 2, "B": value}, "settings": {}} for value in (6, 7)]
    possible, impossible = tab.evaluate(ASK, questions)
    assert possible["impossible"] is None
    assert possible["consensus"][2] == {"mean": 2, "sd": 1}
    assert impossible["impossible"] == 1
    assert "impossible: B cannot have this value" in strip_of(tab)


@needs_browser
@pytest.mark.parametrize("size", [(1440, 900), PHONE])
def test_a_reader_gives_values_and_takes_them_back(opened, tmp_path, size):
    networks = wards()
    result = bnfuse.consensus(networks)
    result.report(tmp_path / "report.html")
    page = opened(tmp_path / "report.html", size)
    first, second = result.dag.edges[0]
    assert strip_of(page).startswith("What if? Choose a variable")
    choose(page, first)
    page.locator("#details input[type=number]").fill("2.5")
    page.locator("#details input[type=number]").press("Enter")
    assert strip_of(page) == f"given {first} = 2.5 × Clear all"
    choose(page, second)
    expected = result.query(second, {first: 2.5})
    assert (
        f"{float(f'{expected.mean:.4g}'):g} ±".replace("-", "\u2212") in page.locator("#details .answers").inner_text()
    )
    assert page.locator("#details .density path.before").count() == 1
    assert page.locator("#details tbody tr").count() == 1 + len(networks)
    choose(page, first)
    page.locator("#details input[type=checkbox]").check()
    assert strip_of(page) == f"given do {first} = 2.5 × Clear all"
    page.locator("#details input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    assert "do " in strip_of(page)
    page.locator("#evidence .finding").click()
    assert strip_of(page).startswith("What if?")
    assert page.locator("#net .node .chances text").count() == len(result.dag.variables)


def test_the_page_has_the_numbers_of_all(tmp_path):
    networks = wards()
    result = bnfuse.consensus(networks)
    result.report(tmp_path / "report.html")
    own = plain_data((tmp_path / "report.html").read_text())["numbers"]
    assert own["consensus"]["intercepts"] == [result.network.intercepts[name] for name in result.dag.variables]
    assert len(own["inputs"]["rows"]) == 3
    bnfuse.consensus([network.dag for network in networks]).report(tmp_path / "bare.html")
    assert plain_data((tmp_path / "bare.html").read_text())["numbers"] is None


@needs_browser
def test_the_tables_of_a_page_have_the_numbers_and_no_states(opened, tmp_path):
    result = bnfuse.consensus(wards())
    result.report(tmp_path / "report.html")
    page = opened(tmp_path / "report.html")
    rows = page.locator("#parameters tbody tr")
    assert rows.count() == len(result.dag.variables)
    first, second = result.dag.edges[0]
    own = rows.nth(result.dag.variables.index(second)).inner_text().replace("\u2212", "-")
    assert f"{first} {float(f'{result.network.coefficients[second][first]:.4g}'):g}" in own
    assert f"{float(f'{result.network.deviations[second]:.4g}'):g}" in own
    assert "states" not in page.locator("#clique-table").inner_text()
    assert "probability tables" not in page.locator("#parameters").inner_text()


POOL = """async ([weights, parents]) => {
    const { numbers } = await import("/number-findings.js");
    const { pooledNumbers } = await import("/pooled-numbers.js");
    return pooledNumbers(numbers.inputs, weights, parents);
}"""


@needs_browser
def test_a_page_that_solves_again_pools_as_python_does(served):
    networks = wards()
    result = bnfuse.consensus(networks)
    tab = served(modules_of(result))
    for seed, weights in enumerate(([1, 1, 1], [2, 0, 3], [0, 1, 0])):
        dag = random_network(np.random.default_rng(seed), 7).dag
        parents = [[dag.variables.index(parent) for parent in dag.parents(name)] for name in dag.variables]
        found = tab.evaluate(POOL, [weights, parents])
        wanted = pool(dag, networks, weights).network
        assert isinstance(wanted, GaussianNetwork)
        assert found["intercepts"] == pytest.approx([wanted.intercepts[name] for name in dag.variables], abs=1e-9)
        assert found["deviations"] == pytest.approx([wanted.deviations[name] for name in dag.variables], abs=1e-9)
        for name, own in zip(dag.variables, found["coefficients"], strict=True):
            assert own == pytest.approx([*wanted.coefficients[name].values()], abs=1e-9)
