"""The server as programs see it: the whole story of a workspace, every example of its description, and its outputs."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from serving import assert_repeated, fresh, served

import bnfuse
from bnfuse.report.page.page import data_text
from bnfuse.report.page.page_data import layout_of, page_data
from bnfuse.report.summary import Summary
from running import CLINICS


@pytest.fixture(scope="module")
def clinics(server):
    path = server.workspace("clinics")
    server.answered(path)
    return path


def test_the_answer_is_that_of_the_library(server, clinics):
    found = server.answered(clinics)["answer"]
    result = bnfuse.consensus(bnfuse.read(*CLINICS))
    assert found["distance"] == result.distance
    assert (found["bound"], found["gap"]) == (result.lower_bound, result.gap)
    assert found["distances"] == dict(zip(result.problem.names, result.distances, strict=True))
    assert found["max_clique_found"] == result.clique_size


def test_the_view_is_the_data_of_the_report(server, clinics):
    server.decided(clinics)
    view = server.ask("GET", f"{clinics}/view")["data"]
    result = bnfuse.consensus(bnfuse.read(*CLINICS), effort="quick").finished  # which is proven best: no other follows
    expected = json.loads(data_text(page_data(Summary(result), layout_of(result), bnfuse.disputes(result))))
    differing = {key for key in expected if view[key] != expected[key]}
    assert differing <= {"layout", "origin", "facts", "tables", "labels"}, differing
    assert {key for key in expected["facts"] if view["facts"][key] != expected["facts"][key]} <= {"seconds"}
    assert view["origin"]["command"].startswith("bnfuse consensus eastgate.bif harbour.bif")


def test_changes_undo_and_redo(server, request):
    path = fresh(server, request)
    first = server.answered(path)
    target = first["question"]["inputs"][1]["id"]
    server.ask("POST", f"{path}/changes", {"kind": "switch", "id": target, "on": False})
    second = server.answered(path)
    assert "harbour" not in second["answer"]["distances"]
    assert second["can_undo"] == "switched harbour off"
    server.ask("POST", f"{path}/undo")
    again = server.answered(path)
    later = {"changed": None, "is_solved": None}  # what else there is to know, which comes after the answer
    assert {**again["answer"], **later} == {**first["answer"], **later}
    assert (again["can_undo"], again["can_redo"]) == ("added northfield", "switched harbour off")
    server.ask("POST", f"{path}/redo")
    assert server.answered(path)["answer"]["distance"] == second["answer"]["distance"]
    words = [line["words"] for line in server.ask("GET", f"{path}/history")]
    assert words[-3:] == ["switched harbour off", "took back: switched harbour off", "did again: switched harbour off"]


def test_a_list_of_changes_is_kept_as_a_whole_or_not_at_all(server, request):
    path = fresh(server, request)
    before = server.ask("GET", path)
    good = {"kind": "set", "field": "max_clique", "value": 3}
    bad = {"kind": "arc", "source": "Age", "target": "Nobody", "say": "forbid"}
    assert server.ask("POST", f"{path}/changes", [good, bad], 422) == {"error": "unknown variable 'Nobody'"}
    assert server.ask("GET", path)["revision"] == before["revision"]
    more = {"kind": "arc", "source": "Age", "target": "XRay", "say": "forbid"}
    told = server.ask("POST", f"{path}/changes", [good, more])
    assert told["revision"] == before["revision"] + 1
    assert told["question"]["forbidden"] == [["Age", "XRay"], ["XRay", "Age"]]


def test_what_changed_is_told_against_the_answer_before(server, request):
    path = fresh(server, request)
    server.answered(path)
    before = server.ask("GET", f"{path}/view")["data"]
    names = before["variables"]
    code = sum(before["consensus"][:1])
    source, target = names[code // len(names)], names[code % len(names)]
    server.ask("POST", f"{path}/changes", {"kind": "arc", "source": source, "target": target, "say": "forbid"})
    server.answered(path)
    view = server.ask("GET", f"{path}/view")
    after, old = codes(view["data"]["consensus"]), codes(before["consensus"])
    n = len(names)
    turned = {one for one in after - old if (one % n) * n + one // n in old - after}
    assert set(view["changed"]["turned"]) == turned
    assert set(view["changed"]["came"]) == after - old - turned
    assert set(view["changed"]["went"]) == old - after - {(one % n) * n + one // n for one in turned}
    assert code not in after
    places = ("x", "y", "widths")
    assert [view["data"]["layout"][key] for key in places] == [before["layout"][key] for key in places], "nothing moves"


def codes(steps):
    total, found = 0, set()
    for step in steps:
        total += step
        found.add(total)
    return found


def test_everybody_who_looks_is_told(server, request):
    path = fresh(server, request)
    server.answered(path)
    with server.events(path) as one, server.events(path) as other:
        server.ask("POST", f"{path}/changes", {"kind": "set", "field": "max_clique", "value": 3})
        for events in (one, other):
            seen = []
            while not seen or seen[-1][0] != "answer":
                seen.append(next(events))
            names = [name for name, _ in seen]
            seen = seen[names.index("changed") :]  # what concerns the first question may still arrive
            assert seen[0][1]["question"]["max_clique"] == 3
            assert {"solving", "answer"} <= {name for name, _ in seen}
            assert seen[-1][1]["max_clique"] == 3


def test_a_question_without_an_answer_says_why(server, request):
    path = fresh(server, request)
    arcs = [("Age", "Smoker"), ("Smoker", "COPD"), ("COPD", "Age")]
    changes = [{"kind": "arc", "source": a, "target": b, "say": "require"} for a, b in arcs]
    server.ask("POST", f"{path}/changes", changes)
    found = server.answered(path)
    assert found["failed"].startswith("the required arcs contradict each other")
    assert found["answer"] is None
    assert server.ask("GET", f"{path}/view", status=404) == {"error": "there is no answer to this question yet"}
    server.ask("POST", f"{path}/undo")
    assert server.answered(path)["failed"] is None


def test_disputes_are_those_of_the_library_and_then_all_others(server, clinics):
    found = server.decided(clinics)
    expected = bnfuse.disputes(bnfuse.consensus(bnfuse.read(*CLINICS)))
    assert (found["pairs"], found["stopped_by"]) == (expected.pairs, "finished")
    assert [(one["source"], one["target"]) for one in found["disputes"]] == [one.arc for one in expected]
    for one, own in zip(found["disputes"], expected, strict=True):
        assert one["cost"] == own.cost
        assert one["contested"] == own.contested
        for other, alternative in zip(one["alternatives"], own.alternatives, strict=True):
            facts = json.loads(json.dumps(alternative.facts))
            assert other == {name: value for name, value in facts.items() if name != "is_exact"}


def test_disputes_say_who_is_on_which_side(server, clinics):
    found = server.ask("GET", f"{clinics}/disputes")["disputes"]
    networks = bnfuse.read(*CLINICS)
    own = set(bnfuse.consensus(networks).dag.edges)
    pairs = {frozenset(arc) for network in networks for arc in network.dag.edges}
    agreed = {frozenset(arc) for arc in networks[0].dag.edges if all(arc in network.dag.edges for network in networks)}
    assert {frozenset((one["source"], one["target"])) for one in found} == pairs - agreed
    for one in found:
        arc = one["source"], one["target"]
        who = one["who"]
        assert who["forward"] == [network.name for network in networks if arc in network.dag.edges]
        assert who["backward"] == [network.name for network in networks if arc[::-1] in network.dag.edges]
        assert sorted([*who["forward"], *who["backward"], *who["neither"]]) == [one.name for one in networks]
        assert one["in"] == (arc in own)


def test_costs_come_in_the_background_and_are_told(server, request):
    """The answer is there before them; the page's data have them when they are told."""
    path = fresh(server, request)
    with server.events(path) as events:
        server.ask("POST", f"{path}/changes", {"kind": "set", "field": "max_clique", "value": 3})
        revision = server.answered(path)["revision"]
        names = []
        for name, facts in events:
            if facts.get("revision") == revision and name in ("answer", "disputes"):
                names.append(name)
            if names[-1:] == ["disputes"]:
                break
    assert "answer" in names
    assert (facts["stopped_by"], facts["pairs"]) == ("finished", facts["solved"])
    shown = server.ask("GET", f"{path}/view")["data"]["disputes"]
    assert (shown["pairs"], len(shown["shown"]["rows"])) == (facts["pairs"], facts["solved"])


