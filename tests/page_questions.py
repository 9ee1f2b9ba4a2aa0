"""Random questions about input networks, asked of bnfuse and of the solver of a page."""

from graphlib import TopologicalSorter

import pytest

import bnfuse
from bnfuse.report.page.compact import packed
from bnfuse.report.page.page import resource
from bnfuse.report.page.scripts import joined
from bnfuse.report.solver.parts import WORKER, kernel

ASK = """async ([worker, kernel, questions, efforts]) => {
  const { startSolver } = await import("/solver.js");
  const solver = startSolver(worker, kernel);
  const answers = [];
  for (const question of questions) {
    let why = null;
    const answer = await solver.solve(question, (event) => { why = event.why ?? why; }, efforts);
    answers.push(answer ? [answer.arcs, answer.distance, answer.bound, answer.clique] : why);
  }
  solver.end();
  return answers;
}"""


# What the page of `bnfuse try` holds and asks, to what it says of the answer.
TRY = """async (asked) => {
  const { questionOf } = await import("/asked-question.js");
  const { solve } = await import("/page-search.js");
  const { pageOf } = await import("/page-of-answer.js");
  const page = { tables: null, states: null, files: [], command: "", version: "0", time: null, notes: [] };
  const answers = [];
  for (const [inputs, settings] of asked) {
    const question = questionOf(inputs, settings);
    let answer = null;
    try {
      await solve(question, (event) => { answer = event.answer ?? answer; });
    } catch (error) {
      answers.push(error.message);
      continue;
    }
    const { facts } = pageOf(question, answer, { ...page, leftOut: question.leftOut });
    const arcs = answer.arcs.map((ends) => ends.map((v) => question.variables[v]));
    answers.push([arcs, facts.distance, facts.bound, facts.clique, facts.largest_table]);
  }
  return answers;
}"""


def held_by_page(networks, weights):
    """Networks as the page of `bnfuse try` holds them."""
    return [
        {
            "id": i,
            "name": getattr(network, "name", None) or str(i + 1),
            "variables": network.variables,
            "arcs": (network if isinstance(network, bnfuse.DAG) else network.dag).arc_numbers.tolist(),
            "states": [network.states[v] for v in network.variables] if getattr(network, "states", None) else None,
            "isOn": True,
            "weight": weight,
        }
        for i, (network, weight) in enumerate(zip(networks, weights, strict=True))
    ]


def settings_of(question):
    """What a question asks, as the settings of the page of `bnfuse try`."""
    names = ("limit", "maxTable", "maxParents", "metric", "directions", "required", "forbidden", "tiers")
    return {name: question[name] for name in names}


def try_page():
    """A page that has what the search of the page of `bnfuse try` needs."""
    parts = {"solver-script": packed(joined(WORKER, resource)), "kernel": packed(kernel())}
    scripts = (f'<script type="text/plain" id="{name}">{text}</script>' for name, text in parts.items())
    return "<!doctype html><title>modules</title>" + "".join(scripts)


def assert_same_on_try_page(tab, networks, rng, count):
    """The same of the page of `bnfuse try`, which was opened with `try_page`."""
    questions = [random_question(networks, rng) | {"seed": 0} for _ in range(count)]
    weights = [[float(one["weight"]) for one in question["inputs"]] for question in questions]
    asked = [[held_by_page(networks, own), settings_of(one)] for own, one in zip(weights, questions, strict=True)]
    refused = 0
    for question, own in zip(questions, tab.evaluate(TRY, asked), strict=True):
        expected = asked_of_bnfuse(networks, question, "normal", table=True)
        if expected is None:
            assert isinstance(own, str), (question, own)
            refused += 1
        else:
            assert not isinstance(own, str), (question, own)
            assert (tuple(map(tuple, own[0])), *own[1:4]) == expected[:4], question
            assert own[4] == (None if expected[4] is None else str(expected[4])), question
    assert refused < count / 2


def solver_parts(variables):
    """The script of the worker, and the kernel for so many variables as pages have it."""
    return joined(WORKER, resource), packed(kernel(variables))


def asked_of_page(tab, questions, effort):
    """What the solver of a page answers: arcs, distance, bound and clique size, or why it refuses."""
    answers = tab.evaluate(ASK, [*solver_parts(min(len(questions[0]["variables"]), 2048)), questions, [effort]])
    return [one if isinstance(one, str) else (tuple(map(tuple, one[0])), *one[1:]) for one in answers]


