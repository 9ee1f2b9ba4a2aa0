"""A consensus whose tables include experts' judgements of single rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from bnfuse.answer.result import Consensus
from bnfuse.errors import MismatchError, TooLargeError
from bnfuse.inference.experts.judgements import INPUT_CASES, Judgements, unmatched

_Result = TypeVar("_Result", bound=Consensus)


def finished_with(result: _Result, judgements: Judgements, input_cases: float = INPUT_CASES) -> _Result:
    """The consensus with pooled tables that include judgements if possible, otherwise with a note on the reason."""
    if not judgements:
        return result.finished
    if not result.inputs:
        return replace(result, notes=(*result.notes, *unmatched(judgements, "no input has tables").notes))
    try:
        return result.pool(judgements=judgements, input_cases=input_cases)
    except (TooLargeError, MismatchError) as error:
        notes = (f"the tables were not pooled: {error}", *unmatched(judgements, "there are no tables").notes)
        return replace(result, notes=(*result.notes, *notes))
