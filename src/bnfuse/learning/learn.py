"""`bnfuse.learn`: from data, or from scores of parent sets, to one network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Unpack

from bnfuse._base.options import option_name, parameters_of, refuse_unknown, spelled_out, taken
from bnfuse._base.public import public
from bnfuse.data.data import DataLike
from bnfuse.data.raw_table import RawDataArguments, RawDataOptions
from bnfuse.errors import OptionError
from bnfuse.learning.data_learner import Learned, LearnOptions
from bnfuse.learning.gaussian.learner import learner_of, read_table
from bnfuse.learning.list_learner import ListLearner
from bnfuse.learning.score_lists import Scores, is_score_list, read_scores
from bnfuse.problem.constraints import Arc, Constraints, Forbidden
from bnfuse.search.run import Run


@public
@spelled_out
def learn(
    data: DataLike | Scores,
    score: Literal["bic", "aic", "bdeu", "loglik", "bge", "bic-g"] | None = None,
    *,
    max_clique: int | None = None,
    required: Sequence[Arc] = (),
    forbidden: Sequence[Forbidden] = (),
    tiers: Sequence[Sequence[str]] = (),
    max_parents: int | None = None,
    sample_size: float = 1.0,
    max_table: int | str | None = None,
    method: Literal["anneal", "climb"] = "anneal",
    effort: Literal["quick", "normal", "thorough"] = "normal",
    tabu: int | None = None,
    restarts: int | None = None,
    gaussian: bool = False,
    alpha_mu: float = 1.0,
    alpha_w: float | None = None,
    prove: bool = False,
    seed: int = 0,
    threads: int | None = None,
    time_limit: float | None = None,
    **table: Unpack[RawDataArguments],
) -> Learned:
    """Learn the structure of a network from data or from scores of parent sets, within limits.

    Parameters
    ----------
    data
        The path of a CSV or Parquet file, a DataFrame, or Data. Numbers are cut into classes, unless `gaussian`, and
        columns that are not variables (identifiers, dates, free text) are left out; the result's `notes` name them. If
        values are missing, a first network is learned from the rows that have the values needed; then each missing
        value is drawn from the current network, given the rest of its row, and a network is learned again, up to five
        times. The result is the one of these networks that explains the observed values best. Instead of data, scores
        of parent sets: the result of `bnfuse.read_scores`, or the path of a .jkl or .pss file.
    score
        "bic" (the default), "aic", "bdeu" (with the equivalent sample size `sample_size`) or "loglik"; with `gaussian`,
        "bge" (the default, with `alpha_mu` and `alpha_w`) or "bic-g". Not for score lists.
    max_clique
        The largest clique of the triangulated moral graph; the result comes with an elimination order that proves it.
        With 2 the network is the best tree (Chow and Liu, 1968).
    required, forbidden, tiers, max_parents
        Constraints on the network, as in `bnfuse.consensus`.
    sample_size
        The equivalent sample size of the prior of "bdeu".
    max_table
        The largest size of a clique table in numbers (the product of its members' states), or a size such as "64MB".
    method
        "anneal", annealing over parent sets, or "climb", hill climbing over DAGs.
    effort
        How long annealing searches.
    tabu
        For "climb": the number of moves past a local optimum without a better network that end the search (10); no pair
        of variables is changed twice in them.
    restarts
        For "climb": how many times to start again from the best network with some arcs changed at random (5).
    gaussian
        Whether numbers stay numbers: a network in which each variable is a linear function of its parents, with normal
        noise, from a table of numbers alone, which may also be a numpy array or a dict of columns. The result's `notes`
        name relations that do not look linear. It has no states and no tables.
    alpha_mu, alpha_w
        The normal-Wishart prior of "bge": the number of rows that its mean, that of the data, counts as, and its
        degrees of freedom, more than one plus the number of variables (that number, plus `alpha_mu`, plus 1). Its
        matrix is diagonal: each variance times alpha_mu (alpha_w - variables - 1) / (alpha_mu + 1).
    prove
        Whether to continue with a proof, by dynamic programming, that no network has a higher score: for at most 64
        variables and data without missing values. The result's `bound` is then a score that no network exceeds; it
        takes limits into account only for single families.
    seed
        The same seed gives the same network, on any number of threads. It decides between equal networks.
    threads
        How many threads to use.
    time_limit
        Seconds after which the best network so far is returned. Ctrl-C returns it too.
    **table
        How the table becomes data, discrete unless `gaussian`: `bins`, `binning`, `missing`, `keep`, `cut`,
        `leave_out`, `na`, `weights`, `group`, as in `bnfuse.discretised`.

    Returns
    -------
    Learned
        The structure, its score, and notes.

    Raises
    ------
    OptionError
        An option is invalid.
    ConstraintError
        Constraints contradict each other.
    FileError
        The data cannot be read.
    MismatchError
        The table leaves too few variables.

    References
    ----------
    Chow, Liu: Approximating discrete probability distributions with dependence trees. IEEE Transactions on Information
    Theory 14, 1968.

    Geiger, Heckerman: Parameter priors for directed acyclic graphical models and the characterization of several
    probability distributions. Annals of Statistics 30, 2002. With the correction of Kuipers, Moffa, Heckerman: Addendum
    on the scoring of Gaussian directed acyclic graphical models. Annals of Statistics 42, 2014: "bge".

    Malone, Yuan, Hansen, Bridges: Improving the scalability of optimal Bayesian network learning with external-memory
    frontier breadth-first branch and bound search. UAI 2011.

    Tanner, Wong: The Calculation of Posterior Distributions by Data Augmentation. Journal of the American Statistical
    Association 82, 1987: draws alternate with learning.

    Examples
    --------
    >>> import bnfuse
    >>> network = bnfuse.Network(
    ...     bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
    ...     states={"Smoker": ("yes", "no"), "Cancer": ("yes", "no")},
    ...     cpts={"Smoker": [0.3, 0.7], "Cancer": [[0.9, 0.1], [0.1, 0.9]]},
    ... )
    >>> bnfuse.learn(network.sample(500), required=[("Smoker", "Cancer")]).dag.edges
    (('Smoker', 'Cancer'),)
    """
    options = LearnOptions(
        score,  # type: ignore[arg-type]
        max_clique,
        sample_size,
        max_table,  # type: ignore[arg-type]
        method,
        effort,
        tabu,
        restarts,
        gaussian,
        alpha_mu,
        alpha_w,
    )
    constraints = Constraints(required, forbidden, tiers, max_parents)
    rows = RawDataOptions(**taken(rest := dict(table), RawDataOptions))
    refuse_unknown(rest, parameters_of(learn))
    run = Run(seed, threads, time_limit)
    if is_score_list(data):
        data = read_scores(data)  # type: ignore[arg-type]
    if isinstance(data, Scores):
        for name in table:
            raise OptionError(f"{option_name(name)} is for tables of data, not for scores of parent sets")
        return ListLearner(data, options, constraints).learned(run, prove=prove)
    learner = learner_of(read_table(data, rows, options), options, constraints)
    if prove:
        learner.check_provable()
    found = learner.learned(run)
    return learner.proved(found, run) if prove and found.stopped_by == "finished" else found
