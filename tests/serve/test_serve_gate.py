"""Shut tight: who has no token, comes from another site or under another name gets nothing, and nobody can hang it."""

from __future__ import annotations

import contextlib
import gzip
import html
import http.client
import json
import re
import socket
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from serving import WAIT, served

from bnfuse.serve.http.entrance.door import Door

PATHS = ["/api/workspaces", "/api/openapi.json", "/api/workspaces/{name}", "/api", "/api/nowhere", "/api/%2e%2e/"]
NAME = "gate"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    seconds = {"HEADER_SECONDS": 3.0, "BODY_SECONDS": 3.0, "SEND_SECONDS": 3.0, "REST_SECONDS": 60.0}
    with served(tmp_path_factory.mktemp("gate"), **seconds, MOST_STRANGERS=60, MOST_STREAMS=5) as running:
        running.workspace(NAME)
        running.answered(f"/api/workspaces/{NAME}")
        yield running


def test_who_is_refused_gets_the_answer_though_the_body_is_still_on_its_way(server):
    """A connection that ended before the body is there would be reset, and the answer lost."""
    head = server.head("POST", "/api/workspaces", Authorization="Bearer x", Content_Length="4")
    with server.connected() as connection:
        connection.sendall(head)
        connection.settimeout(0.3)
        with pytest.raises(TimeoutError):
            connection.recv(100)
        connection.settimeout(WAIT)
        connection.sendall(b"{}  ")
        assert read_all(connection).startswith(b"HTTP/1.1 401")


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
@pytest.mark.parametrize(
    "shown",
    [
        {},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer x"},
        {"Authorization": "Basic Og=="},
        {"Authorization": "Bearer {token}x"},
        {"Authorization": "{token}"},
        {"Authorization": "Basic {token}"},
        {"Authorization": "Bearer \xe4\xff"},
        {"Authorization": "Bearer " + "0" * 96},
        {"Cookie": "bnfuse={token}"},
        {"Cookie": "bnfuse-{port}={token}; Authorization=Bearer {token}"},
    ],
    ids=lambda shown: str(shown)[:40],
)
def test_nothing_is_served_without_the_token(server, method, shown):
    given = {name: text.format(port=server.port, token=server.token) for name, text in shown.items()}
    for path in PATHS:
        status, body, headers = server.request(method, path.format(name=NAME), headers=given)
        assert status == 401, path
        assert method == "HEAD" or list(body) == ["error"]
        assert "set-cookie" not in headers
    status, _, _ = server.request(method, "/elsewhere", headers=given)
    assert status == (404 if method in ("GET", "HEAD") else 401)


def test_pages_are_the_same_for_everybody_and_for_every_workspace(server):
    """Who has no token learns that bnfuse runs here, and not even which workspaces there are."""
    for path, other in ((f"/w/{NAME}/", "/w/nobody/"), ("/", "/?workspace=gate"), ("/nowhere", "/%2e%2e/")):
        page, same = server.request("GET", path, headers={}), server.request("GET", other, headers={})
        assert page[:2] == same[:2]
        assert page[1].startswith(b"<!doctype html>")
        assert NAME.encode() + b"<" not in page[1]
        assert page[0] == (404 if "nowhere" in path else 200)


@pytest.mark.parametrize("token", ["", "x", "{token}x", "%00", "x&token={token}", "\xff", "a=b&" * 20])
def test_a_wrong_token_opens_nothing(server, token):
    form = f"token={token.format(token=server.token)}".encode("latin-1")
    status, page, headers = server.request("POST", "/", form, headers={"Origin": "null"})
    assert status == 401
    assert b"key" not in re.search(rb'<data id="entered" value="([^"]*)"', page)[1]
    assert "set-cookie" not in headers


def test_a_form_with_the_token_is_small(server):
    assert server.request("POST", "/", b"token=" + b"x" * 5_000, headers={})[0] == 413


