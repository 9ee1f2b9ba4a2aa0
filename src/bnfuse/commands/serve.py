"""`bnfuse serve`: a consensus that several people find together, in a browser."""

from __future__ import annotations

import contextlib
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


def serve(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
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
        typer.Option(metavar="NUMBER", help="Processes that search.", show_default="one for each core, and at least 2"),
    ] = None,
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
    from bnfuse.serve.server import serve as run  # noqa: PLC0415
    from bnfuse.serve.workspace.folder import default_folder  # noqa: PLC0415 - keeps the start fast

    place = default_folder() if folder is None else folder

    def told(opened: Opened) -> None:
        _tell(opened, place, browser)

    with contextlib.suppress(KeyboardInterrupt), spelled({}):  # who asks over HTTP knows no flags
        run(expanded(files or ()), place, host, port, workers, told)
    note("the server has ended; everything is kept")


def _tell(opened: Opened, folder: Path, browser: bool) -> None:
    say(f"serving at {opened.url}")
    say(f"workspaces are kept in {folder}; Ctrl-C ends the server")
    if not opened.door.is_loopback:
        note(
            "other machines can reach this server: anyone who knows the address above can see and change all "
            "workspaces, and what is sent is not encrypted"
        )
    if browser and opened.door.is_loopback:
        threading.Thread(target=webbrowser.open, args=(opened.url,), daemon=True).start()  # some take their time
