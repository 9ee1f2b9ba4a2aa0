"""`bnfuse learn`: a network learned from data."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._base.options import default_of, help_of
from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, Force, examples, note, print_facts, print_json, say, working
from bnfuse.commands._data_file import TableOptions
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
from bnfuse.commands._states import STATES_HELP, states_of
from bnfuse.errors import OptionError
from bnfuse.fusion.cliques import clique_size
from bnfuse.graphs.network import Network
from bnfuse.inference.gaussian.either import fit
from bnfuse.inference.parameters import checked_prior
from bnfuse.learning.data_learner import Learned, LearnOptions, RowLearner
from bnfuse.learning.gaussian.learner import learner_of, read_table
from bnfuse.learning.list_learner import ListLearner
from bnfuse.learning.score_lists import is_score_list, read_scores
from bnfuse.problem.constraints import Constraints
from bnfuse.search.run import Run

EXAMPLES = examples(
    "bnfuse learn examples/patients.csv -o network.bif",
    "bnfuse learn examples/patients.csv --max-clique 4 -o tractable.bif",
    "bnfuse learn examples/patients.csv --score bdeu --effort thorough",
    "bnfuse learn examples/patients.csv --prove",
    "bnfuse learn examples/patients.csv --bins 4 --keep Age --leave-out XRay",
    "bnfuse learn examples/patients.csv --forbid 'Cough->Age' --max-parents 3",
    "bnfuse learn examples/patients.csv --tiers examples/tiers.json --json",
)


@dataclass(frozen=True, slots=True)
class ClimbOptions:
    """The score of a network, and how hard the search for a good one is."""

    score: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=help_of(LearnOptions, "score"), show_default="bic; bge with --gaussian"),
    ] = None
    sample_size: Annotated[float, typer.Option(metavar="ROWS", help=help_of(LearnOptions, "sample_size"))] = default_of(
        LearnOptions, "sample_size"
    )
    tabu: Annotated[
        int | None, typer.Option(metavar="NUMBER", help=help_of(LearnOptions, "tabu"), show_default="10")
    ] = None
    restarts: Annotated[
        int | None, typer.Option(metavar="NUMBER", help=help_of(LearnOptions, "restarts"), show_default="5")
    ] = None
    gaussian: Annotated[bool, typer.Option("--gaussian", help=help_of(LearnOptions, "gaussian"))] = False
    alpha_mu: Annotated[float, typer.Option(metavar="ROWS", help=help_of(LearnOptions, "alpha_mu"))] = default_of(
        LearnOptions, "alpha_mu"
    )
    alpha_w: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help=help_of(LearnOptions, "alpha_w"), show_default="variables + ROWS + 1"),
    ] = None

    @property
    def judged_by(self) -> str:
        """The score, or the default if none is named."""
        return LearnOptions(self.score, gaussian=self.gaussian).score  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class LearnSettings(ClimbOptions):
    """What is learned and how: the library's options, with its help texts."""

    max_clique: Annotated[
        int | None,
        typer.Option("--max-clique", "-t", metavar="NUMBER", help=help_of(LearnOptions, "max_clique")),
    ] = None
    max_table: Annotated[str | None, typer.Option(metavar="SIZE", help=help_of(LearnOptions, "max_table"))] = None
    method: Annotated[str, typer.Option(metavar="NAME", help=help_of(LearnOptions, "method"))] = default_of(
        LearnOptions, "method"
    )
    effort: Annotated[str, typer.Option(metavar="NAME", help=help_of(LearnOptions, "effort"))] = default_of(
        LearnOptions, "effort"
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
        """The options of the learner."""
        return LearnOptions(
            self.score,  # type: ignore[arg-type]
            self.max_clique,
            self.sample_size,
            self.max_table,  # type: ignore[arg-type]
            self.method,
            self.effort,
            self.tabu,
            self.restarts,
            self.gaussian,
            self.alpha_mu,
            self.alpha_w,
        )

    def constraints(self) -> Constraints:
        """Arcs that the network must or must not have."""
        return Constraints(
            required=[arc_of("--require", text) for text in self.require or ()],
            forbidden=forbidden_of(self.forbid),
            tiers=() if self.tiers is None else tiers_of(self.tiers),
            max_parents=self.max_parents,
        )


@grouped
def learn(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="A table with a header: CSV (also .gz) or Parquet; or scores of parent sets: .jkl or .pss (also .gz).",
            show_default=False,
        ),
    ],
    settings: LearnSettings,
    table: TableOptions,
    output: Output = None,
    prior: Prior = None,
    states: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"For scores of parent sets. {STATES_HELP}")
    ] = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove that no network scores higher; for at most 64 variables.")
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Learn a network from data or from scores, within limits.

    Annealing over parent sets finds the network with the best score. With --max-clique or --max-table no network during
    the search exceeds the limit. The tables are estimated from the same data; scores of parent sets give a structure
    alone.
    """
    check_kept({"-o": output}, [data, *(one for one in (settings.tiers, states) if one)], force)
    if output is not None:
        check_network_output(output, force, as_json)
    options, constraints, run = (
        settings.options(),
        settings.constraints(),
        Run(settings.seed, settings.threads, settings.time_limit),
    )
    with working("learning ..."):
        if is_score_list(data):
            done = _from_scores(data, states, table, output, _Asked(options, constraints, run, prove))
        elif states is not None:
            raise OptionError("--states is for scores of parent sets; a table has its states")
        else:
            done = _from_table(data, table, output, prior, _Asked(options, constraints, run, prove))
    found, network, notes = done.found, done.found.network, done.found.notes
    if done.learner is not None and output is not None:
        network, notes = _fitted(found, done.learner, prior)
    written = None if output is None else write_output(network.renamed(name_for(output)), output, force)
    facts = _facts(done, options)
    if as_json:
        print_json("learn", {**facts, "notes": notes, "output": None if written is None else written.facts()})
    else:
        with beside(output):
            say(f"{data}: {done.size} of {count(len(found.dag.variables), 'variable')}")
            print_facts(_shown(found, options, facts))
            say("nothing written: -o FILE writes the network" if written is None else str(written))
    for text in () if as_json else notes:
        note(text)
    if found.stopped_by != "finished":
        by = "interrupted" if found.stopped_by == "interrupted" else f"stopped by the {found.stopped_by}"
        note(f"{by}: the best network so far")


@dataclass(frozen=True, slots=True)
class _Asked:
    options: LearnOptions
    constraints: Constraints
    run: Run
    prove: bool


@dataclass(frozen=True, slots=True)
class _Done:
    found: Learned
    size: str
    """of what it was learned from"""
    learner: RowLearner[Any] | None = None
    """that of a table"""


def _from_scores(data: Path, states: Path | None, table: TableOptions, output: Path | None, asked: _Asked) -> _Done:
    _check_for_scores(table)
    scores = read_scores(data, states=None if states is None else states_of(states))
    check_names(output, scores)
    found = ListLearner(scores, asked.options, asked.constraints).learned(asked.run, prove=asked.prove)
    return _Done(found, count(sum(len(scores.sets(name)) for name in scores.variables), "parent set"))


def _from_table(data: Path, table: TableOptions, output: Path | None, prior: float | None, asked: _Asked) -> _Done:
    checked_prior(prior or 0.0)
    learner = learner_of(read_table(data, table.options(), asked.options), asked.options, asked.constraints)
    check_names(output, learner.data)
    if asked.prove:
        learner.check_provable()
    found = learner.learned(asked.run)
    if asked.prove and found.stopped_by == "finished":
        found = learner.proved(found, asked.run)
    return _Done(found, count(len(learner.data), "row"), learner)


def _check_for_scores(table: TableOptions) -> None:
    for one in fields(table):
        if getattr(table, one.name) != one.default:
            raise OptionError(f"--{one.name.replace('_', '-')} is for tables of data, not for scores of parent sets")


def _fitted(found: Learned, learner: RowLearner[Any], prior: float | None) -> tuple[Network, tuple[str, ...]]:
    with em_progress() as progress:
        fitted = fit(found.network, learner.data, prior=prior, progress=progress)
    return fitted.network, (*found.notes, *fitted.notes)


def _shown(found: Learned, options: LearnOptions, facts: dict[str, Any]) -> dict[str, Any]:
    shown = {
        "arcs": len(found.dag.edges),
        "score" if facts["rows"] is None else options.score: f"{found.score:,.2f}",
        "largest clique": facts["clique_size"],
    }
    if found.bound is not None:
        shown["bound"] = "proven: no network scores higher" if found.is_best else f"{found.bound:,.2f}"
    return shown


def _facts(done: _Done, options: LearnOptions) -> dict[str, Any]:
    found, size, limit = done.found, int(clique_size(done.found.dag)), options.max_clique
    return {
        "rows": None if done.learner is None else len(done.learner.data),
        "variables": found.dag.variables,
        "edges": found.dag.edges,
        "score": found.score,
        "bound": found.bound,
        "clique_size": size if limit is None else min(size, limit),
        "elimination_order": found.elimination_order,
        "cuts": {} if done.learner is None else done.learner.data.cuts,
        "stopped_by": found.stopped_by,
    }
