"""The content of a report's page, numbers and names without markup: the fields of `page_schema`, filled in."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import numpy as np

from bnfuse._base.texts import shown_fraction
from bnfuse.answer.disputes.disputes import Disputes
from bnfuse.answer.provenance import InputFile, Origin
from bnfuse.answer.question import usual_directions
from bnfuse.answer.reasons.moves import Move
from bnfuse.answer.reasons.why_out import why_out
from bnfuse.answer.result import Consensus
from bnfuse.files import called_after
from bnfuse.files._tables import network_marks
from bnfuse.fusion.cliques import maximal_cliques
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.equivalence import CHAINED
from bnfuse.graphs.network import Network
from bnfuse.problem.constraints import Arc, pairs_apart
from bnfuse.problem.input_votes import InputVotes
from bnfuse.problem.inputs import PLAIN
from bnfuse.problem.pair_counts import Counts, pairs_of
from bnfuse.problem.problem import Problem
from bnfuse.report.between import between
from bnfuse.report.causal import causal_distances_to_inputs
from bnfuse.report.disputed import page_disputes
from bnfuse.report.drawing.layout import Layout, arrange
from bnfuse.report.drawing.routes import BOX_HEIGHT, CLEARANCE, CORNER, HEAD, Way
from bnfuse.report.page.gaussian.page_numbers import page_numbers
from bnfuse.report.page.page_schema import (
    VERSION,
    ArcWeight,
    Clique,
    Cliques,
    ComparedNetwork,
    Facts,
    KnotSteps,
    OriginFile,
    OtherLimit,
    PageData,
    PageInput,
    PageLayout,
    PageOrigin,
    PageStability,
    Reason,
    SearchStep,
    Size,
    Steps,
    Why,
)
from bnfuse.report.page.page_tables import page_tables
from bnfuse.report.summary import Summary, outliers

_MOST_STEPS = 400  # of the history
_MOST_CLIQUES = 5_000
_FREE = "free"


def layout_of(consensus: Consensus) -> Layout:
    """The positions of the variables: by the arcs of the consensus and those that at least half of the voters have."""
    tally = consensus.problem.tally
    counts, seen = tally.arcs, tally.seen
    strength: dict[tuple[int, int], int] = {}
    for a, b in pairs_of(counts):
        strength[min(a, b), max(a, b)] = int(counts[a, b]) + int(counts[b, a])
    frequent = sorted(pair for pair, weight in strength.items() if 2 * weight >= seen[pair])
    frequent.sort(key=lambda pair: -strength[pair])
    turned = [(a, b) if counts[a, b] >= counts[b, a] else (b, a) for a, b in frequent]
    own = [(source, target) for source, target in consensus.dag.arc_numbers.tolist()]
    return arrange(consensus.dag.variables, [*own, *turned])


def page_data(summary: Summary, layout: Layout, disputes: Disputes | None = None) -> PageData:
    """Everything that the page shows; with `disputes` if they were solved."""
    consensus = summary.consensus
    problem = consensus.problem
    return PageData(
        version=VERSION,
        variables=problem.variables,
        layout=page_layout(layout),
        consensus=_codes(consensus.dag),
        fusion=_codes(problem.fusion.dag) if summary.names and problem.inputs.has_fusion else None,
        required=_numbers(problem, problem.constraints.required),
        why=_why(consensus),
        joined=_joined(consensus),
        inputs=_inputs(summary),
        counts=None if summary.names and problem.inputs.is_plain else _counts(problem),
        stability=_stability(summary),
        weight=problem.tally.weight,
        parts=problem.tally.parts,
        seen=_seen(consensus),
        unjudged=_steps(_unjudged(problem)),
        reasons={str(_code(problem, one.source, one.target)): _reason(one, problem) for one in why_out(consensus)},
        disputes=None if disputes is None else page_disputes(consensus, disputes),
        facts=_facts(summary),
        compared=_compared(summary),
        between=between(consensus) if summary.names else None,
        history=_history(consensus),
        frontier=_frontier(consensus),
        steps_through_tables=consensus.steps_through_tables,
        cliques=_cliques(summary),
        marks=_marks(consensus.network),
        tables=page_tables(consensus, summary.cost),
        numbers=page_numbers(consensus),
        origin=_origin(summary),
    )


def _marks(network: Network) -> list[str]:
    """The properties of a file with the page's part of the network: the states only together with the tables."""
    return network_marks(network if network.cpts else Network(network.dag, made_by=network.made_by))


