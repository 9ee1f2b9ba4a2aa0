r"""Findings, beliefs and interventions as a user types them: --given, --belief and --do.

After NAME= comes a state, several states separated by commas, or states with numbers: STATE:NUMBER,STATE:NUMBER. A text
that is a state as a whole is that state, whatever characters it contains. Among several, a comma or colon that belongs
to a state is typed as \, or \:, and a backslash before one of these as \\.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from bnfuse.commands._console import say
from bnfuse.errors import OptionError
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network
from bnfuse.graphs.normal import shown_value
from bnfuse.inference.evidence import shown_finding

Given = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=STATE",
        help="A finding: a state, several (Stage=III,IV: one of them), or likelihoods (Stage=III:0.7,IV:0.2; the "
        "others 0); in a Gaussian network, a number. Repeatable.",
    ),
]
Belief = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=STATE:NUMBER,...",
        help="The distribution that a variable is to have (Jeffrey's rule), which sums to 1. Repeatable.",
    ),
]
Do = Annotated[
    list[str] | None,
    typer.Option("--do", metavar="NAME=STATE", help="An intervention: a state that is set from outside. Repeatable."),
]

_COMMA = re.compile(r"((?:[^\\,]|\\.?)*)(?:,|$)")
_LAST_COLON = re.compile(r"((?:[^\\]|\\.)*?):([^:]*)")
_ESCAPED = re.compile(r"\\([\\,:])")


@dataclass(frozen=True, slots=True)
class Known:
    """The findings, beliefs and interventions of a question."""

    given: Given = None
    belief: Belief = None
    do: Do = None

    def of(self, network: Network) -> dict[str, Any]:
        """The arguments of `Network.query` and the like."""
        if isinstance(network, GaussianNetwork):
            return self._numbers(network)
        found: dict[str, Any] = {"given": findings("--given", network, self.given or ())}
        if self.belief:
            found["beliefs"] = beliefs_of(network, self.belief)
        if self.do:
            found["do"] = states_of("--do", network, self.do)
        return found

    def _numbers(self, network: GaussianNetwork) -> dict[str, Any]:
        """The arguments of `GaussianNetwork.query`."""
        if self.belief:
            raise OptionError("--belief is for networks with states; for a Gaussian network, use --given NAME=NUMBER")
        found: dict[str, Any] = {"given": numbers_of("--given", network, self.given or ())}
        if self.do:
            found["do"] = numbers_of("--do", network, self.do)
        return found


def numbers_of(option: str, network: Network, texts: Sequence[str]) -> dict[str, float]:
    """A parsed NAME=NUMBER."""
    found: dict[str, float] = {}
    for name, text in states_of(option, network, texts).items():
        try:
            found[name] = float(text)
        except ValueError:
            raise OptionError(f"{option} {name}={text}: a Gaussian network takes numbers, not {text!r}") from None
    return found


def findings(option: str, network: Network, texts: Sequence[str]) -> dict[str, Any]:
    """A parsed `--given`."""
    found: dict[str, Any] = {}
    for text in texts:
        name, rest = split(option, network, text)
        finding = _finding(option, network, name, rest)
        if found.setdefault(name, finding) != finding:
            said = f"{name}={shown_finding(found[name])} and {name}={shown_finding(finding)}"
            raise OptionError(f"{option} says both {said}")
    return found


def beliefs_of(network: Network, texts: Sequence[str]) -> dict[str, dict[str, float]]:
    """A parsed `--belief`."""
    found = findings("--belief", network, texts)
    for name, belief in found.items():
        if not isinstance(belief, Mapping):
            raise OptionError(
                "--belief must be NAME=STATE:NUMBER,STATE:NUMBER, such as --belief Smoker=yes:0.4,no:0.6; got "
                f"{name}={shown_finding(belief)}"
            )
    return found


def states_of(option: str, network: Network, texts: Sequence[str]) -> dict[str, str]:
    """A parsed NAME=STATE, where only one state is allowed."""
    found: dict[str, str] = {}
    for text in texts:
        name, label = split(option, network, text)
        if found.setdefault(name, label) != label:
            raise OptionError(f"{option} says both {name}={found[name]} and {name}={label}")
    return found


def split(option: str, network: Network, text: str) -> tuple[str, str]:
    """NAME=REST; a name may hold an equals sign."""
    parts = text.split("=")
    splits = [("=".join(parts[:i]), "=".join(parts[i:])) for i in range(1, len(parts))]
    name, rest = next((one for one in splits if one[0] in network.variables), (splits or [("", "")])[0])
    if not name or not rest:
        raise OptionError(f"{option} must be NAME=STATE, such as Smoker=yes; got {text!r}")
    return name, rest


def _finding(option: str, network: Network, name: str, rest: str) -> Any:
    labels = (network.states or {}).get(name, ())
    if rest in labels:
        return rest
    parts = [match[1] for match in _COMMA.finditer(rest) if match.start() < len(rest)]
    if rest.endswith(",") and not rest.endswith("\\,"):
        parts.append("")
    if not all(parts):
        raise OptionError(f"{option} {name}={rest} has a comma too many; a comma in a state's name is typed as \\,")
    plain = [_ESCAPED.sub(r"\1", part) for part in parts]
    numbered = [
        None if label in labels else _LAST_COLON.fullmatch(part) for part, label in zip(parts, plain, strict=True)
    ]
    if not any(numbered):
        return plain[0] if len(plain) == 1 else plain
    found: dict[str, float] = {}
    for part, match in zip(parts, numbered, strict=True):
        if match is None:
            raise OptionError(f"{option} {name}={rest} has numbers for some states only: {part} has none")
        label = _ESCAPED.sub(r"\1", match[1])
        if label in found:
            raise OptionError(f"{option} {name}={rest} names the state {label} twice")
        try:
            found[label] = float(match[2])
        except ValueError:
            raise OptionError(
                f"{option} {name}={rest}: {match[2]!r} is not a number; a colon in a state's name is typed as \\:"
            ) from None
    return found


def say_known(known: Mapping[str, Any]) -> None:
    """A line above the answer."""
    parts = []
    for word, sign, said in (
        ("given", "=", known.get("given")),
        ("believing", "~", known.get("beliefs")),
        ("setting", "=", known.get("do")),
    ):
        if said:
            parts.append(f"{word} {', '.join(f'{name} {sign} {_shown(one)}' for name, one in said.items())}")
    if parts:
        say(f"{'; '.join(parts)}:")


def _shown(finding: Any) -> str:
    return shown_value(finding) if isinstance(finding, float) else shown_finding(finding)
