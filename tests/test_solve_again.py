"""Pages that solve again: the kernel as WebAssembly finds what bnfuse finds, to the last digit."""

import itertools
import json
import random
import re
import shlex
from fractions import Fraction
from urllib.parse import quote

import pytest

import bnfuse
from bnfuse import DAG, read
from bnfuse.fusion.weights import exact_weights, whole_weights
from bnfuse.report.page.page import page
from bnfuse.report.solver import question as question_module
from bnfuse.report.solver.parts import kernel
from bnfuse.report.summary import Summary
from page_browser import (  # noqa: F401
    browser_fixture,
    needs_browser,
    opened_fixture,
    saved_from_menu,
    served_fixture,
)
from page_parts import CLINICS, wait_until
from page_questions import (
    asked_of_bnfuse,
    asked_of_page,
    assert_same_answers,
    benchmark,
    perturbed,
    random_question,
    solver_parts,
)

pytestmark = [
    needs_browser,
    pytest.mark.skipif(kernel() is None, reason="bnfuse was built without ziglang: its pages do not solve again"),
]


def test_the_page_finds_what_bnfuse_finds(served):
    assert_same_answers(served(), read(*CLINICS), random.Random(39), 8, "quick")


@pytest.mark.long
@pytest.mark.parametrize("effort", ["quick", "normal"])
def test_the_page_finds_what_bnfuse_finds_for_many_questions(served, effort):
    rng, count = random.Random(effort), 120 if effort == "quick" else 15
    answered = assert_same_answers(served(), read(*CLINICS), rng, count, effort)
    answered += assert_same_answers(served(), benchmark("alarm", 20, rng), rng, count, effort)
    answered += assert_same_answers(served(), benchmark("insurance", 10, rng), rng, count, effort)
    assert answered > 2 * count


def test_the_page_finds_what_bnfuse_finds_for_more_variables_than_a_word_has_bits(served):
    rng = random.Random(70)
    names = [f"v{i}" for i in range(70)]
    base = DAG(names, [(names[i], names[rng.randrange(i + 1, 70)]) for i in range(69)])
    assert_same_answers(served(), [perturbed(base, rng) for _ in range(5)], rng, 3, "quick")


def test_rules_may_be_said_twice(served):
    networks = read(*CLINICS)
    arc = networks[0].dag.edges[0]
    rng = random.Random(2)
    question = random_question(networks, rng) | {"required": [arc, arc], "forbidden": [], "limit": 2, "maxParents": 1}
    question |= {"tiers": [], "maxTable": None, "directions": None}
    expected = asked_of_bnfuse(networks, question, "quick")
    assert expected is not None
    assert asked_of_page(served(), [question], "quick") == [expected]


def test_weights_become_the_same_whole_numbers(served):
    cases = [["1", "1"], ["0.5", "2"], ["0.1", "0.25", "3"], ["0", "7"], ["1/3", "2/3", "1"], ["10.50", "0.0001"]]
    texts = served().evaluate(
        "async cases => { const { wholeWeights } = await import('/exact-weights.js');"
        " return cases.map(one => wholeWeights(one).map(String)) }",
        cases,
    )
    names = ["a", "b", "c"]
    for case, found in zip(cases, texts, strict=True):
        exact = exact_weights([Fraction(one) for one in case], names[: len(case)])
        assert tuple(map(int, found)) == whole_weights(exact)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"required": [["A", "B"]], "forbidden": [["A", "B"]]}, "arc A → B is both required and forbidden"),
        ({"required": [["A", "B"], ["B", "C"], ["C", "A"]]}, "the required arcs form a cycle"),
        (
            {"required": [["C", "A"]], "tiers": [["A"], ["C"]]},
            "arc C → A is required, but goes from a later tier to an earlier one",
        ),
        (
            {"required": [["C", "A"]], "directions": "seen"},
            "arc C → A is required, but no input has it in that direction",
        ),
        (
            {"required": [["A", "C"], ["B", "C"]], "limit": 2},
            "C and its 2 required parents are a clique over the limit",
        ),
        ({"maxTable": 1}, "a limit of 1 on clique tables is too small, as A alone has 2 states"),
        ({"inputs": [{"name": "one", "weight": "-1", "arcs": []}]}, "a weight must be a number of at least 0; got -1"),
        ({"inputs": [{"name": "one", "weight": "0", "arcs": []}]}, "at least one weight must be above 0"),
        ({"inputs": [{"name": "one", "weight": "1", "arcs": [["A", "Z"]]}]}, "unknown variable Z"),
        ({"inputs": [{"name": "one", "weight": "1", "arcs": [["A", "B"], ["B", "A"]]}]}, "the arcs form a cycle"),
        (
            {"variables": [f"v{i}" for i in range(2049)]},
            "the search of a page takes at most 2,048 variables; for more, use the installed program",
        ),
        ({"inputs": [], "variables": []}, "at least one weight must be above 0"),
        ({"metric": "fsim"}, "the distance must be smhd or shd here; got fsim"),
    ],
)
def test_a_question_that_contradicts_itself_is_refused_in_a_sentence(served, change, why):
    question = {
        "variables": ["A", "B", "C"],
        "inputs": [{"name": "one", "weight": "1", "arcs": [["A", "B"], ["A", "C"]]}],
        "states": [2, 2, 2],
        "metric": "smhd",
        **change,
    }
    assert asked_of_page(served(), [question], "quick") == [why]


