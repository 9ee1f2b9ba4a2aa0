"""`bnfuse explain`: the most probable states of variables, together."""

from __future__ import annotations

from typing import Annotated

import typer

from bnfuse._base.options import at_least
from bnfuse._base.texts import shown_probability
from bnfuse.commands._console import AsJson, examples, print_json, print_table, say
from bnfuse.commands._evidence import Known, say_known
from bnfuse.commands._grouped import grouped
from bnfuse.commands._parameters import NetworkFile, read_one
from bnfuse.inference.asking.explanations import MOST, Explanation

EXAMPLES = examples(
    "bnfuse explain examples/clinics/harbour.bif --given Cough=yes",
    "bnfuse explain examples/clinics/harbour.bif --given Cough=yes COPD Asthma",
    "bnfuse explain examples/clinics/harbour.bif --given Cough=yes --count 3",
    "bnfuse explain examples/clinics/harbour.bif --do Smoker=never --json",
)


@grouped
def explain(
    file: NetworkFile,
    variables: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="VARIABLE", help="The variables whose states are wanted.", show_default="all that are not known"
        ),
    ] = None,
    known: Known = Known(),  # noqa: B008 - never changed
    count: Annotated[
        int, typer.Option("--count", metavar="NUMBER", help=f"How many, the most probable first: 1 to {MOST}.")
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Find the most probable states, together.

    The answer is exact. By default, it has all variables (MPE). If you name some, the others are summed out (marginal
    MAP), which can need larger tables than a query does. A table over the limit is refused before anything is computed.
    The most probable states together need not be the most probable ones of each variable by itself.
    """
    network = read_one(file)
    asked = known.of(network)
    found = network.most_probable(of=variables or None, k=at_least("count", count, 1, MOST), **asked)
    if as_json:
        explanations = [
            {"states": one.states, "probability": one.probability, "log_probability": one.log_probability}
            for one in found
        ]
        print_json("explain", {**asked, "explanations": explanations})
        return
    say_known(asked)
    first, *others = found
    say(f"the most probable states together have probability {_chance(first)}:")
    if first.states:
        print_table(("variable", "state"), list(first.states.items()))
    if others:
        say()
        print_table(
            ("rank", "probability", "differs from the first in"),
            [(place, _chance(one), _differences(first, one)) for place, one in enumerate(others, 2)],
        )


def _chance(one: Explanation) -> str:
    return shown_probability(one.probability) if one.probability else f"exp({one.log_probability:.4g})"


def _differences(first: Explanation, other: Explanation) -> str:
    return ", ".join(f"{name} = {label}" for name, label in other.states.items() if first.states[name] != label)
