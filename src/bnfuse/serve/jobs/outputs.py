"""The files to download for an answer, made in a worker: networks in all formats, the report, the saved result."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bnfuse._base.options import spelled
from bnfuse.answer.persistence import as_bytes
from bnfuse.answer.result import Consensus
from bnfuse.answer.schools.result import Schools
from bnfuse.answer.schools.schools import schools_of
from bnfuse.files import as_text
from bnfuse.report.page.page import page
from bnfuse.report.schools_page import schools_page
from bnfuse.report.schools_view import page_of
from bnfuse.report.summary import Summary
from bnfuse.search.direct import DirectOptions
from bnfuse.search.run import Run

_SCHOOL_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Kind:
    """A file to download."""

    ending: str
    media: str = "text/plain; charset=utf-8"
    called: str = ""
    """the name of the file, if it differs from that of the workspace"""


NETWORKS = {
    "bif": Kind(".bif"),
    "xmlbif": Kind(".xmlbif", "application/xml"),
    "xdsl": Kind(".xdsl", "application/xml"),
    "net": Kind(".net"),
    "uai": Kind(".uai"),
    "csv": Kind(".csv", "text/csv; charset=utf-8"),
}
MADE = {
    **NETWORKS,
    "report": Kind(".html", "text/html; charset=utf-8"),
    "schools": Kind("-schools.html", "text/html; charset=utf-8"),
    "saved": Kind(".json", "application/json"),
}
"""in a worker"""
WRITTEN = {
    "minutes": Kind(".md", "text/markdown; charset=utf-8", "minutes.md"),
    "command": Kind(".sh"),
    "python": Kind(".py"),
}
"""from the store alone"""


def made(result: Consensus, kind: str, name: str, placeholders: bool) -> bytes:
    """One of `MADE`; networks get a name."""
    if kind == "saved":
        return as_bytes(result)
    if kind == "schools":
        return schools_page(_schools(result, None)).encode()
    if kind == "report":
        with spelled({}):  # its reader may not have the app
            return page(Summary(result.finished)).encode()
    network = result.network.renamed(name).marked("consensus")
    return as_text(network, NETWORKS[kind].ending, placeholders).encode()


def schools_shown(result: Consensus, k: int | None) -> dict[str, Any]:
    """The schools among the inputs of an answer, in numbers and as the page shows them."""
    found = _schools(result, k)
    return {
        "k": found.k,
        "is_chosen": found.is_chosen,
        "verdict": found.verdict,
        "metric": found.problem.metric,
        "seed": found.seed,
        "distance": found.distance,
        "single_distance": found.single_distance,
        "lower_bound": found.lower_bound,
        "is_proven": found.is_proven,
        "stopped_by": found.stopped_by,
        "notes": found.notes,
        "schools": [
            {"number": one.number, "inputs": one.inputs, "distance": one.consensus.distance, "arcs": one.dag.edges}
            for one in found.schools
        ],
        "members": [asdict(one) for one in found.members],
        "set_aside": found.set_aside,
        "between": found.between,
        "separating": [asdict(one) for one in found.separating],
        "page": asdict(page_of(found)),
    }


def _schools(result: Consensus, k: int | None) -> Schools:
    run = Run(result.seed, 1, _SCHOOL_SECONDS)
    found = schools_of(result.problem, run, DirectOptions("quick"), k)
    if found.stopped_by == "interrupted":
        raise KeyboardInterrupt
    return found


def answered(
    network: Any, target: str | None, evidence: dict[str, Any], beliefs: dict[str, Any], do: dict[str, str]
) -> dict[str, Any]:
    """The distribution of a variable, or of each, given evidence; and the probability of the evidence."""
    from bnfuse.inference.queries import marginals  # noqa: PLC0415 - few ask

    found = marginals(network, None if target is None else [target], evidence, beliefs=beliefs, do=do)
    states = network.states
    return {
        "posterior": {name: dict(zip(states[name], table.tolist(), strict=True)) for name, table in found.items()},
        "evidence": evidence,
        **({"beliefs": beliefs} if beliefs else {}),
        **({"do": do} if do else {}),
        "probability": None if beliefs else _probability(network, evidence, do),
    }


def _probability(network: Any, evidence: dict[str, Any], do: dict[str, str]) -> float | None:
    """By the chain rule; likelihoods have no scale, so they have no probability."""
    if any(isinstance(finding, dict) for finding in evidence.values()):
        return None
    probability, known = 1.0, dict[str, Any]()
    for name, finding in evidence.items():
        chances = network.query(name, known, do=do)
        probability *= sum(chances[state] for state in ({finding} if isinstance(finding, str) else {*finding}))
        known[name] = finding
    return probability
