"""A consensus in a file: all that is known about it but the tables of its inputs, so that a report can be made later.

JSON, with arcs as pairs of variable numbers. Reading it back gives the same result to the last bit.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from bnfuse import _disk, _kernel
from bnfuse._errors import BnfuseError, FileError
from bnfuse._options import thread_count
from bnfuse.constraints import Constraints
from bnfuse.dag import DAG, numbered
from bnfuse.network import Network
from bnfuse.origin import InputFile, Origin
from bnfuse.parameters import Fitted
from bnfuse.problem import Clock, Problem
from bnfuse.result import Consensus, FrontierPoint, Step
from bnfuse.tally import Tally

_KIND = "bnfuse consensus"
_VERSION = 1
_OTHER_KIND = "is no saved consensus; bnfuse consensus ... --save FILE writes one"
_OPENING = f'{{"kind":"{_KIND}"'.encode()


def save(consensus: Consensus, path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Write a consensus to a file; a name that ends in .gz packs it."""
    file = Path(path)
    check_save(file, overwrite)
    content = json.dumps(_content(consensus.finished), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    _disk.write_bytes(_disk.gzipped(content) if file.suffix.lower() == ".gz" else content, file)


def check_save(path: Path, overwrite: bool = False) -> None:
    """Refuse a file that `save` could not write, before time is spent on its content."""
    _disk.check_place(path)
    if not overwrite and path.is_file() and _disk.head_of(path, 1 << 10).strip() and not is_saved(path):
        raise FileError(path, "exists and is no saved consensus; to replace it: overwrite=True, or --force")


def is_saved(path: Path) -> bool:
    """Whether a file is a saved consensus, by its first characters."""
    return path.is_file() and _disk.head_of(path, 1 << 10).startswith(_OPENING)


def load(path: str | os.PathLike[str]) -> Consensus:
    """Read what `save` wrote."""
    return parsed(_disk.read_bytes(Path(path)), path)


def parsed(text: bytes, file: str | os.PathLike[str]) -> Consensus:
    """The consensus in the text of a file."""
    try:
        if not text.lstrip().startswith(b"{"):
            raise FileError(file, _OTHER_KIND)
        content = json.loads(text)
        if not isinstance(content, dict) or content.get("kind") != _KIND:
            raise FileError(file, _OTHER_KIND)
        if content.get("version") != _VERSION:
            raise FileError(
                file, f"is a saved consensus of version {content.get('version')!r:.20}; this bnfuse reads {_VERSION}"
            )
        return _consensus(content)
    except FileError:
        raise
    except (BnfuseError, ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError, AttributeError):
        raise FileError(file, "is a damaged saved consensus") from None


def _content(consensus: Consensus) -> dict[str, Any]:
    problem, states = consensus.problem, consensus.states
    return {
        "kind": _KIND,
        "version": _VERSION,
        "variables": problem.variables,
        "inputs": [
            {"name": name, "weight": weight, "arcs": dag.arc_numbers.tolist()}
            for name, weight, dag in zip(problem.names, problem.weights, problem.dags, strict=True)
        ],
        "tally": None if problem.dags else _tally_content(problem.tally),
        "max_clique": problem.max_clique,
        "metric": problem.metric,
        "target": problem.target,
        "constraints": asdict(problem.constraints),
        "seed": problem.seed,
        "method": consensus.method,
        "arcs": consensus.dag.arc_numbers.tolist(),
        "elimination_order": numbered(consensus.elimination_order, consensus.dag).tolist(),
        "clique_size": consensus.clique_size,
        "pruned": None if consensus.pruned is None else [dag.arc_numbers.tolist() for dag in consensus.pruned],
        "history": [list(asdict(step).values()) for step in consensus.history],
        "seconds": consensus.seconds,
        "stopped_by": consensus.stopped_by,
        "notes": consensus.notes,
        "states": None if states is None else [states.get(name) for name in problem.variables],
        "parameters": None if consensus.parameters is None else _parameters_content(consensus.parameters),
        "frontier": [asdict(point) for point in consensus.frontier],
        "origin": None if consensus.origin is None else asdict(consensus.origin),
    }


def _consensus(content: Mapping[str, Any]) -> Consensus:
    variables = tuple(content["variables"])
    problem = _problem(content, variables)
    dag = _dag(variables, content["arcs"])
    order = tuple(variables[i] for i in content["elimination_order"])
    states = _states(variables, content["states"])
    if _kernel.clique_along(dag.rows, numbered(order, dag)) != content["clique_size"]:
        raise ValueError  # the proof of its tractability
    pruned = content["pruned"]
    return Consensus(
        problem=problem,
        method=content["method"],
        dag=dag,
        elimination_order=order,
        clique_size=content["clique_size"],
        pruned=None if pruned is None else tuple(_dag(variables, arcs) for arcs in pruned),
        history=tuple(Step(*step) for step in content["history"]),
        seconds=content["seconds"],
        stopped_by=content["stopped_by"],
        notes=tuple(content["notes"]),
        states=states,
        parameters=_parameters(dag, states, content["parameters"]),
        origin=_origin(content["origin"]),
        frontier=tuple(FrontierPoint(**point) for point in content["frontier"]),
    )


def _problem(content: Mapping[str, Any], variables: tuple[str, ...]) -> Problem:
    inputs = content["inputs"]
    dags = tuple(_dag(variables, one["arcs"]) for one in inputs)
    weights = tuple(int(one["weight"]) for one in inputs)
    return Problem(
        dags=dags,
        names=tuple(str(one["name"]) for one in inputs),
        weights=weights,
        tally=Tally.of(dags, weights) if dags else _tally(variables, content["tally"]),
        max_clique=content["max_clique"],
        metric=content["metric"],
        target=content["target"],
        constraints=Constraints.of(variables, content["max_clique"], **content["constraints"]),
        seed=content["seed"],
        threads=thread_count(None),
        progress=None,
        clock=Clock(None),
    )


def _dag(variables: tuple[str, ...], arcs: Sequence[Sequence[int]]) -> DAG:
    return DAG(variables, [(variables[source], variables[target]) for source, target in arcs])


def _states(
    variables: tuple[str, ...], states: Sequence[Sequence[str] | None] | None
) -> dict[str, tuple[str, ...]] | None:
    if states is None:
        return None
    named = zip(variables, states, strict=True)
    return {name: tuple(labels) for name, labels in named if labels is not None}


def _parameters_content(parameters: Fitted) -> dict[str, Any]:
    cpts = parameters.network.cpts or {}
    return {
        "notes": parameters.notes,
        "log_likelihoods": parameters.log_likelihoods,
        "cpts": [cpts[name].ravel().tolist() for name in parameters.network.variables],
    }


def _parameters(
    dag: DAG, states: Mapping[str, tuple[str, ...]] | None, content: Mapping[str, Any] | None
) -> Fitted | None:
    if content is None or states is None:
        return None
    tables = {
        name: np.reshape(numbers, [len(states[one]) for one in (*dag.parents(name), name)])
        for name, numbers in zip(dag.variables, content["cpts"], strict=True)
    }
    network = Network(dag, states, tables, name="consensus")
    return Fitted(network, tuple(content["notes"]), tuple(content["log_likelihoods"]))


def _tally_content(tally: Tally) -> dict[str, Any]:
    upper = np.triu(tally.moral)
    return {
        "weight": tally.weight,
        "moral": [[int(a), int(b), int(upper[a, b])] for a, b in np.argwhere(upper)],
        "arcs": [[int(a), int(b), int(tally.arcs[a, b])] for a, b in np.argwhere(tally.arcs)],
    }


def _tally(variables: tuple[str, ...], content: Mapping[str, Any]) -> Tally:
    return Tally._from({**content, "variables": variables})


def _origin(content: Mapping[str, Any] | None) -> Origin | None:
    if content is None:
        return None
    return Origin(**{**content, "files": tuple(InputFile(**file) for file in content["files"])})
