"""`bnfuse sensitivity`: the table entries on which a probability depends most."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bnfuse._base.texts import shown_probability
from bnfuse.commands._console import AsJson, Cell, Force, examples, print_json, print_table, say
from bnfuse.commands._evidence import Do, Given, Known, say_known, split
from bnfuse.commands._output import check_kept
from bnfuse.commands._parameters import NetworkFile, read_one
from bnfuse.report.tornado import check_tornado, entry_text

EXAMPLES = examples(
    "bnfuse sensitivity examples/clinics/harbour.bif LungCancer=yes",
    "bnfuse sensitivity examples/clinics/harbour.bif COPD=yes --given Cough=yes",
    "bnfuse sensitivity examples/clinics/harbour.bif COPD=yes -o tornado.svg",
    "bnfuse sensitivity examples/clinics/harbour.bif COPD=yes --count 3 --json",
)


def sensitivity(
    file: NetworkFile,
    target: Annotated[
        str, typer.Argument(metavar="NAME=STATE", help="The state whose probability is examined.", show_default=False)
    ],
    given: Given = None,
    do: Do = None,
    count: Annotated[int, typer.Option("--count", metavar="NUMBER", help="How many entries.")] = 10,
    spread: Annotated[
        float,
        typer.Option(metavar="SHARE", help="The share of its value by which each entry is decreased and increased."),
    ] = 0.1,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write a tornado plot: .svg.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Show which table entries a probability depends on.

    The result is exact: when one entry changes, and the rest of its row in proportion, a probability is a quotient of
    two linear functions of that entry. The entries that change it most are listed first.
    """
    check_kept({"-o": output}, [file], force)
    if output is not None:
        check_tornado(output, force)
    network = read_one(file)
    asked = Known(given, None, do).of(network)
    name, state = split("the target", network, target)
    found = network.sensitivity(name, state, most=count, spread=spread, **asked)
    if output is not None:
        found.draw(output, overwrite=force)
    if as_json:
        print_json("sensitivity", {**asked, **asdict(found), "output": None if output is None else str(output)})
        return
    say_known(asked)
    say(f"P({found.target} = {found.state}) = {shown_probability(found.probability)}; with an entry")
    rows: list[tuple[Cell, ...]] = [
        (entry_text(one), shown_probability(one.low), shown_probability(one.high), f"{one.derivative:+.4g}")
        for one in found.influences
    ]
    percent = f"{100 * found.spread:g} %"
    print_table(("entry", f"{percent} smaller", f"{percent} larger", "derivative"), rows)
    if output is not None:
        say(f"wrote {output}")
