"""The data of a report's page, field by field; `records` writes them as JSON and makes their schema.

A variable is its place in `variables`. An arc is a number, source * variables + target. *Steps* are whole numbers in
ascending order, each as the difference to the one before it: a fusion of 70,000 arcs takes a quarter of a megabyte.
Weights are whole numbers: the weight of the inputs times `parts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bnfuse.report.between import Between
from bnfuse.report.disputed import PageDisputes
from bnfuse.report.page.gaussian.page_numbers import PageNumbers
from bnfuse.report.page.records import Json

VERSION = 2
"""of the data: another one where a field has another name or meaning"""

Steps: TypeAlias = list[int]
Numbers: TypeAlias = list[float] | str
"""as they are, or the base64 of their doubles"""


@dataclass(frozen=True, slots=True)
class Repeated:
    """A probability table with few distinct numbers."""

    distinct: Numbers
    """in ascending order"""
    letters: str
    """for each number of the table its place in `distinct`: one or two letters of base64"""


Packed: TypeAlias = Numbers | Repeated
"""a probability table, in the form that takes the fewest characters"""


@dataclass(frozen=True, slots=True)
class KnotSteps:
    """The knots that an arc runs through."""

    arc: int
    """its number"""
    x: list[int]
    """each as the step from the knot before"""
    y: list[int]
    """likewise"""
    slopes: list[int]
    """in hundredths"""


@dataclass(frozen=True, slots=True)
class Size:
    """How large the picture is, in pixels."""

    width: float
    """from the left edge to the right one"""
    height: float
    """from the upper edge to the lower one"""


@dataclass(frozen=True, slots=True)
class PageLayout:
    """Where the boxes of the variables stand, and how the arcs run, in pixels."""

    x: list[int]
    """of each box the centre"""
    y: list[int]
    """likewise"""
    widths: list[int]
    """of each box"""
    height: float
    """of every box"""
    head: float
    """the length of an arrow's head"""
    clearance: float
    """what arcs keep clear of boxes"""
    corner: float
    """what they keep clear of corners"""
    size: Size
    """of the whole picture"""
    ways: list[KnotSteps]
    """of the arcs of the consensus, and of those that at least half of the inputs have"""


@dataclass(frozen=True, slots=True)
class ArcWeight:
    """An arc, and how much weight it has."""

    arc: int
    """its number"""
    weight: int
    """times `parts`"""


@dataclass(frozen=True, slots=True)
class Why:
    """Why an arc is in the consensus."""

    cost: float | None
    """by how much the mean distance would rise without it; None where that was not measured"""
    rule: str
    """what fixes its direction: `free` if nothing does, otherwise a rule of `bnfuse.graphs.equivalence`"""
    others: list[int]
    """the variables by which that rule applies"""
    v_structure: list[int]
    """of a new v-structure the one that it follows from: a parent, the child, the other parent; empty if not one"""
    married: list[int]
    """where not the arc itself is worth the cost: the variables with which it gives its source a child"""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an arc is not in the consensus: what would happen if it were."""

    change: float | None
    """of the mean distance; None where that was not measured"""
    is_rare: bool
    """whether too few inputs join its two ends"""
    closes_cycle: bool
    """whether it would close a cycle"""
    barrier: str | None
    """the constraint that does not allow it"""
    clique: int | None
    """the largest clique afterwards, as far as is known; None where it was not looked for"""
    clique_at_least: int | None
    """no triangulation has a smaller largest clique"""
    table: str | None
    """the numbers in the largest clique table, as far as is known, where that is over the limit"""
    married: list[int]
    """where they are why the distance would rise: the variables with which it gives its source a child"""


@dataclass(frozen=True, slots=True)
class PageInput:
    """An input."""

    name: str
    """no two inputs have the same"""
    weight: int
    """a whole number, in proportion to the weight given"""
    given: str
    """its weight as it was given"""
    distance: float
    """to the consensus"""
    apart: bool
    """whether it stands apart"""
    arcs: Steps
    """its arcs; an edge without a direction is one of them"""
    free: Steps
    """of these, those without a direction"""
    lacks: Steps
    """the variables that it does not have"""
    causal: int | None = None
    """if it is true, on how many ordered pairs the consensus gets the effect wrong (SID); None where not known"""


@dataclass(frozen=True, slots=True)
class PageStability:
    """Of resamples: which arcs are strong."""

    threshold: float
    """estimated: the strength above which an arc is strong"""
    fewest: int
    """how many resamples at least join the ends of a strong arc"""
    resamples: int
    """how many there are"""
    fixed: list[ArcWeight] | None
    """the weight of those whose equivalence class fixes an arc in this direction; None where that is not known"""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the page says of the consensus: sentences of the summary, and numbers."""

    what: str
    """what came out"""
    without: str
    """the inputs of weight 0, as the end of a phrase"""
    quality: str
    """how good it is"""
    who: str
    """who disagrees or, of resamples, how stable the arcs are"""
    itself: str | None
    """which inputs the consensus is, if any"""
    weighting: str | None
    """who counts for how much, if not all count alike"""
    ties: str | None
    """which other networks are as close"""
    coverage: str | None
    """which variables the inputs have; None if every input has all"""
    directions: str | None
    """how many arcs run against the inputs"""
    freedom: str | None
    """what a rule on directions costs"""
    apart: tuple[str, ...]
    """the inputs that stand apart, farthest first"""
    metric: str
    """`smhd`, `fsim` or `shd`"""
    target: str
    """`inputs`, or `fused` for the full fusion: to what the distance is measured"""
    method: str
    """of the search"""
    distance: float
    """mean, to the inputs or to the full fusion, whichever is the target"""
    bound: float | None
    """no network within the limits has a smaller distance"""
    gap: float | None
    """the share of the distance by which it may exceed the optimum"""
    proof: str | None
    """what a proof found out, as a sentence"""
    clique: int
    """the largest"""
    limit: int
    """on it"""
    is_clique_limited: bool
    """whether that limit was asked for"""
    largest_table: str | None
    """numbers in the largest clique table, where tables have a limit"""
    max_table: int | None
    """that limit"""
    most_parents: int | None
    """that the constraints allow"""
    arcs: int
    """how many the consensus has"""
    majority: float | None
    """the distance of the majority vote"""
    tables: str
    """numbers in all clique tables"""
    states_known: bool
    """whether the inputs tell how many states the variables have; two are assumed if not"""
    seconds: float
    """that the search took"""
    stopped_by: str
    """`finished`, or what ended it earlier"""
    notes: tuple[str, ...]
    """sentences"""


