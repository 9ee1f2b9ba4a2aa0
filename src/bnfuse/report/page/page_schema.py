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
"""the version of the data: increased when a field gets another name or meaning"""

Steps: TypeAlias = list[int]
Numbers: TypeAlias = list[float] | str
"""unchanged, or the base64 of their doubles"""


@dataclass(frozen=True, slots=True)
class Repeated:
    """A probability table with few distinct numbers."""

    distinct: Numbers
    """in ascending order"""
    letters: str
    """for each number of the table, its position in `distinct`: one or two letters of base64"""


Packed: TypeAlias = Numbers | Repeated
"""a probability table, in the form that takes the fewest characters"""


@dataclass(frozen=True, slots=True)
class KnotSteps:
    """The knots of an arc's path."""

    arc: int
    """its number"""
    x: list[int]
    """each as the step from the previous knot"""
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
    """The positions of the boxes of the variables, and the paths of the arcs, in pixels."""

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
    """the distance between arcs and boxes"""
    corner: float
    """the distance between arcs and corners"""
    size: Size
    """of the whole picture"""
    ways: list[KnotSteps]
    """of the arcs of the consensus, and of those that at least half of the inputs have"""


@dataclass(frozen=True, slots=True)
class ArcWeight:
    """An arc, and its weight."""

    arc: int
    """its number"""
    weight: int
    """times `parts`"""


@dataclass(frozen=True, slots=True)
class Why:
    """Why an arc is in the consensus."""

    cost: float | None
    """the increase in the mean distance without it; None if that was not measured"""
    rule: str
    """the reason for its direction: `free` if there is none, otherwise a rule of `bnfuse.graphs.equivalence`"""
    others: list[int]
    """the variables to which that rule applies"""
    v_structure: list[int]
    """the v-structure from which a new one follows: a parent, the child, the other parent; empty if it is not one"""
    married: list[int]
    """if the cost is not due to the arc itself: the variables with which it gives its source a child"""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an arc is not in the consensus: the effect of adding it."""

    change: float | None
    """the change in the mean distance; None if that was not measured"""
    is_rare: bool
    """whether too few inputs join its two ends"""
    closes_cycle: bool
    """whether it would close a cycle"""
    barrier: str | None
    """the constraint that rules it out"""
    clique: int | None
    """the largest clique afterwards, as far as is known; None if it was not computed"""
    clique_at_least: int | None
    """a proven bound: no triangulation has a smaller largest clique"""
    table: str | None
    """the numbers in the largest clique table, as far as is known, if it exceeds the limit"""
    married: list[int]
    """if they are the reason for the increase: the variables with which it gives its source a child"""


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
    """its arcs, including edges without a direction"""
    free: Steps
    """of these, those without a direction"""
    lacks: Steps
    """the variables that it lacks"""
    causal: int | None = None
    """if it is true, the number of ordered pairs whose effect the consensus gets wrong (SID); None if not known"""


@dataclass(frozen=True, slots=True)
class PageStability:
    """For resamples: which arcs are strong."""

    threshold: float
    """estimated: the strength above which an arc is strong"""
    fewest: int
    """the least number of resamples that join the ends of a strong arc"""
    resamples: int
    """the number of resamples"""
    fixed: list[ArcWeight] | None
    """the weight of those whose equivalence class fixes an arc in this direction; None if that is not known"""


@dataclass(frozen=True, slots=True)
class Facts:
    """The page's facts about the consensus: sentences of the summary, and numbers."""

    what: str
    """the result"""
    without: str
    """the inputs of weight 0, as the end of a phrase"""
    quality: str
    """its quality"""
    who: str
    """who disagrees or, for resamples, how stable the arcs are"""
    itself: str | None
    """the inputs that are equal to the consensus, if any"""
    weighting: str | None
    """the weights of the inputs, if they are not equal"""
    ties: str | None
    """other networks that are equally close"""
    coverage: str | None
    """the variables of the inputs; None if every input has all"""
    directions: str | None
    """the number of arcs that contradict the inputs"""
    freedom: str | None
    """the cost of a rule on directions"""
    apart: tuple[str, ...]
    """the inputs that stand apart, farthest first"""
    metric: str
    """`smhd`, `fsim` or `shd`"""
    target: str
    """`inputs`, or `fused` for the full fusion: the target of the distance"""
    method: str
    """of the search"""
    distance: float
    """mean, to the inputs or to the full fusion, whichever is the target"""
    bound: float | None
    """a proven bound: no network within the limits has a smaller distance"""
    gap: float | None
    """the share of the distance by which it may exceed the optimum"""
    proof: str | None
    """the result of a proof, as a sentence"""
    clique: int
    """the largest"""
    limit: int
    """on it"""
    is_clique_limited: bool
    """whether that limit was requested"""
    largest_table: str | None
    """numbers in the largest clique table, if tables have a limit"""
    max_table: int | None
    """that limit"""
    most_parents: int | None
    """that the constraints allow"""
    arcs: int
    """the number of arcs of the consensus"""
    majority: float | None
    """the distance of the majority vote"""
    tables: str
    """numbers in all clique tables"""
    states_known: bool
    """whether the inputs define the numbers of states; two are assumed if not"""
    seconds: float
    """the seconds of the search"""
    stopped_by: str
    """`finished`, or the reason for an earlier end"""
    notes: tuple[str, ...]
    """sentences"""


@dataclass(frozen=True, slots=True)
class ComparedNetwork:
    """A network in the place of the consensus."""

    name: str
    """the name of an input, or the kind of network"""
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
    """networks or moves examined so far"""


