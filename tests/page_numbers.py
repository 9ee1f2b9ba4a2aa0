"""What a report says in numbers, checked by definition: the twin of the page."""

import math
import re
from dataclasses import dataclass, field
from functools import cache
from statistics import NormalDist, median
from typing import Any

import networkx as nx
import pytest

import bnfuse
import oracles
from bnfuse import Network, Tally, read
from page_parts import CLINICS


@dataclass
class Case:
    """What a consensus is asked for; the twin of the page."""

    networks: list[Network]
    options: dict[str, Any] = field(default_factory=dict)
    is_tally: bool = False

    def __post_init__(self):
        given = self.options.get("weights", {})
        self.names = [one.name for one in self.networks]
        self.weights = [given.get(name, 1) for name in self.names]
        self.total = sum(self.weights)
        self.variables = self.networks[0].variables
        self.graphs = [oracles.graph_of(one.dag) for one in self.networks]
        self.is_counted = not self.is_tally and len(set(self.weights)) == 1
        self.limit = self.options.get("max_clique", 4)
        self.metric = self.options.get("metric", "smhd")
        if self.is_tally:
            tally = Tally(self.variables)
            for one in self.networks:
                tally.add(one)
            self.found = bnfuse.consensus(tally, **self.options)
        else:
            self.found = bnfuse.consensus(self.networks, **self.options)
        self.noun = "resample" if self.found.of_resamples else "input"
        self.mine = oracles.graph_of(self.found.dag)
        order = oracles.heuristic_order(self.graphs, self.variables, self.weights)
        self.fusion = oracles.graph_with(
            self.variables, (arc for graph in self.graphs for arc in oracles.ancestral_imap(graph, order))
        )
        if self.options.get("target") == "fused":
            self.references = [(1, self.fusion)]
            self.ties = oracles.heuristic_order([self.fusion], self.variables)
        else:
            self.references = list(zip(self.weights, self.graphs, strict=True))
            self.ties = order

    def distance(self, one, other):
        return oracles.distance(self.metric, one, other, self.ties)

    def mean(self, graph):
        return sum(w * self.distance(graph, other) for w, other in self.references) / sum(w for w, _ in self.references)

    def weight(self, arc):
        return sum(w for w, graph in zip(self.weights, self.graphs, strict=True) if graph.has_edge(*arc))

    def owners(self, arc):
        return [i for i, graph in enumerate(self.graphs) if graph.has_edge(*arc)]

    def joined(self, edge):
        """How much of the references joins two variables in the moral graph, less than half being below 0."""
        total = sum(w for w, _ in self.references)
        return 2 * sum(w for w, graph in self.references if frozenset(edge) in oracles.moral_edges(graph)) - total

    def after(self, arc):
        """The consensus with an arc, and without its reversal."""
        graph = self.mine.copy()
        if graph.has_edge(*arc[::-1]):
            graph.remove_edge(*arc[::-1])
        graph.add_edge(*arc)
        return graph

    def forced(self, arc, decision):
        """The mean distance of a fresh consensus in which a pair is as it was decided."""
        rules = {name: tuple(self.options.get(name, ())) for name in ("required", "forbidden")}
        rules["forbidden" if decision == "out" else "required"] += (arc, arc[::-1])[: 2 if decision == "out" else 1]
        asked = ("max_clique", "max_table", "metric", "target", "weights", "tiers", "max_parents")
        options = {name: self.options[name] for name in asked if name in self.options}
        rule = self.found.problem.constraints.directions
        if rule != "majority":  # by default, a required arc need not keep to that
            options["directions"] = rule
        given = self.found.problem.tally if self.is_tally else self.networks
        return bnfuse.consensus(given, **options, **rules, effort="quick").distance

    def distances(self):
        """Of each input, by its name, to the consensus."""
        return {name: self.distance(self.mine, graph) for name, graph in zip(self.names, self.graphs, strict=True)}

    def apart(self):
        """The names of those that may stand apart, the farthest first."""
        distances = {} if self.is_tally else self.distances()
        if len(distances) < 3:
            return []
        middle = median(distances.values())
        spread = median(abs(one - middle) for one in distances.values())
        deviation = max(1.4826 * spread, (2 * middle) ** 0.5, 1)
        line = middle + NormalDist().inv_cdf(1 - 0.05 / len(distances)) * deviation
        below = max(one for one in distances.values() if one <= line)
        apart = [name for name, one in distances.items() if one > line and one >= below + deviation]
        return sorted(apart, key=lambda name: -distances[name])

    def tied(self):
        """The arcs of the consensus without which it is as close."""
        without = {arc: nx.restricted_view(self.mine, [], [arc]).copy() for arc in self.mine.edges}
        return [arc for arc, graph in without.items() if abs(self.mean(graph) - self.mean(self.mine)) < 1e-9]

    def status(self, arc):
        forward, backward = self.weight(arc), self.weight(arc[::-1])
        if self.mine.has_edge(*arc):
            if not forward and not backward:
                return "kept, in no input"
            more = "in more inputs" if self.is_counted else "by more weight"
            return f"kept, reversed {more}" if forward < backward else "kept"
        if self.mine.has_edge(*arc[::-1]):
            return "reversed in the consensus"
        return "dropped" if forward or backward else "added by fusion"


