"""People at a workspace over HTTP: names, roles, revisions and private rounds."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import numpy as np
import pytest
from serving import fresh

import bnfuse
from running import CLINICS

JUDGED = [("for", 85), ("against", 70), ("turned", 100), ("unsure", 50)]


def joined(server, path, name):
    found = server.ask("POST", f"{path}/people", {"name": name}, 201)
    return {"Authorization": f"Bearer {server.token}", "Bnfuse-Person": found["key"]}


def asked(server, person, method, path, body=None, status=200, **headers):
    got, found, _ = server.request(method, path, body, {**person, **headers})
    assert got == status, found
    return found


def test_a_change_names_its_revision_and_two_of_the_same_thing_conflict(server, request):
    path = fresh(server, request)
    ana, ben = joined(server, path, "Ana"), joined(server, path, "Ben")
    seen = server.ask("GET", path)
    own, other = (one["id"] for one in seen["question"]["inputs"][:2])
    changes = f"{path}/changes"

    def weigh(person, which, weight, on, status=200):
        body = {"kind": "weight", "id": which, "weight": weight}
        return asked(server, person, "POST", changes, body, status, **{"If-Match": on})

    weigh(ana, own, 2, "", status=428)
    on = f'"{seen["revision"]}"'
    weigh(ana, own, 2, on)
    told = weigh(ben, own, 3, on, status=409)
    (conflict,) = told["conflicts"]
    assert (conflict["who"], conflict["theirs"], conflict["yours"]) == ("Ana", "2", "3")
    assert conflict["what"] == f"the weight of {seen['question']['inputs'][0]['name']}"
    assert "Ana has changed the weight of" in told["error"]
    found = weigh(ben, other, 3, on)["question"]["inputs"]
    assert [one["weight"] for one in found[:2]] == ["2", "3"], "changes of different things merge"
    weigh(ben, own, 3, "*")
    weigh(ana, own, 3, on)
    weigh(ana, own, 3, '"999999"', status=422)
    lines = server.ask("GET", f"{path}/history")
    assert [one["who"] for one in lines[-3:]] == ["Ana", "Ben", "Ben"]


def test_two_people_cannot_have_one_name(server, request):
    path = fresh(server, request, [])
    joined(server, path, "Ana")
    got, told, _ = server.request("POST", f"{path}/people", {"name": " ana "})
    assert (got, told["error"].startswith("a person named 'ana' has already joined")) == (422, True)
    for name in ("", "*", 7, "x" * 61, "a\x00b"):
        assert server.request("POST", f"{path}/people", {"name": name})[0] == 422
    server.ask("POST", f"{path}/people/1/again")
    joined(server, path, "ANA")
    assert [one["name"] for one in server.ask("GET", f"{path}/people")["people"]] == ["Ana"]


def expected(judgements, inputs):
    """What the experts say, as votes: made without the package's own code for it."""
    names = list(inputs[0].variables)
    shares = np.mean([[[(a, b) in set(one.dag.edges) for b in names] for a in names] for one in inputs], axis=0)
    votes = []
    for said in judgements:
        own = shares.copy()
        for (source, target), (kind, sure) in said.items():
            i, j = names.index(source), names.index(target)
            if kind == "unsure":
                continue
            own[i, j] = sure / 100 if kind == "for" else (1 - sure / 100) / 2
            own[j, i] = sure / 100 if kind == "turned" else (1 - sure / 100) / 2
        votes.append(bnfuse.ArcVotes.from_count_matrix(names, np.rint(own * 10_000).astype(int), 10_000))
    return votes


