"""The page of `bnfuse serve`, in a browser: the whole story, by mouse, by keyboard and on a phone."""

import json
import re
from importlib import resources

import pytest
from serving import served as serving
from table_browser import (  # noqa: F401
    CLINICS,
    arcs_on_screen,
    drop,
    settled,
    tables_fixture,
    texts,
    until,
)

import bnfuse
import right_to_left
from bnfuse import read
from page_browser import PHONE, browser_fixture, needs_browser, served_fixture  # noqa: F401

pytestmark = needs_browser

PLACES = """() => [document.getElementById("net").getAttribute("viewBox"),
    [...document.querySelectorAll("#net .node rect")].map((one) => [one.getAttribute("x"), one.getAttribute("y")])]"""


def found(without=(), effort="quick", **options):
    """The oracle: what the library finds when it is asked directly."""
    networks = [one for one in read(*CLINICS) if one.name not in without]
    return bnfuse.consensus(networks, effort=effort, **options)


def named(page, text):
    """The arc of the picture with this name, by its middle, which no box covers."""
    arc = page.locator(f'#arcs .arc[aria-label^="{text}:"] .line')
    x, y = arc.evaluate(
        """one => { const { x, y } = one.getPointAtLength(one.getTotalLength() / 2);
            const at = new DOMPoint(x, y).matrixTransform(one.getScreenCTM()); return [at.x, at.y]; }"""
    )
    return x, y


def decide(page, text):
    page.locator(f"#details .decisions button >> text='{text}'").click()


def downloaded(page, kind, folder):
    with page.expect_download() as waiting:
        page.locator(f"#out a[href$='/out/{kind}']").click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


SEEN = """() => ["#evidence", "#details h3", "#headline"].map((one) => document.querySelector(one).innerText)"""


def test_the_story_by_mouse(tables, tmp_path):
    tables.workspace("story")
    page = tables.open("story")
    page.get_by_text("One network from many").wait_for()
    drop(page, CLINICS, "#welcome .drop")
    settled(page, 5)
    everybody = found(effort="normal")
    assert arcs_on_screen(page) == texts(everybody.dag.edges)
    page.locator("#closer").click()
    places = page.evaluate(PLACES)
    others = switch_one_off(page, everybody)
    assert page.evaluate(PLACES) == places
    ruled = forbid_an_arc(page, others)
    assert page.evaluate(PLACES) == places
    narrow = change_the_limit(page, ruled)
    ask_a_question(page, narrow)
    weighted = freeze_two_rounds(page, ruled)
    take_away(page, weighted, tmp_path)

    # After a reload everything is as it was, the question and the reader's place.
    seen = page.evaluate(SEEN)
    page.reload()
    settled(page, 4)
    assert arcs_on_screen(page) == weighted
    assert page.evaluate(SEEN) == seen
    notes = "[...document.querySelectorAll('#dispute-table .note-field')].map((one) => one.value)"
    until(page, f"{notes}.includes('agreed by phone')")  # wherever its pair stands by now

    # And all of it can be undone.
    page.locator("#net").focus()
    page.keyboard.press("Control+z")
    until(page, "!document.getElementById('redo').disabled")
    settled(page)
    assert arcs_on_screen(page) == texts(narrow.dag.edges)
    page.keyboard.press("Control+Shift+Z")
    until(page, "document.getElementById('redo').disabled")
    settled(page)
    assert arcs_on_screen(page) == weighted


def switch_one_off(page, everybody):
    """What that changes is marked."""
    page.get_by_label("harbour", exact=True).click()
    settled(page, 4)
    others = found(effort="normal", without=["harbour"])
    assert arcs_on_screen(page) == texts(others.dag.edges)
    came = set(others.dag.edges) - set(everybody.dag.edges)
    went = set(everybody.dag.edges) - set(others.dag.edges)
    assert page.locator("#marks .halo").count() == len(came | went) - len({(b, a) for a, b in came} & went)
    assert page.locator("#changes button").count() == page.locator("#marks .halo").count()
    return others


def forbid_an_arc(page, before):
    """In the details of the arc, which stay; the picture has a ghost of it."""
    source, target = before.dag.edges[0]
    text = f"{source} \u2192 {target}"
    top = page.locator("#pictures").bounding_box()["y"]
    page.mouse.click(*named(page, text))
    decide(page, "Forbid")
    settled(page)
    ruled = found(effort="normal", without=["harbour"], forbidden=[{source, target}])
    assert arcs_on_screen(page) == texts(ruled.dag.edges)
    assert page.locator("#details h3").inner_text() == text
    assert page.locator("#details .decisions [aria-pressed=true]").inner_text() == "Forbid"
    assert page.locator("#marks .ghost").count() >= 1
    assert page.locator("#changes .mark.went + button").inner_text() == text
    assert page.locator("#pictures").bounding_box()["y"] == pytest.approx(top, abs=1)
    return ruled


