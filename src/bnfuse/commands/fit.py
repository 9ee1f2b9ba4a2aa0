"""`bnfuse fit`: the tables of a structure, estimated from data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, Force, examples, note, print_json, print_table, say
from bnfuse.commands._data_file import MissingLabel, RowWeights
from bnfuse.commands._output import STANDARD, Output, beside, check_kept, check_network_output, name_for, write_output
from bnfuse.commands._parameters import Gaussian, JudgementFile, Prior, em_progress, read_one
from bnfuse.files import check_gaussian
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.inference.experts.judgements import read_judgements
from bnfuse.inference.gaussian.either import fit as fit_parameters

EXAMPLES = examples(
    "bnfuse fit examples/clinics/harbour.bif examples/patients.csv -o fitted.bif",
    "bnfuse convert examples/clinics/harbour.bif structure.csv",
    "bnfuse fit structure.csv examples/patients.csv --prior 10 -o fitted.xdsl",
    "bnfuse fit structure.csv examples/patients.csv --prior 0 -o likeliest.bif",
    "bnfuse fit examples/wards/north.json examples/measurements.csv -o ward.json",
)


def fit(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The structure: a network in any format.", show_default=False)
    ],
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="Rows of states: CSV (also .gz) or Parquet, a column for each variable; other columns are left out. "
            "An empty cell, NA, NULL and ? are missing.",
            show_default=False,
        ),
    ],
    output: Output = None,
    na: MissingLabel = None,
    weights: RowWeights = None,
    gaussian: Gaussian = False,
    prior: Prior = None,
    judgements: JudgementFile = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Estimate the tables or numbers of a network from data.

    Labels are matched to the network's states by name, numbers also by value (1.0 is the state 1); a structure without
    states gets the labels that occur. Missing values are dealt with by expectation maximisation. A Gaussian network, or
    --gaussian, takes columns of numbers and fits each variable as a linear function of its parents.
    """
    check_kept({"-o": output}, [file, data, judgements], force)
    if output is not None:
        check_network_output(output, force, as_json)
    network = read_one(file)
    said = [] if judgements is None else read_judgements(judgements)
    is_gaussian = gaussian or isinstance(network, GaussianNetwork)
    if is_gaussian and output is not None and output != STANDARD:
        check_gaussian(output)
    with em_progress() as progress:
        more: dict[str, Any] = {"progress": progress, "na": na or None, "weights": weights, "judgements": said}
        fitted = fit_parameters(network, data, gaussian=is_gaussian, prior=prior, **more)
    written = None
    if output is not None:
        written = write_output(fitted.network.renamed(name_for(output)), output, force)
    if as_json:
        print_json(
            "fit",
            {
                "notes": fitted.notes,
                "log_likelihoods": fitted.log_likelihoods,
                "output": None if written is None else written.facts(),
            },
        )
    else:
        with beside(output):
            if fitted.log_likelihoods:
                steps = [(i, f"{value:,.2f}") for i, value in enumerate(fitted.log_likelihoods, 1)]
                print_table(("iteration", "log-likelihood"), steps)
            say(f"{count(len(network.variables), 'variable')}: {fitted.notes[0]}")
            say("nothing written: -o FILE writes the network" if written is None else str(written))
    for text in fitted.notes[0 if as_json else 1 :]:
        note(text)
