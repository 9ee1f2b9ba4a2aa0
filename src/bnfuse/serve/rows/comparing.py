"""The rows of an answer's tables, in a worker: the distributions of the inputs and of people for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bnfuse.answer.result import Consensus
from bnfuse.errors import OptionError
from bnfuse.graphs.network import Network
from bnfuse.inference.evidence import check_known
from bnfuse.inference.experts.judgements import RowJudgement
from bnfuse.inference.experts.row_disputes import RowDispute, row_disputes, unused_judgements
from bnfuse.serve.workspace.state import State

MOST_DISPUTED = 60  # rows of all tables
MOST_OF_ONE = 500  # rows of one table


def rows_shown(question: State, result: Consensus, variable: str | None) -> dict[str, Any]:
    """The rows of all tables with the largest differences; and those of the table of a variable, in its order."""
    network, said = result.network, question.judgements
    if network.cpts is None or network.states is None:
        why = "there are no tables: no input has any, or theirs cannot be pooled"
        return _facts(question, (), (), (), [(one, why) for one in said]) | {"variable": variable, "total": 0}
    if variable is not None:
        check_known(network, [variable])
    inputs = result.problem.inputs
    weights = [weight for weight, one in zip(inputs.exact_weights, inputs.networks, strict=True) if one is not None]
    options: dict[str, Any] = {"weights": weights or None, "judgements": said, "input_cases": question.input_cases}
    listed = row_disputes(network, result.inputs, most=MOST_DISPUTED, **options)
    disputed = [one for one in listed if one.is_disputed]
    own = () if variable is None else row_disputes(network, result.inputs, [variable], most=MOST_OF_ONE, **options)
    rows = sorted(own, key=lambda one: _place(network, one))
    total = 0 if variable is None else network.cpts[variable][..., 0].size
    unused = [(one.judgement, one.why) for one in unused_judgements(network, said)]
    return _facts(question, network.variables, disputed, rows, unused) | {"variable": variable, "total": total}


def _facts(
    question: State,
    variables: Sequence[str],
    disputed: Sequence[RowDispute],
    rows: Sequence[RowDispute],
    unused: list[tuple[RowJudgement, str]],
) -> dict[str, Any]:
    return {
        "variables": list(variables),
        "input_cases": question.input_cases,
        "is_from_data": question.data is not None,
        "disputed": [_row(one) for one in disputed],
        "rows": [_row(one) for one in rows],
        "unused": [{**said(one), "why": why} for one, why in unused],
    }


def said(one: RowJudgement) -> dict[str, Any]:
    """A judgement, for the page and for programs."""
    return {
        "variable": one.variable,
        "given": one.given,
        "probabilities": one.probabilities,
        "cases": one.cases,
        "by": one.by,
        "reason": one.reason,
    }


def _place(network: Network, row: RowDispute) -> tuple[int, ...]:
    assert network.states is not None
    return tuple(network.states[name].index(state) for name, state in row.given.items())


def _row(one: RowDispute) -> dict[str, Any]:
    state, low, high = one.widest
    return {
        "variable": one.variable,
        "given": one.given,
        "states": list(one.consensus),
        "consensus": list(one.consensus.values()),
        "inputs": [
            {"name": name, "probabilities": list(own.values()), "cases": one.cases[name]}
            for name, own in one.inputs.items()
        ],
        "judgements": [said(judgement) for judgement in one.judgements],
        "probability": one.probability,
        "divergence": one.divergence,
        "widest": {"state": state, "low": low, "high": high},
    }


def checked_variable(text: str | None) -> str | None:
    """The variable of a request."""
    if text is not None and not 1 <= len(text) <= 1_000:
        raise OptionError("variable must be the name of a variable of the consensus")
    return text