def change_the_limit(page, before):
    page.get_by_label("Largest clique", exact=True).fill("3")
    until(page, "document.getElementById('undo').title.includes('max clique')")
    settled(page)
    forbidden = before.problem.constraints.forbidden
    narrow = found(effort="normal", without=["harbour"], forbidden=forbidden, max_clique=3)
    assert arcs_on_screen(page) == texts(narrow.dag.edges)
    assert page.locator("#figures strong").inner_text() == f"{narrow.distance:.2f}"
    return narrow


def ask_a_question(page, narrow):
    """The page answers in the browser as the server does in Python."""
    page.fill("#search", "Smoker")
    page.keyboard.press("Enter")
    page.locator("#details .states button").first.click()
    page.fill("#search", "COPD")
    page.keyboard.press("Enter")
    said = page.locator("#details .states .value").first.inner_text()
    asked = page.evaluate(
        """async (evidence) => (await (await fetch("/api/workspaces/story/query", { method: "POST",
            headers: { Authorization: `Bearer ${sessionStorage.getItem("bnfuse key")}` },
            body: JSON.stringify({ target: "COPD", evidence, of: "consensus" }) })).json()).posterior.COPD""",
        {"Smoker": narrow.network.states["Smoker"][0]},
    )
    assert said.split("\u00a0")[0] == f"{100 * next(iter(asked.values())):.1f}"


def freeze_two_rounds(page, ruled):
    """With a note before the first, and another weight before the second."""
    button = page.locator("#dispute-table .decisions button").first
    assert button.bounding_box()["height"] < 35, "its word is on one line"
    note = page.locator("#dispute-table .note-field").first
    note.fill("agreed by phone")
    note.press("Enter")
    page.locator("#rounds-part summary").click()
    page.get_by_text("Freeze this round").click()
    page.locator("#rounds-count", has_text="1").wait_for()
    page.get_by_label("Weight of hillcrest").fill("3")
    until(page, "document.getElementById('undo').title.includes('weight')")
    settled(page)
    weighted = bnfuse.consensus(
        read(*CLINICS),
        max_clique=3,
        forbidden=ruled.problem.constraints.forbidden,
        weights={"harbour": 0, "hillcrest": 3},
        effort="normal",
    )
    assert arcs_on_screen(page) == texts(weighted.dag.edges)
    page.get_by_text("Freeze this round").click()
    page.locator("#compared-rounds li", has_text="weight of hillcrest: 1, now 3").wait_for()
    return texts(weighted.dag.edges)


def take_away(page, arcs, folder):
    """What is taken away is what is seen."""
    page.locator("#out-part summary").click()
    (bif,) = read(downloaded(page, "bif", folder))
    assert texts(bif.dag.edges) == arcs
    minutes = downloaded(page, "minutes", folder)
    assert minutes.name == "minutes.md"
    assert "switched harbour off" in minutes.read_text("utf-8")
    assert "agreed by phone" in minutes.read_text("utf-8")


@pytest.mark.long
def test_a_phone_and_a_desk_see_each_other(tables):
    tables.workspace("both", CLINICS)
    desk = tables.open("both")
    phone = tables.open("both", PHONE, has_touch=True, is_mobile=True)
    settled(desk, 5)
    settled(phone, 5)
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    phone.locator("#work-button").tap()
    phone.get_by_label("harbour", exact=True).tap()
    settled(desk, 4)
    settled(phone, 4)
    assert arcs_on_screen(desk) == arcs_on_screen(phone) == texts(found(without=["harbour"]).dag.edges)
    phone.touchscreen.tap(PHONE[0] - 5, 400)  # beside the drawer, which puts it away
    assert phone.locator("#work").is_hidden()
    phone.locator("#undo").tap()
    settled(desk, 5)
    settled(phone, 5)
    # A rule, made with fingers.
    source, target = found().dag.edges[1]
    phone.touchscreen.tap(*named(phone, f"{source} \u2192 {target}"))
    phone.locator("#details .decisions button >> text='Forbid'").tap()
    settled(desk)
    ruled = found(forbidden=[{source, target}])
    settled(phone)
    assert arcs_on_screen(desk) == arcs_on_screen(phone) == texts(ruled.dag.edges)
    desk.locator("#rules-part summary").click()
    desk.get_by_label(f"Free {min(source, target)} \u2194 {max(source, target)}").click()
    settled(phone)
    assert phone.locator("#details .decisions [aria-pressed=true]").inner_text() == "Free"
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE[0]