@dataclass(frozen=True, slots=True)
class ComparedNetwork:
    """A network, if it were the consensus."""

    name: str
    """of an input, or what it is"""
    distance: float
    """mean, to the inputs or to the full fusion"""
    clique: str
    """its largest clique"""
    arcs: int
    """how many it has"""


@dataclass(frozen=True, slots=True)
class SearchStep:
    """A line of the history of the search."""

    step: int
    """its number"""
    distance: float
    """of the best network so far"""
    mean: float
    """of the whole population"""
    evaluations: int
    """networks or moves looked at so far"""


@dataclass(frozen=True, slots=True)
class OtherLimit:
    """The numbers of the best network for one limit."""

    max_clique: int
    """the limit on cliques"""
    distance: float
    """mean, to the inputs"""
    lower_bound: float | None
    """no network within the limit has a smaller distance"""
    arcs: int
    """how many it has"""
    clique_size: int
    """the largest clique"""
    tables: float
    """the decimal logarithm of the numbers in its clique tables, which may be too many for JavaScript"""
    max_table: int | None
    """the limit on clique tables, where there is one"""


@dataclass(frozen=True, slots=True)
class Clique:
    """A clique that exact inference in the consensus works with."""

    table: str
    """how many numbers its table has"""
    variables: list[int]
    """its members"""


@dataclass(frozen=True, slots=True)
class Cliques:
    """The cliques, largest first."""

    all: int
    """how many there are"""
    shown: list[Clique]
    """the first of them"""


@dataclass(frozen=True, slots=True)
class InputTables:
    """The probability tables of an input; their axes are in the order of the variables, its own variable's last."""

    more: list[str]
    """variables that the consensus lacks: their numbers follow those of `variables`"""
    states: dict[str, tuple[str, ...]]
    """of the variables whose states differ from those in the consensus, by their numbers"""
    parents: list[list[int]]
    """of each variable of the input"""
    values: list[Packed]
    """of each variable of the input"""
    order: list[int] | None
    """in which variables are eliminated; None if a browser could not answer questions"""


@dataclass(frozen=True, slots=True)
class PageTables:
    """The probability tables of the consensus, and of its inputs where there is room."""

    states: list[tuple[str, ...]]
    """of each variable"""
    sizes: list[int]
    """how many numbers the table of each variable has"""
    values: list[Packed | None]
    """the table of each variable; None where it is too large for the page"""
    order: list[int] | None
    """in which variables are eliminated; None if the page only shows the tables, which then are rounded"""
    file: str | None
    """the file that has the network, for `bnfuse query`"""
    inputs: list[InputTables | None] | None
    """of each input its tables, None if it has none; None for all where they are not known or too large"""
    inputs_size: int
    """how many numbers the tables of all inputs have"""


