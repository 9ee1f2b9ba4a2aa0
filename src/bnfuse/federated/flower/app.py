"""The Flower app: the entry points for Flower's coordinator and sites. Only Flower and our runner import it.

The run's configuration (`folder`) gives the coordinator its folder. The part for sites answers nothing: requests are
answered by the runner of `bnfuse federated serve`, which never loads an app.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path

from flwr.app import ConfigRecord, Context, Message, RecordDict
from flwr.clientapp import ClientApp
from flwr.serverapp import Grid, ServerApp

from bnfuse.errors import BnfuseError
from bnfuse.federated.agreement.settings import FILE, RESULT, Agreement
from bnfuse.federated.coordinator.rounds import coordinate
from bnfuse.federated.protocol.wire import packed

_BODY, _KIND, _RECORD = "body", "kind", "bnfuse"
_TURN = 0.2  # seconds between two checks for answers


class GridChannel:
    """Carries messages over Flower."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid

    def sites(self, wanted: int, seconds: float) -> list[int]:
        """The sites that are connected."""
        end = time.monotonic() + seconds
        while len(there := sorted(self._grid.get_node_ids())) < wanted and time.monotonic() < end:
            time.sleep(_TURN)
        return there

    def ask(self, kind: str, requests: Mapping[int, bytes], seconds: float) -> dict[int, bytes]:
        """The answers that arrive in time."""
        messages = [
            Message(
                RecordDict({_RECORD: ConfigRecord({_KIND: kind, _BODY: body})}),
                site,
                "query",
                ttl=seconds,
                group_id=kind,
            )
            for site, body in requests.items()
        ]
        left = {one for one in self._grid.push_messages(messages) if one is not None}
        answers: dict[int, bytes] = {}
        end = time.monotonic() + seconds
        while left and time.monotonic() < end:
            for reply in self._grid.pull_messages(left):
                left.discard(reply.metadata.reply_to_message_id)
                if not reply.has_error():
                    answers[reply.metadata.src_node_id] = _body(reply.content)
            time.sleep(_TURN if left else 0)
        return answers


server = ServerApp()
client = ClientApp()


@server.main()
def coordinator(grid: Grid, context: Context) -> None:
    """Run all rounds. The reason for a stop is also in the store, as Flower loses the last lines of a failed run."""
    folder = Path(str(context.run_config["folder"]))
    try:
        coordinate(Agreement.read(folder / FILE), folder / RESULT, GridChannel(grid), _say)
    except BnfuseError as error:
        _say(f"stopped: {error}")
        raise SystemExit(2) from None


@client.query()
def refuse(message: Message, context: Context) -> Message:
    """The answer of a SuperNode that was not started by `bnfuse federated serve`, and so could run any code."""
    _say("refused: a site takes part with bnfuse federated serve, which runs no code that others send")
    return reply_to(message, packed({"ok": False, "why": "protocol"}))


def reply_to(message: Message, answer: bytes) -> Message:
    """An answer in Flower's form."""
    return Message(RecordDict({_RECORD: ConfigRecord({_BODY: answer})}), reply_to=message)


def request_in(message: Message) -> tuple[str, bytes]:
    """The kind and the bytes of a request from Flower; neither if it is not one of ours."""
    record = message.content.config_records.get(_RECORD) if message.has_content() else None
    kind = None if record is None else record.get(_KIND)
    return (kind, _body(message.content)) if isinstance(kind, str) else ("", b"")


def _body(content: RecordDict) -> bytes:
    """Our bytes in Flower's content; empty if there are none."""
    record = content.config_records.get(_RECORD)
    body = None if record is None else record.get(_BODY)
    return body if isinstance(body, bytes) else b""


def _say(text: str) -> None:
    print(f"bnfuse: {text}", file=sys.stderr, flush=True)
