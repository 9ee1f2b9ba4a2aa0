"""`bnfuse query`: probabilities in a network, given evidence."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from bnfuse._base.texts import shown_probability
from bnfuse.commands._console import AsJson, Cell, examples, print_json, print_table
from bnfuse.commands._evidence import Known, say_known
from bnfuse.commands._grouped import grouped
from bnfuse.commands._numbers import tell_query
from bnfuse.commands._parameters import NetworkFile, read_one
from bnfuse.fusion.table_sizes import TableLimits, table_numbers
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network
from bnfuse.inference.queries import cost, marginals
from bnfuse.inference.queries import query as joint_of

EXAMPLES = examples(
    "bnfuse query examples/clinics/harbour.bif LungCancer",
    "bnfuse query examples/clinics/harbour.bif --given Smoker=current LungCancer",
    "bnfuse query examples/clinics/harbour.bif --joint COPD Cough  # together",
    "bnfuse query examples/clinics/harbour.bif --given Smoker=current --json",
    "bnfuse query examples/clinics/harbour.bif --given Smoker=current,former COPD",
    "bnfuse query examples/clinics/harbour.bif --given Cough=yes:0.9,no:0.3 COPD",
    "bnfuse query examples/clinics/harbour.bif --belief Cough=yes:0.5,no:0.5 COPD",
    "bnfuse query examples/clinics/harbour.bif --do Smoker=never LungCancer",
    "bnfuse query examples/wards/north.json --given Age=70 --do Dose=20 Pressure",
)


@grouped
def query(
    file: NetworkFile,
    variables: Annotated[
        list[str] | None,
        typer.Argument(metavar="VARIABLE", help="What to ask for.", show_default="all, each by itself"),
    ] = None,
    known: Known = Known(),  # noqa: B008 - never changed
    joint: Annotated[
        bool, typer.Option("--joint", help="Ask about the variables together, not each by itself.")
    ] = False,
    max_table: Annotated[
        str, typer.Option(metavar="SIZE", help="The largest table that may be built: numbers (1e8) or bytes (1GB).")
    ] = str(TableLimits().table),
    as_json: AsJson = False,
) -> None:
    r"""Ask a network for probabilities, given evidence.

    The answer is exact: irrelevant variables are left out, evidence reduces the tables, and the remaining tables are
    multiplied and summed in the cheapest known order. A table over the limit is refused before anything is computed.

    If the whole text after NAME= is the name of a state, it means that state. Among several states, a comma or colon
    that belongs to a name is typed as \, or \:.

    A Gaussian network gives the mean, the standard deviation and the central 95 % interval of each variable, and with
    --joint the correlations.
    """
    network = read_one(file)
    asked = known.of(network)
    if isinstance(network, GaussianNetwork):
        tell_query(network, variables or network.variables, asked, joint, as_json)
        return
    limits = TableLimits(table=table_numbers("max_table", max_table))
    if joint:
        _print_joint(network, variables or (), asked, limits, as_json)
        return
    found = marginals(network, variables or None, limits=limits, **asked)
    assert network.states is not None
    states = network.states
    if as_json:
        answers = {name: dict(zip(states[name], table.tolist(), strict=True)) for name, table in found.items()}
        print_json("query", {**asked, "marginals": answers})
        return
    rows: list[tuple[Cell, ...]] = [
        ("" if place else name, label, shown_probability(value))
        for name, table in found.items()
        for place, (label, value) in enumerate(zip(states[name], table.tolist(), strict=True))
    ]
    say_known(asked)
    print_table(("variable", "state", "probability"), rows)


def _print_joint(
    network: Network, variables: Sequence[str], asked: Mapping[str, Any], limits: TableLimits, as_json: bool
) -> None:
    table = joint_of(network, variables, limits=limits, **asked)
    assert network.states is not None
    labels = [network.states[name] for name in variables]
    rows = zip(itertools.product(*labels), table.ravel().tolist(), strict=True)
    if as_json:
        print_json(
            "query",
            {
                **asked,
                "variables": variables,
                "joint": [{"states": states, "probability": value} for states, value in rows],
                "largest_table_numbers": cost(network, variables, asked["given"], do=asked.get("do")).largest,
            },
        )
        return
    say_known(asked)
    print_table((*variables, "probability"), [(*states, shown_probability(value)) for states, value in rows])
