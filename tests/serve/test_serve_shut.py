"""Attacks from the same machine: its process list, a server at another port, other users' eyes, files that unpack."""

from __future__ import annotations

import gzip
import html
import http.client
import json
import os
import re
import shlex
import signal
import socket
import ssl
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from serving import WAIT, ended, served, started

from bnfuse import BnfuseError
from bnfuse.commands.serve import _tell
from bnfuse.serve import limits
from bnfuse.serve.http.entrance.door import Door
from bnfuse.serve.http.entrance.links import links, qr_code
from bnfuse.serve.jobs.scratch import Scratch
from bnfuse.serve.meeting.roles import Role
from bnfuse.serve.server import Opened, _bound
from bnfuse.serve.workspace.reading import read_file
from running import CLINICS

# A "browser" that writes down the arguments of all processes, and the address that it was given.
_BROWSER = """
import json, pathlib, sys
found = []
for one in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
    try:
        found.append(one.read_bytes().decode("utf-8", "replace"))
    except OSError:
        pass
pathlib.Path(sys.argv[1]).write_text(json.dumps([sys.argv[2], found]))
"""


def until(condition):
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it never came true")


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="reads the process list in /proc")
def test_no_process_list_and_no_address_has_the_token(tmp_path, monkeypatch):
    """The browser is given a file that only this user can read; the file sends the token in a body."""
    script, seen = tmp_path / "browser.py", tmp_path / "seen.json"
    script.write_text(_BROWSER)
    monkeypatch.setenv("BROWSER", f"{shlex.join([sys.executable, str(script), str(seen)])} %s")
    server = started(tmp_path / "workspaces", "--browser")
    try:
        until(lambda: seen.exists() and seen.read_text().endswith("]"))
        address, commands = json.loads(seen.read_text())
        assert any(seen.name in one for one in commands), "the list has what is running"
        assert not any(server.token in one for one in commands)
        assert address.startswith("file:///")
        assert server.token not in address
        file = Path(address.removeprefix("file://"))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        page = file.read_text()
        target = re.search(r'<form method="post" action="http://127\.0\.0\.1:(\d+)/">', page)
        token = re.search(r'name="token" value="([^"]+)"', page)
        assert (int(target[1]), html.unescape(token[1])) == (server.port, server.token)
        entered = server.request("POST", "/", f"token={token[1]}".encode(), headers={"Origin": "null"})
        assert entered[0] == 200
        assert server.token.encode() not in entered[1], "the page that comes back does not have it either"
    finally:
        ended(server)
    assert not file.exists()


@pytest.mark.long
def test_what_a_browser_sends_to_another_port_opens_nothing(tmp_path):
    """Cookies know no ports, so there are none; and what another server could make a browser send has no key."""
    with served(tmp_path) as server:
        for request in (("GET", "/"), ("GET", "/w/a/"), ("POST", "/api/session")):
            assert "set-cookie" not in server.request(*request)[2]
        status, _, headers = server.request(
            "OPTIONS", "/api/workspaces", headers={"Origin": f"http://127.0.0.1:{server.port + 1}"}
        )
        assert status == 403
        assert not [name for name in headers if name.startswith("access-control")]
        for given in ({"Origin": f"http://127.0.0.1:{server.port + 1}"}, {"Origin": "null"}, {"Cookie": "key=1"}):
            assert server.request("GET", "/api/workspaces", headers=given)[0] in (401, 403)
            form = {"Content-Type": "text/plain", **given}
            assert server.request("POST", "/api/workspaces", b'{"name": "x"}', headers=form)[0] in (401, 403)
        assert "x" not in [one["name"] for one in server.ask("GET", "/api/workspaces")]


def test_keys_end_with_the_server_even_if_the_token_stays():
    """Whoever serves at the same address afterwards may be sent an old key."""
    first, second = Door("127.0.0.1", 1, "a fixed token"), Door("127.0.0.1", 1, "a fixed token")
    key = first.new_key(Role.PARTICIPANT)
    assert (first.role(key), second.role(key)) == (Role.PARTICIPANT, None)


def test_a_secret_has_one_role():
    door = Door("127.0.0.1", 1)
    own = {role: door.secret(role) for role in Role}
    assert len(set(own.values())) == 3
    assert {role: door.role(secret) for role, secret in own.items()} == {role: role for role in Role}
    assert own[Role.FACILITATOR] == door.token
    for wrong in ("", "x", own[Role.READ_ONLY][:-1], own[Role.PARTICIPANT] + "0", "\ud800"):
        assert door.role(wrong.encode("utf-8", "replace").decode()) is None


