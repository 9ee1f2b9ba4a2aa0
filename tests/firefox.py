"""A Firefox for the tests of pages: the one that is installed, by the protocol that it speaks itself (Marionette)."""

import json
import shutil
import socket
import subprocess
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from page_browser import TEMPLATES

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
needs_firefox = pytest.mark.skipif(FIREFOX is None, reason="needs Firefox: apt-get install firefox-esr")

_SECONDS = 600  # that an answer may take
_SETTINGS = {
    "marionette.port": 0,  # any that is free: it tells which
    "app.normandy.enabled": False,  # the rest: it asks nobody for anything
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.server": "",
}


class Firefox:
    """A window without a screen."""

    def __init__(self, process, port):
        self._process = process
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_SECONDS)
        self._answers = self._socket.makefile("rb")
        self._read()
        self._number = 0
        self._ask("WebDriver:NewSession", capabilities={"alwaysMatch": {"pageLoadStrategy": "normal"}})
        self._ask("WebDriver:SetTimeouts", script=1000 * _SECONDS, pageLoad=1000 * _SECONDS)

    def open(self, address):
        self._ask("WebDriver:Navigate", url=address)

    def evaluate(self, script, argument=None):
        """What an asynchronous function of the page gives."""
        text = f"const [argument, done] = arguments; const one = ({script})(argument);"
        text += "one.then((value) => done([value]), (error) => done(String(error)))"
        found = self._ask("WebDriver:ExecuteAsyncScript", script=text, args=[argument], sandbox=None)["value"]
        assert isinstance(found, list), found
        return found[0]

    def end(self):
        with suppress(OSError, AssertionError):
            self._ask("Marionette:Quit", flags=["eForceQuit"])
        self._socket.close()
        self._process.terminate()
        self._process.wait()

    def _ask(self, command, **parameters):
        self._number += 1
        text = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        _, number, error, result = self._read()
        assert (number, error) == (self._number, None)
        return result

    def _read(self):
        length = b""
        while (one := self._answers.read(1)) not in (b":", b""):
            length += one
        return json.loads(self._answers.read(int(length)))


@pytest.fixture(name="firefox", scope="module")
def firefox_fixture(tmp_path_factory):
    """A Firefox with a profile of its own."""
    profile = tmp_path_factory.mktemp("firefox")
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _SETTINGS.items())
    (profile / "user.js").write_text("\n".join(lines), "utf-8")
    process = subprocess.Popen(
        [FIREFOX, "--headless", "--no-remote", "--marionette", "--profile", str(profile)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    told = next((line for line in process.stdout if "Listening on port" in line), None)
    assert told is not None, "Firefox does not start"
    rest = Thread(target=process.stdout.read, daemon=True)
    rest.start()
    browser = Firefox(process, int(told.split()[-1]))
    yield browser
    browser.end()
    rest.join()
    process.stdout.close()


class _Modules(SimpleHTTPRequestHandler):
    """The modules of pages as they are, and a page that has one of them."""

    def __init__(self, *arguments, html, **options):
        self.html = html
        super().__init__(*arguments, **options)

    def do_GET(self):
        name = self.path.removeprefix("/")
        found = [folder.joinpath(name) for folder in TEMPLATES if name and folder.joinpath(name).is_file()]
        body = (found[0].read_text("utf-8") if found else self.html).encode()
        self.send_response(200)
        self.send_header("Content-Type", f"text/{'javascript' if found else 'html'}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextmanager
def site_of_modules(html):
    """The address of a page on this machine, from which modules can be imported."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Modules, html=html))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
