"""Long runs: a file that keeps partial results, and workers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._base.texts import count
from bnfuse.commands._console import note, say
from bnfuse.learning.bootstrap import Bootstrap

Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Run on a dask cluster: its scheduler's address, or local."),
]


@dataclass(frozen=True, slots=True)
class LongRunOptions:
    """Where networks are learned from resamples, and where they are kept."""

    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save what is learned to this file during the run. After a crash, the same command resumes where it "
            "stopped; so does one that asks for more --resamples.",
        ),
    ] = None
    workers: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Learn in processes, one thread each.", show_default="threads"),
    ] = None
    cluster: Cluster = None

    def arguments(self, keep_networks: bool) -> dict[str, Any]:
        """For `bnfuse.bootstrap`."""
        keeps = keep_networks and self.store is not None
        return {"store": self.store, "keep_networks": keeps, "workers": self.workers, "cluster": self.cluster}

    def tell(self, runs: Bootstrap) -> None:
        """Report that the store keeps the networks, and how many it already had."""
        if self.store is not None:
            before = f"; {count(runs.stored, 'resample')} were there before" if runs.stored else ""
            say(f"kept in {self.store}: what was learned{before}")

    def tell_how_to_go_on(self) -> None:
        """A note after an early end."""
        if self.store is not None:
            note(f"{self.store} keeps what was learned: the same command resumes where it stopped")

    def facts(self, runs: Bootstrap) -> dict[str, Any]:
        """The JSON output."""
        return {"store": None if self.store is None else {"path": str(self.store), "before": runs.stored}}
