"""What bnfuse costs, on one core: one run, a few tables. Times are the best of several calls.

`make bench`, or `python bench/bench.py --quick` for a few seconds.
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Iterator, Sequence
from functools import partial

import networkx
import numpy as np
import numpy.typing as npt
from networkx.algorithms.approximation import treewidth_min_fill_in

import bnfuse
import plain
from bnfuse import DAG, _kernel
from bnfuse.fusion.cliques import METHODS
from bnfuse.graphs.dag import stacked
from instances import munin_like_dag, perturbed, sparse_dag
from measure import best_of, import_seconds, peak_megabytes, print_table, seconds_text

SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000)
QUICK_SIZES = (10, 50, 200)

Numbers = npt.NDArray[np.int32]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes only: a few seconds")
    quick = parser.parse_args().quick
    sizes = QUICK_SIZES if quick else SIZES
    print(f"bnfuse {bnfuse.__version__}, Python {platform.python_version()}, {platform.machine()}, one thread")

    print_table(
        "Fusion of r copies of a sparse DAG, 0.75 n arcs added or removed in each",
        ["n", "r", "order", "Method A/DAG", "fuse", "fused arcs", "clique"],
        fusion_rows(sizes),
    )
    print_table(
        "Fusion of 20 such copies of a munin-like DAG (1,041 variables, 1,400 arcs, most of them short)",
        ["order", "20 I-maps", "fuse", "fused arcs", "clique"],
        munin_rows(),
    )
    print_table(
        "Clique size of one such copy: time, size found, its proven lower bound", ["n", *METHODS], clique_rows(sizes)
    )
    print_table("Distances: pairs a second", ["n", "shd", "smhd", "fsim"], distance_rows(sizes))
    print_table(
        "Against plain implementations in the same run",
        ["what" + " " * 44, "bnfuse", "other", "ratio"],
        ratio_rows(100 if quick else 1000),
    )
    print_table("The rest", ["what" + " " * 44, "value"], other_rows(quick))


def copies_of(n: int) -> list[DAG]:
    return perturbed(sparse_dag(n, seed=n), 50 if n <= 200 else 20, seed=n)


def numbers(n: int) -> Numbers:
    return np.arange(n, dtype=np.int32)


def order_and_maps(dags: Sequence[DAG]) -> tuple[float, float]:
    """Seconds for the heuristic order of the DAGs, and for one minimal I-map under it: the kernel alone."""
    rows = stacked(dags)
    ties, weights = numbers(rows.shape[1]), np.ones(len(rows), np.int64)
    order = np.array(_kernel.heuristic_order(rows, weights, ties), np.int32)
    order_seconds = best_of(lambda: _kernel.heuristic_order(rows, weights, ties), repeats=50)
    # Many DAGs in a call, so that what is measured is Method A, not the way into it.
    many = np.tile(rows, (max(1, 20_000 // rows[..., 0].size), 1, 1))
    map_seconds = best_of(lambda: _kernel.minimal_imaps(many, order, 1), repeats=50)
    return order_seconds, map_seconds / len(many)


def fusion_rows(sizes: Sequence[int]) -> Iterator[Sequence[object]]:
    for n in sizes:
        dags = copies_of(n)
        order_seconds, map_seconds = order_and_maps(dags)
        fuse_seconds = best_of(partial(bnfuse.fuse, dags, threads=1), repeats=20)
        fused = bnfuse.fuse(dags, threads=1).dag
        clique = bnfuse.clique_size(fused, "min-fill")
        times = map(seconds_text, (order_seconds, map_seconds, fuse_seconds))
        yield n, len(dags), *times, f"{len(fused.arc_numbers):,}", int(clique)


def munin_rows() -> Iterator[Sequence[object]]:
    dags = munin_copies()
    order_seconds, map_seconds = order_and_maps(dags)
    fuse_seconds = best_of(lambda: bnfuse.fuse(dags, threads=1), budget=2)
    fused = bnfuse.fuse(dags, threads=1).dag
    times = map(seconds_text, (order_seconds, len(dags) * map_seconds, fuse_seconds))
    yield *times, f"{len(fused.arc_numbers):,}", int(bnfuse.clique_size(fused, "min-fill"))


def munin_copies() -> list[DAG]:
    return perturbed(munin_like_dag(seed=1), 20, seed=1)


def clique_rows(sizes: Sequence[int]) -> Iterator[Sequence[object]]:
    for n in sizes:
        dag = copies_of(n)[0]
        methods = [partial(bnfuse.clique_size, dag, method) for method in METHODS]
        yield n, *(seconds_text(best_of(method, repeats=20)) for method in methods)
        found = [method() for method in methods]
        yield "size", *(int(size) for size in found)
        yield "at least", *(size.lower_bound for size in found)


def distance_rows(sizes: Sequence[int]) -> Iterator[Sequence[object]]:
    for n in sizes:
        rows = stacked(copies_of(n))
        one, ties = rows[0], numbers(n)
        calls = (
            lambda one=one, rows=rows: _kernel.shd(one, rows),
            lambda one=one, rows=rows: _kernel.smhd(one, rows),
            lambda one=one, rows=rows, ties=ties: _kernel.fsim(one, rows, ties, True, 1),
        )
        yield n, *(f"{len(rows) / best_of(call, repeats=50):,.0f}" for call in calls)


def ratio_rows(n: int) -> Iterator[Sequence[object]]:
    dags = copies_of(50)
    _, ours = order_and_maps(dags)
    order = np.array(_kernel.heuristic_order(stacked(dags), np.ones(len(dags), np.int64), numbers(50)), np.int32)
    parents = [[set(np.flatnonzero(column).tolist()) for column in dag.to_adjacency().T] for dag in dags]
    labels = order.tolist()
    theirs = best_of(lambda: [plain.minimal_imap(rows, labels) for rows in parents], repeats=50) / len(dags)
    _check_same_maps(dags, order, [plain.minimal_imap(rows, labels) for rows in parents])
    yield _ratio("Method A, n=50, plain Python", ours, theirs)

    for arcs_per_variable in (1.0, 1.5, 2.0):
        dag = sparse_dag(n, seed=1, arcs_per_variable=arcs_per_variable)
        moral = networkx.moral_graph(dag.to_networkx())
        ours = best_of(partial(bnfuse.clique_size, dag, "min-fill"), repeats=20)
        theirs = best_of(partial(treewidth_min_fill_in, moral), repeats=20, budget=10)
        yield _ratio(f"min-fill, n={n:,}, {len(dag.arc_numbers):,} arcs, networkx", ours, theirs)


def _ratio(what: str, ours: float, theirs: float) -> Sequence[object]:
    return what.ljust(48), seconds_text(ours), seconds_text(theirs), f"{theirs / ours:,.0f} x"


def _check_same_maps(dags: Sequence[DAG], order: Numbers, maps: Sequence[Sequence[set[int]]]) -> None:
    """A comparison of speeds is worth something only between equal results."""
    names = dags[0].variables
    rows = _kernel.minimal_imaps(stacked(dags), order, 1)
    for ours, theirs in zip(rows, maps, strict=True):
        arcs = {(names[parent], names[v]) for v, parents in enumerate(theirs) for parent in parents}
        if set(DAG.from_rows(names, ours).edges) != arcs:
            raise AssertionError("plain Method A and the kernel differ")


def other_rows(quick: bool) -> Iterator[Sequence[object]]:
    yield "import bnfuse".ljust(48), seconds_text(import_seconds("bnfuse"))
    yield (
        "what bnfuse.consensus imports when it is first used".ljust(48),
        seconds_text(import_seconds("bnfuse.answer.consensus")),
    )
    yield "of which numpy".ljust(48), seconds_text(import_seconds("numpy"))
    yield "peak memory of bnfuse with nothing done".ljust(48), _megabytes(peak_megabytes(_nothing))
    yield "peak memory, 20 munin-like DAGs fused".ljust(48), _megabytes(peak_megabytes(_fuse_munin))
    if not quick:
        yield "peak memory, 20 DAGs of 2,000 variables fused".ljust(48), _megabytes(peak_megabytes(_fuse_2000))


def _nothing() -> None:
    return


def _fuse_munin() -> None:
    bnfuse.fuse(munin_copies(), threads=1)


def _fuse_2000() -> None:
    bnfuse.fuse(copies_of(2000), threads=1)


def _megabytes(megabytes: float) -> str:
    return f"{megabytes:.0f} MB"


if __name__ == "__main__":
    main()