@pytest.mark.long
def test_what_others_do_meanwhile_does_not_undo_a_weight_that_is_being_chosen(tables):
    tables.workspace("meanwhile", CLINICS)
    page = tables.open("meanwhile")
    settled(page, 5)
    slider = page.get_by_label("Weight of hillcrest")
    slider.evaluate(
        """slider => {
            slider.value = 3;
            slider.dispatchEvent(new Event("input"));
            window.keys = setInterval(() => slider.dispatchEvent(new Event("change")), 20); // a key that is held down
        }"""
    )
    other = tables.open("meanwhile")
    settled(other, 5)
    other.get_by_label("harbour", exact=True).click()
    until(page, "document.querySelectorAll('#inputs li.off').length === 1")
    page.evaluate("clearInterval(window.keys)")
    until(page, "document.getElementById('undo').title.includes('weight')")
    settled(page, 4)
    assert slider.input_value() == "3"


def tab_to(page, selector, back=False):
    """Press Tab until an element has the focus, as who has no mouse does."""
    for _ in range(150):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the Tab key never comes to {selector}")


def focused(page):
    return page.evaluate("document.activeElement.dataset.key || document.activeElement.id")


def test_the_keyboard_is_enough(tables):
    tables.workspace("keys", CLINICS)
    page = tables.open("keys")
    settled(page, 5)
    assert page.locator("#files").evaluate("one => one.tabIndex") == 0
    tab_to(page, "#inputs li:nth-child(2) [type=checkbox]")
    own = focused(page)
    page.keyboard.press("Space")
    settled(page, 4)
    assert focused(page) == own
    page.keyboard.press("Control+z")
    settled(page, 5)
    # Tiers.
    tab_to(page, "#rules-part > summary")
    page.keyboard.press("Enter")
    tab_to(page, "[data-key='variable COPD']")
    page.keyboard.press("ArrowUp")
    until(page, "document.querySelector('[aria-label=\"Tier 1\"] button')?.textContent === 'COPD'")
    assert focused(page) == "variable COPD"
    tab_to(page, "[data-key='variable Smoker']")
    page.keyboard.press("ArrowUp")
    until(page, "document.querySelector('[aria-label=\"Tier 2\"] button')?.textContent === 'Smoker'")
    until(page, "document.getElementById('undo').title.includes('into tier 2 of 2')")
    settled(page)
    assert arcs_on_screen(page) == texts(found(tiers=[["COPD"], ["Smoker"]]).dag.edges)
    # An arc: the focus stays on the button though all of the page is made anew.
    tab_to(page, "#net .arc")
    page.keyboard.press("Enter")
    tab_to(page, "#details .decisions button:nth-child(2)")
    own = focused(page)
    page.keyboard.press("Enter")
    settled(page)
    assert focused(page) == own
    arc = own.removeprefix("forbid ").split()
    assert tables.server.ask("GET", "/api/workspaces/keys")["question"]["forbidden"] == [arc, arc[::-1]]
    for _ in range(3):
        page.keyboard.press("Control+z")
    until(page, "document.getElementById('undo').title.includes('added')")
    settled(page, 5)


@pytest.mark.long
def test_other_limits_are_there_when_the_page_is_opened_again(tables):
    tables.workspace("other-limits", CLINICS)
    page = tables.open("other-limits")
    settled(page, 5)
    arcs = arcs_on_screen(page)
    page.get_by_role("button", name="Look at other limits").click()
    page.locator("#other-limits svg").wait_for()
    page.reload()
    settled(page, 5)
    assert arcs_on_screen(page) == arcs
    assert page.locator("#net .node").count() == 11
    assert page.get_by_role("heading", name="Frontier").count() == 1
    assert not page.get_by_role("button", name="Look at other limits").count()


