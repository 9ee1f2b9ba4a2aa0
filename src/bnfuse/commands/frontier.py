"""`bnfuse frontier`: the best network for each limit, to choose a limit by."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._base.texts import count, gap_text
from bnfuse.answer.consensus import solved_frontier
from bnfuse.answer.result import Consensus
from bnfuse.commands._console import INTERRUPTED, AsJson, Cell, Force, examples, note, print_json, print_table, say
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import Inputs, files_of, read_inputs
from bnfuse.commands._output import Written, check_kept, make_folder, write_output
from bnfuse.commands._search import (
    MethodOptions,
    SearchOptions,
    constraint_facts,
    progress_bar,
    proof_facts,
    rounded_down,
    weight_facts,
)
from bnfuse.errors import OptionError
from bnfuse.files import check_output
from bnfuse.fusion.cliques import InferenceCost, inference_cost
from bnfuse.graphs.gaussian_network import is_gaussian
from bnfuse.inference.gaussian.either import are_gaussian
from bnfuse.report.drawing.plots import check_plot, plot_frontier
from bnfuse.report.summary import flattening

EXAMPLES = examples(
    "bnfuse frontier examples/clinics/*.bif                  # all useful limits",
    "bnfuse frontier examples/clinics/*.bif -t 2-6 --plot curve.png",
    "bnfuse frontier examples/clinics/*.bif --max-table 1e2,1e3,64MB  # by memory",
    "bnfuse frontier examples/clinics/*.bif -t 3,5 -o networks/",
    "bnfuse frontier examples/clinics/*.bif --method genetic       # the paper's",
    "bnfuse tally examples/clinics/*.bif -o all.tally",
    "bnfuse frontier all.tally --effort quick                     # from a tally",
)

MaxCliques = Annotated[
    str | None,
    typer.Option(
        "--max-clique",
        "-t",
        metavar="SIZES",
        help="Limits on the largest clique, such as 2-6 or 2,3,5; only one with several --max-table.",
        show_default="from 2 until more cannot help",
    ),
]
MaxTables = Annotated[
    str | None,
    typer.Option(
        "--max-table",
        metavar="SIZES",
        help="Instead: limits on the largest clique table, in numbers or bytes, such as 1e3,1e4,64MB; only one with "
        "several clique limits.",
    ),
]


_RULES = {
    "majority": "arcs run as in most of the inputs that join the two variables",
    "seen": "arcs run as in at least one input",
}


@dataclass(frozen=True, slots=True)
class LimitRow:
    """The best network for one limit, and what inference in it costs."""

    result: Consensus
    cost: InferenceCost
    written: Written | None
    by_tables: bool

    @property
    def limit(self) -> int:
        """The limit on clique tables if these limits vary, otherwise the clique limit."""
        problem = self.result.problem
        return problem.max_table if self.by_tables and problem.max_table is not None else problem.max_clique

    @property
    def _bound(self) -> float | None:
        """Rounded down unless the bound is reached; then rounded like the distance."""
        bound = self.result.lower_bound
        return bound if bound is None or self.result.gap == 0 else rounded_down(bound)

    def cells(self) -> tuple[Cell, ...]:
        """A row of a table."""
        result = self.result
        return (
            self.limit,
            float(result.distance),
            self._bound,
            None if result.lower_bound is None else gap_text(result.distance, result.lower_bound),
            len(result.dag.arc_numbers),
            result.clique_size,
            *((result.largest_table,) if self.by_tables else ()),
            self.cost.total,
            result.seconds,
        )

    def facts(self) -> dict[str, Any]:
        """The JSON output."""
        result = self.result
        return {
            "max_clique": result.problem.max_clique,
            "max_table": result.problem.max_table,
            "distance": result.distance,
            "lower_bound": result.lower_bound,
            "gap": result.gap,
            "proof": proof_facts(result),
            "arcs": len(result.dag.arc_numbers),
            "clique_size": result.clique_size,
            "largest_table": result.largest_table,
            "clique_table_numbers": self.cost.total,
            "states_known": self.cost.states_known,
            "seconds": result.seconds,
            "stopped_by": result.stopped_by,
            "elimination_order": result.elimination_order,
            "edges": result.dag.edges,
            "output": None if self.written is None else self.written.facts(),
        }


@functools.partial(grouped, without=("max_table",))  # several are possible here
def frontier(
    files: Inputs,
    max_clique: MaxCliques = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw distance, bound and clique tables by limit: .png, .svg or .pdf."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Write each network there: consensus-LIMIT.bif or .json."
        ),
    ] = None,
    max_table: MaxTables = None,
    search: SearchOptions = SearchOptions(),  # noqa: B008 - never changed
    method: MethodOptions = MethodOptions(),  # noqa: B008
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Find the best network for each limit, to choose one.

    A larger limit brings the consensus closer to the inputs and makes inference in it more expensive. The table shows
    both: the mean distance, with a proven bound that no network within the limit can beat, and how many numbers the
    clique tables of a junction tree hold. A limit applies to the largest clique or to the largest table.
    """
    files = files_of(files)
    written = [] if output is None else sorted(output.glob(_file(output, "*").name))
    check_kept({"--plot": plot, **{f"-o {output}": path for path in written}}, [*files, *search.files], force)
    _check_outputs(plot, output, force)
    tables = max_table.split(",") if max_table is not None and "," in max_table else None
    limits = None if max_clique is None else _limits(max_clique)
    clique = None if limits is None or tables is None else _one(limits)
    question = replace(search, max_table=None if tables else max_table).question(clique, method)
    inputs = read_inputs(files, search.cyclic, search.variables, search.common_names)
    _check_limits(limits, len(inputs[0].variables))
    if output is not None:
        make_folder(output)
    with progress_bar() as progress:
        asked = replace(question, run=replace(question.run, progress=progress))
        results = solved_frontier(inputs, asked, None if tables else limits, tables)
    rows = [_row(result, tables is not None, output, force) for result in results]
    if plot is not None:
        plot_frontier(results, [row.cost.total for row in rows], plot, force)
    _tell(rows, plot, as_json)
    _tell_notes(results, search.prove)


