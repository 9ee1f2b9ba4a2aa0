"""The main function for schools: how many there are among the inputs, and the network of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack

import numpy as np

from bnfuse._base.options import at_least, option_name
from bnfuse._base.public import public
from bnfuse._base.texts import count
from bnfuse.answer.consensus import MoreOptions, answered
from bnfuse.answer.question import Options, Question
from bnfuse.answer.schools.division.fits import best_fit, linked_start, spread_starts
from bnfuse.answer.schools.division.panel import Panel, places_of
from bnfuse.answer.schools.division.search import SchoolSearch
from bnfuse.answer.schools.families import Families
from bnfuse.answer.schools.result import School, Schools
from bnfuse.answer.schools.rule import FEWEST, LEVEL, Rule, SchoolTest, isolated
from bnfuse.errors import OptionError
from bnfuse.fusion.weights import Weights
from bnfuse.graphs.dag import refuse_many
from bnfuse.problem.constraints import Arc, Constraints, Forbidden
from bnfuse.problem.inputs import Inputs, InputsLike
from bnfuse.problem.problem import Problem
from bnfuse.search.direct import DirectOptions
from bnfuse.search.run import Callback, Run

MOST_SCHOOLS = 8
"""the most schools that the rule finds"""
_MOST_INPUTS, _MOST_VARIABLES = 30, 100
"""the most inputs for which `consensus` also looks for groups: it takes some tenths of a second"""
_LEAST = 2  # inputs in a school that the rule chose
_STARTS = 40


@public
def schools(
    dags: InputsLike,
    k: int | None = None,
    max_clique: int | None = None,
    metric: Literal["smhd", "shd"] = "smhd",
    *,
    variables: Literal["same", "union", "shared"] = "same",
    weights: Weights | None = None,
    constraints: Constraints | None = None,
    required: Iterable[Arc] = (),
    forbidden: Iterable[Forbidden] = (),
    tiers: Iterable[Iterable[str]] | None = None,
    max_parents: int | None = None,
    directions: Literal["any", "seen", "majority"] | None = None,
    effort: Literal["quick", "normal", "thorough"] | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Callback | None = None,
    **more: Unpack[MoreOptions],
) -> Schools:
    """The schools of thought among the inputs: k networks that are together closest to them.

    Each input counts for the network nearest to it. Without `k`, a cautious rule chooses the number: inputs far from
    every other one are set aside, and a group is divided only if two tests agree that it consists of two. The tests
    count every input once, whatever its weight, and compare moral graphs, for SHD too. For an equivalence class they
    use one member, for arc votes the arcs with more than half. Networks learned from very different numbers of rows are
    divided for that reason alone.

    Parameters
    ----------
    dags
        The inputs, as in `consensus`; not tallies, which have no individual inputs.
    k
        The number of schools. By default the rule chooses; with 7 inputs or more it can find more than one.
    max_clique
        The largest clique that the network of a school may have, as in `consensus`.
    metric
        The distance: "smhd" or "shd".
    variables, weights
        As in `consensus`.
    constraints, required, forbidden, tiers, max_parents, directions
        Constraints on the network of each school, as in `consensus`. The rule on directions goes by the inputs of the
        school.
    effort
        How hard to search for the networks of the schools, as in `consensus`; how to divide the inputs is always
        searched quickly.
    seed
        The same inputs, options and seed give the same result on any number of threads.
    time_limit
        In seconds. When the time limit or Ctrl-C ends the search, the best schools so far are returned; `stopped_by`
        says which. The tests that choose the number always run to the end.
    progress
        Called with a `Progress` after each step of the last searches.
    **more
        Options that few people need, as in `consensus`: `max_table`, `states`, `marginalise`, `support`, `soft` and
        `threads`.

    Returns
    -------
    Schools
        The networks, their inputs, the arcs that separate them, and a proven bound.

    Raises
    ------
    OptionError
        Invalid options, more schools than different inputs, or inputs that are not networks.
    ConstraintError
        Constraints that contradict each other.
    MismatchError
        Networks over different variables.

    See Also
    --------
    consensus : one network for all inputs.
    disputes : the pairs of variables on which inputs disagree.

    Examples
    --------
    Two opinions say that smoking causes cancer, two that both have a common cause:

    >>> import bnfuse
    >>> variables = ["Smoker", "Cancer", "Gene"]
    >>> cause = bnfuse.DAG(variables, [("Smoker", "Cancer")])
    >>> common = bnfuse.DAG(variables, [("Gene", "Smoker"), ("Gene", "Cancer")])
    >>> found = bnfuse.schools([cause, common, cause, common], k=2)
    >>> [school.dag.edges for school in found.schools]
    [(('Smoker', 'Cancer'),), (('Gene', 'Smoker'), ('Gene', 'Cancer'))]
    >>> found.assignment
    {'1': 1, '2': 2, '3': 1, '4': 2}

    Four are too few to say whether there are two schools:

    >>> bnfuse.schools([cause, common, cause, common]).k
    1
    """
    asked: dict[str, Any] = {
        "max_clique": max_clique,
        "metric": metric,
        "method": "direct",
        "variables": variables,
        "weights": weights,
        "constraints": constraints,
        "required": required,
        "forbidden": forbidden,
        "tiers": tiers,
        "max_parents": max_parents,
        "directions": directions,
        "effort": effort,
        "seed": seed,
        "time_limit": time_limit,
        "progress": progress,
        **more,
    }
    return solved_schools(dags, Question.of(asked), k)


def solved_schools(dags: InputsLike, question: Question, k: int | None = None) -> Schools:
    """The answer to a question about the schools among some inputs; the clock starts now."""
    run = replace(question.run)
    wanted = None if k is None else at_least("k", k, 1)
    _check(question)
    inputs = question.inputs(dags)
    _check_inputs(inputs)
    return schools_of(question.problem(inputs), run, question.method, wanted)


def schools_of(problem: Problem, run: Run, options: Options, k: int | None = None) -> Schools:
    """The schools among the inputs of a problem."""
    _check_metric(problem.metric, problem.target)
    _check_inputs(problem.inputs)
    panel = Panel(problem)
    if k is not None:
        _check_number(panel, k)
        chosen = _Chosen(k, tuple(range(panel.size)))
    else:
        chosen = chosen_number(panel, run.seed)
    search = SchoolSearch(panel, run, options)
    least = 1 if k is not None else min(_LEAST, len(chosen.places) // chosen.k)
    division, bound = search.division(chosen.places, chosen.k, least)
    _, single = search.network(tuple(range(panel.size)))
    names = problem.names
    found = tuple(
        School(
            number + 1,
            tuple(names[i] for i in group),
            answered(panel.problem_of(group), run, options, found, 0.0),
        )
        for number, (group, found) in enumerate(zip(division.groups, division.found, strict=True))
    )
    return Schools(
        problem,
        found,
        answered(problem, run, options, single, 0.0),
        chosen.tests,
        tuple(names[i] for i in range(panel.size) if i not in set(chosen.places)),
        bound,
        run.seed,
        run.clock.seconds,
        "finished" if not search.is_over else search.stopped_by,
        problem.inputs.notes,
    )


def falls_into_groups(problem: Problem, seed: int = 0) -> bool:
    """Whether the rule finds more than one group; not tried on problems for which that would take long."""
    inputs = problem.inputs
    is_possible = problem.metric != "fsim" and problem.target == "inputs" and not inputs.tally.is_of_resamples
    is_cheap = FEWEST <= len(problem.names) <= _MOST_INPUTS and len(problem.variables) <= _MOST_VARIABLES
    if not (is_possible and is_cheap and inputs.input_votes):
        return False
    panel = Panel(problem)
    return Rule(_families(panel), problem.names, seed).test(_kept(panel), in_full=False).splits


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The number of schools, their inputs, and the reason."""

    k: int
    places: tuple[int, ...]
    tests: tuple[SchoolTest, ...] = ()


