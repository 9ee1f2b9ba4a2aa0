"""Proofs on many small random problems, with weights, constraints and rules, against two exact methods: no shared code.

    python tests/prove_many.py [COUNT] [FIRST]

Over five variables all networks are tried; over six to eight, one problem in ten, an integer program with elimination
orders for variables is solved by HiGHS. Ends with the first that is not proven, or proven wrong.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bnfuse import DAG, consensus
from brute_force import Rules, against, all_dags, assert_valid, question_of, random_rules
from proof_checker import least_distance
from strategies import common_children, random_dag


def main(count: int, first: int) -> None:
    told: Counter[str] = Counter()
    for seed in range(first, first + count):
        rng = random.Random(f"proofs {seed}")
        size = rng.choice([6, 6, 6, 7, 8]) if seed % 10 == 9 else 5
        dags = [_drawn(rng, size) for _ in range(rng.randint(2, 6))]
        weights = [rng.randint(1, 5) for _ in dags]
        limit, metric = rng.choice([2, 3, 4]), rng.choice(["smhd", "smhd", "shd"])
        rules = random_rules(seed, dags[0].variables, limit) if rng.random() < 0.5 else Rules()
        directions = ("any", "any", "seen", "majority")[seed % 4]
        barred = against(directions, dags, weights)
        rules = replace(rules, required=tuple(arc for arc in rules.required if arc not in barred))
        how = {"weights": weights, "directions": directions, "effort": "quick", "prove": True, **rules.options}
        result = consensus(dags, limit, metric, **how)
        rules = replace(rules, forbidden=(*rules.forbidden, *barred))
        assert_valid(result, dags, limit, weights, rules, metric)
        least = _least(dags, weights, metric, limit, rules)
        assert result.gap == 0, f"{seed}: not proven: {result.lower_bound} to {result.distance}"
        assert round(result.distance * sum(weights)) == least, f"{seed}: {result.distance} is not the optimum"
        program = "the bound alone" if result.proof is None else f"the program over {result.proof.program}"
        told[f"{size} variables, {metric}"] += 1
        told[f"directions {directions}"] += 1
        told[f"settled by {program}"] += 1
        if (seed + 1 - first) % 50 == 0:
            print(f"{seed + 1 - first} proven, all of them right: {dict(sorted(told.items()))}", flush=True)


def _drawn(rng: random.Random, size: int) -> DAG:
    """Half of them have many common children: marriages are where a proof can go wrong."""
    if rng.random() < 0.5:
        return common_children(rng.random(), size)
    return random_dag(rng.randrange(10**6), size, rng.choice([0.8, 1.4, 2.0]))


def _least(dags: Sequence[DAG], weights: Sequence[int], metric: str, limit: int, rules: Rules) -> int:
    """The least summed distance of all networks within the limit and the constraints."""
    variables = dags[0].variables
    if len(variables) > 5:
        return least_distance(question_of(dags, weights, metric, limit, rules))
    every = all_dags(len(variables))
    if metric == "smhd":
        return round(every.best(dags, weights, limit, rules)[0] * sum(weights))
    votes = dict.fromkeys(every.arcs, 0)
    for dag, weight in zip(dags, weights, strict=True):
        for a, b in dag.edges:
            votes[variables.index(a), variables.index(b)] += weight
    gain = np.array([2 * votes[a, b] + votes[b, a] - sum(weights) for a, b in every.arcs])
    distance = sum(votes.values()) - every.has_arc @ gain
    return int(distance[every.within(limit, rules, variables)].min())


if __name__ == "__main__":
    main(*(int(text) for text in (sys.argv[1:] + ["500", "0"][len(sys.argv) - 1 :])))
