"""A consensus in a file: all that is known about it but the tables of its inputs, so that a report can be made later.

JSON, with arcs as pairs of variable numbers. Reading it back gives an equal result; whatever can be computed anew
is, and a file that does not agree with itself is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bnfuse._base import disk
from bnfuse._base.options import at_least, finite, one_of
from bnfuse.answer.provenance import InputFile, Origin
from bnfuse.answer.result import OPTIONS, FrontierPoint, Options, Result
from bnfuse.errors import BnfuseError, FileError, GraphError, OptionError
from bnfuse.files import Format, register
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG, numbered
from bnfuse.graphs.network import Network
from bnfuse.graphs.pdag import PDAG
from bnfuse.inference.parameters import Fitted
from bnfuse.problem.constraints import Constraints
from bnfuse.problem.inputs import InputOptions, Inputs, distinct, tally_of
from bnfuse.problem.opinions import SOFT, Ballot
from bnfuse.problem.problem import Problem
from bnfuse.problem.tally import Tally
from bnfuse.search.direct import DirectOptions
from bnfuse.search.outcome import Found, Step, clique_along, mean_distance, summed_distance, table_along
from bnfuse.search.proof.proof import Proof
from bnfuse.search.run import Run

_KIND = "bnfuse consensus"
# 1 had neither the options of the method nor the distance; 3 has inputs that are not all of one kind, 4 the networks of
# a frontier.
_READ = (1, 2, 3, 4)
_OTHER_KIND = "is not a saved consensus; bnfuse consensus ... --save FILE writes one"
_OPENING = f'{{"kind":"{_KIND}"'.encode()
_FOUND_BY = (*OPTIONS, "none", "input")
_STOPPED_BY = ("finished", "time limit", "interrupted")

AnyResult = TypeVar("AnyResult", bound=Result)


def save(result: Result, path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Write a result to a file; a name that ends in .gz packs it."""
    file = Path(path)
    check_save(file, overwrite)
    content = as_bytes(result)
    disk.write_bytes(disk.gzipped(content) if file.suffix.lower() == ".gz" else content, file)


def as_bytes(result: Result) -> bytes:
    """What the file of a result holds."""
    text = json.dumps(_content(result.finished), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"
    return text.encode(errors="backslashreplace")  # what no text can hold becomes an escape of JSON


def check_save(path: Path, overwrite: bool = False) -> None:
    """Refuse a file that `save` could not write, before time is spent on its content."""
    disk.check_replaceable(path, lambda head: head.startswith(_OPENING), "a saved consensus", overwrite)


def is_saved(path: Path) -> bool:
    """Whether a file is a saved consensus, by its first characters."""
    return path.is_file() and disk.head_of(path, 1 << 10).startswith(_OPENING)


def load(path: str | os.PathLike[str], kind: type[AnyResult]) -> AnyResult:
    """Read what `save` wrote."""
    return parsed(disk.read_bytes(Path(path)), path, kind)


def parsed(text: bytes, file: str | os.PathLike[str], kind: type[AnyResult]) -> AnyResult:
    """The result in the text of a file."""
    try:
        if not text.lstrip().startswith(b"{"):
            raise FileError(file, _OTHER_KIND)
        disk.check_json(text, file)
        content = json.loads(text, parse_constant=_refuse_constant)
        if not isinstance(content, dict) or content.get("kind") != _KIND:
            raise FileError(file, _OTHER_KIND)
        version = content.get("version")
        if version not in _READ:
            raise FileError(
                file, f"is a saved consensus of version {version!r:.20}; this bnfuse reads 1 to {_READ[-1]}"
            )
        return kind(**_parts(content))
    except FileError:
        raise
    except BnfuseError as error:
        raise FileError(file, f"is a damaged saved consensus: {error}") from None
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError, AttributeError):
        raise FileError(file, "is a damaged saved consensus") from None


def _refuse_constant(name: str) -> float:
    raise OptionError(f"{name} is not a number")


