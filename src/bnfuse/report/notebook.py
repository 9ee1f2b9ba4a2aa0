"""How results look in a notebook: a few sentences, and the picture."""

from __future__ import annotations

from html import escape

from bnfuse.dag import DAG, NetworkLike, as_dag
from bnfuse.network import Network
from bnfuse.report.picture import Picture
from bnfuse.report.summary import Summary
from bnfuse.result import Result

_MOST_VARIABLES = 250  # a picture of more is too large for a notebook


def html(thing: DAG | Network | Result) -> str:
    """What a notebook shows for any of them: what `bnfuse._display` asks for."""
    return consensus_html(thing) if isinstance(thing, Result) else network_html(thing)


def network_html(network: NetworkLike) -> str:
    """A DAG or a Network."""
    return _html([repr(network).strip("<>")], None if _is_large(network) else Picture.of(network))


def consensus_html(consensus: Result) -> str:
    """A consensus: the thicker an arc, the more inputs have it."""
    lines = Summary(consensus).lines
    if _is_large(consensus):
        return _html(lines, None)
    return _html(lines, Picture.of_consensus(consensus))


def _is_large(network: NetworkLike) -> bool:
    return len(as_dag(network).variables) > _MOST_VARIABLES


def _html(lines: list[str], picture: Picture | None) -> str:
    text = "".join(f"<div>{escape(line)}</div>" for line in lines)
    drawn = "" if picture is None else f'<div style="overflow-x:auto">{picture.svg()}</div>'
    return f"<div>{text}{drawn}</div>"
