"""The answer to a question, in a worker: the search, and everything that the page shows about its result."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from bnfuse.alignment.alignment import Alignment
from bnfuse.answer.consensus import solved, solved_frontier
from bnfuse.answer.disputes.disputes import disputes, unsolved
from bnfuse.answer.judged import finished_with
from bnfuse.answer.persistence import as_bytes, parsed
from bnfuse.answer.provenance import InputFile, Origin
from bnfuse.answer.question import Question
from bnfuse.answer.result import Consensus
from bnfuse.errors import OptionError
from bnfuse.files import Input, share_variables
from bnfuse.graphs.network import Network
from bnfuse.problem.inputs import InputsLike
from bnfuse.report.disputed import page_disputes
from bnfuse.report.drawing.layout import Layout
from bnfuse.report.page.other_limits import limits_data
from bnfuse.report.page.page import data_text
from bnfuse.report.page.page_data import layout_of, page_data
from bnfuse.report.page.page_schema import PageData
from bnfuse.report.page.records import as_json
from bnfuse.report.summary import Summary
from bnfuse.search.bounds import problem_bound
from bnfuse.search.run import Callback
from bnfuse.serve import limits
from bnfuse.serve.drawing.states import drawn_states
from bnfuse.serve.jobs.repeat import arguments, command
from bnfuse.serve.naming.decisions import alignment_rows
from bnfuse.serve.workspace.disputes import MOST, dispute_rows
from bnfuse.serve.workspace.reading import TALLY, Library
from bnfuse.serve.workspace.state import DIRECT, OPTIONS, PROOF, QUICK, State, effort_of
from bnfuse.serve.workspace.state import Input as Part

_LEVEL = 1  # of zlib: what the store keeps is packed in a few milliseconds


class Glance(Consensus):
    """The answer of a first search, for which the page wants only what is known at once."""

    @cached_property
    def lower_bound(self) -> float | None:
        """The bound without its refinement, which takes longer than the search."""
        return None if self.problem.metric == "fsim" else self.problem.mean(problem_bound(self.problem, rounds=0))

    @property
    def if_any(self) -> None:
        """Start another search: the next answer contains it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with everything that its answer needs."""

    state: State
    files: Mapping[str, Mapping[str, Any]]
    """by their ids: names and facts"""
    effort: str
    library: Library
    threads: int
    progress: Callback | None = None

    @property
    def is_first(self) -> bool:
        """Whether somebody waits for the first answer."""
        return self.state.method == DIRECT and self.effort == QUICK

    def inputs(self) -> InputsLike:
        """The inputs in the library's form."""
        read = self.state.read
        found = [self.library[one.file] for one in read]
        if any(one.kind == TALLY for one in found):
            if not all(one.kind == TALLY for one in found):
                raise OptionError("tallies and networks cannot be mixed: switch one kind off")
            if any(one.weight != "1" for one in read):
                raise OptionError("tallies have their weights in them: set the weight of each tally to 1 here")
            return [one.tally for one in found if one.tally is not None]
        graphs = self.named(read)
        if self.state.variables != "same":
            return graphs
        return share_variables(graphs, {i: one.name for i, one in enumerate(found) if one.is_edge_list})

    def named(self, inputs: Sequence[Part]) -> list[Input]:
        """The content of files, with the names that were decided."""
        graphs: list[Input] = [self.library[one.file].graphs[one.place] for one in inputs]
        ids = {one.id: one.id for one in inputs}  # the table calls inputs by these: names may be anything
        rows = alignment_rows(self.state, ids)
        if rows:
            called = [graph.renamed(one.id) for graph, one in zip(graphs, inputs, strict=True)]
            graphs = Alignment(tuple(rows)).apply_all(called)
        return [graph.renamed(one.name) for graph, one in zip(graphs, inputs, strict=True)]

    def asked(self, max_clique: int | None, **more: Any) -> Question:
        """The question in the library's form."""
        state = self.state
        counts = [float(one.weight) if one.on else 0.0 for one in state.read]
        own = {name: getattr(state, name) for name in OPTIONS}
        if state.directions == state.usual_directions:
            own["directions"] = None  # it is not a request: a required arc may contradict it
        if states := drawn_states(state, self.files):
            own["states"] = states
        weights = None if set(counts) == {1.0} else counts
        given = {**own, "max_clique": max_clique, "weights": weights, "threads": self.threads, **more}
        return Question.of({**given, "progress": self.progress})

    def search(self) -> Consensus:
        """The result of the search, with tables if possible."""
        state = self.state
        if not state.counted:
            raise OptionError("no input is switched on")
        more: dict[str, Any] = {"effort": effort_of(self.effort)} if state.method == DIRECT else {}
        if self.effort == PROOF:
            more |= {"prove": True, "time_limit": limits.PROOF_SECONDS}
        result = solved(self.inputs(), self.asked(state.max_clique, method=state.method, **more))
        if result.stopped_by == "interrupted":
            raise KeyboardInterrupt
        return replace(self.with_tables(result), origin=self.origin())

    def with_tables(self, result: Consensus) -> Consensus:
        """The result with tables from the data or, without data, from the inputs."""
        said = self.state.judgements
        if self.state.data is None:
            return finished_with(result, said, self.state.input_cases)
        return result.fit(self.library[self.state.data.id].path or "", judgements=said)

    def retabled(self, result: Consensus) -> Consensus:
        """An answer to the same question with the tables that result from people's judgements of rows."""
        return replace(self.with_tables(without_tables(result)), origin=self.origin())

    def search_frontier(self, result: Consensus) -> Consensus:
        """The result together with the best networks for other limits."""
        method = self.state.method
        effort = QUICK if method == DIRECT else None
        found = solved_frontier(self.inputs(), self.asked(None, max_table=None, method=method, effort=effort))
        if found and found[-1].stopped_by == "interrupted":
            raise KeyboardInterrupt
        return self.with_tables(without_tables(result).with_frontier(found))

    def revived(self, result: Consensus) -> Consensus:
        """A saved answer to this question with its present inputs, including tables."""
        inputs = self.asked(None).inputs(self.inputs())
        return replace(result, problem=replace(result.problem, inputs=inputs))

    def input(self, wanted: str) -> Network:
        """One of the inputs, with its tables."""
        for i, one in enumerate(self.state.read):
            if one.id == wanted:
                graph = self.named(self.state.read)[i] if self.library[one.file].graphs else None
                if not isinstance(graph, Network) or graph.cpts is None:
                    raise OptionError(f"{one.name!r:.60} has no tables: it answers no questions")
                return graph
        raise OptionError(f"there is no input {wanted!r:.60} that counts")

    def origin(self) -> Origin:
        """The files, and the command that reproduces it."""
        kept = [self.files[file] for file in self.state.files]
        words = arguments(self.state, self.files, self.effort)
        said = command(self.state, self.files, self.effort).splitlines()[-1] if words else ""
        read = tuple(InputFile(str(one["name"]), int(one["size"]), str(one["sha256"])) for one in kept)
        return replace(Origin.now(), files=read, command=said)


