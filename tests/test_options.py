"""An option is declared once: function, command line, saved file and types agree with the declaration."""

from __future__ import annotations

import functools
import inspect
import io
import json
import math
import re
from collections.abc import Callable
from dataclasses import MISSING, asdict, fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, Unpack, get_args, get_origin, get_type_hints

import numpy as np
import pandas
import pytest
import typer

import bnfuse
from bnfuse import ConstraintError, Constraints, OptionError, consensus, frontier
from bnfuse._base.options import default_of, help_of
from bnfuse.answer.consensus import FrontierOptions, MoreOptions
from bnfuse.answer.question import DECLARED, METHODS, OFTEN, Question, usual_directions
from bnfuse.commands import app
from bnfuse.data.data import Data
from bnfuse.graphs.network import Network
from bnfuse.inference.parameters import fit
from bnfuse.search.direct import DirectOptions
from bnfuse.search.majority import MajorityOptions
from bnfuse.search.paper.genetic import PRESETS, GeneticOptions
from bnfuse.search.paper.greedy import GreedyOptions
from bnfuse.search.paper.min_cut import MinCutOptions
from bnfuse.serve.workspace.state import OPTIONS, State
from strategies import random_dag

DAGS = [random_dag(seed, 6, 1.3) for seed in range(3)]
METHODS_OWN = [name for name in OFTEN if name != "preset"]
OF_METHODS = {one.name: kind for kind in METHODS.values() for one in fields(kind)}
FLAGS = {"require": "required", "forbid": "forbidden", "weight": "weights"}
SWITCHES = {one.name for one in fields(GeneticOptions)} - set(OFTEN)
"""The paper's and its program's ways, which only `GeneticOptions` has."""


def default(option: str) -> Any:
    """None where an option of a method is not given: the method has its own."""
    return default_of(DECLARED[option], option) if option in DECLARED else None


def as_typed(kind: Any) -> dict[str, str]:
    """The types of options but None; what a caller may give as any iterable is kept as a sequence."""
    where = kind.__init__.__globals__ if is_dataclass(kind) else None  # a public name says that it is from bnfuse
    parts = {
        name: get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        for name, hint in get_type_hints(kind, where).items()
    }
    return {
        name: re.sub("Iterable|Sequence", "Many", str([one for one in of if one is not NoneType]))
        for name, of in parts.items()
    }


def declared_by(option: str) -> type:
    """The dataclass that declares an option: its default, check and help."""
    kinds = (kind for kind in METHODS.values() if option in (one.name for one in fields(kind)))
    return DECLARED.get(option) or next(kinds)


def test_function_command_line_serve_and_saved_file_take_what_is_declared(tmp_path: Path) -> None:
    """Every option has one declaration, with one default and one help text; nobody has options beside it."""
    function = inspect.signature(consensus).parameters
    taken = set(function) - {"more"} | set(MoreOptions.__annotations__)
    assert taken - {"dags", "method", "constraints"} == set(DECLARED) | set(OFTEN)
    assert taken - {"dags", "method", "max_clique", "max_table"} == set(FrontierOptions.__annotations__)
    shown = {name: one.default for name, one in function.items() if name in DECLARED}
    assert shown == {name: None if name == "tiers" else default(name) for name in shown}

    group: Any = typer.main.get_command(app)
    for command in ("consensus", "frontier"):
        options = {FLAGS.get(one.name, one.name): one for one in group.commands[command].params}
        assert set(DECLARED) - {"progress"} | set(OFTEN) <= set(options)
        several = {"max_clique", "max_table"} if command == "frontier" else set()
        for name in set(DECLARED) - {"progress", "weights", "states"} - several | set(METHODS_OWN):
            text, told = help_of(declared_by(name), name), options[name].help
            assert text in told or f"{text[:1].lower()}{text[1:]}" in told
            assert options[name].default in (None, default(name))

    workspace = State().to_json()
    of_workspace = workspace.keys() & DECLARED.keys()
    assert set(OPTIONS) | {"max_clique"} == of_workspace
    resolved = {"directions": usual_directions("direct", "smhd")}
    assert {name: workspace[name] for name in of_workspace} == {name: default(name) for name in of_workspace} | resolved

    consensus(DAGS, 3).save(tmp_path / "c.json")
    saved = json.loads((tmp_path / "c.json").read_text())
    flat = saved | saved["constraints"] | saved["reading"]
    assert set(DECLARED) - {"weights", "threads", "time_limit", "progress", "prove"} <= set(flat)
    kept = DECLARED.keys() & flat.keys() - {"max_clique", "states", "variables"}
    told = {name: tuple(flat[name]) if isinstance(flat[name], list) else flat[name] for name in kept}
    assert told == {name: default(name) for name in kept} | resolved


