"""Slow and obvious twins of the package's algorithms, on networkx graphs. They share no code with the package."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import fsum, inf, lgamma, log, prod

import networkx as nx

from bnfuse import DAG, Network
from bnfuse.data.data import MISSING, Data

Arcs = set[tuple[str, str]]


def graph_of(dag: DAG) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(dag.variables)
    graph.add_edges_from(dag.edges)
    return graph


def arcs_of(graph: nx.DiGraph) -> Arcs:
    return set(graph.edges)


def reverse_arc(graph: nx.DiGraph, source: str, target: str) -> None:
    """Both ends get each other's parents, then the arc turns round."""
    source_parents = set(graph.predecessors(source))
    target_parents = set(graph.predecessors(target)) - {source}
    graph.remove_edge(source, target)
    graph.add_edge(target, source)
    graph.add_edges_from((parent, target) for parent in source_parents)
    graph.add_edges_from((parent, source) for parent in target_parents)


def reversible_arcs(graph: nx.DiGraph) -> Arcs:
    """Arcs that stay undirected when v-structures, and then Meek's first three rules (1995), direct what they must."""
    joined = {frozenset(arc) for arc in graph.edges}
    fixed = {
        (parent, child)
        for child in graph
        for pair in combinations(graph.predecessors(child), 2)
        if frozenset(pair) not in joined
        for parent in pair
    }

    def is_forced(a: str, b: str) -> bool:
        before = {c for c, target in fixed if target == b}
        return (
            any(target == a and frozenset((c, b)) not in joined for c, target in fixed)
            or any((a, c) in fixed for c in before)
            or any(
                frozenset((c, d)) not in joined
                and {frozenset((a, c)), frozenset((a, d))} <= joined
                and not {(c, a), (d, a)} <= fixed  # then a is a child of both too, and turned round nothing is new
                for c, d in combinations(before, 2)
            )
        )

    while forced := {arc for arc in graph.edges if arc not in fixed and is_forced(*arc)}:
        fixed |= forced
    return set(graph.edges) - fixed


# The heuristic order (Puerta et al. 2021)


def sink_cost(graph: nx.DiGraph, x: str) -> int:
    def adjacent(a: str, b: str) -> bool:
        return bool(graph.has_edge(a, b) or graph.has_edge(b, a))

    parents, children = set(graph.predecessors(x)), set(graph.successors(x))
    unjoined_pairs = sum(not adjacent(p, c) for p in parents for c in children)
    others = {q for c in children for q in graph.predecessors(c)} - {x}
    return len(children) - 1 + unjoined_pairs + sum(not adjacent(q, x) for q in others)


def make_sink(graph: nx.DiGraph, x: str, ties: Sequence[str]) -> None:
    while children := [c for c in ties if graph.has_edge(x, c)]:
        child = next(c for c in children if not any(nx.has_path(graph, d, c) for d in children if d != c))
        reverse_arc(graph, x, child)


def heuristic_order(
    graphs: Iterable[nx.DiGraph], ties: Sequence[str], weights: Sequence[float] | None = None
) -> tuple[str, ...]:
    current = [graph.copy() for graph in graphs]
    counted = [1] * len(current) if weights is None else weights
    remaining = list(ties)
    order: list[str] = []
    while remaining:
        x = min(remaining, key=lambda v: sum(w * sink_cost(g, v) for w, g in zip(counted, current, strict=True)))
        remaining.remove(x)
        order.insert(0, x)
        for graph in current:
            make_sink(graph, x, ties)
            graph.remove_node(x)
    return tuple(order)


# Minimal I-maps: two constructions, and what they must satisfy


def method_a(graph: nx.DiGraph, order: Sequence[str]) -> Arcs:
    """Peña's Method A, swap by swap."""
    place = {v: i for i, v in enumerate(order)}
    rest = graph.copy()
    current: list[str] = []
    while len(rest):
        sink = max((v for v in rest if not rest.out_degree(v)), key=place.__getitem__)
        rest.remove_node(sink)
        current.insert(0, sink)
    result = graph.copy()
    for i in range(1, len(current)):
        for j in range(i, 0, -1):
            left, right = current[j - 1], current[j]
            if place[left] < place[right]:
                break
            if result.has_edge(left, right):
                reverse_arc(result, left, right)
            current[j - 1], current[j] = right, left
    assert current == list(order)
    return arcs_of(result)


