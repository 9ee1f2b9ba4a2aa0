"""Federations in folders, for tests: agreements, sites, and channels on which things go wrong."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("flwr", reason="federations need flwr: pip install 'bnfuse[federated]'")

import bnfuse
from bnfuse.data.data import Data
from bnfuse.federated.agreement.roster import PUBLIC, Roster, public_line
from bnfuse.federated.agreement.settings import Agreement, Settings
from bnfuse.federated.agreement.vocabulary import Vocabulary
from bnfuse.federated.coordinator.local import LocalChannel
from bnfuse.federated.protocol.keys import identity_key
from bnfuse.federated.protocol.wire import unpacked
from bnfuse.federated.site.holdings import SiteSettings, described
from bnfuse.federated.site.identity import SECRET, private_bytes, private_folder
from bnfuse.federated.site.ledger import FILE as LEDGER

CLINICS = sorted((Path(__file__).parent.parent.parent / "examples" / "clinics").glob("*.bif"))
CLINIC_NAMES = tuple(path.stem for path in CLINICS)
SUMS = ("tally", "tables")


def secret_of(name: str) -> bytes:
    """The identity of a site: the same in all tests."""
    return hashlib.sha256(name.encode()).digest()


def roster_of(names: Sequence[str]) -> Roster:
    return Roster({name: identity_key(secret_of(name)) for name in names})


def vocabulary_of(network: Path | bnfuse.Network) -> Vocabulary:
    if isinstance(network, Path):
        return Vocabulary.read(network)
    assert network.states is not None
    return Vocabulary({name: tuple(network.states[name]) for name in network.variables})


def agreement_of(
    network: Path | bnfuse.Network, names: Sequence[str] | None = None, sites: int = 5, **settings: Any
) -> Agreement:
    """An agreement of five sites, or of those that are named."""
    given = {"effort": "quick", "frontier": False, **settings}
    names = [f"site-{number}" for number in range(sites)] if names is None else names
    return Agreement(Settings(**given), vocabulary_of(network), roster_of(names))


def with_identity(folder: Path) -> Path:
    private_folder(folder)
    private_bytes(secret_of(folder.name).hex().encode(), folder / SECRET)
    (folder / PUBLIC).write_text(public_line(folder.name, identity_key(secret_of(folder.name))))
    return folder


def clinic_sites(folder: Path, agreement: Agreement) -> list[Path]:
    """A site for each of the example clinics."""
    sites = []
    for path in CLINICS:
        sites.append(with_identity(folder / path.stem))
        described(sites[-1], SiteSettings(networks=str(path)), agreement)
    return sites


def data_sites(folder: Path, agreement: Agreement, parts: Sequence[Data], resamples: int = 4) -> list[Path]:
    """A site for each part of some rows."""
    sites = []
    for number, part in enumerate(parts):
        sites.append(with_identity(folder / f"site-{number}"))
        part.write(folder / f"rows-{number}.csv")
        described(sites[-1], SiteSettings(data=str(folder / f"rows-{number}.csv"), resamples=resamples), agreement)
    return sites


def fresh(sites: Sequence[Path], place: Path) -> list[Path]:
    """Copies of sites that have not answered anything."""
    copies = []
    for site in sites:
        copies.append(place / "copies" / site.name)
        shutil.copytree(site, copies[-1], ignore=shutil.ignore_patterns(f"{LEDGER}*"))
    return copies


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
        """The first answer of each site to a kind of message."""
        found: dict[int, dict[str, Any]] = {}
        for of, site, answer in self.answered:
            if of == kind:
                found.setdefault(site, unpacked(answer))
        return found


def losing(kind: str, *sites: int, nth: int = 1) -> Callable[[str, int, bytes], bytes | None]:
    """Sites that are gone from the nth message of a kind on."""
    seen: dict[int, int] = {}

    def change(of: str, site: int, answer: bytes) -> bytes | None:
        seen[site] = seen.get(site, 0) + (of == kind)
        return None if site in sites and seen[site] >= nth else answer

    return change
