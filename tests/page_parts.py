"""How tests read a report in the browser, and consensus networks that several of them open."""

import json
import random
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, Network, networks, read
from bnfuse.inference.queries import log_likelihood
from bnfuse.report.page import page as page_module
from bnfuse.report.summary import Summary
from packed_tables import with_plain_data

CLINICS = sorted((Path(__file__).parent.parent / "examples" / "clinics").glob("*.bif"))

FRAMES = 10_800  # for which something is waited for: about three minutes, and longer where the machine is busy


def wait_until(page, condition):
    """Playwright's own waiting evaluates text, which the page's policy rightly forbids; what never comes fails."""
    look = f"look = left => {condition} ? done() : left ? requestAnimationFrame(() => look(left - 1)) : fail(words)"
    page.evaluate(f"words => new Promise((done, fail) => {{ const {look}; look({FRAMES}) }})", condition)


def node_places(page):
    return page.evaluate(
        "[...document.querySelectorAll('.node rect')].map(r => { const b = r.getBoundingClientRect();"
        " return [b.x, b.y, b.width, b.height].map(Math.round) })"
    )


def variables_of(page):
    return page.evaluate("JSON.parse(document.getElementById('data').textContent).variables")


def code_of(page, source, target):
    names = variables_of(page)
    return names.index(source) * len(names) + names.index(target)


def arcs_shown(page, selector="[data-a]"):
    names = variables_of(page)
    codes = page.eval_on_selector_all(selector, "all => all.map(one => +one.dataset.a)")
    return [(names[code // len(names)], names[code % len(names)]) for code in codes]


def middle_of(page, code):
    """A point on an arc that no box covers."""
    return page.evaluate(
        """code => {
            const path = document.querySelector(`[data-a="${code}"] .line`);
            for (const share of [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]) {
                const at = path.getPointAtLength(path.getTotalLength() * share).matrixTransform(path.getScreenCTM());
                const top = document.elementFromPoint(at.x, at.y);
                if (top && top.closest(`[data-a="${code}"]`)) return [at.x, at.y];
            }
            return null;
        }""",
        code,
    )


def ensemble(name, inputs=4, lost=4):
    """Copies of a benchmark network, each without a few of its arcs."""
    if not networks.available([name]):
        pytest.skip(f"the network {name} is not here")
    base = networks.load(name)
    chance = random.Random(name)
    copies = [chance.sample(base.dag.edges, len(base.dag.edges) - lost) for _ in range(inputs)]
    return base, [Network(DAG(base.variables, arcs), base.states, name=f"copy {i}") for i, arcs in enumerate(copies)]


def fitted(name, **limits):
    base, copies = ensemble(name)
    return bnfuse.consensus(copies, effort="quick", **limits).fit(base.sample(1_000, seed=3))


@cache
def result(name):
    if name == "clinics":
        return bnfuse.consensus(read(*CLINICS))
    return fitted(name, max_clique=2 if name == "mildew" else 4)


def modules_of(found):
    """A page whose modules stand apart, so that a test can ask them for numbers that are not rounded."""
    html = re.sub(r"<meta http-equiv[^>]*>", "", with_plain_data(page_module.page(Summary(found))))
    before, _, rest = html.rpartition("<script>")
    return f'{before}<script type="module" src="/main.js"></script>{rest.partition("</script>")[2]}'


def log_of(network, given):
    codes = np.full((1, len(network.variables)), -1)
    for name, label in given.items():
        codes[0, network.variables.index(name)] = network.states[name].index(label)
    return log_likelihood(network, codes)


def choose(tab, variable):
    tab.fill("#search", variable)
    tab.keyboard.press("Enter")
    assert tab.locator("#details h3").inner_text() == variable


def state(tab, label):
    return tab.locator(".states button", has=tab.locator(f'.state:text-is("{label}")'))


def strip_of(tab):
    return " ".join(tab.locator("#evidence").inner_text().split())


def shown(value):
    """A probability in percent, as the page writes it."""
    digits = 2 if value < 0.01 or value > 0.99 else 1
    return f"{100 * value:.{digits}f}\u00a0%"


# Every text, label and plot of the page; what is said of each variable and of each arc that is shown, and with which
# line. Only where the variables stand, and so the ways of the arcs, may differ; and contested decisions are solved for
# the limit of a report alone.
EVERYTHING = """() => {
    document.getElementById("contested-card").hidden = true;
    const press = (one, key) => one.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const details = (one) => { press(one, "Enter"); return document.getElementById("details").innerText; };
    const labels = [...document.querySelectorAll("main [aria-label]")].map((one) => one.getAttribute("aria-label"));
    const plots = [...document.querySelectorAll("main .plot")].map((one) => one.innerHTML);
    const shown = [...document.querySelectorAll("#arcs .arc")].map((one) =>
        [one.dataset.a, one.getAttribute("class"), one.querySelector(".line").style.strokeWidth]);
    const texts = [...document.querySelectorAll("main section")].map((one) => one.innerText);
    const variables = [...document.querySelectorAll("#net .node")].map(details);
    const arcs = [...document.querySelectorAll("#arcs .arc")].map(details);
    press(document.getElementById("net"), "Escape");
    return { title: document.title, texts, labels, plots, shown, variables, arcs };
}"""


def to_limit(page, place):
    """As a reader moves the slider."""
    page.locator("#limit").fill(str(place))


def assert_same_as_alone(opened, folder, found, steps):
    found.with_frontier(steps).report(folder / "live.html")
    page = opened(folder / "live.html")
    stops = {step.problem.max_table or step.problem.max_clique: step for step in (*steps, found)}
    assert page.get_attribute("#limit", "max") == str(len(stops) - 1)
    said = {}
    for place in (*range(len(stops)), 0):  # and back
        to_limit(page, place)
        now = page.evaluate(EVERYTHING)
        assert said.setdefault(place, now) == now
    for place, limit in enumerate(sorted(stops)):
        alone = folder / f"{limit}.html"
        with pytest.MonkeyPatch.context() as patch:
            if stops[limit] is not found:  # disputes are solved for the report's own limit
                patch.setattr(page_module, "disputes", lambda *_, **__: None)
            stops[limit].with_frontier(steps).report(alone)
        assert said[place] == opened(alone).evaluate(EVERYTHING)
    assert len({json.dumps(one) for one in said.values()}) == len(stops)