def _content(result: Result) -> dict[str, Any]:
    problem, inputs = result.problem, result.problem.inputs
    has_networks = any(point.result is not None for point in result.frontier)
    return {
        "kind": _KIND,
        "version": 4 if has_networks else 2 if inputs.tally.is_simple else 3,
        "variables": problem.variables,
        "inputs": list(_inputs_content(inputs)),
        "tally": None if inputs.ballots else inputs.tally.content(),
        "resamples": inputs.tally.is_of_resamples,
        "reading": asdict(inputs.options),
        "metric": problem.metric,
        "target": problem.target,
        "constraints": asdict(problem.constraints),
        "states": inputs.labels or None,
        "state_counts": inputs.counts or None,
        **_answer_content(result),
        "frontier": [
            point.numbers | ({} if point.result is None else {"answer": _answer_content(point.result)})
            for point in result.frontier
        ],
        "origin": None if result.origin is None else asdict(result.origin),
    }


def _answer_content(result: Result) -> dict[str, Any]:
    """The limits, and what was found within them."""
    problem, found = result.problem, result.found
    return {
        "max_clique": problem.max_clique,
        "max_table": problem.max_table,
        "options": {"method": _method_of(result.options), **asdict(result.options)},
        "seed": result.seed,
        "method": found.method,
        "arcs": found.dag.arc_numbers.tolist(),
        "elimination_order": numbered(found.elimination_order, found.dag).tolist(),
        "clique_size": found.clique_size,
        "largest_table": result.largest_table,
        "distance": result.distance,
        "pruned": None if found.pruned is None else [dag.arc_numbers.tolist() for dag in found.pruned],
        "history": [list(asdict(step).values()) for step in found.history],
        "seconds": result.seconds,
        "stopped_by": found.stopped_by,
        "found_notes": found.notes,
        "notes": result.notes,
        "parameters": None if result.parameters is None else _parameters_content(result.parameters),
        **({} if result.proof is None else {"proof": result.proof.content}),
    }


def _inputs_content(inputs: Inputs) -> Iterator[dict[str, Any]]:
    index = {name: i for i, name in enumerate(inputs.variables)}
    for name, weight, ballot in zip(inputs.names, inputs.weights, inputs.ballots, strict=True):
        content: dict[str, Any] = {"name": name, "weight": weight}
        if ballot.dag is not None:
            content["arcs"] = ballot.dag.over(inputs.variables).arc_numbers.tolist()
        if len(ballot.variables) < len(inputs.variables):
            content["variables"] = [index[one] for one in ballot.variables]
        if ballot.directed is not None:
            content["undirected"] = [[index[a], index[b]] for a, b in ballot.directed.edges]
        if ballot.shares is not None:
            counts = ballot.shares.over([name for name in inputs.variables if name in ballot.index]).counts
            content |= {"total": ballot.shares.total, "networks": ballot.shares.networks, "soft": ballot.soft}
            content["votes"] = [[int(a), int(b), int(counts[a, b])] for a, b in np.argwhere(counts)]
        yield content


