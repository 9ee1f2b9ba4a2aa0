"""Do other programs read the same tables from a file? Each format, both ways, with pgmpy and pyAgrum where installed.

    python bench/formats.py [--networks 20]

A network whose nodes have parents of different sizes is written by one program and read by the other; shown is the
largest difference between a probability that went in and the one that came out, matched by the names of the states. An
order of the numbers that the two take differently shows as a difference near 1, or as an error.

Known differences are those of pyAgrum 3.3.1 in XDSL and UAI files, where it takes the first parent instead of the last
as the faster one, and of pgmpy 1.1.2 in UAI files, whose table sizes do not belong to the numbers of the variables. The
hand-written files in the tests say which order is right.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import logging
import re
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bnfuse
from bnfuse.graphs.network import as_network

EXTENSIONS = {"BIF": ".bif", "XMLBIF": ".xmlbif", "XDSL": ".xdsl", "UAI": ".uai", "NET": ".net", "DSL": ".dsl"}

Read = Callable[[Path], bnfuse.Network]
Write = Callable[[bnfuse.Network, Path], None]


def random_network(seed: int) -> bnfuse.Network:
    """Six variables of two to four states; those with two and three parents have parents of different sizes."""
    rng = np.random.default_rng(seed)
    names = [f"V{i}" for i in range(6)]
    arcs = [
        ("V0", "V2"),
        ("V1", "V2"),
        ("V1", "V3"),
        ("V0", "V3"),
        ("V0", "V4"),
        ("V1", "V4"),
        ("V2", "V4"),
        ("V4", "V5"),
    ]
    sizes = dict(zip(names, (2, 3, 4, 2, 3, 2), strict=True))
    states = {name: tuple(f"s{i}" for i in range(sizes[name])) for name in names}
    dag = bnfuse.DAG(names, arcs)
    cpts = {}
    for name in names:
        shape = [sizes[parent] for parent in dag.parents(name)]
        cents = rng.multinomial(1000, rng.dirichlet(np.ones(sizes[name]), shape)) if shape else None
        cpts[name] = (rng.multinomial(1000, rng.dirichlet(np.ones(sizes[name]))) if cents is None else cents) / 1000
    return bnfuse.Network(dag, states, cpts)


def numbered(network: bnfuse.Network) -> bnfuse.Network:
    """With variables and states called by their numbers, as formats without names have them."""
    order = sorted(network.variables, key=lambda name: int(re.sub(r"\D", "", name)))
    new = {name: f"X{i}" for i, name in enumerate(order)}
    dag = bnfuse.DAG(new.values(), [(new[a], new[b]) for a, b in network.dag.edges])
    assert network.states is not None
    assert network.cpts is not None
    states = {new[v]: tuple(map(str, range(len(network.states[v])))) for v in order}
    tables = {}
    for variable in order:
        had = [new[parent] for parent in network.dag.parents(variable)]
        axes = [had.index(parent) for parent in dag.parents(new[variable])]
        tables[new[variable]] = network.cpts[variable].transpose([*axes, len(axes)])
    return bnfuse.Network(dag, states, tables)


def difference(one: bnfuse.Network, other: bnfuse.Network, names: bool) -> float:
    """The largest between two tables; 1 where the networks differ in anything else."""
    if not names:
        one, other = numbered(one), numbered(other)
    if one.dag != other.dag or one.states is None or other.states is None or one.cpts is None or other.cpts is None:
        return 1.0
    largest = 0.0
    for variable in one.variables:
        if set(one.states[variable]) != set(other.states[variable]):
            return 1.0
        parents = other.dag.parents(variable)
        axes = [parents.index(parent) for parent in one.dag.parents(variable)]
        table = other.cpts[variable].transpose([*axes, len(axes)])
        for axis, name in enumerate((*one.dag.parents(variable), variable)):
            table = table.take([other.states[name].index(label) for label in one.states[name]], axis)
        largest = max(largest, float(np.abs(table - one.cpts[variable]).max()))
    return largest


def of_pgmpy() -> dict[str, tuple[Read, Write]]:
    """What pgmpy reads and writes."""
    from pgmpy import readwrite  # noqa: PLC0415

    logging.getLogger("pgmpy").setLevel(logging.ERROR)

    def both(kind: str) -> tuple[Read, Write]:
        reader, writer = getattr(readwrite, f"{kind}Reader"), getattr(readwrite, f"{kind}Writer")

        def write(network: bnfuse.Network, path: Path) -> None:
            made = writer(network.to_pgmpy())
            method = next(getattr(made, name) for name in ("write", f"write_{kind.lower()}") if hasattr(made, name))
            method(str(path))

        return (lambda path: as_network(reader(str(path)).get_model())), write

    return {kind: both(kind) for kind in EXTENSIONS if hasattr(readwrite, f"{kind}Reader")}


def of_pyagrum() -> dict[str, tuple[Read, Write]]:
    """What pyAgrum reads and writes."""
    import pyagrum  # noqa: PLC0415

    def both(kind: str) -> tuple[Read, Write]:
        name = "BIFXML" if kind == "XMLBIF" else kind

        def read(path: Path) -> bnfuse.Network:
            model = pyagrum.BayesNet()
            getattr(model, f"load{name}")(str(path))
            return as_network(model)

        def write(network: bnfuse.Network, path: Path) -> None:
            model = network.to_pyagrum()
            getattr(model, f"save{name}")(str(path))

        return read, write

    return {kind: both(kind) for kind in EXTENSIONS}


def compared(form: str, theirs: tuple[Read, Write], networks: list[bnfuse.Network], folder: Path) -> tuple[str, str]:
    """The largest difference when they read what bnfuse wrote, and when bnfuse reads what they wrote."""
    read, write = theirs
    path = folder / f"network{EXTENSIONS[form]}"

    def worst(there: Callable[[bnfuse.Network], Any], back: Callable[[], bnfuse.Network]) -> str:
        largest = 0.0
        for network in networks:
            path.unlink(missing_ok=True)
            try:
                there(network)
                largest = max(largest, difference(network, back(), names=form != "UAI"))
            except Exception as error:
                return f"{type(error).__name__}: {' '.join(str(error).split())}"[:60]
        return f"{largest:.0e}" if largest else "0"

    return (
        worst(lambda network: bnfuse.write(network, path, overwrite=True), lambda: read(path)),
        worst(lambda network: write(network, path), lambda: bnfuse.read(path)[0]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", type=int, default=20, help="how many random networks (default 20)")
    networks = [random_network(seed) for seed in range(parser.parse_args().networks)]
    warnings.simplefilter("ignore")
    print(f"{'format':8}{'program':10}{'it reads ours':64}we read its")
    for program, formats in (("pgmpy", of_pgmpy), ("pyagrum", of_pyagrum)):
        if importlib.util.find_spec(program) is None:
            print(f"{'':8}{program:10}not installed")
            continue
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(None):
            for form, theirs in formats().items():
                reads, read_by_us = compared(form, theirs, networks, Path(folder))
                print(f"{form:8}{program:10}{reads:64}{read_by_us}", flush=True)


if __name__ == "__main__":
    main()
