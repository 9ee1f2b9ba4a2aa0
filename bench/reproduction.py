"""Fills docs/reproduction.md from a finished study: tables, figures, times, and what the paper concludes.

    python bench/reproduction.py STUDY [--reference FOLDER]

STUDY is a folder of `bnfuse study run`. FOLDER holds recorded runs of the paper's public program (reference-runs.csv)
and the instances that they name; each is run again with this package, on one thread, for the table of times.
"""

from __future__ import annotations

import argparse
import csv
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

from scipy.stats import spearmanr

import bnfuse
from bnfuse.study import published, store
from bnfuse.study.figures import draw
from bnfuse.study.generator import READINGS
from bnfuse.study.grid import ALGORITHMS, FUSED, PAPERS, Grid, Job
from bnfuse.study.jobs import run
from bnfuse.study.statistics import Block, blocks, compare, fits, without_failures
from bnfuse.study.tables import tables, written
from reference import instances

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "reproduction.md"
NAMES = {"smhd": "SMHD", "fsim": "FSim"}
PLACES = [(kind, metric) for kind in ("synthetic", "real") for metric in NAMES]
SHARED, PER_NETWORK, FUSED_GENES = PAPERS[:3]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", type=Path)
    parser.add_argument("--reference", type=Path)
    arguments = parser.parse_args()
    with store.reading(arguments.study) as there:
        found, seconds, grid = there.results(), there.finished(), there.grid
    page = filled(PAGE.read_text(), "readings", as_markdown(READING_HEADERS, readings(grid)))
    by_place = {(kind, metric): blocks(found, metric, kind == "real") for kind, metric in PLACES}
    page = filled(
        page,
        "run",
        [f"{len(seconds):,} jobs, {sum(seconds.values()) / 60:.0f} minutes of one worker in all; grid: `{grid}`."],
    )
    for table in tables(found, beside_paper=True):
        page = filled(page, table.name.lower(), [written([table], "markdown").strip()])
    pictures = draw(found, DOCS / "figures")
    page = filled(page, "figures", [f"![{path.stem}](figures/{path.name})\n" for path in pictures])
    page = filled(page, "paper's times", as_markdown(("", *PAPERS), paper_times(by_place)))
    if arguments.reference:
        page = filled(page, "program's times", as_markdown(PROGRAM_HEADERS, program_times(arguments.reference)))
    page = filled(page, "conclusions", as_markdown(("the paper concludes", "here"), conclusions(by_place)))
    page = filled(page, "direct", as_markdown(("", *DIRECT_HEADERS), direct(by_place)))
    PAGE.write_text(page)


