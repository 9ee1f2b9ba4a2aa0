"""`bnfuse sample`: rows drawn from a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, Force, examples, print_content, print_json, say
from bnfuse.commands._output import STANDARD, check_kept
from bnfuse.commands._parameters import NetworkFile, read_one
from bnfuse.data.data import MISSING, Data, check_output
from bnfuse.data.numeric import NumericData

EXAMPLES = examples(
    "bnfuse sample examples/clinics/harbour.bif -n 10000 -o patients.csv.gz",
    "bnfuse sample examples/clinics/harbour.bif -n 5 --seed 7  # to the screen",
    "bnfuse sample examples/clinics/harbour.bif -n 5 --json    # JSON output",
)


def sample(
    file: NetworkFile,
    rows: Annotated[int, typer.Option("--rows", "-n", metavar="NUMBER", help="How many rows.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="The same seed gives the same rows.")] = 0,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to write: .csv, .csv.gz or .parquet.",
            show_default="the standard output",
        ),
    ] = STANDARD,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Draw rows from a network."""
    if output != STANDARD:
        check_kept({"-o": output}, [file], force)
        check_output(output, force)
    drawn: Data | NumericData = read_one(file).sample(rows, seed)
    if output != STANDARD:
        drawn.write(output, overwrite=force)
    if as_json:
        print_json("sample", _facts(drawn, seed, None if output == STANDARD else output))
    elif output == STANDARD:
        print_content(drawn.to_csv())
    else:
        say(f"wrote {output}: {count(len(drawn), 'row')} of {count(len(_names(drawn)), 'variable')}")


def _names(drawn: Data | NumericData) -> tuple[str, ...]:
    return drawn.columns if isinstance(drawn, NumericData) else drawn.variables


def _facts(drawn: Data | NumericData, seed: int, output: Path | None) -> dict[str, Any]:
    """The JSON output: the rows themselves, unless they are in a file."""
    facts: dict[str, Any] = {"variables": _names(drawn), "seed": seed}
    if output is not None:
        return {**facts, "rows": len(drawn), "output": str(output)}
    if isinstance(drawn, NumericData):
        return {**facts, "rows": drawn.values.tolist(), "output": None}
    labels = [(*drawn.states[name], None) for name in drawn.variables]  # number -1 is the last
    assert MISSING == -1
    rows = [[own[code] for own, code in zip(labels, row, strict=True)] for row in drawn.codes.tolist()]
    return {**facts, "rows": rows, "output": None}
