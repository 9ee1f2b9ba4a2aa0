"""Federations in folders, for tests: agreements, sites, and channels on which things go wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("flwr", reason="federations need flwr: pip install 'bnfuse[federated]'")

import bnfuse
from bnfuse.data.data import Data
from bnfuse.federated.holdings import SiteSettings, described
from bnfuse.federated.local import LocalChannel
from bnfuse.federated.settings import Agreement, Settings
from bnfuse.federated.vocabulary import Vocabulary
from bnfuse.federated.wire import unpacked

CLINICS = sorted((Path(__file__).parent.parent.parent / "examples" / "clinics").glob("*.bif"))
KINDS = ("join", "share", "tally", "unmask", "tables", "finish")


def agreement_of(network: Path | bnfuse.Network, **settings: Any) -> Agreement:
    if isinstance(network, Path):
        vocabulary = Vocabulary.read(network)
    else:
        assert network.states is not None
        vocabulary = Vocabulary({name: tuple(network.states[name]) for name in network.variables})
    return Agreement(Settings(**{"sites": 5, "effort": "quick", "frontier": False, **settings}), vocabulary)


def clinic_sites(folder: Path, agreement: Agreement) -> list[Path]:
    """A site for each of the example clinics."""
    sites = []
    for path in CLINICS:
        sites.append(folder / path.stem)
        described(sites[-1], SiteSettings(networks=str(path)), agreement)
    return sites


def data_sites(folder: Path, agreement: Agreement, parts: Sequence[Data], resamples: int = 4) -> list[Path]:
    """A site for each part of some rows."""
    sites = []
    for number, part in enumerate(parts):
        sites.append(folder / f"site-{number}")
        part.write(folder / f"rows-{number}.csv")
        described(sites[-1], SiteSettings(data=str(folder / f"rows-{number}.csv"), resamples=resamples), agreement)
    return sites


class Recorder(LocalChannel):
    """Keeps all that the coordinator sends and gets, and can lose or change answers."""

    def __init__(
        self, folders: Sequence[Path], change: Callable[[str, int, bytes], bytes | None] | None = None
    ) -> None:
        super().__init__(folders)
        self.asked: list[tuple[str, int, bytes]] = []
        self.answered: list[tuple[str, int, bytes]] = []
        self._change = change or (lambda kind, site, answer: answer)

    def ask(self, kind: str, requests: Mapping[int, bytes], seconds: float) -> dict[int, bytes]:
        self.asked += [(kind, site, request) for site, request in requests.items()]
        answers = super().ask(kind, requests, seconds)
        self.answered += [(kind, site, answer) for site, answer in answers.items()]
        changed = {site: self._change(kind, site, answer) for site, answer in answers.items()}
        return {site: answer for site, answer in changed.items() if answer is not None}

    def bodies(self, kind: str) -> dict[int, dict[str, Any]]:
        return {site: unpacked(answer) for of, site, answer in self.answered if of == kind}


def losing(kind: str, *sites: int, nth: int = 1) -> Callable[[str, int, bytes], bytes | None]:
    """Sites that are gone from the nth message of a kind on."""
    seen: dict[int, int] = {}

    def change(of: str, site: int, answer: bytes) -> bytes | None:
        seen[site] = seen.get(site, 0) + (of == kind)
        return None if site in sites and seen[site] >= nth else answer

    return change
