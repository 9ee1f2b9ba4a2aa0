"""Fills docs/reproduction.md from finished studies: tables, figures, times, and what the paper concludes.

    python bench/reproduction.py PRINTED PROGRAM CARRIED [--reference FOLDER]

The three are folders of `bnfuse study run`: with the reading `printed`; with the reading `program`; and with that
reading, the program's options and carrying. FOLDER holds recorded runs of the paper's public program
(reference-runs.csv) and the instances that they name; each is run again with this package, on one thread, for the
table of times.
"""

from __future__ import annotations

import argparse
import csv
import math
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev

from scipy.stats import spearmanr

import bnfuse
from bnfuse.study import published, store
from bnfuse.study.figures import draw
from bnfuse.study.generator import READINGS, inputs, synthetic_base
from bnfuse.study.grid import ALGORITHMS, FUSED, INPUTS, PAPERS, Grid, Instance, preset
from bnfuse.study.statistics import Block, blocks, compare, row_mean_errors, standard_errors
from bnfuse.study.store import Result
from bnfuse.study.tables import tables, written
from reference import instances

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "reproduction.md"
NAMES = {"smhd": "SMHD", "fsim": "FSim"}
PLACES = [(kind, metric) for kind in ("synthetic", "real") for metric in NAMES]
GENETIC, GREEDY = PAPERS[:3], PAPERS[3:]
SHARED, PER_NETWORK, FUSED_GENES = GENETIC
READING_SEEDS = 10
SMALL = 4  # the largest limit that counts as small

Statistic = Callable[[Sequence[Block]], Mapping[str, float]]


