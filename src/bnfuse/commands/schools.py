"""`bnfuse schools`: the groups that the inputs fall into, and the network of each."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._base import disk
from bnfuse._base.options import default_of
from bnfuse._base.texts import count, listed, percent
from bnfuse.answer.provenance import Origin
from bnfuse.answer.question import Question
from bnfuse.answer.schools.result import Member, School, Schools
from bnfuse.answer.schools.saving import check_save, school_files
from bnfuse.answer.schools.schools import MOST_SCHOOLS, solved_schools
from bnfuse.answer.schools.separating import Separating
from bnfuse.commands._console import (
    INTERRUPTED,
    AsJson,
    Cell,
    Force,
    as_bytes,
    examples,
    note,
    print_json,
    print_table,
    say,
    working,
)
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import Inputs, files_of, read_inputs
from bnfuse.commands._output import check_kept
from bnfuse.commands._search import MaxClique, SearchOptions, constraint_facts, progress_bar, weight_facts
from bnfuse.files import check_output
from bnfuse.problem.problem import Problem
from bnfuse.report.page.page import check_report
from bnfuse.report.schools_view import bound_sentence

EXAMPLES = examples(
    "bnfuse schools examples/clinics/*.bif",
    "bnfuse schools examples/clinics/*.bif -k 2 -o schools/",
    "bnfuse schools examples/clinics/*.bif -k 2 --report schools.html",
    "bnfuse schools examples/panel/[rt]* -k 2 --variables union   # unlike inputs",
    "bnfuse schools examples/clinics/*.bif -k 2 --metric shd --json",
)

_MOST_ARCS = 10
_EXTENSION = ".bif"


@functools.partial(grouped, without=("prove", "target"))  # options that schools refuse
def schools(
    context: typer.Context,
    files: Inputs,
    k: Annotated[
        int | None,
        typer.Option("-k", metavar="NUMBER", help="How many schools.", show_default="a cautious rule chooses"),
    ] = None,
    max_clique: MaxClique = default_of(Problem, "max_clique"),
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Write each network there: school-1.bif (or .json) and so on."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write the report, one self-contained .html page."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save everything for Schools.load, as .json or .json.gz."),
    ] = None,
    search: SearchOptions = SearchOptions(),  # noqa: B008 - never changed
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Find the groups that inputs fall into, and their networks.

    If half of the inputs hold one theory and half another, a single consensus may be a network that nobody believes.
    This finds the networks that are together closest to the inputs, each within the limits, and tells which arcs
    separate them and who belongs where.

    Without -k, a cautious rule chooses the number. Inputs far from every other one are set aside. A group is divided
    only if two tests agree: two groups bring its inputs closer than they would be if whole parent sets were
    redistributed at random, and two halves of the variables divide them alike. It takes 7 inputs or more to find two
    groups. Inputs learned from very different numbers of rows are divided for that reason alone.
    """
    paths = files_of(files)
    existing = (
        [] if output is None else [path for path in school_files(output, MOST_SCHOOLS, _EXTENSION) if path.exists()]
    )
    outputs = {"--report": report, "--save": save, **{f"-o {output}": path for path in existing}}
    check_kept(outputs, [*paths, *search.files], force)
    _check_outputs(existing, report, save, force)
    question = Question.of({"max_clique": max_clique, "method": "direct", **search.given()})
    with disk.digests() as digests:
        inputs = read_inputs(paths, search.cyclic, search.variables, search.common_names)
    origin = Origin.now([*paths, *search.files], context.obj or (), digests)
    with progress_bar() as progress:
        asked = replace(question, run=replace(question.run, progress=progress))
        found = solved_schools(inputs, asked, k)
    found = replace(found, single=replace(found.single, origin=origin))
    written = () if output is None else found.write(output, overwrite=force)
    if save is not None:
        found.save(save, force)
    if report is not None:
        with working("writing the report"):
            found.report(report, force)
    if as_json:
        named = {"report": report, "saved": save}
        files_written = {name: None if path is None else str(path) for name, path in named.items()}
        print_json("schools", facts_of(found) | {"output": [str(path) for path in written]} | files_written)
    else:
        _tell(found, written, report, save)
    _tell_notes(found, [path for path in existing if path not in written])


def _check_outputs(existing: list[Path], report: Path | None, save: Path | None, force: bool) -> None:
    """Refuse files that could not be written, before the search."""
    for path in existing:
        check_output(path, force)
    if report is not None:
        check_report(report, force)
    if save is not None:
        check_save(save, force)


# Output for people


