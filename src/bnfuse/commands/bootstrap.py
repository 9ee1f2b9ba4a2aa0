"""`bnfuse bootstrap`: from a table of data to one network that many resamples agree on."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse import files
from bnfuse._base.disk import as_text
from bnfuse._base.options import at_least, default_of, one_of
from bnfuse._base.texts import count
from bnfuse.answer.provenance import Origin
from bnfuse.answer.question import Question, method_name
from bnfuse.answer.result import Consensus
from bnfuse.commands._console import INTERRUPTED, AsJson, Force, examples, note, print_json, reporting, say, working
from bnfuse.commands._data_file import DataFile, TableOptions
from bnfuse.commands._grouped import grouped
from bnfuse.commands._long_runs import LongRunOptions
from bnfuse.commands._output import (
    STANDARD,
    Output,
    Written,
    beside,
    check_kept,
    check_names,
    check_network_output,
    name_for,
    write_output,
)
from bnfuse.commands._parameters import Prior, em_progress
from bnfuse.commands._search import AskedOptions, MaxClique, TallyMethodOptions
from bnfuse.commands._stability import print_stability
from bnfuse.commands.consensus import facts_of, print_summary, searched
from bnfuse.commands.learn import ClimbOptions
from bnfuse.commands.report import ReportOptions
from bnfuse.commands.tally import check_tally_output
from bnfuse.data.numeric import NumericData
from bnfuse.errors import FileError, OptionError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network
from bnfuse.inference.parameters import checked_prior
from bnfuse.learning.bootstrap import RESAMPLE_EFFORT, Bootstrap
from bnfuse.learning.bootstrap import bootstrap as resampled
from bnfuse.learning.data_learner import EFFORTS, METHODS, LearnOptions
from bnfuse.problem.inputs import Inputs
from bnfuse.problem.problem import Problem
from bnfuse.problem.strength import Strengths, check_strengths
from bnfuse.problem.tally import Tally
from bnfuse.search.direct import DirectOptions
from bnfuse.search.majority import MajorityOptions

EXAMPLES = examples(
    "bnfuse bootstrap examples/patients.csv --max-clique 4 -o consensus.bif",
    "bnfuse bootstrap examples/patients.csv --resamples 1000 --report report.html",
    "bnfuse bootstrap examples/patients.csv --strength s.csv   # a table for R",
    "bnfuse bootstrap examples/patients.csv --method direct --metric shd -o c.bif",
    "bnfuse bootstrap examples/patients.csv --score bdeu --threshold 0.7",
    'bnfuse bootstrap examples/patients.csv --forbid "Cough->Age" --max-parents 3',
    "bnfuse bootstrap examples/patients.csv --tally north.tally  # add up sites",
    "bnfuse bootstrap examples/patients.csv --ensemble boot.json.gz --json",
    "bnfuse bootstrap examples/patients.csv --store boot.store --workers 2",
)

_ENSEMBLES = (".json", ".json.gz")
_LEARNING = 0.75  # of the time limit; the search for the consensus has the rest
_LEAST_SEARCH = 0.01  # seconds; a search that is cut at once still has the majority vote


@dataclass(frozen=True, slots=True)
class KeptOptions:
    """The files to write about the networks of the resamples, in addition to their consensus."""

    ensemble: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save all networks, as .json or .json.gz; only this needs memory for all of them."
        ),
    ] = None
    tally: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save the counts of their arcs, as .tally or .tally.gz, for bnfuse consensus."
        ),
    ] = None
    strength: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save the strengths of all arcs, as .csv: from,to,strength,direction and more."
        ),
    ] = None

    @property
    def paths(self) -> dict[str, Path | None]:
        """The paths by their flags."""
        return {f"--{name}": path for name, path in asdict(self).items()}

    def check(self, force: bool) -> None:
        """Refuse files that could not be written, before the learning."""
        if self.ensemble is not None:
            if not self.ensemble.name.lower().endswith(_ENSEMBLES):
                raise FileError(
                    self.ensemble, f"an ensemble is written to a file that ends in {' or '.join(_ENSEMBLES)}"
                )
            files.check_output(self.ensemble, force)
        if self.tally is not None:
            check_tally_output(self.tally, force)
        if self.strength is not None:
            check_strengths(self.strength, force)

    def write(self, networks: Sequence[Network], tally: Tally, force: bool) -> None:
        """Write it."""
        if self.ensemble is not None:
            files.write(networks, self.ensemble, overwrite=force)
        if self.tally is not None:
            tally.save(self.tally, overwrite=force)
        if self.strength is not None:
            Strengths(tally).write(self.strength, overwrite=force)

    def tell(self) -> None:
        """Report what was written."""
        for what, path in zip(("all networks", "their tally", "strengths"), self.paths.values(), strict=True):
            if path is not None:
                say(f"wrote {path}: {what}")

    def facts(self) -> dict[str, Any]:
        """The JSON output about the written files."""
        return {name: None if path is None else str(path) for name, path in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class VoteOptions(TallyMethodOptions):
    """The method and its options, with the vote first: its arcs were measured to be nearer to the truth."""

    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="majority (the arcs that most resamples have, within the limit) or direct (the network closest "
            "to all of them).",
        ),
    ] = "majority"


@dataclass(frozen=True, slots=True)
class ResampleOptions(ClimbOptions):
    """How a network is learned from a resample."""

    learning_max_clique: Annotated[
        int | None,
        typer.Option(metavar="SIZE", help="The largest clique in the network of a resample.", show_default="any"),
    ] = None
    learning_method: Annotated[
        str, typer.Option(metavar="NAME", help="How these networks are searched: anneal or climb (hill climbing).")
    ] = default_of(LearnOptions, "method")
    learning_effort: Annotated[
        str,
        typer.Option(metavar="NAME", help="How long annealing searches for each of them: quick, normal or thorough."),
    ] = RESAMPLE_EFFORT

    def prepared(
        self, data: Path, table: TableOptions, resamples: int, question: Question, long_run: dict[str, Any]
    ) -> Bootstrap:
        """The resamples of data, before anything is learned; seed, limits and constraints are those of the search."""
        rules, run = question.constraints, question.run
        limit = self.learning_max_clique
        score: Any = self.score  # as it was typed: its recipient checks it
        return resampled(
            data,
            resamples,
            seed=run.seed,
            threads=run.threads,
            time_limit=None if run.time_limit is None else _LEARNING * run.time_limit,
            score=score,
            max_clique=None if limit is None else at_least("learning_max_clique", limit, 1),
            sample_size=self.sample_size,
            method=one_of("learning_method", self.learning_method, METHODS),  # type: ignore[arg-type]
            effort=one_of("learning_effort", self.learning_effort, EFFORTS),  # type: ignore[arg-type]
            tabu=self.tabu,
            restarts=self.restarts,
            gaussian=self.gaussian,
            alpha_mu=self.alpha_mu,
            alpha_w=self.alpha_w,
            required=rules.required,
            forbidden=rules.forbidden,
            tiers=rules.tiers,
            max_parents=rules.max_parents,
            **asdict(table.options()),
            **long_run,
        )


@grouped
def bootstrap(
    context: typer.Context,
    data: DataFile,
    resamples: Annotated[int, typer.Option(metavar="NUMBER", help="How many networks to learn.")] = 200,
    max_clique: MaxClique = default_of(Problem, "max_clique"),
    output: Output = None,
    kept: KeptOptions = KeptOptions(),
    reporting: ReportOptions = ReportOptions(),  # noqa: B008
    table: TableOptions = TableOptions(),  # noqa: B008
    long_run: LongRunOptions = LongRunOptions(),  # noqa: B008
    learning: ResampleOptions = ResampleOptions(),
    method: VoteOptions = VoteOptions(),
    search: AskedOptions = AskedOptions(),  # noqa: B008
    prior: Prior = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Learn many networks from data, and find their consensus.

    A network learned from data depends on the rows: with others, arcs appear, disappear and change direction. So the
    rows are resampled many times (drawn with replacement, as many as there are), and a network is learned from each
    resample. Their consensus, within the clique limit, has the arcs that most of them have; with --method direct it is
    the network that is closest to all of them. Its tables come from all rows.

    The strength of an arc is the share of the networks that join its two variables, in either direction; its direction
    is the share of these that have it in this direction. A network whose equivalence class leaves the direction free
    counts half for each direction.

    Constraints hold in every network. Ctrl-C and the time limit give the consensus of the networks so far. Memory does
    not grow with the number of resamples, unless --ensemble keeps them. With --store, the same
    command continues a run that ended early.
    """
    _check_outputs({"-o": output, "--store": long_run.store}, kept, reporting, [data, *search.files], force)
    if output is not None:
        check_network_output(output, force, as_json)
    question = search.question(max_clique, method)
    _check_counts_suffice(question)
    origin = Origin.now([data, *search.files], context.obj or ())
    with working("reading the data"):
        kept_on_the_way = long_run.arguments(kept.ensemble is not None)
        runs = learning.prepared(data, table, resamples, question, kept_on_the_way)
    checked_prior(prior or 0.0)
    is_gaussian = isinstance(runs.data, NumericData)
    check_names(output, runs.data)
    question = replace(question, states=dict(runs.data.states))
    _check_question(runs.data.variables, question)
    networks = _learned(runs, search.time_limit, kept.ensemble is not None)
    kept.write(networks, runs.tally, force)
    if search.time_limit is not None:
        left = max(question.run.clock.left, _LEAST_SEARCH)
        question = replace(question, run=replace(question.run, time_limit=left))
    with_frontier = reporting.frontier and runs.stopped_by != "interrupted"
    result = searched(runs.tally, question, with_frontier)
    result = replace(result, origin=origin).noted(*_provenance(runs, data))
    is_kept = output is not None and (output == STANDARD or files.holds_parameters(output, is_gaussian))
    if reporting.is_wanted or is_kept:
        with em_progress() as progress:
            result = result.fit(runs.data, prior, progress)
    written = None
    if output is not None:
        network = result.parameters.network if result.parameters else result.structure
        written = write_output(network.renamed(name_for(output)).marked("consensus"), output, force)
    reported = reporting.write(result, force)
    _Outcome(data, learning.judged_by, runs, result, written, kept, long_run, reported).tell(as_json)