def test_the_papers_switches_are_not_in_the_signature() -> None:
    assert len(SWITCHES) == 11
    assert not SWITCHES & (set(inspect.signature(consensus).parameters) | set(FrontierOptions.__annotations__))
    for name in SWITCHES:
        with pytest.raises(
            OptionError, match=rf"'{name}' belongs in the object of the method: method=bnfuse.GeneticOptions"
        ):
            consensus(DAGS, method="genetic", **{name: "x"})  # type: ignore[arg-type]


def test_types_are_those_of_the_declaration() -> None:
    function, more, typed = as_typed(consensus), as_typed(MoreOptions), as_typed(FrontierOptions)
    for name, wanted in typed.items():
        assert wanted == (function | more)[name]
    for name in set(DECLARED) - {"threads", "progress", "max_clique", "max_table"}:
        assert typed[name] == as_typed(DECLARED[name])[name], name
    for name in METHODS_OWN:
        assert typed[name] == as_typed(OF_METHODS[name])[name], name


def test_a_callers_dictionary_stays_as_it_is() -> None:
    given = {"max_clique": 3, "method": "majority", "threshold": 0.4, "required": [DAGS[0].edges[0]], "seed": 1}
    before = dict(given)
    assert isinstance(Question.of(given).method, MajorityOptions)
    assert given == before


@pytest.mark.parametrize("method", METHODS)
def test_a_saved_file_has_every_option_of_the_method(method: Any, tmp_path: Path) -> None:
    consensus(DAGS, 3, method=method).save(tmp_path / "c.json")
    saved = json.loads((tmp_path / "c.json").read_text())
    assert set(saved["options"]) == {one.name for one in fields(METHODS[method])} | {"method"}


def test_every_declared_option_has_a_help_text_and_a_default() -> None:
    for name, kind in (DECLARED | OF_METHODS).items():
        one = next(one for one in fields(kind) if one.name == name)
        assert one.metadata["help"].endswith(".")
        assert one.default is not MISSING


# The method as a name, or as its options


@pytest.mark.parametrize(
    "options",
    [
        DirectOptions("quick"),
        GeneticOptions(population=8, generations=2),
        GreedyOptions("fused"),
        MajorityOptions(0.3),
        MinCutOptions(0.5, "last"),
    ],
)
def test_a_method_can_be_given_as_its_options(options: Any) -> None:
    method = next(name for name, kind in METHODS.items() if isinstance(options, kind))
    given = {one.name: getattr(options, one.name) for one in fields(options)}
    by_name = {name: value for name, value in given.items() if name in OFTEN}
    if given == asdict(METHODS[method](**by_name)):  # the rest has its defaults
        assert consensus(DAGS, 3, method=options) == consensus(DAGS, 3, method=method, **by_name)
    with pytest.raises(OptionError, match=r"belongs in the object|has no option effort"):
        consensus(DAGS, 3, method=options, effort="quick")


@pytest.mark.parametrize("method", ["direct", "majority"])
def test_candidates_belong_to_the_methods_that_have_them(method: str) -> None:
    with pytest.raises(OptionError, match=f"{method} has no option candidates; it goes with genetic or greedy"):
        consensus(DAGS, 3, method=method, candidates="fused")


