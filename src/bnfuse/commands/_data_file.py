"""The table that a command learns from: which file, and how it becomes discrete data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bnfuse._base.options import default_of, help_of
from bnfuse.data.data import RowOptions
from bnfuse.data.raw_table import RawDataOptions

_ONE_EACH = " Repeatable."

DataFile = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        help="A table with a header: CSV (also .gz) or Parquet. An empty cell, NA, NULL and ? are missing. Numbers are "
        "cut into classes; identifiers, dates and free text are left out and reported.",
        show_default=False,
    ),
]


MissingLabel = Annotated[
    list[str] | None, typer.Option(metavar="LABEL", help=help_of(RowOptions, "na", after=_ONE_EACH))
]
RowWeights = Annotated[str | None, typer.Option(metavar="COLUMN", help=help_of(RowOptions, "weights"))]


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The handling of columns: the library's options, with their help texts."""

    bins: Annotated[int, typer.Option(metavar="NUMBER", help=help_of(RawDataOptions, "bins"))] = default_of(
        RawDataOptions, "bins"
    )
    binning: Annotated[str, typer.Option(metavar="NAME", help=help_of(RawDataOptions, "binning"))] = default_of(
        RawDataOptions, "binning"
    )
    missing: Annotated[str, typer.Option(metavar="NAME", help=help_of(RawDataOptions, "missing"))] = default_of(
        RawDataOptions, "missing"
    )
    keep: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help=help_of(RawDataOptions, "keep", after=_ONE_EACH))
    ] = None
    cut: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help=help_of(RawDataOptions, "cut", after=_ONE_EACH))
    ] = None
    leave_out: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help=help_of(RawDataOptions, "leave_out", after=_ONE_EACH))
    ] = None

    na: MissingLabel = None
    weights: RowWeights = None
    group: Annotated[str | None, typer.Option(metavar="COLUMN", help=help_of(RawDataOptions, "group"))] = None

    def options(self) -> RawDataOptions:
        """Check the values."""
        return RawDataOptions(
            self.bins,
            self.binning,
            self.missing,
            tuple(self.keep or ()),
            tuple(self.cut or ()),
            tuple(self.leave_out or ()),
            tuple(self.na) if self.na else None,
            self.weights,
            self.group,
        )
