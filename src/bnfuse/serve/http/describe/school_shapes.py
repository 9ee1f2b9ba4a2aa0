"""The result of the request for schools of thought, as types."""

from __future__ import annotations

from typing import Annotated, TypedDict

from bnfuse.answer.schools.result import Member
from bnfuse.answer.schools.schools import MOST_SCHOOLS
from bnfuse.report.schools_view import SchoolsPage
from bnfuse.serve.http.describe.schemas import Also
from bnfuse.serve.http.describe.shapes import Arc, Arcs, Key

SchoolNumber = Annotated[int, Also({"minimum": 1, "maximum": MOST_SCHOOLS})]


class SchoolRow(TypedDict):
    """A school: its inputs, their mean distance to its network, and the arcs of the network."""

    number: int
    inputs: list[str]
    distance: float
    arcs: Arcs


class SeparatingArc(TypedDict):
    """An arc on which schools differ, as `bnfuse.Separating` has it."""

    arc: Arc
    schools: list[int]
    reversed_schools: list[int]
    shares: list[float]
    reversed_shares: list[float]
    tells: float


class FoundSchools(TypedDict):
    """The schools of thought among the inputs: in numbers, and as the page shows them."""

    revision: int
    key: Key
    k: int
    is_chosen: Annotated[bool, Also({"description": "whether the rule chose their number"})]
    verdict: str
    metric: str
    seed: int
    distance: Annotated[float, Also({"description": "mean, to the own school"})]
    single_distance: Annotated[float, Also({"description": "mean, to one consensus of all"})]
    lower_bound: float
    is_proven: bool
    stopped_by: str
    notes: list[str]
    schools: list[SchoolRow]
    members: list[Member]
    set_aside: list[str]
    between: list[str]
    separating: list[SeparatingArc]
    page: SchoolsPage
