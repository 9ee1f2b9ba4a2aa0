"""What the commands that give tables to a structure share."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from bnfuse._errors import FileError
from bnfuse.commands._inputs import read_networks
from bnfuse.network import Network
from bnfuse.parameters import EMProgress

Prior = Annotated[
    float,
    typer.Option(
        metavar="ROWS",
        help="Weight of a uniform prior on tables from data, as an equivalent number of rows; 0: maximum likelihood.",
    ),
]
NetworkFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="One network: BIF, XMLBIF, NET, DSL, XDSL or UAI, also as .gz; - is the standard input.",
        show_default=False,
    ),
]


def read_one(path: Path) -> Network:
    """The network of a file that holds one."""
    networks = read_networks([path])
    if len(networks) > 1:
        raise FileError(path, f"holds {len(networks):,} networks; give a file of one")
    return networks[0]


@contextlib.contextmanager
def em_progress() -> Iterator[EMProgress | None]:
    """On a terminal: the iterations of expectation maximisation as they come, should there be any."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - keeps the start fast

    with Console(stderr=True).status("fitting ...") as status:

        def show(iteration: int, log_likelihood: float) -> None:
            status.update(f"iteration {iteration}  log-likelihood {log_likelihood:,.2f}")

        yield show