def _tell(found: Schools, written: tuple[Path, ...], report: Path | None, save: Path | None) -> None:
    metric = found.problem.metric
    say(found.verdict)
    if found.verdict_on_others is not None:
        say(found.verdict_on_others)
    whose = "their own school" if found.k > 1 else "the network"
    say(f"mean {metric} of the inputs to {whose}: {found.distance:.2f}")
    if found.k > 1:
        say(f"mean {metric} of the inputs to one consensus of all: {found.single_distance:.2f}")
    say(bound_sentence(found))
    say()
    rows: list[tuple[Cell, ...]] = [
        (
            one.number,
            len(one.inputs),
            float(one.consensus.distance),
            len(one.dag.edges),
            one.consensus.clique_size,
            listed(one.inputs, 6, str),
        )
        for one in found.schools
    ]
    print_table(("school", "inputs", f"mean {metric}", "arcs", "largest clique", "who"), rows)
    if found.k > 1:
        _tell_separating(found)
        if found.between:
            say()
            say(f"between schools: {listed(found.between, 6, str)}")
    say()
    if written:
        say(f"wrote {listed([str(path) for path in written], 4, str)}")
    else:
        what, them = ("networks were", "them") if found.k > 1 else ("network was", "it")
        say(f"the {what} not written: -o FOLDER writes {them}")
    if save is not None:
        say(f"wrote {save}: everything about these schools, for Schools.load")
    if report is not None:
        say(f"wrote {report} ({as_bytes(report.stat().st_size)}): open it in any browser")


def _tell_separating(found: Schools) -> None:
    say()
    if not found.separating:
        say("the networks of the schools have the same arcs")
        return
    more = len(found.separating) - _MOST_ARCS
    say("What separates them (shares of each school's inputs that have the arc):")
    headers = ("arc", *(f"school {one.number}" for one in found.schools), "tells them apart")
    rows: list[list[Cell]] = [
        [" -> ".join(one.arc), *map(percent, one.shares), percent(one.tells)] for one in found.separating[:_MOST_ARCS]
    ]
    print_table(headers, rows)
    if more > 0:
        say(f"and {count(more, 'arc')} more: --json and --report have them all")


def _tell_notes(found: Schools, stale: list[Path]) -> None:
    for text in found.notes:
        note(text)
    if stale:
        note(f"{listed([str(path) for path in stale], 4, str)} {'is' if len(stale) == 1 else 'are'} of an earlier run")
    if found.stopped_by == "time limit":
        note("stopped by the time limit: these are the best schools so far")
    if found.stopped_by == "interrupted":
        note("interrupted: these are the best schools so far")
        raise typer.Exit(INTERRUPTED)


# Output for programs


def facts_of(found: Schools) -> dict[str, Any]:
    """The complete result."""
    problem = found.problem
    return {
        "k": found.k,
        "chosen": found.is_chosen,
        "verdict": found.verdict,
        "metric": problem.metric,
        "max_clique": problem.max_clique,
        "max_table": problem.max_table,
        "constraints": constraint_facts(problem.constraints),
        "seed": found.seed,
        "distance": found.distance,
        "single_distance": found.single_distance,
        "lower_bound": found.lower_bound,
        "gap": found.gap,
        "proven": found.is_proven,
        "seconds": found.seconds,
        "stopped_by": found.stopped_by,
        **weight_facts(problem),
        "notes": found.notes,
        "schools": [_school_facts(one) for one in found.schools],
        "set_aside": found.set_aside,
        "between": found.between,
        "members": [_member_facts(one) for one in found.members],
        "separating": [_arc_facts(one) for one in found.separating],
        "answers": _answer_facts(found),
        "tests": [
            {
                "inputs": one.inputs,
                "families": one.families,
                "halves": one.halves,
                "level": one.level,
                "splits": one.splits,
            }
            for one in found.tests
        ],
    }


def _school_facts(one: School) -> dict[str, Any]:
    return {
        "number": one.number,
        "inputs": one.inputs,
        "distance": one.consensus.distance,
        "clique_size": one.consensus.clique_size,
        "elimination_order": one.consensus.elimination_order,
        "edges": one.dag.edges,
    }


def _member_facts(one: Member) -> dict[str, Any]:
    return {
        "name": one.name,
        "school": one.school,
        "nearest": one.nearest,
        "distance": one.distance,
        "next": one.next,
        "next_distance": one.next_distance,
        "distances": one.distances,
        "between": one.is_between,
    }


def _arc_facts(one: Separating) -> dict[str, Any]:
    return {
        "from": one.arc[0],
        "to": one.arc[1],
        "schools": one.schools,
        "reversed_schools": one.reversed_schools,
        "shares": one.shares,
        "reversed_shares": one.reversed_shares,
        "tells": one.tells,
    }


def _answer_facts(found: Schools) -> list[dict[str, Any]] | None:
    if found.k == 1 or not found.has_tables:
        return None
    return [
        {"variable": one.variable, "state": one.state, "probabilities": one.probabilities, "difference": one.difference}
        for one in found.answers()
    ]
