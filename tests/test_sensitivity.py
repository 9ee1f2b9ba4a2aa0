"""How a probability depends on single entries of tables: exactly what changing the entry gives."""

import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import joint_tables
from bnfuse import DAG, BnfuseError, EvidenceError, FileError, Network, TooLargeError, networks
from bnfuse.fusion.table_sizes import TableLimits
from bnfuse.inference.asking.sensitivity import sensitivity
from bnfuse.report.tornado import svg

KNOWN = ("asia", "child", "alarm")
needs_networks = pytest.mark.skipif(not networks.available(KNOWN), reason="the benchmark networks are not here")


def changed(network, variable, cell, value):
    """The network with another entry in a table, the rest of its row in proportion; evenly where the rest is 0."""
    table = network.cpts[variable].copy()
    others = np.delete(table[cell[:-1]], cell[-1])
    rest = others / others.sum() if others.sum() > 0 else np.full(len(others), 1 / len(others))
    table[cell[:-1]] = np.insert(rest * (1 - value), cell[-1], value)
    return Network(network.dag, network.states, {**network.cpts, variable: table})


def cell_of(network, one):
    parents = tuple(network.states[name].index(one.given[name]) for name in network.dag.parents(one.variable))
    return (*parents, network.states[one.variable].index(one.state))


@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 300), marks=pytest.mark.long)])
def test_the_function_of_an_entry_is_what_changing_the_entry_gives(seeds):
    """Also of entries that are 0 or 1; and no entry that is not among the answers changes anything."""
    compared = 0
    for seed in seeds:
        network = joint_tables.random_network(seed, 6)
        random = np.random.default_rng(seed + 9000)
        found = joint_tables.random_findings(network, random, 2)
        target = str(random.choice(network.variables))
        state = str(random.choice(network.states[target]))
        place = network.states[target].index(state)
        whole = joint_tables.weighed(network, joint_tables.joint(network), found)
        even = np.ones_like(whole)
        hard = [
            name
            for name, one in found.items()
            if (joint_tables.marginal(network, joint_tables.weighed(network, even, {name: one}), [name]) == 1).any()
        ]
        if whole.sum() == 0 or target in hard or len(network.states[target]) == 1:
            with pytest.raises(EvidenceError):
                network.sensitivity(target, state, found)
            continue
        answer = network.sensitivity(target, state, found, most=10**6)
        chance = joint_tables.marginal(network, whole, [target])[place]
        assert answer.probability == pytest.approx(chance, abs=1e-12)
        told = set()
        for one in answer.influences:
            cell = cell_of(network, one)
            told.add((one.variable, cell))
            assert one.value == network.cpts[one.variable][cell]
            assert one.at(one.value) == pytest.approx(chance, abs=1e-9)
            assert one.low == pytest.approx(one.at(0.9 * one.value), abs=1e-12)
            for value in random.choice([0.0, 0.2, 0.5, 0.9, 1.0], 2).tolist():
                other = changed(network, one.variable, cell, value)
                table = joint_tables.weighed(other, joint_tables.joint(other), found)
                if table.sum() > 1e-14:
                    expected = joint_tables.marginal(other, table, [target])[place]
                    assert one.at(value) == pytest.approx(expected, abs=1e-9)
                    compared += 1
        for variable in network.variables:
            for cell in np.ndindex(network.cpts[variable].shape):
                if (variable, cell) not in told and network.cpts[variable].shape[-1] > 1 and random.random() < 0.2:
                    other = changed(network, variable, cell, 0.37)
                    table = joint_tables.weighed(other, joint_tables.joint(other), found)
                    if table.sum() > 1e-14:
                        assert joint_tables.marginal(other, table, [target])[place] == pytest.approx(chance, abs=1e-12)
    assert compared > 15 * len(seeds)


@needs_networks
@pytest.mark.parametrize("name", KNOWN)
def test_the_most_influential_entries_are_those_that_change_the_answer_most(name):
    network = networks.load(name)
    target = network.variables[-1]
    state = network.states[target][0]
    evidence = {network.variables[0]: network.states[network.variables[0]][0]}
    answer = network.sensitivity(target, state, evidence)
    widths = [abs(one.high - one.low) for one in answer.influences]
    assert widths == sorted(widths, reverse=True)
    everything = network.sensitivity(target, state, evidence, most=10**6).influences
    assert everything[: len(answer.influences)] == answer.influences
    for one in answer.influences[:5]:
        value = min(1.1 * one.value, 1.0)
        other = changed(network, one.variable, cell_of(network, one), value)
        assert other.query(target, evidence)[state] == pytest.approx(one.high, abs=1e-9)
        step = 1e-6
        slope = (one.at(min(one.value + step, 1.0)) - one.at(max(one.value - step, 0.0))) / (
            min(one.value + step, 1.0) - max(one.value - step, 0.0)
        )
        assert one.derivative == pytest.approx(slope, rel=1e-3, abs=1e-6)