def test_rounds_are_compared(server, request):
    path = fresh(server, request)
    first = server.answered(path)
    server.ask("POST", f"{path}/rounds", {"name": "one"}, 201)
    own = first["question"]["inputs"]
    changes = [
        {"kind": "switch", "id": own[0]["id"], "on": False},
        {"kind": "weight", "id": own[1]["id"], "weight": "2.5"},
        {"kind": "set", "field": "max_clique", "value": 3},
        {"kind": "arc", "source": "Age", "target": "XRay", "say": "require"},
    ]
    server.ask("POST", f"{path}/changes", changes)
    second = server.answered(path)
    server.ask("POST", f"{path}/rounds", {"name": "two"}, 201)
    assert "already" in server.ask("POST", f"{path}/rounds", {"name": "two"}, 422)["error"]
    found = server.ask("GET", f"{path}/rounds/1..2")
    assert found == server.ask("GET", f"{path}/rounds/1..now")
    assert found["before"]["distance"] == first["answer"]["distance"]
    assert found["after"]["distance"] == second["answer"]["distance"]
    assert found["inputs"]["switched_off"] == ["eastgate"]
    assert found["inputs"]["weights"] == [["harbour", "1", "2.5"]]
    assert found["settings"] == {"max_clique": [None, 3]}
    assert found["rules"]["required"]["added"] == [["Age", "XRay"]]
    assert ["Age", "XRay"] in [*found["arcs"]["came"], *found["arcs"]["turned"]]
    back = server.ask("GET", f"{path}/rounds/2..1")["arcs"]
    assert (back["came"], back["went"]) == (found["arcs"]["went"], found["arcs"]["came"])


