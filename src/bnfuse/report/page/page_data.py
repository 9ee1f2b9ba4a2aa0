"""What a report's page is made of, as JSON: numbers and names, no markup.

Arcs are numbers, source * variables + target, sorted, each as the difference to the one before it: a fusion of
70,000 arcs takes a quarter of a megabyte.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from bnfuse._base.texts import shown_fraction
from bnfuse.answer.moves import Move
from bnfuse.answer.provenance import Origin
from bnfuse.answer.result import Consensus
from bnfuse.files import called_after
from bnfuse.files._tables import network_marks
from bnfuse.fusion.cliques import maximal_cliques
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.equivalence import CHAINED, RULES
from bnfuse.graphs.network import Network
from bnfuse.problem.constraints import Arc
from bnfuse.problem.input_votes import InputVotes
from bnfuse.problem.inputs import PLAIN
from bnfuse.problem.problem import Problem
from bnfuse.report.between import between
from bnfuse.report.drawing.layout import Layout, arrange
from bnfuse.report.drawing.routes import BOX_HEIGHT, CLEARANCE, CORNER, HEAD, Way
from bnfuse.report.page.page_tables import page_tables
from bnfuse.report.summary import Summary, outliers
from bnfuse.report.why_out import why_out

_MOST_STEPS = 400  # of the history
_MOST_CLIQUES = 5_000
_RULES = ("free", *RULES)
_TRACED = len(_RULES)  # as CHAINED, from a known v-structure on


def layout_of(consensus: Consensus) -> Layout:
    """Where the variables stand: by the consensus, and the arcs that at least half of those with a vote have."""
    tally = consensus.problem.tally
    counts = tally.arcs
    strength = counts + counts.T
    pairs = np.argwhere(np.triu((2 * strength >= tally.seen) & (strength > 0), 1))
    frequent = sorted(pairs.tolist(), key=lambda pair: -strength[pair[0], pair[1]])
    turned = [(a, b) if counts[a, b] >= counts[b, a] else (b, a) for a, b in frequent]
    own = [(source, target) for source, target in consensus.dag.arc_numbers.tolist()]
    return arrange(consensus.dag.variables, [*own, *turned])


def page_data(summary: Summary, layout: Layout) -> dict[str, Any]:
    """Everything that the page shows."""
    consensus = summary.consensus
    problem = consensus.problem
    return {
        "variables": problem.variables,
        "layout": _layout(layout, len(problem.variables)),
        "consensus": _codes(consensus.dag),
        "fusion": _codes(problem.fusion.dag) if summary.names and problem.dags and not problem.inputs.sees else None,
        "required": _numbers(problem, problem.constraints.required),
        "why": _why(consensus),
        "joined": _joined(consensus),
        "inputs": _inputs(summary),
        "counts": None if summary.names and problem.inputs.is_plain else _counts(problem),
        "stability": _stability(summary),
        "weight": problem.tally.weight,
        "parts": problem.tally.parts,
        "seen": _seen(consensus),
        "unjudged": _steps(_unjudged(problem)),
        "reasons": dict(_reason(reason, problem) for reason in why_out(consensus)),
        "facts": _facts(summary),
        "compared": _compared(summary),
        "between": between(consensus) if summary.names else None,
        "history": _history(consensus),
        # The cost may have more digits than a number in JavaScript: its power of ten.
        "frontier": [point.numbers | {"tables": math.log10(point.tables)} for point in consensus.frontier],
        "steps_through_tables": consensus.steps_through_tables,
        "cliques": _cliques(summary),
        "marks": _marks(consensus.network),
        "tables": page_tables(consensus, summary.cost),
        "origin": _origin(summary),
    }


def _marks(network: Network) -> list[str]:
    """The properties of a file with what the page has of the network: the states only together with the tables."""
    return network_marks(network if network.cpts else Network(network.dag, made_by=network.made_by))


def _codes(dag: DAG) -> list[int]:
    n = len(dag.variables)
    return _steps((dag.arc_numbers @ (n, 1)).tolist())


def _steps(codes: Iterable[int]) -> list[int]:
    """Numbers, sorted, each as the difference to the one before it."""
    return [int(step) for step in np.diff(sorted(codes), prepend=0)]


def _layout(layout: Layout, n: int) -> dict[str, Any]:
    return {
        "x": [int(x) for x, _ in layout.centres],
        "y": [int(y) for _, y in layout.centres],
        "widths": [int(width) for width in layout.widths],
        "height": BOX_HEIGHT,
        "head": HEAD,
        "clearance": CLEARANCE,
        "corner": CORNER,
        "size": [layout.width, layout.height],
        "ways": [[source * n + target, *_knots(way)] for (source, target), way in layout.ways.items()],
    }


def _knots(way: Way) -> Iterable[int]:
    """The knots of an arc: x and y as steps from one to the next, slopes in hundredths."""
    before = (0.0, 0.0)
    for x, y, slope in way:
        yield from (round(x - before[0]), round(y - before[1]), round(100 * slope))
        before = (x, y)


def _numbers(problem: Problem, arcs: Iterable[Arc]) -> list[int]:
    """A few arcs, each as its own number."""
    index = {name: i for i, name in enumerate(problem.variables)}
    return [index[source] * len(index) + index[target] for source, target in arcs]


def _joined(consensus: Consensus) -> list[list[int]]:
    """Of the consensus, the arcs that no input has: how much weight joins their ends in the moral graph."""
    n, tally = len(consensus.dag.variables), consensus.problem.tally
    return [
        [source * n + target, int(tally.moral[source, target])]
        for source, target in consensus.dag.arc_numbers.tolist()
        if not tally.arcs[source, target] and not tally.arcs[target, source]
    ]


def _inputs(summary: Summary) -> list[dict[str, Any]]:
    problem = summary.consensus.problem
    if not summary.names:
        return []
    distances = summary.consensus.distances
    return [
        {
            "name": name,
            "weight": weight,
            "given": shown_fraction(given),
            "distance": distance,
            "apart": apart,
            "arcs": _steps(
                _numbers(problem, votes_of_one.arcs if votes_of_one.dag is None else votes_of_one.dag.edges)
            ),
            "free": _steps(_free(problem, votes_of_one)),
            "lacks": _steps(i for i, one in enumerate(problem.variables) if one not in votes_of_one.index),
        }
        for name, weight, given, distance, apart, votes_of_one in zip(
            summary.names,
            problem.weights,
            problem.inputs.given_weights,
            distances,
            outliers(distances),
            problem.inputs.input_votes,
            strict=True,
        )
    ]


def _stability(summary: Summary) -> dict[str, Any] | None:
    """Of resamples: the estimated threshold, and how many make an arc strong; strengths follow from the counts."""
    stability = summary.stability
    if stability is None:
        return None
    strengths = stability.strengths
    return {"threshold": strengths.threshold, "fewest": stability.fewest, "resamples": strengths.networks}


def _free(problem: Problem, votes_of_one: InputVotes) -> list[int]:
    """Of the arcs of an input that is a class, those to which it gives no direction."""
    if votes_of_one.directed is None or votes_of_one.dag is None:
        return []
    edges = {frozenset(edge) for edge in votes_of_one.directed.edges}
    return _numbers(problem, (arc for arc in votes_of_one.dag.edges if frozenset(arc) in edges))


def _seen(consensus: Consensus) -> list[list[int]]:
    """Of the pairs that the consensus or an input joins by an arc: the weight that has a vote, where not all has."""
    tally = consensus.problem.tally
    if tally.is_whole:
        return []
    n, seen = len(tally.variables), tally.seen
    joined = consensus.dag.to_adjacency() | (tally.arcs > 0)
    pairs = np.argwhere(np.triu((joined | joined.T) & (seen < tally.weight)))
    return [[a * n + b, int(seen[a, b])] for a, b in pairs.tolist()]


def _unjudged(problem: Problem) -> Iterable[int]:
    """The pairs that nobody has a vote on, each by its number with the first variable first."""
    if problem.tally.is_whole:
        return ()
    pairs: list[int] = np.flatnonzero(np.triu(problem.tally.seen == 0, 1)).tolist()
    return pairs


def _compared(summary: Summary) -> list[dict[str, Any]]:
    """The consensus beside others; its clique is the one that its own elimination order proves, as elsewhere."""
    _, *others = summary.compared
    cliques = [str(summary.consensus.clique_size), *(str(one.clique_size) for one in others)]
    return [
        {"name": one.name, "distance": one.distance, "clique": clique, "arcs": one.arcs}
        for one, clique in zip(summary.compared, cliques, strict=True)
    ]


def _counts(problem: Problem) -> list[list[int]]:
    """Where the inputs' arcs do not tell it, as of a tally and of half votes: how much weight each arc has."""
    arcs = problem.tally.arcs
    n = len(problem.variables)
    return [[int(a * n + b), int(arcs[a, b])] for a, b in np.argwhere(arcs)]


