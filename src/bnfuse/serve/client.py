"""A client for scripts: the API of `bnfuse serve` as methods, with the standard library alone."""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from bnfuse.errors import OptionError

_SECONDS = 120.0
_PAUSE = 0.1


class Client:
    """A running `bnfuse serve`, for scripts.

    Parameters
    ----------
    address
        Its address, such as "http://127.0.0.1:8000"; a link with the token after a # works too.
    token
        The token that the command printed, or that of a link; None takes it from the address.
    seconds
        How long to wait for an answer to one request.
    context
        For https with your own certificate: `ssl.create_default_context(cafile="cert.pem")`.

    Raises
    ------
    OptionError
        The address is invalid, or there is no token. Each request that the server refuses raises it too, with the
        server's reason.

    Examples
    --------
    >>> from bnfuse.serve import Client
    >>> client = Client("http://127.0.0.1:8000/#the-token-that-was-printed")
    >>> client.address
    'http://127.0.0.1:8000'
    """

    def __init__(
        self,
        address: str,
        token: str | None = None,
        *,
        seconds: float = _SECONDS,
        context: ssl.SSLContext | None = None,
    ) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise OptionError(f"address must look like http://127.0.0.1:8000; got {address!r:.80}")
        self._token = token if token is not None else parts.fragment
        if not self._token:
            raise OptionError("there is no token: give the one that bnfuse serve printed")
        self._host, self._port, self._scheme = parts.hostname, parts.port, parts.scheme
        self._seconds, self._context = seconds, context
        self.address = f"{parts.scheme}://{parts.netloc}"

    def request(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """The server's reply: JSON as values, other content as bytes; OptionError if it refuses."""
        target = path + (f"?{urlencode(query)}" if query else "")
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "If-Match": "*"}
        if content is not None:
            is_file = isinstance(body, bytes)
            headers["Content-Type"] = "application/octet-stream" if is_file else "application/json"
        connection = self._connection()
        try:
            connection.request(method, target, content, headers)
            response = connection.getresponse()
            found = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise OptionError(f"{self.address} cannot be reached: {error}") from None
        finally:
            connection.close()
        is_json = (response.getheader("content-type") or "").startswith("application/json")
        given = json.loads(found) if is_json and found else found
        if response.status >= 400:
            told = given.get("error") if isinstance(given, dict) else None
            raise OptionError(told or f"the server answered with {response.status}")
        return given

    def _connection(self) -> http.client.HTTPConnection:
        if self._scheme == "https":
            return http.client.HTTPSConnection(self._host, self._port, timeout=self._seconds, context=self._context)
        return http.client.HTTPConnection(self._host, self._port, timeout=self._seconds)

    def workspaces(self) -> list[str]:
        """The names of all workspaces, the most recently changed first."""
        return [one["name"] for one in self.request("GET", "/api/workspaces")]

    def create(self, name: str | None = None) -> Workspace:
        """A new workspace; without a name, it is named by the date."""
        made = self.request("POST", "/api/workspaces", {} if name is None else {"name": name})
        return Workspace(self, made["name"])

    def workspace(self, name: str) -> Workspace:
        """An existing workspace."""
        found = Workspace(self, name)
        found.look()
        return found

    def open_bundle(self, path: str | Path) -> Workspace:
        """A new workspace from a bundle."""
        return Workspace(self, self.request("PUT", "/api/bundles", Path(path).read_bytes())["name"])


