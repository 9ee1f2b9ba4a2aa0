"""The arguments and results of requests for meetings, as types."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from bnfuse.serve import limits
from bnfuse.serve.http.describe.schemas import Also
from bnfuse.serve.http.describe.shapes import Arc, Arcs, Count, Name
from bnfuse.serve.meeting.items import Conflict
from bnfuse.serve.meeting.panels import LEAST_SURE, MOST_SURE
from bnfuse.serve.meeting.people import Person

Judged = Literal["for", "against", "turned", "unsure"]
Sure = Annotated[int, Also({"minimum": LEAST_SURE, "maximum": MOST_SURE, "description": "in percent"})]
Reason = Annotated[str, Also({"maxLength": limits.LONGEST_REASON})]


class Conflicts(TypedDict):
    """Changes that others have made since, with both versions."""

    error: str
    conflicts: list[Conflict]


class Which(TypedDict):
    """The line of the history to undo; by default the last change."""

    revision: NotRequired[Annotated[int | None, Also({"minimum": 1})]]


class Links(TypedDict):
    """The addresses to open for each role, the most usable one first; the wall has the read-only link."""

    facilitator: list[str]
    participant: list[str]
    wall: list[str]


class Everybody(TypedDict):
    """The people who have joined, and those who are present."""

    people: list[Person]
    present: list[str]


class NewPerson(TypedDict):
    """The name of a person who joins."""

    name: Annotated[str, Also({"minLength": 1, "maxLength": limits.LONGEST_PERSON})]


class Joined(TypedDict):
    """A person who has joined, with their key for the header Bnfuse-Person."""

    id: int
    name: str
    joined: str
    key: str


class Again(TypedDict):
    """The person who may join again."""

    person: int


class Focus(TypedDict):
    """The arc that the wall shows."""

    arc: Arc


class NewPanel(TypedDict):
    """A private round to open; without `pairs`, on the most disputed arcs."""

    name: Name
    anonymous: NotRequired[bool]
    pairs: NotRequired[Annotated[list[Arc] | None, Also({"minItems": 1, "maxItems": limits.MOST_JUDGED})]]


class NewJudgement(TypedDict):
    """An expert's judgement of one arc."""

    source: str
    target: str
    judgement: Judged
    confidence: NotRequired[Sure]
    reason: NotRequired[Reason]


NewJudgements = NewJudgement | Annotated[list[NewJudgement], Also({"maxItems": limits.MOST_JUDGED})]


class OwnJudgement(TypedDict):
    """The same as it is stored."""

    source: str
    target: str
    judgement: Judged
    confidence: Sure
    reason: str


class Said(TypedDict):
    """A judgement that was revealed."""

    who: str
    judgement: Judged
    confidence: Sure
    reason: str


Counts = TypedDict("Counts", {"for": Count, "against": Count, "turned": Count, "unsure": Count})


class JudgedArc(TypedDict):
    """The number of judgements of each kind on an arc, and the reasons."""

    source: str
    target: str
    counts: Counts
    said: list[Said]


class PanelRow(TypedDict):
    """A private round as one person may see it."""

    number: int
    name: str
    time: str
    state: Literal["open", "revealed", "counted"]
    is_anonymous: bool
    pairs: Arcs
    judged: Count
    mine: list[OwnJudgement]
    is_mine_new: NotRequired[bool]
    arcs: Annotated[list[JudgedArc], Also({"description": "empty until the round is revealed"})]


class Received(TypedDict):
    """How many people have judged in a private round so far."""

    number: int
    judged: Count


class Reveal(TypedDict):
    """Whether names stay hidden; by default as when the round was opened."""

    anonymous: NotRequired[bool]


class Counted(TypedDict):
    """The inputs with the votes of the experts, by their names."""

    revision: int
    added: list[str]
