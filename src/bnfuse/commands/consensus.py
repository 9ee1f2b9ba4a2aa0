"""`bnfuse consensus`: one network that is close to many and still cheap to reason with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import typer

from bnfuse._base import disk
from bnfuse._base.options import default_of
from bnfuse._base.texts import count, percent, shown_weight
from bnfuse.answer.compared import ArcSupport
from bnfuse.answer.consensus import solved, solved_frontier
from bnfuse.answer.provenance import Origin
from bnfuse.answer.question import Question
from bnfuse.answer.result import Consensus
from bnfuse.answer.schools.schools import falls_into_groups
from bnfuse.commands._console import INTERRUPTED, AsJson, Cell, Force, examples, note, print_json, print_table, say
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import Inputs, files_of, read_inputs, weights_of
from bnfuse.commands._output import (
    STANDARD,
    Output,
    Placeholders,
    Written,
    beside,
    check_network_output,
    name_for,
    write_output,
)
from bnfuse.commands._parameters import TableOptions
from bnfuse.commands._search import (
    MaxClique,
    MethodOptions,
    SearchOptions,
    bound_text,
    constraint_facts,
    progress_bar,
    proof_facts,
    weight_facts,
)
from bnfuse.commands._stability import print_stability
from bnfuse.commands.report import ReportOptions
from bnfuse.files import check_gaussian, check_placeholders, holds_parameters
from bnfuse.problem.inputs import InputsLike, common_variables
from bnfuse.problem.problem import Problem
from bnfuse.problem.tally import Tally
from bnfuse.report.summary import Summary, limits_text

EXAMPLES = examples(
    "bnfuse consensus examples/clinics/*.bif --max-clique 4 -o consensus.bif",
    "bnfuse consensus examples/clinics/*.bif --fit examples/patients.csv -o c.bif",
    "bnfuse consensus examples/clinics/*.bif --judgements examples/experts.json",
    "bnfuse consensus examples/clinics/*.bif --max-table 64MB         # by memory",
    "bnfuse consensus examples/clinics/*.bif --report report.html --frontier",
    'bnfuse consensus examples/clinics/*.bif --require "Age->Smoker"',
    "bnfuse consensus examples/clinics/*.bif --tiers examples/tiers.json",
    "bnfuse consensus examples/clinics/*.bif -t 5 --metric shd --seed 7",
    "bnfuse consensus examples/clinics/*.bif --directions any         # closest",
    "bnfuse consensus examples/clinics/*.bif --prove --time-limit 60  # how good?",
    "bnfuse consensus examples/clinics/*.bif --weight harbour=2 --json",
    "bnfuse consensus examples/clinics/*.bif --method genetic --preset paper",
    "bnfuse consensus examples/panel/[rt]* --variables union     # unlike inputs",
    "bnfuse consensus examples/panel/bootstrap.csv --metric shd  # R's strengths",
    "bnfuse consensus examples/wards/*.json -o wards.json       # numbers",
    "bnfuse tally examples/clinics/*.bif -o all.tally",
    "bnfuse consensus all.tally --effort thorough                # of a tally",
)

_FOUND = {
    "majority": "found by majority vote",
    "min-cut": "found by min-cuts",
    "none": "found without a search",
    "input": "it is one of the inputs, found",
}

_GROUPS = "The inputs fall into groups that differ more than independent edits would explain"


@grouped
def consensus(
    context: typer.Context,
    files: Inputs,
    max_clique: MaxClique = default_of(Problem, "max_clique"),
    output: Output = None,
    search: SearchOptions = SearchOptions(),  # noqa: B008 - never changed
    method: MethodOptions = MethodOptions(),  # noqa: B008
    tables: TableOptions = TableOptions(),  # noqa: B008
    reporting: ReportOptions = ReportOptions(),  # noqa: B008
    placeholders: Placeholders = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Find a network that is close to all and cheap to reason with.

    Among the networks whose largest clique after triangulation is at most the limit (treewidth below it), a search
    looks for the one with the smallest mean distance to the inputs, and proves how much closer another network could be
    at most: the gap. --prove continues until the gap is zero. Ctrl-C stops the search and keeps the best network so
    far.

    The consensus is written with tables: from data with --fit, otherwise pooled from the inputs that have any. If none
    has, it is a structure. --judgements adds what experts say about single rows of the tables.
    """
    files = files_of(files)
    reporting.check(force, output, [*files, *tables.files, *search.files])
    if output is not None:
        check_network_output(output, force, as_json)
    question, judgements = search.question(max_clique, method), tables.said()
    with disk.digests() as digests:
        inputs = read_inputs(files, search.cyclic, search.variables, search.common_names)
    read = [*files, *tables.files, *search.files]
    origin = Origin.now(read, context.obj or (), digests)
    weights = weights_of(search.weight) or {}
    counted = [one for one in inputs if isinstance(one, Tally) or weights.get(one.name, 1)] or inputs
    variables = common_variables(search.variables, [one.variables for one in counted])
    data = tables.checked(counted, variables)
    is_gaussian = tables.makes_gaussian(counted) and tables.can_be_had(counted, variables)
    if output is not None and output != STANDARD and is_gaussian:
        check_gaussian(output)
    if output is not None and not tables.can_be_had(counted, variables):
        check_placeholders(output, placeholders)
    result = replace(searched(inputs, question, reporting.frontier), origin=origin)
    is_kept = output is not None and (output == STANDARD or holds_parameters(output, is_gaussian))
    is_shown = reporting.is_wanted or is_kept
    result = tables.given_to(result, data, judgements, by_default=is_shown)
    written = None
    if output is not None:
        network = result.parameters.network if result.parameters else result.structure
        written = write_output(network.renamed(name_for(output)).marked("consensus"), output, force, placeholders)
    noun = ("tally", "tallies") if isinstance(inputs[0], Tally) else ("input", "inputs")
    _tell(result, count(len(inputs), *noun), written, reporting.write(result, force), tables, as_json)


