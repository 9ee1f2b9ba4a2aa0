"""What the commands print about Gaussian networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bnfuse._base.texts import count
from bnfuse.commands._console import Cell, note, print_json, print_table, say
from bnfuse.commands._evidence import say_known
from bnfuse.errors import EvidenceError
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.normal import Normal, shown_interval, shown_value
from bnfuse.inference.gaussian.effects import LinearEffect, linear_effects

_HEADERS = ("variable", "mean", "sd", "95 % interval")


def tell_query(
    network: GaussianNetwork, variables: Sequence[str], asked: Mapping[str, Any], joint: bool, as_json: bool
) -> None:
    """The means, standard deviations and intervals of variables."""
    answer = network.query(variables, **asked)
    own = [answer[name] for name in answer.variables]
    if as_json:
        together = {"variables": answer.variables, "covariance": answer.covariance.tolist()} if joint else {}
        print_json("query", {**asked, "marginals": {one.variable: _facts(one) for one in own}, **together})
        return
    say_known(asked)
    between = [shown_value(number) for number in answer.correlation.ravel().tolist()] if joint else []
    rows = [(*_row(one.variable, one), *between[i :: len(own)]) for i, one in enumerate(own)]
    more = [f"correlation with {name}" for name in answer.variables] if joint else []
    print_table((*_HEADERS, *more), rows)


def tell_answers(
    consensus: GaussianNetwork,
    inputs: Mapping[str, GaussianNetwork],
    variable: str,
    asked: Mapping[str, Any],
    as_json: bool,
) -> None:
    """The answers of the consensus and of its inputs for a variable."""
    found, without = {"consensus": consensus.query(variable, **asked)}, dict[str, str]()
    for name, network in inputs.items():
        try:
            found[name] = network.query(variable, **asked)
        except EvidenceError as error:
            without[name] = str(error)
    if as_json:
        answers = {name: _facts(one) for name, one in found.items()}
        ours = answers.pop("consensus")
        print_json("effects", {**asked, "variable": variable, "consensus": ours, "inputs": answers, "without": without})
        return
    say_known(asked)
    print_table((variable, *_HEADERS[1:]), [_row(name, one) for name, one in found.items()])
    for name, reason in without.items():
        note(f"{name} has no answer: {reason}")


def tell_effects(
    consensus: GaussianNetwork,
    inputs: Mapping[str, GaussianNetwork],
    of: Sequence[str] | None,
    on: Sequence[str] | None,
    as_json: bool,
    most: int,
) -> None:
    """The total effects on which the inputs disagree."""
    found = linear_effects(consensus, inputs, of, on)
    if as_json:
        facts = [{**asdict(one), "low": one.low, "high": one.high, "verdict": one.verdict} for one in found]
        print_json("effects", {"effects": facts, "left_out": []})
        return
    disputed = [one for one in found if one.verdict != "agree"]
    opposite = sum(one.verdict == "opposite" for one in disputed)
    say(
        f"{count(len(found), 'effect')}: the inputs agree on the sign of {len(found) - len(disputed):,} and see "
        f"opposite signs for {opposite:,}; for {len(disputed) - opposite:,}, some inputs see no effect"
    )
    if disputed:
        say()
        headers = ("cause", "target", "consensus", "lowest", "highest", "+/0/-", "inputs")
        print_table(headers, [_effect(one) for one in disputed[:most]])
        if len(disputed) > most:
            say(f"and {len(disputed) - most:,} more: --json prints them all, --of and --on choose")


def _effect(one: LinearEffect) -> tuple[Cell, ...]:
    changes = (shown_value(value) for value in (one.consensus, one.low, one.high))
    verdict = "opposite signs" if one.verdict == "opposite" else "some see none"
    return (one.cause, one.target, *changes, "/".join(map(str, one.signs)), verdict)


def _facts(one: Normal) -> dict[str, Any]:
    return {"mean": one.mean, "sd": one.sd, "interval": one.interval()}


def _row(label: str, one: Normal) -> tuple[Cell, ...]:
    return (label, shown_value(one.mean), shown_value(one.sd), shown_interval(one))