def large_question():
    rng = random.Random(5)
    names = [f"v{i}" for i in range(60)]
    base = DAG(names, [(names[i], names[rng.randrange(i + 1, 60)]) for i in range(59)])
    return random_question([perturbed(base, rng) for _ in range(9)], rng) | {
        "limit": 6,
        "maxTable": None,
        "required": [],
        "forbidden": [],
        "tiers": [],
        "maxParents": None,
        "directions": "any",
        "metric": "smhd",
    }


def test_a_newer_question_ends_the_work_for_an_older_one_and_stop_gives_the_best_so_far(served):
    tab = served()
    found = tab.evaluate(
        """async ([worker, kernel, question]) => {
          const { startSolver } = await import("/solver.js");
          const solver = startSolver(worker, kernel);
          const first = solver.solve(question, () => {}, ["thorough"]);
          const kinds = [];
          const second = solver.solve({ ...question, limit: 3 }, (event) => {
            kinds.push(event.kind);
            if (event.kind === "progress") solver.stop();
          }, ["thorough"]);
          const answers = [await first, await second];
          solver.end();
          const { isStopped, clique, distance, bound } = answers[1];
          return [answers[0], isStopped, clique, distance >= bound, kinds[0]];
        }""",
        [*solver_parts(60), large_question()],
    )
    assert found == [None, True, 3, True, "progress"]


def test_a_search_that_is_stopped_at_once_takes_nothing_away(served):
    found = served().evaluate(
        """async ([worker, kernel, question]) => {
          const { startSolver } = await import("/solver.js");
          const solver = startSolver(worker, kernel);
          const answers = [];
          const last = await solver.solve(question, (event) => {
            if (event.kind !== "answer") return;
            answers.push(event);
            solver.stop();
          }, ["quick", "thorough"]);
          solver.end();
          return [answers.length, last.isStopped, last.distance <= answers[0].distance];
        }""",
        [*solver_parts(60), large_question()],
    )
    assert found == [2, True, True]


# The page


@pytest.fixture(name="clinics", scope="module")
def clinics_fixture(tmp_path_factory):
    """The report of the clinics."""
    path = tmp_path_factory.mktemp("again") / "report.html"
    bnfuse.consensus(read(*CLINICS), effort="quick").report(path)
    return path


def asking(**changes):
    return "#" + "ask=" + quote(json.dumps(changes))


def settled(tab):
    again = "document.getElementById('again')"
    wait_until(
        tab,
        f"!{again}.ariaBusy && /Solved again/.test({again}.textContent) && !document.querySelector('main').ariaBusy",
    )


def test_the_reader_leaves_an_input_out_and_goes_back(opened, clinics):
    tab = opened(clinics)
    headline = tab.inner_text("#headline")
    tab.click("#again-open")
    tab.locator(".again-inputs input[type=checkbox]").first.uncheck()
    settled(tab)
    name = tab.locator(".again-inputs label").first.inner_text()
    expected = bnfuse.consensus(read(*CLINICS), effort="quick", weights={name: 0})
    assert f"without {name}" in tab.inner_text("#again-state")
    assert tab.inner_text("#facts dd").startswith(f"{expected.distance:.2f}")
    assert tab.inner_text("#least-text") == "50\N{NO-BREAK SPACE}%"  # half of the inputs, as before
    tab.click("#again-back")
    assert tab.inner_text("#headline") == headline
    assert tab.inner_text("#least-text") == "3 of 5"
    assert tab.locator("#good").count() == 1


