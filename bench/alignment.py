"""How well `bnfuse align` matches names and states: pairs made by hand, and benchmark networks with changed names.

    python bench/alignment.py [--seeds N] [--list]

The pairs are those of tests/alignment_pairs.py. Each pair of names is tried in two networks that have nothing else, and
in two that have the same states and neighbours, where a wrong match looks most plausible. "Applied" rows are those that
need no check. Then, for each of eight benchmark networks, a copy perturbed as in the paper (`inputs`), in which 30 % of
the names are changed as people change them: case, separators, prefixes, suffixes, typing errors, another order of the
words, abbreviations, left-out vowels, or another name altogether. `--list` prints every pair that is not as it should
be.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import bnfuse
from bnfuse import DAG, Network
from bnfuse.study.generator import inputs

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from alignment_pairs import CHOICES, DECIDED, LATER_OPPOSITES, NAMES, OPPOSITE, OTHER, SAME, STATES

NETWORKS = ("alarm", "barley", "child", "hailfinder", "hepar2", "insurance", "water", "win95pts")
CHANGED = 0.3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3, help="how often the names of each network are changed")
    parser.add_argument("--list", action="store_true", help="print what is not as it should be")
    arguments = parser.parse_args()
    judge_names(arguments.list)
    judge_later_opposites()
    judge_choices(arguments.list)
    judge_states(arguments.list)
    judge_networks(arguments.seeds, arguments.list)


def judge_names(is_listed: bool) -> None:
    for title, with_company in (("alone", False), ("same states and neighbours", True)):
        found = Counter[tuple[str, str]]()
        for one, other, kind in NAMES:
            how = verdict(one, (other,), other, with_company)
            found[kind, how] += 1
            if is_listed and how != ("applied" if kind == SAME else "not proposed"):
                print(f"  {kind}: {one} / {other}: {how}")
        print(f"names, {title}:")
        for kind in (SAME, OTHER, OPPOSITE):
            total = sum(number for (own, _), number in found.items() if own == kind)
            ways = ", ".join(f"{found[kind, how]} {how}" for how in ("applied", "to check", "not proposed"))
            print(f"  {total} {kind}: {ways}")
        print_scores(found)


def judge_later_opposites() -> None:
    for title, with_company in (("alone", False), ("same states and neighbours", True)):
        found = Counter(verdict(one, (other,), other, with_company) for one, other in LATER_OPPOSITES)
        ways = ", ".join(f"{found[how]} {how}" for how in ("applied", "to check", "not proposed"))
        print(f"{len(LATER_OPPOSITES)} later opposites, {title}: {ways}")


def print_scores(found: Counter[tuple[str, str]]) -> None:
    for title, ways in (("applied", ("applied",)), ("proposed", ("applied", "to check"))):
        chosen = {kind: sum(found[kind, how] for how in ways) for kind in (SAME, OTHER, OPPOSITE)}
        same = sum(number for (kind, _), number in found.items() if kind == SAME)
        print(f"  {title}: precision {share(chosen[SAME], sum(chosen.values()))}, recall {share(chosen[SAME], same)}")


def judge_choices(is_listed: bool) -> None:
    right = 0
    for one, others, meant in CHOICES:
        how = verdict(one, others, meant, with_company=True)
        right += how != "not proposed"
        if is_listed and how == "not proposed":
            print(f"  choice: {one} / {others}: not {meant}")
    print(f"the right one of several: {right} of {len(CHOICES)}")


def verdict(one: str, others: tuple[str, ...], meant: str, with_company: bool) -> str:
    """What becomes of a pair: `applied`, `to check` or `not proposed`."""
    company = ["Parent", "Child"] if with_company else []
    networks = []
    for names in ((one,), others):
        arcs = [arc for name in names for arc in (("Parent", name), (name, "Child")) if with_company]
        states = dict.fromkeys([*names, *company], ("yes", "no"))
        networks.append(Network(DAG([*names, *company], arcs), states))
    for row in bnfuse.align(networks).rows:
        if not row.state and row.changes and {row.variable, row.name} == {one, meant}:
            return "to check" if row.check else "applied"
    return "not proposed"


def judge_states(is_listed: bool) -> None:
    found = Counter[str]()
    for common, own, expected, kind in STATES:
        rows = bnfuse.align(*(Network(DAG(["A"]), {"A": labels}) for labels in (common, own))).rows
        is_right = expected is None or {row.state: row.becomes for row in rows} == expected
        how = (
            f"{kind}, {'right' if is_right else 'wrong'}, {'to check' if any(row.check for row in rows) else 'applied'}"
        )
        found[how] += 1
        if is_listed and how != (f"{kind}, right, applied" if kind == DECIDED else f"{kind}, right, to check"):
            print(f"  states: {common} / {own}: {how}: {[(row.state, row.becomes, row.why) for row in rows]}")
    print(f"{len(STATES)} pairs of states:")
    for how, number in sorted(found.items()):
        print(f"  {how}: {number}")


def judge_networks(seeds: int, is_listed: bool) -> None:
    print(f"{'network':12} {'changed':>8} {'right':>6} {'applied':>8} {'wrong':>6} {'wrong, applied':>15}")
    totals = Counter[str]()
    for name in NETWORKS:
        counts = Counter[str]()
        for seed in range(seeds):
            counts += judge_network(name, seed, is_listed)
        print_counts(name, counts)
        totals += counts
    print_counts("all", totals)


def print_counts(name: str, counts: Counter[str]) -> None:
    print(
        f"{name:12} {counts['changed']:8} {share(counts['right'], counts['changed']):>6} "
        f"{share(counts['right, applied'], counts['changed']):>8} {counts['wrong']:6} {counts['wrong, applied']:15}",
        flush=True,
    )


def judge_network(name: str, seed: int, is_listed: bool) -> Counter[str]:
    network = bnfuse.networks.load(name)
    source = random.Random(f"{name} {seed}")
    copy = inputs(network.dag, 2, seed, "printed")[1]
    chosen = source.sample(network.variables, round(CHANGED * len(network.variables)))
    names = {variable: variable for variable in network.variables}
    for variable in chosen:
        taken = {*network.variables, *names.values()}
        names[variable] = next(text for text in changes(variable, source) if text not in taken)
    order = source.sample(copy.variables, len(copy.variables))
    dag = DAG([names[variable] for variable in order], [(names[a], names[b]) for a, b in copy.edges])
    other = Network(dag, {names[variable]: labels for variable, labels in network.states.items()}, name="other")
    meant = {new: old for old, new in names.items()}
    counts = Counter({"changed": len(chosen)})
    for row in bnfuse.align(network, other).rows:
        if row.network == "other" and not row.state and row.changes:
            how = "right" if meant[row.variable] == row.name else "wrong"
            counts[how] += 1
            counts[f"{how}, applied"] += not row.check
            if is_listed and how == "wrong":
                print(f"  {name}: {row.variable} ({meant[row.variable]}) as {row.name}: {row.why}")
    return counts


def changes(name: str, source: random.Random) -> Iterator[str]:
    """Other spellings of a name, each made in one of the ways in which people make them.

    Typing errors and abbreviations leave numbers alone, and names of fewer than five letters.
    """
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[A-Z]+", name) or [name]
    inside = [i for i in range(2, len(name) - 1) if name[i - 1 : i + 2].isalpha()]
    while True:
        ways = [
            "_".join(parts).lower(),
            name.upper(),
            name.lower(),
            " ".join(parts),
            source.choice(("pt_", "v_", "obs.")) + name,
            name + source.choice(("_obs", "_status", "Value")),
            "".join(source.choices("bcdfghklmnprstvw", k=5)),
        ]
        if name.isalpha():
            ways.append("_".join(parts[::-1]))
        if sum(map(str.isalpha, name)) >= 5 and inside:
            place, other = source.choice(inside), source.choice("abcdefghijklmnopqrstuvwxyz")
            ways += [
                name[:place] + name[place + 1 :],
                name[:place] + name[place : place + 2][::-1] + name[place + 2 :],
                name[:place] + name[place - 1] + name[place:],
                name[:place] + other + name[place + 1 :],
                "".join(part if part.isdecimal() else part[:4] for part in parts),
                name[0] + re.sub("[aeiou]", "", name[1:]),
            ]
        yield source.choice(ways)


def share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"


if __name__ == "__main__":
    main()