def test_judgements_count_as_the_same_votes_do_in_python(server, request, tmp_path):
    path = fresh(server, request)
    server.ask("POST", f"{path}/changes", {"kind": "set", "field": "effort", "value": "quick"})
    server.answered(path, "quick")
    ana, ben = joined(server, path, "Ana"), joined(server, path, "Ben")
    panel = asked(server, ana, "POST", f"{path}/panels", {"name": "one", "anonymous": True}, 201)
    pairs = [tuple(pair) for pair in panel["pairs"]]
    said = [dict(zip(pairs, JUDGED, strict=False)), dict(zip(pairs[2:], JUDGED, strict=False))]
    for person, own in zip((ana, ben), said, strict=True):
        body = [
            {"source": a, "target": b, "judgement": kind, "confidence": sure, "reason": f"for {a} itself"}
            for (a, b), (kind, sure) in own.items()
        ]
        asked(server, person, "POST", f"{path}/panels/1/judgements", body)
    assert_private(server, path, ana, ben)
    asked(server, ana, "POST", f"{path}/panels/1/reveal", {"anonymous": False}, 422)
    (shown,) = asked(server, ana, "POST", f"{path}/panels/1/reveal", {})
    assert shown["arcs"][0]["counts"] == {"for": 1, "against": 0, "turned": 0, "unsure": 0}
    assert "Ana" not in str(shown)
    experts = {one["who"] for arc in shown["arcs"] for one in arc["said"]}
    (first,) = [one["who"] for one in shown["arcs"][0]["said"]]  # Ana's: only she judged this one
    asked(server, ben, "POST", f"{path}/panels/1/judgements", {"source": pairs[0][0]}, 422)
    asked(server, ana, "POST", f"{path}/panels/1/count")
    inputs = server.ask("GET", path)["question"]["inputs"]
    assert {one["name"] for one in inputs[5:]} == experts
    (own,) = [one["id"] for one in inputs[5:] if one["name"] == first]
    server.ask("POST", f"{path}/changes", {"kind": "weight", "id": own, "weight": 2})
    found = server.answered(path, "quick")["answer"]
    networks = bnfuse.read(*CLINICS)
    both = list(zip(expected(said, networks), (2, 1), strict=True))
    votes = both if inputs[5]["name"] == first else both[::-1]  # in an order that tells nobody who it is
    weights = [*[1] * 5, *(weight for _, weight in votes)]
    result = bnfuse.consensus([*networks, *(one for one, _ in votes)], weights=weights, effort="quick")
    assert found["distance"] == pytest.approx(result.distance, abs=1e-9)
    (tmp_path / "saved.json").write_text(json.dumps(server.ask("GET", f"{path}/out/saved")))
    assert bnfuse.Consensus.load(tmp_path / "saved.json").dag == result.dag
    assert_told(server, path)


def assert_private(server, path, ana, ben):
    """Nobody gets what others said, by any request, not even who leads."""
    own = asked(server, ana, "GET", f"{path}/panels")
    assert (own[0]["judged"], len(own[0]["mine"]), own[0]["arcs"]) == (2, 4, [])
    nobody = {"Authorization": f"Bearer {server.token}"}
    for person, known in ((ana, 4), (ben, 4), (nobody, 0)):
        for place in ("/panels", "/history", "/people", "/out/minutes", "/disputes", "/view", ""):
            text = str(server.request("GET", f"{path}{place}", None, person)[1])
            assert text.count(" itself") == (known if place == "/panels" else 0), "one's own reasons, and no others"
    asked(server, nobody, "POST", f"{path}/panels/1/judgements", {}, 403)


def assert_told(server, path):
    """The minutes have all of it, without names."""
    text = server.ask("GET", f"{path}/out/minutes").decode()
    assert "## Private round: one" in text
    assert re.search(r"expert \d+, for \(85 %\): for \w+ itself", text)
    assert "Ana, for" not in text
    assert "counted the judgements of the private round one as votes" in text


def test_experts_revise_what_they_said_and_the_rest_of_it_stays(server, request):
    """What somebody does not touch in the next round counts as before; votes are replaced, and weights stay."""
    path = fresh(server, request, CLINICS[:3])
    server.ask("POST", f"{path}/changes", {"kind": "set", "field": "effort", "value": "quick"})
    server.answered(path, "quick")
    ana, ben = joined(server, path, "Ana"), joined(server, path, "Ben")
    pairs = asked(server, ana, "POST", f"{path}/panels", {"name": "one", "anonymous": False}, 201)["pairs"]
    body = [{"source": a, "target": b, "judgement": "for", "confidence": 80} for a, b in pairs[:3]]
    for person in (ana, ben):
        asked(server, person, "POST", f"{path}/panels/1/judgements", body)
    asked(server, ana, "POST", f"{path}/panels/1/reveal", {})
    asked(server, ana, "POST", f"{path}/panels/1/count")
    own = {one["name"]: one["id"] for one in server.ask("GET", path)["question"]["inputs"]}
    server.ask("POST", f"{path}/changes", {"kind": "weight", "id": own["Ana"], "weight": 3})
    server.answered(path, "quick")
    asked(server, ana, "POST", f"{path}/panels", {"name": "two", "anonymous": False, "pairs": pairs}, 201)
    seen = asked(server, ana, "GET", f"{path}/panels")[1]
    assert ([one["judgement"] for one in seen["mine"]], seen["is_mine_new"]) == (["for"] * 3, False)
    asked(server, ana, "POST", f"{path}/panels/2/judgements", {**body[0], "judgement": "turned"})
    seen = asked(server, ana, "GET", f"{path}/panels")[1]
    assert [one["judgement"] for one in seen["mine"]] == ["turned", "for", "for"]
    asked(server, ana, "POST", f"{path}/panels/2/reveal", {})
    first, second, *_ = asked(server, ana, "GET", f"{path}/panels")[1]["arcs"]
    assert (first["counts"]["turned"], second["counts"]["for"]) == (1, 1), "Ben said nothing in this round"
    asked(server, ana, "POST", f"{path}/panels/2/count")
    inputs = server.ask("GET", path)["question"]["inputs"]
    assert [(one["name"], one["weight"]) for one in inputs[3:]] in (
        [("Ana", "3"), ("Ben", "1")],
        [("Ben", "1"), ("Ana", "3")],
    )
    body = {"name": "three", "anonymous": True, "pairs": pairs}
    server.answered(path, "quick")
    asked(server, ana, "POST", f"{path}/panels", body, 201)
    assert asked(server, ana, "GET", f"{path}/panels")[2]["mine"] == [], "reasons given under a name would tell it"
    text = server.ask("GET", f"{path}/out/minutes").decode()
    assert "| arc | for | against | reversed | unsure |" in text
    assert "| 0 (before 2) | 0 | 1 (before 0) | 0 |" in text.replace("\\", "")


