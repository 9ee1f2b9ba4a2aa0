"""A network beside the consensus, as if it were one."""

from __future__ import annotations

from dataclasses import dataclass

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
