"""The agreement of a federation: a file that every site can read before it takes part."""

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
from bnfuse.federated.agreement.roster import Roster, fingerprint
from bnfuse.federated.agreement.vocabulary import Vocabulary
from bnfuse.federated.protocol.hashing import digest
from bnfuse.federated.protocol.transcript import honest_sites, needed_sites
from bnfuse.inference.parameters import DEFAULT_PRIOR
from bnfuse.problem.constraints import DIRECTIONS
from bnfuse.problem.problem import DEFAULT_CLIQUE
from bnfuse.search.direct import EFFORTS

FILE = "federation.toml"
RESULT = "result"
"""The folder of the results, in that of the federation."""
VOTES = ("site", "network", "rows")
TABLES = ("data", "networks", "none")
STRUCTURES = ("votes", "counts")
METRICS = ("smhd", "shd")
TALLY, FAMILIES, TABLED = "tally", "families", "tables"
"""the sums of a federation"""
MOST_SCALE = 10_000
"""the largest scale of noise: with more, sums are useless, and drawing it would take hours"""


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

    name: str = option("federation", "The name of the federation.", _text)
    votes: str | None = option(
        None,
        "One vote for each site, for each network (up to most_votes) or for each row (up to most_rows). Default: rows "
        "if all sites have data (tables = data, no epsilon), else site.",
        choice(VOTES),
    )
    most_votes: int = option(10, "With one vote per network: the largest number of votes of a site.", whole(1, 99_999))
    most_rows: int = option(
        10_000,
        "The largest number of rows of a site that count, in votes and tables; if it has more, a sample counts.",
        whole(1, 9_999_999),
    )
    structure: str = option(
        "votes",
        "Find the consensus of the votes; or learn the structure from counts of families, which the votes select.",
        choice(STRUCTURES),
    )
    metric: str = option("smhd", "The distance: smhd or shd, for which counts are enough.", choice(METRICS))
    directions: str = option(
        usual_directions("direct", "smhd"),
        "The directions that arcs may have: majority (as at most of the sites that join the two), seen (as at "
        "one or more), any.",
        choice(DIRECTIONS),
    )
    max_clique: int = option(DEFAULT_CLIQUE, "The largest clique that the consensus may have.", whole(1))
    effort: str = option("normal", "How long the coordinator searches.", choice(EFFORTS))
    seed: int = option(0, "The seed of the search.", whole(0, LARGEST_SEED))
    frontier: bool = option(True, "Whether the coordinator also finds the best network for every limit.", _truth)
    tables: str = option(
        "data",
        "The source of the tables: counts of the sites' data (data), the tables of their networks (networks), or none.",
        choice(TABLES),
    )
    prior: float = option(DEFAULT_PRIOR, "Equivalent rows of a uniform prior on the tables.", not_negative("rows"))
    epsilon: float | None = option(
        None, "Differential privacy: the budget of all sums together. Without it, sums are exact.", _epsilon
    )
    tally_share: float = option(
        0.5, "With epsilon: the share of the budget for the tally; the tables get the rest.", _share
    )
    most_edges: int | None = option(
        None, "With epsilon: how many moral edges of a site count at most; the strongest are kept.", whole(1, 999_999)
    )
    wait: float = option(600.0, "Seconds that the coordinator waits for answers in each round.", positive("seconds"))

    def __post_init__(self) -> None:
        check_options(self)
        if self.votes is None:
            by_rows = self.tables == "data" and self.epsilon is None
            object.__setattr__(self, "votes", "rows" if by_rows else "site")
        if self.structure == "counts" and (self.tables != "data" or self.epsilon is not None):
            raise OptionError(
                f"{option_name('structure')} counts needs sites with data and sums without noise: set "
                f"{option_name('tables')} to data, and leave epsilon out"
            )
        if self.epsilon is not None and self.votes != "site":
            raise OptionError(
                f"with epsilon each site has one vote: set {option_name('votes')} to site, as votes by network or by "
                "row would reveal how many it has"
            )
        if self.epsilon is not None and self.most_edges is None:
            raise OptionError(
                f"epsilon needs {option_name('most_edges')}: the noise must hide all moral edges of a site, so their "
                "number needs a limit; twice the number of variables is a start"
            )

    @property
    def needs_data(self) -> bool:
        """Whether a site without rows cannot take part."""
        return self.tables == "data" or self.votes == "rows"

    @property
    def sums(self) -> tuple[str, ...]:
        """The sums, in this order; nothing else is ever added up."""
        has_last = self.tables != "none" or self.epsilon is None  # otherwise there is nothing left to count
        return (TALLY, *((FAMILIES,) if self.structure == "counts" else ()), *((TABLED,) if has_last else ()))

    @property
    def tally_epsilon(self) -> Fraction | None:
        """The epsilon of the tally."""
        if self.epsilon is None:
            return None
        whole_budget = Fraction(str(self.epsilon))
        return whole_budget if self.tables == "none" else whole_budget * Fraction(str(self.tally_share))

    @property
    def tables_epsilon(self) -> Fraction | None:
        """The epsilon of the tables."""
        if self.epsilon is None or self.tally_epsilon is None:
            return None
        return Fraction(str(self.epsilon)) - self.tally_epsilon


