"""The table of names that differ, as types."""

from __future__ import annotations

from typing import Annotated, TypedDict

from bnfuse.serve.http.describe.schemas import Also


class NewState(TypedDict):
    """The new name of a state."""

    state: Annotated[str, Also({"description": "as the file has it"})]
    becomes: str


class Proposal(TypedDict):
    """A variable, or its states, that may be another's under different names."""

    id: Annotated[str, Also({"description": "of the input"})]
    input: str
    variable: Annotated[str, Also({"description": "as the file has it"})]
    name: Annotated[str, Also({"description": "the proposed name; for states, its present name"})]
    states: Annotated[list[NewState] | None, Also({"description": "null where the name differs"})]
    labels: Annotated[list[str], Also({"description": "the names of the states in other inputs"})]
    why: str
    confidence: Annotated[float, Also({"minimum": 0, "maximum": 1})]
    check: Annotated[bool, Also({"description": "whether it should be checked before it is accepted"})]


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
    """A decision on a name, or on states; the same names mean that they stay."""

    id: str
    input: str
    variable: str
    name: str | None
    states: list[NewState] | None
    who: str
    time: str


class Alignment(TypedDict):
    """Names and states that differ among the active inputs."""

    revision: int
    sentence: Annotated[str, Also({"description": "the differences; empty if there are none"})]
    rows: list[Proposal]
    alone: list[Alone]
    decided: list[Decided]
