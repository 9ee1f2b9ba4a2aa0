"""A file that opens the browser: it contains the token, which is neither on a command line nor in an address.

A process list shows the arguments of every process to every user, and a browser stores every address. So the browser
gets the path of a file that only this user can read; it is a form with the token that submits itself.
"""

from __future__ import annotations

import html
import os
from pathlib import Path

FILE = "open-bnfuse.html"
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>bnfuse</title>
<form method="post" action="{address}/">
<input type="hidden" name="token" value="{token}">
<button>Open bnfuse</button>
</form>
<script>document.forms[0].submit();</script>
</html>
"""


def write_opening(folder: Path, address: str, token: str) -> Path:
    """The file, which nobody else can read at any moment."""
    path = folder / FILE
    text = _PAGE.format(address=html.escape(address), token=html.escape(token))
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    return path
