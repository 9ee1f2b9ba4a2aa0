"""The arguments and results of requests about drawings, as types."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from bnfuse.serve import limits
from bnfuse.serve.http.describe.schemas import Also
from bnfuse.serve.http.describe.shapes import Arc, Name, Told

States = Annotated[
    list[Name],
    Also(
        {
            "maxItems": limits.DRAWN_STATES,
            "description": "without states: those of the other inputs or, if there are none, two",
        }
    ),
]
At = Annotated[list[float], Also({"minItems": 2, "maxItems": 2, "description": "its position in the picture"})]
Arcs = Annotated[list[Arc], Also({"maxItems": limits.DRAWN_ARCS})]


class GivenVariable(TypedDict):
    """A variable of a new drawing."""

    name: Name
    states: NotRequired[States | None]
    at: NotRequired[At | None]


class NewDrawing(TypedDict):
    """A network to draw: its variables, which may be names alone, and its arcs as [from, to]."""

    name: Name
    variables: Annotated[list[Name | GivenVariable], Also({"minItems": 1, "maxItems": limits.DRAWN_VARIABLES})]
    arcs: NotRequired[Arcs]


class Drawn(Told):
    """The question after the request, and the new input."""

    id: str
    name: str


class ShownVariable(TypedDict):
    """A variable of a drawing; null if its position is free."""

    name: str
    states: list[str]
    x: int | None
    y: int | None


class ShownDrawing(TypedDict):
    """A drawing, or a start for one."""

    name: str
    variables: list[ShownVariable]
    arcs: list[Arc]


class PutVariable(TypedDict):
    """Add a variable, or change its states or its place."""

    edit: Literal["variable"]
    variable: Name
    states: NotRequired[States | None]
    at: NotRequired[At | None]


class RenameVariable(TypedDict):
    """Rename a variable; its arcs stay."""

    edit: Literal["rename"]
    variable: str
    name: Name


class RemoveVariable(TypedDict):
    """Remove a variable with its arcs."""

    edit: Literal["remove"]
    variable: str


class DrawArc(TypedDict):
    """Draw an arc; the opposite one is removed."""

    edit: Literal["arc"]
    source: str
    target: str


class RemoveArc(TypedDict):
    """Remove the arc between two variables, in either direction."""

    edit: Literal["no-arc"]
    source: str
    target: str


Edit = PutVariable | RenameVariable | RemoveVariable | DrawArc | RemoveArc


class Edits(TypedDict):
    """Edits of a drawing, applied in this order, all or none."""

    edits: Annotated[list[Edit], Also({"minItems": 1, "maxItems": limits.DRAWN_EDITS})]