def _code(problem: Problem, source: int, target: int) -> int:
    return source * len(problem.variables) + target


def _codes(dag: DAG) -> Steps:
    n = len(dag.variables)
    return _steps((dag.arc_numbers @ (n, 1)).tolist())


def _steps(codes: Iterable[int]) -> Steps:
    """Sorted numbers, each as the difference from the previous one."""
    return [int(step) for step in np.diff(sorted(codes), prepend=0)]


def page_layout(layout: Layout) -> PageLayout:
    """A layout for the page: in whole pixels."""
    n = len(layout.centres)
    return PageLayout(
        x=[int(x) for x, _ in layout.centres],
        y=[int(y) for _, y in layout.centres],
        widths=[int(width) for width in layout.widths],
        height=BOX_HEIGHT,
        head=HEAD,
        clearance=CLEARANCE,
        corner=CORNER,
        size=Size(layout.width, layout.height),
        ways=[_way(source * n + target, way) for (source, target), way in layout.ways.items()],
    )


def _way(arc: int, way: Way) -> KnotSteps:
    knots = [(0.0, 0.0, 0.0), *way]
    return KnotSteps(
        arc,
        x=[round(x - before) for (before, _, _), (x, _, _) in pairwise(knots)],
        y=[round(y - before) for (_, before, _), (_, y, _) in pairwise(knots)],
        slopes=[round(100 * slope) for _, _, slope in way],
    )


def _numbers(problem: Problem, arcs: Iterable[Arc]) -> list[int]:
    """A few arcs, each as its own number."""
    index = {name: i for i, name in enumerate(problem.variables)}
    return [index[source] * len(index) + index[target] for source, target in arcs]


def _joined(consensus: Consensus) -> list[ArcWeight]:
    """For the arcs of the consensus that no input has: the weight of the inputs whose moral graph joins their ends."""
    tally = consensus.problem.tally
    return [
        ArcWeight(_code(consensus.problem, source, target), int(tally.moral[source, target]))
        for source, target in consensus.dag.arc_numbers.tolist()
        if not tally.arcs[source, target] and not tally.arcs[target, source]
    ]


def _inputs(summary: Summary) -> list[PageInput]:
    problem = summary.consensus.problem
    if not summary.names:
        return []
    distances = summary.consensus.distances
    return [
        PageInput(
            name=name,
            weight=weight,
            given=shown_fraction(given),
            distance=distance,
            apart=apart,
            arcs=_steps(_numbers(problem, votes_of_one.arcs if votes_of_one.dag is None else votes_of_one.dag.edges)),
            free=_steps(_free(problem, votes_of_one)),
            lacks=_steps(i for i, one in enumerate(problem.variables) if one not in votes_of_one.index),
            causal=causal,
        )
        for name, weight, given, distance, apart, votes_of_one, causal in zip(
            summary.names,
            problem.weights,
            problem.inputs.given_weights,
            distances,
            outliers(distances),
            problem.inputs.input_votes,
            causal_distances_to_inputs(summary.consensus),
            strict=True,
        )
    ]


def _stability(summary: Summary) -> PageStability | None:
    """For resamples: the estimated threshold, and how many make an arc strong; strengths follow from the counts."""
    stability = summary.stability
    if stability is None:
        return None
    strengths, problem = stability.strengths, summary.consensus.problem
    fixed = None if problem.tally.fixed is None else _weights(problem, problem.tally.fixed)
    return PageStability(strengths.threshold, stability.fewest, strengths.networks, fixed)


def _free(problem: Problem, votes_of_one: InputVotes) -> list[int]:
    """For an input that is a class, its arcs without a direction."""
    if votes_of_one.directed is None or votes_of_one.dag is None:
        return []
    edges = {frozenset(edge) for edge in votes_of_one.directed.edges}
    return _numbers(problem, (arc for arc in votes_of_one.dag.edges if frozenset(arc) in edges))