def _tell_notes(results: Sequence[Consensus], is_proof: bool) -> None:
    """Notes on the result; the exit code shows whether the run was interrupted."""
    for text in results[0].notes:
        note(text)
    if is_proof and any(result.stopped_by == "time limit" for result in results):
        note("stopped by the time limit: any gap shows what could be proven so far")
    elif results[-1].stopped_by == "time limit":
        note("stopped by the time limit: the last network is the best so far, and larger limits were not reached")
    if any(result.stopped_by == "interrupted" for result in results):
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
            raise OptionError(f"--max-clique must be limits from 2 to 9999, such as 2-6 or 2,3,5; got {text!r}")
        limits.extend(range(first, last + 1))
    return limits


def _one(limits: Sequence[int]) -> int:
    """The limit on the largest clique for all limits on tables."""
    if len(limits) > 1:
        raise OptionError("give several limits for either --max-clique or --max-table, and at most one for the other")
    return limits[0]


def _check_limits(limits: Sequence[int] | None, variables: int) -> None:
    most = max(variables, 2)
    if limits and max(limits) > most:
        raise OptionError(
            f"--max-clique goes up to {max(limits)}, but {count(variables, 'variable')} cannot form a clique "
            f"larger than {most}"
        )


def _row(result: Consensus, by_tables: bool, folder: Path | None, force: bool) -> LimitRow:
    row = LimitRow(result, inference_cost(result.structure), None, by_tables)
    if folder is None:
        return row
    path = _file(folder, row.limit)
    if is_gaussian(result.network):
        path = path.with_suffix(".json")
    return replace(row, written=write_output(result.network.renamed(path.stem), path, force))


def _tell(rows: Sequence[LimitRow], plot: Path | None, as_json: bool) -> None:
    problem = rows[0].result.problem
    if as_json:
        print_json(
            "frontier",
            {
                "metric": problem.metric,
                "seed": rows[0].result.seed,
                "constraints": constraint_facts(problem.constraints),
                **weight_facts(problem),
                "limits": [row.facts() for row in rows],
                "plot": None if plot is None else str(plot),
            },
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
                *(("largest table",) if rows[0].by_tables else ()),
                "clique tables",
                "seconds",
            ),
            [row.cells() for row in rows],
        )
        say()
        rule = problem.constraints.directions
        if rule in _RULES:
            say(f"at every limit, {_RULES[rule]} (--directions {rule})")
        if hint := flattening([row.limit for row in rows], [row.result.distance for row in rows]):
            say(hint)
        if plot is not None:
            say(f"wrote {plot}")
        if (written := rows[0].written) is not None:
            path = _file(written.path.parent, "LIMIT").with_suffix(written.path.suffix)
            say(str(replace(written, path=path)))
    if not (rows[0].cost.states_known or are_gaussian(rows[0].result.inputs)):
        note("the states are not known: clique tables are counted with two states for each variable")