def test_a_tab_gets_a_key_that_does_not_tell_the_token(server):
    form = f"token={server.token}".encode()
    status, page, headers = server.request("POST", "/", form, headers={"Origin": "null"})
    assert (status, "set-cookie" in headers) == (200, False)
    entered = json.loads(html.unescape(re.search(rb'<data id="entered" value="([^"]*)"', page)[1].decode()))
    other = server.ask("POST", "/api/session", status=201)
    assert entered["key"] != other["key"], "each tab has its own"
    for found in (entered, other):
        assert (found["role"], found["workspace"]) == ("facilitator", NAME)
        assert server.token not in found["key"]
        shown = {"Authorization": f"Bearer {found['key']}"}
        assert server.request("GET", "/api/workspaces", headers=shown)[0] == 200
        wrong = {"Authorization": f"Bearer {found['key'][:-1]}{'0' if found['key'][-1] != '0' else '1'}"}
        assert server.request("GET", "/api/workspaces", headers=wrong)[0] == 401


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", "", "["],
)
def test_a_host_that_is_not_ours_is_refused_even_with_the_token(server, host):
    """A page of another site that lets its own name point to this machine comes with its own name."""
    given = {"Host": host.format(port=server.port), "Authorization": f"Bearer {server.token}"}
    status, body, _ = server.request("GET", "/api/workspaces", headers=given)
    assert (status, list(body)) == (421, ["error"])
    form = f"token={server.token}".encode()
    assert server.request("POST", "/", form, headers={"Host": given["Host"]})[0] == 421


@pytest.mark.parametrize(("size", "answers"), [(30 << 10, {200}), (33 << 10, {400, 431})])
def test_headers_have_a_limit_whether_they_come_in_parts_or_at_once(server, size, answers):
    """The protocol says 400 of parts that never end; what was there at once is counted at the gate."""
    given = {"Authorization": f"Bearer {server.token}", "X-Long": "y" * size}
    assert {server.request("GET", "/api/workspaces", headers=given)[0] for _ in range(3)} <= answers


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
def test_our_own_names_are_known(host):
    assert Door("127.0.0.1", 8000).knows_host(f"{host}:8000")
    assert Door("127.0.0.1", 80).knows_host(host)


def test_a_server_for_other_machines_is_known_by_addresses_and_its_name():
    door = Door("0.0.0.0", 8000)
    assert not door.is_loopback
    assert door.knows_host("192.168.1.7:8000")
    assert door.knows_host(f"{socket.gethostname()}:8000")
    assert not door.knows_host("evil.example:8000")


@pytest.mark.parametrize(
    ("origin", "is_ours"),
    [
        ("http://evil.example", False),
        ("null", False),
        ("http://localhost:1", False),
        ("https://127.0.0.1:{port}", False),
        ("http://127.0.0.1:{port}", True),
        (None, True),
    ],
)
def test_another_site_gets_nothing_even_with_the_token(server, origin, is_ours):
    given = {} if origin is None else {"Origin": origin.format(port=server.port)}
    given["Authorization"] = f"Bearer {server.token}"
    status, _, headers = server.request("POST", f"/api/workspaces/{NAME}/redo", headers=given)
    assert status == (422 if is_ours else 403)
    assert "access-control-allow-origin" not in headers
    assert server.request("GET", "/api/workspaces", headers=given)[0] == (200 if is_ours else 403)


def test_every_response_has_its_headers(server):
    for path in ("/api/workspaces", f"/w/{NAME}/", "/nowhere", f"/api/workspaces/{NAME}/out/report"):
        _, _, headers = server.request("GET", path)
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert "server" not in headers
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "name",
    [
        "..",
        "%2e%2e",
        "..%2f..%2fetc",
        "a%2fb",
        "%00",
        "a%0ab",
        ".hidden",
        "-x",
        "x" * 65,
        "a.",
        "a%20",
        "~",
        "%ff",
        "a%5cb",
    ],
)
def test_no_name_leads_out_of_the_folder(server, name):
    for path in (f"/api/workspaces/{name}", f"/api/workspaces/{name}/out/bif"):
        status, body, _ = server.request("GET", path)
        assert status in (404, 422), path
        assert list(body) == ["error"]
    assert server.request("POST", "/api/workspaces", {"name": name})[0] == 422


