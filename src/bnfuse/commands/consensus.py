"""`bnfuse consensus`: one network that is close to many and still cheap to reason with."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._errors import MismatchError, OptionError
from bnfuse.commands._console import AsJson, Cell, Force, count, examples, note, print_json, print_table, say
from bnfuse.commands._inputs import Inputs, Weights, files_of, read_inputs, weights_of
from bnfuse.commands._output import (
    STANDARD,
    Output,
    Placeholders,
    beside,
    check_network_output,
    name_for,
    write_output,
)
from bnfuse.commands._parameters import Prior, em_progress
from bnfuse.commands._search import (
    INTERRUPTED,
    ConstraintOptions,
    Effort,
    Forbid,
    MaxParents,
    Metric,
    Require,
    Seed,
    Threads,
    Tiers,
    bound_text,
    constraint_facts,
    percent,
    progress_bar,
)
from bnfuse.commands.report import ReportFile, ReportOptions, SaveFile
from bnfuse.consensus import METHODS, Consensus
from bnfuse.consensus import consensus as find_consensus
from bnfuse.consensus import frontier as find_frontier
from bnfuse.data import Data, as_data
from bnfuse.files import check_placeholders, holds_tables
from bnfuse.network import Network, shared_states, with_states
from bnfuse.origin import Origin
from bnfuse.parameters import DEFAULT_PRIOR, check_fit, pooled_states
from bnfuse.tally import Tally

EXAMPLES = examples(
    "bnfuse consensus clinics/*.bif --max-clique 4 -o consensus.bif",
    "bnfuse consensus clinics/*.bif --fit patients.csv -o c.bif    from data",
    "bnfuse consensus clinics/*.bif --report report.html --frontier",
    'bnfuse consensus clinics/*.bif --require "Age->Smoker" --forbid "XRay->COPD"',
    "bnfuse consensus boot.json.gz -t 5 --metric fsim --seed 7",
    "bnfuse consensus north.tally south.tally --effort thorough    of tallies",
    "bnfuse consensus a.bif b.bif --weight a=2 --json              for programs",
    "bnfuse consensus clinics/*.bif --method genetic --preset paper",
)

_METHODS_WITH = {
    "effort": ("direct",),
    "threshold": ("majority",),
    "candidates": ("genetic", "greedy"),
    "preset": ("genetic",),
    "population": ("genetic",),
    "generations": ("genetic",),
}
_FOUND = {"majority": "found by majority vote", "none": "found without a search"}


def consensus(
    context: typer.Context,
    files: Inputs,
    max_clique: Annotated[
        int,
        typer.Option("--max-clique", "-t", metavar="SIZE", help="The largest clique that the consensus may have."),
    ] = 4,
    output: Output = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="direct (best), majority (a vote, as people do today), genetic or greedy (the paper's).",
        ),
    ] = "direct",
    effort: Effort = None,
    metric: Metric = "smhd",
    target: Annotated[
        str, typer.Option(metavar="NAME", help="What to be close to: the inputs, or fused: their full fusion.")
    ] = "inputs",
    weight: Weights = None,
    require: Require = None,
    forbid: Forbid = None,
    tiers: Tiers = None,
    max_parents: MaxParents = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="Majority: more than this share of the inputs must have an arc.", show_default="0.5"
        ),
    ] = None,
    candidates: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Genetic, greedy: which arcs are kept or pruned: shared (each distinct arc of the inputs), "
            "per-network (each arc of each input on its own), fused (the arcs of the full fusion).",
            show_default="shared",
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Genetic: default (measured best), paper (the printed algorithm), program (its public program).",
            show_default="default",
        ),
    ] = None,
    population: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Genetic: chromosomes.", show_default="100")
    ] = None,
    generations: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Genetic: generations.", show_default="100")
    ] = None,
    seed: Seed = 0,
    threads: Threads = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Stop then, with the best network so far.")
    ] = None,
    fit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Tables from data: CSV (also .gz) or Parquet, a column for each variable."),
    ] = None,
    prior: Prior = DEFAULT_PRIOR,
    pool: Annotated[
        bool | None,
        typer.Option(
            "--pool/--no-pool",
            help="Tables from the inputs: those of the closest network to their mixture. --no-pool: the structure.",
            show_default="pool if all inputs have tables",
        ),
    ] = None,
    report: ReportFile = None,
    save: SaveFile = None,
    with_frontier: Annotated[
        bool, typer.Option("--frontier", help="Find the best networks for other limits too, for the report.")
    ] = False,
    placeholders: Placeholders = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Find one network that is close to all and cheap to reason with.

    Among the networks whose largest clique after triangulation is at most the limit (treewidth below it), a search
    looks for the one with the smallest mean distance to the inputs, and proves how much closer another could be at
    most. Ctrl-C stops it and keeps the best so far.

    The consensus is written with tables: from data with --fit, otherwise pooled from the inputs where all of them have
    tables. Otherwise it is a structure.
    """
    files = files_of(files)
    reporting = ReportOptions(report, save, with_frontier)
    reporting.check(force, output, [*files, fit, tiers])
    if output is not None:
        check_network_output(output, force, as_json)
    options = _method_options(
        method,
        {
            "effort": effort,
            "threshold": threshold,
            "candidates": candidates,
            "preset": preset,
            "population": population,
            "generations": generations,
        },
    )
    constraints = ConstraintOptions.of(require, forbid, tiers, max_parents)
    weights = weights_of(weight)
    origin = Origin.now([*files, *(file for file in (fit, tiers) if file is not None)], context.obj or ())
    inputs = read_inputs(files)
    data = _checked_source(inputs, fit, prior, pool)
    if output is not None and data is None and (pool is False or not _can_pool(inputs)):
        check_placeholders(output, placeholders)
    with progress_bar() as progress:
        shared: dict[str, Any] = {
            "metric": metric,
            "target": target,
            "seed": seed,
            "weights": weights,
            "time_limit": time_limit,
            "threads": threads,
            "progress": progress,
            **constraints.as_arguments(),
        }
        result = find_consensus(inputs, max_clique=max_clique, method=method, **shared, **options)
        result = replace(result, origin=origin)
        if with_frontier and result.stopped_by != "interrupted":
            effort_of = {name: value for name, value in options.items() if name == "effort"}
            result = result.with_frontier(find_frontier(inputs, **shared, **effort_of))
    is_shown = (
        report is not None or save is not None or (output is not None and (output == STANDARD or holds_tables(output)))
    )
    result = _with_tables(result, data, prior, pool, pool_by_default=pool is None and is_shown)
    written = None
    if output is not None:
        network = result.parameters.network if result.parameters else with_states(result.dag, result.states)
        written = write_output(network.renamed(name_for(output)).marked("consensus"), output, force, placeholders)
    if as_json:
        facts = reporting.write(result, force, as_json)
        print_json(_facts(result) | {"output": None if written is None else written.facts()} | facts)
    else:
        with beside(output):
            _print_summary(result, len(inputs))
            if result.parameters is not None:
                say(result.parameters.notes[0])
            elif written is not None and written.tables is not None and pool is None:
                why = "the tables could not be pooled" if result.inputs else "not all inputs have tables"
                say(f"a structure: {why}; --fit FILE estimates them from data")
            say("the network was not written: -o FILE does it" if written is None else str(written))
            reporting.write(result, force, as_json)
    told = result.parameters.notes[:1] if result.parameters and not as_json else ()
    for text in result.notes:
        if text not in told:
            note(text)
    if result.stopped_by == "time limit":
        note("stopped by the time limit: this is the best network so far")
    if result.stopped_by == "interrupted":
        note("interrupted: this is the best network so far")
        raise typer.Exit(INTERRUPTED)


