"""What the commands that give a structure its tables share."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from bnfuse._base.options import help_of
from bnfuse.answer.judged import finished_with
from bnfuse.answer.result import Consensus
from bnfuse.commands._console import reporting
from bnfuse.commands._inputs import read_networks
from bnfuse.data.data import Data, RowOptions, as_noted_data
from bnfuse.data.numeric import NumericData, read_numeric
from bnfuse.errors import FileError, MismatchError, OptionError
from bnfuse.files import Input
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network, shared_states
from bnfuse.inference.experts.judgements import INPUT_CASES, RowJudgement, checked_input_cases, read_judgements
from bnfuse.inference.gaussian.either import are_gaussian, check_poolable, refuse_judgements
from bnfuse.inference.parameters import EMProgress, checked_prior
from bnfuse.problem.tally import Tally

Prior = Annotated[
    float | None,
    typer.Option(
        metavar="ROWS",
        help="Weight of the prior on estimates from data, as an equivalent number of rows; 0: maximum likelihood. On "
        "tables it is uniform; in a Gaussian network, it shrinks coefficients towards 0.",
        show_default="1 for tables, 0 for a Gaussian network",
    ),
]
Gaussian = Annotated[
    bool,
    typer.Option(
        "--gaussian",
        help="Keep numbers as numbers: fit a Gaussian network, in which each variable is linear in its parents.",
    ),
]
_OF_DATA = "With --fit:"
FittedMissingLabel = Annotated[
    list[str] | None,
    typer.Option(metavar="LABEL", help=help_of(RowOptions, "na", before=_OF_DATA, after=" Repeatable.")),
]
FittedRowWeights = Annotated[
    str | None, typer.Option(metavar="COLUMN", help=help_of(RowOptions, "weights", before=_OF_DATA))
]
JudgementFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Experts' judgements of rows of the tables, each with an equivalent number of cases: JSON, such as "
        '[{"variable": "COPD", "given": {"Smoker": "never"}, "probabilities": {"yes": 0.1, "no": 0.9}, "cases": 20}].',
    ),
]
NetworkFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="One network: BIF, XMLBIF, NET, DSL, XDSL, UAI or Gaussian JSON, also as .gz; - is the standard input.",
        show_default=False,
    ),
]


def read_one(path: Path) -> Network:
    """The network of a file that holds one."""
    networks = read_networks([path])
    if len(networks) > 1:
        raise FileError(path, f"holds {len(networks):,} networks; give a file that holds one")
    return networks[0]


@contextlib.contextmanager
def em_progress() -> Iterator[EMProgress]:
    """The iterations of expectation maximisation as they arrive, if there are any."""

    def told(iteration: int, log_likelihood: float) -> str:
        return f"iteration {iteration}  log-likelihood {log_likelihood:,.2f}"

    if not sys.stderr.isatty():
        with reporting("fitting") as tell:
            yield lambda *now: tell(told(*now))
        return
    from rich.console import Console  # noqa: PLC0415 - keeps the start fast

    with Console(stderr=True).status("fitting ...") as status:
        yield lambda *now: status.update(told(*now))


Rows: TypeAlias = tuple[Data | NumericData, tuple[str, ...]]
"""Data, and notes on them."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Where the tables of a consensus come from."""

    fit: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Estimate the tables from data: CSV (also .gz) or Parquet, with a column for each variable.",
        ),
    ] = None
    na: FittedMissingLabel = None
    weights: FittedRowWeights = None
    gaussian: Gaussian = False
    prior: Prior = None
    pool: Annotated[
        bool | None,
        typer.Option(
            "--pool/--no-pool",
            help="Pool the tables of the inputs that have any, as close to their mixture as possible. --no-pool: the "
            "structure.",
            show_default="pool if any input has tables",
        ),
    ] = None
    judgements: JudgementFile = None
    input_cases: Annotated[
        float,
        typer.Option(metavar="CASES", help="With --judgements: how many cases an input of weight 1 counts as."),
    ] = INPUT_CASES

    @property
    def files(self) -> list[Path]:
        """The files that it reads."""
        return [file for file in (self.fit, self.judgements) if file is not None]

    def said(self) -> list[RowJudgement]:
        """The judgements, which are about rows of tables."""
        if self.judgements is None:
            if self.input_cases != INPUT_CASES:
                raise OptionError("--input-cases is for --judgements FILE, which says what experts think of rows")
            return []
        if self.pool is False and self.fit is None:
            raise OptionError("--judgements are about tables, and --no-pool leaves them out; use one of them")
        if self.fit is not None and self.input_cases != INPUT_CASES:
            raise OptionError(
                "--input-cases is for tables pooled from the inputs; with --fit, the rows of data are the cases"
            )
        checked_input_cases(self.input_cases)
        return read_judgements(self.judgements)

    def checked(self, inputs: Sequence[Input | Tally], variables: Sequence[str]) -> Rows | None:
        """The data to fit, and notes on them; their problems, and those of inputs to pool, come before the search."""
        networks = [one for one in inputs if isinstance(one, Network)]
        if self.fit is not None and self.pool:
            raise OptionError("--fit and --pool both give the tables; use one of them")
        if self.fit is None:
            self._refuse_options_of_data()
        checked_prior(self.prior or 0.0)
        if self.fit is not None:
            if not self.makes_gaussian(inputs):
                asked = RowOptions(self.na or None, self.weights)  # type: ignore[arg-type]
                return as_noted_data(self.fit, variables, shared_states(networks), asked=asked)
            refuse_judgements(self.judgements)
            numbers = read_numeric(self.fit, columns=variables, na=self.na or None, weights=self.weights)
            return numbers, numbers.notes
        if self.pool:
            if not networks:
                raise OptionError("--pool needs the networks themselves; a tally has no tables")
            if not (tabled := _with_tables(inputs)):
                raise OptionError("--pool needs an input with tables, and none has any; --fit FILE estimates them")
            check_poolable(DAG(variables), tabled)
        return None

    def _refuse_options_of_data(self) -> None:
        given = {"--prior": self.prior is not None, "--gaussian": self.gaussian, "--na": bool(self.na)}
        for option in (name for name, is_given in given.items() if is_given):
            raise OptionError(f"{option} is for --fit FILE, the data to estimate tables or numbers from")
        if self.weights is not None:
            raise OptionError(
                "--weights is for --fit FILE and names a column of it; --weight NAME=NUMBER is for an input"
            )

    def makes_gaussian(self, inputs: Sequence[Input | Tally]) -> bool:
        """Whether the parameters, if there are any, will be those of a Gaussian network."""
        return self.gaussian or are_gaussian(_with_tables(inputs))

    def can_be_had(self, inputs: Sequence[Input | Tally], variables: Sequence[str]) -> bool:
        """Whether there will be tables, as far as this is known before the search."""
        if self.fit is not None or self.pool is False:
            return self.fit is not None
        with contextlib.suppress(MismatchError, OptionError):
            check_poolable(DAG(variables), _with_tables(inputs))
            return True
        return False

    def given_to(
        self, result: Consensus, data: Rows | None, judgements: list[RowJudgement], by_default: bool
    ) -> Consensus:
        """The result with its tables; `by_default` if nobody asked for them."""
        if data is not None:
            rows, said = data
            with em_progress() as progress:
                fitted = result.fit(rows, self.prior, progress, judgements=judgements)
            assert fitted.parameters is not None
            noted = replace(fitted.parameters, notes=(*fitted.parameters.notes, *said))
            return replace(fitted, parameters=noted, notes=(*fitted.notes, *said))
        if self.pool:
            return result.pool(judgements=judgements, input_cases=self.input_cases)
        if judgements:
            return finished_with(result, judgements, self.input_cases)
        return result.finished if self.pool is None and by_default else result


def _with_tables(inputs: Sequence[Input | Tally]) -> list[Network]:
    """The inputs whose tables can be pooled."""
    return [one for one in inputs if isinstance(one, Network) and one.has_parameters]