def _reason(reason: Move, problem: Problem) -> tuple[str, list[Any]]:
    change = reason.change
    # That few inputs have an arc is a reason where the distance counts the inputs that join its two ends.
    is_rare = change is not None and change.own is not None and change.own > 0 and problem.target == "inputs"
    return str(reason.source * len(problem.variables) + reason.target), [
        None if change is None else round(change.total, 9),
        int(is_rare),
        int(reason.closes_cycle),
        reason.barrier,
        reason.clique,
        reason.clique_at_least,
        None if reason.table is None else _text(reason.table),
        *(change.married if change is not None and change.is_by_marriage else ()),
    ]


def _why(consensus: Consensus) -> list[list[Any]]:
    """Of each arc of the consensus what leaving it out costs, and what fixes its direction (a place in `_RULES`).

    Then through whom, from which v-structure on, and whom it marries, where that is what it is there for.
    """
    index = {name: i for i, name in enumerate(consensus.dag.variables)}
    found: list[list[Any]] = []
    for one in consensus.why_in:
        fixed, rule, names = one.fixed_by, 0, list[str]()
        if fixed is not None:
            rule = _RULES.index(fixed.rule)
            names += fixed.others
            if fixed.rule == CHAINED and fixed.v_structure is not None:
                rule = _TRACED
                names += fixed.v_structure
        cost = None if one.cost is None else round(one.cost, 9)
        found.append([cost, rule, *(index[name] for name in (*names, *one.shares_child_with))])
    return found


