"""All sites in this process: the same rounds and messages without a network, to rehearse a federation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bnfuse.federated.site import Site


class LocalChannel:
    """Carries messages to sites that are folders on this machine, each with a thread of its own."""

    def __init__(self, folders: Sequence[Path], say: Callable[[str], None] = lambda text: None) -> None:
        self._sites = {
            number: Site(folder, lambda text, name=folder.name: say(f"{name}: {text}"))  # type: ignore[misc]
            for number, folder in enumerate(folders, 1)
        }
        self._memories = dict.fromkeys(self._sites, b"")

    def sites(self, wanted: int, seconds: float) -> list[int]:
        """All of them."""
        return list(self._sites)

    def ask(self, kind: str, requests: Mapping[int, bytes], seconds: float) -> dict[int, bytes]:
        """The answers of all sites."""
        with ThreadPoolExecutor(min(len(requests), 8) or 1) as threads:
            return dict(
                zip(requests, threads.map(lambda site: self._answer(kind, requests[site], site), requests), strict=True)
            )

    def _answer(self, kind: str, request: bytes, site: int) -> bytes:
        answer, self._memories[site] = self._sites[site].answer(kind, request, self._memories[site], site)
        return answer
