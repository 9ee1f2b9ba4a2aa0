"""A site's copy of a finished federation: the network, and its distance to the site's own networks and data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from bnfuse import files
from bnfuse._base import disk
from bnfuse._base.texts import count
from bnfuse.data.data import MISSING
from bnfuse.federated.site.holdings import Holdings
from bnfuse.federated.sums.counts import mean_distance
from bnfuse.graphs.network import Network

NETWORK = "consensus.bif"
REPORT = "report.txt"


def write_report(holdings: Holdings, network: Network, facts: Mapping[str, Any]) -> list[str]:
    """Store the finished network and the site's own report; returns the report's lines."""
    lines = [*_lines(holdings, network, facts)]
    files.write(network, holdings.folder / NETWORK, overwrite=True)
    disk.write_bytes("\n".join((*lines, "")).encode(), holdings.folder / REPORT)
    return lines


def _lines(holdings: Holdings, network: Network, facts: Mapping[str, Any]) -> Iterator[str]:
    settings, tally = holdings.agreement.settings, holdings.tally
    arcs_in_all, sites = count(len(network.dag.edges), "arc"), count(int(facts["sites"]), "site")
    yield f"federation {settings.name}: a consensus of {sites}, {arcs_in_all}"
    own = mean_distance(tally, network.dag, settings.metric)
    yield (
        f"mean {settings.metric} of this site's networks to it: {own:.2f}; of all sites: {float(facts['distance']):.2f}"
    )
    names = tally.variables
    here = {(names[a], names[b]) for a, b in np.argwhere(2 * tally.arcs > tally.weight).tolist()}
    theirs = set(network.dag.edges)
    turned = {arc for arc in theirs if arc[::-1] in here}
    for title, arcs in (
        ("arcs that this site has too", theirs & here),
        ("arcs that this site has reversed", turned),
        ("arcs that this site does not have", {arc for arc in theirs - here if arc[::-1] not in here}),
        (
            "arcs of this site that the consensus does not have",
            {arc for arc in here - theirs if arc[::-1] not in theirs},
        ),
    ):
        yield f"{title}: {len(arcs)}"
        yield from (f"  {source} -> {target}" for source, target in sorted(arcs))
    if holdings.settings.data is not None and network.cpts is not None:
        yield f"mean log-likelihood of a row of this site, in nats: {_log_likelihood(holdings, network):.3f}"


def _log_likelihood(holdings: Holdings, network: Network) -> float:
    """For the rows without missing values."""
    assert network.cpts is not None
    data = holdings.data
    whole = (data.codes != MISSING).all(axis=1)
    total = np.zeros(int(whole.sum()))
    with np.errstate(divide="ignore"):
        for variable in network.variables:
            family = (*network.dag.parents(variable), variable)
            cells = tuple(data.column(name)[whole] for name in family)
            total += np.log(network.cpts[variable][cells])
    return float(total.mean()) if len(total) else float("nan")