def _facts(summary: Summary) -> dict[str, Any]:
    consensus, problem = summary.consensus, summary.consensus.problem
    vote, fused = summary.baseline("majority vote"), summary.baseline("full fusion")
    return {
        "what": summary.what,
        "without": summary.without,
        "quality": summary.quality,
        "who": summary.who if summary.stability is None else summary.stability.sentence("\u2192"),
        "itself": summary.itself,
        "weighting": summary.weighting,
        "ties": summary.ties,
        "coverage": summary.coverage,
        "directions": summary.directions,
        "apart": summary.outliers,
        "metric": problem.metric,
        "target": problem.target,
        "method": consensus.method,
        "distance": consensus.distance,
        "bound": consensus.lower_bound,
        "gap": consensus.gap,
        "proof": None if consensus.proof is None else consensus.proof.sentence,
        "clique": consensus.clique_size,
        "limit": problem.max_clique,
        "is_clique_limited": problem.is_clique_limited,
        "largest_table": None if consensus.largest_table is None else _text(consensus.largest_table),
        "max_table": problem.max_table,
        "most_parents": problem.constraints.max_parents,
        "arcs": len(consensus.dag.arc_numbers),
        "majority": None if vote is None else vote.distance,
        "fused": None if fused is None else {"distance": fused.distance, "clique": str(fused.clique_size)},
        "tables": _text(summary.cost.total),
        "states_known": summary.cost.states_known,
        "seconds": consensus.seconds,
        "stopped_by": consensus.stopped_by,
        "notes": consensus.notes,
    }


