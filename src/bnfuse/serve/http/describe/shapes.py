"""The arguments and results of requests, as types: the API description is made from them, and tests compare the two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from bnfuse.report.page.page_schema import PageData
from bnfuse.report.page.records import json_schema
from bnfuse.serve import limits
from bnfuse.serve.http.describe.schemas import Also
from bnfuse.serve.workspace.state import State

Count = Annotated[int, Also({"minimum": 0})]
Name = Annotated[str, Also({"minLength": 1, "maxLength": limits.LONGEST_NAME})]
Arc = Annotated[list[str], Also({"minItems": 2, "maxItems": 2})]
Arcs = list[Arc]
Codes = list[int]
Say = Literal["require", "forbid", "forbid-direction", "free"]
Role = Literal["facilitator", "participant", "read-only"]
Key = Annotated[str, Also({"description": "of the question: questions with one key have one answer"})]
ByPerson = Annotated[
    Mapping[str, str], Also({"description": "the change that it would undo, by its author; * is the last of all"})
]
Effort = Literal["quick", "normal", "thorough", "proof"]


class Error(TypedDict):
    """The reason why a request is refused, in one line."""

    error: str


class Session(TypedDict):
    """A key for one tab of a browser."""

    key: str
    role: Role
    workspace: str | None


class NewWorkspace(TypedDict):
    """A name, or none: then it is named by the date."""

    name: NotRequired[Annotated[str | None, Also({"maxLength": 64})]]


class Named(TypedDict):
    """A workspace by its name."""

    name: str


class Changed(TypedDict):
    """Arcs that were added, dropped and reversed, as source * variables + target."""

    came: Codes
    went: Codes
    turned: Codes


class Answer(TypedDict):
    """The best answer so far."""

    effort: str
    method: str
    metric: str
    distance: float
    bound: float | None
    gap: float | None
    max_clique: int | None
    max_clique_found: int
    max_table: int | None
    distances: Mapping[str, float]
    has_tables: bool
    seconds: float
    stopped_by: str
    notes: list[str]
    arcs: Count
    changed: Changed
    is_solved: Annotated[bool, Also({"description": "whether the costs of its disputes are known"})]


class RoundRow(TypedDict):
    """A frozen round."""

    number: int
    name: str
    time: str
    revision: int
    key: str
    effort: str


class Line(TypedDict):
    """A line of the history."""

    revision: int
    time: str
    who: str
    kind: str
    words: str
    is_taken_back: bool
    is_current: bool


class Made(TypedDict):
    """Who wrote something, and when."""

    who: str
    time: str


Noted = Annotated[Mapping[str, Made], Also({"description": "the author and the time of each note, by its key"})]


class You(TypedDict):
    """The person who makes the request."""

    id: int
    name: str


class Look(TypedDict):
    """The present state of a workspace."""

    revision: int
    question: State
    key: Key
    noted: Noted
    variables: list[str]
    can_undo: str | None
    can_redo: str | None
    solving: Mapping[str, Any] | None
    answer: Answer | None
    failed: str | None
    rounds: list[RoundRow]
    role: Role
    you: You | None
    present: Annotated[list[str], Also({"description": "the people with a name who have the page open"})]


class Told(TypedDict):
    """The question after a change, and the effect of the change; no lines if it changed nothing."""

    revision: int
    question: State
    key: Key
    noted: Noted
    can_undo: str | None
    can_redo: str | None
    variables: NotRequired[list[str]]
    rounds: NotRequired[list[RoundRow]]
    lines: NotRequired[list[Line]]
    undo: NotRequired[ByPerson]
    redo: NotRequired[ByPerson]


class Added(TypedDict):
    """The inputs that a file added."""

    revision: int
    added: list[str]
    kind: Literal["networks", "tally", "data"]
    said: list[str]


class FileRow(TypedDict):
    """A file that was added, and whether the present question uses it."""

    id: str
    name: str
    kind: Literal["networks", "tally", "data"]
    size: Count
    in_use: bool


class Wanted(TypedDict):
    """The effort of a search."""

    effort: Effort


class Searching(TypedDict):
    """The search in progress."""

    revision: int
    effort: Effort


class Stopped(TypedDict):
    """Whether there was anything to stop."""

    revision: int
    stopped: bool


class View(TypedDict):
    """The data of the page, and what changed."""

    revision: int
    effort: str
    changed: Changed
    changed_by: Annotated[list[str], Also({"description": "the people with a name whose changes led to it"})]
    changed_at: Annotated[str | None, Also({"description": "when the last of these changes was made"})]
    data: Annotated[Any, Also(json_schema(PageData))]


class Decision(TypedDict):
    """Another decision, with the problem solved again."""

    decision: Literal["in", "out", "turned"]
    arc: Annotated[Arc | None, Also({"description": "that it has; null for out"})]
    cost: Annotated[
        float | None, Also({"description": "the increase in the mean distance, at most; null if not known"})
    ]
    cost_at_least: Annotated[float | None, Also({"description": "proven; the cost is exact where both are equal"})]
    added: Arcs
    dropped: Arcs
    reversed: Arcs
    barrier: Annotated[str | None, Also({"description": "why it is not possible"})]


class Sides(TypedDict):
    """The inputs on each side."""

    forward: list[str]
    backward: list[str]
    neither: list[str]
    blind: list[str]


Dispute = TypedDict(
    "Dispute",
    {
        "source": str,
        "target": str,
        "in": bool,
        "share": float,
        "reversed_share": float,
        "contested": Annotated[float, Also({"description": "0 to 1: twice the weight against the largest side"})],
        "can_lead": bool,
        "who": Sides,
        "cost": Annotated[float | None, Also({"description": "of the other decision with the most weight"})],
        "alternatives": list[Decision],
        "note": str,
        "say": Say,
        "say_reversed": Say,
    },
)


class Disputes(TypedDict):
    """The pairs on which the inputs differ."""

    revision: int
    effort: str
    is_solved: Annotated[bool, Also({"description": "whether the work on costs is done"})]
    pairs: Annotated[int | None, Also({"description": "the number of disputed pairs"})]
    stopped_by: Annotated[str | None, Also({"description": "finished, or the reason why the work on costs ended"})]
    disputes: list[Dispute]


class Point(TypedDict):
    """The best network for one limit."""

    max_clique: int | None
    max_table: int | None
    distance: float
    lower_bound: float | None
    arcs: Count
    clique_size: Count
    tables: float | None


class Frontier(TypedDict):
    """The best networks for other limits."""

    state: Literal["done"]
    points: list[Point]
    effort: str


class Waiting(TypedDict):
    """The search is in progress: ask again."""

    state: Literal["searching"]


Weighed = Mapping[str, float]


class Asked(TypedDict):
    """The findings, and the variable to query."""

    target: NotRequired[str | None]
    evidence: NotRequired[Mapping[str, str | list[str] | Weighed]]
    beliefs: NotRequired[Mapping[str, Weighed]]
    do: NotRequired[Mapping[str, str]]
    of: NotRequired[Annotated[str, Also({"description": "consensus, or the id of an input"})]]


class Posterior(TypedDict):
    """Probabilities of the states of variables."""

    posterior: Mapping[str, Mapping[str, float]]
    evidence: Mapping[str, Any]
    beliefs: NotRequired[Mapping[str, Any]]
    do: NotRequired[Mapping[str, str]]
    probability: float | None


class NewRound(TypedDict):
    """The name of a round."""

    name: Name


class Frozen(TypedDict):
    """All rounds after a new one."""

    revision: int
    rounds: list[RoundRow]


class Figures(TypedDict):
    """One side of a comparison."""

    distance: float
    bound: float | None
    gap: float | None
    metric: str
    max_clique_found: int
    effort: str


class ArcChanges(TypedDict):
    """Arcs by their names."""

    came: Arcs
    went: Arcs
    turned: Arcs


class Compared(TypedDict):
    """The differences between two rounds."""

    before: Figures
    after: Figures
    arcs: ArcChanges
    inputs: Mapping[str, list[Any]]
    names: Annotated[list[list[str]], Also({"description": "input, name in the file, name before, name after"})]
    settings: Mapping[str, list[Any]]
    judgements: Annotated[Mapping[str, list[str]], Also({"description": "the rows that they describe"})]
    rules: Mapping[str, Mapping[str, Arcs]]
