"""`bnfuse effects`: how certain a panel is, and the effects on which its members disagree."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer

from bnfuse._base.texts import count, listed, shown_probability
from bnfuse.commands._console import AsJson, Cell, Files, examples, note, print_json, print_table, reporting, say
from bnfuse.commands._evidence import Known, say_known
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import files_of, read_given
from bnfuse.commands._numbers import tell_answers, tell_effects
from bnfuse.commands._parameters import NetworkFile, read_one
from bnfuse.errors import OptionError
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network
from bnfuse.inference.asking.panel import Effect, Effects, EffectsProgress, answers
from bnfuse.inference.asking.panel import effects as effects_of

EXAMPLES = examples(
    "bnfuse consensus examples/clinics/*.bif -o consensus.bif",
    "bnfuse effects consensus.bif examples/clinics/*.bif",
    "bnfuse effects consensus.bif examples/clinics/*.bif --of Smoker --json",
    "bnfuse effects consensus.bif examples/clinics/*.bif --query LungCancer \\\n      --do Smoker=never",
)

_SHOWN = 20
_VERDICTS = {"opposite": "opposite signs", "partly": "some see none", "agree": "agree"}


@grouped
def effects(
    file: NetworkFile,
    inputs: Files,
    of: Annotated[
        list[str] | None, typer.Option("--of", metavar="NAME", help="A cause. Repeatable.", show_default="all")
    ] = None,
    on: Annotated[
        list[str] | None, typer.Option("--on", metavar="NAME", help="A target. Repeatable.", show_default="all")
    ] = None,
    query: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Compare the answers of the consensus and of the inputs for this variable instead."
        ),
    ] = None,
    known: Known = Known(),  # noqa: B008 - never changed
    as_json: AsJson = False,
) -> None:
    """List the effects on which the inputs disagree.

    The first file is the consensus, the others are its inputs. The effect of a cause on a state is the change of its
    probability when the cause is set from one state to another: P(y | do x') - P(y | do x). For each cause and target
    it is shown for the states on which the inputs disagree most. These are effects in the world only if arcs are causes
    and no common cause is missing.

    The number of causes is limited to save time. Those left out are named; use --of for them.

    For Gaussian networks, the effect is the total effect: how much the mean of the target changes per unit of the
    cause.
    """
    consensus = read_one(file)
    networks = [one for one in read_given(files_of(inputs)) if isinstance(one, Network)]
    asked = known.of(consensus)
    if query is not None and (of or on):
        raise OptionError("--query asks for one variable; --of and --on are for the list of effects")
    if query is None and any(asked.values()):
        raise OptionError("--given, --belief and --do go with --query; the list of effects sets each cause in turn")
    if isinstance(consensus, GaussianNetwork):
        bare = [one.name for one in networks if not isinstance(one, GaussianNetwork)]
        numbers = {one.name: one for one in networks if isinstance(one, GaussianNetwork)}
        if query is not None:
            tell_answers(consensus, numbers, query, asked, as_json)
        else:
            tell_effects(consensus, numbers, of, on, as_json, _SHOWN)
        if bare:
            note(f"{listed(bare)} {'is' if len(bare) == 1 else 'are'} not Gaussian and took no part")
        return
    bare = [one.name for one in networks if one.cpts is None]
    if query is not None:
        _tell_answers(consensus, networks, query, asked, as_json)
    else:
        with _progress() as progress:
            found = effects_of(consensus, networks, of, on, progress)
        _tell_effects(found, as_json)
    if bare:
        note(f"{listed(bare)} {'has' if len(bare) == 1 else 'have'} no tables and took no part")


def _tell_answers(
    consensus: Network, networks: list[Network], variable: str, asked: dict[str, Any], as_json: bool
) -> None:
    found = answers(consensus, networks, variable, **asked)
    if as_json:
        print_json(
            "effects",
            {
                **asked,
                "variable": variable,
                "consensus": found.consensus.to_dict(),
                "inputs": {name: one.to_dict() for name, one in found.inputs.items()},
                "range": found.range,
                "without": found.without,
            },
        )
        return
    say_known(asked)
    labels = found.consensus.states[variable]
    rows: list[tuple[Cell, ...]] = [
        (name, *map(shown_probability, one.probabilities.tolist()))
        for name, one in (("consensus", found.consensus), *found.inputs.items())
    ]
    for word, place in (("lowest", 0), ("highest", 1)):
        rows.append((f"{word} input", *(shown_probability(found.range[label][place]) for label in labels)))
    print_table((variable, *labels), rows)
    for name, reason in found.without.items():
        if reason != "has no tables":
            note(f"{name} has no answer: {reason}")


def _tell_effects(found: Effects, as_json: bool) -> None:
    if as_json:
        print_json("effects", {"effects": [_facts(one) for one in found.rows], "left_out": found.left_out})
        return
    disputed = found.disputed
    opposite = sum(one.verdict == "opposite" for one in disputed)
    say(
        f"{count(len(found.rows), 'effect')}: the inputs agree on the sign of {len(found.rows) - len(disputed):,} and "
        f"see opposite signs for {opposite:,}; for {len(disputed) - opposite:,}, some inputs see no effect"
    )
    if disputed:
        say()
        headers = ("cause", "from", "to", "target", "state", "consensus", "lowest", "highest", "+/0/-", "inputs")
        print_table(headers, [_row(one) for one in disputed[:_SHOWN]])
        if len(disputed) > _SHOWN:
            say(f"and {len(disputed) - _SHOWN:,} more: --json prints them all, --of and --on choose")
    if found.left_out:
        causes = count(len(found.left_out), "cause")
        note(f"left out to limit the work: {causes} ({listed(found.left_out)}); --of NAME asks for one")


def _row(one: Effect) -> tuple[Cell, ...]:
    changes = (f"{value:+.4f}" for value in (one.consensus, one.low, one.high))
    signs = "/".join(map(str, one.signs))
    return (one.cause, one.before, one.after, one.target, one.state, *changes, signs, _VERDICTS[one.verdict])


def _facts(one: Effect) -> dict[str, Any]:
    return {**asdict(one), "low": one.low, "high": one.high, "verdict": one.verdict}


@contextlib.contextmanager
def _progress() -> Iterator[EffectsProgress]:
    """The number of causes that are finished."""
    if not sys.stderr.isatty():
        with reporting("setting each cause") as tell:
            yield lambda done, all_of_them: tell(f"{done:,} of {all_of_them:,}")
        return
    from rich.console import Console  # noqa: PLC0415 - keeps the start fast

    with Console(stderr=True).status("setting each cause ...") as status:
        yield lambda done, causes: status.update(f"setting each cause: {done:,} of {causes:,}")
