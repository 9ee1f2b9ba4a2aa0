"""Asking the page: what it answers, beside `Network.query`, and how it is asked."""

import math
import random
from dataclasses import asdict, is_dataclass, replace

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, EvidenceError, Network, read
from bnfuse.answer.provenance import Origin
from bnfuse.inference.parameters import Fitted
from bnfuse.report.page import page_tables
from bnfuse.report.page.page_tables import network_file, packed
from packed_tables import unpacked
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, opened_fixture, served_fixture  # noqa: F401
from page_parts import CLINICS, log_of, modules_of, result

QUERIES = 200
LARGER = ["alarm", "hailfinder", "mildew"]
CLOSE = 1e-9


# All findings but the last without telling anybody: the page draws itself once.
STATE = """const state = (evidence, data, given) => {
        evidence.findings.clear();
        const all = Object.entries(given).map(([variable, label]) => {
            const number = data.variables.indexOf(variable);
            return [number, data.tables.states[number].indexOf(label)];
        });
        all.slice(0, -1).forEach(([number, label]) => evidence.findings.set(number, label));
        if (all.length) evidence.find(...all[all.length - 1]);
        else evidence.clearFindings();
    };"""

ASK = STATE.join(
    [
        "async questions => {",
        """
    const evidence = await import("/evidence.js");
    const { data } = await import("/page-data.js");
    return questions.map(given => {
        state(evidence, data, given);
        const log = evidence.logOfFindings();
        const all = data.variables.map((_, variable) => evidence.chancesOf(variable));
        return { log: Number.isFinite(log) ? log : null, chances: all.map(one => one && [...one]) };
    });
}""",
    ]
)


def questions_to(network, seed):
    """Findings about up to 6 variables, drawn from the network itself, so that most of them are possible."""
    chance = random.Random(seed)
    rows = network.sample(QUERIES, seed=seed).codes.tolist()
    for row in rows:
        chosen = chance.sample(range(len(network.variables)), chance.randrange(min(7, len(network.variables))))
        # One of ten from anywhere: perhaps impossible.
        free = chance.random() < 0.1
        named = {i: network.states[network.variables[i]] for i in chosen}
        yield {
            network.variables[i]: labels[chance.randrange(len(labels)) if free else row[i]]
            for i, labels in named.items()
        }


@needs_browser
@pytest.mark.parametrize("name", ["clinics", *(pytest.param(x, marks=pytest.mark.long) for x in LARGER)])
def test_the_page_answers_as_python_does(served, name):
    network = result(name).network
    questions = list(questions_to(network, seed=7))
    answers = served(modules_of(result(name))).evaluate(ASK, questions)
    chance = random.Random(1)
    for given, answer in zip(questions, answers, strict=True):
        asked = chance.sample(network.variables, 2)
        if answer["log"] is None:
            assert set(answer["chances"]) == {None}
            with pytest.raises(EvidenceError):
                network.query(asked[:1], given)
            continue
        for variable in asked:
            own = answer["chances"][network.variables.index(variable)]
            np.testing.assert_allclose(own, network.query([variable], given), rtol=0, atol=CLOSE)
        assert answer["log"] == pytest.approx(log_of(network, given), abs=CLOSE)


@needs_browser
@pytest.mark.long
def test_findings_whose_probability_no_number_can_hold(served):
    """A hundred and fifty signs of one cause, half of them against it: each alone is far below what numbers hold."""
    names = ["Cause", *(f"Sign{i}" for i in range(150))]
    states = dict.fromkeys(names, ("yes", "no"))
    sign = np.array([[1e-7, 1 - 1e-7], [1 - 1e-7, 1e-7]])
    cpts = {"Cause": np.array([0.25, 0.75]), **dict.fromkeys(names[1:], sign)}
    network = Network(DAG(names, [("Cause", name) for name in names[1:]]), states, cpts, name="star")
    found = bnfuse.consensus([network], max_clique=2)
    tab = served(modules_of(found))
    given = {name: ("yes", "no")[i % 2] for i, name in enumerate(names[1:])}
    (answer,) = tab.evaluate(ASK, [given])
    np.testing.assert_allclose(answer["chances"][0], [0.25, 0.75], rtol=0, atol=CLOSE)
    expected = 75 * (math.log(1e-7) + math.log1p(-1e-7))
    assert answer["log"] == pytest.approx(expected, rel=1e-12)
    assert answer["log"] < math.log(5e-324) * 1.5
    assert "probability 1.0·10^-525" in tab.locator("#evidence").inner_text().replace("\n", " ")


