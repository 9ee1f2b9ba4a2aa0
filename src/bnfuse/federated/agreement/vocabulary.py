"""The names that must mean the same at all sites: the variables and their states."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from bnfuse import files
from bnfuse._base import disk
from bnfuse._base.texts import listed
from bnfuse.errors import BnfuseError, FileError, MismatchError
from bnfuse.graphs.dag import DAG, lookalike
from bnfuse.graphs.network import Network, alike_labels


@dataclass(frozen=True)
class Vocabulary:
    """Variables in the order of all vectors, and the states of each; empty if they are not known."""

    states: Mapping[str, tuple[str, ...]]

    def __post_init__(self) -> None:
        DAG(self.states)  # checks the names
        known = {name: own for name, own in self.states.items() if own}
        if known:
            Network(DAG(known), known)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(self.states)

    @property
    def known(self) -> dict[str, tuple[str, ...]]:
        """The states of the variables for which they are known."""
        return {name: own for name, own in self.states.items() if own}

    @classmethod
    def of(cls, content: Any, where: object) -> Vocabulary:
        """From the variables and states in a file."""
        if not isinstance(content, Mapping) or not content:
            raise FileError(where, 'must give the states of each variable, such as {"Smoker": ["yes", "no"]}')
        for name, own in content.items():
            if not isinstance(own, list | tuple) or not all(isinstance(label, str) for label in own):
                raise FileError(where, f"the states of {name!r:.60} must be a list of labels; got {own!r:.60}")
        try:
            return cls({str(name): tuple(own) for name, own in content.items()})
        except BnfuseError as error:
            raise FileError(where, str(error)) from None

    @classmethod
    def read(cls, path: Path) -> Vocabulary:
        """From a file with a network, or from a JSON file that maps variables to lists of states."""
        if path.suffix.lower() == ".json":
            try:
                content = json.loads(disk.read_bytes(path))
            except (ValueError, RecursionError):
                raise FileError(path, "is not valid JSON") from None
            if isinstance(content, dict) and not {"variables", "kind"} & set(content):
                return cls.of(content, path)
        network = cast("Network", files.read_apart(path, only_networks=True)[0][0])
        known = network.states or {}
        return cls({name: tuple(known.get(name, ())) for name in network.variables})

    def check(self, network: Network) -> None:
        """Refuse a network with other names or states; the message is for its owner alone."""
        if problem := next(self._differences(network.variables, network.states or {}), None):
            raise MismatchError(f"network {network.name!r}: {problem}")

    def _differences(self, variables: Sequence[str], states: Mapping[str, Sequence[str]]) -> Iterator[str]:
        more = [name for name in variables if name not in self.states]
        if lacking := [name for name in self.states if name not in variables]:
            alike = lookalike(lacking[0], more)
            instead = "" if alike is None else f", though it has {alike!r}; bnfuse align proposes common names"
            yield f"lacks {listed(lacking)}, which the federation has{instead}"
        if more:
            yield f"has {listed(more)}, which the federation lacks"
        for name, wanted in self.known.items():
            own = states.get(name)
            if own is not None and frozenset(own) != frozenset(wanted):
                yield (
                    f"variable {name!r} has the states {listed(own)}, and {listed(wanted)} in the federation"
                    f"{alike_labels(wanted, own)}"
                )
