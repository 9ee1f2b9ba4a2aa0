"""One tractable consensus network from many Bayesian networks over the same variables."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bnfuse._base import display
from bnfuse._base import start as start  # first of all, as the imports after it take time
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

if TYPE_CHECKING:
    from bnfuse import networks
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

# The errors are always there: a program names them before it uses anything else.
for _name in __all__:
    if _name in globals():
        globals()[_name].__module__ = "bnfuse"

_PLACES = {
    "alignment.alignment": ("Alignment",),
    "alignment.proposals": ("align",),
    "answer.consensus": ("consensus", "frontier"),
    "answer.disputes.disputes": ("Alternative", "Dispute", "Disputes", "disputes"),
    "answer.result": ("Consensus", "Frontier"),
    "answer.schools.result": ("Member", "School", "Schools"),
    "answer.schools.rule": ("SchoolTest",),
    "answer.schools.schools": ("schools",),
    "answer.schools.separating": ("SchoolAnswer", "Separating"),
    "data.data": ("Data",),
    "data.discretise": ("Prepared", "discretised"),
    "data.numeric": ("NumericData",),
    "files": ("read", "write"),
    "fusion.causal_distances": ("CausalDistances", "causal_distances"),
    "fusion.cliques": ("CliqueSize", "clique_size"),
    "fusion.distances": ("fsim", "shd", "smhd"),
    "fusion.fusion": ("Fusion", "fuse", "minimal_imap", "order"),
    "graphs.arc_votes": ("ArcVotes",),
    "graphs.dag": ("DAG",),
    "graphs.distribution": ("Distribution",),
    "graphs.gaussian_network": ("GaussianNetwork",),
    "graphs.network": ("Network",),
    "graphs.normal": ("JointNormal", "Normal"),
    "graphs.pdag": ("PDAG",),
    "inference.asking.explanations": ("Explanation",),
    "inference.asking.information": ("Informative",),
    "inference.asking.panel": ("Answers", "Effect", "Effects", "answers", "effects"),
    "inference.asking.sensitivity": ("Influence", "Sensitivity"),
    "inference.experts.judgements": ("RowJudgement", "read_judgements"),
    "inference.experts.row_disputes": ("RowDispute", "row_disputes"),
    "learning.bootstrap": ("Bootstrap", "bootstrap"),
    "learning.data_learner": ("Learned",),
    "learning.learn": ("learn",),
    "learning.score_lists": ("Scores", "read_scores"),
    "problem.constraints": ("Constraints",),
    "problem.inputs": ("InputOptions",),
    "problem.strength": ("Strengths", "strengths"),
    "problem.tally": ("Tally",),
    "search.direct": ("DirectOptions",),
    "search.majority": ("MajorityOptions",),
    "search.paper.genetic": ("GeneticOptions",),
    "search.paper.greedy": ("GreedyOptions",),
    "search.paper.min_cut": ("MinCutOptions",),
    "search.run": ("Progress",),
}
"""where the public names are defined"""
_MODULE_OF = {name: module for module, names in _PLACES.items() for name in names}


def __dir__() -> list[str]:
    """Public names only."""
    return [*__all__, "__version__"]


def __getattr__(name: str) -> Any:
    """A public name is imported when it is first used: `import bnfuse` stays fast, and loads only what is needed."""
    if name == "networks":
        return import_module("bnfuse.networks")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'bnfuse' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"bnfuse.{_MODULE_OF[name]}"), name)
    return found
