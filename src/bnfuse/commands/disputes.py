"""`bnfuse disputes`: the pairs on which the inputs differ, and the cost of the opposite decisions."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bnfuse._base.options import default_of
from bnfuse._base.texts import count as counted
from bnfuse._base.texts import percent, shown_cost
from bnfuse.answer.disputes.disputes import DEFAULT_COUNT, Alternative, Dispute, Disputes
from bnfuse.answer.disputes.disputes import disputes as solved_disputes
from bnfuse.answer.persistence import is_saved
from bnfuse.answer.result import Consensus
from bnfuse.commands._console import (
    INTERRUPTED,
    AsJson,
    Cell,
    Force,
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
from bnfuse.commands._search import MaxClique, MethodOptions, SearchOptions
from bnfuse.commands.consensus import searched
from bnfuse.errors import FileError, OptionError
from bnfuse.files import check_output, write_text
from bnfuse.problem.constraints import Arc
from bnfuse.problem.problem import Problem
from bnfuse.search.outcome import mean_distance

EXAMPLES = examples(
    "bnfuse disputes examples/clinics/*.bif",
    "bnfuse disputes examples/clinics/*.bif -t 3 --count 5 -o disputes.csv",
    "bnfuse consensus examples/clinics/*.bif --save result.json",
    "bnfuse disputes result.json --json                 # of consensus --save",
)

_FEW = 3  # names in a cell
_NOTHING = 1e-9  # of the weight: less is due to rounding
_COLUMNS = (
    *("from", "to", "in_consensus", "contested", "for", "reversed", "not_joined", "decision", "cost", "cost_at_least"),
    *("added", "dropped", "turned"),
)


@grouped
def disputes(
    files: Inputs,
    max_clique: MaxClique = default_of(Problem, "max_clique"),
    count: Annotated[
        int, typer.Option("--count", metavar="NUMBER", help="How many pairs to solve, the most contested first.")
    ] = DEFAULT_COUNT,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the table as CSV, one line for each decision."),
    ] = None,
    search: SearchOptions = SearchOptions(),  # noqa: B008 - never changed
    method: MethodOptions = MethodOptions(),  # noqa: B008
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Show where inputs differ, and what the other decision costs.

    For each pair of variables on which the inputs disagree, the problem is solved again with the other decision: the
    arc in, out or reversed. The cost is the increase in the mean distance. It is exact where the bound proves it;
    otherwise a quick search found it, and the true cost may be lower. First come pairs on which more than one input,
    and at least a third of the weight, disagree with the largest side. Within each group, pairs are sorted by how
    contested they are times the cost.

    FILE is a consensus that bnfuse consensus --save wrote, or the inputs; in that case, the consensus is found first,
    and a time limit covers both. Ctrl-C stops and keeps the results so far.
    """
    paths = files_of(files)
    check_kept({"-o": output}, [*paths, *search.files], force)
    if output is not None:
        _check_table(output, force)
    result = _saved(paths, max_clique, search, method) or _searched(paths, max_clique, search, method)
    left = None if search.time_limit is None else max(search.time_limit - _spent(result, paths), 1e-9)
    with working("solving again with the other decisions"):
        found = solved_disputes(result, count, time_limit=left, threads=search.threads)
    if output is not None:
        write_text(_as_csv(found), output)
    if as_json:
        print_json("disputes", _facts(result, found, output))
    else:
        _tell(result, found, output)
    if found.stopped_by == "time limit":
        note("stopped by the time limit: decisions without a cost were not solved")
    if "interrupted" in (result.stopped_by, found.stopped_by):
        note("interrupted: decisions without a cost were not solved")
        raise typer.Exit(INTERRUPTED)


def _saved(
    paths: Sequence[Path], max_clique: int | None, search: SearchOptions, method: MethodOptions
) -> Consensus | None:
    """The given saved consensus; its question cannot change."""
    if not any(map(is_saved, paths)):
        return None
    if len(paths) > 1:
        raise OptionError("give one saved consensus, or inputs, not both")
    asked = max_clique, replace(search, threads=None, time_limit=None), method
    if asked != (None, SearchOptions(), MethodOptions()):
        raise OptionError(
            f"{paths[0]} is a saved consensus, whose question is settled: it takes only --count, --threads and "
            "--time-limit; for another question, name the inputs"
        )
    return Consensus.load(paths[0])


