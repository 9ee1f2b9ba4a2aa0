"""The question: all options of a consensus, without the inputs.

Each option is declared once, as a field with its type, default, check and help: here, or in the part of the question to
which it belongs. `consensus`, `frontier`, the command line, `bnfuse serve`, the federation and saved results all make a
`Question`, so an option means the same everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeAlias

from bnfuse._base.options import check_options, flag, like, one_of, option, option_name, refuse_unknown
from bnfuse.errors import ConstraintError, OptionError
from bnfuse.fusion.weights import Weights
from bnfuse.graphs.dag import refuse_many
from bnfuse.problem.constraints import NO_CONSTRAINTS, Constraints
from bnfuse.problem.inputs import PLAIN, InputOptions, Inputs, InputsLike, StatesLike
from bnfuse.problem.problem import Problem
from bnfuse.search.direct import DirectOptions
from bnfuse.search.majority import MajorityOptions
from bnfuse.search.paper.genetic import GeneticOptions
from bnfuse.search.paper.greedy import GreedyOptions
from bnfuse.search.paper.min_cut import MinCutOptions
from bnfuse.search.proof.proof import check_provable
from bnfuse.search.run import Run

Options: TypeAlias = DirectOptions | GeneticOptions | GreedyOptions | MajorityOptions | MinCutOptions
"""The options of a method; their type identifies the method."""
METHODS: dict[str, type[Options]] = {
    "direct": DirectOptions,
    "genetic": GeneticOptions,
    "greedy": GreedyOptions,
    "majority": MajorityOptions,
    "min-cut": MinCutOptions,
}
"""The options by the name of the method."""

OFTEN = ("effort", "threshold", "candidates", "preset", "population", "generations", "min_cut")
"""The options of methods that can be given by name. All of them are fields of the objects that `method` takes."""


@dataclass(frozen=True)
class Question:
    """The question about some inputs, and how the answer is searched."""

    max_clique: int | None = like(Problem, "max_clique")
    max_table: int | float | str | None = like(Problem, "max_table")
    metric: Literal["smhd", "fsim", "shd"] = like(Problem, "metric")
    target: Literal["inputs", "fused"] = like(Problem, "target")
    weights: Weights | None = option(None, "How much each input counts; 0 leaves it out.")
    states: StatesLike | None = option(None, "The states of the variables, if the inputs do not define them.")
    prove: bool = option(
        False,
        "Direct: tighten the bound until the answer is proven optimal, the time limit is reached or Ctrl-C is pressed.",
        flag,
    )
    constraints: Constraints = NO_CONSTRAINTS
    reading: InputOptions = PLAIN
    method: Options = field(default_factory=DirectOptions)
    run: Run = field(default_factory=Run)

    def __post_init__(self) -> None:
        check_options(self)
        if self.prove:
            if not isinstance(self.method, DirectOptions):
                raise OptionError(f"{option_name('prove')} goes with the method 'direct', as it proves its answers")
            check_provable(self.metric)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Question:
        """The question from options by name; None stands for the default of a method's option."""
        own = {name: value for name, value in given.items() if DECLARED.get(name) is cls}
        rules = {name: value for name, value in given.items() if DECLARED.get(name) is Constraints}
        reading = {name: value for name, value in given.items() if DECLARED.get(name) is InputOptions}
        run = {name: value for name, value in given.items() if DECLARED.get(name) is Run}
        beside = {name: value for name, value in given.items() if name not in DECLARED}
        rest = {name: value for name, value in beside.items() if value is not None or name not in _MAY_BE_NONE}
        method, whole = rest.pop("method", "direct"), rest.pop("constraints", None)
        return cls(
            **own,
            constraints=_constraints(whole, rules),
            reading=InputOptions(**reading),
            method=method_of(method, rest),
            run=Run(**run),
        )

    def inputs(self, dags: InputsLike) -> Inputs:
        """The inputs, read as the question requires."""
        return Inputs.of(dags, self.weights, self.states, self.reading)

    def problem(self, inputs: Inputs, **limits: Any) -> Problem:
        """The problem for given inputs; with other limits than its own if these are given."""
        asked: dict[str, Any] = {"max_clique": self.max_clique, "max_table": self.max_table, **limits}
        if self.prove:
            refuse_many(len(inputs.variables), option_name("prove"))
        problem = Problem(inputs, metric=self.metric, target=self.target, constraints=self.rules, **asked)
        self.constraints.check_directions(inputs.tally)
        return problem

    @property
    def rules(self) -> Constraints:
        """The constraints, with the rule on directions that applies by default."""
        rules = self.constraints
        return (
            rules
            if rules.directions is not None
            else replace(rules, directions=usual_directions(self.method, self.metric, self.target))
        )


def usual_directions(method: Options | str, metric: str, target: str = "inputs") -> Literal["any", "majority"]:
    """The default rule on directions: "majority" for searches that can follow it at little cost.

    The paper's searches, and the full fusion as a target, reverse arcs as fusion requires; FSim is the paper's own
    distance, in which directions count.
    """
    name = method if isinstance(method, str) else method_name(method)
    keeps = name in _FOLLOW_THE_MAJORITY and metric != "fsim" and target == "inputs"
    return "majority" if keeps else "any"


_FOLLOW_THE_MAJORITY = ("direct", "majority")
_MAY_BE_NONE = (*OFTEN, "constraints")
_PARTS = ("constraints", "reading", "method", "run")
DECLARED: dict[str, type] = {
    one.name: kind
    for kind in (Question, Constraints, InputOptions, Run)
    for one in fields(kind)
    if one.init and one.name not in _PARTS
}
"""The options that all methods have, and where each is declared."""


def method_of(method: str | Options, given: Mapping[str, Any]) -> Options:
    """A method by its name and options, or unchanged if it is an object."""
    name = method_name(method) if isinstance(method, Options) else one_of("method", method, METHODS)
    kind: Any = METHODS[name]
    known = [] if isinstance(method, Options) else [one for one in OFTEN if _has(name, one)]
    for one in (one for one in given if one not in known):
        if not (owners := [other for other in METHODS if _has(other, one)]):
            has = [field.name for field in fields(kind)]
            refuse_unknown([one], [*DECLARED, "method", "constraints", *has], f"the {name} search has {', '.join(has)}")
        if name in owners:
            raise OptionError(f"{one!r} belongs in the object of the method: method=bnfuse.{kind.__name__}({one}=...)")
        raise OptionError(f"the method {name} has no option {option_name(one)}; it goes with {' or '.join(owners)}")
    if isinstance(method, Options):
        return method
    options: Options = GeneticOptions.from_preset(**given) if name == "genetic" else kind(**given)
    return options


def _has(method: str, option: str) -> bool:
    return option in (one.name for one in fields(METHODS[method])) or (method == "genetic" and option == "preset")


def method_name(options: Options) -> str:
    """The name of the method that has these options."""
    return next(name for name, kind in METHODS.items() if isinstance(options, kind))


def _constraints(whole: Constraints | None, single: Mapping[str, Any]) -> Constraints:
    """Constraints as one object, or one by one."""
    given = {name: value for name, value in single.items() if not _is_unsaid(value)}
    if whole is None:
        return Constraints(**given)
    if not isinstance(whole, Constraints):
        raise ConstraintError(f"constraints must be a bnfuse.Constraints, got {type(whole).__name__}")
    if given:
        raise ConstraintError(f"give either constraints or {next(iter(given))}, not both")
    return whole


def _is_unsaid(value: object) -> bool:
    return value is None or (isinstance(value, Sequence) and not isinstance(value, str) and not value)