def test_probabilities_are_those_of_the_library(server, clinics):
    asked = {"target": "Cough", "evidence": {"Smoker": "current", "Age": "over_65"}}
    found = server.ask("POST", f"{clinics}/query", asked)
    network = bnfuse.consensus(bnfuse.read(*CLINICS)).network
    assert found["posterior"]["Cough"] == pytest.approx(network.query("Cough", asked["evidence"]).to_dict())
    assert found["probability"] == pytest.approx(network.query(["Smoker", "Age"])["current", "over_65"])
    harbour = server.ask("GET", clinics)["question"]["inputs"][1]["id"]
    every = server.ask("POST", f"{clinics}/query", {"evidence": {"Smoker": "current"}, "of": harbour})["posterior"]
    own = bnfuse.read(CLINICS[1])[0]
    assert list(every) == list(own.variables)
    assert every["Cough"] == pytest.approx(own.query("Cough", {"Smoker": "current"}).to_dict())
    wrong = server.ask("POST", f"{clinics}/query", {"target": "Cough", "evidence": {"Smoker": "maybe"}}, 422)
    assert "'maybe'" in wrong["error"]


def test_every_kind_of_evidence_is_taken(server, clinics):
    network = bnfuse.consensus(bnfuse.read(*CLINICS)).network
    path = f"{clinics}/query"
    smokers, do = {"Smoker": ["former", "current"]}, {"COPD": "yes"}
    found = server.ask("POST", path, {"target": "Cough", "evidence": smokers, "do": do})
    assert found["posterior"]["Cough"] == pytest.approx(network.query("Cough", smokers, do=do).to_dict())
    assert found["probability"] == pytest.approx(1 - network.query("Smoker", do=do)["never"])
    weighed = {"Cough": {"yes": 0.9, "no": 0.3}}
    found = server.ask("POST", path, {"target": "COPD", "evidence": weighed})
    assert found["posterior"]["COPD"] == pytest.approx(network.query("COPD", weighed).to_dict())
    assert found["probability"] is None
    beliefs = {"Cough": {"yes": 0.5, "no": 0.5}}
    found = server.ask("POST", path, {"target": "COPD", "beliefs": beliefs})
    assert found["posterior"]["COPD"] == pytest.approx(network.query("COPD", beliefs=beliefs).to_dict())
    for wrong, words in (
        ({"evidence": {"Cough": 3}}, "evidence must map variables to a state, a list of states, or an object"),
        ({"evidence": {"Cough": {"yes": "many"}}}, "evidence must map variables"),
        ({"evidence": {"Cough": {"yes": -1}}}, "at least 0"),
        ({"evidence": {"Cough": []}}, "empty set"),
        ({"beliefs": {"Cough": {"yes": 0.7}}}, "sums to 0.7"),
        ({"beliefs": {"Cough": "yes"}}, "beliefs must map variables to an object"),
        ({"do": {"Cough": ["yes"]}}, "do must map variables to the state"),
        ({"do": {"Cough": "yes"}, "evidence": {"Cough": "no"}}, "is set to 'yes' and given as no"),
    ):
        assert words in server.ask("POST", path, {"target": "COPD", **wrong}, 422)["error"]


