"""A consensus in a file: everything known about it except its inputs' tables, so that a report can be made later.

JSON, with arcs as pairs of variable numbers. Reading it back gives an equal result. Everything that can be computed is
computed again, and an inconsistent file is refused.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bnfuse._base import disk
from bnfuse._base.fields import Field
from bnfuse.answer.provenance import InputFile, Origin
from bnfuse.answer.question import METHODS, Options, method_name
from bnfuse.answer.result import Consensus, FrontierPoint
from bnfuse.errors import BnfuseError, FileError
from bnfuse.files import Format, gaussian, register
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG, checked_variables, numbered
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network
from bnfuse.graphs.pdag import PDAG
from bnfuse.inference.parameters import Fitted
from bnfuse.problem.constraints import Constraints
from bnfuse.problem.input_votes import SOFT, InputVotes
from bnfuse.problem.inputs import InputOptions, Inputs, distinct, tally_of
from bnfuse.problem.problem import Problem
from bnfuse.problem.tally import Tally
from bnfuse.search.direct import DirectOptions
from bnfuse.search.outcome import Found, Step, clique_along, mean_distance, summed_distance, table_along
from bnfuse.search.proof.proof import Proof
from bnfuse.search.run import Run

_KIND = "bnfuse consensus"
# Version 1 had neither the options of the method nor the distance; 3 has inputs of different kinds, 4 the networks of a
# frontier, 5 a Gaussian network.
_READ = (1, 2, 3, 4, 5)
_OTHER_KIND = "is not a saved consensus; bnfuse consensus ... --save FILE writes one"
_OPENING = f'{{"kind":"{_KIND}"'.encode()
_FOUND_BY = (*METHODS, "none", "input")
_STOPPED_BY = ("finished", "time limit", "interrupted")

AnyResult = TypeVar("AnyResult", bound=Consensus)


def save(result: Consensus, path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Write a result to a file; a name that ends in .gz compresses it."""
    file = Path(path)
    check_save(file, overwrite)
    content = as_bytes(result)
    disk.write_bytes(disk.gzipped(content) if file.suffix.lower() == ".gz" else content, file)