def ancestral_imap(graph: nx.DiGraph, order: Sequence[str]) -> Arcs:
    """Each variable's parents: what it reaches in the moral ancestral graph through variables after it."""
    arcs: Arcs = set()
    relevant: set[str] = set()
    moral: dict[str, set[str]] = {v: set() for v in graph}  # of what is relevant: it grows with the order
    for i, v in enumerate(order):
        before = set(order[:i])
        for u in ({v} | nx.ancestors(graph, v)) - relevant:
            relevant.add(u)
            for one, other in permutations([u, *graph.predecessors(u)], 2):
                moral[one].add(other)
        seen, waiting = {v}, [v]
        while waiting:
            for u in moral[waiting.pop()]:
                if u in seen:
                    continue
                seen.add(u)
                if u in before:
                    arcs.add((u, v))
                else:
                    waiting.append(u)
    return arcs


def is_consistent(arcs: Iterable[tuple[str, str]], order: Sequence[str]) -> bool:
    return all(order.index(source) < order.index(target) for source, target in arcs)


def is_imap(candidate: nx.DiGraph, graph: nx.DiGraph) -> bool:
    """Whether every d-separation of `candidate` also holds in `graph`, by the definition: for few variables only."""
    for a, b in combinations(graph, 2):
        others = [v for v in graph if v not in (a, b)]
        for size in range(len(others) + 1):
            for given in combinations(others, size):
                if nx.is_d_separator(candidate, a, b, set(given)) and not nx.is_d_separator(graph, a, b, set(given)):
                    return False
    return True


def is_minimal_imap(candidate: nx.DiGraph, graph: nx.DiGraph) -> bool:
    def without(arc: tuple[str, str]) -> nx.DiGraph:
        smaller = candidate.copy()
        smaller.remove_edge(*arc)
        return smaller

    return is_imap(candidate, graph) and not any(is_imap(without(arc), graph) for arc in candidate.edges)


# Distances


def moral_graph(graph: nx.DiGraph) -> nx.Graph:
    return nx.moral_graph(graph)


def moral_edges(graph: nx.DiGraph) -> set[frozenset[str]]:
    return {frozenset(pair) for v in graph for pair in combinations([v, *graph.predecessors(v)], 2)}


def shd(a: nx.DiGraph, b: nx.DiGraph) -> int:
    def between(graph: nx.DiGraph, u: str, v: str) -> tuple[bool, bool]:
        return graph.has_edge(u, v), graph.has_edge(v, u)

    return sum(between(a, u, v) != between(b, u, v) for u, v in combinations(a, 2))


def smhd(a: nx.DiGraph, b: nx.DiGraph) -> int:
    return len(moral_edges(a) ^ moral_edges(b))


def fsim(a: nx.DiGraph, b: nx.DiGraph, ties: Sequence[str], directed: bool = True) -> int:
    def counted(arcs: Arcs) -> set[object]:
        return set(arcs) if directed else {frozenset(arc) for arc in arcs}

    order = heuristic_order([a, b], ties)
    map_a, map_b = counted(ancestral_imap(a, order)), counted(ancestral_imap(b, order))
    return len(map_a ^ map_b) + len(map_a - counted(arcs_of(a))) + len(map_b - counted(arcs_of(b)))


def distance(metric: str, a: nx.DiGraph, b: nx.DiGraph, ties: Sequence[str]) -> int:
    return {"shd": lambda: shd(a, b), "smhd": lambda: smhd(a, b), "fsim": lambda: fsim(a, b, ties)}[metric]()


# Clique sizes of triangulations, on undirected graphs


def cliques_along(graph: nx.Graph, order: Iterable[str]) -> list[int]:
    """The size of the clique that each elimination makes."""
    rest, sizes = graph.copy(), []
    for v in order:
        neighbours = list(rest[v])
        sizes.append(len(neighbours) + 1)
        rest.add_edges_from(combinations(neighbours, 2))
        rest.remove_node(v)
    assert not len(rest), "not every variable was eliminated"
    return sizes