def filled(page: str, name: str, lines: Iterable[str]) -> str:
    """The page with new content between the two marks of this name."""
    start, end = f"<!-- {name}: made by bench/reproduction.py -->", f"<!-- end of {name} -->"
    content = "\n".join((start, "", *lines, "", end))
    result, count = re.subn(re.escape(start) + ".*?" + re.escape(end), lambda _: content, page, flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{PAGE} has no place for {name!r}")
    return result


def as_markdown(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (headers, ["---"] * len(headers), *rows)]


def number(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


# Instances

READING_HEADERS = (
    "reading",
    "synthetic, sum of clique(G+) - 2",
    "mean SMHD of G+",
    "real, sum of clique(G+) - 2",
    "mean SMHD of G+",
)


def readings(grid: Grid) -> Iterator[list[str]]:
    """How many blocks each reading gives with every limit, and how far the full fusion is from its inputs in them."""
    for reading in READINGS:
        cells = [reading]
        for real in (False, True):
            fusions = []
            for instance in grid.changed(reading=reading).instances():
                if instance.is_real == real:
                    rows = run(Job(instance, rows=0)).rows
                    fusions += [row for row in rows if (row.algorithm, row.metric) == (FUSED, "smhd")]
            sizes = [row.clique - 2 for row in fusions]
            distance = sum(size * row.distance for size, row in zip(sizes, fusions, strict=True)) / sum(sizes)
            cells += [f"{sum(sizes) / grid.seeds:.0f}", f"{distance:.0f}"]
        yield cells


# Times


def paper_times(by_place: dict[tuple[str, str], list[Block]]) -> Iterator[list[str]]:
    """Ours on one thread beside the paper's on seven."""
    for (kind, metric), found in by_place.items():
        ours = {name: fmean(block.seconds(name) for block in found) for name in PAPERS}
        theirs = published.SECONDS[kind, metric]
        place = f"{kind}, {NAMES[metric]}"
        yield [f"{place}: the paper", *(number(theirs[name]) if name in theirs else "" for name in PAPERS)]
        yield [f"{place}: ours", *(number(ours[name]) for name in PAPERS)]
        ratios = {name: theirs[name] / ours[name] for name in theirs}
        yield [f"{place}: ratio", *(f"{ratios[name]:,.0f}" if name in ratios else "" for name in PAPERS)]


PROGRAM_HEADERS = (
    "", "runs", "program, mean s", "ours, mean s", "ratio", "program, mean CPU s", "ours, mean CPU s", "ratio of CPU",
    "program, mean distance", "ours",
)  # fmt: skip


def program_times(folder: Path) -> Iterator[list[str]]:
    """The genetic searches of the public program beside ours on one thread, on the same instances and limits."""
    dags = instances(folder)
    groups = defaultdict(list)
    for row in csv.DictReader((folder / "reference-runs.csv").open()):
        if row["status"] == "ok":
            groups[row["metric"], row["candidates"]].append(row)
    for (metric, candidates), rows in groups.items():
        runs = [timed(dags[row["instance"]], int(row["max_clique"]), metric, candidates) for row in rows]
        seconds = [seconds for _, seconds, _ in runs]
        with_cpu = [
            (float(row["cpu_seconds"]), cpu) for row, (*_, cpu) in zip(rows, runs, strict=True) if row["cpu_seconds"]
        ]
        theirs = fmean(float(row["genetic_seconds"]) for row in rows)
        cells = [f"genetic {candidates}, {NAMES[metric]}", str(len(rows)), number(theirs), number(fmean(seconds))]
        cells.append(f"{theirs / fmean(seconds):,.0f}")
        if with_cpu:
            their_cpu, our_cpu = (fmean(column) for column in zip(*with_cpu, strict=True))
            cells += [number(their_cpu), number(our_cpu), f"{their_cpu / our_cpu:,.0f}"]
        else:
            cells += ["", "", ""]
        yield [*cells, number(fmean(float(row["genetic_value"]) for row in rows)), number(fmean(d for d, *_ in runs))]


def timed(dags: list[bnfuse.DAG], limit: int, metric: str, candidates: str) -> tuple[float, float, float]:
    """Distance, seconds and CPU seconds."""
    cpu = time.process_time()
    found = bnfuse.consensus(dags, limit, metric=metric, method="genetic", candidates=candidates, threads=1)
    return found.distance, found.seconds, time.process_time() - cpu


# What the paper concludes


def conclusions(by_place: dict[tuple[str, str], list[Block]]) -> Iterator[tuple[str, str]]:
    compared = {place: compare(found, PAPERS) for place, found in by_place.items()}
    differences = {place: result.mean_difference for place, result in compared.items()}

    def each(names: Sequence[str], shown: str = "{:.1f}") -> str:
        return "; ".join(
            f"{kind} {NAMES[metric]} " + ", ".join(shown.format(differences[kind, metric][name]) for name in names)
            for kind, metric in by_place
        )

    yield "shared is the most stable", f"mean difference of shared, per-network, fused: {each(PAPERS[:3])}"
    best = {place: [result.best[name] for name in PAPERS[:3]] for place, result in compared.items()}
    wins = "; ".join(f"{kind} {NAMES[metric]} {', '.join(map(str, best[kind, metric]))}" for kind, metric in best)
    yield "per-network wins most on real networks", f"number of best of shared, per-network, fused: {wins}"
    yield (
        "per-network struggles at small t",
        f"its mean distance minus shared's, t up to 4 and above: {by_limit(by_place)}",
    )
    both = all(max(one[SHARED], one[PER_NETWORK]) < one[FUSED_GENES] for one in differences.values())
    yield "both beat fused", f"in all four mean differences: {'yes' if both else 'no'} (above)"
    beaten = "; ".join(f"{kind} {NAMES[metric]} {share:.0%}" for (kind, metric), share in beaten_greedy(by_place))
    yield "all genetic ones beat greedy", f"blocks in which each is at least as close as every greedy one: {beaten}"
    ranks = [[*(compared[kind, metric].ranks[name] for name in PAPERS)] for kind, metric in by_place]
    agreement = [spearmanr(ranks[i], ranks[i + 1]).statistic for i in (0, 2)]
    yield "SMHD and FSim agree", f"rank correlation of the six: {agreement[0]:.2f} synthetic, {agreement[1]:.2f} real"
    for metric, called in NAMES.items():
        found = by_place["real", metric]
        some = without_failures(found, [FUSED])
        fused, shared = fits(some, FUSED), fits(some, SHARED)
        times = f"{number(shared.seconds)} s against {number(fused.seconds)} s to fit; " if fused and shared else ""
        failures = {name: sum(block.fails(name) for block in found) for name in (SHARED, FUSED)}
        yield (
            f"sparse networks learn faster and fail less than G+ ({called})",
            f"genetic shared against G+: {times}failures {failures[SHARED]} against {failures[FUSED]} of {len(found)}",
        )


def by_limit(by_place: dict[tuple[str, str], list[Block]]) -> str:
    parts = []
    for (kind, metric), found in by_place.items():
        small, large = ([b for b in found if (b.max_clique <= 4) == wanted] for wanted in (True, False))
        worse = [[block.distance(PER_NETWORK) - block.distance(SHARED) for block in some] for some in (small, large)]
        parts.append(f"{kind} {NAMES[metric]} {', '.join(f'{fmean(one):+.1f}' if one else '-' for one in worse)}")
    return "; ".join(parts)


def beaten_greedy(by_place: dict[tuple[str, str], list[Block]]) -> Iterator[tuple[tuple[str, str], float]]:
    for place, found in by_place.items():
        yield (
            place,
            fmean(
                max(block.distance(name) for name in PAPERS[:3]) <= min(block.distance(name) for name in PAPERS[3:])
                for block in found
            ),
        )


DIRECT_HEADERS = (
    "blocks",
    "closer than all six",
    "as close",
    "farther",
    "mean difference to the best of the six",
    "closest of all eight",
)


def direct(by_place: dict[tuple[str, str], list[Block]]) -> Iterator[list[str]]:
    """The direct search against the best of the paper's six in each block."""
    for (kind, metric), found in by_place.items():
        signs = [block.distance("direct") - min(block.distance(name) for name in PAPERS) for block in found]
        counts = [sum(d < 0 for d in signs), sum(d == 0 for d in signs), sum(d > 0 for d in signs)]
        best = compare(found, ALGORITHMS).best["direct"]
        yield [f"{kind}, {NAMES[metric]}", str(len(found)), *map(str, counts), f"{fmean(signs):.1f}", str(best)]


if __name__ == "__main__":
    main()
