"""The table of names that differ, as types."""

from __future__ import annotations

from typing import Annotated, TypedDict

from bnfuse.serve.http.describe.schemas import Also


class NewState(TypedDict):
    """What a state is to be called."""

    state: Annotated[str, Also({"description": "as the file has it"})]
    becomes: str


class Proposal(TypedDict):
    """A variable, or its states, that may be another's by other names."""

    id: Annotated[str, Also({"description": "of the input"})]
    input: str
    variable: Annotated[str, Also({"description": "as the file has it"})]
    name: Annotated[str, Also({"description": "what it may be called; for states, what it is called"})]
    states: Annotated[list[NewState] | None, Also({"description": "null where the name differs"})]
    labels: Annotated[list[str], Also({"description": "what other inputs call the states"})]
    why: str
    confidence: Annotated[float, Also({"minimum": 0, "maximum": 1})]
    check: Annotated[bool, Also({"description": "whether somebody should look at it before it is accepted"})]


class OwnVariable(TypedDict):
    """A variable of an input, as its file has it."""

    id: str
    variable: str


class Alone(TypedDict):
    """A variable that not all inputs have."""

    variable: str
    why: str
    inputs: Annotated[list[OwnVariable], Also({"description": "those that have it"})]


class Decided(TypedDict):
    """A decision on a name, or on states; the same names again mean that they stay."""

    id: str
    input: str
    variable: str
    name: str | None
    states: list[NewState] | None
    who: str
    time: str


class Alignment(TypedDict):
    """Names and states that differ among the inputs that are on."""

    revision: int
    sentence: Annotated[str, Also({"description": "what differs; empty where nothing does"})]
    rows: list[Proposal]
    alone: list[Alone]
    decided: list[Decided]