def test_the_frontier_is_that_of_the_library(server, clinics):
    notes = server.answered(clinics)["answer"]["notes"]
    found = server.ask("GET", f"{clinics}/frontier?wait=60")
    expected = bnfuse.frontier(bnfuse.read(*CLINICS), effort="quick")
    assert [(one["max_clique"], one["distance"]) for one in found["points"]] == [
        (one.problem.max_clique, one.distance) for one in expected
    ]
    data = server.ask("GET", f"{clinics}/view")["data"]
    assert data["limits"]["limits"] == [one.problem.max_clique for one in expected]
    assert data["labels"] == list(expected[0].dag.variables), "the page makes its boxes from them"
    assert data["facts"]["notes"] == notes, "each once"


def test_the_frontier_is_found_by_the_method_that_was_chosen(server, clinics):
    server.ask("POST", f"{clinics}/changes", {"kind": "set", "field": "method", "value": "majority"})
    server.answered(clinics)
    found = server.ask("GET", f"{clinics}/frontier?wait=60")
    expected = bnfuse.frontier(bnfuse.read(*CLINICS), method="majority")
    assert [one["distance"] for one in found["points"]] == [one.distance for one in expected]


@pytest.mark.parametrize("kind", ["bif", "xmlbif", "xdsl", "uai", "csv"])
def test_the_consensus_can_be_taken_away(server, clinics, kind, tmp_path):
    status, content, headers = server.request("GET", f"{clinics}/out/{kind}")
    assert status == 200
    assert headers["content-disposition"].startswith(f'attachment; filename="clinics.{kind}"')
    (tmp_path / f"consensus.{kind}").write_bytes(content)
    (network,) = bnfuse.read(tmp_path / f"consensus.{kind}")
    expected = bnfuse.consensus(bnfuse.read(*CLINICS)).network
    if kind == "uai":  # which has no names
        assert len(network.dag.edges) == len(expected.dag.edges)
    else:
        assert set(network.dag.edges) == set(expected.dag.edges)


ASKED = {
    "as it is": [],
    "with everything": [
        {"kind": "set", "field": "max_clique", "value": 3},
        {"kind": "set", "field": "metric", "value": "shd"},
        {"kind": "set", "field": "directions", "value": "seen"},
        {"kind": "arc", "source": "Age", "target": "Smoker", "say": "require"},
        {"kind": "arc", "source": "Age", "target": "XRay", "say": "forbid"},
        *({"kind": "tier", "variable": name, "tier": n} for name, n in [("Age", 1), ("Cough", 2), ("Fever", 2)]),
    ],
    "by memory": [{"kind": "set", "field": "max_table", "value": "1KB"}],
    "by vote": [{"kind": "set", "field": "method", "value": "majority"}],
}


@pytest.mark.parametrize("asked", ASKED)
def test_the_command_and_the_python_lines_repeat_the_answer(server, request, tmp_path, asked):
    path = fresh(server, request)
    own = server.ask("GET", path)["question"]["inputs"]
    weights = [
        {"kind": "weight", "id": own[1]["id"], "weight": "2.5"},
        {"kind": "switch", "id": own[0]["id"], "on": False},
    ]
    server.ask("POST", f"{path}/changes", [*ASKED[asked], *weights])
    assert server.answered(path)["failed"] is None
    for file in CLINICS:
        (tmp_path / Path(file).name).write_bytes(Path(file).read_bytes())
    assert_repeated(server, path, tmp_path)