@pytest.mark.long
def test_who_reads_only_changes_nothing(tmp_path):
    (tmp_path / "token").write_text("a-token-for-a-test-0123456789\n")
    with served(tmp_path / "workspaces", "--token", str(tmp_path / "token")) as server:
        assert server.token == "a-token-for-a-test-0123456789"
        path = server.workspace("a", [str(CLINICS[0])])
        server.answered(path)
        reader = Door("127.0.0.1", 1, server.token).secret(Role.READ_ONLY)
        shown = {"Authorization": f"Bearer {reader}"}
        assert server.request("GET", path, headers=shown)[0] == 200
        asked = server.request("POST", f"{path}/query", {"target": "Cough"}, shown)
        assert asked[0] == 200
        status, session, _ = server.request("POST", "/api/session", headers=shown)
        assert (status, session["role"]) == (201, "read-only")
        for given in (shown, {"Authorization": f"Bearer {session['key']}"}):
            for method, target in (("POST", f"{path}/undo"), ("PUT", f"{path}/files?name=a"), ("DELETE", path)):
                status, found, _ = server.request(method, target, b"", given)
                assert (status, found["error"]) == (
                    403,
                    "this link is for reading only: ask the facilitator for another",
                )


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="rights are others there")
def test_nobody_else_reads_workspaces_and_copies(tmp_path):
    folder = tmp_path / "workspaces"
    (folder / "old").mkdir(parents=True)
    previous = os.umask(0o022)
    try:
        with served(folder) as server:
            path = server.workspace("new", [str(CLINICS[0])])
            server.ask("PUT", f"{path}/files?name=rows.csv", b"Age,Cough\nyoung,yes\nold,no\n")
            server.answered(path)
            scratch = Path(re.search(r"open (\S+) in a browser", server.said)[1]).parent
            made = [*(folder / "new").rglob("*"), folder / "new", scratch, *scratch.rglob("*")]
            assert any(one.suffix == ".csv" for one in made), "a worker has a copy"
            for one in made:
                assert stat.S_IMODE(one.stat().st_mode) & 0o077 == 0, one
    finally:
        os.umask(previous)


@pytest.mark.long
def test_what_an_older_version_has_left_open_is_closed(tmp_path):
    with served(tmp_path) as server:
        server.workspace("a", [])
    (tmp_path / "a").chmod(0o755)
    (tmp_path / "a" / "workspace.sqlite").chmod(0o644)
    with served(tmp_path) as server:
        server.ask("GET", "/api/workspaces/a")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a" / "workspace.sqlite").stat().st_mode) == 0o600


def test_scratch_of_a_server_that_crashed_is_removed_and_no_other(tmp_path):
    (tmp_path / "bnfuse-serve-foreign").mkdir()
    running = Scratch(tmp_path)
    code = "import sys, os; from pathlib import Path; from bnfuse.serve.jobs.scratch import Scratch; "
    code += "own = Scratch(Path(sys.argv[1])); (own.path / 'copy').write_text('x'); print(own.path, flush=True); "
    code += "os.kill(os.getpid(), 9)"
    crashed = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=False)
    assert crashed.returncode == -signal.SIGKILL
    left = Path(crashed.stdout.strip())
    assert (left / "copy").exists()
    second = Scratch(tmp_path)
    assert not left.exists()
    assert (running.path.exists(), second.path.exists()) == (True, True)
    assert (tmp_path / "bnfuse-serve-foreign").exists()
    running.remove()
    second.remove()
    assert not running.path.exists()


def test_what_is_packed_within_counts(tmp_path):
    zeros = gzip.compress(gzip.compress(bytes(1 << 20)))
    for name in ("a.bif.gz", "a.csv.gz", "a.tally", "a"):
        with pytest.raises(BnfuseError, match="is gzipped twice; unpack it once"):
            read_file(name, zeros, tmp_path / "x")


def test_a_table_that_is_packed_within_counts(tmp_path, monkeypatch):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"a": ["x"] * 100_000, "b": ["y"] * 100_000}), tmp_path / "rows.parquet")
    content = (tmp_path / "rows.parquet").read_bytes()
    assert len(content) < 10_000
    assert read_file("rows.parquet", content, tmp_path / "x").columns == ("a", "b")
    monkeypatch.setattr(limits, "MOST_CELLS", 150_000)
    with pytest.raises(BnfuseError, match=r"rows.parquet: has more than 150,000 values, the limit"):
        read_file("rows.parquet", content, tmp_path / "x")


@pytest.mark.parametrize("kind", ["net", "dsl"])
def test_a_small_net_or_dsl_file_makes_no_large_table(tmp_path, kind):
    names = [f"X{i}" for i in range(41)]
    if kind == "net":
        nodes = "".join(f'node {name} {{ states = ("a" "b"); }}\n' for name in names)
        text = f"net {{ }}\n{nodes}potential (X0 | {' '.join(names[1:])}) {{ data = (0.5 0.5); }}\n"
    else:
        node = "node {} {{ TYPE = CPT; HEADER = {{ ID = {}; }}; PARENTS = ({}); DEFINITION = {{ NAMESTATES = (a, b); "
        node += "PROBABILITIES = (0.5, 0.5); }}; }};\n"
        text = "net n {\n" + "".join(node.format(one, one, "") for one in names[1:])
        text += node.format("X0", "X0", ", ".join(names[1:])) + "};\n"
    with pytest.raises(BnfuseError, match="the table of 'X0' needs more numbers than the file holds"):
        read_file(f"bomb.{kind}", text.encode(), tmp_path / "x")