def test_a_preset_is_a_set_of_options() -> None:
    short = {"population": 8, "generations": 2}
    by_name = consensus(DAGS, 3, method="genetic", preset="paper", **short)  # type: ignore[arg-type]
    assert by_name.options == GeneticOptions.from_preset("paper", **short)
    assert by_name.options != PRESETS["paper"]


def test_constraints_are_given_one_by_one_or_whole() -> None:
    arc = DAGS[0].edges[0]
    whole = Constraints(required=[arc], max_parents=2)
    assert consensus(DAGS, 3, effort="quick", constraints=whole) == consensus(
        DAGS, 3, effort="quick", required=[arc], max_parents=2
    )
    with pytest.raises(ConstraintError, match="either constraints or max_parents"):
        consensus(DAGS, 3, constraints=whole, max_parents=2)
    with pytest.raises(ConstraintError, match=r"must be a bnfuse\.Constraints, got dict"):
        consensus(DAGS, 3, constraints={"max_parents": 2})  # type: ignore[arg-type]


def test_what_a_user_may_need_is_public() -> None:
    public = (Constraints, DirectOptions, GeneticOptions, GreedyOptions, MajorityOptions, MinCutOptions)
    assert all(getattr(bnfuse, kind.__name__) is kind and kind.__name__ in bnfuse.__all__ for kind in public)


WORDS = {
    "consensus": lambda **word: consensus(DAGS, **word),
    "frontier": lambda **word: frontier(DAGS, **word),
    "clique_size": lambda **word: bnfuse.clique_size(DAGS[0], **word),
    "read": lambda **word: bnfuse.read(io.BytesIO(b"from,to\na,b\n"), **word),
    "learn": lambda **word: bnfuse.learn(ROWS, **word),
    "discretised": lambda **word: bnfuse.discretised(ROWS, **word),
    "bootstrap": lambda **word: bnfuse.bootstrap(ROWS, learner=lambda _: DAGS[0], **word),
    "Tally.add": lambda **word: bnfuse.Tally(["a", "b"]).add(bnfuse.ArcVotes(["a", "b"], [[0, 1], [0, 0]]), **word),
    "GeneticOptions.from_preset": GeneticOptions.from_preset,
    "Constraints": Constraints,
    **{kind.__name__: kind for kind in METHODS.values() if any("Literal" in str(one.type) for one in fields(kind))},
}
ROWS = Data(("a", "b"), {"a": ("0", "1"), "b": ("0", "1")}, np.array([[0, 1], [1, 0], [1, 1]]))


def words_of(function: Any) -> dict[str, tuple[str, ...]]:
    """The arguments that are typed as one of several words, those that come as keywords of a TypedDict too."""
    hints = get_type_hints(function.__init__ if isinstance(function, type) else function)
    for hint in list(hints.values()):
        if get_origin(hint) is Unpack and function is not bnfuse.bootstrap:  # whose own learner takes none of them
            hints |= get_type_hints(get_args(hint)[0])
    found = {}
    for name, hint in hints.items():
        literals = [part for part in (hint, *get_args(hint)) if get_origin(part) is Literal]
        if name != "return" and literals and isinstance(get_args(literals[0])[0], str):
            found[name] = get_args(literals[0])
    return found


def known_to(kind: Any) -> set[str]:
    return {one.name for one in fields(kind)} | ({"preset"} if kind is GeneticOptions else set())


@pytest.mark.parametrize("name", WORDS)
def test_the_words_that_a_type_names_are_those_that_are_taken(name: str) -> None:
    """So what an editor or a notebook offers is right, and complete."""
    function: Any = functools.reduce(getattr, name.split("."), bnfuse)
    typed = words_of(function)
    assert typed
    for option, words in typed.items():
        owner = next((method for method, kind in METHODS.items() if option in known_to(kind)), None)
        method = {"method": owner} if owner and name in ("consensus", "frontier") else {}
        with pytest.raises(OptionError) as refused:
            WORDS[name](**method, **{option: "nonsense"})
        known = str(refused.value).partition(";")[0]
        assert sorted(re.findall(r"'([^']*)'", known)) == sorted(words), option
        assert option in known


