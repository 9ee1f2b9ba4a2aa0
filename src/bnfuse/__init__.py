"""One tractable consensus network from many Bayesian networks over the same variables."""

from typing import TYPE_CHECKING, Any

from bnfuse import _display
from bnfuse import _start as _start  # first of all: what comes next takes its time
from bnfuse._errors import (
    BnfuseError,
    BnfuseWarning,
    ConstraintError,
    EvidenceError,
    FileError,
    GraphError,
    MismatchError,
    MissingPackageError,
    OptionError,
    TooLargeError,
)
from bnfuse.alignment import Alignment, align
from bnfuse.arc_votes import ArcVotes
from bnfuse.bootstrap import Bootstrap, bootstrap
from bnfuse.cliques import CliqueSize, clique_size
from bnfuse.consensus import Consensus, Frontier, consensus, frontier
from bnfuse.constraints import Constraints
from bnfuse.dag import DAG
from bnfuse.distances import fsim, shd, smhd
from bnfuse.distribution import Distribution
from bnfuse.files import read, write
from bnfuse.fusion import Fusion, fuse, minimal_imap, order
from bnfuse.learning import Learned, learn
from bnfuse.network import Network
from bnfuse.pdag import PDAG
from bnfuse.raw_data import Prepared, discretised
from bnfuse.run import Progress
from bnfuse.search.direct import DirectOptions
from bnfuse.search.genetic import GeneticOptions
from bnfuse.search.greedy import GreedyOptions
from bnfuse.search.majority import MajorityOptions
from bnfuse.search.min_cut import MinCutOptions
from bnfuse.strength import Strengths, strengths
from bnfuse.tally import Tally

if TYPE_CHECKING:
    from bnfuse import networks

__version__ = "0.1.0"

__all__ = [
    "DAG",
    "PDAG",
    "Alignment",
    "ArcVotes",
    "BnfuseError",
    "BnfuseWarning",
    "Bootstrap",
    "CliqueSize",
    "Consensus",
    "ConstraintError",
    "Constraints",
    "DirectOptions",
    "Distribution",
    "EvidenceError",
    "FileError",
    "Frontier",
    "Fusion",
    "GeneticOptions",
    "GraphError",
    "GreedyOptions",
    "Learned",
    "MajorityOptions",
    "MinCutOptions",
    "MismatchError",
    "MissingPackageError",
    "Network",
    "OptionError",
    "Prepared",
    "Progress",
    "Strengths",
    "Tally",
    "TooLargeError",
    "align",
    "bootstrap",
    "clique_size",
    "consensus",
    "discretised",
    "frontier",
    "fsim",
    "fuse",
    "learn",
    "minimal_imap",
    "networks",
    "order",
    "read",
    "shd",
    "smhd",
    "strengths",
    "write",
]


_display.drawn_by("bnfuse.report.notebook", "html")


def __getattr__(name: str) -> Any:
    """`bnfuse.networks` is imported when it is first used: `import bnfuse` stays fast."""
    if name == "networks":
        import importlib  # noqa: PLC0415

        return importlib.import_module("bnfuse.networks")
    raise AttributeError(f"module 'bnfuse' has no attribute {name!r}")
