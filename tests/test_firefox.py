"""Pages that solve again, in Firefox: the same networks, distances and bounds as in Chromium and as bnfuse finds."""

import json
import random
from urllib.parse import quote

import pytest

import bnfuse
from bnfuse import read
from bnfuse.report.browser import browser_page
from bnfuse.report.solver.parts import kernel
from firefox import firefox_fixture, needs_firefox, site_of_modules  # noqa: F401
from page_parts import CLINICS
from page_questions import assert_same_answers, assert_same_on_try_page, benchmark, try_page

pytestmark = [
    needs_firefox,
    pytest.mark.long,
    pytest.mark.skipif(kernel() is None, reason="bnfuse was built without ziglang: its pages do not solve again"),
]


@pytest.mark.parametrize("effort", ["quick", "normal"])
def test_the_page_finds_what_bnfuse_finds(firefox, effort):
    rng, count = random.Random(effort), 120 if effort == "quick" else 15
    with site_of_modules("<!doctype html><title>modules</title>") as address:
        firefox.open(address)
        assert_same_answers(firefox, read(*CLINICS), rng, count, effort)
        assert_same_answers(firefox, benchmark("alarm", 20, rng), rng, count, effort)
        assert_same_answers(firefox, benchmark("insurance", 10, rng), rng, count, effort)


def test_the_empty_page_finds_what_bnfuse_finds(firefox):
    with site_of_modules(try_page()) as address:
        firefox.open(address)
        assert_same_on_try_page(firefox, read(*CLINICS), random.Random(20), 30)


SHOWN = """async () => {
  const state = document.getElementById("again-state");
  while (!/^Solved again.*[^…]$/.test(state.textContent)) await new Promise(requestAnimationFrame);
  return [state.textContent, document.querySelector("#facts dd").textContent];
}"""


def test_a_report_opened_from_a_file_solves_again(firefox, tmp_path):
    networks = read(*CLINICS)
    bnfuse.consensus(networks).report(tmp_path / "report.html")
    asked = {"limit": 3, "metric": "shd", "off": ["harbour"]}
    firefox.open((tmp_path / "report.html").as_uri() + "#ask=" + quote(json.dumps(asked)))
    said, distance = firefox.evaluate(SHOWN)
    found = bnfuse.consensus(networks, 3, "shd", weights={"harbour": 0})
    assert "without harbour; cliques of at most 3; SHD" in said
    assert distance.startswith(f"{found.distance:.2f}")


DROPPED = """async (files) => {
  const carried = new DataTransfer();
  for (const [name, text] of files) carried.items.add(new File([text], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
  while (document.getElementById("line").dataset.state !== "answered") await new Promise(requestAnimationFrame);
  const { facts } = JSON.parse(document.getElementById("data").textContent);
  return [document.getElementById("headline").textContent, facts];
}"""


def test_files_dropped_on_the_empty_page_become_a_consensus(firefox, tmp_path):
    browser_page.write_page(tmp_path / "bnfuse.html")
    firefox.open((tmp_path / "bnfuse.html").as_uri())
    headline, facts = firefox.evaluate(DROPPED, [(path.name, path.read_text("utf-8")) for path in CLINICS])
    found = bnfuse.consensus(read(*CLINICS))
    assert headline == "5 networks, one consensus: 14 arcs, proven optimal"
    assert facts["distance"] == pytest.approx(found.distance, abs=1e-12)
    assert facts["bound"] == pytest.approx(found.lower_bound, abs=1e-12)