def test_notebooks_complete_options_that_come_as_keywords() -> None:
    """Completion looks at the signature, where `**options` alone would not help."""
    hidden = {frontier: "metric", bnfuse.learn: "bins", bnfuse.bootstrap: "score"}
    for function, option in hidden.items():
        parameters = inspect.signature(function).parameters
        assert not [one for one in parameters.values() if one.kind is inspect.Parameter.VAR_KEYWORD]
        assert parameters[option].kind is inspect.Parameter.KEYWORD_ONLY
    shown = inspect.signature(frontier).parameters["metric"].annotation.replace('"', "'")
    assert shown == "Literal['smhd', 'fsim', 'shd']"


@pytest.mark.parametrize("name", ["t", "k", "tw", "treewidth", "max_treewidth"])
def test_a_limit_by_another_name_is_told_its_name_here(name: str) -> None:
    said = f"unknown option '{name}': max_clique limits the largest clique; for treewidth k it is k \\+ 1"
    data = pandas.DataFrame({"A": ["x", "y"] * 3, "B": ["x", "y"] * 3})
    for function, given in ((consensus, DAGS), (frontier, DAGS), (bnfuse.learn, data), (bnfuse.bootstrap, data)):
        with pytest.raises(OptionError, match=said):
            function(given, **{name: 3})  # type: ignore[operator]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"max_cliques": 3}, "max_clique"),
        ({"weight": [1, 2, 3]}, "weights"),
        ({"efort": "quick"}, "effort"),
        ({"method": "genetics"}, "genetic"),
        ({"metric": "SMHD"}, "smhd"),
        ({"effort": "thorogh"}, "thorough"),
        ({"directions": "majorty"}, "majority"),
        ({"method": "greedy", "candidates": "per network"}, "per-network"),
        ({"method": "genetic", "preset": "papers"}, "paper"),
        ({"variables": "unions"}, "union"),
        ({"required": [("v0", "V1")]}, "V0"),
        ({"tiers": [["v0"]]}, "V0"),
        ({"states": {"v0": 2}}, "V0"),
    ],
)
def test_a_name_that_is_nearly_right_brings_the_right_one(given: dict[str, Any], meant: str) -> None:
    dags = [bnfuse.DAG(["V0", "V1"], [("V0", "V1")])] * 3
    with pytest.raises(bnfuse.BnfuseError, match=rf"\(did you mean '{meant}'\?\)"):
        consensus(dags, **given)


# Numbers of any type


def small_network() -> Network:
    states, tables = {"A": ["n", "y"], "B": ["n", "y"]}, {"A": [0.3, 0.7], "B": [[0.9, 0.1], [0.1, 0.9]]}
    return Network(bnfuse.DAG(["A", "B"], [("A", "B")]), states=states, cpts=tables)


