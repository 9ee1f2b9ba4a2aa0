"""Federations, measured: time and bytes a site, what noise costs, what attackers learn, what liars can do.

    python bench/federated.py scale        a tally of 5, 20, 100 and 500 sites: CPU seconds and bytes a site
    python bench/federated.py learning     votes, votes by rows and summed counts beside all rows together
    python bench/federated.py privacy      distance lost against epsilon on alarm, 10, 50 and 200 sites; a plot
    python bench/federated.py attack       who was in the sum? the best possible guess, beside the bound of epsilon
    python bench/federated.py liars        sites that lie: the consensus beside the fusion and the majority vote
    python bench/federated.py faults       Flower's own processes: sites and coordinator killed in each round, and TLS

Prints the tables of docs/federated.md. Everything stays on this machine.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
from matplotlib import pyplot

import bnfuse
from bnfuse import DAG, Tally, networks
from bnfuse.data.data import Data
from bnfuse.federated.agreement.folder import write_app
from bnfuse.federated.agreement.settings import RESULT, Agreement, Settings
from bnfuse.federated.agreement.vocabulary import Vocabulary
from bnfuse.federated.coordinator import store
from bnfuse.federated.coordinator.local import LocalChannel
from bnfuse.federated.coordinator.summing import Summing
from bnfuse.federated.protocol.transcript import honest_sites
from bnfuse.federated.site.holdings import SiteSettings, described
from bnfuse.federated.sums import counts, learning
from bnfuse.federated.sums.asked import FamiliesAsked
from bnfuse.federated.sums.privacy import noise
from bnfuse.fusion.distances import smhd
from bnfuse.learning.bootstrap import bootstrap
from bnfuse.study.generator import inputs, synthetic_base

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "federated"))
from federation import roster_of, with_identity
from flower import Flower, flower

CLINICS = sorted((Path(__file__).parent.parent / "examples" / "clinics").glob("*.bif"))
SIZES = tuple((n, sites) for group in ((5, 20, 100), (500,)) for n in (37, 200) for sites in group)
FAULTS = ("tally", "tables", "coordinator", "tls")
EPSILONS = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("scale", "learning", "privacy", "attack", "liars", "faults"))
    parser.add_argument("--plot", type=Path, default=Path("docs/federated-privacy.png"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", choices=FAULTS, help="of faults: this one")
    given = parser.parse_args()
    work = {"scale": scale, "privacy": lambda: privacy(given.plot, given.seeds), "attack": attack}
    work["faults"] = lambda: faults(FAULTS if given.only is None else (given.only,))
    work["liars"] = lambda: liars(given.seeds)
    work["learning"] = lambda: learned(given.seeds)
    work[given.what]()


def table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    print(f"| {' | '.join(headers)} |\n|{'---|' * len(headers)}")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |", flush=True)


# Time and bytes


class Measured(LocalChannel):
    """Counts bytes, and the CPU seconds that sites take."""

    def __init__(self, folders: Sequence[Path]) -> None:
        super().__init__(folders)
        self.sent = self.got = 0
        self.seconds = 0.0

    def ask(self, kind: str, requests: Mapping[int, bytes], seconds: float) -> dict[int, bytes]:
        started = time.process_time()
        answers = super().ask(kind, requests, seconds)
        self.seconds += time.process_time() - started
        self.sent += sum(map(len, requests.values()))
        self.got += sum(map(len, answers.values()))
        return answers


def scale() -> None:
    rows = []
    for n, sites in SIZES:
        base = networks.load("alarm").dag if n == 37 else synthetic_base(n, 1)
        agreement = Agreement(
            Settings(tables="none", effort="quick", frontier=False),
            Vocabulary(dict.fromkeys(base.variables, ())),
            roster_of([f"site-{number}" for number in range(sites)]),
        )
        with tempfile.TemporaryDirectory() as place:
            folders = list(_sites(Path(place), agreement, inputs(base, sites, 1, real=n == 37)))
            channel = Measured(folders)
            words = counts.votes_length(agreement)
            with store.opened(Path(place) / RESULT, agreement) as kept:
                started, wall = time.process_time(), time.perf_counter()
                total, there = Summing(agreement, channel, kept, lambda text: None).sum("tally", {}, words)
                whole, wall = time.process_time() - started, time.perf_counter() - wall
            counts.tally_from(total, agreement, there)
        rows.append(
            (
                *(n, sites, f"{words:,}", f"{channel.sent / sites / 1024:,.0f}", f"{channel.got / sites / 1024:,.0f}"),
                *(f"{channel.seconds / sites:.2f}", f"{whole - channel.seconds:.2f}", f"{wall:.0f}"),
            )
        )
        print(rows[-1], flush=True)
    names = ("numbers in a tally", "KiB to a site", "KiB from a site", "CPU s a site", "CPU s coordinator", "wall s")
    table(("variables", "sites", *names), rows)


def _sites(place: Path, agreement: Agreement, dags: Sequence[DAG]) -> Iterator[Path]:
    for number, dag in enumerate(dags):
        bnfuse.write(dag, place / f"{number}.csv")
        folder = with_identity(place / f"site-{number}")
        described(folder, SiteSettings(networks=str(place / f"{number}.csv")), agreement)
        yield folder


# Learning from counts

WAYS = ("one vote a site", "a vote a row", "summed counts", "all rows together")


def learned(seeds: int, rows_a_site: int = 100) -> None:
    """Mean SMHD to the network that the rows are drawn from; sums are the same without masks, so none are drawn."""
    found = []
    for name in ("asia", "child", "alarm"):
        network = networks.load(name)
        for sites in (5, 20, 50):
            for kind in ("equal", "unequal", "shifted"):
                results: dict[str, list[float]] = {way: [] for way in WAYS}
                for seed in range(seeds):
                    parts = _parts(network, sites, rows_a_site, kind, seed)
                    for way, dag in _ways(network, parts, seed).items():
                        results[way].append(smhd(dag, network.dag))
                found.append((name, sites, kind, *(f"{statistics.mean(results[way]):.1f}" for way in WAYS)))
                print(found[-1], flush=True)
    table(("network", "sites", "rows", *WAYS), found)


def _parts(network: bnfuse.Network, sites: int, each: int, kind: str, seed: int) -> list[Data]:
    """Rows for each site: the same number; half of all rows at one site; or a fifth of the sites elsewhere."""
    total = sites * each
    sizes = [each] * sites
    if kind == "unequal":
        rest = total // 2 // (sites - 1)
        sizes = [total - rest * (sites - 1), *[rest] * (sites - 1)]
    rows = network.sample(total, seed=seed)
    other = _shifted(network, seed).sample(total, seed=seed + 1_000) if kind == "shifted" else rows
    parts, start = [], 0
    for number, size in enumerate(sizes):
        source = other if kind == "shifted" and number < sites // 5 else rows
        parts.append(Data(rows.variables, rows.states, source.codes[start : start + size]))
        start += size
    return parts


def _shifted(network: bnfuse.Network, seed: int) -> bnfuse.Network:
    """The same arcs, and other probabilities of the variables without parents."""
    random = np.random.default_rng(seed)
    cpts = {name: np.array(network.cpts[name]) for name in network.variables}
    for name in network.variables:
        if not network.dag.parents(name):
            cpts[name] = random.dirichlet(np.ones(cpts[name].shape[-1]))
    return bnfuse.Network(network.dag, network.states, cpts)


def _ways(network: bnfuse.Network, parts: Sequence[Data], seed: int) -> dict[str, DAG]:
    states = {name: tuple(network.states[name]) for name in network.variables}
    tallies = [bootstrap(part, 5, seed=seed).run() for part in parts]
    roster, vocabulary = roster_of([f"site-{number}" for number in range(len(parts))]), Vocabulary(states)
    found = {}
    for way, votes in ((WAYS[0], "site"), (WAYS[1], "rows")):
        agreement = Agreement(Settings(votes=votes, structure="counts"), vocabulary, roster)
        vector = sum(counts.votes_of(one, agreement, len(part)) for one, part in zip(tallies, parts, strict=True))
        tally = counts.tally_from(vector, agreement, len(parts))
        found[way] = bnfuse.consensus(tally, 4, effort="quick").dag
    asked = learning.asked_families(tally, agreement)
    total, tables = learning.tables_from(_summed(parts, asked, agreement), asked, agreement, len(parts))
    scores = learning.scores_of(total, tables, agreement)
    found[WAYS[2]] = bnfuse.learn(scores, max_clique=4, effort="quick").dag
    together = Data(parts[0].variables, parts[0].states, np.concatenate([part.codes for part in parts]))
    found[WAYS[3]] = bnfuse.learn(together, max_clique=4, max_parents=3, effort="quick").dag
    return found


def _summed(parts: Sequence[Data], asked: FamiliesAsked, agreement: Agreement) -> counts.Counts:
    total = np.zeros(asked.length(agreement), np.int64)
    for part in parts:
        place = 1
        total[0] += len(part)
        for members, shape in zip(asked.names(agreement), asked.shapes(agreement), strict=True):
            cells = np.ravel_multi_index([part.column(name).astype(np.int64) for name in members], shape)
            size = math.prod(shape)
            total[place : place + size] += np.bincount(cells, minlength=size)
            place += size
    return total


# What noise costs


def privacy(plot: Path, seeds: int) -> None:
    base = networks.load("alarm").dag
    lines: dict[int, list[float]] = {}
    rows = []
    for sites in (10, 50, 200):
        losses: dict[float, list[float]] = {epsilon: [] for epsilon in EPSILONS}
        exact, empty = [], []
        for seed in range(seeds):
            dags = inputs(base, sites, seed, real=True)
            honest = Tally.of(dags, [1] * sites)
            best = bnfuse.consensus(honest, 4, effort="quick", directions="any")
            exact.append(best.distance)
            empty.append(counts.mean_distance(honest, DAG(base.variables), "smhd"))
            for epsilon in EPSILONS:
                found = bnfuse.consensus(_noisy(dags, epsilon, seed), 4, effort="quick", directions="any")
                losses[epsilon].append(counts.mean_distance(honest, found.dag, "smhd"))
        lines[sites] = [statistics.mean(losses[epsilon]) / statistics.mean(exact) for epsilon in EPSILONS]
        means = [f"{statistics.mean(losses[epsilon]):.1f}" for epsilon in EPSILONS]
        rows.append((sites, *means, f"{statistics.mean(exact):.1f}", f"{statistics.mean(empty):.1f}"))
        print(rows[-1], flush=True)
    table(("sites", *(f"epsilon {epsilon:g}" for epsilon in EPSILONS), "no noise", "no arcs"), rows)
    _draw(lines, plot)


def _noisy(dags: Sequence[DAG], epsilon: float, seed: int) -> Tally:
    """The tally of a private federation in which all sites stay: each added its part for the number that must stay."""
    tallies = [Tally.of([dag], [1]) for dag in dags]
    most = max(int(np.triu(one.moral).sum()) for one in tallies)
    agreement = Agreement(
        Settings(tables="none", epsilon=epsilon, most_edges=most),
        Vocabulary(dict.fromkeys(dags[0].variables, ())),
        roster_of([f"site-{number}" for number in range(len(dags))]),
    )
    total = sum(counts.votes_of(one, agreement) for one in tallies)
    random = np.random.default_rng(seed)
    shape, stop = len(dags) / honest_sites(len(dags)), -math.expm1(-epsilon / most)
    parts = random.negative_binomial(shape, stop, (2, len(total) - 1))
    total[1:] += parts[0] - parts[1]
    return counts.tally_from(total, agreement, len(dags))


def _draw(lines: Mapping[int, Sequence[float]], path: Path) -> None:
    figure, axes = pyplot.subplots(figsize=(6, 3.6), dpi=110)
    for sites, values in lines.items():
        axes.plot(EPSILONS, values, marker="o", label=f"{sites} sites")
    axes.set_xscale("log")
    axes.set_xticks(EPSILONS, [f"{epsilon:g}" for epsilon in EPSILONS])
    axes.axhline(1, color="grey", linewidth=0.8, linestyle="--")
    axes.set_xlabel("epsilon of the tally, for a whole site")
    axes.set_ylabel("mean SMHD / that without noise")
    axes.set_title("What privacy costs: alarm, limit 4", loc="left", fontsize=11)
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path)
    print(f"wrote {path}")


# Who was in the sum?


def attack(trials: int = 20_000) -> None:
    """The guess of somebody who sees the sum and knows all other sites' votes: no other test is better than this one.

    It looks at the difference, and asks whether the site's network or none makes it more likely.
    """
    (network,) = bnfuse.read(CLINICS[0])
    edges = int(np.triu(Tally.of([network.dag], [1]).moral).sum())
    rows = []
    for epsilon in (0.1, 0.5, 1.0, 2.0, 5.0):
        scale_of = counts.scale_of(edges, Fraction(str(epsilon)))
        drawn = noise(2 * trials * edges, scale_of, 1).reshape(2, trials, edges)  # all parts together
        inside, outside = drawn[0] + 1, drawn[1]  # the votes of the site, or none, where it has any
        evidence = [(abs(one) - abs(one - 1)).sum(1) / float(scale_of) for one in (inside, outside)]
        right = (np.mean(evidence[0] > 0) + np.mean(evidence[1] <= 0)) / 2
        worst = max(_proven(evidence[0] >= cut, evidence[1] >= cut) for cut in np.unique(evidence[1]))
        bound = math.exp(epsilon) / (1 + math.exp(epsilon))
        rows.append((f"{epsilon:g}", f"{100 * right:.1f} %", f"{100 * bound:.1f} %", f"{max(worst, 0):.2f}"))
    names = ("right guesses", "can be at most", "the epsilon that the guesses prove")
    table(("epsilon", *names), rows)


def _proven(true_alarms: np.ndarray, false_alarms: np.ndarray) -> float:
    """The logarithm of true to false alarms, with three standard errors taken off each: chance alone stays below it."""
    low, high = (float(np.mean(one)) for one in (true_alarms, false_alarms))
    low -= 3 * math.sqrt(low * (1 - low) / len(true_alarms))
    high += 3 * math.sqrt(high * (1 - high) / len(false_alarms)) + 3 / len(false_alarms)
    return math.log(low / high) if low > 0 else -math.inf


# Sites that lie


def liars(seeds: int) -> None:
    base = networks.load("alarm").dag
    rows = []
    for sites in (10, 50):
        for kind in ("none", "all arcs reversed", "random networks", "slack used up"):
            found: dict[str, list[float]] = {}
            for seed in range(seeds):
                dags = inputs(base, sites, seed, real=True)
                honest = dags[sites // 5 :]
                for name, value in _judged(dags, honest, kind, seed).items():
                    found.setdefault(name, []).append(value)
            cells = [f"{statistics.mean(found[name]):.1f}" if name in found else "-" for name in METHODS]
            rows.append((sites, kind, *cells))
            print(rows[-1], flush=True)
    table(("sites", "a fifth of them sends", *METHODS), rows)


METHODS = ("consensus", "majority vote", "full fusion", "fusion's clique")


def _judged(dags: Sequence[DAG], honest: Sequence[DAG], kind: str, seed: int) -> dict[str, float]:
    """Mean SMHD to the honest inputs of what each method makes of all."""
    lying = len(dags) - len(honest)
    random = Random(seed)
    true = Tally.of(list(honest), [1] * len(honest))
    if kind == "slack used up":  # a sum that passes all checks, in which liars vote where others left room
        votes = Tally.of(list(dags), [1] * len(dags)).content()
        votes = _with_slack(votes, dags, lying, random)
        tally = Tally.from_content({**votes, "variables": dags[0].variables})
        ways = {name: bnfuse.consensus(tally, 4, method=way, directions="any") for name, way in _WAYS}
        return {name: counts.mean_distance(true, one.dag, "smhd") for name, one in ways.items()}
    if kind == "all arcs reversed":
        bad = [DAG(dag.variables, [(b, a) for a, b in dag.edges]) for dag in dags[:lying]]
    elif kind == "random networks":
        bad = [_of_chance(dag, random) for dag in dags[:lying]]
    else:
        bad = list(dags[:lying])
    everyone = [*bad, *honest]
    found = {
        name: counts.mean_distance(true, bnfuse.consensus(everyone, 4, method=way, directions="any").dag, "smhd")
        for name, way in _WAYS
    }
    fused = bnfuse.fuse(everyone).dag
    found["full fusion"] = counts.mean_distance(true, fused, "smhd")
    found["fusion's clique"] = float(bnfuse.clique_size(fused))
    return found


_WAYS = (("consensus", "direct"), ("majority vote", "majority"))


def _of_chance(dag: DAG, random: Random) -> DAG:
    names = random.sample(dag.variables, len(dag.variables))
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return DAG(dag.variables, random.sample(pairs, len(dag.edges)))


def _with_slack(content: dict[str, object], dags: Sequence[DAG], lying: int, random: Random) -> dict[str, object]:
    """Votes of all sites for 20 arcs that nobody has, one after the other along a chain: what one liar can send."""
    tally = Tally.of(list(dags), [1] * len(dags))
    free = [(int(a), int(b)) for a, b in np.argwhere(np.triu(tally.moral == 0, 1))]
    chosen = random.sample(free, min(20, len(free)))
    moral = [*content["moral"], *([a, b, tally.weight] for a, b in chosen)]  # type: ignore[misc]
    arcs = [*content["arcs"], *([a, b, tally.weight] for a, b in chosen)]  # type: ignore[misc]
    return {**content, "moral": moral, "arcs": arcs}


# Flower's own processes


def faults(chosen: Sequence[str]) -> None:
    agreement = Agreement(
        Settings(name="clinics", tables="networks", effort="quick", frontier=False, wait=90.0),
        Vocabulary.read(CLINICS[0]),
        roster_of([path.stem for path in CLINICS]),
    )

    def federation(place: Path) -> tuple[Path, list[Path]]:
        sites = []
        for path in CLINICS:
            sites.append(with_identity(place / path.stem))
            described(sites[-1], SiteSettings(networks=str(path)), agreement)
        write_app(place / "app", agreement)
        return place / "app", sites

    def finished(running: Flower, sites: Sequence[Path], gone: str) -> None:
        running.wait_for(lambda: all((s / "report.txt").exists() for s in sites if s.name != gone), "run")

    def told(running: Flower) -> None:
        print("\n".join(f"    {line}" for line in running.said("run").splitlines()), flush=True)

    for when in chosen:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            app, sites = federation(place)
            tls = certificates(place) if when == "tls" else None
            started = time.perf_counter()
            with flower(place / "flower", tls) as running:
                for site in sites:
                    keys = _registered(running, place, site) if when == "tls" else ()
                    running.site(site.name, site, *keys)
                running.run(app)
                victim = sites[1].name
                if when in ("tally", "tables"):
                    sums = ("tally", "tables").index(when) + 1
                    running.wait_for(
                        lambda n=sums, v=victim: running.said(v).count("ROUND masked]") >= 2 * n - 1, "run"
                    )
                    running.kill(victim)
                elif when == "coordinator":
                    running.wait_for(lambda: "the tally of" in running.said("run"), "run")
                    running.kill_tasks("flwr-serverapp")
                    running.kill("run")
                    running.run(app)
                finished(running, sites, victim if when in ("tally", "tables") else "")
                print(
                    f"killed in the round {when!r}, {time.perf_counter() - started:.0f} s:" if when != "tls" else "TLS:"
                )
                told(running)


def certificates(place: Path) -> dict[str, Path]:
    """An authority and a certificate for 127.0.0.1, by openssl."""
    files = {name: place / f"{name}.pem" for name in ("ca", "certificate", "key")}
    run = lambda *words: subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)  # noqa: E731
    key = place / "ca-key.pem"
    run(
        *["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=bench"],
        "-keyout",
        key,
        "-out",
        files["ca"],
    )
    request = place / "request.pem"
    run(*["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1"], "-keyout", files["key"], "-out", request)
    (place / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
    run(
        *("x509", "-req", "-in", request, "-CA", files["ca"], "-CAkey", key, "-CAcreateserial", "-days", 2),
        *("-extfile", place / "names", "-out", files["certificate"]),
    )
    return files


def _registered(running: Flower, place: Path, site: Path) -> tuple[object, ...]:
    """A key for a site, made known to the SuperLink as its owner would."""
    key = place / f"{site.name}-key"
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ecdsa", "-b", "384", "-N", "", "-f", str(key)], check=True, capture_output=True
    )
    register = running.start(f"register-{site.name}", "flwr", "supernode", "register", f"{key}.pub", "here")
    if register.wait():
        raise SystemExit(running.said(f"register-{site.name}"))
    return "--supernode-key", key


if __name__ == "__main__":
    main()