@pytest.mark.long
@pytest.mark.parametrize(("size", "scheme"), [((1440, 900), "light"), (PHONE, "dark")], ids=["desk", "dark phone"])
def test_axe_finds_nothing(tables, size, scheme):
    axe = pytest.importorskip("axe_playwright_python", reason="axe-core comes with: pip install axe-playwright-python")
    tables.workspace(f"axe-{scheme}", CLINICS)
    page = tables.open(f"axe-{scheme}", size, scheme)
    settled(page, 5)
    if size == PHONE:
        page.locator("#work-button").click()
    for part in ("rules", "panels", "rounds", "out", "history", "workspaces"):
        page.locator(f"#{part}-part > summary").click()
    page.locator("#history li").first.wait_for()
    page.locator("#tier-rows .chips button").first.click()
    page.locator("#inputs [aria-label^=Rename]").first.click()
    page.evaluate(resources.files(axe.__name__).joinpath("axe.min.js").read_text("utf-8"))
    assert violations(page, "#work") == []
    if size == PHONE:
        page.locator("#work-button").click()
    page.locator("#net .arc").first.focus()
    page.keyboard.press("Enter")
    page.locator("#dispute-table .note-field").first.wait_for()
    for part in (".top", "#line", "#details", "#disputed"):  # what else the report has is tested with it
        assert violations(page, part) == []


def violations(page, part="html"):
    result = page.evaluate("part => axe.run(part)", part)
    assert result["passes"]
    return [(one["id"], [node["target"] for node in one["nodes"]]) for one in result["violations"]]


def test_names_are_text_and_what_is_wrong_is_said_beside_it(tables):
    tables.workspace("names")
    page = tables.open("names")
    evil = '<img src=x onerror="alert(1)">'
    networks = [
        {"name": f"{evil}{i}", "edges": [[evil, "</script>"], ["</script>", "'&amp;"]][: i + 1]} for i in (0, 1)
    ]
    drop(page, [(f"{evil}.json", json.dumps({"variables": [evil, "</script>", "'&amp;"], "networks": networks}))])
    settled(page, 2)
    assert page.locator("#inputs .who").first.inner_text() == f"{evil}0"
    assert arcs_on_screen(page) == [f"{evil} \u2192 </script>"] or len(arcs_on_screen(page)) == 2
    for part in ("rules", "rounds", "history"):
        page.locator(f"#{part}-part > summary").click()
    page.get_by_text("Freeze this round").click()
    page.locator("#compared-rounds dt").first.wait_for()
    assert page.locator("img").count() == 0
    # A file that cannot be read, and a rule that cannot hold.
    drop(page, [("broken.bif", "network {")])
    page.locator("#reading [role=alert]", has_text="broken.bif").wait_for()
    for source, target in (("</script>", "'&amp;"), ("'&amp;", evil), (evil, "</script>")):
        page.get_by_label("From", exact=True).fill(source)
        page.get_by_label("To", exact=True).fill(target)
        page.locator("#rules .add button", has_text="Require").click()
        until(page, "!document.querySelector('#rules .add input').value")
    page.locator("#trouble", has_text="contradict").wait_for()
    page.locator("#figures", has_text="no consensus: the previous one is shown below").wait_for()
    page.locator("#undo").click()
    settled(page)
    assert page.locator("#trouble").inner_text() == ""
    assert page.locator("#figures strong").count() == 1
    page.get_by_label("From", exact=True).fill("nobody")
    page.get_by_label("To", exact=True).fill(evil)
    page.locator("#rules .add button", has_text="Forbid").click()
    page.locator("#rules .wrong", has_text="unknown variable 'nobody'").wait_for()
    tables.expect("status of 4")  # the two that were refused


AWAY = "Object.defineProperty(document, 'hidden', { get: () => Boolean(window.isAway) })"
GO = """isAway => { window.isAway = isAway; document.dispatchEvent(new Event("visibilitychange")); }"""


def test_costs_that_came_unseen_are_shown_when_the_page_is_seen_again(tables):
    tables.workspace("unseen", CLINICS)
    tables.server.decided("/api/workspaces/unseen")
    page = tables.open("unseen")
    settled(page, 5)
    page.context.add_init_script(AWAY)
    is_early = [True]

    def early(change):
        def handle(route):
            response = route.fetch()
            content = response.json()
            if is_early:
                change(content)
            route.fulfill(response=response, json=content)

        return handle

    page.route("**/api/workspaces/unseen", early(lambda state: state["answer"].update(is_solved=False)))
    page.route("**/view?*", early(lambda view: view.update(is_solved=False, disputes=[])))
    page.reload()
    until(page, "document.getElementById('line').dataset.solved === 'false'")
    is_early.clear()
    page.evaluate(GO, True)
    page.evaluate(GO, False)
    until(page, "document.getElementById('line').dataset.solved === 'true'")


