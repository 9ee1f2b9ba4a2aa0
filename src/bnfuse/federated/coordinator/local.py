"""All sites in this process: the same rounds and messages without a network, to rehearse a federation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bnfuse.federated.site.steps import Site


class LocalChannel:
    """Carries messages to sites that are folders on this machine, with one thread for each."""

    def __init__(self, folders: Sequence[Path], say: Callable[[str], None] = lambda text: None) -> None:
        self._sites = {
            number: Site(folder, lambda text, name=folder.name: say(f"{name}: {text}"))  # type: ignore[misc]
            for number, folder in enumerate(folders, 1)
        }

    def sites(self, wanted: int, seconds: float) -> list[int]:
        """All of the sites."""
        return list(self._sites)

    def ask(self, kind: str, requests: Mapping[int, bytes], seconds: float) -> dict[int, bytes]:
        """The answers of all sites."""
        with ThreadPoolExecutor(min(len(requests), 8) or 1) as threads:
            answers = threads.map(lambda site: self._sites[site].answer(kind, requests[site]), requests)
            return dict(zip(requests, answers, strict=True))
