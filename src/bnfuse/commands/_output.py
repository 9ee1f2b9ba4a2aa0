"""Writing what a command made: checked before the work starts, and told afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse import files
from bnfuse.network import Network

Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Where to write; the extension chooses the format."),
]

Placeholders = Annotated[
    bool,
    typer.Option(
        "--placeholders", help="Without tables: write uniform ones to NET, DSL and UAI too, which cannot mark them so."
    ),
]


@dataclass(frozen=True, slots=True)
class Written:
    """What a file now holds beside the structure."""

    path: Path
    tables: str | None
    """`given`, `uniform` (placeholders), or None where the format has none"""
    states: str | None
    """`given`, `two` (placeholders), or None where the format has none"""

    def __str__(self) -> str:
        if self.tables is None:
            return f"wrote {self.path}: the structure only"
        unnamed = "; UAI keeps neither names nor labels" if ".uai" in self.path.suffixes else ""
        if self.tables == "given":
            return f"wrote {self.path}: structure, states and tables{unnamed}"
        states = "the states are those of the inputs" if self.states == "given" else "every variable has two states"
        return f"wrote {self.path}: {states}, the tables are placeholders (uniform tables){unnamed}"

    def facts(self) -> Mapping[str, Any]:
        """For programs."""
        return {"path": str(self.path), "tables": self.tables, "states": self.states}


def write_output(networks: Network | Sequence[Network], path: Path, force: bool, placeholders: bool = False) -> Written:
    """Write and say what was written."""
    files.write(networks, path, overwrite=force, placeholders=placeholders)
    if not files.holds_tables(path):
        return Written(path, None, None)
    network = networks if isinstance(networks, Network) else networks[0]
    return Written(path, "uniform" if network.cpts is None else "given", "two" if network.states is None else "given")
