"""The table of names in a browser: it opens for whoever drops a file that differs, and closes once all is decided."""

import pytest
from table_browser import CLINICS, drop, settled, tables_fixture, until  # noqa: F401

from page_browser import PHONE, browser_fixture, needs_browser  # noqa: F401

pytestmark = needs_browser

ONE = ("one.csv", "from,to\nSmoker,Cough\nCough,Fever\n")
TWO = ("two.csv", "from,to\nsmoker,Cough\nCough,Fever\n")
OPEN = "!document.getElementById('naming').hidden"
CLOSED = "document.getElementById('naming').hidden"


def unlike():
    """Three clinics, one of which says Smokes, and true and false."""
    texts = [(file.name, file.read_text("utf-8")) for file in CLINICS[:3]]
    name, text = texts[2]
    states = (
        "variable Cough { type discrete [ 2 ] { yes, no }",
        "variable Cough { type discrete [ 2 ] { true, false }",
    )
    return [*texts[:2], (name, text.replace("Smoker", "Smokes").replace(*states))]


def test_a_name_that_differs_is_accepted_in_the_table(tables):
    tables.workspace("names")
    page = tables.open("names")
    page.locator("#drop").wait_for()
    drop(page, [ONE, TWO])
    until(page, OPEN)
    assert page.locator("#naming-sentence").inner_text().startswith("1 name differs: two has smoker where others have")
    assert page.get_by_label("Name of smoker in two", exact=True).input_value() == "Smoker"
    page.get_by_label("Accept: smoker in two").click()
    until(page, CLOSED)
    assert page.locator("#naming-line").inner_text().startswith("1 name decided.")
    until(page, "document.getElementById('undo').title.includes('renamed smoker in two to Smoker')")
    until(page, "document.querySelectorAll('#net .node').length === 3")


@pytest.mark.long
def test_a_group_changes_refuses_and_decides_again(tables):
    tables.workspace("group")
    ana, ben = tables.open("group"), tables.open("group")
    for page, name in ((ana, "Ana"), (ben, "Ben")):
        page.get_by_label("Your name", exact=True).fill(name)
        with page.expect_navigation():
            page.locator("#join").click()
        page.locator("#present").wait_for()
    drop(ana, unlike())
    for page in (ana, ben):
        until(page, "document.querySelectorAll('#naming tbody tr').length === 2")
    field = ben.get_by_label("Name of Smokes in hillcrest", exact=True)
    field.fill("Smoking")
    ana.get_by_label("Keep Smokes in hillcrest").click()
    until(ana, "document.querySelectorAll('#naming tbody tr').length === 1")
    assert "Smokes" in ana.locator("#naming-alone").inner_text(), "what stays different is listed"
    ana.get_by_role("radio", name="All of any input").check()
    settled(ana, 3)
    ana.locator("#naming-decided summary").click()
    ana.get_by_label("Decide again on Smokes in hillcrest").click()
    until(ben, "document.querySelectorAll('#naming tbody tr').length === 2")
    assert ben.get_by_label("Name of Smokes in hillcrest", exact=True).input_value() == "Smoking", "what is typed stays"
    ben.get_by_label("Name of Smokes in hillcrest", exact=True).fill("Smoker")
    ben.get_by_text("Accept all 2").click()
    for page in (ana, ben):
        until(page, CLOSED)
    settled(ben, 3)
    ben.locator("#history-part summary").click()
    until(
        ben, "document.getElementById('history').textContent.includes('renamed Smokes in hillcrest to Smoker; renamed')"
    )
    ben.locator("#undo").click()
    until(ben, "document.getElementById('naming-line').textContent.includes('2 names to check')")


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, (1024, 800)])
def test_the_table_fits_the_screen(tables, size):
    name = f"fits{size[0]}"
    tables.workspace(name)
    page = tables.open(name, size=size)
    page.locator("#drop").wait_for(state="attached")
    drop(page, unlike(), "body")
    until(page, OPEN)
    until(page, "document.querySelectorAll('#naming tbody tr').length === 2")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    inside = """() => [...document.querySelectorAll("#naming button, #naming input")].every((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left >= 0 && right <= innerWidth; })"""
    assert page.evaluate(inside)