def _checked_source(
    inputs: list[Network] | list[Tally], fit: Path | None, prior: float, pool: bool | None
) -> Data | None:
    """The data to fit; whatever is wrong with them, or with the inputs to pool, is said before the search."""
    networks = [one for one in inputs if isinstance(one, Network)]
    if fit is not None and pool:
        raise OptionError("--fit and --pool both give the tables; use one of them")
    if fit is None and prior != DEFAULT_PRIOR:
        raise OptionError("--prior is for --fit FILE, the data to estimate tables from")
    if fit is not None:
        data = as_data(fit, inputs[0].variables, shared_states(networks))
        check_fit(data, prior)
        return data
    if pool:
        if not networks:
            raise OptionError("--pool needs the networks themselves; a tally has no tables")
        pooled_states(networks[0].dag, networks)
    return None


def _can_pool(inputs: list[Network] | list[Tally]) -> bool:
    """Whether the inputs have tables over the same states."""
    networks = [one for one in inputs if isinstance(one, Network)]
    with contextlib.suppress(MismatchError, OptionError):
        return bool(networks and pooled_states(networks[0].dag, networks))
    return False


def _with_tables(
    result: Consensus, data: Data | None, prior: float, pool: bool | None, pool_by_default: bool
) -> Consensus:
    if data is not None:
        with em_progress() as progress:
            return result.fit(data, prior, progress)
    if pool:
        return result.pool()
    return result.finished if pool_by_default else result


