"""A consensus compared with others: the inputs that have its arcs, and other networks in the place of the consensus."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from bnfuse.fusion.cliques import CliqueSize


@dataclass(frozen=True, slots=True)
class ArcSupport:
    """The inputs that have an arc of the consensus."""

    arc: tuple[str, str]
    share: float
    """the share of the inputs, by weight, that have it in this direction"""
    reversed_share: float
    """the share of those that have it reversed"""
    inputs: tuple[str, ...]
    """names of the inputs that have it in this direction; empty when only a tally is known"""
    reversed_inputs: tuple[str, ...]
    """names of those that have it reversed"""
    is_reversible: bool
    """whether its direction is free: other networks of the same Markov equivalence class have it reversed"""
    seen_share: float = 1.0
    """the weight share of the inputs that have both variables; the other shares are relative to these inputs"""
    blind_inputs: tuple[str, ...] = ()
    """names of the inputs that lack one of the variables"""

    @property
    def facts(self) -> dict[str, Any]:
        """All values by name."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Compared:
    """A network in the place of the consensus."""

    name: str
    distance: float
    clique_size: CliqueSize
    arcs: int
    ties: bool = False
    """whether it is a different network that satisfies the limits and constraints and is exactly as close"""

    @property
    def facts(self) -> dict[str, Any]:
        """All values by name."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        return own | {"clique_size": int(self.clique_size)}
