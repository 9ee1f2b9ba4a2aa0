"""What a search is given on the command line: files that are all networks or all tallies, and weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bnfuse._errors import BnfuseError, FileError, OptionError
from bnfuse.dag import DAG, check_same_variables
from bnfuse.files import read
from bnfuse.network import Network
from bnfuse.tally import Tally

TALLY_ENDINGS = (".tally", ".tally.gz")

Inputs = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE",
        help="Networks: BIF, XMLBIF, NET, DSL, XDSL, UAI, CSV edge lists, ensembles (JSON); or tallies of networks "
        "(.tally); each also as .gz.",
        show_default=False,
    ),
]
Weights = Annotated[
    list[str] | None,
    typer.Option(
        "--weight", metavar="NAME=NUMBER", help="How much an input counts, instead of 1; 0 leaves it out. Repeatable."
    ),
]


def is_tally(path: Path) -> bool:
    """Whether a file is a tally, by its name."""
    return path.name.lower().endswith(TALLY_ENDINGS)


def read_inputs(files: Sequence[Path]) -> list[Network] | list[Tally]:
    """The networks of files, or their tallies."""
    tallies = [path for path in files if is_tally(path)]
    if not tallies:
        return read(*files)
    if len(tallies) < len(files):
        other = next(path for path in files if not is_tally(path))
        raise OptionError(
            f"{tallies[0]} is a tally and {other} is not: give either tallies or networks; "
            "bnfuse tally makes one tally of both"
        )
    loaded = [load_tally(path) for path in files]
    for path, tally in zip(files, loaded, strict=True):
        check_same_variables(DAG(loaded[0].variables), DAG(tally.variables), str(files[0]), str(path))
    return loaded


def load_tally(path: Path) -> Tally:
    """A tally from its file; whatever is wrong with it, the error names the file."""
    try:
        return Tally.load(path)
    except FileError:
        raise
    except BnfuseError as error:
        raise FileError(path, str(error)) from None


def weights_of(texts: Sequence[str] | None) -> dict[str, float] | None:
    """The weights that `--weight NAME=NUMBER` gave, by name."""
    weights = {}
    for text in texts or ():
        name, equals, number = text.rpartition("=")
        try:
            weights[name] = float(number)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise OptionError(f"--weight must be NAME=NUMBER, such as --weight north=2; got {text!r}")
    return weights or None
