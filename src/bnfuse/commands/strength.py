"""`bnfuse strength`: how strong each arc is among many networks, and the strength above which arcs count."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bnfuse._base.options import one_of
from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, Force, examples, note, print_json, print_table, say
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import CountedInputs, Inputs, files_of, note_left_out, read_inputs, weights_of
from bnfuse.commands._output import check_kept
from bnfuse.commands._stability import FREE
from bnfuse.problem.strength import DIRECTIONS, ArcStrength, Strengths, check_strengths, strengths
from bnfuse.report.drawing.plots import check_plot, plot_strengths

EXAMPLES = examples(
    "bnfuse strength examples/clinics/*.bif -o s.csv       # as a table",
    "bnfuse strength examples/clinics/*.bif --plot s.png   # their distribution",
    "bnfuse tally examples/clinics/*.bif -o all.tally",
    "bnfuse strength all.tally --json                    # of a tally",
    "bnfuse strength all.tally --directions class        # what data can tell",
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
            help="Write the table as CSV: from,to,strength,direction, with class_direction and free. bnfuse reads it "
            "as votes for arcs.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the distribution of the strengths: .png, .svg or .pdf."),
    ] = None,
    directions: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Which direction to show: class (half for each direction if the equivalence class of an input "
            "leaves it free) or arcs (as the inputs have them).",
            show_default="class for resamples, otherwise arcs",
        ),
    ] = None,
    counted: CountedInputs = CountedInputs(),  # noqa: B008 - never changed
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Show how strong arcs are, and which of them count.

    The strength of an arc is the share of the inputs that join its two variables, in either direction; the direction is
    the share of these that have it in this direction, as R's boot.strength counts with cpdag = FALSE. No data can
    decide a direction that the equivalence class of a network leaves free. So the direction of networks learned from
    resamples is shown by classes: half for each direction if a class leaves it free, as boot.strength counts by default
    (cpdag = TRUE). An arc is called free if most inputs that join the two leave it free. It is listed in the direction
    that more inputs have, and files and --json have both directions.

    The threshold above which arcs count is estimated from all strengths together (Scutari and Nagarajan 2013). It
    selects the same arcs as a threshold of one half, so bnfuse consensus --method majority needs no such option.
    """
    if directions is not None:
        one_of("directions", directions, DIRECTIONS)
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
    by_class = directions == "class" or (directions is None and found.tally.is_of_resamples)
    if by_class and found.tally.fixed is None:
        note(
            "the tally does not record which directions equivalence classes leave free, because an older bnfuse "
            "or a federation made it: the directions are those of the arcs"
        )
    _tell(found, [path for path in (output, plot) if path is not None], by_class, as_json)


def _tell(found: Strengths, written: list[Path], by_class: bool, as_json: bool) -> None:
    included = found.included
    if as_json:
        print_json(
            "strength",
            {
                "variables": len(found.tally.variables),
                "networks": found.networks,
                "threshold": found.threshold,
                "arcs": [row.facts for row in found.arcs],
                "included": [[row.source, row.target] for row in included],
                "written": [str(path) for path in written],
            },
        )
        return
    counting = {(row.source, row.target) for row in included}
    rows = [
        (
            row.source,
            row.target,
            row.strength,
            _direction(row, by_class),
            "yes" if (row.source, row.target) in counting else "",
        )
        for row in found.arcs
        if row.direction >= 0.5
    ]
    print_table(("from", "to", "strength", "direction", "counts"), rows)
    say()
    if by_class and any(row.is_free for row in found.arcs):
        say(FREE)
    pairs = len({frozenset(arc) for arc in counting})
    say(
        f"estimated threshold {found.threshold:.4g}: {count(pairs, 'pair')} of the {len(found.arcs) // 2} that any "
        "input joins are stronger"
    )
    for path in written:
        say(f"wrote {path}")


def _direction(row: ArcStrength, by_class: bool) -> str:
    """The direction of an arc; with classes, marked if most of them leave it free."""
    if not by_class:
        return f"{row.direction:.2f}"
    return f"{row.reported_direction:.2f}" + (" (free)" if row.is_free else "")
