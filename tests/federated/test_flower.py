"""A coordinator and sites as Flower's own processes, on loopback."""

from __future__ import annotations

import json

import pytest
from federation import CLINICS, agreement_of, data_sites
from flower import flower
from flwr.app import ConfigRecord, Context, Message, MetricRecord, RecordDict
from flwr.supercore.task_identity import TaskIdentity

import bnfuse
from bnfuse.data.data import Data
from bnfuse.federated.agreement.folder import write_app
from bnfuse.federated.agreement.settings import RESULT
from bnfuse.federated.coordinator.rounds import NETWORK, SAVED
from bnfuse.federated.flower.app import client, request_in
from bnfuse.federated.protocol.wire import unpacked
from bnfuse.federated.site.holdings import Holdings
from bnfuse.federated.site.steps import Site
from bnfuse.federated.sums import counts
from bnfuse.inference.parameters import fit

EVIL = """
import json
from pathlib import Path
from flwr.app import ConfigRecord, Message, RecordDict
from flwr.clientapp import ClientApp
from flwr.serverapp import ServerApp

MARK, GOT, ROWS, SITES = {mark!r}, {got!r}, {rows!r}, {sites}
Path(MARK).open("a").write("imported\\n")
server = ServerApp()
client = ClientApp()

@client.query()
def steal(message, context):
    Path(MARK).open("a").write("ran\\n")
    return Message(RecordDict({{"bnfuse": ConfigRecord({{"body": Path(ROWS).read_bytes()}})}}), reply_to=message)

@server.main()
def main(grid, context):
    import time
    while len(nodes := list(grid.get_node_ids())) < SITES:
        time.sleep(0.2)
    Path(MARK).write_text("")  # what the coordinator imported does not count
    asked = [Message(RecordDict({{"bnfuse": ConfigRecord({{"kind": kind, "body": b""}})}}), node, "query")
             for node in nodes for kind in ("join", "steal")]
    replies = list(grid.send_and_receive(asked, timeout=60))
    body = lambda reply: reply.content.config_records["bnfuse"]["body"].decode("latin1")
    found = [str(one.error) if one.has_error() else body(one) for one in replies]
    Path(GOT).write_text(json.dumps(found))
"""

EVIL_PROJECT = """
[project]
name = "federation"
version = "1.0.0"
license = "MIT"
dependencies = ["bnfuse[federated]"]
[tool.flwr.app]
publisher = "bnfuse"
[tool.flwr.app.components]
serverapp = "evil:server"
clientapp = "evil:client"
"""


@pytest.fixture
def federation(tmp_path):
    """Three sites with rows, and what they agreed on."""
    (network,) = bnfuse.read(CLINICS[1])
    rows = network.sample(600, seed=5)
    agreement = agreement_of(network, sites=3, wait=60.0)
    parts = [Data(rows.variables, rows.states, rows.codes[200 * i : 200 * (i + 1)]) for i in range(3)]
    sites = data_sites(tmp_path, agreement, parts)
    write_app(tmp_path / "app", agreement)
    return agreement, sites, rows, tmp_path / "app"


def evil_app(folder, rows, sites):
    """An app that sends home what the rows of a site are, if a site runs it."""
    folder.mkdir()
    mark, got = folder.parent / "mark", folder.parent / "got.json"
    code = EVIL.format(mark=str(mark), got=str(got), rows=str(rows), sites=sites)
    (folder / "evil.py").write_text(code)
    (folder / "pyproject.toml").write_text(EVIL_PROJECT)
    return mark, got


@pytest.fixture
def task(monkeypatch):
    """Flower makes messages within tasks only."""
    for name in ("_task_id", "_run_id", "_node_id"):
        monkeypatch.setattr(TaskIdentity, name, 1)


def test_messages_of_other_apps_are_no_requests(task, tmp_path):
    """Whatever an app puts into a message, a site reads a kind and bytes, or nothing."""
    odd = [
        {},
        {"other": ConfigRecord({"kind": "join", "body": b""})},
        {"bnfuse": ConfigRecord({"kind": 5, "body": b""})},
        {"bnfuse": ConfigRecord({"body": b"join"})},
        {"bnfuse": MetricRecord({"kind": 1})},
    ]
    for records in odd:
        assert request_in(Message(RecordDict(records), 1, "query")) == ("", b"")
    good = Message(RecordDict({"bnfuse": ConfigRecord({"kind": "join", "body": "text"})}), 1, "query")
    assert request_in(good) == ("join", b"")
    for kind, body in (("", b""), ("join", b""), ("__import__", b"x")):
        assert unpacked(Site(tmp_path).answer(kind, body)) in (
            {"ok": False, "why": w} for w in ("protocol", "holdings")
        )


def test_an_app_of_a_supernode_without_our_runner_answers_nothing(task):
    message = Message(RecordDict({"bnfuse": ConfigRecord({"kind": "join", "body": b""})}), 1, "query")
    message.metadata.__dict__["_message_id"] = "1"
    reply = client(message=message, context=Context(1, 1, {}, RecordDict(), {}))
    assert unpacked(reply.content.config_records["bnfuse"]["body"]) == {"ok": False, "why": "protocol"}


@pytest.mark.long
def test_real_processes_run_no_shipped_code_tell_why_they_stop_and_are_exact(federation, tmp_path):
    """One session, as starting it takes most of the time."""
    agreement, sites, rows, app = federation
    mark, got = evil_app(tmp_path / "evil", tmp_path / "rows-0.csv", len(sites))
    with flower(tmp_path / "flower") as running:
        for folder in sites:
            running.site(folder.name, folder)

        running.run_app(tmp_path / "evil")
        running.wait_for(got.exists, "app", 300)
        replies = json.loads(got.read_text())
        assert len(replies) == 2 * len(sites)
        assert mark.read_text() == "", "no site has imported the shipped app"
        secret = (tmp_path / "rows-0.csv").read_text().splitlines()
        assert not any(line in reply for reply in replies for line in secret[:3])
        assert all('"ok":false' in reply for reply in replies)
        assert all("refused" in running.said(folder.name) for folder in sites)

        running.kill(sites[2].name)  # all three are needed
        running.run(app)
        assert running.processes["run"].wait(300) == 2
        assert "2 sites joined the tally, and 3 of 3 are needed" in running.said("run")

        running.kill("superlink")  # after which Flower's own SuperNodes end
        running.superlink()
        running.site(sites[2].name, sites[2])
        running.run(app)
        assert running.processes["run"].wait(600) == 0, running.said("run")
        assert "received the tables of 3 sites" in running.said("run")

    held = [Holdings.of(folder) for folder in sites]
    votes = sum(counts.votes_of(one.tally, agreement, one.rows) for one in held)
    tally = counts.tally_from(votes, agreement, len(sites))
    openly = bnfuse.consensus(tally, agreement.settings.max_clique, effort=agreement.settings.effort)
    whole = fit(openly.dag, rows, states=rows.states, prior=agreement.settings.prior).network
    saved = bnfuse.Consensus.load(app / RESULT / SAVED)
    for found in (saved.network, bnfuse.read(app / RESULT / NETWORK)[0], *(bnfuse.read(sites[2] / "consensus.bif"))):
        assert found.dag == openly.dag
        assert all((found.cpts[name] == whole.cpts[name]).all() for name in whole.variables)