def _history(consensus: Consensus) -> list[list[float]]:
    steps = consensus.history
    every = max(1, -(-len(steps) // _MOST_STEPS))
    chosen = [*steps[::every], *(steps[-1:] if (len(steps) - 1) % every else ())]
    return [[one.step, one.distance, one.mean, one.evaluations] for one in chosen]


def _cliques(summary: Summary) -> dict[str, Any]:
    """The cliques whose tables `Summary.cost` counts, largest first."""
    consensus = summary.consensus
    index = {name: i for i, name in enumerate(consensus.dag.variables)}
    states = consensus.network.states
    cliques = sorted(maximal_cliques(consensus.dag, summary.cost.elimination_order), key=lambda clique: -len(clique))
    sizes = [math.prod(2 if states is None else len(states[name]) for name in clique) for clique in cliques]
    shown = list(zip(cliques, sizes, strict=True))[:_MOST_CLIQUES]
    return {"all": len(cliques), "shown": [[_text(size), *(index[name] for name in clique)] for clique, size in shown]}


def _text(number: int) -> str:
    """A whole number of any size for JavaScript, which counts to 2**53."""
    return str(number) if number < 10**15 else f"{Decimal(number):.2e}"


def _origin(summary: Summary) -> dict[str, Any]:
    consensus, problem = summary.consensus, summary.consensus.problem
    origin = consensus.origin
    known = asdict(Origin.now() if origin is None else origin)
    if origin is None:
        known["time"] = None  # the search was earlier
    given = map(shown_fraction, problem.inputs.given_weights)
    weights = list(zip(summary.names, given, strict=True)) if summary.names and summary.is_weighted else []
    weights += [(name, "0") for name in problem.inputs.left_out]
    return known | {
        "files": [file | {"left_out": name in problem.inputs.left_out} for file, name in _named_files(known["files"])],
        "options": {
            "method": consensus.method,
            "metric": problem.metric,
            "target": problem.target,
            **({"largest clique allowed": problem.max_clique} if problem.is_clique_limited else {}),
            **({"numbers in a clique table allowed": f"{problem.max_table:,}"} if problem.max_table else {}),
            "seed": consensus.seed,
            **({"weights": ", ".join(f"{name}={weight}" for name, weight in weights)} if weights else {}),
            **_reading(problem),
            **_constraints(problem),
        },
    }


def _named_files(files: Sequence[dict[str, Any]]) -> Iterable[tuple[dict[str, Any], str]]:
    """Files with the names that their networks are called by, unless they hold many."""
    return zip(files, called_after([Path(file["path"]) for file in files]), strict=True)


def _reading(problem: Problem) -> dict[str, Any]:
    """How the inputs were taken, where that is not how they mostly are."""
    chosen = asdict(problem.inputs.options)
    usual = asdict(PLAIN)
    texts = {
        "variables": "variables",
        "marginalise": "marginalised",
        "support": "support",
        "soft": "moral edges of votes",
    }
    return {
        text: "yes" if chosen[name] is True else chosen[name]
        for name, text in texts.items()
        if chosen[name] != usual[name]
    }


def _constraints(problem: Problem) -> dict[str, Any]:
    rules = problem.constraints
    texts = {
        "required arcs": ", ".join(f"{a} \u2192 {b}" for a, b in rules.required),
        "forbidden arcs": ", ".join(f"{a} \u2192 {b}" for a, b in rules.forbidden),
        "tiers": " < ".join(", ".join(tier) for tier in rules.tiers),
        "most parents": "" if rules.max_parents is None else str(rules.max_parents),
        "directions": "" if rules.directions == "any" else rules.directions,
    }
    return {name: text for name, text in texts.items() if text}