def without_tables(result: Consensus) -> Consensus:
    """A result without its tables and their notes, which are added again with other tables."""
    of_tables = () if result.parameters is None else result.parameters.notes
    return replace(result, parameters=None, notes=tuple(note for note in result.notes if note not in of_tables))


def answer(asked: Asked, layout: str | None) -> tuple[dict[str, Any], list[bytes]]:
    """Numbers and names for the server; and the saved result, the page's data, disputes and a new layout as bytes."""
    return _answer(asked, asked.search(), layout)


def retabled(asked: Asked, result: Consensus, layout: str | None) -> tuple[dict[str, Any], list[bytes]]:
    """The same for an answer that gets other tables."""
    return _answer(asked, asked.retabled(result), layout)


def _answer(asked: Asked, result: Consensus, layout: str | None) -> tuple[dict[str, Any], list[bytes]]:
    shown: Consensus = Glance(**_fields(result)) if asked.is_first else result
    if shown.gap == 0:
        shown = result  # no later search would show more
    placed = None if layout is None else _placed(layout, shown)
    places = layout_of(shown) if placed is None else placed
    data = replace(page_data(Summary(shown), places), labels=places.labels)
    rows = dispute_rows([], unsolved(shown, MOST))
    parts = [packed_result(result), packed_view(data), json.dumps(rows).encode()]
    new_layout = _layout_text(places, shown) if placed is None else ""
    return _facts(shown, asked), [*parts, new_layout.encode()]