def asked_of_bnfuse(networks, question, effort, table=False):
    """The same from Python, maybe with the largest clique table; None where it refuses."""
    try:
        found = bnfuse.consensus(
            networks,
            question["limit"],
            question["metric"],
            weights=[float(one["weight"]) for one in question["inputs"]],
            max_table=question["maxTable"],
            required=question["required"],
            forbidden=question["forbidden"],
            tiers=question["tiers"],
            max_parents=question["maxParents"],
            directions=question["directions"],
            seed=int(question["seed"]),
            effort=effort,
        )
    except bnfuse.BnfuseError:
        return None
    answer = found.dag.edges, found.distance, found.lower_bound, int(found.clique_size)
    return (*answer, found.largest_table) if table else answer


def random_question(networks, rng):
    """Weights, inputs left out, rules for arcs, limits, metrics and directions."""
    dags = [one.dag if isinstance(one, bnfuse.Network) else one for one in networks]
    names = [*dags[0].variables]
    arcs = [arc for dag in dags for arc in dag.edges]
    weights = [rng.choice(["1", "1", "1", "2", "0.5", "0", "1000", "0.001"]) for _ in dags]
    if not any(float(weight) for weight in weights) or rng.random() < 0.05:
        weights = ["0" for _ in dags]
        weights[rng.randrange(len(dags))] = "0.3"
    states = _states(networks)
    has_tables = states is not None and rng.random() < 0.2
    return {
        "variables": names,
        "inputs": [
            {"name": str(i), "weight": w, "arcs": dag.edges}
            for i, (dag, w) in enumerate(zip(dags, weights, strict=True))
        ],
        "limit": rng.choice([None, None, 2, 3, 4, 5, 6, 2**40]),
        "maxTable": rng.choice([max(states) - 1, max(states), 16, 64, 200, 2**52]) if has_tables else None,
        "states": states,
        "metric": rng.choice(["smhd", "smhd", "shd"]),
        "directions": rng.choice([None, None, "any", "seen", "majority"]),
        "required": [_either_way(rng.choice(arcs), rng) for _ in range(rng.choice([0, 0, 1, 2]))],
        "forbidden": [_either_way(rng.choice(arcs), rng) for _ in range(rng.choice([0, 0, 1, 3, 20]))],
        "tiers": _tiers(dags[0], rng) if rng.random() < 0.2 else [],
        "maxParents": rng.choice([None, None, None, None, 0, 1, 2, 3, 2**40]),
        "seed": str(rng.randrange(2**64)),
    }


def _either_way(arc, rng):
    return arc if rng.random() < 0.8 else arc[::-1]


def _tiers(dag, rng):
    """Two or three tiers, mostly along the arcs of a network, of all variables or of some."""
    names = (
        [*TopologicalSorter({v: dag.parents(v) for v in dag.variables}).static_order()]
        if rng.random() < 0.7
        else rng.sample(dag.variables, len(dag.variables))
    )
    cuts = sorted(rng.sample(range(1, len(names)), rng.choice([1, 2])))
    tiers = [names[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]
    kept = ([name for name in tier if rng.random() < 0.9] for tier in tiers)
    return [tier for tier in kept if tier]


def _states(networks):
    if not isinstance(networks[0], bnfuse.Network) or networks[0].states is None:
        return None
    return [len(networks[0].states[name]) for name in networks[0].dag.variables]


def assert_same_answers(tab, networks, rng, count, effort):
    """Network, distance, bound and clique size are the same to the last digit, and what one refuses the other does.

    Returns how many questions were answered.
    """
    questions = [random_question(networks, rng) for _ in range(count)]
    refused = 0
    for question, own in zip(questions, asked_of_page(tab, questions, effort), strict=True):
        expected = asked_of_bnfuse(networks, question, effort)
        if expected is None:
            assert isinstance(own, str), (question, own)
            refused += 1
        else:
            assert own == expected, question
    assert refused < count / 2
    return count - refused


def perturbed(base, rng):
    """A network with some arcs taken out, turned or added."""
    arcs = [arc if rng.random() < 0.9 else arc[::-1] for arc in base.edges if rng.random() < 0.85]
    arcs += [tuple(rng.sample(base.variables, 2)) for _ in range(len(base.variables) // 5)]
    kept = []
    for arc in arcs:
        if arc[::-1] not in kept and arc not in kept:
            try:
                bnfuse.DAG(base.variables, [*kept, arc])
            except bnfuse.GraphError:
                continue
            kept.append(arc)
    return bnfuse.DAG(base.variables, kept)


def benchmark(name, count, rng):
    """A network of the repository, and copies of it with some arcs taken out, turned or added."""
    if not bnfuse.networks.available([name]):
        pytest.skip("the benchmark networks are not here")
    base = bnfuse.networks.load(name).dag
    return [base, *(perturbed(base, rng) for _ in range(count - 1))]
