"""One coordinator and five sites as Flower's own processes, on loopback."""

from __future__ import annotations

import pytest
from federation import CLINICS, agreement_of, data_sites
from flower import flower

import bnfuse
from bnfuse.data.data import Data
from bnfuse.federated.coordinator import NETWORK, RESULT, SAVED
from bnfuse.federated.folder import write_app
from bnfuse.federated.holdings import Holdings
from bnfuse.inference.parameters import fit


@pytest.mark.long
def test_five_sites_with_data_as_real_processes(tmp_path):
    (network,) = bnfuse.read(CLINICS[1])
    rows = network.sample(1_000, seed=5)
    agreement = agreement_of(network, wait=300.0)
    parts = [Data(rows.variables, rows.states, rows.codes[200 * i : 200 * (i + 1)]) for i in range(5)]
    sites = data_sites(tmp_path, agreement, parts)
    app = tmp_path / "app"
    write_app(app, agreement)
    with flower(tmp_path / "flower") as running:
        for folder in sites:
            running.site(folder.name, folder)
        running.run(app)
        running.wait_for(lambda: all((folder / "report.txt").exists() for folder in sites), "run")
    tally = bnfuse.Tally(agreement.vocabulary.variables)
    for folder in sites:
        tally.merge(Holdings.of(folder, agreement).tally)
    openly = bnfuse.consensus(tally, agreement.settings.max_clique, effort=agreement.settings.effort)
    whole = fit(openly.dag, rows, states=network.states, prior=agreement.settings.prior).network
    saved = bnfuse.Consensus.load(app / RESULT / SAVED)
    for found in (saved.network, bnfuse.read(app / RESULT / NETWORK)[0], *(bnfuse.read(sites[2] / "consensus.bif"))):
        assert found.dag == openly.dag
        assert all((found.cpts[name] == whole.cpts[name]).all() for name in whole.variables)
