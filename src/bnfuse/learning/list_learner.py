"""Structures learned from lists of scored parent sets: the same search, with the scores given."""

from __future__ import annotations

import numpy as np

from bnfuse import _kernel
from bnfuse._base.options import option_name
from bnfuse.errors import ConstraintError, OptionError
from bnfuse.fusion.table_sizes import check_table_limit
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network
from bnfuse.learning.data_learner import (
    EFFORTS,
    MOST_PROVEN_NODES,
    Learned,
    LearnOptions,
    check_provable,
    named_order,
    required_fit,
    rules_of,
    with_proof,
)
from bnfuse.learning.score_lists import Scores, arrays_of
from bnfuse.problem.constraints import Constraints
from bnfuse.search.run import Run


class ListLearner:
    """Learns from scores of parent sets under some options."""

    def __init__(self, scores: Scores, options: LearnOptions, constraints: Constraints) -> None:
        if options.method != "anneal":
            raise OptionError(
                f"{option_name('method')} {options.method} needs data; score lists need {option_name('method')} anneal"
            )
        if options.gaussian:
            raise OptionError(f"{option_name('gaussian')} is for tables of numbers; the list has scores")
        if options.score != LearnOptions().score or options.sample_size != LearnOptions().sample_size:
            raise OptionError(
                f"{option_name('score')} and {option_name('sample_size')} are for data; the list has scores"
            )
        self.scores, self.options = scores, options
        self._limit = min(options.max_clique or len(scores.variables), len(scores.variables))
        self._rules = rules_of(scores.variables, constraints, self._limit)
        self._check_required(constraints)
        self._max_parents = len(scores.variables) if constraints.max_parents is None else constraints.max_parents
        self._states = self._known_states()

    def search(self, seed: int) -> _kernel.SetSearch:
        """A search to be run round by round."""
        return _kernel.SetSearch(
            *arrays_of(self.scores),
            self._rules,
            self._limit,
            min(self._max_parents, 2**30),
            np.array(self._states, np.int64),
            self.options.max_table or 0,
            EFFORTS[self.options.effort],
            seed,
        )

    def learned(self, run: Run, *, prove: bool = False) -> Learned:
        """The best network of all rounds; the best so far when the time is up or Ctrl-C is pressed."""
        variables = self.scores.variables
        if prove:
            check_provable(len(variables))
        with required_fit(self.options):
            search = self.search(run.seed)
        stopped_by = "finished"
        while not search.is_done and stopped_by == "finished":
            score, rows, order, stopped_by = search.round(run.thread_count, run.clock.left)
        network = Network(DAG.trusted(variables, rows))
        found = Learned(network, score, named_order(order, variables, self.options), (), stopped_by)
        if prove and stopped_by == "finished":
            found = with_proof(found, search.proved(MOST_PROVEN_NODES, run.clock.left), variables)
        return found

    def _known_states(self) -> tuple[int, ...]:
        if self.options.max_table is None:
            return ()
        if self.scores.states is None:
            raise OptionError(
                f"{option_name('max_table')} needs the number of states of each variable, which this list does not "
                f"have: give them with {option_name('states')}, or limit {option_name('max_clique')} instead"
            )
        counts = dict(zip(self.scores.variables, self.scores.states, strict=True))
        check_table_limit("max_table", self.options.max_table, counts)
        return self.scores.states

    def _check_required(self, constraints: Constraints) -> None:
        """A required set that is not listed has no known score."""
        required = DAG(self.scores.variables, constraints.required)
        for name in self.scores.variables:
            parents = set(required.parents(name))
            if parents and not any(set(own) == parents for _, own in self.scores.sets(name)):
                raise ConstraintError(
                    f"the list has no score for {name} with exactly its required parents {', '.join(sorted(parents))}; "
                    "pruned lists leave such sets out"
                )