def chosen_number(panel: Panel, seed: int) -> _Chosen:
    """The decision of the rule: groups are divided as long as both tests divide one of them."""
    places = _kept(panel)
    rule = Rule(_families(panel), panel.problem.names, seed)
    groups, tests = [places], list[SchoolTest]()
    while True:
        testable = sum(len(group) >= FEWEST for group in groups)
        found = [rule.test(group, LEVEL / max(testable, 1)) for group in groups]
        tests += found if len(groups) == 1 else [one for one in found if one.halves is not None]
        k = len(groups) + 1
        if not any(one.splits for one in found) or k > MOST_SCHOOLS:
            return _Chosen(len(groups), places, tuple(tests))
        divided = _divided(panel, places, k, seed)
        if divided is None:
            return _Chosen(len(groups), places, tuple(tests))
        groups = divided


def _divided(panel: Panel, places: tuple[int, ...], k: int, seed: int) -> list[tuple[int, ...]] | None:
    """The inputs in k groups, without the clique limit and with equal weights; None if that is not possible."""
    chosen = list(places)
    between = panel.between[np.ix_(chosen, chosen)]
    random = np.random.default_rng([seed, k])
    starts = np.concatenate([linked_start(between, k), spread_starts(between, k, _STARTS, random)])
    fit = best_fit(panel.votes[chosen], k, starts, _LEAST)
    return None if fit is None else [tuple(places[i] for i in group) for group in places_of(fit.labels)]


def _kept(panel: Panel) -> tuple[int, ...]:
    """The inputs that are not far from every other one."""
    apart = set(isolated(panel.between))
    return tuple(i for i in range(panel.size) if i not in apart)


def _families(panel: Panel) -> Families:
    inputs = panel.problem.inputs
    return Families(inputs.input_votes, inputs.variables)


def _check(question: Question) -> None:
    """Refuse options that schools do not have."""
    _check_metric(question.metric, question.target)
    if not isinstance(question.method, DirectOptions):
        raise OptionError("schools are searched by the method 'direct'")
    if question.prove:
        raise OptionError(f"schools have a bound of their own; leave {option_name('prove')} out")


def _check_metric(metric: str, target: str) -> None:
    if metric == "fsim":
        raise OptionError(f"schools need {option_name('metric')} smhd or shd: fsim has no bound, and no votes on pairs")
    if target != "inputs":
        raise OptionError(f"schools are measured to inputs, not to their fusion; leave {option_name('target')} out")


def _check_inputs(inputs: Inputs) -> None:
    if not inputs.input_votes:
        raise OptionError("schools need the inputs themselves; a tally has only counts")
    refuse_many(len(inputs.variables), "looking for schools")


def _check_number(panel: Panel, k: int) -> None:
    name, inputs = option_name("k"), count(panel.size, "input")
    if k > panel.size:
        raise OptionError(
            f"{name} is {k}, but there {'is' if panel.size == 1 else 'are'} only {inputs} (of weight above 0)"
        )
    if k > max(panel.kinds, 1):
        kinds = "all inputs are alike" if panel.kinds <= 1 else f"only {panel.kinds} of {inputs} are different"
        raise OptionError(f"{name} is {k}, but {kinds} in {panel.problem.metric}; give at most {max(panel.kinds, 1)}")