def _check_outputs(
    outputs: dict[str, Path | None],
    kept: KeptOptions,
    reporting: ReportOptions,
    inputs: Sequence[Path],
    force: bool,
) -> None:
    """Refuse files that could not be written, before anything is read."""
    check_kept({**outputs, "--report": reporting.report, "--save": reporting.save, **kept.paths}, inputs, force)
    reporting.check(force, outputs["-o"], inputs)
    kept.check(force)


def _check_counts_suffice(question: Question) -> None:
    """Refuse an option that needs the networks themselves, and name the command that has it."""
    method = question.method
    needy = None if isinstance(method, DirectOptions | MajorityOptions) else f"--method {method_name(method)}"
    if question.metric == "fsim":
        needy = "--metric fsim"
    if needy is not None:
        raise OptionError(
            f"{needy} needs the networks themselves, and here they are only counted: keep them with --ensemble "
            f"boot.json.gz, then run bnfuse consensus boot.json.gz {needy}"
        )


def _check_question(variables: Sequence[str], question: Question) -> None:
    """Refuse a question that has no answer, whatever is learned: every network will have the required arcs."""
    required = DAG(variables, question.constraints.required)
    question.problem(Inputs.of(Tally.of([required], [1]), states=question.states))


def _learned(runs: Bootstrap, time_limit: float | None, are_kept: bool) -> list[Network]:
    """Learn from all resamples, or from as many as time allows; the networks, if they are kept."""
    networks = []
    with _learning_bar(runs) as show:
        try:
            for network in runs:
                if are_kept:
                    networks.append(network)
                show(runs.done)
        except KeyboardInterrupt:  # between two networks
            if not runs.done:
                raise
            runs.stopped_by = "interrupted"
    if not runs.done:
        raise OptionError(f"--time-limit {time_limit:g}: no network was learned in this time; allow more")
    return networks


