"""A network beside the consensus, as if it were one."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from bnfuse.fusion.cliques import CliqueSize


@dataclass(frozen=True, slots=True)
class Compared:
    """A network as if it were the consensus."""

    name: str
    distance: float
    clique_size: CliqueSize
    arcs: int
    ties: bool = False
    """whether it is another network that keeps to the limits and constraints, and exactly as close"""

    @property
    def facts(self) -> dict[str, Any]:
        """All of it by name."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        return own | {"clique_size": int(self.clique_size)}
