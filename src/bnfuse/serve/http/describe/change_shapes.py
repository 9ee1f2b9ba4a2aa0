"""The kinds of changes, as types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from bnfuse.serve import limits
from bnfuse.serve.http.describe.schemas import Also
from bnfuse.serve.http.describe.shapes import Arc, Name, Say
from bnfuse.serve.rows.shapes import SayRow
from bnfuse.serve.workspace.changes import LARGEST_TIER


class Switch(TypedDict):
    """Switch an input on or off."""

    kind: Literal["switch"]
    id: str
    on: bool


class Weigh(TypedDict):
    """Give an input a weight."""

    kind: Literal["weight"]
    id: str
    weight: str | float


class Rename(TypedDict):
    """Rename an input."""

    kind: Literal["rename"]
    id: str
    name: Name


class RemoveInput(TypedDict):
    """Remove an input."""

    kind: Literal["remove-input"]
    id: str


class RemoveData(TypedDict):
    """Remove the data."""

    kind: Literal["remove-data"]


class Setting(TypedDict):
    """Change a setting."""

    kind: Literal["set"]
    field: Literal["max_clique", "max_table", "metric", "method", "directions", "variables", "effort", "input_cases"]
    value: Any


class Rule(TypedDict):
    """Set a rule on an arc."""

    kind: Literal["arc"]
    source: str
    target: str
    say: Say


class Tier(TypedDict):
    """Put a variable into a tier: variables with the same number are together, and smaller numbers come first."""

    kind: Literal["tier"]
    variable: str
    tier: Annotated[float | None, Also({"minimum": -LARGEST_TIER, "maximum": LARGEST_TIER})]


class Note(TypedDict):
    """A note on a pair of variables."""

    kind: Literal["note"]
    arc: Arc
    text: Annotated[str, Also({"maxLength": limits.LONGEST_NOTE})]


class NameVariable(TypedDict):
    """Rename a variable of an input; its own name means that it stays, null that it is undecided."""

    kind: Literal["name"]
    id: str
    variable: Annotated[str, Also({"description": "as the file has it"})]
    name: Annotated[str | None, Also({"maxLength": limits.LONGEST_NAME})]


class NameStates(TypedDict):
    """Rename the states of a variable of an input, in this order; null means undecided."""

    kind: Literal["states"]
    id: str
    variable: Annotated[str, Also({"description": "as the file has it"})]
    states: Annotated[
        Mapping[str, str] | None, Also({"description": "by the states of the file; others keep their names"})
    ]


class Return(TypedDict):
    """Go back to the state of a line of the history."""

    kind: Literal["return"]
    revision: Annotated[int, Also({"minimum": 1})]


Naming = NameVariable | NameStates
Change = Switch | Weigh | Rename | RemoveInput | RemoveData | Setting | Rule | Tier | Note | Naming | SayRow | Return
Changes = Change | Annotated[list[Change], Also({"minItems": 1, "maxItems": limits.MOST_CHANGES})]
