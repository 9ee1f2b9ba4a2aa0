"""`bnfuse strength`: how strong each arc is among many networks, and from which strength on arcs count."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, Force, examples, print_json, print_table, say
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import CountedInputs, Inputs, files_of, note_left_out, read_inputs, weights_of
from bnfuse.commands._output import check_kept
from bnfuse.problem.strength import Strengths, check_strengths, strengths
from bnfuse.report.drawing.plots import check_plot, plot_strengths

EXAMPLES = examples(
    "bnfuse strength examples/clinics/*.bif -o s.csv       # as a table",
    "bnfuse strength examples/clinics/*.bif --plot s.png   # how they are spread",
    "bnfuse tally examples/clinics/*.bif -o all.tally",
    "bnfuse strength all.tally --json                    # of a tally",
)


@grouped
def strength(
    files: Inputs,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the table as CSV: from,to,strength,direction. bnfuse reads it as votes for arcs.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw how the strengths are spread: .png, .svg or .pdf."),
    ] = None,
    counted: CountedInputs = CountedInputs(),  # noqa: B008 - never changed
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Show how strong arcs are, and which of them count.

    The strength of an arc is the share of the inputs that join its two variables, either way round; the direction is
    the share of these that have it this way. R's boot.strength counts so with cpdag = FALSE; its default, cpdag = TRUE,
    is --support class: half a vote each way where the equivalence class leaves the direction open. The threshold above
    which arcs count is estimated from all strengths together (Scutari and Nagarajan 2013): bnfuse consensus --method
    majority --threshold estimated takes it.
    """
    paths = files_of(files)
    check_kept({"-o": output, "--plot": plot}, [*paths, counted.names], force)
    if output is not None:
        check_strengths(output, force)
    if plot is not None:
        check_plot(plot, force)
    options = counted.options()
    inputs = read_inputs(paths, counted.cyclic, counted.variables, counted.common_names)
    weights = weights_of(counted.weight)
    found = strengths(inputs, weights, options)
    note_left_out(weights or {})
    if output is not None:
        found.write(output, force)
    if plot is not None:
        plot_strengths(found, plot, force)
    _tell(found, [path for path in (output, plot) if path is not None], as_json)


def _tell(found: Strengths, written: list[Path], as_json: bool) -> None:
    included = found.included
    if as_json:
        print_json(
            {
                "variables": len(found.tally.variables),
                "networks": found.networks,
                "threshold": found.threshold,
                "arcs": [
                    {"from": row.source, "to": row.target, "strength": row.strength, "direction": row.direction}
                    for row in found.arcs
                ],
                "included": [[row.source, row.target] for row in included],
                "written": [str(path) for path in written],
            }
        )
        return
    counting = {(row.source, row.target) for row in included}
    rows = [
        (row.source, row.target, row.strength, row.direction, "yes" if (row.source, row.target) in counting else "")
        for row in found.arcs
        if row.direction >= 0.5
    ]
    print_table(("from", "to", "strength", "direction", "counts"), rows)
    say()
    pairs = len({frozenset(arc) for arc in counting})
    say(
        f"estimated threshold {found.threshold:.4g}: {count(pairs, 'pair')} of the {len(found.arcs) // 2} that any "
        "input joins are stronger"
    )
    for path in written:
        say(f"wrote {path}")