@dataclass(frozen=True)
class Agreement:
    """The settings, the vocabulary and the roster of a federation."""

    settings: Settings
    vocabulary: Vocabulary
    roster: Roster

    def __post_init__(self) -> None:
        without = [name for name, own in self.vocabulary.states.items() if not own]
        if self.settings.tables != "none" and without:
            raise OptionError(
                f"tables need the states of all variables, and those of {without[0]!r} are not known: "
                f"give them, or set {option_name('tables')} to none"
            )

    @property
    def sites(self) -> int:
        """The number of sites in the roster."""
        return len(self.roster.keys)

    @property
    def needed(self) -> int:
        """The number of sites that every sum needs."""
        return needed_sites(self.sites)

    @property
    def honest(self) -> int:
        """The number of honest sites in every sum: their noise alone is enough."""
        return honest_sites(self.sites)

    @property
    def hash(self) -> bytes:
        """The hash to which everything in the protocol is bound."""
        return digest("agreement", self.to_json())

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the hash, for people to compare."""
        return fingerprint(self.hash)

    def to_json(self) -> str:
        """The agreement for a store: the same text for the same agreement."""
        content = {
            "settings": asdict(self.settings),
            "vocabulary": list(self.vocabulary.states.items()),  # their order is part of it
            "roster": self.roster.to_hex(),
        }
        return json.dumps(content, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, where: object) -> Agreement:
        """An agreement from the result of `to_json`."""
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            raise FileError(where, "is not valid JSON") from None
        if not isinstance(content, dict):
            raise FileError(where, "is not an agreement")
        if isinstance(words := content.get("vocabulary"), list) and all(isinstance(one, list) for one in words):
            content["vocabulary"] = dict(words)
        return cls._of(content.get("settings"), content, where)

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
            checked, vocabulary = Settings(**settings), Vocabulary.of(content.get("vocabulary"), where)
            return cls(checked, vocabulary, Roster.of(content.get("roster"), where))
        except FileError:
            raise
        except BnfuseError as error:
            raise FileError(where, str(error)) from None

    def to_toml(self) -> str:
        """The file: every setting with a line that explains it."""
        lines = [
            "# A federation of bnfuse: what all sites agreed on. Nothing in it is secret. Each owner reads it, and",
            "# the site keeps a copy: it refuses whatever does not follow from that copy. See docs/federated.md.",
            "",
            "[federation]",
        ]
        for one in fields(Settings):
            value = getattr(self.settings, one.name)
            shown = _EXAMPLES[one.name] if value is None else value
            lines += [f"# {one.metadata['help']}", f"{'# ' if value is None else ''}{one.name} = {_toml(shown)}"]
        lines += ["", "# The variables and their states, for all sites the same.", "[vocabulary]"]
        lines += [f"{_toml(name)} = {_toml(list(own))}" for name, own in self.vocabulary.states.items()]
        lines += ["", "# The sites and their identity keys: compare their fingerprints with the owners.", "[roster]"]
        lines += [f"{_toml(name)} = {_toml(key)}" for name, key in self.roster.to_hex().items()]
        return "\n".join(lines) + "\n"


_EXAMPLES: Mapping[str, Any] = {"epsilon": 1.0, "most_edges": 100}
"""the value in the line of a setting without a value, if it is uncommented"""


def _toml(value: Any) -> str:
    """A value in TOML: like JSON, except for values that JSON lacks."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