# Other machines


def test_addresses_for_others_are_usable(monkeypatch):
    door = Door("0.0.0.0", 8000, "a-fixed-token")
    assert door.addresses
    assert not any("0.0.0.0" in one or "127.0.0.1" in one for one in door.addresses)
    for address, link in zip(door.addresses, links(door), strict=True):
        assert link == f"{address}/#a-fixed-token"
        assert door.knows_host(address.partition("://")[2])


def test_addresses_are_of_the_kind_at_which_the_server_answers(monkeypatch):
    """One that listens at all addresses of IPv4 is not reached by those of IPv6."""
    own = {socket.AF_INET: "198.51.100.7", socket.AF_INET6: "2001:db8::7"}

    def known(host, port, family=0):
        return [(family, None, 0, "", (own[family], 0))]

    monkeypatch.setattr(socket, "getaddrinfo", known)
    for host, is_there in (("0.0.0.0", (True, False)), ("::", (True, True))):
        shown = Door(host, 8000).addresses
        assert ("http://198.51.100.7:8000" in shown, "http://[2001:db8::7]:8000" in shown) == is_there


def test_a_server_at_all_addresses_answers_at_both_kinds():
    if not socket.has_ipv6:
        pytest.skip("has no IPv6")
    with _bound("::", 0) as listening:
        assert listening.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY) == 0
        socket.create_connection(("127.0.0.1", listening.getsockname()[1]), timeout=WAIT).close()


def test_a_folder_that_cannot_be_used_is_refused_at_the_start(refused, tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "within"):
        line = refused("serve", "--no-browser", "--folder", folder)
        assert f"--folder {folder}: " in line
        assert line.endswith("; give a folder that you may write to")


def test_links_for_others_are_printed_line_by_line(capsys):
    door = Door("192.0.2.7", 8000, "a-fixed-token")
    _tell(Opened(door, Path("open.html"), None), Path("folder"), browser=True)
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[:2] == ["serving at http://192.0.2.7:8000/", "to join, open http://192.0.2.7:8000/#a-fixed-token"]
    assert "what is sent is not encrypted" in printed.err
    assert not any("\\n" in line for line in lines)


def test_a_qr_code_is_drawn():
    pytest.importorskip("segno")
    code = qr_code("http://192.168.1.7:8000/#" + "x" * 43)
    assert len(code.splitlines()) > 10
    assert "\u2588" in code or "\x1b[" in code


@pytest.mark.parametrize("text", ["short", "x" * 201, "with a space in it 0123", "", "täglich-0123456789"])
def test_a_token_that_is_easy_to_guess_or_breaks_links_is_refused(refused, tmp_path, text):
    (tmp_path / "token").write_text(text, "utf-8")
    line = refused("serve", "--no-browser", "--folder", tmp_path / "w", "--token", tmp_path / "token")
    assert "a token has 16 to 200 characters" in line


def test_a_token_on_the_command_line_is_refused(refused, tmp_path):
    line = refused("serve", "--no-browser", "--folder", tmp_path, "--token", "s3cret-s3cret-s3cret")
    assert "give the path of a file that holds the token" in line


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    made = subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-keyout", folder / "key.pem", "-out", folder / "cert.pem", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=IP:127.0.0.1"),
        ],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("openssl makes no certificate here")
    return folder


@pytest.mark.long
def test_what_is_sent_is_encrypted_with_tls_files(tmp_path, certificate):
    options = ["--tls-cert", str(certificate / "cert.pem"), "--tls-key", str(certificate / "key.pem")]
    server = started(tmp_path, *options)
    try:
        assert f"serving at https://127.0.0.1:{server.port}/" in server.said
        context = ssl.create_default_context(cafile=certificate / "cert.pem")
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=WAIT, context=context)
        shown = {"Authorization": f"Bearer {server.token}", "Origin": f"https://127.0.0.1:{server.port}"}
        connection.request("GET", "/api/workspaces", headers=shown)
        assert connection.getresponse().status == 200
        connection.close()
        assert not server.raw(server.head("GET", "/api/workspaces")).startswith(b"HTTP/1.1 200")
    finally:
        assert "Traceback" not in ended(server)


def test_tls_files_that_do_not_work_are_refused_in_one_line(refused, tmp_path, certificate):
    (tmp_path / "broken.pem").write_text("nothing")
    for cert, key in (
        ("nowhere.pem", None),
        (tmp_path / "broken.pem", None),
        (certificate / "cert.pem", tmp_path / "broken.pem"),
    ):
        more = [] if key is None else ["--tls-key", key]
        line = refused("serve", "--no-browser", "--folder", tmp_path / "w", "--tls-cert", cert, *more)
        assert "cannot be used" in line
    assert "--tls-key needs --tls-cert" in refused("serve", "--folder", tmp_path / "w", "--tls-key", cert)