def test_an_open_menu_stays_open_and_saves_the_network_that_is_shown_now(opened, clinics, tmp_path):
    tab = opened(clinics, accept_downloads=True)
    tab.click("#save")
    tab.evaluate("document.querySelector('.again-inputs input[type=checkbox]').click()")
    settled(tab)
    assert tab.locator("#downloads").is_visible()
    at, menu = tab.locator("#save").bounding_box(), tab.locator("#downloads").bounding_box()
    assert menu["y"] == pytest.approx(at["y"] + at["height"] + 6, abs=1)
    file = saved_from_menu(tab, "BIF").rename(tmp_path / "again.bif")
    networks = read(*CLINICS)
    expected = bnfuse.consensus(networks, effort="quick", weights={networks[0].name: 0})
    assert read(file)[0].dag == expected.dag
    assert tab.locator("#downloads").is_hidden()
    tab.click("#again-back")
    assert tab.locator("#downloads").is_hidden()


def test_the_focus_stays_where_it_was(opened, clinics):
    tab = opened(clinics)
    tab.locator("#view").focus()
    tab.evaluate("document.querySelector('.again-inputs input[type=checkbox]').click()")
    settled(tab)
    assert tab.evaluate("document.activeElement.id") == "view"


def test_the_focus_goes_to_the_picture_if_its_button_is_gone(opened, clinics):
    tab = opened(clinics)
    tab.locator("#net [data-a]").first.press("Enter")
    tab.locator("#details").get_by_role("button", name="without it", exact=True).press("Enter")
    settled(tab)
    assert tab.locator("#details").get_by_role("button", name="with it", exact=True).count() == 1
    assert tab.evaluate("document.activeElement.id") == "net"


def test_an_address_keeps_the_question(opened, clinics):
    tab = opened(clinics, at=asking(limit=2, metric="shd"))
    settled(tab)
    expected = bnfuse.consensus(read(*CLINICS), 2, "shd", effort="quick")
    assert tab.inner_text("#facts dd").startswith(f"{expected.distance:.2f}")
    assert "cliques of at most 2; SHD" in tab.inner_text("#again-state")


def downloaded(tab):
    """The file of the network that the panel offers, as bnfuse reads it."""
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Download the network").click()
    (network,) = read(download.value.path().rename(download.value.path().with_suffix(".bif")))
    return network


def test_the_file_of_an_answer_has_pooled_tables(opened, clinics):
    tab = opened(clinics, at=asking(limit=3, weights={"eastgate": "2.5"}), accept_downloads=True)
    settled(tab)
    tab.click("#again-open")
    expected = bnfuse.consensus(read(*CLINICS), 3, effort="quick", weights={"eastgate": 2.5}).network
    network = downloaded(tab)
    assert (network.dag, network.states) == (expected.dag, expected.states)
    for name in network.variables:
        assert network.cpts[name].ravel().tolist() == pytest.approx(expected.cpts[name].ravel().tolist(), abs=1e-9)


def test_a_file_without_tables_says_that_its_tables_are_placeholders(opened, tmp_path):
    names = [f"v{i}" for i in range(16)]  # with two states each: more combinations than the page adds up
    dag = DAG(names, list(itertools.pairwise(names)))
    states = dict.fromkeys(names, ("low", "high"))
    tables = {name: [[0.2, 0.8], [0.6, 0.4]] if dag.parents(name) else [0.3, 0.7] for name in names}
    networks = [bnfuse.Network(dag, states, tables, name) for name in ("one", "other")]
    bnfuse.consensus(networks, effort="quick").report(tmp_path / "report.html")
    tab = opened(tmp_path / "report.html", at=asking(forbidden=[names[:2]]), accept_downloads=True)
    settled(tab)
    tab.click("#again-open")
    assert "with uniform tables" in tab.inner_text("#again-out")
    network = downloaded(tab)
    expected = bnfuse.consensus(networks, effort="quick", forbidden=[tuple(names[:2])])
    assert network.dag == expected.dag
    assert network.cpts is None
    assert network.made_by == expected.network.made_by


