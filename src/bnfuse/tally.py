"""What networks add up to: how many have each moral edge and each arc.

Mean SMHD, mean SHD and directed support need nothing else, so a tally stands for any number of networks in the memory
of one, and tallies of several sites add up. It hides who had which arc once several networks are in it, and nothing
else: the tally of one network is that network's arcs and moral graph.
"""

from __future__ import annotations

import copy
import json
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse import _disk, _kernel, fusion
from bnfuse._errors import BnfuseError, FileError, MismatchError, OptionError
from bnfuse._options import at_least
from bnfuse.dag import DAG, NetworkLike, Rows, as_dag, check_same_variables, stacked

Counts = npt.NDArray[np.int64]

LARGEST_TOTAL = fusion.LARGEST_TOTAL
"""Of the weights that a tally adds up."""

_KIND = "bnfuse tally"


class Tally:
    """Weighted counts of moral edges and arcs over any number of networks over the same variables.

    Several threads may add to one tally.

    >>> tally = Tally(["A", "B"])
    >>> tally.add(DAG(["A", "B"], [("A", "B")]), weight=2)
    >>> tally.weight, int(tally.arcs[0, 1]), int(tally.moral[1, 0])
    (2, 2, 2)
    """

    def __init__(self, variables: Iterable[str]) -> None:
        self._empty = DAG(variables)
        self._lock = threading.RLock()
        n = len(self.variables)
        self.moral: Counts = np.zeros((n, n), np.int64)
        """in row A, column B: the weight of the networks whose moral graph joins A and B"""
        self.arcs: Counts = np.zeros((n, n), np.int64)
        """in row A, column B: the weight of the networks with the arc A -> B"""
        self.weight = 0
        """the total weight"""

    @classmethod
    def of(cls, dags: Iterable[DAG], weights: Iterable[int]) -> Tally:
        """The tally of DAGs whose variables are in the same order."""
        dags = list(dags)
        tally = cls(dags[0].variables)
        tally._count(stacked(dags), list(weights))
        return tally

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self._empty.variables

    def add(self, network: NetworkLike, weight: int = 1) -> None:
        """Count one more network."""
        dag = as_dag(network)
        if dag.variables != self.variables:
            check_same_variables(self._empty, dag, "the tally", "the network")
            dag = dag.reordered(self.variables)
        self._count(dag.rows[None], [at_least("weight", weight, 0)])

    def merge(self, other: Tally) -> None:
        """Count everything that another tally has counted."""
        if not isinstance(other, Tally):
            raise OptionError(f"expected a tally, got {type(other).__name__}")
        check_same_variables(self._empty, other._empty, "this tally", "the other tally")
        place = [other.variables.index(name) for name in self.variables]
        with other._lock:  # one lock at a time: two tallies may be merged into each other
            moral, arcs, weight = other.moral[np.ix_(place, place)], other.arcs[np.ix_(place, place)], other.weight
        with self._lock:
            self._check_total(weight)
            self.moral += moral
            self.arcs += arcs
            self.weight += weight

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the tally to a file of JSON; a file of another kind is replaced only with `overwrite`."""
        whole = copy.deepcopy(self)  # others may go on counting
        upper = np.triu(whole.moral)
        content = {
            "kind": _KIND,
            "version": 1,
            "weight": whole.weight,
            "variables": whole.variables,
            "moral": [[int(a), int(b), int(upper[a, b])] for a, b in np.argwhere(upper)],
            "arcs": [[int(a), int(b), int(whole.arcs[a, b])] for a, b in np.argwhere(whole.arcs)],
        }
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"
        file = Path(path)
        check_save(file, overwrite)
        data = text.encode()
        _disk.write_bytes(_disk.gzipped(data) if file.suffix.lower() == ".gz" else data, file)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Tally:
        """Read a tally from a file."""
        file = Path(path)
        try:
            content = json.loads(_disk.read_bytes(file))
            if not isinstance(content, dict) or content.get("kind") != _KIND or content.get("version") != 1:
                raise FileError(file, "is not a tally written by `bnfuse tally`")
            return cls._from(content)
        except FileError:
            raise
        except (BnfuseError, ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError):
            raise FileError(file, "is a damaged tally") from None

    @classmethod
    def _from(cls, content: dict[str, Any]) -> Tally:
        tally = cls(content["variables"])
        tally._check_total(at_least("weight", content["weight"], 0))
        tally.weight = content["weight"]
        for counts, entries in ((tally.moral, content["moral"]), (tally.arcs, content["arcs"])):
            for a, b, weight in entries:
                if a == b or min(a, b) < 0 or counts[a, b] or not 0 < at_least("count", weight, 1) <= tally.weight:
                    raise ValueError
                counts[a, b] = weight
        if np.tril(tally.moral).any():
            raise ValueError
        tally.moral += tally.moral.T
        if (tally.arcs + tally.arcs.T > tally.moral).any() or (tally.moral > tally.weight).any():
            raise ValueError
        return tally

    def _count(self, rows: Rows, weights: list[int]) -> None:
        total = sum(weights)
        with self._lock:
            self._check_total(total)
            _kernel.count_edges(rows, np.array(weights, np.int64), self.moral, self.arcs)  # all or none
            self.weight += total

    def _check_total(self, more: int) -> None:
        if self.weight + more > LARGEST_TOTAL:
            raise MismatchError(f"the weights add up to more than {LARGEST_TOTAL:,}")

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: copy.copy(value) for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.RLock()

    def __eq__(self, other: object) -> bool:
        """Same variables in the same order, same counts."""
        if not isinstance(other, Tally):
            return NotImplemented
        return (
            self.variables == other.variables
            and self.weight == other.weight
            and np.array_equal(self.moral, other.moral)
            and np.array_equal(self.arcs, other.arcs)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Tally: {len(self.variables)} variables, weight {self.weight}>"


def check_save(path: Path, overwrite: bool = False) -> None:
    """Refuse a file that `Tally.save` could not write, before time is spent on its content."""
    opening = f'{{"kind":"{_KIND}"'.encode()
    _disk.check_replaceable(path, lambda head: head.startswith(opening), "a tally", overwrite)