def _parts(content: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a result, checked."""
    variables = tuple(content["variables"])
    problem = _problem(content, variables)
    return {
        "problem": problem,
        **_answer(content, problem),
        "origin": _origin(content["origin"]),
        "frontier": tuple(_frontier_point(point, problem) for point in content["frontier"]),
    }


def _answer(content: Mapping[str, Any], problem: Problem) -> dict[str, Any]:
    """What was found for a problem."""
    found = _found(content, problem)
    if "distance" in content and content["distance"] != mean_distance(problem, found.dag):
        raise OptionError(f"its distance is not {content['distance']!r:.40}")
    return {
        "options": _options(content),
        "found": found,
        "seed": Run(seed=content["seed"]).seed,
        "seconds": finite("seconds", content["seconds"]),
        "notes": _texts(content["notes"]),
        "parameters": _parameters(found.dag, content),
        "proof": _proof(content.get("proof"), problem, found),
    }


def _proof(content: Mapping[str, Any] | None, problem: Problem, found: Found) -> Proof | None:
    if content is None:
        return None
    proof = Proof.from_content(content, len(problem.variables))
    if proof.bound > summed_distance(problem, found.dag):
        raise OptionError("its proof says that its network is not there")
    return proof


def _problem(content: Mapping[str, Any], variables: tuple[str, ...]) -> Problem:
    saved = content["inputs"]
    ballots = tuple(_ballot(variables, one) for one in saved)
    weights = tuple(at_least("weight", one["weight"], 1) for one in saved)
    are_resamples = _flag(content.get("resamples", False))
    counted = None
    if not ballots:
        counted = Tally.from_content({**content["tally"], "variables": variables, "resamples": are_resamples})
    inputs = Inputs(
        ballots=ballots,
        names=distinct(_texts(one["name"] for one in saved)),
        weights=weights,
        tally=tally_of(variables, ballots, weights, are_resamples) if counted is None else counted,
        labels=_labels(content, variables),
        counts=_counts(content, variables),
        options=InputOptions(**content.get("reading", {})),
    )
    return Problem(
        inputs,
        content["max_clique"],
        content["metric"],
        content["target"],
        Constraints(**content["constraints"]),
        content.get("max_table"),
    )


def _found(content: Mapping[str, Any], problem: Problem) -> Found:
    dag = _dag(problem.variables, content["arcs"])
    order = tuple(problem.variables[at_least("order", i, 0)] for i in content["elimination_order"])
    size = clique_along(dag, order)
    if size != content["clique_size"]:
        raise OptionError(f"its elimination order makes a clique of {size}, not of {content['clique_size']!r:.20}")
    if size > problem.max_clique:
        raise OptionError(f"its largest clique of {size} is over its limit of {problem.max_clique}")
    if problem.max_table is not None:
        table = table_along(problem, dag, order)
        if table != content["largest_table"]:
            raise OptionError(
                f"its elimination order makes a table of {table:,} numbers, not of {content['largest_table']!r:.20}"
            )
        if table > problem.max_table:
            raise OptionError(f"its largest table of {table:,} numbers is over its limit of {problem.max_table:,}")
    if (broken := problem.constraints.broken_by(dag, problem.tally)) is not None:
        raise OptionError(f"its network breaks a constraint: {broken}")
    pruned = content["pruned"]
    kept = None if pruned is None else tuple(_dag(problem.variables, arcs) for arcs in pruned)
    if kept is not None and len(kept) != len(problem.dags):
        raise OptionError(f"it has {len(kept)} pruned networks of {len(problem.dags)} inputs")
    return Found(
        method=one_of("method", content["method"], _FOUND_BY),
        dag=dag,
        elimination_order=order,
        clique_size=size,
        pruned=kept,
        history=tuple(_step(*step) for step in content["history"]),
        stopped_by=one_of("stopped_by", content["stopped_by"], _STOPPED_BY),
        notes=_texts(content.get("found_notes", ())),
    )


def _step(step: int, distance: float, clique: int, mean: float, evaluations: int) -> Step:
    return Step(
        at_least("step", step, 0),
        finite("distance", distance),
        at_least("clique", clique, 1),
        finite("mean", mean),
        at_least("evaluations", evaluations, 0),
    )


def _options(content: Mapping[str, Any]) -> Options:
    saved = dict(content.get("options") or {"method": content["method"]})
    method = saved.pop("method")
    return OPTIONS.get(method, DirectOptions)(**saved)


def _method_of(options: Options) -> str:
    return next(name for name, kind in OPTIONS.items() if isinstance(options, kind))


def _frontier_point(point: Mapping[str, Any], problem: Problem) -> FrontierPoint:
    numbers = dict(point)
    answer = numbers.pop("answer", None)
    if point["lower_bound"] is not None:
        finite("lower_bound", point["lower_bound"])
    finite("distance", point["distance"])
    for name in ("max_clique", "arcs", "clique_size", "tables"):
        at_least(name, point[name], 0)
    if point.get("max_table") is not None:
        at_least("max_table", point["max_table"], 1)
    read = FrontierPoint(**numbers)
    if answer is None:
        return read
    within = replace(problem, max_clique=answer["max_clique"], max_table=answer["max_table"])
    result = Result(within, **_answer({"states": None} | answer, within))
    limits = (within.max_clique, within.max_table)
    if (read.max_clique, read.max_table, read.distance) != (*limits, result.distance):
        raise OptionError(f"the network of limit {read.max_clique} is another")
    return replace(read, result=result)


def _names(variables: tuple[str, ...], numbers: Sequence[int]) -> list[str]:
    return [variables[at_least("variable", i, 0)] for i in numbers]


def _ballot(variables: tuple[str, ...], saved: Mapping[str, Any]) -> Ballot:
    """What an input said."""
    own = tuple(_names(variables, saved["variables"])) if "variables" in saved else variables
    if "votes" in saved:
        counts = np.zeros((len(own), len(own)), np.int64)
        for a, b, count in saved["votes"]:
            counts[at_least("variable", a, 0), at_least("variable", b, 0)] = at_least("votes", count, 1)
        shares = ArcVotes.of_counts(own, counts, saved["total"], saved["networks"])
        return Ballot(None, shares=shares, soft=one_of("soft", saved["soft"], SOFT))
    dag = _dag(variables, saved["arcs"])
    among = dag.over(own)
    if len(among.arc_numbers) < len(dag.arc_numbers):
        raise OptionError("an input has an arc between variables that it lacks")
    if "undirected" not in saved:
        return Ballot(among)
    free = [(a, b) for a, b in (_names(variables, pair) for pair in saved["undirected"])]
    if not {frozenset(pair) for pair in free} <= {frozenset(arc) for arc in dag.edges}:
        raise OptionError("an edge without a direction is none of its arcs")
    either = {*free, *((b, a) for a, b in free)}
    return Ballot(among, PDAG(own, [arc for arc in dag.edges if arc not in either], free))


def _dag(variables: tuple[str, ...], arcs: Sequence[Sequence[int]]) -> DAG:
    if any(min(arc) < 0 for arc in arcs):
        raise IndexError
    return DAG(variables, [(variables[source], variables[target]) for source, target in arcs])


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError
    return text


def _texts(texts: Any) -> tuple[str, ...]:
    if isinstance(texts, str):
        raise TypeError
    return tuple(_text(text) for text in texts)


def _labels(content: Mapping[str, Any], variables: tuple[str, ...]) -> tuple[tuple[str, ...] | None, ...]:
    states = content["states"]
    if states is None:
        return ()
    if len(states) != len(variables):
        raise GraphError(f"it has the states of {len(states)} variables, not of {len(variables)}")
    labels = tuple(None if one is None else _texts(one) for one in states)
    known = {name: own for name, own in zip(variables, labels, strict=True) if own is not None}
    if known:
        Network(DAG(known), known)  # checks them
    return labels


def _counts(content: Mapping[str, Any], variables: tuple[str, ...]) -> tuple[int | None, ...]:
    counts = content.get("state_counts")
    if counts is None:
        return ()
    if len(counts) != len(variables):
        raise GraphError(f"it has the states of {len(counts)} variables, not of {len(variables)}")
    return tuple(None if one is None else at_least("state_counts", one, 1) for one in counts)


def _parameters_content(parameters: Fitted) -> dict[str, Any]:
    network = parameters.network
    states, cpts = network.states or {}, network.cpts or {}
    return {
        "notes": parameters.notes,
        "log_likelihoods": parameters.log_likelihoods,
        "states": [states[name] for name in network.variables],
        "cpts": [cpts[name].ravel().tolist() for name in network.variables],
    }


def _parameters(dag: DAG, content: Mapping[str, Any]) -> Fitted | None:
    saved = content["parameters"]
    if saved is None:
        return None
    labels = _labels({"states": saved.get("states", content["states"])}, dag.variables)
    states = dict(zip(dag.variables, labels, strict=True))
    tables = {
        name: np.reshape(np.array(numbers, np.float64), [len(states[one] or ()) for one in (*dag.parents(name), name)])
        for name, numbers in zip(dag.variables, saved["cpts"], strict=True)
    }
    network = Network(dag, {name: own or () for name, own in states.items()}, tables, name="consensus")
    likelihoods = tuple(finite("log-likelihood", one) for one in saved["log_likelihoods"])
    return Fitted(network, _texts(saved["notes"]), likelihoods)


def _origin(content: Mapping[str, Any] | None) -> Origin | None:
    if content is None:
        return None
    files = tuple(
        InputFile(path=_text(file["path"]), size=at_least("size", file["size"], 0), sha256=_text(file["sha256"]))
        for file in content["files"]
    )
    return Origin(files, _text(content["command"]), _text(content["version"]), _text(content["time"]))


def _read_text(text: str, path: str) -> list[Network]:
    """The consensus itself, with its tables where it has any."""
    return [parsed(text.encode(), path, Result).network]


register(Format("saved consensus", (), r'\{"kind":"bnfuse consensus"', _read_text, also_in=(".json",)))
