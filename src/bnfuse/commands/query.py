"""`bnfuse query`: probabilities in a network, given what is known."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Annotated

import typer

from bnfuse._base.texts import shown_probability
from bnfuse.commands._console import AsJson, Cell, examples, print_json, print_table, say
from bnfuse.commands._parameters import NetworkFile, read_one
from bnfuse.errors import OptionError
from bnfuse.fusion.table_sizes import TableLimits, table_numbers
from bnfuse.graphs.network import Network
from bnfuse.inference.queries import cost, marginals
from bnfuse.inference.queries import query as joint_of

EXAMPLES = examples(
    "bnfuse query examples/clinics/harbour.bif LungCancer",
    "bnfuse query examples/clinics/harbour.bif --given Smoker=current LungCancer",
    "bnfuse query examples/clinics/harbour.bif --joint COPD Cough  # together",
    "bnfuse query examples/clinics/harbour.bif --given Smoker=current --json",
)


def query(
    file: NetworkFile,
    variables: Annotated[
        list[str] | None,
        typer.Argument(metavar="VARIABLE", help="What to ask for.", show_default="all, each by itself"),
    ] = None,
    given: Annotated[list[str] | None, typer.Option(metavar="NAME=STATE", help="What is known. Repeatable.")] = None,
    joint: Annotated[bool, typer.Option("--joint", help="The variables together instead of each by itself.")] = False,
    max_table: Annotated[
        str, typer.Option(metavar="SIZE", help="The largest table that may be built: numbers (1e8) or bytes (1GB).")
    ] = str(TableLimits().table),
    as_json: AsJson = False,
) -> None:
    """Ask a network for probabilities, given evidence.

    Exact: what cannot matter is left out, the evidence is cut out of the tables, and the rest is multiplied and summed
    in the cheapest known order. A table over the limit is refused before anything is computed.
    """
    network = read_one(file)
    evidence = _evidence(network, given or ())
    limits = TableLimits(table=table_numbers("max_table", max_table))
    if joint:
        _print_joint(network, variables or (), evidence, limits, as_json)
        return
    found = marginals(network, variables or None, evidence, limits)
    assert network.states is not None
    states = network.states
    if as_json:
        answers = {name: dict(zip(states[name], table.tolist(), strict=True)) for name, table in found.items()}
        print_json({"given": evidence, "marginals": answers})
        return
    rows: list[tuple[Cell, ...]] = [
        ("" if place else name, label, shown_probability(value))
        for name, table in found.items()
        for place, (label, value) in enumerate(zip(states[name], table.tolist(), strict=True))
    ]
    _say_given(evidence)
    print_table(("variable", "state", "probability"), rows)


def _print_joint(
    network: Network, variables: Sequence[str], evidence: dict[str, str], limits: TableLimits, as_json: bool
) -> None:
    table = joint_of(network, variables, evidence, limits)
    assert network.states is not None
    labels = [network.states[name] for name in variables]
    rows = zip(itertools.product(*labels), table.ravel().tolist(), strict=True)
    if as_json:
        print_json(
            {
                "given": evidence,
                "variables": variables,
                "joint": [{"states": states, "probability": value} for states, value in rows],
                "largest_table_numbers": cost(network, variables, evidence).largest,
            }
        )
        return
    _say_given(evidence)
    print_table((*variables, "probability"), [(*states, shown_probability(value)) for states, value in rows])


def _evidence(network: Network, texts: Sequence[str]) -> dict[str, str]:
    """What `--given NAME=STATE` says; a name may hold an equals sign."""
    evidence: dict[str, str] = {}
    for text in texts:
        parts = text.split("=")
        splits = [("=".join(parts[:i]), "=".join(parts[i:])) for i in range(1, len(parts))]
        name, label = next((split for split in splits if split[0] in network.variables), (splits or [("", "")])[0])
        if not name or not label:
            raise OptionError(f"--given must be NAME=STATE, such as --given Smoker=yes; got {text!r}")
        if evidence.setdefault(name, label) != label:
            raise OptionError(f"--given says both {name}={evidence[name]} and {name}={label}")
    return evidence


def _say_given(evidence: dict[str, str]) -> None:
    if evidence:
        say(f"given {', '.join(f'{name} = {label}' for name, label in evidence.items())}:")