@dataclass(frozen=True, slots=True)
class OriginFile:
    """A file that was read."""

    path: str
    """as it was given"""
    size: int
    """in bytes"""
    sha256: str
    """of its content, in hexadecimal"""
    left_out: bool
    """whether its weight is 0"""


@dataclass(frozen=True, slots=True)
class PageOrigin:
    """Where the consensus comes from."""

    files: list[OriginFile]
    """that were read; empty if the networks were in memory"""
    command: str
    """the command line; empty if it was none"""
    version: str
    """of bnfuse"""
    time: str | None
    """when the search started"""
    options: dict[str, str | int | None]
    """by their names in words"""


@dataclass(frozen=True, slots=True)
class Limits:
    """The networks of other limits: how the data for each differ from those of the page."""

    limits: list[int | None]
    """from the smallest; None of the consensus itself, where its limit is of another kind"""
    changes: list[Json]
    """of each limit, as `bnfuse.report.page.other_limits` says; None for the page's own"""
    own: int
    """the place of the page's own limit"""
    left_out: list[int | None]
    """limits for whose networks there was no room"""
    hint: str | None
    """from which limit on more brings little"""


@dataclass(frozen=True, slots=True)
class PageQuestion:
    """What the consensus was asked for: what the page starts from when it solves again."""

    seed: str
    """of the search; as text, as JavaScript has no whole numbers of 64 bits"""
    effort: str
    """of the search: `quick`, `normal` or `thorough`"""
    limit: int | None
    """on cliques, where that was asked for"""
    max_table: int | None
    """the most numbers in the table of a clique"""
    states: list[int] | None
    """how many each variable has; None where that is not known"""
    directions: str | None
    """the rule on directions, where it is not the usual one"""
    required: list[list[int]]
    """arcs: two variables each"""
    forbidden: list[list[int]]
    """likewise; a pair is forbidden by both"""
    tiers: list[list[int]]
    """variables, earliest first"""
    max_parents: int | None
    """of a variable"""


@dataclass(frozen=True, slots=True)
class PageData:
    """Everything that the page shows."""

    version: int
    """of these fields: `VERSION`"""
    variables: tuple[str, ...]
    """their names"""
    layout: PageLayout
    """where the boxes stand"""
    consensus: Steps
    """its arcs"""
    fusion: Steps | None
    """the arcs of the full fusion"""
    required: list[int]
    """the arcs that the constraints require"""
    why: list[Why]
    """of each arc of the consensus"""
    joined: list[ArcWeight]
    """of the arcs of the consensus that no input has: the weight of the inputs in which the two have a child"""
    inputs: list[PageInput]
    """empty where only counts are known"""
    counts: list[ArcWeight] | None
    """of each arc the weight of the inputs that have it; None where their arcs tell"""
    stability: PageStability | None
    """None if the inputs are not resamples"""
    weight: int
    """of all inputs"""
    parts: int
    """into which the vote of an input of weight 1 is divided"""
    seen: list[ArcWeight]
    """of the pairs that are joined, source before target: the weight of the inputs that have both, if not all have"""
    unjudged: Steps
    """the pairs, source before target, that are in no input together"""
    reasons: dict[str, Reason]
    """by the arcs that inputs have and the consensus has not, and by its arcs that nobody has, reversed"""
    disputes: PageDisputes | None
    """None where they were not solved, as for other limits; the page then has only what single moves do"""
    facts: Facts
    """sentences and numbers"""
    compared: list[ComparedNetwork]
    """the consensus first, then the networks that people would take instead"""
    between: Between | None
    """None where there are no two inputs to tell apart"""
    history: list[SearchStep]
    """of the search, at most 400 steps of it"""
    frontier: list[OtherLimit]
    """empty if no other limits were searched"""
    steps_through_tables: bool
    """whether the limits of the frontier are limits on clique tables"""
    cliques: Cliques
    """of the triangulated moral graph"""
    marks: list[str]
    """properties that a file with the consensus has"""
    tables: PageTables | None
    """None if the consensus has none"""
    origin: PageOrigin
    """files, command, version and options"""
    limits: Limits | None = None
    """None where the networks of other limits are not known"""
    question: PageQuestion | None = None
    """None where the page cannot solve again"""
    not_again: str | None = None
    """why it cannot, as a sentence; None where it can, or nobody wants it"""
    numbers: PageNumbers | None = None
    """of a Gaussian consensus; None for any other"""
    labels: tuple[str, ...] | None = None
    """of the boxes, where the page has to make them: a report has them in its picture"""