@dataclass(frozen=True)
class Study:
    """A finished study, in blocks."""

    grid: Grid
    jobs: int
    seconds: float
    found: list[Result]

    @classmethod
    def of(cls, folder: Path) -> Study:
        with store.reading(folder) as there:
            seconds = there.finished()
            return cls(there.grid, len(seconds), sum(seconds.values()), there.results())

    def places(self) -> dict[tuple[str, str], list[Block]]:
        """The blocks of each kind of base and metric, as far as there are any."""
        every = {(kind, metric): blocks(self.found, metric, kind == "real") for kind, metric in PLACES}
        return {place: found for place, found in every.items() if found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("printed", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("carried", type=Path)
    parser.add_argument("--reference", type=Path)
    arguments = parser.parse_args()
    studies = {name: Study.of(getattr(arguments, name)) for name in ("printed", "program", "carried")}
    for name, wanted in (
        ("printed", ("printed", False)),
        ("program", ("program", False)),
        ("carried", ("program", True)),
    ):
        if (studies[name].grid.reading, studies[name].grid.carry) != wanted:
            raise SystemExit(f"{getattr(arguments, name)} is not a study of the kind {name!r}: {studies[name].grid}")
    places = {name: study.places() for name, study in studies.items()}
    page = PAGE.read_text()
    page = filled(page, "runs", as_markdown(("", "jobs", "minutes of one worker", "made by"), runs(studies)))
    page = filled(page, "readings", as_markdown(READING_HEADERS, readings()))
    page = filled(page, "beside the paper", as_markdown(("", "the paper", *places), beside_paper(places)))
    page = filled(page, "conclusions", as_markdown(("the paper concludes", *places), conclusions(places)))
    for name, study in studies.items():
        for table in tables(study.found, beside_paper=True):
            page = filled(page, f"{table.name.lower()}, {name}", [written([table], "markdown").strip()])
    for name in ("printed", "program"):
        pictures = draw(studies[name].found, DOCS / "figures" / name)
        shown = [f"![{path.stem}, reading {name}](figures/{name}/{path.name})\n" for path in pictures]
        page = filled(page, f"figures, {name}", shown)
    page = filled(page, "growing limits", as_markdown(("", *PAPERS, "direct"), growing(places)))
    page = filled(page, "paper's times", as_markdown(("", *PAPERS), paper_times(places["program"])))
    if arguments.reference:
        page = filled(page, "program's times", as_markdown(PROGRAM_HEADERS, program_times(arguments.reference)))
    page = filled(page, "direct", as_markdown(("", *DIRECT_HEADERS), direct(places)))
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


def with_error(found: Sequence[Block], statistic: Statistic, names: Sequence[str], shown: str = ".1f") -> str:
    """Numbers of a statistic, each with its standard error over seeds."""
    values, errors = statistic(found), standard_errors(found, statistic)
    each = (f"{values[name]:{shown}}" + (f" ± {errors[name]:{shown}}" if name in errors else "") for name in names)
    return ", ".join(each)


# Instances and runs


def runs(studies: Mapping[str, Study]) -> Iterator[list[str]]:
    for name, study in studies.items():
        yield [name, f"{study.jobs:,}", f"{study.seconds / 60:.0f}", f"`{command(study.grid)}`"]


def command(grid: Grid) -> str:
    """What was run; the grid itself where no command gives it."""
    plain = preset(grid.preset)
    changes = {
        name: getattr(grid, name)
        for name in ("seeds", "reading", "options")
        if getattr(grid, name) != getattr(plain, name)
    }
    if plain.changed(**changes, carry=grid.carry) != grid:
        return str(grid)
    options = "".join(f" --{name} {value}" for name, value in changes.items())
    return f"bnfuse study run --preset {grid.preset}{options}{' --carry' if grid.carry else ''}"


READING_HEADERS = (
    "reading",
    "synthetic: blocks",
    "a seed's blocks",
    "mean SMHD of G+",
    "real: blocks",
    "a seed's blocks",
    "mean SMHD of G+",
)


def readings() -> Iterator[list[str]]:
    """How many blocks each reading gives with every limit, and how far the full fusion is from its inputs in them."""
    for reading in READINGS:
        cells = [reading]
        for bases in (("n10", "n30", "n50"), REAL):
            sizes, distances = defaultdict(list), defaultdict(list)
            for base in bases:
                for count in (10, 30, 50):
                    for seed in range(READING_SEEDS):
                        size, distance = fused(Instance(base, count, seed, reading))
                        sizes[base, count].append(size)
                        distances[base, count].append(distance)
            cells.append(str(sum(max(those) - 2 for those in sizes.values())))
            cells.append(over_seeds([sum(size - 2 for size in column) for column in zip(*sizes.values(), strict=True)]))
            cells.append(over_seeds([fmean(column) for column in zip(*distances.values(), strict=True)]))
        yield cells


REAL = ("child", "insurance", "water", "mildew", "alarm", "barley", "hailfinder")


def fused(instance: Instance) -> tuple[int, float]:
    """The clique size of the full fusion as the paper's program finds it, and its mean SMHD to the inputs."""
    n, seed, reading = instance.variables, instance.seed, instance.reading
    base = bnfuse.networks.load(instance.base).dag if n is None else synthetic_base(n, seed, reading)
    dags = inputs(base, instance.inputs, f"{instance.base} {instance.inputs} {seed}", reading, real=n is None)
    fusion = bnfuse.fuse(dags).dag
    return int(bnfuse.clique_size(fusion, "mcs")), bnfuse.smhd(fusion, dags)


def over_seeds(values: Sequence[float]) -> str:
    return f"{fmean(values):.0f} ± {stdev(values) / math.sqrt(len(values)):.0f}"


# The paper's numbers beside ours

Places = Mapping[tuple[str, str], list[Block]]


def beside_paper(places: Mapping[str, Places]) -> Iterator[list[str]]:
    for kind, metric in PLACES:
        best = published.BEST[kind, metric]
        theirs = published.MEAN_DIFFERENCE[kind, metric]
        called = f"{kind}, {NAMES[metric]}"
        there = [found.get((kind, metric)) for found in places.values()]
        if FUSED in theirs:
            cells = [(found and with_error(found, differences, [FUSED])) or "" for found in there]
            yield [f"{called}: G+ above the best of the six", str(theirs[FUSED]), *cells]
        cells = [(found and with_error(found, differences, GENETIC)) or "" for found in there]
        yield [f"{called}: genetic above the best", ", ".join(f"{theirs[name]}" for name in GENETIC), *cells]
        cells = [(found and f"{with_error(found, wins, GENETIC, '.0f')} of {len(found)}") or "" for found in there]
        yield [f"{called}: number of best", ", ".join(f"{best[name]:.0f}" for name in GENETIC), *cells]
    for metric, called in NAMES.items():
        there = [found.get(("real", metric)) for found in places.values()]
        for label, names in (("inputs", [INPUTS]), ("genetic", GENETIC), ("greedy", GREEDY), ("G+", [FUSED])):
            theirs = ", ".join(f"{published.ROW_MEAN_ERROR[metric][name]:.4f}" for name in names)
            cells = [(found and with_error(found, row_means, names, ".4f")) or "" for found in there]
            yield [f"row-mean error, {called}: {label}", theirs, *cells]
        failures = published.FAILURES[metric]
        for label, names in (("genetic", GENETIC), ("greedy", GREEDY), ("G+", [FUSED])):
            theirs = ", ".join(f"{failures[name] / published.FAILURES_OF:.0%}" for name in names)
            cells = [(found and with_error(found, failing, names, ".0%")) or "" for found in there]
            yield [f"failures as printed, {called}: {label}", theirs, *cells]


def differences(found: Sequence[Block]) -> Mapping[str, float]:
    return compare(found, PAPERS, [FUSED]).mean_difference


def wins(found: Sequence[Block]) -> Mapping[str, float]:
    return compare(found, PAPERS).best


def row_means(found: Sequence[Block]) -> Mapping[str, float]:
    return row_mean_errors(found, (*PAPERS, FUSED, INPUTS))


def failing(found: Sequence[Block]) -> Mapping[str, float]:
    return {name: fmean(block.failures_as_printed(name) for block in found) for name in (*PAPERS, FUSED)}


# Times


def paper_times(by_place: Places) -> Iterator[list[str]]:
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


def conclusions(places: Mapping[str, Places]) -> Iterator[list[str]]:
    def row(claim: str, told: Callable[[Places], str]) -> list[str]:
        return [claim, *(told(found) for found in places.values())]

    yield row("shared is the most stable: mean difference of shared, per-network, fused", told_differences)
    yield row("per-network wins most on real networks: number of best of shared, per-network, fused", told_wins)
    yield row(f"per-network is weak at small t: its mean distance minus shared's, t up to {SMALL} and above", by_limit)
    yield row("both beat fused, in the mean difference", told_fused)
    yield row(
        "all genetic ones beat greedy: blocks in which each is at least as close as every greedy one", told_greedy
    )
    yield row("SMHD and FSim agree: rank correlation of the six", told_agreement)
    yield row("sparse networks fail less than G+: failures as printed of genetic shared, of G+", told_failures)


def each_place(found: Places, told: Callable[[list[Block]], str]) -> str:
    return "; ".join(f"{kind} {NAMES[metric]} {told(those)}" for (kind, metric), those in found.items())


def told_differences(found: Places) -> str:
    return each_place(found, lambda those: with_error(those, differences, GENETIC))


def told_wins(found: Places) -> str:
    real = {place: those for place, those in found.items() if place[0] == "real"}
    return each_place(real, lambda those: f"{with_error(those, wins, GENETIC, '.0f')} of {len(those)}")


def by_limit(found: Places) -> str:
    def farther(some: Sequence[Block]) -> Mapping[str, float]:
        parts = {
            "small": [b for b in some if b.max_clique <= SMALL],
            "large": [b for b in some if b.max_clique > SMALL],
        }
        return {
            name: fmean(block.distance(PER_NETWORK) - block.distance(SHARED) for block in part)
            for name, part in parts.items()
            if part
        }

    return each_place(
        found, lambda those: with_error(those, farther, list(farther(those)), "+.1f").replace("± +", "± ")
    )


def told_fused(found: Places) -> str:
    def beaten(those: list[Block]) -> str:
        mean = differences(those)
        return "yes" if max(mean[SHARED], mean[PER_NETWORK]) < mean[FUSED_GENES] else "no"

    return each_place(found, beaten)


def told_greedy(found: Places) -> str:
    def share(those: list[Block]) -> str:
        beaten = [max(map(block.distance, GENETIC)) <= min(map(block.distance, GREEDY)) for block in those]
        return f"{fmean(beaten):.0%}"

    return each_place(found, share)


def told_agreement(found: Places) -> str:
    parts = []
    for kind in ("synthetic", "real"):
        if all((kind, metric) in found for metric in NAMES):
            ranks = [list(compare(found[kind, metric], PAPERS).ranks.values()) for metric in NAMES]
            parts.append(f"{kind} {spearmanr(*ranks).statistic:.2f}")
    return "; ".join(parts)


def told_failures(found: Places) -> str:
    real = {place: those for place, those in found.items() if place[0] == "real"}
    return each_place(real, lambda those: with_error(those, failing, [SHARED, FUSED], ".0%"))


def growing(places: Mapping[str, Places]) -> Iterator[list[str]]:
    """By how much a result is worse for a larger limit, at worst: the mean over instances between two limits."""
    for study, found in places.items():
        for (kind, metric), those in found.items():
            cells = []
            for name in (*PAPERS, "direct"):
                distances: dict[int, dict[tuple[str, int, int], float]] = defaultdict(dict)
                for block in those:
                    for seed, row in zip(block.seeds, block.rows[name], strict=True):
                        distances[block.max_clique][block.base, block.inputs, seed] = row.distance
                worst = 0.0
                for small, large in pairwise(sorted(distances)):
                    both = distances[small].keys() & distances[large].keys()
                    before, after = (sum(distances[t][one] for one in both) for t in (small, large))
                    worst = max(worst, (after - before) / before if both else 0.0)
                cells.append(f"{worst:.1%}")
            yield [f"{study}: {kind}, {NAMES[metric]}", *cells]


# The direct search

DIRECT_HEADERS = (
    "blocks",
    "closer than all six",
    "as close",
    "farther",
    "mean difference to the best of the six",
    "closest of all eight",
)


def direct(places: Mapping[str, Places]) -> Iterator[list[str]]:
    """The direct search against the best of the paper's six in each block."""
    for study, by_place in places.items():
        for (kind, metric), found in by_place.items():
            signs = [block.distance("direct") - min(block.distance(name) for name in PAPERS) for block in found]
            counts = [sum(d < 0 for d in signs), sum(d == 0 for d in signs), sum(d > 0 for d in signs)]
            best = compare(found, ALGORITHMS).best["direct"]
            place = f"{study}: {kind}, {NAMES[metric]}"
            difference = with_error(found, direct_difference, ["direct"])
            yield [place, str(len(found)), *map(str, counts), difference, str(best)]


def direct_difference(found: Sequence[Block]) -> Mapping[str, float]:
    return compare(found, PAPERS, ["direct"]).mean_difference


if __name__ == "__main__":
    main()
