"""Random questions about input networks, asked of bnfuse and of the solver of a page."""

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


def solver_parts(variables):
    """The script of the worker, and the kernel for so many variables as pages have it."""
    return joined(WORKER, resource), packed(kernel(variables))


def asked_of_page(tab, questions, effort):
    """What the solver of a page answers: arcs, distance, bound and clique size, or why it refuses."""
    answers = tab.evaluate(ASK, [*solver_parts(len(questions[0]["variables"])), questions, [effort]])
    return [one if isinstance(one, str) else (tuple(map(tuple, one[0])), *one[1:]) for one in answers]


def asked_of_bnfuse(networks, question, effort):
    """The same from Python; None where it refuses."""
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
            seed=question["seed"],
            effort=effort,
        )
    except bnfuse.BnfuseError:
        return None
    return found.dag.edges, found.distance, found.lower_bound, int(found.clique_size)


def random_question(networks, rng):
    """Weights, inputs left out, rules for arcs, limits, metrics and directions."""
    dags = [one.dag if isinstance(one, bnfuse.Network) else one for one in networks]
    names = [*dags[0].variables]
    arcs = [arc for dag in dags for arc in dag.edges]
    weights = [rng.choice(["1", "1", "1", "2", "0.5", "0"]) for _ in dags]
    if not any(float(weight) for weight in weights):
        weights[0] = "1"
    states = _states(networks)
    has_tables = states is not None and rng.random() < 0.2
    return {
        "variables": names,
        "inputs": [
            {"name": str(i), "weight": w, "arcs": dag.edges}
            for i, (dag, w) in enumerate(zip(dags, weights, strict=True))
        ],
        "limit": rng.choice([None, None, 2, 3, 4, 5, 6]),
        "maxTable": rng.choice([max(states), 16, 64, 200]) if has_tables else None,
        "states": states,
        "metric": rng.choice(["smhd", "smhd", "shd"]),
        "directions": rng.choice([None, None, "any", "seen", "majority"]),
        "required": [rng.choice(arcs) for _ in range(rng.choice([0, 0, 1, 2]))],
        "forbidden": [rng.choice(arcs) for _ in range(rng.choice([0, 0, 1, 3]))],
        "tiers": [names[: len(names) // 2], names[len(names) // 2 :]] if rng.random() < 0.1 else [],
        "maxParents": rng.choice([None, None, None, 1, 2, 3]),
        "seed": rng.randrange(2**40),
    }


def _states(networks):
    if not isinstance(networks[0], bnfuse.Network) or networks[0].states is None:
        return None
    return [len(networks[0].states[name]) for name in networks[0].dag.variables]


def assert_same_answers(tab, networks, rng, count, effort):
    """Network, distance, bound and clique size are the same to the last digit, and what one refuses the other does."""
    questions = [random_question(networks, rng) for _ in range(count)]
    for question, own in zip(questions, asked_of_page(tab, questions, effort), strict=True):
        expected = asked_of_bnfuse(networks, question, effort)
        if expected is None:
            assert isinstance(own, str), (question, own)
        else:
            assert own == expected, question


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
