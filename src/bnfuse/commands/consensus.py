"""`bnfuse consensus`: one network that is close to many and still cheap to reason with."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from bnfuse._errors import OptionError
from bnfuse.commands._console import AsJson, Cell, Files, Force, count, examples, note, print_json, print_table, say
from bnfuse.commands._output import Output, write_output
from bnfuse.consensus import consensus as find_consensus
from bnfuse.files import check_output, read
from bnfuse.problem import Callback, Progress
from bnfuse.result import Consensus

EXAMPLES = examples(
    "bnfuse consensus clinics/*.bif --max-clique 4 -o consensus.bif",
    "bnfuse consensus clinics/*.bif -t 3 --method greedy           faster, less exact",
    "bnfuse consensus boot.json.gz -t 5 --metric fsim --seed 7     another distance, another seed",
    "bnfuse consensus a.bif b.bif c.bif --weight a=2 --json        a counts twice; for programs",
)

_INTERRUPTED = 130


def consensus(
    files: Files,
    max_clique: Annotated[
        int,
        typer.Option("--max-clique", "-t", metavar="SIZE", help="The largest clique that the consensus may have."),
    ] = 4,
    output: Output = None,
    method: Annotated[str, typer.Option(metavar="NAME", help="genetic, or greedy: faster, less exact.")] = "genetic",
    candidates: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Which arcs are kept or pruned: shared (each distinct arc of the inputs), per-network (each arc of "
            "each input on its own), fused (the arcs of the full fusion).",
        ),
    ] = "shared",
    metric: Annotated[
        str,
        typer.Option(metavar="NAME", help="The distance: smhd (differing moral edges) or fsim (fusion similarity)."),
    ] = "smhd",
    target: Annotated[
        str, typer.Option(metavar="NAME", help="What to be close to: the inputs, or fused: their full fusion.")
    ] = "inputs",
    weight: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=NUMBER", help="How much an input counts, instead of 1. Repeat for several."),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Genetic: default (measured best), paper (the printed algorithm), program (its public program).",
            show_default="default",
        ),
    ] = None,
    population: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Genetic: chromosomes.", show_default="100")
    ] = None,
    generations: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Genetic: generations.", show_default="100")
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="NUMBER", help="The same seed gives the same network, on any number of threads.")
    ] = 0,
    threads: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="How many threads to use.", show_default="all")
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Stop then, with the best network so far.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Find one network that is close to all and cheap to reason with.

    Among the networks whose largest clique after triangulation is at most the limit (treewidth below it), a search
    looks for the one with the smallest mean distance to the inputs. Ctrl-C stops it and keeps the best so far.
    """
    if output is not None:
        check_output(output, force)
    networks = read(*files)
    given: dict[str, Any] = {"preset": preset, "population": population, "generations": generations}
    with _progress_bar() as progress:
        result = find_consensus(
            networks,
            max_clique=max_clique,
            metric=metric,
            method=method,
            candidates=candidates,
            seed=seed,
            weights=_weights(weight or []),
            target=target,
            time_limit=time_limit,
            threads=threads,
            progress=progress,
            **{name: value for name, value in given.items() if value is not None},
        )
    written = (
        None if output is None else write_output(result.network.renamed(output.name.partition(".")[0]), output, force)
    )
    if as_json:
        print_json(_facts(result) | {"output": None if written is None else written.facts()})
    else:
        _print_summary(result)
        say("nothing written: -o FILE writes the consensus" if written is None else str(written))
    for text in result.notes:
        note(text)
    if result.stopped_by != "finished":
        note(f"stopped by {result.stopped_by}: this is the best network so far")
    if result.stopped_by == "interrupted":
        raise typer.Exit(_INTERRUPTED)


def _weights(texts: list[str]) -> dict[str, float] | None:
    weights = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            weights[name] = float(number)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise OptionError(f"--weight must be NAME=NUMBER, such as --weight north=2; got {text!r}")
    return weights or None


@contextlib.contextmanager
def _progress_bar() -> Iterator[Callback | None]:
    """On a terminal: a line with the best value, the clique and the time left."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as bars  # noqa: PLC0415 - keeps the start fast
    from rich.console import Console  # noqa: PLC0415

    columns = (
        bars.TextColumn("searching"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn("{task.description}"),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(now: Progress) -> None:
            best = f"best {now.distance:.2f}  largest clique {now.clique_size}"
            bar.update(task, total=now.steps, completed=now.step, description=best)

        yield show


def _print_summary(result: Consensus) -> None:
    problem = result.problem
    inputs = len(problem.dags)
    to = "the inputs" if problem.target == "inputs" else "the full fusion"
    say(
        f"consensus of {count(inputs, 'network')} over {count(len(problem.variables), 'variable')}: "
        f"{count(len(result.dag.arcs), 'arc')}, largest clique {result.clique_size} (limit {problem.max_clique}), "
        f"mean {problem.metric} to {to} {result.distance:.2f}"
    )
    say(f"found by the {result.method} search in {result.seconds:.2f} s")
    say()
    say("If each of these were the consensus:")
    rows: list[tuple[Cell, ...]] = [
        (one.name, float(one.distance), str(one.clique_size), one.arcs) for one in result.compared()
    ]
    print_table(("network", f"mean {problem.metric}", "largest clique", "arcs"), rows)
    say()
    say("Arcs of the consensus:")
    supported = sorted(result.support(), key=lambda arc: (-len(arc.inputs), -len(arc.reversed_inputs)))
    print_table(
        ("arc", f"inputs that have it (of {inputs})", "the other way round"),
        [(" -> ".join(arc.arc), len(arc.inputs), len(arc.reversed_inputs)) for arc in supported],
    )
    say()


def _facts(result: Consensus) -> dict[str, Any]:
    problem = result.problem
    return {
        "method": result.method,
        "metric": problem.metric,
        "target": problem.target,
        "max_clique": problem.max_clique,
        "seed": problem.seed,
        "distance": result.distance,
        "distances": dict(zip(problem.names, result.distances, strict=True)),
        "clique_size": result.clique_size,
        "elimination_order": result.elimination_order,
        "seconds": result.seconds,
        "stopped_by": result.stopped_by,
        "notes": result.notes,
        "edges": result.dag.edges,
        "support": [
            {"from": one.arc[0], "to": one.arc[1], "inputs": one.inputs, "reversed_inputs": one.reversed_inputs}
            for one in result.support()
        ],
        "compared": [
            {
                "name": one.name,
                "distance": one.distance,
                "clique_size": int(one.clique_size),
                "clique_lower_bound": one.clique_size.lower_bound,
                "arcs": one.arcs,
            }
            for one in result.compared()
        ],
    }