@dataclass(frozen=True, slots=True)
class OtherLimit:
    """The numbers of the best network for one limit."""

    max_clique: int
    """the limit on cliques"""
    distance: float
    """mean, to the inputs"""
    lower_bound: float | None
    """a proven bound: no network within the limit has a smaller distance"""
    arcs: int
    """how many it has"""
    clique_size: int
    """the largest clique"""
    tables: float
    """the decimal logarithm of the numbers in its clique tables, which may be too many for JavaScript"""
    max_table: int | None
    """the limit on clique tables, if there is one"""


@dataclass(frozen=True, slots=True)
class Clique:
    """A clique that exact inference in the consensus uses."""

    table: str
    """the number of entries of its table"""
    variables: list[int]
    """its members"""


@dataclass(frozen=True, slots=True)
class Cliques:
    """The cliques, largest first."""

    all: int
    """the number of cliques"""
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
    """the order in which variables are eliminated; None if a browser could not answer queries"""


@dataclass(frozen=True, slots=True)
class PageTables:
    """The probability tables of the consensus, and of its inputs if there is room."""

    states: list[tuple[str, ...]]
    """of each variable"""
    sizes: list[int]
    """the number of entries of each variable's table"""
    values: list[Packed | None]
    """the table of each variable; None if it is too large for the page"""
    order: list[int] | None
    """the order in which variables are eliminated; None if the page only shows the tables, which are then rounded"""
    file: str | None
    """the file that has the network, for `bnfuse query`"""
    inputs: list[InputTables | None] | None
    """the tables of each input, None if it has none; None for all if they are not known or too large"""
    inputs_size: int
    """the number of entries in the tables of all inputs"""


@dataclass(frozen=True, slots=True)
class OriginFile:
    """A file that was read."""

    path: str
    """as given"""
    size: int
    """in bytes"""
    sha256: str
    """of its content, in hexadecimal"""
    left_out: bool
    """whether its weight is 0"""


@dataclass(frozen=True, slots=True)
class PageOrigin:
    """The origin of the consensus."""

    files: list[OriginFile]
    """that were read; empty if the networks were in memory"""
    command: str
    """the command line; empty if there was none"""
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
    """from the smallest; None for the consensus itself if its limit is of a different kind"""
    changes: list[Json]
    """the changes for each limit, as in `bnfuse.report.page.other_limits`; None for the page's own"""
    own: int
    """the position of the page's own limit"""
    left_out: list[int | None]
    """limits whose networks were left out for lack of room"""
    hint: str | None
    """the limit from which a larger one gains little"""


@dataclass(frozen=True, slots=True)
class PageQuestion:
    """The question for the consensus, from which the page starts when it solves again."""

    seed: str
    """of the search; as text, as JavaScript has no whole numbers of 64 bits"""
    effort: str
    """of the search: `quick`, `normal` or `thorough`"""
    limit: int | None
    """the limit on cliques, if one was requested"""
    max_table: int | None
    """the most numbers in the table of a clique"""
    states: list[int] | None
    """the number of states of each variable; None if not known"""
    directions: str | None
    """the rule on directions, if it is not the default"""
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
    """the positions of the boxes"""
    consensus: Steps
    """its arcs"""
    fusion: Steps | None
    """the arcs of the full fusion"""
    required: list[int]
    """the arcs that the constraints require"""
    why: list[Why]
    """the reasons for each arc of the consensus"""
    joined: list[ArcWeight]
    """for the arcs of the consensus that no input has: the weight of the inputs in which the two have a child"""
    inputs: list[PageInput]
    """empty if only counts are known"""
    counts: list[ArcWeight] | None
    """for each arc, the weight of the inputs that have it; None if it follows from their arcs"""
    stability: PageStability | None
    """None if the inputs are not resamples"""
    weight: int
    """of all inputs"""
    parts: int
    """the number of parts of the vote of an input of weight 1"""
    seen: list[ArcWeight]
    """for the joined pairs, source before target: the weight of the inputs that have both, if not all have"""
    unjudged: Steps
    """the pairs, source before target, that no input has together"""
    reasons: dict[str, Reason]
    """by the arcs that inputs have but the consensus lacks, and by the reversals of its arcs that no input has"""
    disputes: PageDisputes | None
    """None if they were not solved, as for other limits; the page then has only the effects of single moves"""
    facts: Facts
    """sentences and numbers"""
    compared: list[ComparedNetwork]
    """the consensus first, then the networks that people would use instead"""
    between: Between | None
    """None if there are not two inputs to compare"""
    history: list[SearchStep]
    """the history of the search, at most 400 steps of it"""
    frontier: list[OtherLimit]
    """empty if no other limits were searched"""
    steps_through_tables: bool
    """whether the limits of the frontier are limits on clique tables"""
    cliques: Cliques
    """of the triangulated moral graph"""
    marks: list[str]
    """properties of a file with the consensus"""
    tables: PageTables | None
    """None if the consensus has none"""
    origin: PageOrigin
    """files, command, version and options"""
    limits: Limits | None = None
    """None if the networks of other limits are not known"""
    question: PageQuestion | None = None
    """None if the page cannot solve again"""
    not_again: str | None = None
    """the reason why it cannot, as a sentence; None if it can, or if it was not requested"""
    numbers: PageNumbers | None = None
    """for a Gaussian consensus; None for any other"""
    labels: tuple[str, ...] | None = None
    """the labels of the boxes, if the page has to make them: a report has them in its picture"""
