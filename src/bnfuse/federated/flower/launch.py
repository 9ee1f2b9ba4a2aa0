"""`bnfuse federated run`: `flwr run`, and its result, with the reason if it stopped."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from bnfuse.errors import FederationError
from bnfuse.federated.agreement.settings import RESULT, Agreement
from bnfuse.federated.coordinator.rounds import rounds_of
from bnfuse.federated.coordinator.store import rounds, stopped
from bnfuse.federated.flower.serve import program

_OURS = "bnfuse: "


def launched(folder: Path, agreement: Agreement, superlink: str, say: Callable[[str], None]) -> dict[str, int]:
    """Run a federation to its end; returns the number of sites in each round.

    Flower returns 0 and loses the last lines if the coordinator stops, so the outcome is read from the store.
    """
    command = [program("flwr"), "run", str(folder), superlink, "--stream"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as flower:
        last = ""
        for line in flower.stdout or ():
            last = line.strip() or last
            if line.startswith(_OURS):
                say(line.removeprefix(_OURS).rstrip())
    if (why := stopped(folder / RESULT)) is not None:
        raise FederationError(why)
    done = rounds(folder / RESULT)
    if rounds_of(agreement)[-1] not in done:
        raise FederationError(
            f"the run ended before all rounds were finished (flwr run: {last:.200}); see the log of the "
            "SuperLink for details"
        )
    return done
