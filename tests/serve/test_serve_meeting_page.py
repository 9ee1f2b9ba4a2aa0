"""Several people at the page of a workspace, in browsers."""

import pytest
from table_browser import CLINICS, settled, tables_fixture, until  # noqa: F401

from page_browser import PHONE, browser_fixture, needs_browser  # noqa: F401

pytestmark = needs_browser


def joined(tables, workspace, name, **options):
    page = tables.open(workspace, **options)
    page.get_by_label("Your name", exact=True).fill(name)
    with page.expect_navigation():
        page.locator("#join").click()
    settled(page)
    return page


def names_of_rows(page):
    return page.evaluate(
        "[...document.querySelectorAll('#dispute-table tbody td:first-child')].map((one) => one.textContent)"
    )


REVISION = "Number(document.getElementById('line').dataset.revision)"
ANSWERED = f"(before) => {REVISION} > before && document.getElementById('line').dataset.solved === 'true'"


@pytest.mark.long
def test_a_click_makes_at_most_three_requests(tables):
    tables.workspace("few", CLINICS)
    page = tables.open("few")
    settled(page)
    page.locator("#likely").scroll_into_view_if_needed()  # which asks for its own data
    until(page, "document.querySelector('#row-tables h3') !== null")
    forbid = page.locator("#dispute-table .decisions button >> text='Forbid'").nth(2)
    forbid.scroll_into_view_if_needed()
    asked = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url.partition('/few')[2]}"))
    order, before = names_of_rows(page), page.evaluate(REVISION)
    forbid.click()
    until(page, ANSWERED, before)
    page.wait_for_timeout(300)
    assert len(asked) <= 3, asked
    assert asked[0] == "POST /changes"
    rows = names_of_rows(page)
    assert rows[: len(order)] == order, "rows keep their places"
    assert page.locator("#dispute-table .effect").count() == 1
    for _ in ("off", "on"):
        asked.clear()
        before = page.evaluate(REVISION)
        page.get_by_label("harbour", exact=True).click()
        until(page, ANSWERED, before)
        assert len(asked) <= 3, asked
    asked.clear()
    page.locator("#dispute-table .note-field").nth(1).fill("agreed")
    page.keyboard.press("Enter")
    until(page, "document.getElementById('undo').title.includes('noted')")
    page.wait_for_timeout(300)
    assert asked == ["POST /changes"], "a note changes no answer"


@pytest.mark.long
def test_two_people_who_change_the_same_thing_choose(tables):
    tables.workspace("conflict", CLINICS)
    ana, ben = joined(tables, "conflict", "Ana"), joined(tables, "conflict", "Ben")
    until(ana, "document.getElementById('present').textContent.includes('Here now: Ben')")
    fields = [page.locator("#dispute-table .note-field").first for page in (ana, ben)]
    fields[0].click()
    fields[1].click()
    fields[0].fill("from Ana")
    fields[1].fill("from Ben")
    ana.keyboard.press("Enter")
    until(ben, "document.getElementById('undo').title.includes('from Ana')")
    ana.locator("#dispute-table .decisions button >> text='Forbid'").nth(3).click()  # the page of both is made anew
    until(ben, "document.getElementById('undo').title.includes('forbade')")
    settled(ana)
    settled(ben)
    ben.keyboard.press("Enter")
    box = ben.locator(".conflict")
    box.wait_for()
    text = box.inner_text()
    assert "Ana" in text
    assert "from Ana" in text
    assert "from Ben" in text
    box.get_by_text("Use mine").click()
    until(ana, "document.getElementById('undo').title.includes('from Ben')")
    ana.locator("#history-part summary").click()
    until(
        ana, "[...document.querySelectorAll('#history li')].some((one) => one.textContent.startsWith('Ben noted on'))"
    )
    tables.expect("409")


@pytest.mark.long
def test_a_private_round_is_private_until_it_is_revealed(tables):
    tables.workspace("delphi", CLINICS)
    ana, ben = joined(tables, "delphi", "Ana"), joined(tables, "delphi", "Ben")
    ana.locator("#panels-part summary").click()
    ana.get_by_text("Open a private round").click()
    for page, choice, why in ((ana, "For", "seen in the clinic"), (ben, "Against", "a common cause")):
        page.locator("#panels .judging button >> text='For'").first.wait_for()
        row = page.locator("#panels .judging > li").first
        row.get_by_label("Reason on").fill(why)
        row.locator(f"button >> text='{choice}'").click()
    until(ana, "/2 of \\d+ people/.test(document.getElementById('panels').textContent)")
    assert "a common cause" not in ana.content()
    ana.get_by_text("Reveal to everybody").click()
    for page in (ana, ben):
        until(page, "document.querySelector('#panels .reasons')?.textContent.includes('seen in the clinic')")
        assert "expert" in page.locator("#panels .reasons").first.inner_text()
    ana.get_by_text("Count the judgements as votes").click()
    settled(ana, 7)


