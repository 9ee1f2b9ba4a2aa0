"""`bnfuse try`: a page that finds the consensus of networks in the browser, for people who may not install anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bnfuse.commands._console import AsJson, Force, as_bytes, examples, note, print_json, say
from bnfuse.report.browser.browser_page import has_solver, write_page

EXAMPLES = examples(
    "bnfuse try -o bnfuse.html",
    "bnfuse try -o bnfuse.html --force  # in place of a file that is there",
)


def try_page(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write, .html.")] = Path(
        "bnfuse.html"
    ),
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a page that finds a consensus in the browser.

    The page is one HTML file for people who may not install anything. Whoever opens it drops networks on it (BIF,
    XMLBIF, XDSL, CSV edge lists, JSON) and gets the consensus with its distance, bound, picture and report. The page
    works offline and from a file, and nothing leaves the browser.
    """
    write_page(output, force)
    if as_json:
        print_json("try", {"page": str(output), "bytes": output.stat().st_size, "has_solver": has_solver()})
        return
    say(f"wrote {output} ({as_bytes(output.stat().st_size)}): open it in any browser and drop networks on it")
    if not has_solver():
        note(
            "the page reads networks but finds no consensus, as this bnfuse was installed without WebAssembly; "
            "BNFUSE_WASM=1 pip install . includes it"
        )