def change_at_random(server, path, person, seed, inputs, count):
    """Weights and notes, each on the revision that was seen last: (accepted revisions, refusals)."""
    chance, seen = random.Random(seed), asked(server, person, "GET", path)["revision"]
    accepted, refused = {}, 0
    for step in range(count):
        item, value = chance.choice(inputs), str(2 + 1000 * seed + step)
        change = {"kind": "weight", "id": item, "weight": value}
        got, found, _ = server.request("POST", f"{path}/changes", change, {**person, "If-Match": f'"{seen}"'})
        if got == 409:
            (conflict,) = found["conflicts"]
            assert (conflict["yours"], conflict["revision"] > seen) == (value, True), "both versions are told"
            refused += 1
            seen = asked(server, person, "GET", path)["revision"]
        else:
            assert got == 200, found
            accepted[found["lines"][0]["revision"]] = item, value
            seen = max(seen, found["revision"]) if chance.random() < 0.5 else seen
    return accepted, refused


def test_four_clients_at_once_lose_nothing(server, request):
    path = fresh(server, request, CLINICS[:3])
    people = [joined(server, path, name) for name in ("Ana", "Ben", "Caro", "Dan")]
    inputs = [one["id"] for one in server.ask("GET", path)["question"]["inputs"]]
    with ThreadPoolExecutor(4) as pool:
        runs = [
            pool.submit(change_at_random, server, path, person, seed, inputs, 12) for seed, person in enumerate(people)
        ]
        found = [run.result() for run in runs]
    accepted = {line: what for own, _ in found for line, what in own.items()}
    assert len(accepted) + sum(refused for _, refused in found) == 48, "each is kept or refused"
    assert len(accepted) == sum(len(own) for own, _ in found), "no two have one line"
    lines = {one["revision"]: one for one in server.ask("GET", f"{path}/history") if one["kind"] == "weight"}
    assert lines.keys() == accepted.keys()
    last = {item: value for _, (item, value) in sorted(accepted.items())}
    now = {one["id"]: one["weight"] for one in server.ask("GET", path)["question"]["inputs"]}
    assert now == dict.fromkeys(inputs, "1") | last


# What each link allows


def opened_by(link):
    """Headers of somebody who opened a link."""
    return {"Authorization": f"Bearer {link.partition('#')[2].partition('/')[0]}"}


def test_each_link_allows_what_its_role_may_do_and_no_more(server, request):
    path = fresh(server, request)
    server.answered(path)
    links = server.ask("GET", f"{path}/links")
    assert sorted(links) == ["facilitator", "participant", "wall"]
    name = path.rpartition("/")[2]
    assert all(one.endswith(f"/{name}") for own in links.values() for one in own)
    leads, wall, stranger = (opened_by(links[one][0]) for one in ("facilitator", "wall", "participant"))
    weigh = {"kind": "weight", "id": server.ask("GET", path)["question"]["inputs"][0]["id"], "weight": 2}
    # Reading only
    assert asked(server, wall, "GET", path)["role"] == "read-only"
    for method, place, body in (
        *(("POST", "/changes", weigh), ("POST", "/undo", None), ("POST", "/people", {"name": "Wall"})),
        *(("POST", "/rounds", {"name": "x"}), ("POST", "/panels", {"name": "x"}), ("PUT", "/files?name=a.bif", b"")),
        *(("POST", "/solve", {"effort": "quick"}), ("DELETE", "?for=good", None), ("GET", "/links", None)),
        ("GET", "/bundle", None),
    ):
        asked(server, wall, method, f"{path}{place}", body, 403, **{"If-Match": "*"})
    # A participant says who they are first
    asked(server, stranger, "POST", f"{path}/changes", weigh, 403, **{"If-Match": "*"})
    ana, ben = (
        stranger | {"Bnfuse-Person": asked(server, stranger, "POST", f"{path}/people", {"name": one}, 201)["key"]}
        for one in ("Ana", "Ben")
    )
    first = asked(server, ana, "POST", f"{path}/changes", weigh, **{"If-Match": "*"})
    line = first["revision"]
    assert (first["can_undo"] or "").endswith("the weight 2")
    # A participant takes back nothing of others, and neither leads nor deletes
    for person in (ben, stranger):
        for body in (None, {"revision": line}):
            status, found, _ = server.request("POST", f"{path}/undo", body, person)
            assert status == (422 if person is ben else 403), found
    server.answered(path)
    asked(server, leads, "POST", f"{path}/panels", {"name": "one"}, 201)
    for method, place, body in (
        *(("POST", "/panels/1/reveal", {}), ("POST", "/panels/1/count", None), ("POST", "/panels", {"name": "two"})),
        *(("DELETE", "?for=good", None), ("GET", "/bundle", None), ("GET", "/links", None)),
        *(("POST", "/people/1/again", None), ("POST", "/focus", {"arc": ["Age", "COPD"]})),
        ("POST", "/changes", {"kind": "return", "revision": 1}),
    ):
        asked(server, ben, method, f"{path}{place}", body, 403, **{"If-Match": "*"})
    asked(server, stranger, "POST", f"{path}/panels/1/judgements", {}, 403)
    assert asked(server, ana, "GET", path)["question"]["inputs"][0]["weight"] == "2"
    # The facilitator takes back what anybody did
    assert asked(server, leads, "POST", f"{path}/undo")["question"]["inputs"][0]["weight"] == "1"
    (panel,) = asked(server, leads, "POST", f"{path}/panels/1/reveal", {})
    assert panel["state"] == "revealed"