def decided(asked: Asked, result: Consensus) -> tuple[dict[str, Any], list[bytes]]:
    """The costs of other decisions: rows for programs, and the page's data for them."""
    found = disputes(result, time_limit=limits.DISPUTE_SECONDS, threads=asked.threads)
    if found.stopped_by == "interrupted":
        raise KeyboardInterrupt
    rows, page = dispute_rows(found, unsolved(result, MOST)), as_json(page_disputes(result, found))
    facts = {"pairs": found.pairs, "solved": len(found), "stopped_by": found.stopped_by}
    return facts, [json.dumps(rows).encode(), json.dumps(page).encode()]


def frontier_answer(asked: Asked, result: Consensus, layout: str | None) -> tuple[dict[str, Any], list[bytes]]:
    """The best networks for other limits: their numbers, the saved result with them, and the page's data."""
    whole = asked.search_frontier(result)
    placed = None if layout is None else _placed(layout, whole)
    places = layout_of(whole) if placed is None else placed
    summary = Summary(whole)
    data = page_data(summary, places)
    data = replace(data, limits=limits_data(summary, places, data), labels=places.labels)
    points = [point.numbers for point in whole.frontier]
    return {"points": points, "effort": QUICK}, [packed_result(whole), packed_view(data)]


def packed_result(result: Consensus) -> bytes:
    """A saved result, packed for the store."""
    return zlib.compress(as_bytes(result), _LEVEL)


def unpacked_result(packed: bytes) -> Consensus:
    """The result that `packed_result` has packed."""
    return parsed(zlib.decompress(packed), "the answer", Consensus)


def packed_view(data: PageData) -> bytes:
    """The page's data, packed for the store."""
    return zlib.compress(data_text(data).encode(), _LEVEL)


def _fields(result: Consensus) -> dict[str, Any]:
    return {name: getattr(result, name) for name in result.__dataclass_fields__}


def _facts(result: Consensus, asked: Asked) -> dict[str, Any]:
    problem = result.problem
    return {
        "effort": asked.effort,
        "method": result.method,
        "metric": problem.metric,
        "distance": result.distance,
        "bound": result.lower_bound,
        "gap": result.gap,
        "max_clique": problem.max_clique,
        "max_clique_found": result.clique_size,
        "max_table": problem.max_table,
        "variables": problem.variables,
        "arcs": result.dag.edges,
        "distances": dict(zip(problem.names, result.distances, strict=True)) if problem.names else {},
        "has_tables": result.parameters is not None and result.parameters.network.cpts is not None,
        "seconds": result.seconds,
        "stopped_by": result.stopped_by,
        "notes": result.notes,
    }


# Positions of the variables


def _layout_text(layout: Layout, result: Consensus) -> str:
    ways = [[*arc, *(number for point in way for number in point)] for arc, way in layout.ways.items()]
    return json.dumps({**asdict(layout), "ways": ways, "variables": result.dag.variables}, separators=(",", ":"))


def _placed(text: str, result: Consensus) -> Layout | None:
    """A stored layout, for the present order of the variables; None if these are different ones."""
    kept = json.loads(text)
    names: Sequence[str] = result.dag.variables
    before = {name: i for i, name in enumerate(kept["variables"])}
    if before.keys() != set(names):
        return None
    after = {before[name]: i for i, name in enumerate(names)}
    order = [before[name] for name in names]
    ways = {}
    for source, target, *numbers in kept["ways"]:
        knots = [tuple(numbers[i : i + 3]) for i in range(0, len(numbers), 3)]
        ways[after[source], after[target]] = tuple(knots)
    return Layout(
        labels=tuple(kept["labels"][i] for i in order),
        centres=tuple((kept["centres"][i][0], kept["centres"][i][1]) for i in order),
        widths=tuple(kept["widths"][i] for i in order),
        ways=ways,
        width=kept["width"],
        height=kept["height"],
    )
