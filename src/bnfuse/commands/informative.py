"""`bnfuse informative`: the findings that would tell the most about a variable."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from bnfuse._base.texts import fine_percent
from bnfuse.commands._console import AsJson, examples, print_json, print_table, say
from bnfuse.commands._evidence import Known, say_known
from bnfuse.commands._grouped import grouped
from bnfuse.commands._parameters import NetworkFile, read_one

EXAMPLES = examples(
    "bnfuse informative examples/clinics/harbour.bif LungCancer",
    "bnfuse informative examples/clinics/harbour.bif LungCancer --given Cough=yes",
    "bnfuse informative examples/clinics/harbour.bif COPD --json",
)

_SHOWN = 20


@grouped
def informative(
    file: NetworkFile,
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="The variable to find out about.", show_default=False)
    ],
    known: Known = Known(),  # noqa: B008 - never changed
    as_json: AsJson = False,
) -> None:
    """Rank which variables to find out about next.

    Each variable whose state is not known is listed with its mutual information with the target, in bits: the expected
    decrease in the target's entropy when the state becomes known. The last column shows it as a share of the entropy.
    """
    network = read_one(file)
    asked = known.of(network)
    found = network.informative(target, **asked)
    if as_json:
        print_json("informative", {**asked, "target": target, "informative": [asdict(one) for one in found]})
        return
    say_known(asked)
    entropy = found[0].mutual_information + found[0].expected_entropy if found else 0.0
    if not found:
        say(f"every other variable is known: there is nothing to find out about {target}")
        return
    say(f"the entropy of {target} is {entropy:.4f} bits; knowing a variable is expected to reduce it by:")
    rows = [(one.variable, f"{one.mutual_information:.4f}", fine_percent(one.reduction)) for one in found[:_SHOWN]]
    print_table(("variable", "bits", "of the entropy"), rows)
    if len(found) > _SHOWN:
        say(f"and {len(found) - _SHOWN:,} more, which tell less: --json prints them all")