# What every input says


ASK_INPUT = STATE.join(
    [
        "async ([given, asked]) => {",
        """
    const evidence = await import("/evidence.js");
    const { data } = await import("/page-data.js");
    state(evidence, data, given);
    return data.inputs.map((_, i) => evidence.answerOfInput(i, data.variables.indexOf(asked)));
}""",
    ]
)


@needs_browser
@pytest.mark.long
def test_every_input_answers_as_it_does_in_python(served):
    found = result("clinics")
    tab = served(modules_of(found))
    chance = random.Random(2)
    for given in list(questions_to(found.network, seed=5))[:12]:
        asked = chance.choice(found.dag.variables)
        for network, answer in zip(found.inputs, tab.evaluate(ASK_INPUT, [given, asked]), strict=True):
            np.testing.assert_allclose(answer["chances"], network.query([asked], given), rtol=0, atol=CLOSE)


def shifted(network, name, order=None, **parts):
    """The network with its variables in another order, and other parts."""
    dag = DAG(order or network.variables, parts.get("edges", network.dag.edges))
    states = parts.get("states", network.states)
    cpts = {}
    for variable in dag.variables:
        before = network.dag.parents(variable)
        axes = [*(before.index(one) for one in dag.parents(variable)), len(before)]
        cpts[variable] = network.cpts[variable].transpose(axes)
    return Network(dag, states, cpts, name=name)


@needs_browser
@pytest.mark.long
def test_inputs_with_variables_and_states_of_their_own(served):
    first, second, third, *_ = read(*CLINICS)
    turned = shifted(second, "turned", order=tuple(reversed(second.variables)))
    # One that lacks the variables that nothing comes of, and one whose variables have more to them.
    leaf = next(v for v in third.variables if not third.dag.children(v))
    rest = [v for v in third.variables if v != leaf]
    fewer = Network(
        DAG(rest, [arc for arc in third.dag.edges if leaf not in arc]),
        {v: third.states[v] for v in rest},
        {v: third.cpts[v] for v in rest},
        name="fewer",
    )
    more_states = {**first.states, "Mood": ("low", "high")}
    more_cpts = {**first.cpts, "Mood": np.array([[0.2, 0.8], [0.6, 0.4]])}
    cause = next(v for v in first.variables if len(first.states[v]) == 2)
    more = Network(
        DAG([*first.variables, "Mood"], [*first.dag.edges, (cause, "Mood")]), more_states, more_cpts, name="more"
    )
    found = bnfuse.consensus([turned, fewer, more], variables="union", effort="quick")
    found = found.fit(more.sample(300, seed=1))
    tab = served(modules_of(found))
    given = {cause: more.states[cause][0]}
    answers = dict(zip(found.problem.names, tab.evaluate(ASK_INPUT, [given, leaf]), strict=True))
    assert answers["fewer"] == {"why": "lacks it"}
    np.testing.assert_allclose(answers["turned"]["chances"], turned.query([leaf], given), rtol=0, atol=CLOSE)
    np.testing.assert_allclose(answers["more"]["chances"], more.query([leaf], given), rtol=0, atol=CLOSE)
    (lacking, *_) = tab.evaluate(ASK_INPUT, [{"Mood": "low"}, leaf])
    assert lacking == {"why": "lacks Mood"}
    # Only the variables that all have: what an input has beyond them still counts.
    shared = bnfuse.consensus([turned, fewer, more], variables="shared", effort="quick").fit(fewer.sample(300, seed=1))
    answers = served(modules_of(shared)).evaluate(ASK_INPUT, [given, rest[-1]])
    for network, answer in zip((turned, fewer, more), answers, strict=True):
        np.testing.assert_allclose(answer["chances"], network.query([rest[-1]], given), rtol=0, atol=CLOSE)