NETWORK = small_network()
ROWS = NETWORK.sample(40)
QUICK = functools.partial(consensus, DAGS, 3, effort="quick")
WHOLE: dict[str, tuple[Callable[[Any], Any], int]] = {
    "max_clique": (lambda value: consensus(DAGS, value, effort="quick"), 3),
    "max_parents": (lambda value: QUICK(max_parents=value), 2),
    "seed": (lambda value: QUICK(seed=value), 3),
    "threads": (lambda value: QUICK(threads=value), 1),
    "max_table": (lambda value: consensus([NETWORK] * 2, max_table=value, effort="quick"), 16),
    "states": (lambda value: QUICK(max_table=64, states=dict.fromkeys(DAGS[0].variables, value)), 2),
    "limits on cliques": (lambda value: frontier(DAGS, [value], effort="quick"), 3),
    "limits on tables": (lambda value: frontier([NETWORK] * 2, max_table=[value], effort="quick"), 16),
    "population": (lambda value: consensus(DAGS, 3, method="genetic", population=value, generations=1), 5),
    "generations": (lambda value: consensus(DAGS, 3, method="genetic", population=5, generations=value), 1),
    "offspring": (lambda value: consensus(DAGS, 3, method=GeneticOptions(population=5, offspring=value)), 2),
    "learn max_clique": (lambda value: bnfuse.learn(ROWS, max_clique=value), 2),
    "learn max_parents": (lambda value: bnfuse.learn(ROWS, max_parents=value), 1),
    "learn max_table": (lambda value: bnfuse.learn(ROWS, max_table=value), 16),
    "tabu": (lambda value: bnfuse.learn(ROWS, method="climb", tabu=value), 2),
    "restarts": (lambda value: bnfuse.learn(ROWS, method="climb", restarts=value), 1),
    "bins": (lambda value: bnfuse.learn(ROWS, bins=value), 2),
    "resamples": (lambda value: bnfuse.bootstrap(ROWS, value).run(), 2),
    "first": (lambda value: bnfuse.bootstrap(ROWS, 2, first=value).run(), 2),
    "n": (lambda value: NETWORK.sample(value).codes.tolist(), 3),
    "sample seed": (lambda value: NETWORK.sample(3, seed=value).codes.tolist(), 3),
    "max_states": (lambda value: bnfuse.clique_size(DAGS[0], "exact", max_states=value), 99),
    "fuse threads": (lambda value: bnfuse.fuse(DAGS, threads=value), 2),
    "fsim threads": (lambda value: bnfuse.fsim(DAGS[0], DAGS, threads=value), 2),
    "order weights": (lambda value: bnfuse.order(DAGS, weights=[1, value, 1]), 2),
    "tally weight": (lambda value: bnfuse.Tally(DAGS[0].variables).add(DAGS[0], value), 2),
    "votes": (lambda value: bnfuse.ArcVotes.from_counts({("A", "B"): value}, of=value, networks=value).networks, 4),
    "samples": (lambda value: bnfuse.ArcVotes(["A"], [[0]]).sampled_moral(value, seed=value).tolist(), 3),
}
REAL: dict[str, tuple[Callable[[Any], Any], float]] = {
    "time_limit": (lambda value: QUICK(time_limit=value), 1000.0),
    "threshold": (lambda value: consensus(DAGS, 3, method="majority", threshold=value), 0.25),
    "min_cut": (lambda value: consensus(DAGS, 3, method="min-cut", min_cut=value), 0.5),
    "weights": (lambda value: QUICK(weights=[1, value, value]), 0.5),
    "sample_size": (lambda value: bnfuse.learn(ROWS, "bdeu", sample_size=value), 2.5),
    "learn time_limit": (lambda value: bnfuse.learn(ROWS, time_limit=value), 1000.0),
    "bootstrap time_limit": (lambda value: bnfuse.bootstrap(ROWS, 2, time_limit=value).run(), 1000.0),
    "prior": (lambda value: fit(NETWORK, ROWS, prior=value).network, 0.5),
    "strength": (lambda value: bnfuse.ArcVotes.from_strengths([("A", "B", value, value)]), 0.5),
}


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.uint64])
@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_may_be_of_any_type(name: str, kind: type) -> None:
    use, value = WHOLE[name]
    assert use(kind(value)) == use(value)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, Fraction])
@pytest.mark.parametrize("name", REAL)
def test_real_numbers_may_be_of_any_type(name: str, kind: Any) -> None:
    use, value = REAL[name]
    assert use(kind(value)) == use(value)


@pytest.mark.parametrize("value", [True, np.True_, "3", 2.5, np.float64(3), [3]])
@pytest.mark.parametrize("name", ["max_clique", "population", "tabu", "resamples", "n", "threads", "seed", "first"])
def test_what_is_no_whole_number_is_refused(name: str, value: object) -> None:
    with pytest.raises(OptionError, match="must be a whole number"):
        WHOLE[name][0](value)


@pytest.mark.parametrize("value", [True, np.True_, "soon", [1.0], math.nan, -1, pytest.param(-(10**5000), id="long")])
@pytest.mark.parametrize("name", ["time_limit", "threshold", "min_cut", "sample_size", "prior"])
def test_what_is_no_number_in_range_is_refused(name: str, value: object) -> None:
    with pytest.raises(OptionError, match=f"{name} must be a"):
        REAL[name][0](value)
