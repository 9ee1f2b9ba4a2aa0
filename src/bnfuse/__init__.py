"""One tractable consensus network from many Bayesian networks over the same variables."""

from bnfuse._errors import BnfuseError, FileError, GraphError, MismatchError, MissingPackageError, OptionError
from bnfuse.cliques import CliqueSize, clique_size
from bnfuse.dag import DAG
from bnfuse.distances import fsim, shd, smhd
from bnfuse.fusion import Fusion, fuse, minimal_imap, order
from bnfuse.network import Network

__version__ = "0.1.0"

__all__ = [
    "DAG",
    "BnfuseError",
    "CliqueSize",
    "FileError",
    "Fusion",
    "GraphError",
    "MismatchError",
    "MissingPackageError",
    "Network",
    "OptionError",
    "clique_size",
    "fsim",
    "fuse",
    "minimal_imap",
    "order",
    "shd",
    "smhd",
]