def test_evidence_too_improbable_to_be_a_number_has_its_functions():
    """Sixty findings of probability 1e-12 or 2e-12 each: their product is far below the smallest number."""
    names = ["C", *(f"F{i}" for i in range(60))]
    tables = {name: [[1e-12, 1 - 1e-12], [2e-12, 1 - 2e-12]] for name in names[1:]}
    tables |= {"C": [1 - 1e-17, 1e-17]}
    network = Network(DAG(names, [("C", name) for name in names[1:]]), dict.fromkeys(names, ("a", "b")), tables)
    found = network.sensitivity("C", "a", dict.fromkeys(names[1:], "a"), most=500)
    ratio = (1 - 1e-17) / (1e-17 * 2.0**60)
    assert found.probability == pytest.approx(ratio / (1 + ratio), rel=1e-9)
    own = next(one for one in found.influences if one.variable == "C" and one.state == "a")
    assert own.at(0.5) == pytest.approx(1 / (1 + 2.0**60), rel=1e-6)
    assert all(math.isfinite(one.derivative) for one in found.influences)


@pytest.fixture
def coin():
    return Network(
        DAG.from_edges([("Coin", "Report")]),
        {"Coin": ("heads", "tails"), "Report": ("heads", "tails")},
        {"Coin": [0.5, 0.5], "Report": [[0.9, 0.1], [0.2, 0.8]]},
    )


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"state": "edge"}, "'Coin' has no state 'edge'"),
        ({"target": "Con"}, "has no variable 'Con'"),
        ({"given": {"Coin": "heads"}}, "'Coin' is known: its probability does not depend on any table"),
        ({"do": {"Coin": "heads"}}, "'Coin' is known"),
        ({"most": 0}, "most must be a whole number of at least 1"),
        ({"spread": 0}, "spread must be a number above 0 and at most 1"),
        ({"spread": math.nan}, "spread must be a number above 0"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(coin, asked, message):
    with pytest.raises(BnfuseError, match=message):
        coin.sensitivity(**{"target": "Coin", "state": "heads", **asked})


def test_an_entry_is_a_probability(coin):
    one = coin.sensitivity("Coin", "heads", {"Report": "heads"}).influences[0]
    for value in (-0.1, 1.1, math.nan, "much"):
        with pytest.raises(BnfuseError, match="must be a number from 0 to 1"):
            one.at(value)


def test_a_tree_over_the_limits_is_refused(coin):
    with pytest.raises(TooLargeError):
        sensitivity(coin, "Coin", "heads", limits=TableLimits(table=1))
    assert sensitivity(coin, "Coin", "heads", limits=TableLimits(total=8 * 3 * 4)).probability == pytest.approx(0.5)
    with pytest.raises(TooLargeError):
        sensitivity(coin, "Coin", "heads", {"Report": {"heads": 1, "tails": 0.5}}, TableLimits(total=8 * 4))


def test_the_tornado_plot_has_a_bar_for_each_entry(coin, tmp_path):
    found = coin.sensitivity("Coin", "heads", {"Report": "heads"})
    picture = ET.fromstring(svg(found))
    bars = [one for one in picture.iter("{http://www.w3.org/2000/svg}rect") if one.get("fill", "").startswith("#")][1:]
    assert len(bars) == 2 * len(found.influences)
    width = float(picture.get("width"))
    assert all(0 <= float(bar.get("x")) <= float(bar.get("x")) + float(bar.get("width")) <= width for bar in bars)
    text = svg(found)
    assert "P(Report = heads | Coin = tails) = 0.2000" in text
    assert "P(Coin = heads) = 0.8182" in text
    assert svg(found) == text
    found.draw(tmp_path / "tornado.svg")
    assert (tmp_path / "tornado.svg").read_text().endswith("</svg>\n")
    with pytest.raises(FileError, match=r"a file that ends in .svg"):
        found.draw(tmp_path / "tornado.png")


def test_names_in_a_plot_are_text_and_not_markup(tmp_path):
    odd = "<b>&" * 40
    network = Network(DAG([odd]), {odd: ("a<", "b>")}, {odd: [0.5, 0.5]})
    picture = ET.fromstring(svg(network.sensitivity(odd, "a<")))
    assert any("…" in (one.text or "") for one in picture.iter("{http://www.w3.org/2000/svg}text"))
