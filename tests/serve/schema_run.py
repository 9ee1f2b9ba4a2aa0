"""schemathesis against a server of its own: every request that it makes up gets an answer as the description says.

    python tests/serve/schema_run.py                 2,000 cases
    python tests/serve/schema_run.py --cases 200

It is not among the packages of the tests: pip install schemathesis, in any environment, and give that with --program.
All cases are about one workspace, which has inputs and an answer, so that they get behind its name. Left out are the
events, which have no end, and the request that deletes that workspace.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from serving import Served, served

NAME = "clinics"
# A request that is well-formed can still ask for what is not there: there is nothing to undo, say.
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
CHECKS += "negative_data_rejection,ignored_auth,unsupported_method"


def described(server: Served, file: Path) -> int:
    """Write down the description for that workspace; how many operations it has."""
    found = server.ask("GET", "/api/openapi.json")
    path = "/api/workspaces/{name}"
    del found["paths"][f"{path}/events"]
    operations = [one for own in found["paths"].values() for one in own.values()]
    for parameter in (one for operation in operations for one in operation.get("parameters", ())):
        if (parameter["name"], parameter["in"]) == ("name", "path"):
            parameter["schema"] = {"enum": [NAME]}
    file.write_text(json.dumps(found))
    return len(operations)


def run(server: Served, program: str, cases: int, seed: int, folder: Path) -> str:
    """What schemathesis reports; AssertionError if it found anything."""
    count = described(server, folder / "openapi.json")
    found = subprocess.run(
        [
            *(program, "run", str(folder / "openapi.json"), "--url", f"http://{server.host}:{server.port}"),
            *("-H", f"Authorization: Bearer {server.token}", "--checks", CHECKS, "--seed", str(seed)),
            *("--exclude-operation-id", "delete_workspace", "--phases", "examples,coverage,fuzzing", "--no-color"),
            *("--max-examples", str(max(1, cases // count)), "--request-timeout", "60", "--continue-on-failure"),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert found.returncode == 0, found.stdout[-6_000:] + found.stderr[-2_000:]
    return found.stdout


@contextlib.contextmanager
def prepared(folder: Path) -> Iterator[Served]:
    """A server with the workspace that all cases are about."""
    with served(folder) as server:
        path = server.workspace(NAME)
        server.answered(path)
        server.ask("POST", f"{path}/rounds", {"name": "one"}, 201)
        yield server


def cases_in(report: str) -> int:
    """How many requests were made."""
    return sum(int(one.replace(",", "")) for one in re.findall(r"([\d,]+) generated", report))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--program", default="schemathesis")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, prepared(Path(folder) / "workspaces") as server:
        print(run(server, given.program, given.cases, given.seed, Path(folder))[-1_500:])


if __name__ == "__main__":
    main()
