"""The heaviest choice of 0-1 variables under inequalities that are found on demand: branch and cut, by SCIP.

Bounds are proven, up to the solver's tolerances: weights are whole numbers, and its values are rounded to them. The
same program takes the same path on every run; only the time limit and Ctrl-C can end it earlier.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bnfuse._base.optional import optional
from bnfuse.search.run import Clock

Choice = npt.NDArray[np.float64]
Terms = Mapping[int, int]
"""Coefficients by the number of the variable."""
Rows = Sequence[tuple[Terms, int]]
"""Inequalities: the sum of variables times coefficients is at most the limit."""

PURPOSE = "proving how good a consensus is"
_TOLERANCE = 1e-6


class Program(Protocol):
    """The weights to maximise, and the function that finds the inequalities that a choice breaks."""

    weights: Sequence[int]
    rows: Rows
    """the inequalities that are there from the start"""
    fixed: Sequence[int]
    """variables that are 1"""
    is_downward: bool
    """whether every subset of an allowed choice is allowed too"""

    def broken(self, choice: Choice, is_whole: bool, is_root: bool) -> Rows:
        """Inequalities that a choice breaks; at least one for a complete choice that is not allowed."""
        ...

    def allows(self, choice: Choice) -> bool:
        """Whether a complete choice is allowed; the initial inequalities need not be checked."""
        ...


@dataclass(frozen=True, slots=True)
class Maximum:
    """The result of a run."""

    bound: int
    """a proven bound: no allowed choice weighs more"""
    best: Choice | None
    """the heaviest choice that was found, if any is heavier than the known one"""
    stopped_by: str
    nodes: int


def maximise(
    program: Program, known: int, most: int, clock: Clock, tell: Callable[[int], None] | None = None
) -> Maximum:
    """The heaviest choice, given that one of weight `known` exists and that none weighs more than `most`.

    `tell` receives the bound from time to time.
    """
    step = int(np.gcd.reduce(np.array(program.weights, np.int64), initial=0)) or 1
    solver = _Solver(program, step, known, most, clock, tell)
    return solver.run()


class _Solver:
    """One run of SCIP: its callbacks, and their errors."""

    def __init__(
        self, program: Program, step: int, known: int, most: int, clock: Clock, tell: Callable[[int], None] | None
    ) -> None:
        self._scip = optional("pyscipopt", PURPOSE, "exact")
        self._program, self._step, self._known, self._most = program, step, known, most
        self._clock, self._tell = clock, tell
        self._told = clock.seconds
        self._last_bound = most
        self._stopped_by = "finished"
        self._failure: Exception | None = None
        self._model = self._scip.Model()
        self._variables = self._set_up()

    def _set_up(self) -> list[Any]:
        model, program = self._model, self._program
        model.hideOutput()
        variables = [model.addVar(vtype="B", obj=float(weight // self._step)) for weight in program.weights]
        model.setMaximize()
        for i in program.fixed:
            model.chgVarLb(variables[i], 1.0)
        for terms, limit in program.rows:
            model.addCons(self._scip.quicksum(factor * variables[i] for i, factor in terms.items()) <= limit)
        handler = _handler_class()(self)
        order = {"sepapriority": 1, "enfopriority": -1, "chckpriority": -1, "sepafreq": 1}
        model.includeConshdlr(
            handler, "limit", "all that is not a row", **order, propfreq=-1, eagerfreq=-1, needscons=False
        )
        general = [name for name in model.getParams() if name.startswith(("separating/", "heuristics/"))]
        settings = {
            # SCIP's own inequalities and heuristics know little about this problem: they took time without any gain.
            **{name: -1 for name in general if name.endswith("/freq")},
            # A good choice is known, so the bound matters, and the node with the worst bound always comes next.
            "nodeselection/bfs/stdpriority": 1_000_000,
            "nodeselection/bfs/minplungedepth": 0,
            "nodeselection/bfs/maxplungedepth": 0,
            "separating/maxstallroundsroot": 100,
            "separating/maxrounds": 3,  # below the root: more took longer than the nodes that they saved
            "misc/allowstrongdualreds": False,  # they would not take later inequalities into account
            "misc/allowweakdualreds": False,
            "misc/catchctrlc": False,
            "presolving/maxrounds": 0,
            "randomization/randomseedshift": 0,
        }
        model.setParams(settings)
        if not math.isinf(self._clock.left):
            model.setParam("limits/time", max(self._clock.left, 1e-3))
        model.setObjlimit(self._known // self._step + 0.5)
        return variables

    def run(self) -> Maximum:
        """Solve, and summarise the result."""
        try:
            self._model.optimizeNogil()
        except Exception:
            if self._failure is None:
                raise
        if self._failure is not None:
            raise self._failure
        model = self._model
        status = model.getStatus()
        is_done = status in ("infeasible", "optimal") and self._stopped_by == "finished"
        stopped_by = "time limit" if status == "timelimit" else self._stopped_by
        best = None
        if model.getNSols() and round(model.getObjVal()) * self._step > self._known:
            solution = model.getBestSol()
            best = np.array([round(model.getSolVal(solution, one)) for one in self._variables], np.float64)
        found = self._known if best is None else round(model.getObjVal()) * self._step
        # The result of a callback after the request to end may have misled SCIP: the bound is the one from before.
        proven = self._bound() if self._stopped_by == "finished" else self._last_bound
        bound = found if is_done else max(found, proven)
        return Maximum(bound, best, stopped_by, int(model.getNTotalNodes()))

    def _bound(self) -> int:
        dual = self._model.getDualbound()
        if abs(dual) >= self._model.infinity():
            return self._most
        slack = _TOLERANCE + 1e-9 * sum(abs(weight) for weight in self._program.weights) / self._step
        bound: int = max(min(math.floor(dual + slack) * self._step, self._most), self._known)
        return bound

    # SCIP's callbacks

    def separate(self, is_whole: bool) -> str | None:
        """Add inequalities that the current solution breaks; return the outcome, None if there are none."""
        rows: Rows = []
        if self._goes_on():
            rows = self._program.broken(self._values(None), is_whole, self._model.getDepth() == 0)
        if not rows and not self._goes_on():  # in that case, finding none proves nothing
            return "INFEASIBLE" if is_whole else None
        is_over = False
        for terms, limit in rows:
            is_over |= self._add(terms, limit)
        return "CUTOFF" if is_over else "SEPARATED" if rows else None

    def allows(self, solution: Any) -> bool:
        """Whether a solution that SCIP found is allowed."""
        return self._goes_on() and self._program.allows(self._values(solution))

    def lock(self, down: int, up: int) -> None:
        """Tell SCIP which changes of a variable can break an inequality."""
        for one in self._variables:
            self._model.addVarLocks(one, down if self._program.is_downward else down + up, up + down)

    def guarded(self, work: Callable[[], Any], otherwise: Any) -> Any:
        """Work in a callback: its exceptions must not pass through SCIP."""
        try:
            return work()
        except KeyboardInterrupt:
            self._stopped_by = "interrupted"
        except Exception as error:
            self._failure = error
        self._model.interruptSolve()
        return otherwise

    def _goes_on(self) -> bool:
        if self._failure is not None or self._stopped_by != "finished":
            return False
        if self._clock.is_out:
            self._stopped_by = "time limit"
            self._model.interruptSolve()
            return False
        self._last_bound = self._bound()
        if self._tell is not None and self._clock.seconds > self._told + 0.2:
            self._told = self._clock.seconds
            self._tell(self._last_bound)
        return True

    def _values(self, solution: Any) -> Choice:
        value = self._model.getSolVal
        return np.array([value(solution, one) for one in self._variables], np.float64).clip(0.0, 1.0)

    def _add(self, terms: Terms, limit: int) -> bool:
        model = self._model
        row = model.createEmptyRowUnspec("limit", lhs=None, rhs=float(limit), local=False)
        model.cacheRowExtensions(row)
        for i, factor in terms.items():
            model.addVarToRow(row, self._variables[i], float(factor))
        model.flushRowExtensions(row)
        is_over = bool(model.addCut(row, forcecut=True))
        model.addPoolCut(row)
        model.releaseRow(row)
        return is_over


@cache
def _handler_class() -> Any:
    """A class that can only be defined once the package is installed."""
    scip = optional("pyscipopt", PURPOSE, "exact")
    results = scip.SCIP_RESULT

    class Handler(scip.Conshdlr):  # type: ignore[misc, name-defined]
        def __init__(self, solver: _Solver) -> None:
            self.solver = solver

        def conssepalp(self, *_: Any) -> dict[str, Any]:
            said = self.solver.guarded(lambda: self.solver.separate(False), None)
            return {"result": getattr(results, said or "DIDNOTFIND")}

        def consenfolp(self, *_: Any) -> dict[str, Any]:
            said = self.solver.guarded(lambda: self.solver.separate(True), "INFEASIBLE")
            return {"result": getattr(results, said or "FEASIBLE")}

        def consenfops(self, *_: Any) -> dict[str, Any]:
            return {"result": results.SOLVELP}

        def conscheck(self, constraints: Any, solution: Any, *_: Any) -> dict[str, Any]:
            is_allowed = self.solver.guarded(lambda: self.solver.allows(solution), False)
            return {"result": results.FEASIBLE if is_allowed else results.INFEASIBLE}

        def conslock(self, constraint: Any, locktype: Any, nlockspos: int, nlocksneg: int) -> None:
            self.solver.guarded(lambda: self.solver.lock(nlocksneg, nlockspos), None)

    return Handler
