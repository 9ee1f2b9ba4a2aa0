"""`bnfuse frontier`: the best network for each clique limit, to choose a limit by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._errors import OptionError
from bnfuse._texts import count, gap_percent, percent
from bnfuse.cliques import InferenceCost, inference_cost
from bnfuse.commands._console import INTERRUPTED, AsJson, Cell, Force, examples, note, print_json, print_table, say
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import Inputs, files_of, read_inputs
from bnfuse.commands._output import Written, check_kept, make_folder, write_output
from bnfuse.commands._search import (
    MethodOptions,
    SearchOptions,
    constraint_facts,
    progress_bar,
    rounded_down,
)
from bnfuse.consensus import Consensus
from bnfuse.consensus import frontier as find_frontier
from bnfuse.files import check_output
from bnfuse.network import Network, shared_states, with_states
from bnfuse.report.plots import check_plot, plot_frontier

EXAMPLES = examples(
    "bnfuse frontier clinics/*.bif                              all useful limits",
    "bnfuse frontier boot.json --cliques 2-6 --plot curve.png   some, and a plot",
    "bnfuse frontier north.tally south.tally --effort quick     from tallies",
    "bnfuse frontier clinics/*.bif --cliques 3,5 -o networks/   keep networks",
    "bnfuse frontier clinics/*.bif --method genetic             the paper's",
)

_MOST = 0.9  # of the whole gain: where the curve has become flat


@dataclass(frozen=True, slots=True)
class Row:
    """The best network for one limit, and what inference in it costs."""

    result: Consensus
    network: Network
    cost: InferenceCost
    written: Written | None

    @property
    def limit(self) -> int:
        """The clique limit."""
        return self.result.problem.max_clique

    def cells(self) -> tuple[Cell, ...]:
        """For a row of a table."""
        result = self.result
        return (
            self.limit,
            float(result.distance),
            None if result.lower_bound is None else rounded_down(result.lower_bound),
            None if result.gap is None else gap_percent(result.gap),
            len(result.dag.arc_numbers),
            result.clique_size,
            self.cost.total,
            result.seconds,
        )

    def facts(self) -> dict[str, Any]:
        """For programs."""
        result = self.result
        return {
            "max_clique": self.limit,
            "distance": result.distance,
            "lower_bound": result.lower_bound,
            "gap": result.gap,
            "arcs": len(result.dag.arc_numbers),
            "clique_size": result.clique_size,
            "clique_table_numbers": self.cost.total,
            "states_known": self.cost.states_known,
            "seconds": result.seconds,
            "stopped_by": result.stopped_by,
            "elimination_order": result.elimination_order,
            "edges": result.dag.edges,
            "output": None if self.written is None else self.written.facts(),
        }


@grouped
def frontier(
    files: Inputs,
    cliques: Annotated[
        str | None,
        typer.Option(metavar="LIMITS", help="Such as 2-6 or 2,3,5.", show_default="2 to where more cannot help"),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw distance, bound and clique tables by limit: .png, .svg or .pdf."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Write each network there, as consensus-LIMIT.bif."),
    ] = None,
    method: MethodOptions = MethodOptions(),  # noqa: B008 - never changed
    search: SearchOptions = SearchOptions(),  # noqa: B008
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Find the best network for each clique limit, to choose one.

    A larger limit brings the consensus closer to the inputs and makes inference in it more expensive. The table shows
    both: the mean distance, with a proven bound that no network within the limit can beat, and how many numbers the
    clique tables of a junction tree hold.
    """
    files = files_of(files)
    written = [] if output is None else sorted(output.glob(_file(output, "*").name))
    check_kept({"--plot": plot, **{f"-o {output}": path for path in written}}, [*files, search.tiers], force)
    _check_outputs(plot, output, force)
    limits = None if cliques is None else _limits(cliques)
    options, arguments = method.options(search.effort), search.arguments()
    inputs = read_inputs(files)
    _check_limits(limits, len(inputs[0].variables))
    if output is not None:
        make_folder(output)
    with progress_bar() as progress:
        arguments["progress"] = progress
        results = find_frontier(inputs, limits, options, **arguments)
    states = shared_states(inputs)
    rows = [_row(result, with_states(result.dag, states), output, force) for result in results]
    if plot is not None:
        plot_frontier(results, [row.cost.total for row in rows], plot, force)
    _tell(rows, plot, as_json)
    for text in results[0].notes:
        note(text)
    if results[-1].stopped_by == "time limit":
        note("stopped by the time limit: the last network is the best so far, and larger limits were not reached")
    if results[-1].stopped_by == "interrupted":
        note("interrupted: these are the best networks so far")
        raise typer.Exit(INTERRUPTED)


def _check_outputs(plot: Path | None, folder: Path | None, force: bool) -> None:
    if plot is not None:
        check_plot(plot, force)
    if folder is None or not folder.is_dir():
        return
    for path in (_file(folder, 2), *sorted(folder.glob(_file(folder, "*").name))):
        check_output(path, force)


def _file(folder: Path, limit: int | str) -> Path:
    return folder / f"consensus-{limit}.bif"


def _limits(text: str) -> list[int]:
    limits: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,4})\s*(?:-\s*([0-9]{1,4})\s*)?", part)
        first, last = (0, 0) if match is None else (int(match[1]), int(match[2] or match[1]))
        if not 2 <= first <= last:
            raise OptionError(f"--cliques must be limits from 2 to 9999, such as 2-6 or 2,3,5; got {text!r}")
        limits.extend(range(first, last + 1))
    return limits


def _check_limits(limits: Sequence[int] | None, variables: int) -> None:
    most = max(variables, 2)
    if limits and max(limits) > most:
        raise OptionError(
            f"--cliques goes up to {max(limits)}, but {count(variables, 'variable')} make no larger clique than {most}"
        )


def _row(result: Consensus, network: Network, folder: Path | None, force: bool) -> Row:
    written = None
    if folder is not None:
        path = _file(folder, result.problem.max_clique)
        written = write_output(result.network.renamed(path.stem), path, force)
    return Row(result, network, inference_cost(network), written)


def _tell(rows: Sequence[Row], plot: Path | None, as_json: bool) -> None:
    problem = rows[0].result.problem
    if as_json:
        print_json(
            {
                "metric": problem.metric,
                "seed": rows[0].result.seed,
                "constraints": constraint_facts(problem.constraints),
                "limits": [row.facts() for row in rows],
                "plot": None if plot is None else str(plot),
            }
        )
    else:
        print_table(
            (
                "limit",
                f"mean {problem.metric}",
                "proven bound",
                "gap",
                "arcs",
                "largest clique",
                "clique tables",
                "seconds",
            ),
            [row.cells() for row in rows],
        )
        say()
        if hint := _hint(rows):
            say(hint)
        if plot is not None:
            say(f"wrote {plot}")
        if (written := rows[0].written) is not None:
            say(str(replace(written, path=_file(written.path.parent, "LIMIT"))))
    if not rows[0].cost.states_known:
        note("the states are not known: clique tables are counted with two states for each variable")


def _hint(rows: Sequence[Row]) -> str | None:
    """The first limit with most of what the largest one gains: a fact about the table, not a choice for the user."""
    first, last = rows[0], rows[-1]
    gain = first.result.distance - last.result.distance
    if len(rows) < 3 or gain <= 0:
        return None
    for row in rows[:-1]:
        share = (first.result.distance - row.result.distance) / gain
        if share >= _MOST:
            return f"limit {row.limit} has {percent(share)} of what limit {last.limit} gains over limit {first.limit}"
    return None