def _seen(consensus: Consensus) -> list[ArcWeight]:
    """For the pairs that the consensus or an input joins by an arc: the weight of the votes, if not all inputs vote."""
    tally = consensus.problem.tally
    if tally.is_whole:
        return []
    seen = tally.seen
    joined = [*consensus.dag.arc_numbers.tolist(), *pairs_of(tally.arcs)]
    pairs = sorted({(min(a, b), max(a, b)) for a, b in joined})
    return [ArcWeight(_code(consensus.problem, a, b), int(seen[a, b])) for a, b in pairs if seen[a, b] < tally.weight]


def _unjudged(problem: Problem) -> Iterable[int]:
    """The pairs without any votes, each by its number with the first variable first."""
    if problem.tally.is_whole:
        return ()
    if problem.tally.is_listed:  # too many to list
        return ()
    pairs: list[int] = np.flatnonzero(np.triu(problem.tally.seen == 0, 1)).tolist()
    return pairs


def _compared(summary: Summary) -> list[ComparedNetwork]:
    """The consensus compared with others; its clique is the one that its own elimination order proves, as elsewhere."""
    _, *others = summary.compared
    cliques = [str(summary.consensus.clique_size), *(str(one.clique_size) for one in others)]
    return [
        ComparedNetwork(one.name, one.distance, clique, one.arcs)
        for one, clique in zip(summary.compared, cliques, strict=True)
    ]


def _counts(problem: Problem) -> list[ArcWeight]:
    """The weight of each arc, if it does not follow from the inputs' arcs, as for a tally and for half votes."""
    return _weights(problem, problem.tally.arcs)


def _weights(problem: Problem, counts: Counts) -> list[ArcWeight]:
    return [ArcWeight(_code(problem, a, b), int(counts[a, b])) for a, b in pairs_of(counts)]


def _reason(reason: Move, problem: Problem) -> Reason:
    change = reason.change
    return Reason(
        change=None if change is None else round(change.total, 9),
        # That few inputs have an arc is a reason where the distance counts the inputs that join its two ends.
        is_rare=change is not None and change.own is not None and change.own > 0 and problem.target == "inputs",
        closes_cycle=reason.closes_cycle,
        barrier=reason.barrier,
        clique=reason.clique,
        clique_at_least=reason.clique_at_least,
        table=None if reason.table is None else _text(reason.table),
        married=list(change.married) if change is not None and change.is_by_marriage else [],
    )


def _why(consensus: Consensus) -> list[Why]:
    index = {name: i for i, name in enumerate(consensus.dag.variables)}

    def numbers(names: Iterable[str]) -> list[int]:
        return [index[name] for name in names]

    found = []
    for one in consensus.why_in:
        fixed = one.fixed_by
        follows = fixed.v_structure if fixed is not None and fixed.rule == CHAINED else None
        why = Why(
            cost=None if one.cost is None else round(one.cost, 9),
            rule=_FREE if fixed is None else fixed.rule,
            others=[] if fixed is None else numbers(fixed.others),
            v_structure=numbers(follows or ()),
            married=numbers(one.shares_child_with),
        )
        found.append(why)
    return found


def _facts(summary: Summary) -> Facts:
    consensus, problem = summary.consensus, summary.consensus.problem
    vote = summary.baseline("majority vote")
    return Facts(
        what=summary.what,
        without=summary.without,
        quality=summary.quality,
        who=summary.who if summary.stability is None else summary.stability.sentence("\u2192"),
        itself=summary.itself,
        weighting=summary.weighting,
        ties=summary.ties,
        coverage=summary.coverage,
        directions=summary.directions,
        freedom=summary.freedom,
        apart=summary.outliers,
        metric=problem.metric,
        target=problem.target,
        method=consensus.method,
        distance=consensus.distance,
        bound=consensus.lower_bound,
        gap=consensus.gap,
        proof=None if consensus.proof is None else consensus.proof.sentence,
        clique=consensus.clique_size,
        limit=problem.max_clique,
        is_clique_limited=problem.is_clique_limited,
        largest_table=None if consensus.largest_table is None else _text(consensus.largest_table),
        max_table=problem.max_table,
        most_parents=problem.constraints.max_parents,
        arcs=len(consensus.dag.arc_numbers),
        majority=None if vote is None else vote.distance,
        tables=_text(summary.cost.total),
        states_known=summary.cost.states_known,
        seconds=consensus.seconds,
        stopped_by=consensus.stopped_by,
        notes=consensus.notes,
    )