def as_bytes(result: Consensus) -> bytes:
    """The content of a result's file."""
    text = json.dumps(content_of(result.finished), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"
    return text.encode(errors="backslashreplace")  # characters that no text can contain become JSON escapes


def check_save(path: Path, overwrite: bool = False) -> None:
    """Refuse a file that `save` could not write, before time is spent on its content."""
    disk.check_replaceable(path, lambda head: head.startswith(_OPENING), "a saved consensus", overwrite)


def is_saved(path: Path) -> bool:
    """Whether a file is a saved consensus, by its first characters."""
    return path.is_file() and disk.head_of(path, 1 << 10).startswith(_OPENING)


def load(path: str | os.PathLike[str], kind: type[AnyResult]) -> AnyResult:
    """Read a file that `save` wrote."""
    return parsed(disk.read_bytes(Path(path)), path, kind)


def parsed(text: bytes, file: str | os.PathLike[str], kind: type[AnyResult]) -> AnyResult:
    """The result in the text of a file."""
    if not text.lstrip().startswith(b"{"):
        raise FileError(file, _OTHER_KIND)
    try:
        disk.check_json(text, file)
        content = Field.parsed(text)
        if content.get("kind").value != _KIND:
            raise FileError(file, _OTHER_KIND)
        version = content.get("version").value
        if version not in _READ:
            raise FileError(
                file, f"is a saved consensus of version {version!r:.20}; this bnfuse reads 1 to {_READ[-1]}"
            )
        return kind(**parts_of(content, kind))
    except FileError:
        raise
    except BnfuseError as error:
        raise FileError(file, f"is a damaged saved consensus: {error}") from None


def content_of(result: Consensus) -> dict[str, Any]:
    """The content of a result's file, as a mapping."""
    problem, inputs = result.problem, result.problem.inputs
    has_networks = any(point.result is not None for point in result.frontier)
    known = (one.parameters for one in (result, *(point.result for point in result.frontier)) if one is not None)
    is_gaussian = any(isinstance(one.network, GaussianNetwork) for one in known if one is not None)
    return {
        "kind": _KIND,
        "version": 5 if is_gaussian else 4 if has_networks else 2 if inputs.tally.is_simple else 3,
        "variables": problem.variables,
        "inputs": list(_inputs_content(inputs)),
        "left_out": inputs.left_out,
        "tally": None if inputs.input_votes else inputs.tally.content(),
        "resamples": inputs.tally.is_of_resamples,
        "reading": asdict(inputs.options),
        "metric": problem.metric,
        "target": problem.target,
        "constraints": asdict(problem.constraints),
        "states": inputs.labels or None,
        "state_counts": inputs.counts or None,
        **answer_content(result),
        "frontier": [
            point.numbers | ({} if point.result is None else {"answer": answer_content(point.result)})
            for point in result.frontier
        ],
        "origin": None if result.origin is None else asdict(result.origin),
    }


def answer_content(result: Consensus) -> dict[str, Any]:
    """The limits, and the results for them."""
    problem, found = result.problem, result.found
    return {
        "max_clique": problem.max_clique,
        "max_table": problem.max_table,
        "options": {"method": method_name(result.options), **asdict(result.options)},
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
    named = zip(inputs.names, inputs.weights, inputs.given_weights, inputs.input_votes, strict=True)
    for name, weight, given, votes_of_one in named:
        content: dict[str, Any] = {"name": name, "weight": weight, "given_weight": str(given)}
        if votes_of_one.dag is not None:
            content["arcs"] = votes_of_one.dag.over(inputs.variables).arc_numbers.tolist()
        if len(votes_of_one.variables) < len(inputs.variables):
            content["variables"] = [index[one] for one in votes_of_one.variables]
        if votes_of_one.directed is not None:
            content["undirected"] = [[index[a], index[b]] for a, b in votes_of_one.directed.edges]
        if votes_of_one.left_open is not None:
            content["left_open"] = [[index[a], index[b]] for a, b in votes_of_one.left_open]
        if votes_of_one.fixed is not None:
            content["fixed"] = sorted([index[a], index[b]] for a, b in votes_of_one.fixed)
        if votes_of_one.shares is not None:
            counts = votes_of_one.shares.over([name for name in inputs.variables if name in votes_of_one.index]).counts
            content |= {
                "total": votes_of_one.shares.total,
                "networks": votes_of_one.shares.networks,
                "soft": votes_of_one.soft,
            }
            content["votes"] = [[int(a), int(b), int(counts[a, b])] for a, b in np.argwhere(counts)]
        yield content


def parts_of(content: Field, kind: type[Consensus]) -> dict[str, Any]:
    """The fields of a result, checked."""
    with content["variables"].about():
        variables = checked_variables(content["variables"].texts())
    problem = _problem(content, variables)
    return {
        "problem": problem,
        **answer_parts(content, problem, content["states"]),
        "origin": _origin(content["origin"]),
        "frontier": tuple(_frontier_point(point, problem, kind) for point in content["frontier"].each()),
    }


def answer_parts(content: Field, problem: Problem, states: Field | None = None) -> dict[str, Any]:
    """The result of a search for a problem."""
    found = _found(content, problem)
    if "distance" in content and content["distance"].number() != mean_distance(problem, found.dag):
        raise content["distance"].error(f"it is {mean_distance(problem, found.dag)!r}, not {content['distance'].value}")
    with content["seed"].about():
        seed = Run(seed=content["seed"].whole()).seed
    return {
        "options": _options(content),
        "found": found,
        "seed": seed,
        "seconds": content["seconds"].number(),
        "notes": content["notes"].texts(),
        "parameters": _parameters(found.dag, content["parameters"], states),
        "proof": _proof(content.get("proof"), problem, found),
    }


def _proof(content: Field, problem: Problem, found: Found) -> Proof | None:
    if content.value is None:
        return None
    proof = Proof.from_content(content, len(problem.variables))
    if proof.bound > summed_distance(problem, found.dag):
        raise content["bound"].error("it marks the network as missing")
    return proof


def _problem(content: Field, variables: tuple[str, ...]) -> Problem:
    saved = content["inputs"].each()
    input_votes = tuple(_votes_of_one(variables, one) for one in saved)
    weights = tuple(one["weight"].whole(1) for one in saved)
    are_resamples = content.get("resamples", False).flag()
    if input_votes:
        with content["inputs"].about():
            tally = tally_of(variables, input_votes, weights, are_resamples)
    else:
        counts = {**content["tally"].names, "variables": variables, "resamples": are_resamples}
        tally = Tally.from_content(Field(counts, content["tally"].place))
    inputs = Inputs(
        input_votes=input_votes,
        names=distinct([one["name"].text() for one in saved]),
        weights=weights,
        tally=tally,
        labels=_labels(content["states"], variables),
        counts=_counts(content.get("state_counts"), variables),
        exact_weights=_exact_weights(saved, input_votes, weights),
        left_out=content.get("left_out", []).texts(),
        options=content.get("reading", {}).made(InputOptions),
    )
    names = ("max_clique", "metric", "target")
    asked: dict[str, Any] = {name: content[name].value for name in names} | {
        "max_table": content.get("max_table").value
    }
    return Problem(inputs, constraints=content["constraints"].made(Constraints), **asked)


def _exact_weights(
    saved: Sequence[Field], input_votes: Sequence[InputVotes], weights: Sequence[int]
) -> tuple[Fraction, ...]:
    """The weights as given, times the networks of each input; empty in files of older versions."""
    if not all("given_weight" in one for one in saved):
        return ()
    exact = []
    for one, votes_of_one in zip(saved, input_votes, strict=True):
        text = one["given_weight"].text()
        if re.fullmatch(r"\d{1,400}(/[1-9]\d{0,400})?", text) is None:
            raise one["given_weight"].wrong("a number or a fraction, such as '5/2'")
        exact.append(Fraction(text) * votes_of_one.networks)
    has_votes = any(
        votes_of_one.shares is not None for votes_of_one in input_votes
    )  # weights are rounded in relation to it
    for one, weight, whole in zip(saved, exact, weights, strict=True) if not has_votes else ():
        if weight * weights[0] != exact[0] * whole:
            raise one["given_weight"].error(f"it is not in proportion to the weight {whole:,}")
    return tuple(exact)


def _found(content: Field, problem: Problem) -> Found:
    variables = problem.variables
    dag = _dag(variables, content["arcs"])
    with content["elimination_order"].about():
        order = tuple(variables[i] for i in content["elimination_order"].wholes(len(variables)))
        size = clique_along(dag, order)
    if size != content["clique_size"].value:
        raise content["clique_size"].error(
            f"the elimination order makes a clique of {size}, not of {content['clique_size'].value!r:.20}"
        )
    if size > problem.max_clique:
        raise content["clique_size"].error(f"{size} is over the limit of {problem.max_clique}")
    if problem.max_table is not None:
        table, said = table_along(problem, dag, order), content["largest_table"]
        if table != said.value:
            raise said.error(f"the elimination order makes a table of {table:,} numbers, not of {said.value!r:.20}")
        if table > problem.max_table:
            raise said.error(f"{table:,} numbers are over the limit of {problem.max_table:,}")
    if (broken := problem.constraints.broken_by(dag, problem.tally)) is not None:
        raise content["arcs"].error(f"the network breaks a constraint: {broken}")
    pruned = content["pruned"]
    kept = None if pruned.value is None else tuple(_dag(variables, arcs) for arcs in pruned.each(len(problem.dags)))
    return Found(
        method=content["method"].one_of(_FOUND_BY),
        dag=dag,
        elimination_order=order,
        clique_size=size,
        pruned=kept,
        history=tuple(_step(*step.each(len(fields(Step)))) for step in content["history"].each()),
        stopped_by=content["stopped_by"].one_of(_STOPPED_BY),
        notes=content.get("found_notes", []).texts(),
    )


def _step(step: Field, distance: Field, clique: Field, mean: Field, evaluations: Field) -> Step:
    return Step(step.whole(), distance.number(), clique.whole(1), mean.number(), evaluations.whole())


def _options(content: Field) -> Options:
    if content.get("options").value is None:
        return METHODS.get(content["method"].text(), DirectOptions)()
    saved = content["options"]
    kind = METHODS[saved["method"].one_of(tuple(METHODS))]
    given = {name: value for name, value in saved.names.items() if name != "method"}
    return Field(given, saved.place).made(kind)


def _frontier_point(point: Field, problem: Problem, kind: type[Consensus]) -> FrontierPoint:
    bound, table = point["lower_bound"], point.get("max_table")
    read = FrontierPoint(
        max_clique=point["max_clique"].whole(),
        distance=point["distance"].number(),
        lower_bound=None if bound.value is None else bound.number(),
        arcs=point["arcs"].whole(),
        clique_size=point["clique_size"].whole(),
        tables=point["tables"].whole(below=math.inf),
        max_table=None if table.value is None else table.whole(1),
    )
    if "answer" not in point:
        return read
    answer = point["answer"]
    with answer.about():
        limits = {name: answer[name].value for name in ("max_clique", "max_table")}
        within = replace(problem, **limits)
    result = kind(within, **answer_parts(answer, within))
    if (read.max_clique, read.max_table, read.distance) != (within.max_clique, within.max_table, result.distance):
        raise point.error(f"the network of limit {read.max_clique} is a different one")
    return replace(read, result=result)


def _votes_of_one(variables: tuple[str, ...], saved: Field) -> InputVotes:
    """The votes of an input."""
    n = len(variables)
    with saved.about():
        own = tuple(variables[i] for i in saved["variables"].wholes(n)) if "variables" in saved else variables
        if "votes" in saved:
            counts = np.zeros((len(own), len(own)), np.int64)
            for a, b, count in saved["votes"].rows((len(own), len(own), 2**62)):
                counts[a, b] = count
            shares = ArcVotes.from_count_matrix(own, counts, saved["total"].whole(1), saved["networks"].whole(1))
            return InputVotes(None, shares=shares, soft=saved["soft"].one_of(SOFT))
        dag = _dag(variables, saved["arcs"])
        among = dag.over(own)
        if len(among.arc_numbers) < len(dag.arc_numbers):
            raise saved["arcs"].error("there is an arc between variables that the input lacks")
        fixed = frozenset(_pairs(variables, saved["fixed"], dag)) if "fixed" in saved else None
        if "undirected" not in saved:
            return InputVotes(among, fixed=fixed)
        free = _pairs(variables, saved["undirected"], dag)
        left_open = _pairs(variables, saved["left_open"], dag) if "left_open" in saved else None
        either = {*free, *((b, a) for a, b in free)}
        graph = PDAG(own, [arc for arc in dag.edges if arc not in either], free)
        return InputVotes(among, graph, left_open=left_open, fixed=fixed)


def _pairs(variables: tuple[str, ...], saved: Field, dag: DAG) -> tuple[tuple[str, str], ...]:
    """Pairs of variables, which the arcs of an input must join."""
    n = len(variables)
    pairs = tuple((variables[a], variables[b]) for a, b in saved.rows((n, n)))
    if not {frozenset(pair) for pair in pairs} <= {frozenset(arc) for arc in dag.edges}:
        raise saved.error("an edge without a direction is not among the arcs")
    return pairs


def _dag(variables: tuple[str, ...], arcs: Field) -> DAG:
    rows = arcs.rows((len(variables), len(variables)))
    with arcs.about():
        return DAG(variables, [(variables[source], variables[target]) for source, target in rows])


def _labels(states: Field, variables: tuple[str, ...]) -> tuple[tuple[str, ...] | None, ...]:
    if states.value is None:
        return ()
    labels = tuple(None if one.value is None else one.texts() for one in states.each(len(variables)))
    known = {name: own for name, own in zip(variables, labels, strict=True) if own is not None}
    if known:
        with states.about():
            Network(DAG(known), known)  # checks them
    return labels


def _counts(counts: Field, variables: tuple[str, ...]) -> tuple[int | None, ...]:
    if counts.value is None:
        return ()
    return tuple(None if one.value is None else one.whole(1) for one in counts.each(len(variables)))


def _parameters_content(parameters: Fitted) -> dict[str, Any]:
    network = parameters.network
    if isinstance(network, GaussianNetwork):
        said = {"notes": parameters.notes, "log_likelihoods": parameters.log_likelihoods}
        return said | {"gaussian": gaussian.content_of(network)}
    states, cpts = network.states or {}, network.cpts or {}
    return {
        "notes": parameters.notes,
        "log_likelihoods": parameters.log_likelihoods,
        "states": [states[name] for name in network.variables],
        "cpts": [cpts[name].ravel().tolist() for name in network.variables],
    }


def _parameters(dag: DAG, saved: Field, states: Field | None) -> Fitted | None:
    """Its tables; version 1 had no states for them, so those of the inputs are used."""
    if saved.value is None:
        return None
    likelihoods = tuple(one.number() for one in saved["log_likelihoods"].each())
    if "gaussian" in saved:
        found = gaussian.network_of(saved["gaussian"], "consensus")
        if found.dag != dag:
            raise saved["gaussian"].error("its arcs differ from those of the consensus")
        return Fitted(found, saved["notes"].texts(), likelihoods)
    own = states if states is not None and "states" not in saved else saved["states"]
    labels = {name: one.texts() for name, one in zip(dag.variables, own.each(len(dag.variables)), strict=True)}
    tables = {}
    for name, table in zip(dag.variables, saved["cpts"].each(len(dag.variables)), strict=True):
        shape = [len(labels[one]) for one in (*dag.parents(name), name)]
        numbers = [one.number() for one in table.each(math.prod(shape))]
        tables[name] = np.reshape(np.array(numbers, np.float64), shape)
    with saved.about():
        network = Network(dag, labels, tables, name="consensus")
    return Fitted(network, saved["notes"].texts(), likelihoods)


def _origin(content: Field) -> Origin | None:
    if content.value is None:
        return None
    files = tuple(
        InputFile(path=file["path"].text(), size=file["size"].whole(), sha256=file["sha256"].text())
        for file in content["files"].each()
    )
    return Origin(files, content["command"].text(), content["version"].text(), content["time"].text())


def _read_text(text: str, path: str) -> list[Network]:
    """The consensus itself, with its tables if it has any."""
    return [parsed(text.encode(), path, Consensus).network]


register(Format("saved consensus", (), r'\{"kind":"bnfuse consensus"', _read_text, also_in=(".json",)))
