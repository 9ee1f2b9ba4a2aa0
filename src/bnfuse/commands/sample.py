"""`bnfuse sample`: rows drawn from a network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bnfuse.commands._console import Force, count, examples, say
from bnfuse.commands._parameters import NetworkFile, read_one
from bnfuse.data import check_output

EXAMPLES = examples(
    "bnfuse sample consensus.bif -n 10000 -o patients.csv.gz",
    "bnfuse sample consensus.bif -n 5 --seed 7                  to the screen",
)


def sample(
    file: NetworkFile,
    rows: Annotated[int, typer.Option("--rows", "-n", metavar="NUMBER", help="How many rows.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="The same seed gives the same rows.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to write: .csv, .csv.gz or .parquet.",
            show_default="the screen",
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Draw rows from a network."""
    if output is not None:
        check_output(output, force)
    drawn = read_one(file).sample(rows, seed)
    if output is None:
        sys.stdout.write(drawn.to_csv())
        return
    drawn.write(output, overwrite=force)
    say(f"wrote {output}: {count(len(drawn), 'row')} of {count(len(drawn.variables), 'variable')}")
