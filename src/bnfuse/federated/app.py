"""The Flower app: how Flower's coordinator and sites call ours. Only Flower imports this module.

The coordinator is told where its folder is by the run's configuration (`folder`), a site by that of its SuperNode
(`site`), so neither knows a path of the other.
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
from bnfuse.federated.coordinator import RESULT, coordinate
from bnfuse.federated.settings import FILE, Agreement
from bnfuse.federated.site import Site

_BODY, _KIND, _MEMORY = "body", "kind", "bnfuse"
_TURN = 0.2  # seconds between two looks for answers


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
        """The answers of those that answer in time."""
        messages = [
            Message(
                RecordDict({_MEMORY: ConfigRecord({_KIND: kind, _BODY: body})}),
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
    """All rounds."""
    folder = Path(str(context.run_config["folder"]))
    try:
        coordinate(Agreement.read(folder / FILE), folder / RESULT, GridChannel(grid), _say)
    except BnfuseError as error:
        _say(f"stopped: {error}")
        (folder / RESULT).mkdir(exist_ok=True)
        raise SystemExit(2) from None


@client.query()
def site(message: Message, context: Context) -> Message:
    """One message to a site."""
    folder = Path(str(context.node_config.get("site", "")))
    kind = str(message.content.config_records[_MEMORY][_KIND])
    answer, memory = Site(folder, _say).answer(kind, _body(message.content), _body(context.state), context.node_id)
    context.state.config_records[_MEMORY] = ConfigRecord({_BODY: memory})
    return Message(RecordDict({_MEMORY: ConfigRecord({_BODY: answer})}), reply_to=message)


def _body(content: RecordDict) -> bytes:
    """Our bytes in what Flower carries or remembers; none where there are none."""
    record = content.config_records.get(_MEMORY)
    body = None if record is None else record.get(_BODY)
    return body if isinstance(body, bytes) else b""


def _say(text: str) -> None:
    print(f"bnfuse: {text}", file=sys.stderr, flush=True)
