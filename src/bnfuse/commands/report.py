"""`bnfuse report`: a saved consensus as one page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._base.options import one_of
from bnfuse.answer.persistence import check_save
from bnfuse.answer.result import Consensus
from bnfuse.commands._console import AsJson, Force, as_bytes, examples, print_json, say, working
from bnfuse.commands._output import check_kept
from bnfuse.errors import OptionError
from bnfuse.report.drawing.plots import check_plot, plot_convergence
from bnfuse.report.page.page import check_report, write_report
from bnfuse.report.solver.question import SOLVERS
from bnfuse.report.summary import Summary

Solver = Annotated[
    str,
    typer.Option(
        "--solver",
        metavar="include|none",
        help="Whether the page can solve again, without bnfuse: include (where the inputs allow it), none.",
    ),
]

EXAMPLES = examples(
    "bnfuse consensus examples/clinics/*.bif --save result.json",
    "bnfuse report result.json -o report.html",
    "bnfuse report result.json --convergence steps.pdf  # how it was found",
)


def report(
    file: Annotated[
        Path, typer.Argument(metavar="RESULT", help="A file that bnfuse consensus --save wrote.", show_default=False)
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The page to write, .html.")
    ] = None,
    convergence: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Plot the steps of the search: .png, .svg or .pdf."),
    ] = None,
    solver: Solver = SOLVERS[0],
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write the report of a saved consensus.

    The report is one HTML file that works offline. It shows which arcs were kept or dropped and why, who disagrees, how
    good the consensus is, and where it comes from. Open it in any browser, or send it to the people whose networks
    went in: they can leave inputs out, change weights, limits and rules, and the page finds the new consensus by
    itself.
    """
    one_of("solver", solver, SOLVERS)
    if output is None and convergence is None:
        raise OptionError("there is nothing to write: -o FILE names the page, --convergence FILE a plot")
    check_kept({"-o": output, "--convergence": convergence}, [file], force)
    if output is not None:
        check_report(output, force)
    if convergence is not None:
        check_plot(convergence, force)
    result = Consensus.load(file)
    summary = None
    if convergence is not None:
        plot_convergence(result, convergence, force)
    if output is not None:
        with working("writing the report"):
            summary = write_report(result, output, force, solver)
    if as_json:
        print_json(
            "report",
            {
                "report": None if output is None else str(output),
                "convergence": None if convergence is None else str(convergence),
                "summary": [] if summary is None else summary.lines,
            },
        )
        return
    if convergence is not None:
        say(f"wrote {convergence}")
    if output is not None and summary is not None:
        tell_report(summary, output)


def tell_report(summary: Summary, path: Path) -> None:
    """The place of the report, and the text of its first screen."""
    say(f"wrote {path} ({as_bytes(path.stat().st_size)}): open it in any browser")
    for line in summary.lines:
        say(f"  {line}")


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The outputs for a result, in addition to its network."""

    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write the report, one self-contained .html page."),
    ] = None
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FILE", help="Save the complete result for `bnfuse report`, as .json or .json.gz."
        ),
    ] = None
    solver: Solver = SOLVERS[0]
    frontier: Annotated[
        bool,
        typer.Option(
            "--frontier", help="Find the best networks for other limits too, by the same method, for the report."
        ),
    ] = False

    @property
    def is_wanted(self) -> bool:
        """Whether there is anything to write."""
        return self.report is not None or self.save is not None

    def check(self, force: bool, output: Path | None, inputs: Sequence[Path | None] = ()) -> None:
        """Refuse files that could not be written, before the search."""
        one_of("solver", self.solver, SOLVERS)
        check_kept({"-o": output, "--report": self.report, "--save": self.save}, inputs, force)
        if self.frontier and not self.is_wanted:
            raise OptionError(
                "--frontier is for the report: add --report FILE or --save FILE; see also bnfuse frontier"
            )
        if self.report is not None:
            check_report(self.report, force)
        if self.save is not None:
            check_save(self.save, force)

    def write(self, result: Consensus, force: bool) -> ReportOptions:
        """Write it."""
        if self.save is not None:
            result.save(self.save, force)
        if self.report is not None:
            with working("writing the report"):
                write_report(result, self.report, force, self.solver)
        return self

    def tell(self) -> None:
        """Report what was written."""
        if self.save is not None:
            say(f"wrote {self.save}: everything about this result, for bnfuse report")
        if self.report is not None:
            say(f"wrote {self.report} ({as_bytes(self.report.stat().st_size)}): open it in any browser")

    def facts(self) -> dict[str, Any]:
        """The JSON output about the written files."""
        return {
            "report": None if self.report is None else str(self.report),
            "saved": None if self.save is None else str(self.save),
        }
