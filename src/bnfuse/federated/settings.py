"""What a federation agreed on: a file that every site can read before it takes part."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from bnfuse._base import disk
from bnfuse._base.options import (
    LARGEST_SEED,
    check_options,
    choice,
    not_negative,
    option,
    option_name,
    positive,
    real_number,
    whole,
)
from bnfuse._base.spelling import unknown
from bnfuse.answer.question import usual_directions
from bnfuse.errors import BnfuseError, FileError, OptionError
from bnfuse.federated.vocabulary import Vocabulary
from bnfuse.inference.parameters import DEFAULT_PRIOR
from bnfuse.problem.constraints import DIRECTIONS
from bnfuse.problem.problem import DEFAULT_CLIQUE
from bnfuse.search.direct import EFFORTS

FILE = "federation.toml"
VOTES = ("site", "network")
TABLES = ("data", "networks", "none")
METRICS = ("smhd", "shd")
LEAST = 3
"""Of two sites, each could subtract its own from the sum."""


def _share(name: str, value: Any) -> float:
    number = real_number(value)
    if number is None or not 0 < number < 1:
        raise OptionError(f"{option_name(name)} must be a number between 0 and 1; got {value!r:.60}")
    return float(number)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise OptionError(f"{option_name(name)} must be a name; got {value!r:.60}")
    return value


def _truth(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise OptionError(f"{option_name(name)} must be true or false; got {value!r:.60}")
    return value


def _epsilon(name: str, value: Any) -> float:
    number = positive("nats")(name, value)
    if not 1e-3 <= number < math.inf:
        raise OptionError(f"{option_name(name)} must be at least 0.001; got {value!r}")
    return float(number)


@dataclass(frozen=True, slots=True)
class Settings:
    """The agreement, without the vocabulary."""

    name: str = option("federation", "What the federation is called.", _text)
    sites: int = option(LEAST, "How many sites are expected: the coordinator waits for them.", whole(LEAST, 9_999))
    least_sites: int = option(
        LEAST, "With fewer sites than this, and without more than half of them, nothing is unmasked.", whole(LEAST)
    )
    votes: str = option("site", "One vote for each site, or one for each network, up to most_votes.", choice(VOTES))
    most_votes: int = option(10, "With one vote per network: the most votes of a site.", whole(1, 99_999))
    metric: str = option("smhd", "The distance: smhd or shd, for which counts are enough.", choice(METRICS))
    directions: str = option(
        usual_directions("direct", "smhd"),
        "Which way arcs may run: majority (as at most of the sites that join the two), seen (as at one or more), any.",
        choice(DIRECTIONS),
    )
    max_clique: int = option(DEFAULT_CLIQUE, "The largest clique that the consensus may have.", whole(1))
    effort: str = option("normal", "How long the coordinator searches.", choice(EFFORTS))
    seed: int = option(0, "Of the search.", whole(0, LARGEST_SEED))
    frontier: bool = option(True, "Whether the coordinator also finds the best network for every limit.", _truth)
    tables: str = option(
        "data", "From counts of the sites' data, from the tables of their networks, or none.", choice(TABLES)
    )
    prior: float = option(DEFAULT_PRIOR, "Equivalent rows of a uniform prior on the tables.", not_negative("rows"))
    epsilon: float | None = option(
        None, "Differential privacy: the budget of one run. Without it, sums are exact.", _epsilon
    )
    tally_share: float = option(
        0.5, "With epsilon: the share of the budget for the tally; the tables get the rest.", _share
    )
    most_edges: int | None = option(
        None, "With epsilon: how many moral edges of a site count; the strongest are kept.", whole(1, 999_999)
    )
    wait: float = option(600.0, "Seconds that the coordinator waits for answers in each round.", positive("seconds"))

    def __post_init__(self) -> None:
        check_options(self)
        if self.least_sites > self.sites:
            raise OptionError(
                f"{option_name('least_sites')} is {self.least_sites}, but only {self.sites} sites are expected"
            )
        if self.epsilon is not None and self.votes != "site":
            raise OptionError("with epsilon each site has one vote: one vote per network would reveal how many it has")
        if self.epsilon is not None and self.most_edges is None:
            raise OptionError(
                f"epsilon needs {option_name('most_edges')}: the noise must hide all moral edges of a site, so their "
                "number needs a limit; twice the number of variables is a start"
            )

    @property
    def tally_epsilon(self) -> Fraction | None:
        """What the tally may cost."""
        if self.epsilon is None:
            return None
        whole_budget = Fraction(str(self.epsilon))
        return whole_budget if self.tables == "none" else whole_budget * Fraction(str(self.tally_share))

    @property
    def tables_epsilon(self) -> Fraction | None:
        """What the tables may cost."""
        if self.epsilon is None or self.tally_epsilon is None:
            return None
        return Fraction(str(self.epsilon)) - self.tally_epsilon


@dataclass(frozen=True)
class Agreement:
    """The settings and the vocabulary of a federation."""

    settings: Settings
    vocabulary: Vocabulary

    def __post_init__(self) -> None:
        without = [name for name, own in self.vocabulary.states.items() if not own]
        if self.settings.tables != "none" and without:
            raise OptionError(
                f"tables need the states of all variables, and those of {without[0]!r} are not known: "
                f"give them, or set {option_name('tables')} to none"
            )

    def to_json(self) -> str:
        """For a message or a store: the same text for the same agreement."""
        return json.dumps({"settings": asdict(self.settings), "vocabulary": self.vocabulary.states}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, where: object = "the coordinator's message") -> Agreement:
        """What `to_json` gave."""
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            raise FileError(where, "is not valid JSON") from None
        return cls._of(content.get("settings") if isinstance(content, dict) else None, content, where)

    @classmethod
    def read(cls, path: Path) -> Agreement:
        """From the file of a federation."""
        try:
            content = tomllib.loads(disk.read_bytes(path).decode("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise FileError(path, f"is not valid TOML: {error}") from None
        return cls._of(content.get("federation"), content, path)

    @classmethod
    def _of(cls, settings: Any, content: Any, where: object) -> Agreement:
        if not isinstance(settings, Mapping):
            raise FileError(where, "lacks the settings of a federation; bnfuse federated init writes them")
        known = {one.name for one in fields(Settings)}
        for name in settings:
            if name not in known:
                raise FileError(where, f"{unknown('setting', name, known)}; there are {', '.join(sorted(known))}")
        try:
            return cls(Settings(**settings), Vocabulary.of(content.get("vocabulary"), where))
        except FileError:
            raise
        except BnfuseError as error:
            raise FileError(where, str(error)) from None

    def to_toml(self) -> str:
        """The file: every setting with a line that explains it."""
        lines = [
            "# A federation of bnfuse: what all sites agreed on. Nothing in this file is secret; every site can read",
            "# it before it takes part, and each refuses what its owner does not allow. See docs/federated.md.",
            "",
            "[federation]",
        ]
        for one in fields(Settings):
            value = getattr(self.settings, one.name)
            lines += [f"# {one.metadata['help']}", f"{'# ' if value is None else ''}{one.name} = {_toml(value)}"]
        lines += ["", "# The variables and their states, for all sites the same.", "[vocabulary]"]
        lines += [f"{_toml(name)} = {_toml(list(own))}" for name, own in self.vocabulary.states.items()]
        return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A value as TOML writes it: like JSON, but for what JSON does not have."""
    text = "1.0" if value is None else json.dumps(value, ensure_ascii=False)
    return text.replace("\x7f", "\\u007f")