def clinics():
    return read(*CLINICS)


def exact_clique(graph):
    return _exact_clique(tuple(graph), frozenset(oracles.moral_edges(graph)))


@cache
def _exact_clique(variables, edges):
    graph = nx.Graph()
    graph.add_nodes_from(variables)
    graph.add_edges_from(edges)
    return oracles.exact_clique_by_subsets(graph)


def rounded(value, digits=2):
    return pytest.approx(value, abs=0.5 * 10**-digits + 1e-9)


def assert_true(case, arc, sentence):
    """Whether a sentence about an arc that is out holds, by trying it."""
    is_turned = case.mine.has_edge(*arc[::-1])
    after = case.after(arc)
    if sentence.startswith("Adding it reversed"):
        solved_is_true(case, arc[::-1], sentence.replace(" reversed", "", 1), "in")
        return
    if sentence.startswith(SOLVED) and "everything else" in sentence:
        solved_is_true(case, arc, sentence, "turned" if is_turned else "in")
        return
    doing = r"(?P<doing>Adding it|Reversing it) "
    alone = r"In this network, without changing anything else, (?P<doing>adding it|reversing it) would "
    known = {
        r"The constraints (?P<rule>require it in the other direction|forbid it)\.": barrier_is_true,
        r"More inputs have it in the other direction, and arcs were to follow the majority\.": majority_is_true,
        r"It leads from a later tier to an earlier one, which the constraints forbid\.": tier_is_true,
        r"(?P<target>.*) has as many parents as the constraints allow: (?P<most>[0-9]+)\.": parents_are_true,
        doing + r"would close a cycle with other arcs of the consensus\.": cycle_is_true,
        r"(?P<who>Fewer than half of the inputs|Inputs of less than half of the total weight) have it"
        r"(?P<either>, in either direction|, if those that have it in the other direction count half)?\.": few_is_true,
        doing + r"needs a clique of at least (?P<size>[0-9]+): the limit is (?P<limit>[0-9]+)\.": need_is_true,
        doing + r"makes a clique of (?P<size>[0-9]+), as far as is known: "
        r"the limit is (?P<limit>[0-9]+)\.": made_is_true,
        alone + r"raise the mean distance by (?P<size>[0-9.e-]+)"
        r"(?:: (?P<source>.+) would share the child (?P<child>.+) with (?P<others>.+), "
        r"which costs more than the arc itself gains)?\.": raise_is_true,
        alone + r"not change the mean distance(?:, and (?P<tie>.+))?\.": tie_is_true,
        alone + r"lower the mean distance by (?P<size>[0-9.e-]+)"
        r"(?P<why>: this search did not find that)?\.": lowering_is_true,
    }  # fmt: skip
    for pattern, check in known.items():
        if found := re.fullmatch(pattern, sentence):
            words = found.groupdict()
            right = "reversing it" if is_turned else "adding it"
            assert words.pop("doing", right).lower() == right
            check(case, arc, after, **words)
            return
    pytest.fail(f"nobody has checked the sentence {sentence!r}")


SOLVED = ("Adding it", "Leaving it out", "Reversing it")
_DECISION = re.compile(
    r"(?P<doing>Adding it|Leaving it out|Reversing it)"
    r"(?:, with everything else solved again, brings the network (?P<closer>[0-9.e-]+) closer: this search did not "
    r"find that| costs (?:(?P<least>[0-9.e-]+) to )?(?P<at_most>at most )?(?P<size>nothing|[0-9.e-]+), with everything "
    r"else solved again)(?:; no other arc changes|; with it, (?P<changes>.+))\."
)


