"""Ten sites with 500 rows each: the numbers of docs/learn/sites.md that bnfuse does not print, and its picture.

    python bench/ten_sites.py            docs/ten-sites.png
    python bench/ten_sites.py FOLDER     somewhere else

Needs playwright and a Chromium for the picture, as the tests of the report do, and Pillow, which matplotlib brings.
"""

from __future__ import annotations

import os
import runpy
import shutil
import sys
import tempfile
from collections import Counter
from itertools import combinations
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import bnfuse

ROOT = Path(__file__).parent.parent
LIMIT = 5
ROWS, SEED = 20_000, 99
PAGE = """<style>
body { margin: 0; padding: 24px; background: #fff; font: 22px system-ui, sans-serif; display: grid; color: #1a1a1a;
       grid-template-columns: 1fr 1.35fr; gap: 12px 32px; align-items: center; justify-items: center }
h1 { font-size: 26px; margin: 0 } p { margin: 0; align-self: start; text-align: center; color: #333 }
img { max-width: 100%; max-height: 720px }
</style><h1>The full fusion</h1><h1>The consensus</h1>"""


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs"
    truth = bnfuse.networks.load("win95pts")
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        runpy.run_path(str(ROOT / "examples" / "ten_sites.py"))
        sites = bnfuse.read("sites/*.bif")
        consensus = bnfuse.consensus(sites, max_clique=LIMIT)
        vote = bnfuse.consensus(sites, max_clique=LIMIT, method="majority")
        fusion = bnfuse.fuse(sites).dag
        print_numbers(truth, sites, consensus, vote)
        bnfuse.Network(fusion).draw("fusion.svg")
        bnfuse.Network(consensus.dag).draw("consensus.svg")
        Path("page.html").write_text(
            f'{PAGE}<img src="fusion.svg"><img src="consensus.svg">'
            f"<p>{facts(fusion, bnfuse.smhd(fusion, sites))}</p>"
            f"<p>{facts(consensus.dag, consensus.distance)}, proven optimal</p>",
            "utf-8",
        )
        draw(Path("page.html"), folder / "ten-sites.png")


def print_numbers(
    truth: bnfuse.Network, sites: list[bnfuse.Network], consensus: bnfuse.Consensus, vote: bnfuse.Consensus
) -> None:
    rows = truth.sample(ROWS, seed=SEED)
    networks = {one.name: one for one in sites} | {"consensus": consensus.network, "vote": vote.pool().network}
    print("network    SMHD to the network that the rows come from   log-likelihood of a new row")
    for name, one in networks.items():
        print(f"{name:10} {bnfuse.smhd(one, truth):6.0f} {one.log_likelihood(rows) / ROWS:46.3f}")
    print("mean of the sites:", sum(bnfuse.smhd(one, truth) for one in sites) / len(sites))
    counts = Counter(edge for one in sites for edge in moral(one.dag))
    wanted = {edge for edge, count in counts.items() if 2 * count > len(sites)}
    arcs = Counter(frozenset(arc) for one in sites for arc in one.dag.edges)
    print(len(wanted), "edges in most moral graphs")
    for name, dag in (("consensus", consensus.dag), ("vote", vote.dag)):
        lacking = wanted - moral(dag)
        print(f"{name} lacks {len(lacking)}, of which arcs of most sites:", sum(2 * arcs[one] > 10 for one in lacking))


def moral(dag: bnfuse.DAG) -> set[frozenset[str]]:
    married = (pair for one in dag.variables for pair in combinations(dag.parents(one), 2))
    return {frozenset(pair) for pair in (*dag.edges, *married)}


def facts(dag: bnfuse.DAG, distance: float) -> str:
    size = bnfuse.clique_size(dag, method="exact")
    return f"{len(dag.edges)} arcs, largest clique {size}, distance {distance:.1f}"


def draw(page: Path, path: Path) -> None:
    chromium = os.environ.get("BNFUSE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": 1600, "height": 860})
        shown.goto(page.resolve().as_uri())
        shown.wait_for_timeout(500)
        shown.screenshot(path=path)
        browser.close()
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(48).save(path, optimize=True)  # a third of the size


if __name__ == "__main__":
    main()