# Bundles


def judged(server, person, path, panel, why):
    (shown,) = [one for one in asked(server, person, "GET", f"{path}/panels") if one["number"] == panel]
    (source, target), *_ = shown["pairs"]
    body = {"source": source, "target": target, "judgement": "for", "confidence": 90, "reason": why}
    asked(server, person, "POST", f"{path}/panels/{panel}/judgements", body)


def test_a_bundle_tells_neither_keys_nor_private_judgements_nor_hidden_names(server, request):
    path = fresh(server, request, CLINICS[:2])
    server.answered(path)
    ana, ben = joined(server, path, "Ana"), joined(server, path, "Ben")
    for number, (called, is_hidden) in enumerate((("named", False), ("hidden", True), ("private", True)), 1):
        asked(server, ana, "POST", f"{path}/panels", {"name": called, "anonymous": is_hidden}, 201)
        for person, who in ((ana, "Ana"), (ben, "Ben")):
            judged(server, person, path, number, f"{called} {who.lower()}")
        if called != "private":
            asked(server, ana, "POST", f"{path}/panels/{number}/reveal", {})
    before = server.ask("GET", f"{path}/panels")
    status, content, _ = server.request("GET", f"{path}/bundle")
    assert status == 200
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        texts = {one: file.read(one).decode("utf-8", "replace") for one in file.namelist()}
    assert "private ana" not in "".join(texts.values())
    assert "not revealed when this was made are not in it" in texts["README.txt"]
    tables = json.loads(texts["bundle.json"])["tables"]
    people = [dict(zip(tables["people"]["columns"], row, strict=True)) for row in tables["people"]["rows"]]
    said = [dict(zip(tables["judgements"]["columns"], row, strict=True)) for row in tables["judgements"]["rows"]]
    assert {one["key"] for one in people} == {None, "-"}
    names = {one["id"]: one["name"] for one in people}
    assert [names[one["person"]] for one in said if one["reason"] == "named ana"] == ["Ana"]
    (hidden,) = [one for one in said if one["reason"] == "hidden ana"]
    assert re.fullmatch(r"expert \d+", names[hidden["person"]])
    numbers = {one["alias"] for one in people if one["name"] in ("Ana", "Ben")}
    assert not any(f"expert {one}" in texts["minutes.md"] for one in numbers)
    # Opened again: what was revealed is the same, what was private is gone, and people join again under their names.
    again = f"/api/workspaces/{quote(server.ask('PUT', '/api/bundles', content, 201)['name'])}"
    after = server.ask("GET", f"{again}/panels")
    assert after[:2] == before[:2]
    assert (after[2]["state"], after[2]["judged"], before[2]["judged"]) == ("open", 0, 2)
    assert server.ask("GET", f"{again}/history") == server.ask("GET", f"{path}/history")
    assert server.ask("GET", again)["question"] == server.ask("GET", path)["question"]
    status, _, _ = server.request("POST", f"{again}/people", {"name": names[hidden["person"]]})
    assert status == 422, "nobody becomes an expert whose name is hidden"
    judged(server, joined(server, again, "Ana"), again, 3, "once more")
    assert server.ask("GET", f"{again}/people")["people"][0]["name"] == "Ana"
