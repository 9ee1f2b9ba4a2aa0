"""The description of the API: what it says is so, a client that is made from it works, and so does our own."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
import schema_run
from serving import WAIT

import bnfuse
from bnfuse import OptionError
from bnfuse.serve import Client
from bnfuse.serve.http.describe import change_shapes
from bnfuse.serve.workspace import changes
from running import CLINICS

FORBID = {"kind": "arc", "source": "Age", "target": "XRay", "say": "forbid"}


@pytest.fixture(scope="module")
def description(server):
    return server.ask("GET", "/api/openapi.json")


def operations(description):
    return [(path, method, one) for path, own in description["paths"].items() for method, one in own.items()]


def test_every_request_and_response_has_a_schema(description):
    names = [one["operationId"] for _, _, one in operations(description)]
    assert len(names) == len(set(names))
    for path, _, one in operations(description):
        for status, response in one["responses"].items():
            for media, content in response.get("content", {}).items():
                if media == "application/json" and not path.endswith("/out/{kind}"):
                    assert content["schema"], (path, status)
        for media, content in one.get("requestBody", {}).get("content", {}).items():
            assert content["schema"] or media == "application/octet-stream", path
        for parameter in one.get("parameters", ()):
            assert parameter["schema"]
            assert parameter["example"]


def test_every_reference_leads_somewhere(description):
    known = description["components"]["schemas"]
    for name in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(description)):
        assert name in known


def test_every_kind_of_change_is_described(description):
    described = {one.__name__: one for one in change_shapes.Change.__args__}
    schemas = description["components"]["schemas"]
    kinds = {schemas[name]["properties"]["kind"]["enum"][0] for name in described}
    assert kinds == {*changes.KINDS, "return"}


# A client that is made from the description


def made(description, host, port, token):
    """A class with a method for each operation, as generators of clients make them: nothing in it knows bnfuse."""

    def method_of(path, verb, operation):
        parameters = operation.get("parameters", [])
        in_path = {one["name"] for one in parameters if one["in"] == "path"}
        bodies = operation.get("requestBody", {}).get("content", {})

        def method(self, body=None, **given):
            address, query, headers = path, {}, {"Authorization": f"Bearer {token}"}
            for one in parameters:
                if one["in"] == "path":
                    address = address.replace(f"{{{one['name']}}}", quote(str(given.pop(one["name"])), safe=""))
                elif one["in"] == "header":
                    headers |= {one["name"]: one["example"]} if one["required"] else {}
                else:
                    called = f"query_{one['name']}" if one["name"] in in_path else one["name"]
                    query |= {one["name"]: given.pop(called)} if called in given else {}
            assert not given, f"{operation['operationId']} has no parameter {list(given)}"
            if body is not None:
                (media,) = bodies
                headers["Content-Type"] = media
                body = json.dumps(body).encode() if media == "application/json" else body
            connection = http.client.HTTPConnection(host, port, timeout=WAIT)
            connection.request(verb.upper(), address + (f"?{urlencode(query)}" if query else ""), body, headers)
            response = connection.getresponse()
            found = response.read()
            connection.close()
            told = operation["responses"][str(response.status)].get("content", {})
            media = response.getheader("content-type", "")
            assert media in told or (not told and not found), (path, media)
            value = json.loads(found) if media == "application/json" else found
            if media in told and value is not None:
                check(value, told[media].get("schema", {}), description)
            return value

        return method

    return type(
        "Made", (), {one["operationId"]: method_of(path, verb, one) for path, verb, one in operations(description)}
    )()


def check(value, schema, description):
    """As far as these schemas go, which say no more than this."""
    if "$ref" in schema:
        check(value, description["components"]["schemas"][schema["$ref"].rpartition("/")[2]], description)
    if "anyOf" in schema:
        assert any(fits(value, one, description) for one in schema["anyOf"]), (value, schema)
    if "enum" in schema:
        assert value in schema["enum"]
    if "const" in schema:
        assert value == schema["const"]
    if "type" in schema:
        kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
        kinds |= {"array": list, "object": dict}
        wanted = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        assert any(isinstance(value, kinds[one]) for one in wanted), (value, schema)
        assert not isinstance(value, bool) or "boolean" in wanted
    if isinstance(value, dict):
        assert set(schema.get("required", ())) <= set(value), (schema.get("description"), sorted(value))
        more = schema.get("additionalProperties", {})
        for name, own in value.items():
            check(own, schema.get("properties", {}).get(name, more if isinstance(more, dict) else {}), description)
    if isinstance(value, list):
        for i, own in enumerate(value):
            first = schema.get("prefixItems", [])
            check(own, first[i] if i < len(first) else schema.get("items", {}), description)


def fits(value, schema, description):
    try:
        check(value, schema, description)
    except AssertionError:
        return False
    return True


def test_a_client_made_from_the_description_tells_the_story_of_the_clinics(server, description):
    api = made(description, server.host, server.port, server.token)
    (name,) = {api.create_workspace({"name": "made"})["name"]}
    for file in CLINICS:
        added = api.add_file(Path(file).read_bytes(), name=name, query_name=Path(file).name)
        assert added["added"] == [Path(file).stem]
    path = f"/api/workspaces/{name}"
    server.answered(path)
    found = api.look(name=name)
    assert found["answer"]["distance"] == bnfuse.consensus(bnfuse.read(*CLINICS)).distance
    api.freeze({"name": "before"}, name=name)
    api.change([FORBID, {"kind": "switch", "id": found["question"]["inputs"][0]["id"], "on": False}], name=name)
    server.decided(path)
    networks = bnfuse.read(*CLINICS[1:])
    expected = bnfuse.consensus(networks, forbidden=[("Age", "XRay"), ("XRay", "Age")])
    assert api.look(name=name)["answer"]["distance"] == expected.distance
    assert api.disputes(name=name)["is_solved"]
    assert api.view(name=name)["data"]["variables"]
    assert api.frontier(name=name, wait=60)["points"]
    assert api.schools(name=name, k=2)["k"] == 2
    asked = api.query({"target": "Cough", "evidence": {"Smoker": "current"}}, name=name)["posterior"]["Cough"]
    assert asked == pytest.approx(expected.network.query("Cough", {"Smoker": "current"}).to_dict())
    assert api.compare_rounds(name=name, before=1, after="now")["inputs"]["switched_off"] == ["eastgate"]
    assert [one["kind"] for one in api.history(name=name)][-1] == "several"
    assert [one["name"] for one in api.list_files(name=name) if one["in_use"]] == [Path(one).name for one in CLINICS]
    assert api.undo(name=name)["question"]["forbidden"] == []
    assert api.redo(name=name)["question"]["forbidden"]
    assert api.solve({"effort": "normal"}, name=name)["effort"] == "normal"
    assert isinstance(api.stop(name=name)["stopped"], bool)
    for kind in ("bif", "xdsl", "report", "saved", "minutes", "command"):
        assert api.take(name=name, kind=kind)
    again = api.open_bundle(api.take_bundle(name=name))["name"]
    assert again == "made 2"
    assert api.look(name=again)["answer"]["distance"] == expected.distance
    api.delete_workspace(**{"name": again, "for": "good"})
    assert again not in [one["name"] for one in api.list_workspaces()]
    assert api.begin_session()["role"] == "facilitator"


# Our own client


@pytest.mark.long
def test_our_own_client_tells_the_same_story(server, tmp_path):
    client = Client(f"http://{server.host}:{server.port}/#{server.token}")
    workspace = client.create("own")
    assert workspace.add(*CLINICS) == [Path(one).stem for one in CLINICS]
    assert workspace.answer()["distance"] == bnfuse.consensus(bnfuse.read(*CLINICS)).distance
    workspace.freeze("before")
    workspace.change(FORBID)
    ruled = workspace.answer()["distance"]
    assert ruled == bnfuse.consensus(bnfuse.read(*CLINICS), forbidden=[("Age", "XRay"), ("XRay", "Age")]).distance
    assert workspace.undo()["question"]["forbidden"] == []
    workspace.redo()
    assert workspace.query("Cough", evidence={"Smoker": "current"})["posterior"]["Cough"]["yes"] > 0
    assert workspace.disputes()["disputes"]
    assert workspace.history()[0]["kind"] == "start"
    assert len(bnfuse.read(workspace.download("bif", tmp_path / "c.bif"))) == 1
    assert bnfuse.Consensus.load(workspace.download("saved", tmp_path / "c.json")).distance == ruled
    copy = client.open_bundle(workspace.download("bundle", tmp_path / "c.bnfuse"))
    assert (copy.name, copy.answer()["distance"]) == ("own 2", ruled)
    copy.delete()
    assert "own" in client.workspaces()
    assert "own 2" not in client.workspaces()
    with pytest.raises(OptionError, match="there is no workspace 'own 2'"):
        client.workspace("own 2")
    with pytest.raises(OptionError, match="unknown variable 'Nobody'"):
        workspace.change(FORBID | {"target": "Nobody"})
    with pytest.raises(OptionError, match="the token is missing or wrong"):
        Client(client.address, "x").workspaces()


@pytest.mark.parametrize("address", ["", "nothing", "ftp://a/#b", "http:///#b", "http://127.0.0.1:1"])
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(OptionError):
        Client(address)


def test_a_server_that_is_not_there_is_said_in_one_line():
    with pytest.raises(OptionError, match=r"http://127\.0\.0\.1:9 cannot be reached"):
        Client("http://127.0.0.1:9", "x", context=ssl.create_default_context()).workspaces()


# Cases that somebody else makes up


@pytest.mark.long
def test_schemathesis_finds_nothing(tmp_path):
    program = os.environ.get("SCHEMATHESIS") or shutil.which("schemathesis")
    if program is None:
        pytest.skip("needs schemathesis: pip install schemathesis, or SCHEMATHESIS=/path/to/it")
    with schema_run.prepared(tmp_path / "workspaces") as server:
        report = schema_run.run(server, program, 200, 1, tmp_path)
    assert schema_run.cases_in(report) >= 200


def test_a_script_needs_no_package_of_the_server(tmp_path):
    """`bnfuse.serve.Client` imports nothing that only the server has."""
    code = "import sys; sys.modules.update(dict.fromkeys(('starlette', 'uvicorn', 'sse_starlette')));"
    code += "from bnfuse.serve import Client; print(Client('http://127.0.0.1:1', 'x').address)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "http://127.0.0.1:1"
