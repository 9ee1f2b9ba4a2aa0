"""Ten sites learn a network each, every site from 500 rows of its own: sites/01.bif to sites/10.bif.

    python examples/ten_sites.py

The rows are drawn from win95pts, a public benchmark network of printer faults with 76 variables, which is downloaded
once. A state that a site has never seen gets its small probability from the prior of the tables.
"""

import warnings
from pathlib import Path

import bnfuse

warnings.simplefilter("ignore", bnfuse.BnfuseWarning)  # some columns of 500 rows have one state only
truth = bnfuse.networks.load("win95pts")
Path("sites").mkdir(exist_ok=True)
for site in range(1, 11):
    rows = truth.sample(500, seed=site)
    bnfuse.write(bnfuse.learn(rows).network.fit(rows), f"sites/{site:02}.bif")