def _history(consensus: Consensus) -> list[SearchStep]:
    steps = consensus.history
    every = max(1, -(-len(steps) // _MOST_STEPS))
    chosen = [*steps[::every], *(steps[-1:] if (len(steps) - 1) % every else ())]
    return [SearchStep(one.step, one.distance, one.mean, one.evaluations) for one in chosen]


def _frontier(consensus: Consensus) -> list[OtherLimit]:
    return [
        OtherLimit(
            max_clique=one.max_clique,
            distance=one.distance,
            lower_bound=one.lower_bound,
            arcs=one.arcs,
            clique_size=one.clique_size,
            tables=math.log10(one.tables),
            max_table=one.max_table,
        )
        for one in consensus.frontier
    ]


def _cliques(summary: Summary) -> Cliques:
    """The cliques whose tables `Summary.cost` counts, largest first."""
    consensus = summary.consensus
    index = {name: i for i, name in enumerate(consensus.dag.variables)}
    states = consensus.network.states
    cliques = sorted(maximal_cliques(consensus.dag, summary.cost.elimination_order), key=lambda clique: -len(clique))
    sizes = [math.prod(2 if states is None else len(states[name]) for name in clique) for clique in cliques]
    shown = list(zip(cliques, sizes, strict=True))[:_MOST_CLIQUES]
    rows = [Clique(_text(size), [index[name] for name in clique]) for clique, size in shown]
    return Cliques(all=len(cliques), shown=rows)


def _text(number: int) -> str:
    """A whole number of any size for JavaScript, which counts to 2**53."""
    return str(number) if number < 10**15 else f"{Decimal(number):.2e}"


def _origin(summary: Summary) -> PageOrigin:
    consensus, problem = summary.consensus, summary.consensus.problem
    known = Origin.now() if consensus.origin is None else consensus.origin
    given = map(shown_fraction, problem.inputs.given_weights)
    weights = list(zip(summary.names, given, strict=True)) if summary.names and summary.is_weighted else []
    weights += [(name, "0") for name in problem.inputs.left_out]
    return PageOrigin(
        files=list(_files(known.files, problem)),
        command=_command(consensus, known.command),
        version=known.version,
        time=None if consensus.origin is None else known.time,  # if it is not known, the search was earlier
        options={
            "method": consensus.method,
            "metric": problem.metric,
            "target": problem.target,
            **({"largest clique allowed": problem.max_clique} if problem.is_clique_limited else {}),
            **({"numbers in a clique table allowed": f"{problem.max_table:,}"} if problem.max_table else {}),
            "seed": str(consensus.seed),  # JavaScript has no whole numbers of 64 bits
            **({"weights": ", ".join(f"{name}={weight}" for name, weight in weights)} if weights else {}),
            **_reading(problem),
            **_constraints(problem),
        },
    )


def _command(consensus: Consensus, command: str) -> str:
    """The command that made a result; one from an older version gets the rule on directions that it had."""
    problem = consensus.problem
    rule = problem.constraints.directions
    usual = usual_directions(consensus.options, problem.metric, problem.target)
    is_whole = rule == usual or "--directions" in command
    if is_whole or not command.startswith(("bnfuse consensus ", "bnfuse bootstrap ")):
        return command
    program, name, rest = command.split(" ", 2)
    return f"{program} {name} --directions {rule} {rest}"


def _files(files: Sequence[InputFile], problem: Problem) -> Iterable[OriginFile]:
    """Files; those left out are named by their networks, unless a file holds several."""
    for file, name in zip(files, called_after([Path(one.path) for one in files]), strict=True):
        yield OriginFile(file.path, file.size, file.sha256, left_out=name in problem.inputs.left_out)


def _reading(problem: Problem) -> dict[str, str]:
    """The non-default ways in which the inputs were counted."""
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


def _constraints(problem: Problem) -> dict[str, str]:
    rules = problem.constraints
    pairs, single = pairs_apart(rules.forbidden)
    texts = {
        "required arcs": ", ".join(f"{a} \u2192 {b}" for a, b in rules.required),
        "forbidden arcs": ", ".join([*(f"{a} \u2194 {b}" for a, b in pairs), *(f"{a} \u2192 {b}" for a, b in single)]),
        "tiers": " < ".join(", ".join(tier) for tier in rules.tiers),
        "most parents": "" if rules.max_parents is None else str(rules.max_parents),
        "directions": rules.directions or "",
    }
    return {name: text for name, text in texts.items() if text}
