"""`bnfuse learn`: a network learned from data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._base.options import default_of, help_of
from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, Force, examples, note, print_facts, print_json, say, working
from bnfuse.commands._data_file import DataFile, TableOptions
from bnfuse.commands._grouped import grouped
from bnfuse.commands._output import (
    Output,
    beside,
    check_kept,
    check_names,
    check_network_output,
    name_for,
    write_output,
)
from bnfuse.commands._parameters import Prior, em_progress
from bnfuse.commands._search import TIERS_FILE, Forbid, arc_of, forbidden_of, tiers_of
from bnfuse.fusion.cliques import clique_size
from bnfuse.inference.parameters import DEFAULT_PRIOR, checked_prior, fit
from bnfuse.learning.hill_climbing import Learned, Learner, LearnOptions
from bnfuse.problem.constraints import Constraints
from bnfuse.search.run import Run

EXAMPLES = examples(
    "bnfuse learn examples/patients.csv -o network.bif",
    "bnfuse learn examples/patients.csv --max-clique 4 -o tractable.bif",
    "bnfuse learn examples/patients.csv --score bdeu --restarts 10 -o network.bif",
    "bnfuse learn examples/patients.csv --bins 4 --keep Age --leave-out XRay",
    "bnfuse learn examples/patients.csv --forbid 'Cough->Age' --max-parents 3",
    "bnfuse learn examples/patients.csv --tiers examples/tiers.json --json",
)


@dataclass(frozen=True, slots=True)
class ClimbOptions:
    """What a network is judged by, and how hard the search for it is."""

    score: Annotated[str, typer.Option(metavar="NAME", help=help_of(LearnOptions, "score"))] = default_of(
        LearnOptions, "score"
    )
    sample_size: Annotated[float, typer.Option(metavar="ROWS", help=help_of(LearnOptions, "sample_size"))] = default_of(
        LearnOptions, "sample_size"
    )
    tabu: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(LearnOptions, "tabu"))] = default_of(
        LearnOptions, "tabu"
    )
    restarts: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(LearnOptions, "restarts"))] = default_of(
        LearnOptions, "restarts"
    )


@dataclass(frozen=True, slots=True)
class LearnSettings(ClimbOptions):
    """What is learned and how: the library's options, with its help texts."""

    max_clique: Annotated[
        int | None,
        typer.Option("--max-clique", "-t", metavar="NUMBER", help=help_of(LearnOptions, "max_clique")),
    ] = None
    max_table: Annotated[str, typer.Option(metavar="SIZE", help=help_of(LearnOptions, "max_table"))] = str(
        default_of(LearnOptions, "max_table")
    )
    require: Annotated[
        list[str] | None,
        typer.Option(metavar='"A->B"', help=help_of(Constraints, "required", after=" Quote it. Repeatable.")),
    ] = None
    forbid: Forbid = None
    tiers: Annotated[
        Path | None, typer.Option(metavar="FILE", help=help_of(Constraints, "tiers", after=TIERS_FILE))
    ] = None
    max_parents: Annotated[int | None, typer.Option(metavar="NUMBER", help=help_of(Constraints, "max_parents"))] = None
    seed: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(Run, "seed"))] = default_of(Run, "seed")
    threads: Annotated[int | None, typer.Option(metavar="NUMBER", help=help_of(Run, "threads"), show_default="all")] = (
        None
    )
    time_limit: Annotated[float | None, typer.Option(metavar="SECONDS", help=help_of(Run, "time_limit"))] = None

    def options(self) -> LearnOptions:
        """Those of the learner."""
        return LearnOptions(
            self.score,
            self.max_clique,
            self.sample_size,
            self.max_table,  # type: ignore[arg-type]
            self.tabu,
            self.restarts,
        )

    def constraints(self) -> Constraints:
        """What the network must or must not have."""
        return Constraints(
            required=[arc_of("--require", text) for text in self.require or ()],
            forbidden=forbidden_of(self.forbid),
            tiers=() if self.tiers is None else tiers_of(self.tiers),
            max_parents=self.max_parents,
        )


@grouped
def learn(
    data: DataFile,
    settings: LearnSettings,
    table: TableOptions,
    output: Output = None,
    prior: Prior = DEFAULT_PRIOR,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Learn a network from data, within a clique limit.

    Hill climbing over all networks: arcs are added, removed and reversed for as long as that betters the score. With
    --max-clique no network on the way has a larger clique. The tables are estimated from the same data.
    """
    check_kept({"-o": output}, [data, *([settings.tiers] if settings.tiers else [])], force)
    if output is not None:
        check_network_output(output, force, as_json)
    options, constraints, run = (
        settings.options(),
        settings.constraints(),
        Run(settings.seed, settings.threads, settings.time_limit),
    )
    with working("learning ..."):
        rows = table.read(data)
        check_names(output, rows.data)
        checked_prior(prior)
        learner = Learner(rows, options, constraints)
        found = learner.learned(run)
    written, notes = None, found.notes
    if output is not None:
        with em_progress() as progress:
            fitted = fit(found.network, learner.data, prior=prior, progress=progress)
        notes = (*notes, *fitted.notes)
        written = write_output(fitted.network.renamed(name_for(output)), output, force)
    facts = _facts(found, learner)
    if as_json:
        print_json({**facts, "notes": notes, "output": None if written is None else written.facts()})
    else:
        with beside(output):
            size = f"{count(len(learner.data), 'row')} of {count(len(learner.variables), 'variable')}"
            say(f"{data}: {size}")
            print_facts(
                {
                    "arcs": len(found.dag.edges),
                    settings.score: f"{found.score:,.2f}",
                    "largest clique": facts["clique_size"],
                }
            )
            say("nothing written: -o FILE writes the network" if written is None else str(written))
    for text in () if as_json else notes:
        note(text)
    if found.stopped_by != "finished":
        note(f"stopped by the {found.stopped_by}: the best network so far")


def _facts(found: Learned, learner: Learner) -> dict[str, Any]:
    size = clique_size(found.dag)
    limit = learner.options.max_clique
    return {
        "rows": len(learner.data),
        "variables": found.dag.variables,
        "edges": found.dag.edges,
        "score": found.score,
        "clique_size": int(size) if limit is None else min(int(size), limit),
        "elimination_order": found.elimination_order,
        "cuts": learner.data.cuts,
        "stopped_by": found.stopped_by,
    }