def exact_clique_by_orders(graph: nx.Graph) -> int:
    """By trying every elimination order: for at most six or seven variables."""
    return min(max(cliques_along(graph, order)) for order in permutations(graph))


def exact_clique_by_subsets(graph: nx.Graph) -> int:
    """By dynamic programming over the sets of variables eliminated first, as bits: for up to a dozen variables."""
    index = {v: i for i, v in enumerate(graph)}
    near = [sum(1 << index[u] for u in graph[v] if u != v) for v in graph]

    def met(eliminated: int, v: int) -> int:
        """How many neighbours v has once the others are eliminated."""
        seen, reached = 1 << v, near[v]
        while passed := reached & eliminated & ~seen:
            seen |= passed
            for u in range(len(near)):
                if passed >> u & 1:
                    reached |= near[u]
        return (reached & ~eliminated & ~seen).bit_count()

    @cache
    def best(eliminated: int) -> int:
        rests = [(eliminated & ~(1 << v), v) for v in range(len(near)) if eliminated >> v & 1]
        return min((max(best(rest), met(rest, v) + 1) for rest, v in rests), default=0)

    return best((1 << len(near)) - 1)


# Candidates of the pruning searches: which arcs are kept, the network that this gives, and its value

Gene = list[tuple[int, tuple[str, str]]]
"""The arcs (number of the input, arc) that one gene keeps or prunes."""