class Workspace:
    """One workspace of a server; `Client.create` and `Client.workspace` return it."""

    def __init__(self, client: Client, name: str) -> None:
        self.client, self.name = client, name
        self._path = f"/api/workspaces/{quote(name, safe='')}"

    def _ask(self, method: str, part: str = "", body: Any = None, **query: Any) -> Any:
        return self.client.request(method, self._path + part, body, **query)

    def look(self) -> dict[str, Any]:
        """The question, its answer so far, the change that undo would take back, and the rounds."""
        found: dict[str, Any] = self._ask("GET")
        return found

    def add(self, *paths: str | Path) -> list[str]:
        """Add files; returns the names of the new inputs."""
        return [
            name
            for path in map(Path, paths)
            for name in self._ask("PUT", "/files", path.read_bytes(), name=path.name)["added"]
        ]

    def draw(self, name: str, arcs: Iterable[tuple[str, str]], variables: Iterable[str | dict[str, Any]] = ()) -> str:
        """Add a network as a drawing; returns the id of the new input.

        Variables of arcs need not be named again. A variable with states is given as {"name": "Cough", "states":
        [...]}.
        """
        drawn = [list(arc) for arc in arcs]
        own = list(variables)
        named = [one if isinstance(one, str) else one.get("name") for one in own]
        ends = dict.fromkeys(end for arc in drawn for end in arc if end not in named)
        body = {"name": name, "variables": [*own, *ends], "arcs": drawn}
        return str(self._ask("POST", "/drawings", body)["id"])

    def drawing(self, own: str = "consensus") -> dict[str, Any]:
        """The variables and arcs of an input, by its id, or of the consensus, as a start for a drawing."""
        found: dict[str, Any] = self._ask("GET", f"/drawings/{quote(own, safe='')}")
        return found

    def edit_drawing(self, own: str, *edits: dict[str, Any]) -> dict[str, Any]:
        """Edit a drawing, by its id, as the API describes it: all edits are applied, or none."""
        found: dict[str, Any] = self._ask("PATCH", f"/drawings/{quote(own, safe='')}", {"edits": list(edits)})
        return found

    def change(self, *changes: dict[str, Any]) -> dict[str, Any]:
        """Change the question, as the API describes it: all changes are applied, or none."""
        found: dict[str, Any] = self._ask("POST", "/changes", list(changes))
        return found

    def alignment(self) -> dict[str, Any]:
        """Names and states that differ: the `rows` proposed, the variables that are `alone`, what was `decided`."""
        found: dict[str, Any] = self._ask("GET", "/alignment")
        return found

    def align(self, unchecked: bool = False) -> list[dict[str, Any]]:
        """Accept the proposals for names and states; with `unchecked`, also those that need a check.

        Returns the accepted ones; they are one change, which undo takes back.
        """
        rows = [one for one in self.alignment()["rows"] if unchecked or not one["check"]]
        if rows:
            self.change(*map(_accepting, rows))
        return rows

    def undo(self) -> dict[str, Any]:
        """Undo the last change."""
        found: dict[str, Any] = self._ask("POST", "/undo")
        return found

    def redo(self) -> dict[str, Any]:
        """Redo the last undone change."""
        found: dict[str, Any] = self._ask("POST", "/redo")
        return found

    def answer(self, seconds: float = _SECONDS) -> dict[str, Any]:
        """The answer when the search is finished; OptionError if there is none, or not within the given seconds."""
        end = time.monotonic() + seconds
        while True:
            found = self.look()
            if found["failed"] is not None:
                raise OptionError(found["failed"])
            if found["answer"] is not None and found["solving"] is None:
                answer: dict[str, Any] = found["answer"]
                return answer
            if time.monotonic() >= end:
                raise OptionError(f"no answer after {seconds:g} seconds")
            time.sleep(_PAUSE)

    def solve(self, effort: str) -> None:
        """Search further: "thorough", or "proof"."""
        self._ask("POST", "/solve", {"effort": effort})

    def disputes(self) -> dict[str, Any]:
        """The pairs on which the inputs differ, and the costs of other decisions."""
        found: dict[str, Any] = self._ask("GET", "/disputes")
        return found

    def rows(self, variable: str | None = None) -> dict[str, Any]:
        """Rows of tables, and what inputs and people state about them: the disputed rows, and those of a variable."""
        found: dict[str, Any] = self._ask("GET", "/rows", **({} if variable is None else {"variable": variable}))
        return found

    def judge(
        self, variable: str, given: dict[str, str], probabilities: dict[str, float], cases: float, reason: str = ""
    ) -> dict[str, Any]:
        """State the probabilities of a variable for one state of each parent, and the number of cases they count as."""
        said = {"variable": variable, "given": given, "probabilities": probabilities, "cases": cases, "reason": reason}
        return self.change({"kind": "row", **said})

    def query(self, target: str | None = None, **known: Any) -> dict[str, Any]:
        """Probabilities, given `evidence`, `beliefs` and `do`."""
        found: dict[str, Any] = self._ask("POST", "/query", {"target": target, **known})
        return found

    def freeze(self, name: str) -> None:
        """Keep the present question with its answer as a round."""
        self._ask("POST", "/rounds", {"name": name})

    def history(self) -> list[dict[str, Any]]:
        """Every change as a sentence."""
        found: list[dict[str, Any]] = self._ask("GET", "/history")
        return found

    def download(self, kind: str, path: str | Path) -> Path:
        """Write bif, xmlbif, xdsl, net, uai, csv, report, schools, saved, minutes, command, python or bundle."""
        found = self._ask("GET", "/bundle" if kind == "bundle" else f"/out/{kind}")
        content = found if isinstance(found, bytes) else json.dumps(found).encode()
        Path(path).write_bytes(content)
        return Path(path)

    def delete(self) -> None:
        """Delete the workspace for good."""
        self.client.request("DELETE", self._path, **{"for": "good"})


def _accepting(row: dict[str, Any]) -> dict[str, Any]:
    """The change that accepts a proposal."""
    own = {"id": row["id"], "variable": row["variable"]}
    if row["states"] is None:
        return {"kind": "name", "name": row["name"], **own}
    return {"kind": "states", "states": {one["state"]: one["becomes"] for one in row["states"]}, **own}