def _method_options(method: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, if the method has them."""
    options = {name: value for name, value in given.items() if value is not None}
    for name in options:
        owners = _METHODS_WITH[name]
        if method in METHODS and method not in owners:
            raise OptionError(f"the method {method} has no --{name}; it goes with --method {' or '.join(owners)}")
    return options


def _print_summary(result: Consensus, inputs: int) -> None:
    problem = result.problem
    whom = count(len(problem.dags), "network")
    if not problem.dags:
        whom = f"{'1 tally' if inputs == 1 else f'{inputs:,} tallies'} of weight {problem.tally.weight:,}"
    to = "the inputs" if problem.target == "inputs" else "the full fusion"
    say(
        f"consensus of {whom} over {count(len(problem.variables), 'variable')}: "
        f"{count(len(result.dag.edges), 'arc')}, largest clique {result.clique_size} (limit {problem.max_clique}), "
        f"mean {problem.metric} to {to} {result.distance:.2f}"
    )
    if bound := bound_text(result):
        say(bound)
    say(f"{_FOUND.get(result.method, f'found by the {result.method} search')} in {result.seconds:.2f} s")
    say()
    say("If each of these were the consensus:")
    rows: list[tuple[Cell, ...]] = [
        (one.name, float(one.distance), str(one.clique_size), one.arcs) for one in result.compared()
    ]
    print_table(("network", f"mean {problem.metric}", "largest clique", "arcs"), rows)
    say()
    if len(result.dag.arc_numbers):
        say("Arcs of the consensus:")
        _print_arcs(result)
        say()


def _print_arcs(result: Consensus) -> None:
    """Who has each arc: numbers of inputs, and shares where these are not all that counts."""
    problem = result.problem
    inputs = len(problem.dags)
    by_share = len(set(problem.weights)) != 1
    having = "share that has it" if not inputs else f"inputs that have it (of {inputs})"
    headers = ["arc", having, "the other way round"]
    if inputs and by_share:  # four columns of numbers have to fit
        headers = ["arc", f"inputs (of {inputs})", "other way round", "by weight", "other way round"]
    rows: list[list[Cell]] = []
    for arc in sorted(result.support(), key=lambda arc: (-arc.share, -arc.reversed_share)):
        row: list[Cell] = [" -> ".join(arc.arc)]
        if inputs:
            row += [len(arc.inputs), len(arc.reversed_inputs)]
        if by_share:
            row += [percent(arc.share), percent(arc.reversed_share)]
        rows.append(row)
    print_table(headers, rows)


def _facts(result: Consensus) -> dict[str, Any]:
    problem = result.problem
    return {
        "method": result.method,
        "metric": problem.metric,
        "target": problem.target,
        "max_clique": problem.max_clique,
        "constraints": constraint_facts(problem.constraints),
        "seed": result.seed,
        "distance": result.distance,
        "distances": dict(zip(problem.names, result.distances, strict=True)) if problem.dags else None,
        "lower_bound": result.lower_bound,
        "gap": result.gap,
        "clique_size": result.clique_size,
        "elimination_order": result.elimination_order,
        "seconds": result.seconds,
        "stopped_by": result.stopped_by,
        "notes": result.notes,
        "log_likelihoods": result.parameters.log_likelihoods if result.parameters else (),
        "edges": result.dag.edges,
        "support": [
            {
                "from": one.arc[0],
                "to": one.arc[1],
                "share": one.share,
                "reversed_share": one.reversed_share,
                "inputs": one.inputs,
                "reversed_inputs": one.reversed_inputs,
            }
            for one in result.support()
        ],
        "compared": [
            {
                "name": one.name,
                "distance": one.distance,
                "clique_size": int(one.clique_size),
                "clique_lower_bound": one.clique_size.lower_bound,
                "arcs": one.arcs,
            }
            for one in result.compared()
        ],
    }