@needs_browser
@pytest.mark.long
def test_states_in_another_order_and_other_states(served):
    names = ["A", "B"]
    dag = DAG(names, [("A", "B")])
    table = np.array([[0.2, 0.8], [0.7, 0.3]])
    plain = Network(dag, dict.fromkeys(names, ("no", "yes")), {"A": np.array([0.4, 0.6]), "B": table}, name="plain")
    turned = Network(dag, dict.fromkeys(names, ("yes", "no")), {"A": np.array([0.1, 0.9]), "B": table}, name="turned")
    other = Network(
        dag, {"A": ("yes", "no"), "B": ("some", "none")}, {"A": np.array([0.5, 0.5]), "B": table}, name="other"
    )
    found = bnfuse.consensus([plain, turned, other])
    found = replace(found, parameters=Fitted(plain.renamed("consensus")))
    tab = served(modules_of(found))
    answers = tab.evaluate(ASK_INPUT, [{"A": "yes"}, "B"])
    assert answers[0]["chances"] == pytest.approx([0.7, 0.3], abs=CLOSE)
    assert answers[1]["chances"] == pytest.approx([0.8, 0.2], abs=CLOSE)
    assert answers[2] == {"why": "has other states: some, none"}
    assert tab.evaluate(ASK_INPUT, [{"B": "yes"}, "A"])[2] == {"why": "has no B = yes"}


# Tables on the page


PACKABLE = {
    "short": np.array([0.5, 0.25, 0.25]),
    "long": np.random.default_rng(1).random(50),
    "of few": np.random.default_rng(2).choice(np.random.default_rng(3).random(9), 200),
    "of many": np.random.default_rng(4).choice(np.random.default_rng(5).random(300), 5_000),
    "whole": np.array([[0.0, 1.0], [1.0, 0.0]]),
    "tiny": np.array([5e-324, 1.0 - 2**-53, 1e-300, 0.1 + 0.2]),
}


@pytest.mark.parametrize("name", PACKABLE)
def test_a_packed_table_has_every_bit(name):
    table = PACKABLE[name]
    assert unpacked(packed(table)).tobytes() == table.ravel().tobytes()
    assert page_tables._characters(packed(table)) <= len(str(table.ravel().tolist()))


@needs_browser
def test_the_page_unpacks_every_bit(served):
    tab = served(modules_of(result("clinics")))
    found = tab.evaluate(
        'async all => { const tables = await import("/packed-numbers.js");'
        " return all.map(one => [...tables.unpacked(one)]); }",
        [asdict(one) if is_dataclass(one) else one for one in map(packed, PACKABLE.values())],
    )
    for own, table in zip(found, PACKABLE.values(), strict=True):
        assert np.array(own, float).tobytes() == table.ravel().tobytes()


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("bnfuse consensus a.bif b.bif -o out.bif --report r.html", "out.bif"),
        ("bnfuse consensus a.bif --output 'my nets/out.xdsl'", "my nets/out.xdsl"),
        ("bnfuse consensus a.bif --output=out.net --save r.json", "out.net"),
        ("bnfuse consensus a.bif -oout.bif", "out.bif"),
        ("bnfuse consensus a.bif -o out.txt --save r.json", "r.json"),
        ("bnfuse consensus a.bif -o - --save r.json.gz", "r.json.gz"),
        ("bnfuse consensus a.bif -o out.odd", None),
        ("bnfuse consensus a.bif --report r.html", None),
        ("bnfuse 'broken", None),
        ("", None),
    ],
)
def test_the_file_that_query_can_read(command, file):
    assert network_file(Origin((), command, "0", "")) == file
    assert network_file(None) is None