@pytest.mark.long
def test_a_browser_may_have_many_tabs(tables):
    """It has six connections to a server: tabs that nobody sees hold none, and read what is new when they are seen."""
    tables.workspace("tabs", CLINICS)
    pages = [tables.open("tabs")]
    context = pages[0].context
    context.add_init_script(AWAY)
    pages[0].reload()
    for _ in range(6):
        settled(pages[-1], 5)
        pages[-1].evaluate(GO, True)
        pages.append(context.new_page())
        pages[-1].goto(pages[0].url)
        pages[-1].locator("#inputs li").first.wait_for()  # by way of the start page, where it gets its key
    settled(pages[-1], 5)
    pages[-1].get_by_label("harbour", exact=True).click()
    settled(pages[-1], 4)
    assert "5 of 5" in pages[0].locator("#inputs-count").inner_text()
    pages[0].evaluate(GO, False)
    settled(pages[0], 4)
    assert arcs_on_screen(pages[0]) == arcs_on_screen(pages[-1]) == texts(found(without=["harbour"]).dag.edges)


@pytest.mark.long
def test_the_address_can_be_a_link_on_another_site(tables):
    """In a mail that is read in the browser, say; the address loses the token at once."""
    page = tables.browser.new_context().new_page()
    tables.contexts.append(page.context)
    address = f"{tables.origin}/#{tables.server.token}"
    mail = {"body": f'<a href="{address}">here</a>', "content_type": "text/html"}
    page.route("http://elsewhere.test/", lambda route: route.fulfill(**mail))
    page.goto("http://elsewhere.test/")
    page.get_by_text("here").click()
    page.locator("#inputs-part").wait_for()
    assert tables.server.token not in page.url


CURVE = """async () => {
    const { liveCurve } = await import("/live-curve.js");
    const curve = liveCurve();
    const add = (effort, seconds, distance, bound) => curve.add({ effort, seconds, distance, bound });
    add("quick", 1, 9, null);
    add("quick", 2, 7, 5);
    add("normal", 1, 8, 5); // of a search that starts anew
    add("normal", 2, 6, 5.5);
    return [...curve.draw().querySelectorAll(".line")].map((one) => one.getAttribute("d"));
}"""


@pytest.mark.long
def test_the_curve_goes_on_from_search_to_search(served):
    """Four seconds from left to right; the distance never rises, and the bound never falls."""
    lines = [re.findall(r"([\d.]+) ([\d.]+)", one) for one in served().evaluate(CURVE)]
    bound, distance = ([(float(x), float(y)) for x, y in line] for line in lines)
    assert sorted({x for x, _ in distance}) == pytest.approx([39, 75, 111, 147])
    assert [y for _, y in distance] == sorted(y for _, y in distance), "down the screen"
    assert [y for _, y in bound] == sorted((y for _, y in bound), reverse=True)


@pytest.mark.long
def test_a_server_that_is_gone_is_said_in_one_line(browser, tmp_path):
    with serving(tmp_path) as server:
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://{server.host}:{server.port}/#{server.token}")
        page.locator("#welcome").wait_for()
    page.locator("#offline", has_text="The connection is lost").wait_for()
    context.close()


@pytest.mark.long
def test_names_that_run_from_right_to_left_are_isolated(tables, tmp_path):
    files = [tmp_path / f"{i}.json" for i in range(3)]
    for network, file in zip(right_to_left.networks(), files, strict=True):
        bnfuse.write(network, file)
    tables.workspace("right", files)
    page = tables.open("right")
    settled(page, 3)
    age, smoking = right_to_left.AGE, right_to_left.SMOKING
    assert f"[{age}] \u2192 [{smoking}]" in map(right_to_left.marked, arcs_on_screen(page))
    page.mouse.click(*named(page, f"\u2068{age}\u2069 \u2192 \u2068{smoking}\u2069"))
    decide(page, "Forbid")
    settled(page, 3)
    undo = {right_to_left.marked(page.get_attribute("#undo", name)) for name in ("title", "aria-label")}
    assert undo == {f"Undo: forbade [{age}] \u2194 [{smoking}]"}
    assert page.locator("#inputs bdi").all_inner_texts() == ["מרפאה א", "عيادة"]
    minutes = right_to_left.marked(tables.server.ask("GET", "/api/workspaces/right/out/minutes").decode())
    assert f"- forbidden: [{age}] \u2194 [{smoking}]" in minutes
