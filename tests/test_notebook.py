"""What results look like in a notebook: drawn, within the cell, in the theme's colours."""

import re
from pathlib import Path

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, Distribution, Frontier, read
from page_browser import browser_fixture, needs_browser  # noqa: F401

CLINICS = sorted((Path(__file__).parent.parent / "examples" / "clinics").glob("*.bif"))
THEMES = {
    "JupyterLab": ("", 'data-jp-theme-light="false"'),
    "Visual Studio Code": ("", 'class="vscode-dark"'),
    "Colab": ('theme="dark"', ""),
    "documentation": ('data-theme="dark"', ""),
}


@pytest.fixture(scope="module")
def networks():
    return read(*CLINICS)


@pytest.fixture(scope="module")
def frontier(networks):
    return bnfuse.frontier(networks, effort="quick")


def test_a_frontier_is_a_list_that_draws_itself(frontier):
    assert isinstance(frontier, list)
    html = frontier._repr_html_()
    assert html.count("<circle") == len(frontier) > 2
    rows = re.findall("<tr>(.*?)</tr>", html)[1:]
    cells = [re.findall("<td>(.*?)</td>", row) for row in rows]
    assert [cell[:2] for cell in cells] == [[str(one.problem.max_clique), f"{one.distance:.2f}"] for one in frontier]
    assert [int(cell[3]) for cell in cells] == [len(one.dag.edges) for one in frontier]


def test_the_points_of_a_frontier_are_as_high_as_the_distances(networks, frontier):
    for results in (frontier, bnfuse.frontier(networks, max_table=[20, 40, 1000], effort="quick")):
        html = results._repr_html_()
        heights = np.array([192 - float(y) for y in re.findall(r'<circle cx="[\d.]+" cy="([\d.]+)"', html)])
        distances = np.array([one.distance for one in results])
        np.testing.assert_allclose(heights / heights.max(), distances / distances.max(), atol=0.001)
        shaded, line = re.findall(r'<path d="M([^"]*)"', html)[0], re.findall(r'<path d="M([^"]*)"', html)[2]
        stops = 2 * len(results) - 1 if results is not frontier else len(results)  # steps have corners
        assert line.count("L") + 1 == shaded.count("L") == stops


def test_a_frontier_that_reached_nothing_says_so():
    assert "no limit was reached" in Frontier()._repr_html_()


def test_a_query_has_a_bar_as_long_as_each_probability():
    chances = np.array([0.125, 0.5, 0.375])
    html = Distribution(("Fever <b>",), {"Fever <b>": ("none", "mild & more", "high")}, chances)._repr_html_()
    bars = [float(width) for width in re.findall(r'<rect width="([\d.]+)" height="12" fill="#0072b2"', html)]
    np.testing.assert_allclose(np.array(bars) / 140, chances, atol=0.001)
    assert "<th>Fever &lt;b&gt;</th>" in html
    assert "<td>mild &amp; more</td><td>0.5000</td>" in html


def test_a_query_with_many_states_is_cut():
    states = tuple(f"s{i}" for i in range(1000))
    html = Distribution(("A",), {"A": states}, np.full(1000, 0.001))._repr_html_()
    assert html.count("<tr>") == 41
    assert "and 960 more" in html


@needs_browser
def test_pictures_fit_the_cell(browser):
    children = [f"A_child_with_a_long_name_{i}" for i in range(20)]
    wide = DAG(["A", *children], [("A", child) for child in children])
    page = browser.new_page(viewport={"width": 900, "height": 700})
    page.set_content(f'<div id="cell" style="width: 600px">{wide._repr_html_()}</div>')
    natural = float(page.get_attribute("svg", "width"))
    box = page.locator("svg").bounding_box()
    assert natural > 600 >= box["width"]
    assert box["height"] == pytest.approx(float(page.get_attribute("svg", "height")) * box["width"] / natural, abs=1)
    assert page.evaluate("document.querySelector('#cell').scrollWidth") <= 600
    page.close()


@needs_browser
def test_pictures_follow_a_dark_theme(browser, networks, frontier):
    found = bnfuse.consensus(networks, max_clique=3, effort="quick")
    things = [found, found.dag, frontier, found.network.query("Cough")]
    cells = "".join(thing._repr_html_() for thing in things)
    page = browser.new_page()
    seen = {}
    for name, (root, body) in {"light": ("", 'data-jp-theme-light="true"'), **THEMES}.items():
        page.set_content(f"<!doctype html><html {root}><body {body}>{cells}</body></html>")
        seen[name] = page.evaluate(
            "[...document.querySelectorAll(`svg [fill^='#'], svg [stroke^='#']`)].map(one => {"
            " const style = getComputedStyle(one); return [style.fill, style.stroke] })"
        )
    page.close()
    light = seen.pop("light")
    assert "rgb(255, 255, 255)" in {fill for fill, _ in light}
    assert all(dark == seen["JupyterLab"] for dark in seen.values())
    changed = [(one, other) for one, other in zip(light, seen["JupyterLab"], strict=True) if one != other]
    assert len(changed) == len(light)  # every colour that is set has its counterpart
    assert "rgb(255, 255, 255)" not in {fill for fill, _ in seen["JupyterLab"]}