def test_bodies_have_limits(server):
    path = f"/api/workspaces/{NAME}/changes"
    assert server.request("POST", path, b"[" * 900_000)[0] == 400
    assert server.request("POST", path, b"nothing")[0] == 400
    assert server.request("POST", path, b'{"a": NaN}')[0] == 400
    assert server.request("POST", path, [{}] * 501)[0] == 422
    assert b" 413 " in server.raw(server.head("POST", path, Content_Length="2000000")).splitlines()[0]
    assert b" 413 " in server.raw(server.head("PUT", path, Content_Length="9" * 19)).splitlines()[0]
    chunks = (b"10000\r\n" + b"x" * 0x10000 + b"\r\n") * 20
    assert b" 413 " in server.raw(server.head("POST", path, Transfer_Encoding="chunked") + chunks).splitlines()[0]


def test_multipart_is_not_taken_apart(server):
    """A form is a file like any other, and no network."""
    body = b'--x\r\nContent-Disposition: form-data; name="a"; filename="../../a"\r\n\r\n' * 2_000 + b"--x--"
    status, found, _ = server.request("PUT", f"/api/workspaces/{NAME}/files?name=a", body)
    assert status == 422
    assert found["error"].startswith("a: neither the name nor the content determines the format")


def test_a_bomb_is_refused(server):
    bomb = gzip.compress(bytes(300 << 20), 1)
    status, found, _ = server.request("PUT", f"/api/workspaces/{NAME}/files?name=a.csv.gz", bomb)
    assert (status, found["error"]) == (422, "a.csv.gz: unpacks to more than 256 MiB, the limit")


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\r\n" * 100,
        b"GET / HTTP/9.9\r\n\r\n",
        b"G" * 100_000,
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % i for i in range(5_000)) + b"\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        bytes(range(256)) * 10,
    ],
    ids=lambda sent: repr(sent[:20]),
)
def test_what_is_no_request_is_ended(server, sent):
    answer = server.raw(sent)
    assert answer == b"" or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.1 505"))
    assert_well(server)


def assert_well(server):
    assert [one["name"] for one in server.ask("GET", "/api/workspaces")] == [NAME]
    assert server.process.poll() is None


def test_slow_clients_are_left(server):
    """One that says nothing, one that sends a header bit by bit, and one whose body does not come."""
    path = f"/api/workspaces/{NAME}/changes"
    with server.connected() as silent, server.connected() as slow, server.connected() as waiting:
        slow.sendall(b"GET / HT")
        waiting.sendall(server.head("POST", path, Content_Length="100") + b"{")
        for _ in range(6):
            with contextlib.suppress(OSError):
                slow.sendall(b"x")
            time.sleep(0.25)
        assert b" 408 " in read_all(waiting).splitlines()[0]
        assert read_all(silent) == b""
        assert not read_all(slow).startswith(b"HTTP/1.1 200")
    assert_well(server)


def read_all(connection):
    found = b""
    with contextlib.suppress(ConnectionError):
        while chunk := connection.recv(65536):
            found += chunk
    return found


def test_a_body_that_is_shorter_than_promised_changes_nothing(server):
    before = server.ask("GET", f"/api/workspaces/{NAME}")["revision"]
    change = json.dumps({"kind": "set", "field": "max_clique", "value": 2}).encode()
    with server.connected() as connection:
        connection.sendall(
            server.head("POST", f"/api/workspaces/{NAME}/changes", Content_Length=str(len(change) + 5)) + change
        )
        connection.shutdown(socket.SHUT_WR)
        read_all(connection)
    assert server.ask("GET", f"/api/workspaces/{NAME}")["revision"] == before


def test_streams_of_events_have_a_limit_and_are_forgotten(server):
    path = f"/api/workspaces/{NAME}/events"
    opened = []
    for _ in range(5):
        connection = server.connected()
        connection.sendall(server.head("GET", path))
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
        opened.append(connection)
    status, found, _ = server.request("GET", path)
    assert (status, found["error"]) == (429, "5 streams of events of this workspace are open already")
    for connection in opened:
        connection.close()
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        with server.connected() as connection:
            connection.sendall(server.head("GET", path))
            if connection.recv(100).startswith(b"HTTP/1.1 200"):
                break
        time.sleep(0.1)
    else:
        raise AssertionError("the streams are still open")
    assert_well(server)