def _provenance(runs: Bootstrap, data: Path) -> tuple[str, ...]:
    """The facts about the inputs that a reader of the result or its report needs."""
    name = as_text(data.name)
    inputs = f"the inputs are {count(runs.done, 'network')}, each learned from a resample of the rows of {name}"
    short = f" ({runs.resamples:,} were wanted)" if runs.done < runs.resamples else ""
    return f"{inputs}{short}", *runs.notes


@contextlib.contextmanager
def _learning_bar(runs: Bootstrap) -> Iterator[Callable[[int], None]]:
    """How many networks there are and, on a terminal, the time left."""
    if not sys.stderr.isatty():
        with reporting("learning") as tell:
            yield lambda done: tell(f"{done:,} of {runs.resamples:,} networks")
        return
    from rich import progress as bars  # noqa: PLC0415 - keeps the start fast
    from rich.console import Console  # noqa: PLC0415

    columns = (
        bars.TextColumn("learning"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=runs.resamples, completed=runs.done)
        yield lambda done: bar.update(task, completed=done)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The final output."""

    data: Path
    score: str
    runs: Bootstrap
    result: Consensus
    written: Written | None
    kept: KeptOptions
    long_run: LongRunOptions
    reported: ReportOptions

    def tell(self, as_json: bool) -> None:
        """Print it; the exit code shows whether the run was interrupted."""
        if as_json:
            print_json("bootstrap", self._facts())
        else:
            with beside(None if self.written is None else self.written.path):
                self._print()
        said = _provenance(self.runs, self.data)[:1]
        if self.result.parameters is not None and not as_json:
            said = (*said, self.result.parameters.notes[0])
        for text in self.result.notes:
            if text not in said:
                note(text)
        stopped_by = (self.runs.stopped_by, self.result.stopped_by)
        if self.runs.stopped_by != "finished":
            why = "interrupted" if "interrupted" in stopped_by else "stopped by the time limit"
            note(f"{why}: this is the consensus of {self.runs.done:,} of {count(self.runs.resamples, 'resample')}")
            self.long_run.tell_how_to_go_on()
        elif self.result.stopped_by != "finished":
            why = "interrupted" if "interrupted" in stopped_by else "stopped by the time limit"
            note(f"{why}: this is the best network so far")
        if "interrupted" in stopped_by:
            raise typer.Exit(INTERRUPTED)

    def _print(self) -> None:
        runs, result = self.runs, self.result
        say(
            f"{self.data}: {count(len(runs.data), 'row')} of {count(len(runs.data.variables), 'variable')}; "
            f"{count(runs.done, 'resample')}, {self._mean_arcs:.1f} arcs each on average ({self.score.upper()})"
        )
        print_summary(result, count(runs.done, "network"))
        print_stability(result)
        if result.parameters is not None:
            say(result.parameters.notes[0])
        say("the network was not written: -o FILE writes it" if self.written is None else str(self.written))
        self.kept.tell()
        self.long_run.tell(runs)
        self.reported.tell()

    @property
    def _mean_arcs(self) -> float:
        return int(self.runs.tally.arcs.sum()) / self.runs.done

    def _facts(self) -> dict[str, Any]:
        strengths = Strengths(self.runs.tally)
        return {
            **facts_of(self.result),
            "rows": len(self.runs.data),
            "cuts": self.runs.data.cuts,
            "score": self.score,
            "resamples": {
                "wanted": self.runs.resamples,
                "done": self.runs.done,
                "stopped_by": self.runs.stopped_by,
                "mean_arcs": self._mean_arcs,
            },
            "threshold": strengths.threshold,
            "strengths": [one.facts for one in strengths.arcs],
            "output": None if self.written is None else self.written.facts(),
            **self.reported.facts(),
            **self.kept.facts(),
            **self.long_run.facts(self.runs),
        }
