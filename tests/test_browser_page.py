"""The empty page of `bnfuse try`, opened from a file with the network off: files in, consensus and report out."""

import json
import re
import shlex
from base64 import b64encode
from importlib import resources

import pytest

import bnfuse
from bnfuse.files import bif
from bnfuse.report.browser import browser_page
from bnfuse.report.page.scripts import joined
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, opened_fixture, saved, saved_from_menu  # noqa: F401
from page_parts import CLINICS, wait_until
from reader_cases import mutated, seeds

needs_solver = pytest.mark.skipif(not browser_page.has_solver(), reason="the kernel for pages is not built: make wasm")
LARGEST = 300_000  # bytes of the page
DROP = """files => {
    const carried = new DataTransfer();
    for (const [name, content] of files) {
        carried.items.add(new File([Uint8Array.from(atob(content), (one) => one.charCodeAt())], name));
    }
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(name="page_file", scope="module")
def page_file_fixture(tmp_path_factory):
    path = tmp_path_factory.mktemp("try") / "bnfuse.html"
    browser_page.write_page(path)
    return path


def drop(page, *files):
    """Files, as (name, content) pairs or paths, dropped on the page; returns when all of them were looked at."""
    pairs = [one if isinstance(one, tuple) else (one.name, one.read_bytes()) for one in files]
    page.evaluate(DROP, [(name, b64encode(content).decode()) for name, content in pairs])
    wait_until(page, "document.body.dataset.reading === undefined")


def listed(page):
    return page.locator("#inputs .name").all_inner_texts()


def said(page):
    return page.locator("#reading li").all_inner_texts()


def answered(page):
    """Waits for the answer to what the page holds, and for every part of the report on it."""
    wait_until(
        page, "document.getElementById('line').dataset.state === 'answered' && !document.querySelector('main').ariaBusy"
    )
    return json.loads(page.locator("#data").text_content())


def test_every_script_of_the_page_is_used():
    package = resources.files("bnfuse.report.browser")
    own = {file.name for folder in ("template", "readers") for file in package.joinpath(folder).iterdir()}
    scripts = "".join(joined(f"{entry}.js", browser_page.resource) for entry in browser_page.ENTRIES)
    used = set(re.findall(r"^// ([\w-]+\.js)$", scripts, re.M))
    assert {name for name in own if name.endswith(".js")} <= used
    report = resources.files("bnfuse.report.page")
    assert not own & {file.name for folder in ("template", "live") for file in report.joinpath(folder).iterdir()}


def test_the_page_is_one_small_file_that_may_ask_for_nothing():
    html = browser_page.page()
    assert len(html.encode()) < LARGEST
    policy = re.search('Content-Security-Policy" content="([^"]*)"', html)[1]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    scripts = rules.pop("script-src").split()
    assert {one for one in scripts if not one.startswith("'sha256-")} == {"'wasm-unsafe-eval'"}
    assert re.fullmatch("'sha256-[^' ]*'( 'sha256-[^' ]*')*", rules.pop("style-src"))
    assert rules == {
        "default-src": "'none'",
        "worker-src": "blob:",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert not re.search(r"(?:src|href)=\"(?!data:,|#)", html)


def test_names_never_become_markup():
    package = resources.files("bnfuse.report.browser")
    for module in (file for folder in ("template", "readers") for file in package.joinpath(folder).iterdir()):
        if module.name.endswith(".js"):
            text = module.read_text("utf-8")
            assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text)


@needs_browser
def test_files_are_read_listed_and_taken_away_again(opened, page_file):
    page = opened(page_file, at="")
    drop(page, *CLINICS[:2], ("patients.csv", b"Age,Smoker\nold,yes\nyoung,no\n"), ("broken.bif", b"network {"))
    assert listed(page) == ["eastgate", "harbour"]
    assert page.locator("#inputs .note").first.inner_text() == "16 arcs, 11 variables"
    assert [line.partition(":")[0] for line in said(page)] == ["patients.csv", "broken.bif"]
    assert "installed program" in said(page)[0]
    drop(
        page,
        CLINICS[0],
        ("many.json", b'{"variables": ["A"], "networks": [{"edges": []}, {"name": "x", "edges": []}]}'),
    )
    assert listed(page) == ["eastgate", "harbour", "eastgate (2)", "many-1", "x"]
    page.get_by_label("Remove harbour").click()
    assert listed(page) == ["eastgate", "eastgate (2)", "many-1", "x"]
    page.get_by_role("button", name="Remove all").click()
    assert listed(page) == []
    assert page.locator("#welcome").is_visible()


HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'


@needs_browser
def test_no_name_becomes_markup_and_no_hostile_file_runs_or_hangs(opened, page_file):
    page = opened(page_file, at="")
    names = json.dumps([HOSTILE, "${window.hacked=1}", "__proto__", "javascript:window.hacked=1"])
    ensemble = f'{{"variables": {names}, "networks": [{{"name": {json.dumps(HOSTILE)}, "edges": []}}]}}'
    svg = b"<svg xmlns='http://www.w3.org/2000/svg' onload='window.hacked=1'/>"
    drop(
        page,
        ("one.json", ensemble.encode()),
        (f"{HOSTILE}.bif".replace("/", "-"), b"network {"),
        ("page.html", HOSTILE.encode()),
        ("picture.svg", svg),
        ("deep.json", b"[" * 200_000),
        ("long.bif", b"network n { } " + b"probability ( " * 100_000),
        ("wide.csv", b"from,to\n" + b'"' * 300_001),
        ("many.xml", b"<BIF " + b"a='" * 100_000),
    )
    assert listed(page) == [HOSTILE]
    assert len(said(page)) == 7
    assert all("\n" not in line for line in said(page))
    assert page.evaluate("window.hacked") is None
    assert page.locator("#work img, #work script").count() == 0


@needs_browser
@pytest.mark.parametrize("count", [40, pytest.param(1500, marks=pytest.mark.long)])
def test_the_files_of_the_fuzzer_are_taken_or_told_in_one_line_each(opened, page_file, count):
    page = opened(page_file, at="")
    cases = [(f"case-{i}.{one.extension}", one.content) for i, one in enumerate([*seeds(), *mutated(count, "page")])]
    for start in range(0, len(cases), 8):
        page.locator("#remove-all").dispatch_event("click")
        chosen = cases[start : start + 8]
        drop(page, *chosen)
        for line in said(page):
            assert re.match(r"case-\d+\.", line)
            assert "cannot be read" not in line  # what a reader does not foresee


def arcs_of(data):
    """The arcs of the consensus in the data of the page, by names."""
    found, code, names = [], 0, data["variables"]
    for step in data["consensus"]:
        code += step
        found.append((names[code // len(names)], names[code % len(names)]))
    return found


def field(page, label):
    """A field of the settings."""
    settings = page.locator("#settings")
    around = settings.locator("label", has=page.get_by_text(label, exact=True)).locator("input, select")
    return settings.get_by_label(label, exact=True).or_(around)  # the text of a label has that of its options


def add_rule(page, kind, source, target):
    field(page, "Rule").select_option(label=kind)
    field(page, "Variable the arc starts at").fill(source)
    field(page, "Variable it ends at").fill(target)
    page.locator("#settings").get_by_role("button", name="Add").click()


def assert_same_as(data, found):
    assert sorted(arcs_of(data)) == sorted(found.dag.edges)
    assert data["facts"]["distance"] == pytest.approx(found.distance, abs=1e-12)
    assert data["facts"]["bound"] == pytest.approx(found.lower_bound, abs=1e-12)
    assert data["facts"]["clique"] == found.clique_size


@needs_browser
def test_a_page_without_the_search_says_so_at_once(opened, tmp_path, monkeypatch):
    monkeypatch.setattr(browser_page, "kernel", lambda: None)
    browser_page.page.cache_clear()
    try:
        browser_page.write_page(tmp_path / "bnfuse.html")
    finally:
        browser_page.page.cache_clear()
    page = opened(tmp_path / "bnfuse.html", at="")
    assert page.get_by_text("cannot find a consensus").is_visible()


@needs_browser
@needs_solver
def test_the_page_finds_what_the_program_finds_and_tells_what_a_change_changes(opened, page_file):
    page = opened(page_file, at="")
    drop(page, *CLINICS)
    networks = bnfuse.read(*CLINICS)
    found = bnfuse.consensus(networks)
    data = answered(page)
    assert_same_as(data, found)
    assert page.locator("#headline").inner_text() == "5 networks, one consensus: 14 arcs, proven optimal"
    assert data["facts"]["notes"] == list(found.finished.notes[-1:])
    for name, values in zip(found.network.variables, data["tables"]["values"], strict=True):
        assert values == pytest.approx(found.network.cpts[name].ravel().tolist(), abs=1e-9)
    assert page.locator("#pictures .node").count() == 11
    page.locator("#inputs li", has_text="harbour").get_by_role("checkbox").uncheck()
    page.get_by_label("Weight of eastgate").fill("2.5")
    page.get_by_label("Weight of eastgate").press("Enter")
    field(page, "Largest clique").fill("3")
    field(page, "Distance").select_option("shd")
    again = answered(page)
    assert_same_as(
        again, bnfuse.consensus(networks, max_clique=3, metric="shd", weights={"harbour": 0, "eastgate": 2.5})
    )
    assert again["changed"]["went"]
    assert "dropped" in page.locator("#changes").inner_text()
    assert "--weight eastgate=2.5 --weight harbour=0" in page.locator("#provenance .command").first.inner_text()


@needs_browser
@needs_solver
def test_rules_and_limits_are_kept_and_the_command_repeats_them(opened, page_file, said, tmp_path, monkeypatch):
    page = opened(page_file, at="")
    drop(page, *CLINICS)
    plain = arcs_of(answered(page))
    add_rule(page, "Forbid either way", *plain[0])
    add_rule(page, "Require", "Age", "Hospitalised")
    field(page, "Most parents of a variable").fill("2")
    field(page, "Largest clique").fill("")
    field(page, "Largest clique table").fill("24")
    page.get_by_text("Tiers", exact=True).click()
    board = field(page, "Tiers: a line each, earliest first; variables separated by commas")
    board.fill("Age, Smoker\nXRay, Cough\n")
    board.blur()
    field(page, "Directions").select_option("any")
    data = answered(page)
    rules = {
        "forbidden": [set(plain[0])],
        "required": [("Age", "Hospitalised")],
        "tiers": [["Age", "Smoker"], ["XRay", "Cough"]],
    }
    networks = bnfuse.read(*CLINICS)
    found = bnfuse.consensus(networks, max_table=24, max_parents=2, directions="any", **rules)
    assert_same_as(data, found)
    assert data["facts"]["largest_table"] == str(found.largest_table)
    assert data["facts"]["most_parents"] == 2
    command = page.locator("#provenance .command code").first.inner_text()
    monkeypatch.chdir(tmp_path)
    for path in CLINICS:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "tiers.json").write_text(data["origin"]["options"]["tiers.json"], "utf-8")
    said(*shlex.split(command)[1:])
    assert bnfuse.read("consensus.bif")[0].dag == found.dag
    page.get_by_role("button", name="Drop the rule: Require").click()
    del rules["required"]
    assert_same_as(answered(page), bnfuse.consensus(networks, max_table=24, max_parents=2, directions="any", **rules))


@needs_browser
@needs_solver
def test_rules_come_from_the_details_of_an_arc_and_clashes_are_refused_in_a_sentence(opened, page_file):
    page = opened(page_file, at="")
    drop(page, *CLINICS)
    data = answered(page)
    source, target = arcs_of(data)[0]
    page.locator(f'#net [data-a="{data["consensus"][0]}"]').press("Enter")
    page.locator("#details").get_by_role("button", name="without it", exact=True).click()
    without = answered(page)
    networks = bnfuse.read(*CLINICS)
    assert_same_as(without, bnfuse.consensus(networks, forbidden=[{source, target}]))
    assert page.locator("#settings .again-rules li").all_inner_texts() == [
        f"Forbid {source} \u2192 {target}\n\u00d7",
        f"Forbid {target} \u2192 {source}\n\u00d7",
    ]
    page.locator("#details").get_by_role("button", name="with it", exact=True).click()
    assert_same_as(answered(page), bnfuse.consensus(networks, required=[(source, target)]))
    field(page, "Most parents of a variable").fill("0")
    wait_until(page, "document.getElementById('line').dataset.state === 'refused'")
    said_of = page.locator("#trouble").inner_text()
    assert said_of == f"No consensus was found: {target} has 1 required parent; at most 0 are allowed."
    field(page, "Most parents of a variable").fill("")
    answered(page)
    add_rule(page, "Require", "Age", "Nobody")
    assert page.locator("#trouble").inner_text() == "There is no variable Nobody."
    page.get_by_role("button", name="Remove all").click()
    drop(page, ("one.csv", b"from,to\nA,B\n"))
    answered(page)
    assert page.locator("#settings .again-rules li").count() == 0
    assert field(page, "Largest clique table").count() == 0  # nobody knows the states


@needs_browser
@needs_solver
def test_the_file_that_the_page_offers_is_the_network_that_it_shows(opened, page_file, tmp_path):
    page = opened(page_file, at="", accept_downloads=True)
    drop(page, *CLINICS)
    answered(page)
    networks = bnfuse.read(*CLINICS)
    assert_saved(saved(page, "BIF"), tmp_path, bnfuse.consensus(networks).network)
    page.locator("#save").click()
    page.evaluate("document.querySelector('#inputs input[type=checkbox]').click()")
    answered(page)  # and the menu is still open
    assert_saved(saved_from_menu(page, "BIF"), tmp_path, bnfuse.consensus(networks[1:]).network)


def assert_saved(path, folder, expected):
    file = folder / "consensus.bif"
    file.write_bytes(path.read_bytes())
    (network,) = bnfuse.read(file)
    assert network.dag == expected.dag
    for name in network.variables:
        assert network.cpts[name].ravel().tolist() == pytest.approx(expected.cpts[name].ravel().tolist(), abs=1e-9)


@needs_browser
@needs_solver
def test_inputs_with_different_variables_vote_on_the_pairs_that_they_have(opened, page_file):
    page = opened(page_file, at="")
    first = bnfuse.Network(bnfuse.DAG(["A", "B", "C"], [("A", "B"), ("B", "C")]), name="first")
    second = bnfuse.Network(bnfuse.DAG(["B", "C", "D"], [("B", "C"), ("D", "C")]), name="second")
    drop(page, *((f"{one.name}.bif", bif.write_text(one).encode()) for one in (first, second)))
    assert_same_as(answered(page), bnfuse.consensus([first, second], variables="union"))
    said_of = page.locator("#trouble").inner_text()
    assert said_of.startswith(
        "The inputs have different variables: first lacks D; second lacks A. Each votes on the pairs"
    )
    assert "--variables union" in page.locator("#provenance .command").first.inner_text()


@needs_browser
@needs_solver
def test_edge_lists_share_their_variables_and_all_inputs_off_is_told(opened, page_file):
    page = opened(page_file, at="")
    drop(page, ("one.csv", b"from,to\nA,B\n"), ("two.csv", b"from,to\nA,B\nB,C\n"))
    data = answered(page)
    assert page.locator("#trouble").inner_text() == ""
    assert data["facts"]["distance"] == 0.5
    for box in page.locator("#inputs input[type=checkbox]").all():
        box.uncheck()
    wait_until(page, "document.getElementById('line').dataset.state === 'empty'")
    assert "All inputs are off" in page.locator("#working").inner_text()
    assert page.locator("main").is_hidden()


def violations(page):
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    return [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found]


@needs_browser
@needs_solver
@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), pytest.param(DESKTOP, "light", marks=pytest.mark.long)])
def test_the_page_works_on_phones_in_the_dark_and_by_the_keyboard(opened, page_file, size, scheme):
    pytest.importorskip("axe_playwright_python", reason="axe-core comes with: pip install axe-playwright-python")
    axe = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    page = opened(page_file, at="", size=size, scheme=scheme)
    page.evaluate(axe)
    assert violations(page) == []
    drop(page, *CLINICS[:3])
    answered(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#files").focus()
    for expected in ("checkbox", "number", "submit"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.type").replace("button", "submit") == expected
    page.keyboard.press("Enter")  # removes the first input
    assert listed(page) == ["harbour", "hillcrest"]
    answered(page)
    assert violations(page) == []
