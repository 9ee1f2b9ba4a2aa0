"""A judgement of a row of a table, as a change of the question: checked, and described in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bnfuse._base.spelling import unknown
from bnfuse._base.texts import count
from bnfuse.errors import OptionError
from bnfuse.inference.experts.judgements import RowJudgement
from bnfuse.serve import limits
from bnfuse.serve.meeting.items import Maker
from bnfuse.serve.meeting.people import ForbiddenError
from bnfuse.serve.workspace.state import State

KIND = "row"


def signed(change: Any, maker: Maker) -> Any:
    """A change with its author: a judgement of a row is their own, unless the facilitator gives it for somebody."""
    if not isinstance(change, Mapping) or change.get("kind") != KIND:
        return change
    by = change.get("by", maker.who)
    if by != maker.who and not maker.may_lead:
        raise ForbiddenError("only the facilitator can say something about a row for somebody else, or withdraw it")
    return {**change, "by": by}


def judged(question: State, change: Mapping[str, Any], variables: frozenset[str]) -> tuple[State, str]:
    """The question after a judgement of a row was given or withdrawn; and the change in words."""
    one = _judgement(change)
    before = next((said for said in question.judgements if _is_same(said, one)), None)
    left = tuple(said for said in question.judgements if said is not before)
    whose = f"what {one.by} said" if one.by else "what was said"
    if change.get("probabilities") is None:
        if before is None:
            raise OptionError(f"there is nothing to withdraw: {one.by or 'nobody'} has said nothing about {one.words}")
        return replace(question, judgements=left), f"withdrew {whose} about {one.words}"
    for name in (one.variable, *one.given):
        if name not in variables:
            raise OptionError(unknown("variable", name, sorted(variables)))
    if len(left) >= limits.MOST_JUDGEMENTS:
        raise OptionError(f"there are {limits.MOST_JUDGEMENTS:,} judgements of rows already")
    states = ", ".join(f"{state} {value:.4g}" for state, value in one.probabilities.items())
    words = f"said about {one.words}: {states}, worth {_cases(one.cases)}" + (f"; {one.reason}" if one.reason else "")
    if before == one:
        return question, ""
    kept = tuple(one if said is before else said for said in question.judgements)
    return replace(question, judgements=(*left, one) if before is None else kept), words


def _judgement(change: Mapping[str, Any]) -> RowJudgement:
    """The judgement in a change; a withdrawn one has no numbers."""
    for field in ("variable", "by", "reason"):
        value = change.get(field, "")
        if not isinstance(value, str) or any("\ud800" <= char <= "\udfff" for char in value):
            raise OptionError(f"{field} must be text; got {value!r:.60}")
    given: Any = change.get("given")
    probabilities = change.get("probabilities")
    if isinstance(given, Mapping):
        given = dict(sorted(given.items()))
    reason = change.get("reason", "").strip()
    if len(reason) > limits.LONGEST_REASON:
        raise OptionError(
            f"a reason may have at most {limits.LONGEST_REASON:,} characters; this one has {len(reason):,}"
        )
    if len(change.get("by", "")) > limits.LONGEST_PERSON:
        raise OptionError(f"by may have at most {limits.LONGEST_PERSON} characters")
    if isinstance(probabilities, Mapping) and len(probabilities) > limits.MOST_STATES:
        raise OptionError(f"a variable may have at most {limits.MOST_STATES:,} states")
    if probabilities is None:
        return RowJudgement(change.get("variable", ""), given, {"": 1.0}, 0, change.get("by", ""))
    return RowJudgement(
        change.get("variable", ""), given, probabilities, change.get("cases", None), change.get("by", ""), reason
    )


def _is_same(one: RowJudgement, other: RowJudgement) -> bool:
    """Whether two judge the same row by the same person: the later one replaces the earlier one."""
    return one.row == other.row and one.by == other.by


def _cases(number: float) -> str:
    return count(int(number), "case") if number == int(number) else f"{number:,.4g} cases"