def _searched(paths: list[Path], max_clique: int | None, search: SearchOptions, method: MethodOptions) -> Consensus:
    question = search.question(max_clique, method)
    inputs = read_inputs(paths, search.cyclic, search.variables, search.common_names)
    return searched(inputs, question, with_frontier=False)


def _spent(result: Consensus, paths: Sequence[Path]) -> float:
    return 0.0 if is_saved(paths[0]) else result.seconds


# Output for people


def _tell(result: Consensus, found: Disputes, output: Path | None) -> None:
    if not found:
        say("the inputs agree on every pair of variables")
    else:
        what = counted(found.pairs, "pair") if len(found) == found.pairs else f"{len(found)} of {found.pairs:,} pairs"
        say(
            f"{what} on which the inputs disagree; mean {result.problem.metric} of the consensus: {result.distance:.2f}"
        )
        headers = ("arc", "consensus", "for", "reversed", "not joined", "instead", "costs", "other arcs changed")
        print_table(headers, [row for one in found for row in _rows(one)])
    if found.closer is not None:
        closer = mean_distance(result.problem, found.closer)
        note(f"a closer network turned up ({closer:.2f} instead of {result.distance:.2f}): use --effort thorough")
    if output is not None:
        say(f"wrote {output}")


def _rows(one: Dispute) -> Iterator[Sequence[Cell]]:
    """A row for each other decision; values common to all of them appear in the first row."""
    sides = ((one.inputs, one.share), (one.reversed_inputs, one.reversed_share))
    unjoined = one.unjoined_inputs, max(1 - one.share - one.reversed_share, 0.0)
    who = [_who(names, share) for names, share in (*sides, unjoined)]
    first: list[Cell] = [" -> ".join(one.arc), "in" if one.is_in else "out", *who]
    for other in one.alternatives:
        changed = len(other.added) + len(other.dropped) + len(other.reversed)
        yield [*first, _instead(one, other), _cost(other), None if other.cost is None else changed]
        first = [""] * len(first)


def _who(names: Sequence[str], share: float) -> str:
    """The inputs on a side. Tallies, and shares of votes below one half, have no names, but a share of the weight."""
    if not names:
        return percent(share) if share > _NOTHING else "-"
    return ", ".join(names) if len(names) <= _FEW else f"{len(names)} inputs"


def _decision(one: Dispute, other: Alternative) -> str:
    turned = other.decision == "in" and other.arc != one.arc
    return "in, turned round" if turned else other.decision


def _instead(one: Dispute, other: Alternative) -> str:
    """The decision as the table shows it; the CSV file keeps the words for programs."""
    return {"turned": "reversed", "in, turned round": "in, reversed"}.get(found := _decision(one, other), found)


def _cost(other: Alternative) -> str:
    if other.cost is None:
        return "not solved" if other.barrier is None else "not possible"
    return shown_cost(other.cost, other.cost_at_least)


# Output for programs


def _facts(result: Consensus, found: Disputes, output: Path | None) -> dict[str, object]:
    return {
        "distance": result.distance,
        "lower_bound": result.lower_bound,
        "pairs": found.pairs,
        "disputes": [one.facts for one in found],
        "closer": None if found.closer is None else mean_distance(result.problem, found.closer),
        "stopped_by": found.stopped_by,
        "output": None if output is None else str(output),
    }


def _check_table(path: Path, force: bool) -> None:
    if not path.name.lower().endswith((".csv", ".csv.gz")):
        raise FileError(path, "disputes are written to a file that ends in .csv or .csv.gz")
    check_output(path, force)


def _as_csv(found: Disputes) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_COLUMNS)
    for one in found:
        who = [";".join(names) for names in (one.inputs, one.reversed_inputs, one.unjoined_inputs)]
        for other in one.alternatives:
            costs = ["" if cost is None else cost for cost in (other.cost, other.cost_at_least)]
            changed = map(_arcs, (other.added, other.dropped, other.reversed))
            table.writerow([*one.arc, int(one.is_in), one.contested, *who, _decision(one, other), *costs, *changed])
    return text.getvalue()


def _arcs(arcs: Sequence[Arc]) -> str:
    return ";".join(map("->".join, arcs))
