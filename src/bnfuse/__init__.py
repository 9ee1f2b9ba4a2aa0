"""One tractable consensus network from many Bayesian networks over the same variables."""

from typing import TYPE_CHECKING, Any

from bnfuse._base import display
from bnfuse._base import start as start  # first of all, as the imports after it take time
from bnfuse.alignment.alignment import Alignment
from bnfuse.alignment.proposals import align
from bnfuse.answer.consensus import consensus, frontier
from bnfuse.answer.disputes.disputes import Alternative, Dispute, Disputes, disputes
from bnfuse.answer.result import Consensus, Frontier
from bnfuse.answer.schools.result import Member, School, Schools
from bnfuse.answer.schools.rule import SchoolTest
from bnfuse.answer.schools.schools import schools
from bnfuse.answer.schools.separating import SchoolAnswer, Separating
from bnfuse.data.data import Data
from bnfuse.data.discretise import Prepared, discretised
from bnfuse.data.numeric import NumericData
from bnfuse.errors import (
    BnfuseError,
    BnfuseWarning,
    ConstraintError,
    CycleError,
    EvidenceError,
    FileError,
    GraphError,
    MismatchError,
    MissingPackageError,
    OptionError,
    TooLargeError,
)
from bnfuse.files import read, write
from bnfuse.fusion.causal_distances import CausalDistances, causal_distances
from bnfuse.fusion.cliques import CliqueSize, clique_size
from bnfuse.fusion.distances import fsim, shd, smhd
from bnfuse.fusion.fusion import Fusion, fuse, minimal_imap, order
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.distribution import Distribution
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network
from bnfuse.graphs.normal import JointNormal, Normal
from bnfuse.graphs.pdag import PDAG
from bnfuse.inference.asking.explanations import Explanation
from bnfuse.inference.asking.information import Informative
from bnfuse.inference.asking.panel import Answers, Effect, Effects, answers, effects
from bnfuse.inference.asking.sensitivity import Influence, Sensitivity
from bnfuse.inference.experts.judgements import RowJudgement, read_judgements
from bnfuse.inference.experts.row_disputes import RowDispute, row_disputes
from bnfuse.learning.bootstrap import Bootstrap, bootstrap
from bnfuse.learning.data_learner import Learned
from bnfuse.learning.learn import learn
from bnfuse.learning.score_lists import Scores, read_scores
from bnfuse.problem.constraints import Constraints
from bnfuse.problem.inputs import InputOptions
from bnfuse.problem.strength import Strengths, strengths
from bnfuse.problem.tally import Tally
from bnfuse.search.direct import DirectOptions
from bnfuse.search.majority import MajorityOptions
from bnfuse.search.paper.genetic import GeneticOptions
from bnfuse.search.paper.greedy import GreedyOptions
from bnfuse.search.paper.min_cut import MinCutOptions
from bnfuse.search.run import Progress

if TYPE_CHECKING:
    from bnfuse import networks

__version__ = "0.2.0"

__all__ = [
    "DAG",
    "PDAG",
    "Alignment",
    "Alternative",
    "Answers",
    "ArcVotes",
    "BnfuseError",
    "BnfuseWarning",
    "Bootstrap",
    "CausalDistances",
    "CliqueSize",
    "Consensus",
    "ConstraintError",
    "Constraints",
    "CycleError",
    "Data",
    "DirectOptions",
    "Dispute",
    "Disputes",
    "Distribution",
    "Effect",
    "Effects",
    "EvidenceError",
    "Explanation",
    "FileError",
    "Frontier",
    "Fusion",
    "GaussianNetwork",
    "GeneticOptions",
    "GraphError",
    "GreedyOptions",
    "Influence",
    "Informative",
    "InputOptions",
    "JointNormal",
    "Learned",
    "MajorityOptions",
    "Member",
    "MinCutOptions",
    "MismatchError",
    "MissingPackageError",
    "Network",
    "Normal",
    "NumericData",
    "OptionError",
    "Prepared",
    "Progress",
    "RowDispute",
    "RowJudgement",
    "School",
    "SchoolAnswer",
    "SchoolTest",
    "Schools",
    "Scores",
    "Sensitivity",
    "Separating",
    "Strengths",
    "Tally",
    "TooLargeError",
    "align",
    "answers",
    "bootstrap",
    "causal_distances",
    "clique_size",
    "consensus",
    "discretised",
    "disputes",
    "effects",
    "frontier",
    "fsim",
    "fuse",
    "learn",
    "minimal_imap",
    "networks",
    "order",
    "read",
    "read_judgements",
    "read_scores",
    "row_disputes",
    "schools",
    "shd",
    "smhd",
    "strengths",
    "write",
]


display.drawn_by("bnfuse.report.page.notebook", "html")

# Help, errors and pickles name the public module of an object, not the one in which it is defined.
for _name in __all__:
    if _name != "networks":
        globals()[_name].__module__ = "bnfuse"


def __dir__() -> list[str]:
    """Public names only."""
    return [*__all__, "__version__"]


def __getattr__(name: str) -> Any:
    """`bnfuse.networks` is imported when it is first used: `import bnfuse` stays fast."""
    if name == "networks":
        import importlib  # noqa: PLC0415

        return importlib.import_module("bnfuse.networks")
    raise AttributeError(f"module 'bnfuse' has no attribute {name!r}")
