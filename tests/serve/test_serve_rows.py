"""Say how likely: what people say about rows of tables, in a workspace."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from urllib.parse import quote

import pytest
from table_browser import CLINICS as FILES
from table_browser import settled, tables_fixture, until  # noqa: F401

import bnfuse
from bnfuse.errors import BnfuseError, OptionError
from bnfuse.serve.applying import apply_changes
from bnfuse.serve.bundle.erasing import erase
from bnfuse.serve.jobs.repeat import command, python
from bnfuse.serve.meeting.items import ConflictError, Maker, differences, items_of, with_items
from bnfuse.serve.meeting.people import ForbiddenError
from bnfuse.serve.rows.comparing import rows_shown
from bnfuse.serve.workspace.state import Input, State
from bnfuse.serve.workspace.store import Found, StoredFile, opened
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, served_fixture  # noqa: F401
from running import CLINICS

SAID = {
    "kind": "row",
    "variable": "LungCancer",
    "given": {"Smoker": "never"},
    "probabilities": {"yes": 0.005, "no": 0.995},
    "cases": 200,
    "reason": "registry",
}
ANA, BEN, LEAD = Maker("Ana", None, False), Maker("Ben", None, False), Maker("", None, True)
FILE = {"name": "f.bif", "kind": "networks", "inputs": [{"name": "north", "has_tables": True}]}


@pytest.fixture(name="store")
def store_fixture(tmp_path):
    with opened(tmp_path / "own", is_to_create=True) as store:
        question = State((Input("0", "north", "f", 0),))
        store.add_file(StoredFile("f", "f.bif", {"variables": ["LungCancer", "Smoker"]}), b"", question, "added")
        yield store


def change(store, maker, **changes):
    with store.made_by(maker):
        apply_changes(store, [SAID | changes], maker)
    return store.now().question.judgements


def test_each_person_has_one_judgement_of_a_row_and_the_history_says_whose(store):
    change(store, ANA)
    change(store, BEN, probabilities={"yes": 0.02, "no": 0.98}, reason="")
    said = change(store, ANA, cases=50)
    assert [(one.by, one.cases) for one in said] == [("Ana", 50), ("Ben", 200)]
    lines = [(one["who"], one["words"]) for one in store.history()[-3:]]
    row = "P(LungCancer | Smoker = never)"
    assert lines == [
        ("Ana", f"said about {row}: yes 0.005, no 0.995, worth 200 cases; registry"),
        ("Ben", f"said about {row}: yes 0.02, no 0.98, worth 200 cases"),
        ("Ana", f"said about {row}: yes 0.005, no 0.995, worth 50 cases; registry"),
    ]
    assert [one.by for one in change(store, ANA, probabilities=None)] == ["Ben"]
    with store.made_by(ANA):
        store.undo()
    assert {one.by for one in store.now().question.judgements} == {"Ana", "Ben"}


def test_the_same_row_by_the_same_person_conflicts_and_other_rows_merge(store):
    on = store.now().revision
    change(store, ANA)
    change(store, replace(BEN, on=on))
    change(store, replace(ANA, on=on), given={"Smoker": "current"})
    with pytest.raises(ConflictError) as refused:
        change(store, replace(ANA, on=on), cases=1)
    (conflict,) = refused.value.conflicts
    assert conflict.what == "what Ana said about LungCancer given Smoker = never"
    assert (conflict.theirs["cases"], conflict.yours["cases"]) == (200, 1)


def test_only_who_leads_says_something_for_others(store):
    with pytest.raises(ForbiddenError):
        change(store, BEN, by="Ana")
    change(store, LEAD, by="Ana")
    with pytest.raises(ForbiddenError):
        change(store, BEN, by="Ana", probabilities=None)
    assert change(store, LEAD, by="Ana", probabilities=None) == ()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"probabilities": {"yes": 0.5, "no": 0.2}}, "must sum to 1; they sum to 0.7"),
        ({"probabilities": [0.5, 0.5]}, "probabilities must map states to numbers"),
        ({"probabilities": {"yes": "much", "no": 0.2}}, "must be between 0 and 1"),
        ({"cases": -1}, "cases must be a number of cases that is at least 0"),
        ({"cases": None}, "cases must be a number of cases"),
        ({"cases": 1e12}, "cases must be at most 1,000,000,000"),
        ({"variable": "LungCancr"}, "did you mean 'LungCancer'"),
        ({"given": {"Smokr": "never"}}, "did you mean 'Smoker'"),
        ({"given": {"LungCancer": "yes"}}, "not the variable itself"),
        ({"given": ["Smoker"]}, "given must map each parent to its state"),
        ({"reason": "x" * 3000}, "a reason may have at most 2,000 characters"),
        ({"reason": "\ud800"}, "reason must be text"),
        ({"by": 3}, "by must be text"),
        ({"probabilities": None}, "there is nothing to withdraw"),
    ],
)
def test_what_is_no_judgement_is_refused_in_one_line(store, wrong, words):
    with pytest.raises(BnfuseError, match=words) as refused:
        change(store, LEAD, **wrong)
    assert "\n" not in str(refused.value)


def test_a_question_without_judgements_has_the_key_that_it_always_had(store):
    question = store.now().question
    plain = {name: value for name, value in question.to_json().items() if name not in ("judgements", "input_cases")}
    assert State.from_json(plain) == question
    before = question.key
    change(store, ANA)
    change(store, BEN, cases=3)
    judged = store.now().question
    assert judged.key != before == judged.bare.key
    turned = replace(judged, judgements=judged.judgements[::-1])
    assert turned.key == judged.key
    assert with_items(judged, items_of(judged)) == judged
    assert State.from_json(json.loads(json.dumps(judged.to_json()))) == judged
    assert len(differences(judged, question)) == 2


def test_what_was_found_for_the_structure_alone_goes_with_a_deleted_file(store):
    change(store, ANA)
    judged = store.now().question
    for key in (judged.key, judged.bare.key):
        store.keep(Found(key, "quick", {"distance": 1.0, "bound": 0.0}, [], b"", b""))
    with store.made_by(LEAD):
        apply_changes(store, [{"kind": "remove-input", "id": "0"}], LEAD)
    erase(store, "f")
    assert store.answers(judged.key) == store.answers(judged.bare.key) == []


def test_how_many_cases_an_input_is_worth_is_a_setting(store):
    with store.made_by(LEAD):
        apply_changes(store, [{"kind": "set", "field": "input_cases", "value": 20}], LEAD)
        assert store.now().question.input_cases == 20
        with pytest.raises(OptionError, match="input_cases must be a number of cases"):
            apply_changes(store, [{"kind": "set", "field": "input_cases", "value": -1}], LEAD)


def test_what_is_taken_away_repeats_the_tables(tmp_path):
    found = bnfuse.consensus(bnfuse.read(CLINICS[0]), max_clique=4, effort="quick")
    given = {name: found.states[name][0] for name in found.dag.parents("Cough")}
    said = bnfuse.RowJudgement("Cough", given, {"yes": 0.123, "no": 0.877}, 20, "Ana's", 'so "said"')
    stale = bnfuse.RowJudgement("Cough", {}, {"yes": 0.5, "no": 0.5}, 20)
    question = State((Input("0", "harbour", "f", 0),), judgements=(said, stale), input_cases=50.0)
    facts = {"f": FILE | {"name": "harbour.bif"}}
    shutil.copy(CLINICS[0], tmp_path / "harbour.bif")
    shell, lines = command(question, facts, "quick"), python(question, facts, "quick")
    assert "--judgements judgements.json --input-cases 50" in shell
    own = shell.replace("\nbnfuse ", f"\n{sys.executable} -m bnfuse ")
    expected = found.pool(judgements=question.judgements, input_cases=50).network
    assert expected != found.pool().network
    for words in (["sh", "-c", own], [sys.executable, "-c", lines]):
        subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
        assert bnfuse.Consensus.load(tmp_path / "result.json").parameters.network == expected
        (tmp_path / "result.json").unlink()


def test_rows_are_shown_with_what_inputs_and_people_say_and_what_is_not_used():
    result = bnfuse.consensus(bnfuse.read(*CLINICS), max_clique=4, effort="quick")
    said = bnfuse.RowJudgement("LungCancer", {"Smoker": "never"}, {"yes": 0.5, "no": 0.5}, 20, "Ana")
    stale = replace(said, given={"Age": "over_65"})
    question = State(judgements=(said, stale))
    pooled = result.pool(judgements=question.judgements)
    shown = rows_shown(question, pooled, "LungCancer")
    assert [row["given"] for row in shown["rows"]] == [{"Smoker": state} for state in ("never", "former", "current")]
    first = shown["rows"][0]
    assert first["consensus"] == pooled.network.cpts["LungCancer"][0].tolist()
    assert [one["by"] for one in first["judgements"]] == ["Ana"]
    assert [one["name"] for one in first["inputs"]] == list(pooled.problem.names)
    (unused,) = shown["unused"]
    assert unused["why"] == "LungCancer has the parent Smoker in the consensus"
    listed = rows_shown(question, pooled, None)["disputed"]
    assert listed[0]["divergence"] > 0
    weights = [one["divergence"] * one["probability"] for one in listed]
    assert weights == sorted(weights, reverse=True)


def test_a_judgement_changes_the_tables_and_nothing_else(server, tmp_path):
    path = server.workspace("rows", CLINICS[:3])
    server.ask("POST", f"{path}/changes", {"kind": "set", "field": "effort", "value": "quick"})
    before = server.answered(path, "quick")["answer"]
    rows = server.ask("GET", f"{path}/rows")
    assert (rows["rows"], rows["total"], rows["unused"]) == ([], 0, [])
    row = next(one for one in rows["disputed"] if one["given"])
    shares = dict(zip(row["states"], row["consensus"][::-1], strict=True))
    said = {"kind": "row", "variable": row["variable"], "given": row["given"], "probabilities": shares, "cases": 30}
    server.ask("POST", f"{path}/changes", said | {"by": "Ana"})
    after = server.answered(path, "quick")["answer"]
    left = ("seconds", "notes", "changed", "is_solved")  # the costs of disputes may be known only later
    assert {key: value for key, value in before.items() if key not in left} == {
        key: value for key, value in after.items() if key not in left
    }
    assert after["seconds"] == before["seconds"]  # it was not searched again
    assert "1 judgement by Ana of 1 row counted as 30 cases" in after["notes"]

    found = bnfuse.consensus(bnfuse.read(*CLINICS[:3]), max_clique=4, effort="quick")
    judgement = bnfuse.RowJudgement(row["variable"], row["given"], shares, 30)
    expected = found.pool(judgements=[judgement]).network
    shown = server.ask("GET", f"{path}/rows?variable={row['variable']}")
    assert [one["consensus"] for one in shown["rows"]] == expected.cpts[row["variable"]].reshape(
        -1, len(row["states"])
    ).tolist()
    (ana,) = next(one for one in shown["rows"] if one["given"] == row["given"])["judgements"]
    assert (ana["by"], ana["cases"], ana["time"][-3:]) == ("Ana", 30, "UTC")
    assert "P\\(" in server.ask("GET", f"{path}/out/minutes").decode()

    answer = server.ask("POST", f"{path}/changes", said | {"probabilities": {"yes": 2}}, 422)
    assert "\n" not in answer["error"]
    assert server.ask("GET", f"{path}/rows?variable=nobody", status=422)["error"].startswith(
        "network 'consensus' has no"
    )

    # Without its arcs the row is gone; what was said stays, and counts again when they come back.
    arcs = [{"kind": "arc", "source": name, "target": row["variable"], "say": "forbid"} for name in row["given"]]
    server.ask("POST", f"{path}/changes", arcs)
    server.answered(path, "quick")
    (unused,) = server.ask("GET", f"{path}/rows")["unused"]
    assert (unused["by"], "in the consensus" in unused["why"]) == ("Ana", True)
    server.ask("POST", f"{path}/undo")
    assert server.ask("GET", f"{path}/rows")["unused"] == []
    server.ask("POST", f"{path}/undo")
    server.answered(path, "quick")
    assert server.ask("GET", f"{path}/rows")["disputed"][0]["judgements"] == []
    server.ask("POST", f"{path}/redo")

    looked = server.answered(path, "quick")
    _, content, _ = server.request("GET", f"{path}/bundle")
    opened_as = server.ask("PUT", "/api/bundles", content, 201)["name"]
    again = server.answered(f"/api/workspaces/{quote(opened_as)}", "quick")
    assert {key: again[key] for key in ("question", "answer", "key")} == {
        key: looked[key] for key in ("question", "answer", "key")
    }


@needs_browser
def test_somebody_says_how_likely_on_the_page(tables, tmp_path):
    tables.workspace("likely", FILES[:3])
    page = tables.open("likely")
    settled(page)
    page.locator("#likely-title").scroll_into_view_if_needed()
    page.locator("#row-tables .row-disputes tbody tr").first.wait_for()
    page.locator("#row-tables select").select_option("LungCancer")
    card = page.locator(".table-row").first
    card.wait_for()
    assert page.locator(".table-row").count() == 3
    before = card.locator("tr.whole td").first.inner_text()
    card.get_by_role("button", name="Say how likely").click()
    number = card.get_by_label("yes, in percent, as a number")
    number.fill("60")
    assert card.get_by_label("no, in percent, as a number").input_value() == "40"
    card.get_by_label("Number of cases").fill("1000")
    card.get_by_label("Reason").fill("registry")
    assert "The consensus is then: yes" in card.locator(".row-outcome").inner_text()
    promised = card.locator(".row-outcome").inner_text().split("yes ")[1].split(",")[0]
    card.get_by_role("button", name="Say this").click()
    until(page, "() => document.querySelector('.table-row tr.said') !== null")
    settled(page)
    card = page.locator(".table-row").first
    assert before != card.locator("tr.whole td").first.inner_text() == promised
    assert "registry" in card.locator("tr.said").inner_text()
    card.get_by_role("button", name="Delete the judgement of the facilitator").click()
    until(page, "() => document.querySelector('.table-row') && !document.querySelector('.table-row tr.said')")
    settled(page)
    assert page.locator(".table-row").first.locator("tr.whole td").first.inner_text() == before
    assert tables.troubles == []
