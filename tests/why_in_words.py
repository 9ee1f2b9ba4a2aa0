"""What a page says of why an arc is in the consensus, sentence by sentence: computed anew from the inputs."""

import math
import re

import pytest

import oracles
from page_numbers import solved_is_true

ALONE = " this network, without changing anything else, leaving it out would "
RIGHT, LEFT = " \u2192 ", " \u2190 "
FREE = (
    "Its direction is free: networks of the same Markov equivalence class, which imply the same independences, have it "
    "in either direction, possibly with other arcs reversed too."
)


def checked(case, arc, sentences):
    """Checks what is said of an arc, in order; gives the sentences on what reversing it would do.

    `case` has the graph `mine`, the mean distance `mean(graph)` and the weight of the inputs with an arc `weight(arc)`
    beside `total`, `is_counted` and the `options` of the consensus.
    """
    left = list(sentences)
    is_required = arc in case.options.get("required", ())
    assert (left[0] == "The constraints require it.") == is_required
    left = left[is_required:]
    if left[0].startswith("Leaving it out"):
        solved_is_true(case, arc, left.pop(0), "out")
    else:
        cost_is_true(case, arc, left.pop(0), is_required)
    direction_is_true(case.mine, arc, left.pop(0))
    forward, backward = case.weight(arc), case.weight(arc[::-1])
    if forward and forward >= backward:
        if left:
            solved_is_true(case, arc[::-1], left.pop(0), "turned")
        assert not left
        return []
    by = "" if case.is_counted else ", by weight,"
    against = f"It runs against {'most' if forward else 'all'}{by} of the {case.noun}s that join the two."
    assert left.pop(0) == (against if backward else f"No {case.noun} joins the two by an arc.")
    if is_required:
        assert not left
    elif left == ["The constraints forbid the other direction."]:
        tiers = {name: i for i, tier in enumerate(case.options.get("tiers", ())) for name in tier}
        is_back = set(arc) <= set(tiers) and tiers[arc[1]] > tiers[arc[0]]
        assert arc[::-1] in case.options.get("forbidden", ()) or is_back
        return []
    else:
        assert left
    return left


def cost_is_true(case, arc, sentence, is_required):
    without = case.mine.copy()
    without.remove_edge(*arc)
    cost = case.mean(without) - case.mean(case.mine)
    if abs(cost) < 1e-9:
        start = f"It ties: in{ALONE}not change the mean distance"
        forward = case.weight(arc)
        for_it = f"{case.noun}s are" if case.is_counted else "weight is"
        is_kept = forward > 0 and 2 * forward >= case.total
        assert sentence == start + (f", and at least half of the {for_it} for it in this direction." if is_kept else ".")
        return
    found = re.fullmatch(
        f"In{ALONE}"
        r"(?P<verb>raise|lower) the mean distance by (?P<size>[0-9.e-]+?)"
        r"(?:, as (?P<source>.+) would no longer share the child (?P<child>.+) with (?P<others>.+)"
        r"|(?P<missed>: this search did not find that))?\.",
        sentence,
    )
    assert found, sentence
    assert found["verb"] == ("raise" if cost > 0 else "lower")
    digits = 2 if abs(cost) >= 0.005 else -math.floor(math.log10(abs(cost)))
    assert float(found["size"]) == pytest.approx(abs(cost), abs=0.51 * 10**-digits)
    assert bool(found["missed"]) == (cost < 0 and not is_required)
    company_is_true(case, arc, without, cost, found)


def company_is_true(case, arc, without, cost, found):
    """Named is whom the source no longer shares the child with: where the arc itself is worth nothing."""
    if case.metric != "smhd":
        assert not found["others"]
        return
    lost = oracles.moral_edges(case.mine) - oracles.moral_edges(without)
    own = case.joined(arc) if frozenset(arc) in lost else 0
    assert bool(found["others"]) == (own <= 0 < cost)
    if found["others"]:
        assert (found["source"], found["child"]) == arc
        named = set(re.split(", | and ", found["others"]))
        assert named == {one for pair in lost - {frozenset(arc)} if case.joined(pair) > 0 for one in pair - {arc[0]}}


def direction_is_true(graph, arc, sentence):
    is_free = arc in oracles.reversible_arcs(graph)
    assert (sentence == FREE) == is_free, sentence
    if is_free:
        return
    rest = sentence.removeprefix("Its direction is fixed").removesuffix(".")
    if rest.startswith(" by the v-structure "):
        rest = rest.removeprefix(" by the v-structure ")
        first, _, rest = rest.partition(": ")
        assert is_v_structure(graph, first)
        if not rest:
            parent, other = first.split(LEFT)
            assert tuple(parent.split(RIGHT)) == arc or (other, arc[1]) == arc
            return
        new = re.fullmatch(r"if it were reversed, (.+) would be a new one", rest)[1]
        assert first != new
    elif cycle := re.fullmatch(r": if it were reversed, it would close a cycle with (.+), which are fixed", rest):
        source, between, target = cycle[1].split(RIGHT)
        assert (source, target) == arc
        fixed = set(graph.edges) - oracles.reversible_arcs(graph)
        assert {(source, between), (between, target)} <= fixed
        return
    elif fork := re.fullmatch(r": if it were reversed, there would be a cycle or the new v-structure (.+)", rest):
        one, middle, other = parts(fork[1])
        assert middle == arc[0]
        assert is_v_structure(graph, f"{one}{RIGHT}{arc[1]}{LEFT}{other}")
        assert not is_v_structure(graph, fork[1])
        return
    else:
        new = re.fullmatch(r": if it were reversed, (.+) would be a new v-structure", rest)[1]
    one, middle, other = parts(new)
    assert (middle, other) == arc
    assert not is_v_structure(graph, new)
    turned = graph.copy()
    turned.remove_edge(*arc)
    turned.add_edge(*arc[::-1])
    assert is_v_structure(turned, new)
    assert (one, middle) not in oracles.reversible_arcs(graph)


def parts(text):
    first, other = text.split(LEFT)
    return *first.split(RIGHT), other


def is_v_structure(graph, text):
    one, child, other = parts(text)
    is_joined = graph.has_edge(one, other) or graph.has_edge(other, one)
    return one != other and graph.has_edge(one, child) and graph.has_edge(other, child) and not is_joined
