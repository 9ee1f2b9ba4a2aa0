"""`bnfuse align`: names and states of networks that belong together, as a table to edit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._base.texts import count
from bnfuse.alignment.alignment import Alignment
from bnfuse.alignment.proposals import align as propose
from bnfuse.alignment.table import EVERY, AlignmentRow, check_table, table_text
from bnfuse.commands._console import (
    AsJson,
    Files,
    Force,
    examples,
    note,
    print_content,
    print_json,
    print_table,
    say,
    working,
)
from bnfuse.commands._inputs import files_of, read_given
from bnfuse.commands._output import STANDARD, beside, check_kept
from bnfuse.errors import OptionError
from bnfuse.files import Input
from bnfuse.graphs.network import Network

EXAMPLES = examples(
    "bnfuse align examples/panel/registry.bif examples/panel/ward.csv",
    "bnfuse align examples/panel/[rw]* -o names.csv      # a table to edit",
    "bnfuse align examples/panel/[rw]* -o - > names.csv  # the same in a pipe",
    "bnfuse align examples/panel/[rw]* --json            # JSON output",
)


def align(
    files: Files,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The table to write, .csv; - is the standard output."),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Propose common names where networks differ.

    Variables and states are matched by their spelling (case, punctuation, typing errors), their states and their
    neighbours. The table has a row for each that is to be renamed, and why. Rows whose reason begins with "check" need
    a look: uncertain ones, and variables that only some networks have. Edit the column "name", for states the column
    "becomes"; to keep a name, repeat it. If a row is right, delete "check:". Then add --names FILE to the command that
    takes the networks.
    """
    files = files_of(files)
    check_kept({"-o": output}, files, force)
    if output == STANDARD and as_json:
        raise OptionError("-o - and --json both print to the standard output; name a file, or leave --json out")
    if output is not None and output != STANDARD:
        check_table(output, force)
    networks = read_given(files)
    if len(networks) < 2:
        raise OptionError(f"{files[0]}: names are compared between two networks or more, got one; name another file")
    with working(f"comparing the names of {count(len(networks), 'network')}"):
        alignment = propose(networks)
    if output == STANDARD:
        print_content(table_text(alignment.rows))
    elif output is not None:
        alignment.save(output, overwrite=force)
    if as_json:
        print_json("align", _facts(networks, alignment, output))
        return
    with beside(output):
        _tell(networks, alignment, output)
    if alignment.to_check:
        note(f"{count(len(alignment.to_check), 'row')} to check (the reason begins with 'check'){_waiting(alignment)}")


def _waiting(alignment: Alignment) -> str:
    """How many rows must be checked before a table can be applied."""
    waiting, all_of_them = len(alignment.waiting), len(alignment.to_check)
    if not waiting:
        return "; none of them renames anything"
    who = f"{waiting} of them" if waiting < all_of_them else "it" if waiting == 1 else "they"
    return f"; {who} {'renames' if waiting == 1 else 'rename'} something and must be checked before use"


def _facts(networks: Sequence[Input], alignment: Alignment, output: Path | None) -> dict[str, Any]:
    return {
        "networks": [network.name for network in networks],
        "rows": [
            {
                "network": row.network,
                "variable": row.variable,
                "name": row.name or None,
                "state": row.state or None,
                "becomes": row.becomes or None,
                "why": row.why,
                "confidence": round(row.confidence, 4),
                "check": row.check,
            }
            for row in alignment.rows
        ],
        "output": None if output is None else str(output),
    }


def _tell(networks: Sequence[Input], alignment: Alignment, output: Path | None) -> None:
    renamed = [row for row in alignment.rows if not row.state and row.network != EVERY]
    lone = [row for row in alignment.rows if row.network == EVERY]
    states = [row for row in alignment.rows if row.state]
    if not alignment.rows:
        known = (
            "states too"
            if any(isinstance(network, Network) and network.states for network in networks)
            else "none has states"
        )
        say(f"nothing differs: {count(len(networks), 'network')} have the same variables, {known}")
    _print("Variables to rename:", ("network", "variable", "name", "why"), renamed)
    _print("States to rename:", ("network", "variable", "state", "becomes", "why"), states)
    _print("Variables that not all networks have:", ("variable", "why"), lone)
    if output is None:
        if alignment.rows:
            say("nothing written: -o FILE writes the table")
    elif output != STANDARD:
        say(f"wrote {output}: look at it, edit it, then add --names {output} to the command that takes the networks")


def _print(title: str, columns: Sequence[str], rows: Sequence[AlignmentRow]) -> None:
    if rows:
        say(title)
        print_table(columns, [[getattr(row, column) for column in columns] for row in rows])
        say()
