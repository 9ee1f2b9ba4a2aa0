"""Writing what a command made: checked before the work starts, and told afterwards."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._errors import FileError
from bnfuse.network import Network

Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Where to write; the extension chooses the format."),
]

_STRUCTURE_ONLY = (".csv", ".json", ".dot", ".graphml")


def check_output(path: Path, force: bool) -> None:
    """Refuse a file that could not be written, before time is spent on its content."""
    from bnfuse import files  # noqa: PLC0415 - keeps the start fast

    form = files._BY_EXTENSION.get(files._extension(path))
    if form is None:
        known = ", ".join(files._BY_EXTENSION)
        raise FileError(path, f"the extension says no format to write; use one of {known}, each also with .gz")
    if not force:
        try:
            files._check_replaceable(path, form)
        except FileError:
            raise FileError(path, f"exists and is not a {form.label} file; --force replaces it") from None
    check_place(path)


def check_place(path: Path) -> None:
    """Refuse a place where no file can be written."""
    if path.is_dir():
        raise FileError(path, "is a folder, not a file")
    if not path.absolute().parent.is_dir():
        raise FileError(path, f"cannot be written: there is no folder {str(path.parent)!r}")
    if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise FileError(path, "cannot be written: permission denied")


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
        if self.tables == "given":
            return f"wrote {self.path}: structure, states and tables"
        states = "the states are those of the inputs" if self.states == "given" else "every variable has two states"
        return f"wrote {self.path}: {states}, the tables are placeholders (uniform tables)"

    def facts(self) -> Mapping[str, Any]:
        """For programs."""
        return {"path": str(self.path), "tables": self.tables, "states": self.states}


def write_output(networks: Network | Sequence[Network], path: Path, force: bool) -> Written:
    """Write and say what was written."""
    from bnfuse import files  # noqa: PLC0415 - keeps the start fast

    files.write(networks, path, overwrite=force)
    if files._extension(path) in _STRUCTURE_ONLY:
        return Written(path, None, None)
    network = networks if isinstance(networks, Network) else networks[0]
    return Written(path, "uniform" if network.cpts is None else "given", "two" if network.states is None else "given")