def test_ensembles_data_and_odd_names_are_repeated_too(server, request, tmp_path):
    """Of two files with the same names inside, one input off and one with a weight; tables from data."""
    variables = ["A", "B c", "D=1"]
    edges = [["A", "B c"], ["B c", "D=1"]]
    ensemble = {
        "variables": variables,
        "networks": [{"name": "one", "edges": edges}, {"name": "two", "edges": edges[:1]}],
    }
    contents = {
        "first set.json": json.dumps(ensemble).encode(),
        "second.json": json.dumps(ensemble | {"note": 1}).encode(),
        "rows.csv": b"A,B c,D=1\n" + b"y,n,y\nn,n,n\ny,y,n\n" * 5,
    }
    path = fresh(server, request, [])
    for name, content in contents.items():
        server.ask("PUT", f"{path}/files?name={name.replace(' ', '%20')}", content)
        (tmp_path / name).write_bytes(content)
    question = server.ask("GET", path)["question"]
    assert [one["name"] for one in question["inputs"]] == ["one", "two", "one (2)", "two (2)"]
    assert question["data"]["name"] == "rows.csv"
    own = question["inputs"]
    changes = [
        {"kind": "weight", "id": own[2]["id"], "weight": 3},
        {"kind": "switch", "id": own[1]["id"], "on": False},
        {"kind": "arc", "source": "D=1", "target": "A", "say": "forbid"},
        {"kind": "arc", "source": "B c", "target": "A", "say": "forbid-direction"},
    ]
    server.ask("POST", f"{path}/changes", changes)
    found = server.answered(path)
    assert found["failed"] is None
    assert found["answer"]["has_tables"]
    assert_repeated(server, path, tmp_path)


def test_tallies_and_saved_results_are_inputs(server, request, tmp_path):
    tally = bnfuse.Tally(bnfuse.read(CLINICS[0])[0].variables)
    for network in bnfuse.read(*CLINICS):
        tally.add(network)
    tally.save(tmp_path / "all.tally")
    bnfuse.consensus(bnfuse.read(*CLINICS)).save(tmp_path / "before.json")
    path = fresh(server, request, [str(tmp_path / "all.tally")])
    found = server.answered(path)
    assert found["answer"]["distance"] == bnfuse.consensus(tally).distance
    assert_repeated(server, path, tmp_path)
    tallied = found["question"]["inputs"][0]["id"]
    server.ask("POST", f"{path}/changes", {"kind": "weight", "id": tallied, "weight": "2"})
    problem = "tallies have their weights in them: set the weight of each tally to 1 here"
    assert server.answered(path)["failed"] == problem
    server.ask("POST", f"{path}/undo")
    server.ask("PUT", f"{path}/files?name=before.json", (tmp_path / "before.json").read_bytes())
    found = server.answered(path)
    assert found["failed"] == "tallies and networks cannot be mixed: switch one kind off"
    server.ask("POST", f"{path}/changes", {"kind": "switch", "id": tallied, "on": False})
    assert server.answered(path)["answer"]["distance"] == 0


def test_the_minutes_tell_all(server, request):
    path = fresh(server, request)
    server.answered(path)
    note = {"kind": "note", "arc": ["COPD", "Age"], "text": "why <b>not</b>?"}
    server.ask("POST", f"{path}/changes", note)
    server.ask("POST", f"{path}/rounds", {"name": "Monday"}, 201)
    text = server.ask("GET", f"{path}/out/minutes").decode()
    assert "noted on Age and COPD" in text or "noted on COPD and Age" in text
    assert "Monday" in text
    assert "<b>" not in text
    for name in ("eastgate", "harbour", "hillcrest", "millbrook", "northfield"):
        assert name in text


def many_networks(folder):
    """A file with enough in it for a long search, of which nothing is proven at once."""
    variables = [f"X{i}" for i in range(30)]
    chance = random.Random(7)
    known = [sorted(chance.sample(range(30), 2)) for _ in range(90)]
    networks = [
        {"edges": sorted({(variables[a], variables[b]) for a, b in known if chance.random() < 0.6})} for _ in range(11)
    ]
    (folder / "many.json").write_text(json.dumps({"variables": variables, "networks": networks}))
    return str(folder / "many.json")


