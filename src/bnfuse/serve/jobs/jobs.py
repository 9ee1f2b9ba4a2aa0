"""The jobs of workers: each gets a message with facts and bytes, and returns facts and bytes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bnfuse.answer.result import Consensus
from bnfuse.files.vote_table import write_text
from bnfuse.search.run import Callback
from bnfuse.serve.drawing.structure import structure_of
from bnfuse.serve.jobs.outputs import answered, made, schools_shown
from bnfuse.serve.jobs.solving import Asked, answer, decided, frontier_answer, retabled, unpacked_result
from bnfuse.serve.meeting.panels import Judgement
from bnfuse.serve.meeting.votes import expert_votes, shares_of
from bnfuse.serve.naming.proposals import proposals
from bnfuse.serve.rows.comparing import rows_shown
from bnfuse.serve.workspace.reading import Library, read_file
from bnfuse.serve.workspace.state import State

Given = Mapping[str, Any]
Parts = tuple[bytes, ...]
Done = tuple[dict[str, Any], list[bytes]]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The state that a job finds in its worker."""

    library: Library
    progress: Callback


def read(given: Given, parts: Parts, around: Surroundings) -> Done:
    """Whether a file can be read, and its content."""
    around.library.scratch.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=around.library.scratch) as scratch:
        found = read_file(given["name"], parts[0], Path(scratch) / secrets.token_hex(4), given["as"])
    return found.facts | {"said": found.said}, []


def solve(given: Given, parts: Parts, around: Surroundings) -> Done:
    """The answer to a question."""
    return answer(_asked(given, around), given["layout"])


def retable(given: Given, parts: Parts, around: Surroundings) -> Done:
    """An answer with the tables that result from people's judgements of rows."""
    asked = _asked(given, around)
    return retabled(asked, _revived(asked, parts), given["layout"])


def find_frontier(given: Given, parts: Parts, around: Surroundings) -> Done:
    """The best networks for other limits, together with an answer."""
    asked = _asked(given, around)
    return frontier_answer(asked, _revived(asked, parts), given["layout"])


def decide(given: Given, parts: Parts, around: Surroundings) -> Done:
    """The costs of other decisions on disputed pairs."""
    asked = _asked(given, around)
    return decided(asked, _revived(asked, parts))


def take(given: Given, parts: Parts, around: Surroundings) -> Done:
    """An answer as a file."""
    result = _revived(_asked(given, around), parts)
    return {}, [made(result, given["kind"], given["called"], given["placeholders"])]


def divide(given: Given, parts: Parts, around: Surroundings) -> Done:
    """The schools of thought among the inputs."""
    return schools_shown(_revived(_asked(given, around), parts), given["k"]), []


def compare_rows(given: Given, parts: Parts, around: Surroundings) -> Done:
    """The distributions of inputs and people for rows of tables."""
    asked = _asked(given, around)
    return rows_shown(asked.state, _revived(asked, parts), given["variable"]), []


def query(given: Given, parts: Parts, around: Surroundings) -> Done:
    """Probabilities, by the consensus or by an input."""
    asked = _asked(given, around)
    network = _revived(asked, parts).network if given["of"] == "consensus" else asked.input(given["of"])
    return answered(network, given["target"], **given["known"]), []


def vote(given: Given, parts: Parts, around: Surroundings) -> Done:
    """The judgements of experts in a private round, as files with votes for arcs, for the inputs of a question."""
    asked = _asked(given, around)
    tally = asked.asked(None).inputs(asked.inputs()).tally
    shares = shares_of(tally)
    votes = [
        expert_votes(tally.variables, shares, [Judgement(**one) for one in said], name)
        for name, said in given["judgements"].items()
    ]
    return {}, [write_text(one).encode() for one in votes]


def show_structure(given: Given, parts: Parts, around: Surroundings) -> Done:
    """An input as a start for a drawing."""
    return structure_of(around.library[given["file"]], given["place"], given["name"]), []


def align(given: Given, parts: Parts, around: Surroundings) -> Done:
    """Which names and states of the inputs may mean the same."""
    return proposals(_asked(given, around)), []


def _revived(asked: Asked, parts: Parts) -> Consensus:
    """A saved answer together with the inputs' own tables, which it does not contain."""
    return asked.revived(unpacked_result(parts[0]))


def _asked(given: Given, around: Surroundings) -> Asked:
    return Asked(
        State.from_json(given["question"]),
        given["facts"],
        given["effort"],
        around.library,
        given["threads"],
        around.progress,
    )


JOBS: dict[str, Callable[[Given, Parts, Surroundings], Done]] = {
    "read": read,
    "solve": solve,
    "tables": retable,
    "frontier": find_frontier,
    "disputes": decide,
    "out": take,
    "schools": divide,
    "rows": compare_rows,
    "query": query,
    "votes": vote,
    "structure": show_structure,
    "align": align,
}