@pytest.mark.long
def test_a_reason_that_is_being_written_stays_while_others_judge(tables):
    tables.workspace("writing", CLINICS)
    ana, ben = joined(tables, "writing", "Ana"), joined(tables, "writing", "Ben")
    ana.locator("#panels-part summary").click()
    ana.get_by_text("Open a private round").click()
    rows = [page.locator("#panels .judging > li").first for page in (ana, ben)]
    rows[0].get_by_label("Reason on").click()
    ana.keyboard.type("seen  clinic")
    for _ in "clinic ":
        ana.keyboard.press("ArrowLeft")
    rows[1].locator("button >> text='Against'").click()
    until(ana, "/^1 of \\d+ people/.test(document.querySelector('#panels .panel .note').textContent)")
    ana.keyboard.type("in the")
    rows[0].locator("button >> text='For'").click()
    until(ana, "/^2 of \\d+ people/.test(document.querySelector('#panels .panel .note').textContent)")
    ana.get_by_text("Reveal to everybody").click()
    until(ben, "document.querySelector('#panels .reasons')?.textContent.includes('seen in the clinic')")


@pytest.mark.long
def test_the_wall_fits_and_follows(tables):
    tables.workspace("wall", CLINICS)
    page = tables.open("wall")
    settled(page)
    wall = tables.open("wall", size=(1920, 1080))
    settled(wall)
    wall.evaluate("location.hash = '#wall'")
    until(wall, "document.querySelectorAll('#contested-now > li').length === 5")
    inside = """() => [...document.querySelectorAll('#net .node rect')].every((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight; })"""
    until(wall, inside)
    assert wall.locator("button:visible:not(#changes button), input:visible, select:visible").count() == 0
    page.locator("#dispute-table td:first-child button").first.click()
    until(
        wall, "document.querySelector('#arcs .arc.chosen, #arcs .arc[aria-pressed=true], #arcs .arc.selected') !== null"
    )


@pytest.mark.long
def test_each_link_opens_the_workspace_as_its_role_may_see_it(tables):
    tables.workspace("linked", CLINICS)
    tables.workspace("another", [])
    leads = tables.open("linked")
    settled(leads)
    leads.locator("#links summary").click()
    until(leads, "document.querySelectorAll('#links input').length === 3")
    called = {"Participants": "participant", "The wall": "wall", "Facilitators": "facilitator"}
    links = {role: leads.get_by_label(f"Link: {words}", exact=True).input_value() for words, role in called.items()}
    ana = joined(tables, "linked", "Ana", link=links["participant"])
    assert "#" not in ana.url, "the secret leaves the address"
    assert ana.locator("#links").is_hidden()
    ana.locator("#history-part summary").click()
    until(ana, "document.querySelectorAll('#history li').length > 0")
    assert ana.locator("#history button").count() == 0, "only the facilitator goes back"
    ana.locator("#dispute-table .note-field").first.fill("by Ana")
    ana.keyboard.press("Enter")
    until(ana, "document.getElementById('undo').title.includes('by Ana')")
    ana.locator("#dispute-table .decisions button >> text='Forbid'").nth(2).click()
    settled(ana)
    until(leads, "document.getElementById('changes').textContent.startsWith('Ana, ')")
    named = set(leads.locator("#marked-by .by").all_text_contents())
    assert named == {"Ana"}, "marks in the picture say whose they are"
    (noted,) = [text for text in leads.locator("#dispute-table .noted-by").all_text_contents() if text]
    assert noted.startswith("Ana, "), "so does the note"
    eva = joined(tables, "linked", "Eva", link=links["facilitator"])
    assert eva.locator("#links").is_visible()
    assert "forbade" in eva.locator("#undo").get_attribute("title"), "what Ana did last"
    wall = tables.open("linked", size=(1920, 1080), link=links["wall"])
    until(wall, "document.body.classList.contains('wall')")
    until(wall, "document.querySelectorAll('#contested-now > li').length === 5")
    assert wall.locator("button:visible:not(#changes button), input:visible, select:visible").count() == 0