def test_thorough_is_searched_on_request_and_can_be_stopped(server, request, tmp_path):
    path = fresh(server, request, [many_networks(tmp_path)])
    server.answered(path)
    with server.events(path) as events:
        server.ask("POST", f"{path}/solve", {"effort": "thorough"}, 202)
        while (event := next(events))[0] != "solving" or not event[1].get("step"):
            pass
        assert event[1]["effort"] == "thorough"
        assert server.ask("GET", path)["solving"]["effort"] == "thorough"
        noted = server.ask("POST", f"{path}/changes", {"kind": "note", "arc": ["X1", "X2"], "text": "why?"})
        while (event := next(events))[0] != "solving" or event[1]["revision"] < noted["revision"]:
            pass
        assert event[1]["step"] > 0, "a note does not disturb the search"
        assert server.ask("DELETE", f"{path}/solve")["stopped"]
    found = server.ask("GET", path)
    assert (found["solving"], found["answer"]["effort"]) == (None, "normal")
    assert server.ask("POST", f"{path}/solve", {"effort": "prove"}, 422)["error"].startswith("effort must be one of")


OF_MEETINGS = {"open_panel", "judge", "reveal", "count_judgements", "let_again", "look_at", "edit_drawing"}
"""which need several inputs and people: test_serve_meeting.py and test_serve_drawing.py have them"""


def test_every_example_of_the_description_works(server):
    description = server.ask("GET", "/api/openapi.json")
    assert description["openapi"] == "3.1.0"
    path = "/api/workspaces/examples"
    server.ask("POST", "/api/workspaces", {"name": "examples"}, 201)
    operations = [(path, *one) for path, own in description["paths"].items() for one in own.items()]
    destroying = {"delete_workspace", "delete_file", "open_bundle"}  # test_serve_bundle.py asks for these
    events = [one for one in operations if one[0].endswith("/events")]  # which have no end
    first = {"add_file": 0, "change": 1, "undo": 2, "freeze": 4}  # others need what these leave
    ordered = sorted(operations, key=lambda one: first.get(one[2]["operationId"], 3 if "redo" in one[0] else 5))
    for address, method, operation in ordered:
        if (address, method, operation) in events or operation["operationId"] in {*destroying, *OF_MEETINGS}:
            continue
        if operation["operationId"] in first or address.endswith(("redo", "compare", "view", "{input}")):
            server.answered(path) if operation["operationId"] != "add_file" else None
        status, found, headers = server.request(method.upper(), *example(address, operation))
        expected = min(operation["responses"])
        assert status == int(expected), (address, found)
        told = operation["responses"][expected].get("content", {"": {}})
        assert headers.get("content-type", "") in told
        example_of = told[headers.get("content-type", "")].get("example", found)
        assert shape(example_of) == shape(found), address
    assert len(events) == 1


def example(path, operation):
    """The request that an operation's examples make."""
    query = []
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            value = "examples" if parameter["name"] == "name" else parameter["example"]
            path = path.replace(f"{{{parameter['name']}}}", value)
        elif parameter["in"] == "query":
            query.append(f"{parameter['name']}={parameter['example']}")
    address = "?".join([path, *(["&".join(query)] if query else [])])
    if "requestBody" not in operation:
        return address, None
    ((kind, content),) = operation["requestBody"]["content"].items()
    if operation["operationId"] == "create_workspace":
        return address, {"name": "by example"}
    return address, content["example"].encode() if "octet" in kind else content["example"]


def shape(value):
    return sorted(value) if isinstance(value, dict) else type(value).__name__


def test_files_on_the_command_line_make_a_new_workspace(tmp_path):
    with served(tmp_path, *CLINICS[:2]) as server:
        (workspace,) = server.ask("GET", "/api/workspaces")
        path = f"/api/workspaces/{workspace['name']}".replace(" ", "%20")
        assert [one["name"] for one in server.ask("GET", path)["question"]["inputs"]] == ["eastgate", "harbour"]