def searched(inputs: InputsLike, question: Question, with_frontier: bool) -> Consensus:
    """The consensus, and the best networks for other limits if they are wanted; with the progress, on a terminal."""
    with progress_bar() as progress:
        asked = replace(question, run=replace(question.run, progress=progress))
        result = solved(inputs, asked)
        if with_frontier and result.stopped_by != "interrupted":
            others = _other_tables(result.problem)
            table = asked.max_table if others is None else None
            steps = replace(asked, max_clique=None, max_table=table)
            result = result.with_frontier(solved_frontier(inputs, steps, tables=others))
    return result


def _other_tables(problem: Problem) -> list[int] | None:
    """Limits on tables below and above the one of a problem without a clique limit; None if it has a clique limit."""
    if problem.max_table is None or problem.is_clique_limited:
        return None
    around = [problem.max_table * 10**power // 100 for power in range(5)]
    return [limit for limit in around if limit >= max(problem.state_counts)]


def _tell(
    result: Consensus,
    inputs: str,
    written: Written | None,
    reported: ReportOptions,
    tables: TableOptions,
    as_json: bool,
) -> None:
    """The final output; the exit code shows whether the run was interrupted."""
    if as_json:
        output = None if written is None else written.facts()
        print_json("consensus", {**facts_of(result), "output": output, **reported.facts()})
    else:
        with beside(None if written is None else written.path):
            whom = count(len(result.problem.names), "network" if result.problem.inputs.is_plain else "input")
            if result.of_resamples:
                whom = count(result.strengths.networks, "resample")
            elif not result.problem.names:
                tally = result.problem.tally
                whom = f"{inputs} of weight {shown_weight(tally.weight, tally.parts)}"
            print_summary(result, whom)
            _tell_groups(result)
            if result.of_resamples:
                print_stability(result)
            elif len(result.dag.arc_numbers):
                say("Arcs of the consensus:")
                _print_arcs(result)
                say()
            if result.parameters is not None:
                say(result.parameters.notes[0])
            elif written is not None and written.tables is not None and tables.pool is None:
                why = "the tables could not be pooled" if result.inputs else "no input has tables"
                say(f"a structure: {why}; --fit FILE estimates them from data")
            say("the network was not written: -o FILE writes it" if written is None else str(written))
            reported.tell()
    told = result.parameters.notes[:1] if result.parameters and not as_json else ()
    for text in result.notes:
        if text not in told:
            note(text)
    if result.stopped_by == "time limit":
        note("stopped by the time limit: this is the best network so far")
    if result.stopped_by == "interrupted":
        note("interrupted: this is the best network so far")
        raise typer.Exit(INTERRUPTED)


def _tell_groups(result: Consensus) -> None:
    """Warn that one network may be one in which nobody believes."""
    if falls_into_groups(result.problem, result.seed):
        say(f"{_GROUPS}: bnfuse schools FILE ... shows them")
        say()


def print_summary(result: Consensus, whom: str) -> None:
    """How close each candidate for the consensus is, and what is proven."""
    problem, summary = result.problem, Summary.of(result)
    to = f"the {summary.input_noun}s" if problem.target == "inputs" else "the full fusion"
    say(
        f"consensus of {whom}{summary.without} over {count(len(problem.variables), 'variable')}: "
        f"{count(len(result.dag.edges), 'arc')}, {limits_text(result)}, "
        f"mean {problem.metric} to {to} {result.distance:.2f}"
    )
    if bound := bound_text(result):
        say(bound)
    if result.proof is not None:
        say(result.proof.sentence)
    say(f"{_FOUND.get(result.method, f'found by the {result.method} search')} in {result.seconds:.2f} s")
    who = summary.who if summary.names else None
    for line in (who, summary.ties, summary.coverage, summary.directions, summary.freedom, summary.weighting):
        if line:
            say(line)
    say()
    say("If each of these were the consensus:")
    rows: list[tuple[Cell, ...]] = [
        (one.name, float(one.distance), str(one.clique_size), one.arcs) for one in summary.compared
    ]
    print_table(("network", f"mean {problem.metric}", "largest clique", "arcs"), rows)
    say()


def _print_arcs(result: Consensus) -> None:
    """The inputs that have each arc: numbers, and shares by weight if these differ."""
    problem = result.problem
    inputs = len(problem.names)
    by_share = len(set(problem.weights)) != 1 or not problem.inputs.is_plain
    if problem.inputs.sees:
        _print_seen_arcs(result)
        return
    headers = ["arc"]
    if inputs:
        headers += [f"inputs (of {inputs})", "reversed"]
    if by_share:
        headers += ["by weight" if inputs else "share that has it", "reversed"]
    headers.append("direction")
    rows: list[list[Cell]] = []
    for arc in sorted(result.support(), key=lambda arc: (-arc.share, -arc.reversed_share)):
        row: list[Cell] = [" -> ".join(arc.arc)]
        if inputs:
            row += [len(arc.inputs), len(arc.reversed_inputs)]
        if by_share:
            row += [percent(arc.share), percent(arc.reversed_share)]
        rows.append([*row, _direction(arc)])
    print_table(headers, rows)


def _print_seen_arcs(result: Consensus) -> None:
    """The same if not every input has a vote on every arc."""
    inputs = len(result.problem.names)
    headers = ["arc", "inputs with both ends", "have it", "reversed", "by weight", "reversed", "direction"]
    rows: list[list[Cell]] = [
        [
            " -> ".join(arc.arc),
            inputs - len(arc.blind_inputs),
            len(arc.inputs),
            len(arc.reversed_inputs),
            percent(arc.share),
            percent(arc.reversed_share),
            _direction(arc),
        ]
        for arc in sorted(result.support(), key=lambda arc: (-arc.share, -arc.reversed_share))
    ]
    print_table(headers, rows)


def _direction(arc: ArcSupport) -> str:
    """Whether equivalent networks have an arc in either direction."""
    return "free" if arc.is_reversible else "fixed"


def _direction_facts(result: Consensus) -> dict[str, Any]:
    """Which arcs contradict the inputs, and what a quick search finds if arcs may have any direction."""
    other = result.if_any
    found = None if other is None else {"distance": other.distance, "effort": "quick", "stopped_by": other.stopped_by}
    return {"unseen": result.unseen, "outvoted": result.outvoted, "if_any": found}


def _compared_facts(result: Consensus) -> list[dict[str, Any]]:
    return [
        {
            "name": one.name,
            "distance": one.distance,
            "clique_size": int(one.clique_size),
            "clique_lower_bound": one.clique_size.lower_bound,
            "arcs": one.arcs,
            "ties": one.ties,
        }
        for one in result.compared()
    ]


def facts_of(result: Consensus) -> dict[str, Any]:
    """The JSON output."""
    problem = result.problem
    return {
        "method": result.method,
        "metric": problem.metric,
        "target": problem.target,
        "max_clique": problem.max_clique,
        "max_table": problem.max_table,
        "constraints": constraint_facts(problem.constraints),
        "seed": result.seed,
        "distance": result.distance,
        "distances": dict(zip(problem.names, result.distances, strict=True)) if problem.names else None,
        **weight_facts(problem),
        "apart": Summary.of(result).outliers,
        "lower_bound": result.lower_bound,
        "gap": result.gap,
        "proof": proof_facts(result),
        "clique_size": result.clique_size,
        "largest_table": result.largest_table,
        "elimination_order": result.elimination_order,
        "seconds": result.seconds,
        "stopped_by": result.stopped_by,
        "notes": result.notes,
        "log_likelihoods": result.parameters.log_likelihoods if result.parameters else (),
        "without_tables": problem.inputs.without_tables,
        "edges": result.dag.edges,
        "support": [
            {
                "from": one.arc[0],
                "to": one.arc[1],
                "share": one.share,
                "reversed_share": one.reversed_share,
                "inputs": one.inputs,
                "reversed_inputs": one.reversed_inputs,
                "reversible": one.is_reversible,
                "seen_share": one.seen_share,
                "blind_inputs": one.blind_inputs,
                "why": why.facts,
            }
            for one, why in zip(result.support(), result.why_in, strict=True)
        ],
        "directions": _direction_facts(result),
        "variables": problem.variables,
        "lacking": {
            name: [variable for variable in problem.variables if variable not in one.index]
            for name, one in zip(problem.names, problem.inputs.input_votes, strict=True)
        },
        "unjudged": result.unjudged,
        "compared": _compared_facts(result),
    }
