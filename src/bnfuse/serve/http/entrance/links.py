"""Links for other machines: addresses that work there with the secret behind a #, a QR code, and tokens from files."""

from __future__ import annotations

import importlib
import io
from pathlib import Path
from urllib.parse import quote

from bnfuse._base import disk
from bnfuse.errors import OptionError
from bnfuse.serve.http.entrance.door import Door
from bnfuse.serve.meeting.roles import Role

SHORTEST_TOKEN = 16
_LONGEST_TOKEN = 200
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")


def links(door: Door, role: Role = Role.FACILITATOR, workspace: str | None = None) -> list[str]:
    """The addresses that people open: browsers do not send the part after #, and the page removes it."""
    place = "" if workspace is None else f"/{quote(workspace, safe='')}"
    return [f"{address}/#{door.secret(role)}{place}" for address in door.addresses]


def qr_code(text: str) -> str:
    """A QR code for a terminal; empty if the package that draws it is not installed."""
    try:
        segno = importlib.import_module("segno")
    except ImportError:
        return ""
    drawn = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")


def read_token(path: Path) -> str:
    """The user's own token, from a file: on a command line, every user of the machine could read it."""
    try:
        text = path.read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        raise OptionError(
            f"--token {path}: {disk.reason(error)}; give the path of a file that holds the token, as other users can "
            "read a command line"
        ) from None
    if not SHORTEST_TOKEN <= len(text) <= _LONGEST_TOKEN or not _LETTERS.issuperset(text):
        raise OptionError(
            f"--token {path}: a token has {SHORTEST_TOKEN} to {_LONGEST_TOKEN} characters: letters from A to Z, digits "
            "and - _ . ~; make one with: python -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )
    return text
