"""The schools among the inputs of a workspace: as a page to take away, and as a view in the app."""

from dataclasses import asdict
from pathlib import Path

import pytest
from table_browser import settled, tables_fixture, until  # noqa: F401

import bnfuse
from bnfuse._base.options import spelled
from bnfuse.report.schools_page import schools_page
from bnfuse.report.schools_view import page_of
from bnfuse.serve.jobs.outputs import MADE, made, schools_shown
from bnfuse.serve.words import WORDS
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, served_fixture  # noqa: F401
from running import CLINICS


def numbers(found):
    """What the library finds, as the app gives it."""
    return {
        "k": found.k,
        "is_chosen": found.is_chosen,
        "verdict": found.verdict,
        "distance": found.distance,
        "single_distance": found.single_distance,
        "lower_bound": found.lower_bound,
        "schools": [
            {"number": one.number, "inputs": one.inputs, "distance": one.consensus.distance, "arcs": one.dag.edges}
            for one in found.schools
        ],
        "members": [asdict(one) for one in found.members],
        "set_aside": found.set_aside,
        "between": found.between,
        "separating": [asdict(one) for one in found.separating],
        "page": asdict(page_of(found)),
    }


def listed(value):
    """As JSON has it."""
    if isinstance(value, dict):
        return {name: listed(one) for name, one in value.items()}
    return [listed(one) for one in value] if isinstance(value, list | tuple) else value


def camps(variables=("Gene", "Smoker", "Cancer", "Cough")):
    """Two theories with four and three followers, and somebody between them."""
    gene, smoker, cancer, cough = variables
    one = [(smoker, cancer), (cancer, cough)]
    two = [(gene, smoker), (gene, cancer), (smoker, cough)]
    arcs = {f"one-{i}": one for i in range(4)} | {f"two-{i}": two for i in range(3)} | {"far": [(gene, cough)]}
    return [bnfuse.Network(bnfuse.DAG(variables, own), name=name) for name, own in arcs.items()]


def test_the_view_is_that_of_the_library():
    inputs = camps()
    answer = bnfuse.consensus(inputs, effort="quick", max_clique=3, seed=5)
    for k in (None, 2, 3):
        found = schools_shown(answer, k)
        expected = numbers(bnfuse.schools(inputs, k, 3, effort="quick", seed=5))
        assert {name: found[name] for name in expected} == expected
    assert [part["name"] for part in schools_shown(answer, 2)["page"]["parts"]] == ["separates", "members", "number"]


def test_what_is_refused_is_refused_in_the_words_of_the_app():
    answer = bnfuse.consensus(camps()[:2], effort="quick")
    told = pytest.raises(bnfuse.OptionError, match="the number of schools is 2, but all inputs are alike")
    with spelled(WORDS), told:  # as in a worker
        schools_shown(answer, 2)
    answer = bnfuse.consensus(camps(), metric="fsim", effort="quick")
    with spelled(WORDS), pytest.raises(bnfuse.OptionError, match="schools need the distance smhd or shd"):
        schools_shown(answer, None)


def test_the_page_is_that_of_the_library():
    clinics = bnfuse.read(*CLINICS)
    page = made(bnfuse.consensus(clinics, effort="quick"), "schools", "clinics", placeholders=False)
    expected = schools_page(bnfuse.schools(clinics, effort="quick"))
    assert page.decode().split("<footer")[0] == expected.split("<footer")[0]
    assert MADE["schools"].ending == "-schools.html"


def test_what_has_no_schools_is_refused():
    tally = bnfuse.Tally(["A", "B"])
    tally.add(bnfuse.DAG(["A", "B"]))
    with pytest.raises(bnfuse.OptionError, match="tally has only counts"):
        made(bnfuse.consensus(tally), "schools", "clinics", placeholders=False)


@pytest.mark.long
def test_the_schools_can_be_taken_away(server):
    clinics = server.workspace("clinics")
    server.answered(clinics)
    status, content, headers = server.request("GET", f"{clinics}/out/schools")
    assert status == 200
    assert headers["content-disposition"].startswith('attachment; filename="clinics-schools.html"')
    assert b"1 school of thought among 5 inputs" in content


