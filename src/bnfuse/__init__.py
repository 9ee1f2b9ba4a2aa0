"""One tractable consensus network from many Bayesian networks over the same variables."""

from bnfuse import networks
from bnfuse._errors import (
    BnfuseError,
    BnfuseWarning,
    ConstraintError,
    FileError,
    GraphError,
    MismatchError,
    MissingPackageError,
    OptionError,
)
from bnfuse.cliques import CliqueSize, clique_size
from bnfuse.consensus import consensus, frontier
from bnfuse.dag import DAG
from bnfuse.distances import fsim, shd, smhd
from bnfuse.files import read, write
from bnfuse.fusion import Fusion, fuse, minimal_imap, order
from bnfuse.network import Network
from bnfuse.problem import Progress
from bnfuse.result import Consensus
from bnfuse.tally import Tally

__version__ = "0.1.0"

__all__ = [
    "DAG",
    "BnfuseError",
    "BnfuseWarning",
    "CliqueSize",
    "Consensus",
    "ConstraintError",
    "FileError",
    "Fusion",
    "GraphError",
    "MismatchError",
    "MissingPackageError",
    "Network",
    "OptionError",
    "Progress",
    "Tally",
    "clique_size",
    "consensus",
    "frontier",
    "fsim",
    "fuse",
    "minimal_imap",
    "networks",
    "order",
    "read",
    "shd",
    "smhd",
    "write",
]
