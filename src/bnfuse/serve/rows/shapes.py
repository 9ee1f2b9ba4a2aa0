"""The result of the request for rows of tables, and the change of one, as types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NotRequired, TypedDict

from bnfuse.inference.experts.judgements import MOST_CASES
from bnfuse.serve import limits
from bnfuse.serve.http.describe.schemas import Also

Chance = Annotated[float, Also({"minimum": 0, "maximum": 1})]
Cases = Annotated[
    float, Also({"minimum": 0, "maximum": MOST_CASES, "description": "the number of cases that it counts as"})
]


class SayRow(TypedDict):
    """State the probabilities of a variable for one state of each of its parents; null withdraws the judgement."""

    kind: Literal["row"]
    variable: str
    given: Annotated[Mapping[str, str], Also({"description": "the state of each parent in the consensus"})]
    probabilities: Annotated[Mapping[str, Chance] | None, Also({"description": "of each state; they sum to 1"})]
    cases: NotRequired[Cases]
    reason: NotRequired[Annotated[str, Also({"maxLength": limits.LONGEST_REASON})]]
    by: NotRequired[Annotated[str, Also({"description": "for somebody else, by the facilitator"})]]


class RowSaid(TypedDict):
    """A person's judgement of a row."""

    variable: str
    given: Mapping[str, str]
    probabilities: Mapping[str, Chance]
    cases: float
    by: str
    reason: str
    time: str


class NotUsed(RowSaid):
    """A judgement of a row that the tables do not have, with the reason."""

    why: str


class InputRow(TypedDict):
    """An input's distribution for a row, and the number of cases that it counts as."""

    name: str
    probabilities: list[Chance]
    cases: float


class Widest(TypedDict):
    """The state on whose probability they differ most."""

    state: str
    low: float
    high: float


class TableRow(TypedDict):
    """A row of a table of the consensus."""

    variable: str
    given: Mapping[str, str]
    states: list[str]
    consensus: Annotated[list[Chance], Also({"description": "the probability of each state"})]
    inputs: list[InputRow]
    judgements: list[RowSaid]
    probability: Annotated[float, Also({"description": "of the parents' states, in the mixture of the inputs"})]
    divergence: Annotated[
        float, Also({"description": "in bits: the difference between inputs and people; 0 if they agree"})
    ]
    widest: Widest


class Rows(TypedDict):
    """Rows of tables, with the distributions of the inputs and of people for each."""

    revision: int
    key: str
    variable: str | None
    variables: Annotated[list[str], Also({"description": "those that have tables"})]
    input_cases: Annotated[float, Also({"description": "the number of cases that an input of weight 1 counts as"})]
    is_from_data: Annotated[bool, Also({"description": "whether the tables are estimated from data"})]
    disputed: Annotated[list[TableRow], Also({"description": "of all tables, those that differ most first"})]
    rows: Annotated[list[TableRow], Also({"description": "of the variable, in the order of its table"})]
    total: Annotated[int, Also({"description": "how many rows the table of the variable has; 0 without one"})]
    unused: list[NotUsed]
