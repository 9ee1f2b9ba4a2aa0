"""`bnfuse serve`: a consensus that several people find together, in a browser."""

from __future__ import annotations

import contextlib
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bnfuse._base.optional import require
from bnfuse._base.options import MOST_WORKERS, at_least, spelled
from bnfuse.commands._console import examples, note, say
from bnfuse.errors import OptionError
from bnfuse.files import expanded

if TYPE_CHECKING:
    from bnfuse.serve.server import Opened

EXAMPLES = examples(
    "bnfuse serve                         # opens the last workspace",
    "bnfuse serve examples/clinics/*.bif  # a new one, with these inputs",
    "bnfuse serve --folder project --port 8000 --no-browser",
)

_PACKAGES = ("starlette", "uvicorn", "sse_starlette")

_Token = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A file with the token; on the command line, other users of this machine could read it.",
        show_default="a new token at every start",
    ),
]
_Certificate = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Encrypt (https) with this certificate, as PEM.", show_default=False),
]
_CertificateKey = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The certificate's key, if in a file of its own.", show_default=False),
]


def serve(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Inputs of a new workspace: networks, tallies, saved results; data (CSV or Parquet) give the tables.",
            show_default=False,
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Where workspaces are kept, one folder each.", show_default="among the user's data"
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen on; other machines cannot reach the default.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="NUMBER", help="The port; 0 chooses a free one.")] = 0,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help="The number of processes that search.",
            show_default="one for each core, and at least 2",
        ),
    ] = None,
    token: _Token = None,
    tls_cert: _Certificate = None,
    tls_key: _CertificateKey = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Find a consensus together: a page in the browser.

    Drop networks in, switch them on and off, forbid an arc, change the limit: the consensus is updated at once,
    with its proof. Everything is kept in a folder, every change can be undone, and nothing leaves this machine. Ctrl-C
    ends the server.
    """
    for package in _PACKAGES:
        require(package, "bnfuse serve", extra="serve")
    if workers is not None:
        at_least("workers", workers, 1, MOST_WORKERS)
    if not 0 <= port < 1 << 16:
        raise OptionError(f"--port must be from 0 to 65535; got {port}")
    if tls_key is not None and tls_cert is None:
        raise OptionError("--tls-key needs --tls-cert with the certificate")
    from bnfuse.serve.http.entrance.links import read_token  # noqa: PLC0415
    from bnfuse.serve.server import Place  # noqa: PLC0415
    from bnfuse.serve.server import serve as run  # noqa: PLC0415
    from bnfuse.serve.workspace.folder import default_folder  # noqa: PLC0415 - keeps the start fast

    secret = None if token is None else read_token(token)
    kept = default_folder() if folder is None else folder
    place = Place(kept, host, port, workers, secret, tls_cert, tls_key)

    def told(opened: Opened) -> None:
        _tell(opened, kept, browser)

    with contextlib.suppress(KeyboardInterrupt), spelled({}):  # clients over HTTP know no flags
        run(expanded(files or ()), place, told)
    note("the server has ended; everything is kept")


def _tell(opened: Opened, folder: Path, browser: bool) -> None:
    door = opened.door
    say(f"serving at {door.addresses[0]}/")
    if door.is_loopback:
        say(f"to open it, open {opened.opening} in a browser, or give the page this token: {door.token}")
    else:
        _tell_others(opened)
    say(f"workspaces are kept in {folder}; Ctrl-C ends the server")
    sys.stdout.flush()  # a process that reads these lines through a pipe or from a file waits for them
    if browser and door.is_loopback:
        address = opened.opening.as_uri()  # never with the token: a process list shows it, and a browser stores it
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()  # some browsers take their time


def _tell_others(opened: Opened) -> None:
    """Links for other machines, and the first of them as a QR code."""
    from bnfuse.serve.http.entrance.links import links, qr_code  # noqa: PLC0415

    door = opened.door
    first, *others = links(door)
    say(f"to join, open {first}")
    for link in others:
        say(f"           or {link}")
    say(f"or give the page this token: {door.token}")
    for line in qr_code(first).splitlines():
        say(line)
    open_to = "other machines can reach this server: anyone who has a link above can see and change all workspaces"
    encrypted = "" if door.scheme == "https" else "; what is sent is not encrypted (--tls-cert encrypts it)"
    note(f"{open_to}{encrypted}")
