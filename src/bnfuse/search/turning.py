"""Directions that cost nothing: arcs are turned towards the inputs as long as the moral graph stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bnfuse.graphs.dag import DAG
from bnfuse.problem.problem import Problem
from bnfuse.search.chains import dag_of, most_parents
from bnfuse.search.outcome import Found, summed_distance


def turned_to_support(problem: Problem, found: Found) -> Found:
    """The same network, in which no single arc can be turned to more support at the same moral graph and distance.

    SMHD depends on the moral graph alone, and so does the clique size; other distances are measured anew.
    """
    better_turned, most = _better_turned(problem), most_parents(problem)
    dag = found.dag
    network = _Arcs(dag)
    changed = True
    while changed:
        changed = False
        for source, target in network.arcs():
            if not better_turned[source][target] or len(network.parents[source]) >= most:
                continue
            if not network.keeps_moral_graph(source, target):
                continue
            network.turn(source, target)
            if problem.metric != "smhd":
                other = dag_of(problem, network.arcs())
                if summed_distance(problem, other) != summed_distance(problem, dag):
                    network.turn(target, source)
                    continue
                dag = other
            changed = True
    return replace(found, dag=dag_of(problem, network.arcs()))


def _better_turned(problem: Problem) -> list[list[bool]]:
    """By arc: whether its reverse may be there and more inputs, by weight, have it."""
    support = problem.tally.oriented
    better = problem.constraints.allowed(problem.tally).T & (support < support.T)
    index = {name: i for i, name in enumerate(problem.variables)}
    for source, target in problem.constraints.required:
        better[index[source], index[target]] = False
    rows: list[list[bool]] = better.tolist()
    return rows


class _Arcs:
    """A DAG whose arcs are turned one by one."""

    def __init__(self, dag: DAG) -> None:
        self.parents: list[set[int]] = [set() for _ in dag.variables]
        self._children: list[set[int]] = [set() for _ in dag.variables]
        for source, target in dag.arc_numbers.tolist():
            self._put(source, target)

    def arcs(self) -> list[tuple[int, int]]:
        """All arcs, in order."""
        return [(source, target) for source, those in enumerate(self._children) for target in sorted(those)]

    def turn(self, source: int, target: int) -> None:
        """Turns an arc round."""
        self._take(source, target)
        self._put(target, source)

    def keeps_moral_graph(self, source: int, target: int) -> bool:
        """Whether the network with this arc reversed has no cycle and the same moral graph."""
        new_pairs = self.parents[source]  # with the target, as parents of the source
        if not all(are_joined(self._children, target, parent) for parent in new_pairs):
            return False
        self._take(source, target)
        kept = all(are_joined(self._children, source, parent) for parent in self.parents[target])
        kept = kept and not self._reaches(source, target)
        self._put(source, target)
        return kept

    def _put(self, source: int, target: int) -> None:
        self._children[source].add(target)
        self.parents[target].add(source)

    def _take(self, source: int, target: int) -> None:
        self._children[source].remove(target)
        self.parents[target].remove(source)

    def _reaches(self, start: int, goal: int) -> bool:
        seen, stack = {start}, [start]
        while stack:
            below = self._children[stack.pop()]
            if goal in below:
                return True
            stack.extend(below - seen)
            seen |= below
        return False


def are_joined(children: Sequence[set[int]], one: int, other: int) -> bool:
    """Whether two variables are joined in the moral graph of the network with these children."""
    return other in children[one] or one in children[other] or not children[one].isdisjoint(children[other])