def solved_is_true(case, arc, sentence, decision):
    """Whether a fresh search with the decision forced finds what is said; what was found is at most that."""
    found = _DECISION.fullmatch(sentence)
    assert found, sentence
    assert found["doing"] == {"in": SOLVED[0], "out": SOLVED[1], "turned": SOLVED[2]}[decision]
    cost = case.forced(arc, decision) - case.mean(case.mine)
    if found["closer"]:
        assert cost < 0
    elif found["size"] == "nothing":
        assert cost == pytest.approx(0, abs=1e-9)
    elif found["least"] or found["at_most"]:
        assert float(found["least"] or -math.inf) <= cost + 1e-9
        assert cost <= float(found["size"]) + 0.005
    else:
        size_is_true(found["size"], cost)
    named = re.split(", | and ", re.sub(r" and [0-9]+ more", "", found["changes"] or ""))
    for change in filter(None, named):
        one, what = re.fullmatch(r"(.+) (is added|is dropped|is reversed)", change).groups()
        assert case.mine.has_edge(*one.split(" \u2192 ")) == (what != "is added")


def barrier_is_true(case, arc, after, rule):
    arcs = {arc[::-1] in case.options.get("required", ()): "require it in the other direction"}
    assert rule == arcs.get(True, "forbid it")
    assert rule != "forbid it" or arc in case.options["forbidden"]


def tier_is_true(case, arc, after):
    tiers = {name: i for i, tier in enumerate(case.options["tiers"]) for name in tier}
    assert tiers[arc[0]] > tiers[arc[1]]


def majority_is_true(case, arc, after):
    assert case.found.problem.constraints.directions == "majority"
    assert case.weight(arc[::-1]) > case.weight(arc)


def parents_are_true(case, arc, after, target, most):
    assert target == arc[1]
    assert case.mine.in_degree(target) == int(most) == case.options["max_parents"]


def cycle_is_true(case, arc, after):
    assert not nx.is_directed_acyclic_graph(after)


def few_is_true(case, arc, after, who, either):
    assert (who == "Fewer than half of the inputs") == case.is_counted
    assert bool(either) == (case.weight(arc[::-1]) > 0)
    if case.metric == "shd":
        assert either != ", in either direction"
        assert 2 * case.weight(arc) + case.weight(arc[::-1]) < case.total
        return
    assert 2 * (case.weight(arc) + case.weight(arc[::-1])) < case.total
    # It is a reason where the distance counts those that join the two.
    assert case.metric == "smhd"
    assert case.joined(arc) < 0


def need_is_true(case, arc, after, size, limit):
    assert exact_clique(after) >= int(size) > int(limit) == case.limit


def made_is_true(case, arc, after, size, limit):
    assert exact_clique(after) <= int(size)
    assert int(size) > int(limit) == case.limit


def change(case, after):
    assert nx.is_directed_acyclic_graph(after)
    return case.mean(after) - case.mean(case.mine)


def size_is_true(size, value):
    digits = 2 if value >= 0.005 else -math.floor(math.log10(value))
    assert float(size) == rounded(value, digits)


def raise_is_true(case, arc, after, size, source, child, others):
    size_is_true(size, change(case, after))
    if source is None:
        return
    assert (source, child) == arc
    assert case.metric == "smhd"
    before = oracles.moral_edges(case.mine)
    for other in re.split(", | and ", re.sub(r" and [0-9]+ more", "", others)):
        assert case.mine.has_edge(other, child)
        assert frozenset((source, other)) not in before
        assert case.joined((source, other)) < 0
    # The arc by itself does no harm: its ends are joined already, or at least half of the weight joins them.
    assert frozenset(arc) in before or case.joined(arc) >= 0


def tie_is_true(case, arc, after, tie):
    assert change(case, after) == pytest.approx(0, abs=1e-9)
    forward, backward = case.weight(arc), case.weight(arc[::-1])
    if tie is None:
        return
    holds = {
        "fewer than half of the inputs have it in this direction": case.is_counted and 2 * forward < case.total,
        "inputs of less than half of the total weight have it in this direction": not case.is_counted
        and 2 * forward < case.total,
        "as many inputs have it in either direction": case.is_counted and forward == backward,
        "more inputs have it in the other direction": case.is_counted and forward < backward,
        "inputs of more weight have it in the other direction": not case.is_counted and forward < backward,
    }
    assert holds[tie]


def lowering_is_true(case, arc, after, size, why):
    size_is_true(size, -change(case, after))
    exact = exact_clique(after)
    assert exact <= case.limit if why else exact > 0