def test_strangers_cannot_keep_others_out(server):
    """However many connections they hold open: who shows a token stays, and the next one gets in."""
    kept = http.client.HTTPConnection(server.host, server.port, timeout=WAIT)
    kept.request("GET", "/api/workspaces", headers={"Authorization": f"Bearer {server.token}"})
    assert kept.getresponse().read()
    opened = []
    for i in range(300):
        opened.append(server.connected())
        with contextlib.suppress(OSError):
            opened[-1].sendall((b"", b"GET / HT", b"POST /api/x HTTP/1.1\r\nHost: a")[i % 3])
        if i % 50 == 49:
            assert_well(server)
            kept.request("GET", "/api/workspaces", headers={"Authorization": f"Bearer {server.token}"})
            response = kept.getresponse()
            assert (response.status, len(response.read()) > 0) == (200, True)
    sockets = sum(Path(f"/proc/{server.process.pid}/fd/{one}").is_socket() for one in fds(server.process.pid))
    assert sockets < 60 + 20, "the oldest strangers are gone"
    for connection in (*opened, kept):
        connection.close()


def fds(pid):
    return [one.name for one in Path(f"/proc/{pid}/fd").iterdir()]


def test_two_servers_have_two_tokens():
    assert Door("127.0.0.1", 1).token != Door("127.0.0.1", 1).token
    assert len(Door("127.0.0.1", 1).token) >= 43, "256 bits"
    assert Door("127.0.0.1", 1).token not in repr(Door("127.0.0.1", 1))


# Numbers beyond every limit

_NINES = "9" * 40
_BEYOND = (2**63 - 1, 2**63, 2**64, 10**30, -(2**63) - 1)


def huge_requests():
    """Requests with numbers that no database, float or table holds."""
    for number in _BEYOND:
        for part in ("view", "disputes", "schools"):
            yield "GET", f"/{part}?revision={number}", None, {}
        yield "POST", "/changes", {"kind": "return", "revision": number}, {}
        yield "POST", "/undo", {"revision": number}, {}
        yield "POST", "/solve", {"effort": number}, {}
        yield "GET", f"/rounds/{number}..now", None, {}
        yield "POST", f"/panels/{number}/judgements", [], {}
        yield "POST", f"/people/{number}/again", None, {}
        yield "POST", "/changes", {"kind": "set", "field": "max_clique", "value": 3}, {"If-Match": f'"{number}"'}
        yield "POST", "/changes", {"kind": "set", "field": "max_clique", "value": -abs(number)}, {}
    for wait in (_NINES, "-1", "1e9", "nan", "\u00b2", "\uff11"):
        yield "GET", f"/frontier?wait={quote(wait)}", None, {}
        yield "GET", f"/schools?k={quote(wait)}", None, {}
    for value in (1e300, "1e300", 10**400, _NINES * 100, "1e999999999", f"{_NINES}GB", -1e300):
        yield "POST", "/changes", {"kind": "set", "field": "max_table", "value": value}, {}
        yield "POST", "/changes", {"kind": "tier", "variable": "Smoker", "tier": value}, {}


def test_a_number_beyond_every_limit_gets_one_line(server):
    path = f"/api/workspaces/{NAME}"
    own = {"Authorization": f"Bearer {server.token}"}
    for method, part, body, headers in huge_requests():
        status, found, _ = server.request(method, f"{path}{part}", body, own | headers)
        assert 400 <= status < 500, (method, part, body, status)
        assert "\n" not in found["error"], found
        assert len(found["error"]) < 300, found
        assert not re.search(r"bug|Traceback|Error\b|sqlite", found["error"]), found
    body = {"kind": "set", "field": "max_table", "value": 1e300}
    assert "must be below 1e40" in server.ask("POST", f"{path}/changes", body, 422)["error"]
    for value in (2**31, 2**63, 10**30):  # limits that limit nothing
        server.ask("POST", f"{path}/changes", {"kind": "set", "field": "max_clique", "value": value})
        assert server.answered(path)["failed"] is None
    server.ask("POST", f"{path}/changes", {"kind": "set", "field": "max_clique", "value": None})