@pytest.mark.long
def test_a_server_gives_what_the_library_finds(server):
    clinics = server.workspace("divided")
    answer = server.answered(clinics)
    for query, k in (("", None), ("?k=2", 2), ("?k=3", 3)):
        found = server.ask("GET", f"{clinics}/schools{query}")
        expected = listed(numbers(bnfuse.schools(bnfuse.read(*CLINICS), k, effort="quick")))
        assert {name: found[name] for name in expected} == expected
        assert (found["revision"], found["key"]) == (answer["revision"], answer["key"])
    for query, words in (("?k=0", "from 1 to 8"), ("?k=two", "from 1 to 8"), ("?k=6", "there are only 5 inputs")):
        assert words in server.ask("GET", f"{clinics}/schools{query}", status=422)["error"]
    empty = server.workspace("nobody", files=[])
    assert "no answer" in server.ask("GET", f"{empty}/schools", status=404)["error"]


def look(page, number=""):
    page.locator("#schools-number").select_option(number)
    page.locator("#schools-button").click()
    until(page, "document.getElementById('schools-said').textContent !== 'Looking for schools\u2026'")


@pytest.mark.long
@needs_browser
def test_schools_are_looked_for_on_request_and_marked_when_the_question_has_changed(tables):
    tables.workspace("view", [Path(one) for one in CLINICS])
    page = tables.open("view")
    settled(page, 5)
    assert page.locator("#schools-found").is_hidden()
    look(page, "2")
    expected = page_of(bnfuse.schools(bnfuse.read(*CLINICS), 2, effort="quick"))
    assert page.locator("#schools-headline").inner_text() == expected.headline
    assert page.locator("#schools-lead p").all_inner_texts() == list(expected.lead)
    assert page.locator("#schools-parts .card h3").all_inner_texts() == [one.title for one in expected.parts]
    for figure, own in zip(page.locator("figure.school").all(), expected.pictures, strict=True):
        assert figure.locator("figcaption").inner_text().split("\n\n")[1:] == [own.facts, own.who]
        drawn = figure.locator("path").evaluate_all(
            "all => all.map((one) => [one.getAttribute('class'), one.textContent])"
        )
        assert drawn == [[arc.kind, arc.words] for arc in own.arcs]
    for part in expected.parts:
        rows = page.locator(f"#school-part-{part.name} tbody tr")
        texts = [
            [f"{cell.bold} {cell.text}".strip() for cell in row] for row in (part.table.rows if part.table else ())
        ]
        assert [row.locator("td").all_inner_texts() for row in rows.all()] == texts

    # The question changes: what was found stays, and is said to be old. Undo makes it hold again.
    assert page.locator("#schools-old").is_hidden()
    page.get_by_label("harbour", exact=True).click()
    settled(page, 4)
    assert page.locator("#schools-old").is_visible()
    assert page.locator("figure.school").count() == 2
    assert page.locator("#schools-number").input_value() == "2"
    page.locator("#undo").click()
    settled(page, 5)
    assert page.locator("#schools-old").is_hidden()

    # What is refused is told in words, and what was found stays.
    for name in ("harbour", "eastgate", "hillcrest"):
        page.get_by_label(name, exact=True).click()
    settled(page, 2)
    look(page, "4")
    tables.expect("422")
    said = "the number of schools is 4, but there are only 2 inputs (of weight above 0)"
    assert page.locator("#schools-said").inner_text() == said
    assert page.locator("#schools-old").is_visible()


@pytest.mark.long
@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_names_are_text_and_it_fits_the_screen(tables, tmp_path, size, scheme):
    names = ("<img src=x onerror=alert(1)>", "B&C", "a variable with a rather long name", "D")
    files = []
    for i, one in enumerate(camps(names)):
        one.write(tmp_path / "arcs.csv", overwrite=True)
        files.append(tmp_path / f"{one.name}.csv")
        files[-1].write_bytes((tmp_path / "arcs.csv").read_bytes() + b"\n" * i)  # a file is added only once
    workspace = f"names-{size[0]}-{scheme}"
    tables.workspace(workspace, files)
    path = f"/api/workspaces/{workspace}"
    far = tables.server.ask("GET", path)["question"]["inputs"][-1]["id"]
    tables.server.ask("POST", f"{path}/changes", {"kind": "rename", "id": far, "name": "<b>far"})
    page = tables.open(workspace, size, scheme)
    settled(page, 8)
    look(page, "2")
    assert page.locator("#schools-found img, #schools-found b").count() == 0
    assert "<b>far" in page.locator("#school-part-members").inner_text()
    assert "<img src=x onerror=alert(1)>" in page.locator("#school-part-separates").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    boxes = [one.bounding_box() for one in page.locator("figure.school").all()]
    assert (boxes[0]["y"] == boxes[1]["y"]) == (size == DESKTOP)
    stroke = page.evaluate("getComputedStyle(document.querySelector('.schools path.dropped')).stroke")
    assert stroke == {"light": "rgb(184, 74, 0)", "dark": "rgb(255, 143, 74)"}[scheme]