class SlowCandidates:
    """Decoding, objective and greedy search by the book.

    `clique(labels, arcs)` gives a clique size; its ties go to the first label, so it may depend on their order.
    """

    def __init__(
        self,
        dags: Sequence[DAG],
        kind: str,
        order: str,
        metric: str,
        clique: Callable[[Sequence[str], Arcs], int],
        weights: Sequence[int] | None = None,
        target: str = "inputs",
    ) -> None:
        self.variables = dags[0].variables
        self.graphs = [graph_of(dag) for dag in dags]
        self.kind, self.metric, self.clique = kind, metric, clique
        self.weights = [1] * len(dags) if weights is None else list(weights)
        self.inputs_order = heuristic_order(self.graphs, self.variables, self.weights)
        self.imaps = [ancestral_imap(graph, self.inputs_order) for graph in self.graphs]
        self.fused = graph_with(self.variables, set().union(*self.imaps))
        self.fixed_order = None if order == "candidate" else self.inputs_order
        self.labels = self.inputs_order if kind != "fused" and order == "inputs" else self.variables
        self.references = [self.fused] if target == "fused" else self.graphs
        self.reference_weights = [1] if target == "fused" else self.weights
        self.ties = heuristic_order(self.references, self.variables, self.reference_weights)
        self.genes = self._genes()

    def _sorted(self, arcs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        return sorted(arcs, key=lambda arc: tuple(map(self.variables.index, arc)))

    def _genes(self) -> list[Gene]:
        if self.kind == "fused":
            return [[(0, arc)] for arc in self._sorted(self.fused.edges)]
        if self.kind == "per-network":
            return [[(i, arc)] for i, graph in enumerate(self.graphs) for arc in self._sorted(graph.edges)]
        distinct = set().union(*(graph.edges for graph in self.graphs))
        return [
            [(i, arc) for i, graph in enumerate(self.graphs) if graph.has_edge(*arc)] for arc in self._sorted(distinct)
        ]

    def pruned(self, chromosome: Sequence[bool]) -> list[nx.DiGraph]:
        kept = [pair for gene, keep in zip(self.genes, chromosome, strict=True) if keep for pair in gene]
        return [graph_with(self.variables, {arc for j, arc in kept if j == i}) for i in range(len(self.graphs))]

    def network(self, chromosome: Sequence[bool]) -> nx.DiGraph:
        pruned = self.pruned(chromosome)
        if self.kind == "fused":
            return pruned[0]
        order = self.fixed_order or heuristic_order(pruned, self.variables, self.weights)
        return graph_with(self.variables, set().union(*(ancestral_imap(graph, order) for graph in pruned)))

    def value(self, chromosome: Sequence[bool]) -> tuple[int, int, int]:
        """The summed distance, the directed support and the clique size."""
        return self.value_of(self.network(chromosome))

    def value_of(self, network: nx.DiGraph) -> tuple[int, int, int]:
        distances = [self.distance(network, reference) for reference in self.references]
        distance = sum(w * d for w, d in zip(self.reference_weights, distances, strict=True))
        support = sum(
            w for w, graph in zip(self.weights, self.graphs, strict=True) for arc in network.edges if arc in graph.edges
        )
        return distance, support, self.clique(self.labels, arcs_of(network))

    def distance(self, a: nx.DiGraph, b: nx.DiGraph) -> int:
        return distance(self.metric, a, b, self.ties)

    def frequency(self, gene: int) -> int:
        """The weight of the inputs that have the gene's arc; of their minimal I-maps, after fusion."""
        (_, arc), *_ = self.genes[gene]
        owners = self.imaps if self.kind == "fused" else [arcs_of(graph) for graph in self.graphs]
        return sum(w for w, arcs in zip(self.weights, owners, strict=True) if arc in arcs)

    def offered(self, offer: str) -> list[int]:
        """The genes in the order in which the greedy search is offered them."""
        numbered_arcs = [(i, tuple(map(self.variables.index, arc))) for gene in self.genes for i, arc in gene[:1]]

        def place(gene: int) -> tuple[object, ...]:
            owner, arc = numbered_arcs[gene]
            if offer == "frequency" or self.kind == "shared":
                return -self.frequency(gene), arc, owner
            if self.kind == "per-network":
                return sum(i == owner and other < arc for i, other in numbered_arcs), owner
            ((_, names),) = self.genes[gene]
            return next(i for i, arcs in enumerate(self.imaps) if names in arcs), arc

        return sorted(range(len(self.genes)), key=place)

    def greedy(self, limit: int, offer: str) -> list[bool]:
        """The paper's Algorithm 2: an arc stays if the network that would be returned stays within the limit."""
        kept = [False] * len(self.genes)
        for gene in self.offered(offer):
            kept[gene] = True
            kept[gene] = self.clique(self.labels, arcs_of(self.network(kept))) <= limit
        return kept


def graph_with(variables: Iterable[str], arcs: Iterable[tuple[str, str]]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(variables)
    graph.add_edges_from(arcs)
    return graph


# All DAGs over a few variables


@cache
def all_dags(size: int) -> frozenset[frozenset[tuple[int, int]]]:
    """The arcs of every DAG over 0, 1, ...: every subset of the pairs of every order."""
    found = set()
    for order in permutations(range(size)):
        subsets = [frozenset[tuple[int, int]]()]
        for pair in combinations(order, 2):
            subsets += [subset | {pair} for subset in subsets]
        found.update(subsets)
    return frozenset(found)


@cache
def all_moral_graphs(size: int) -> dict[frozenset[frozenset[int]], int]:
    """The edges of every moral graph over 0, 1, ... and its exact largest clique after triangulation."""
    found = set()
    for arcs in all_dags(size):
        parents: list[list[int]] = [[] for _ in range(size)]
        for source, target in arcs:
            parents[target].append(source)
        married = (pair for sources in parents for pair in combinations(sources, 2))
        found.add(frozenset(map(frozenset, (*arcs, *married))))
    cliques = {}
    for edges in found:
        graph = nx.Graph()
        graph.add_nodes_from(range(size))
        graph.add_edges_from(edges)
        cliques[edges] = exact_clique_by_subsets(graph)
    return cliques


def least_mean_smhd(dags: Sequence[DAG], weights: Sequence[float], limit: int) -> float:
    """The optimum over all DAGs within the limit."""
    number = {name: i for i, name in enumerate(dags[0].variables)}
    inputs = [{frozenset(number[v] for v in edge) for edge in moral_edges(graph_of(dag))} for dag in dags]
    sums = (
        sum(w * len(edges ^ other) for w, other in zip(weights, inputs, strict=True))
        for edges, clique in all_moral_graphs(len(number)).items()
        if clique <= limit
    )
    return min(sums) / sum(weights)


def least_mean_fsim(dags: Sequence[DAG], weights: Sequence[float], limit: int) -> float:
    """The optimum over all DAGs within the limit, ties as in the order of the inputs."""
    variables = dags[0].variables
    inputs = [graph_of(dag) for dag in dags]
    ties = heuristic_order(inputs, variables, weights)
    sums = []
    for arcs in all_dags(len(variables)):
        graph = graph_with(variables, ((variables[a], variables[b]) for a, b in arcs))
        if exact_clique_by_subsets(moral_graph(graph)) <= limit:
            sums.append(sum(w * fsim(graph, other, ties) for w, other in zip(weights, inputs, strict=True)))
    return min(sums) / sum(weights)


# Probabilities, by enumerating every state of all variables


def joint_distribution(network: Network) -> dict[tuple[str, ...], float]:
    """The probability of every combination of states, in the order of the variables."""
    names = network.variables
    found = {}
    for labels in product(*(network.states[name] for name in names)):
        code = {name: network.states[name].index(label) for name, label in zip(names, labels, strict=True)}
        chances = (
            float(network.cpts[name][tuple(code[member] for member in (*network.dag.parents(name), name))])
            for name in names
        )
        found[labels] = prod(chances)
    return found


def enumerated(
    network: Network, variables: Sequence[str], given: Mapping[str, str]
) -> tuple[dict[tuple[str, ...], float], float]:
    """The distribution of some variables given evidence, and the probability of the evidence."""
    place = {name: i for i, name in enumerate(network.variables)}
    sums: dict[tuple[str, ...], float] = {}
    for labels, chance in joint_distribution(network).items():
        if all(labels[place[name]] == label for name, label in given.items()):
            key = tuple(labels[place[name]] for name in variables)
            sums[key] = sums.get(key, 0.0) + chance
    total = sum(sums.values())
    return {key: value / total if total else 0.0 for key, value in sums.items()}, total


def enumerated_exactly(
    network: Network, variables: Sequence[str], given: Mapping[str, str]
) -> tuple[dict[tuple[str, ...], Fraction], Fraction]:
    """As `enumerated`, with fractions: however small a number is, it does not vanish."""
    names = network.variables
    sums: dict[tuple[str, ...], Fraction] = {}
    for labels in product(*(network.states[name] for name in names)):
        state = dict(zip(names, labels, strict=True))
        if any(state[name] != label for name, label in given.items()):
            continue
        chance = Fraction(1)
        for name in names:
            family = (*network.dag.parents(name), name)
            cell = tuple(network.states[member].index(state[member]) for member in family)
            chance *= Fraction(float(network.cpts[name][cell]))
        key = tuple(state[name] for name in variables)
        sums[key] = sums.get(key, Fraction(0)) + chance
    total = sum(sums.values(), Fraction(0))
    return {key: value / total if total else Fraction(0) for key, value in sums.items()}, total


def divergence(mixture: Mapping[tuple[str, ...], float], network: Network) -> float:
    """KL(mixture || network)."""
    other = joint_distribution(network)
    terms = [p * (log(p / other[key]) if other[key] else inf) for key, p in mixture.items() if p > 0]
    return fsum(terms)


def min_cut_edges(graph: nx.DiGraph, source: str, target: str, given: Iterable[str]) -> Arcs:
    """The smallest set of edges that separates two variables in the moral graph of their and the given ones' ancestors.

    Without the given ones; of several the one nearest to the target, as pairs with the target's side first.
    """
    ends = {source, target, *given}
    ancestors = ends.union(*(nx.ancestors(graph, end) for end in ends))
    moral = nx.moral_graph(graph.subgraph(ancestors))
    moral.remove_nodes_from(given)
    nx.set_edge_attributes(moral, 1, "capacity")
    _, (_, near_target) = nx.minimum_cut(moral, source, target)  # the side that still reaches the target: the smallest
    return {(a, b) for a in near_target for b in moral[a] if b not in near_target}


def min_cut_deletions(
    network: nx.DiGraph, inputs: Sequence[nx.DiGraph], weights: Sequence[int]
) -> list[tuple[str, str, int]]:
    """The arcs of a network in the order in which the min-cut consensus deletes them, each with the sum of its cuts."""
    network, pruned = network.copy(), [graph.copy() for graph in inputs]
    place = {name: i for i, name in enumerate(network)}
    support = {
        arc: sum(weight for graph, weight in zip(inputs, weights, strict=True) if graph.has_edge(*arc))
        for arc in network.edges
    }
    deletions = []
    while network.edges:
        ranked = {}
        for x, y in network.edges:
            others = set(network.predecessors(y)) - {x}
            cuts = [min_cut_edges(graph, x, y, others) for graph in pruned]
            size = sum(weight * len(cut) for weight, cut in zip(weights, cuts, strict=True))
            ranked[size, support[x, y], place[x], place[y]] = x, y, cuts
        (size, *_), (x, y, cuts) = min(ranked.items(), key=lambda item: item[0])
        network.remove_edge(x, y)
        for graph, cut in zip(pruned, cuts, strict=True):
            graph.remove_edges_from([*cut, *((b, a) for a, b in cut)])
        deletions.append((x, y, size))
    return deletions


# What families score on data


def family_score(data: Data, child: str, parents: Sequence[str], kind: str, sample_size: float = 1.0) -> float:
    """As the textbooks write it; where values are missing, the sum over the sets of the child and some parents."""
    if data.missing:
        sets = ((*some, child) for size in range(len(parents) + 1) for some in combinations(parents, size))
        return fsum(set_score(data, members, kind, sample_size) for members in sets)
    columns = [data.column(name).tolist() for name in (*parents, child)]
    rows = list(zip(*columns, strict=True))
    cells, configurations = Counter(rows), Counter(row[:-1] for row in rows)
    states = len(data.states[child])
    tables = prod(len(data.states[name]) for name in parents)
    if kind == "bdeu":
        whole, part = sample_size / tables, sample_size / tables / states
        total = fsum(
            [
                *(lgamma(whole) - lgamma(whole + seen) for seen in configurations.values()),
                *(lgamma(part + seen) - lgamma(part) for seen in cells.values()),
            ]
        )
    else:
        total = fsum(seen * log(seen / configurations[row[:-1]]) for row, seen in cells.items())
    penalty = {"bic": log(len(data)) / 2, "aic": 1.0}.get(kind, 0.0)
    return total - penalty * tables * (states - 1)


def set_score(data: Data, members: Sequence[str], kind: str, sample_size: float = 1.0) -> float:
    """What a set of variables adds to a score, from the rows that have all of it, scaled to all rows."""
    rows = [row for row in zip(*(data.column(name).tolist() for name in members), strict=True) if MISSING not in row]
    if len(rows) < 20 and len(members) > 1:
        return -inf
    if not rows:
        return 0.0

    def terms(chosen: Sequence[int]) -> float:
        seen = Counter(tuple(row[i] for i in chosen) for row in rows)
        part = sample_size / prod(len(data.states[members[i]]) for i in chosen)
        if kind == "bdeu":
            return fsum(lgamma(part + times) - lgamma(part) for times in seen.values())
        return fsum(times * log(times) for times in seen.values())

    places = range(len(members))
    interaction = fsum(
        (-1) ** (len(members) - size) * terms(chosen)
        for size in range(len(members) + 1)
        for chosen in combinations(places, size)
    )
    penalty = {"bic": log(len(data)) / 2, "aic": 1.0}.get(kind, 0.0)
    parameters = prod(len(data.states[name]) - 1 for name in members)
    return (interaction - penalty * parameters) * len(data) / len(rows)


def network_scores(data: Data, kind: str, sample_size: float = 1.0) -> Callable[[nx.DiGraph], float]:
    """What networks score; a family that several have is counted once."""

    @cache
    def scored(child: str, parents: tuple[str, ...]) -> float:
        return family_score(data, child, parents, kind, sample_size)

    return lambda graph: fsum(scored(v, tuple(sorted(graph.predecessors(v)))) for v in graph)


def pattern(arcs: Iterable[tuple[int, int]]) -> tuple[frozenset[frozenset[int]], frozenset[tuple[frozenset[int], int]]]:
    """The skeleton and the v-structures: what all networks of a class share (Verma and Pearl 1990)."""
    listed = set(arcs)
    skeleton = frozenset(map(frozenset, listed))
    parents = defaultdict(set)
    for source, target in listed:
        parents[target].add(source)
    met = ((frozenset(pair), child) for child, own in parents.items() for pair in combinations(own, 2))
    return skeleton, frozenset((pair, child) for pair, child in met if pair not in skeleton)