def test_the_command_repeats_the_question(opened, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in CLINICS:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    files = [path.name for path in CLINICS]
    run = ["--effort", "quick", "--seed", 2**64 - 1, "--weight", "harbour=2", "--report", "r.html", "-o", "c.bif"]
    said("consensus", *files, *run)
    changes = {
        "off": ["eastgate"],
        "weights": {"harbour": "1", "hillcrest": "1/3"},
        "required": [["Smoker", "Age"]],
        "forbidden": [["XRay", "Cough"], ["Cough", "XRay"]],
        "tiers": [["Smoker", "Age"], ["Fever"]],
        "metric": "shd",
        "limit": 5,
        "maxTable": 40,
        "maxParents": 2,
        "directions": "any",
    }
    tab = opened(tmp_path / "r.html", at=asking(**changes), accept_downloads=True)
    settled(tab)
    tab.click("#again-open")
    note = tab.locator("#again-out .note", has_text="tiers.json").inner_text()
    (tmp_path / "tiers.json").write_text(note.partition(": ")[2], "utf-8")
    answer = json.loads(said(*shlex.split(tab.locator("#again-out code").inner_text())[1:], "--json"))
    (file,) = tmp_path.glob("c-again*.bif")
    assert read(file)[0].dag == downloaded(tab).dag
    assert tab.inner_text("#facts dd").startswith(f"{answer['distance']:.2f}")
    assert answer["seed"] == 2**64 - 1


@pytest.mark.parametrize("name", ["A->B", " A"])
def test_a_question_that_no_command_can_name_has_none(opened, said, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    network = bnfuse.Network(DAG([name, "C"], [(name, "C")]), name="one")
    bnfuse.write(network, tmp_path / "one.json")
    said("consensus", "one.json", "--report", "r.html")
    tab = opened(tmp_path / "r.html", at=asking(forbidden=[[name, "C"]]))
    settled(tab)
    tab.click("#again-open")
    assert tab.locator("#again-out code").count() == 0
    assert tab.get_by_role("button", name="Download the network").is_enabled()


def test_paper_says_what_was_asked(opened, clinics):
    tab = opened(clinics, at=asking(limit=3))
    settled(tab)
    tab.emulate_media(media="print")
    assert "cliques of at most 3" in tab.inner_text("#again")
    assert tab.locator("#again button:visible, #again input:visible").count() == 0
    tab.emulate_media(media="screen")
    tab.click("#again-back")
    tab.emulate_media(media="print")
    assert tab.locator("#again").is_hidden()


def test_the_slider_has_networks_for_the_question_of_the_report_alone(opened, tmp_path):
    networks = read(*CLINICS)
    steps = bnfuse.frontier(networks, effort="quick")
    bnfuse.consensus(networks, 3, effort="quick").with_frontier(steps).report(tmp_path / "report.html")
    tab = opened(tmp_path / "report.html", at="#limit=2")
    assert tab.inner_text("#limit-text") == "2"
    tab.click("#again-open")
    tab.locator(".again-inputs input[type=checkbox]").first.uncheck()
    settled(tab)
    assert tab.locator("#limits").is_hidden()
    tab.click("#again-back")
    assert tab.inner_text("#limit-text") == "3"


def test_the_policy_is_no_wider_than_it_must_be(clinics):
    text = clinics.read_text()
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["worker-src"] == "blob:"
    assert re.fullmatch(r"'sha256-\S+' 'sha256-\S+' 'wasm-unsafe-eval'", rules["script-src"])
    assert "connect-src" not in rules


ASKING_WORKER = """() => new Promise((done) => {
  const tries = ["fetch('http://asked.test/')", "Promise.resolve().then(() => importScripts('http://asked.test/'))"];
  const text = `Promise.allSettled([${tries}]).then((all) => postMessage(all.map((one) => one.status)))`;
  const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  worker.onmessage = ({ data }) => done(data);
})"""


def test_a_worker_of_the_page_can_ask_for_nothing(browser, clinics):
    context = browser.new_context()
    asked = []
    context.route("http://asked.test/**", lambda route: (asked.append(route.request.url), route.fulfill(body="")))
    tab = context.new_page()
    tab.goto(clinics.as_uri() + "#first")
    assert tab.evaluate(ASKING_WORKER) == ["rejected", "rejected"]
    assert asked == []
    context.close()


def test_a_page_without_the_solver_has_no_right_to_it(tmp_path, monkeypatch):
    found = bnfuse.consensus(read(*CLINICS), effort="quick")
    text = page(Summary.of(found), "none")
    assert "wasm-unsafe-eval" not in text
    assert 'id="packed-kernel"' not in text
    monkeypatch.setattr(question_module, "kernel", lambda: None)
    assert isinstance(question_module.page_question(found), str)
