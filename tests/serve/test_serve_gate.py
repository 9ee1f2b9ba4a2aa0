"""Shut tight: who has no token, comes from another site or under another name gets nothing, and nobody can hang it."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import socket
import time

import pytest
from serving import served

from bnfuse.serve.http.gate import Door

PATHS = ["/", "/w/{name}/", "/api/workspaces", "/api/openapi.json", "/api/workspaces/{name}", "/nowhere", "/%2e%2e/"]
NAME = "gate"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    seconds = {"HEADER_SECONDS": 1.0, "BODY_SECONDS": 1.0, "SEND_SECONDS": 2.0, "IDLE_SECONDS": 2}
    with served(tmp_path_factory.mktemp("gate"), **seconds, MOST_CONNECTIONS=60, MOST_STREAMS=5) as running:
        running.workspace(NAME)
        running.answered(f"/api/workspaces/{NAME}")
        yield running


@pytest.fixture
def cookie(server):
    status, _, headers = server.request("GET", f"/?token={server.token}", headers={})
    assert status == 303
    return headers["set-cookie"]


def test_the_token_is_traded_for_a_cookie_that_no_script_and_no_other_site_gets(server, cookie):
    name, _, rest = cookie.partition("=")
    assert name == f"bnfuse-{server.port}"
    value, *flags = [part.strip() for part in rest.split(";")]
    assert set(flags) == {"HttpOnly", "SameSite=Strict", "Path=/"}
    assert server.token not in cookie
    status, _, headers = server.request("GET", "/", headers={"Cookie": f"{name}={value}"})
    assert (status, headers["location"]) == (303, f"/w/{NAME}/")


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
@pytest.mark.parametrize(
    "shown",
    [
        {},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer x"},
        {"Authorization": "Basic Og=="},
        {"Cookie": "bnfuse=1"},
        {"Cookie": "bnfuse-{port}="},
        {"Cookie": "bnfuse-{port}={token}"},
        {"Cookie": "bnfuse-{port}=\xe4\xff"},
        {"Cookie": ";" * 3_000},
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


@pytest.mark.parametrize("token", ["", "x", "{token}x", "%00", "{token}&token=x&token={token}", "x" * 9_000])
def test_a_wrong_token_opens_nothing(server, token):
    text = token.format(token=server.token)
    status, _, headers = server.request("GET", f"/?token={text}", headers={})
    assert ("set-cookie" in headers) == (status == 303) == (text.partition("&")[0] == server.token)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", "", "["],
)
def test_a_host_that_is_not_ours_is_refused_even_with_the_token(server, host):
    """A page of another site that lets its own name point to this machine comes with its own name."""
    given = {"Host": host.format(port=server.port), "Authorization": f"Bearer {server.token}"}
    status, body, _ = server.request("GET", "/api/workspaces", headers=given)
    assert (status, list(body)) == (421, ["error"])
    status, _, headers = server.request("GET", f"/?token={server.token}", headers={"Host": given["Host"]})
    assert status == 421
    assert "set-cookie" not in headers


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
    ("headers", "expected"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Origin": "https://127.0.0.1:{port}"}, 403),
        ({}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://127.0.0.1:{port}", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://127.0.0.1:{port}"}, 422),
        ({"Sec-Fetch-Site": "same-origin"}, 422),
    ],
    ids=str,
)
def test_a_cookie_changes_something_from_our_own_page_only(server, cookie, headers, expected):
    given = {name: text.format(port=server.port) for name, text in headers.items()}
    given["Cookie"] = cookie.partition(";")[0]
    for method, path in (("POST", "redo"), ("POST", "redo?x=1")):
        status, _, _ = server.request(method, f"/api/workspaces/{NAME}/{path}", headers=given)
        assert status == expected
    reading, _, _ = server.request("GET", "/api/workspaces", headers=given)
    assert reading == (403 if expected == 403 and headers else 200)


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
    for path in (f"/api/workspaces/{name}", f"/w/{name}/", f"/api/workspaces/{name}/out/bif"):
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
    assert found["error"].startswith("a: neither the name nor the content tells the format")


def test_a_bomb_is_refused(server):
    bomb = gzip.compress(bytes(300 << 20), 1)
    status, found, _ = server.request("PUT", f"/api/workspaces/{NAME}/files?name=a.csv.gz", bomb)
    assert (status, found["error"]) == (422, "a.csv.gz: unpacks to more than 256 MiB, over the limit")


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
    assert server.ask("GET", "/api/workspaces") == [{"name": NAME}]
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
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with server.connected() as connection:
            connection.sendall(server.head("GET", path))
            if connection.recv(100).startswith(b"HTTP/1.1 200"):
                break
        time.sleep(0.1)
    else:
        raise AssertionError("the streams are still open")
    assert_well(server)


def test_too_many_connections_are_turned_away_and_the_others_work(server):
    opened = [server.connected() for _ in range(55)]
    kept = http.client.HTTPConnection(server.host, server.port, timeout=30)
    kept.request("GET", "/api/workspaces", headers={"Authorization": f"Bearer {server.token}"})
    assert kept.getresponse().status == 200
    opened += [server.connected() for _ in range(20)]
    for connection in opened:
        connection.close()
    kept.close()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with contextlib.suppress(OSError, http.client.HTTPException):
            assert_well(server)
            return
        time.sleep(0.1)
    raise AssertionError("it does not answer any more")


def test_two_servers_have_two_tokens():
    assert Door("127.0.0.1", 1).token != Door("127.0.0.1", 1).token
    assert len(Door("127.0.0.1", 1).token) >= 43, "256 bits"
    assert Door("127.0.0.1", 1).token not in repr(Door("127.0.0.1", 1))
