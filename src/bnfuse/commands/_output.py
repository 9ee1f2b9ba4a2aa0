"""Writing results: checked before the work starts, and reported afterwards."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from bnfuse import files
from bnfuse._base import disk
from bnfuse.commands._console import note, print_content
from bnfuse.data.data import Data
from bnfuse.data.numeric import NumericData
from bnfuse.errors import FileError, OptionError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network
from bnfuse.learning.score_lists import Scores

STANDARD = Path("-")
"""the standard input or output"""
STANDARD_FORMAT = ".bif"
NUMBERS_FORMAT = ".json"
"""of Gaussian networks on the standard output"""

Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Where to write; the extension chooses the format; - is the standard output, as BIF.",
    ),
]

Placeholders = Annotated[
    bool,
    typer.Option(
        "--placeholders",
        help="Without tables: write uniform ones to NET, DSL and UAI too, which cannot mark them as placeholders.",
    ),
]


@dataclass(frozen=True, slots=True)
class Written:
    """The content of a file apart from the structure."""

    path: Path
    tables: str | None
    """`given`, `uniform` (placeholders), `gaussian` (numbers instead), or None where the format has none"""
    states: str | None
    """`given`, `two` (placeholders), or None where the format has none"""

    def __str__(self) -> str:
        where = "to the standard output" if self.path == STANDARD else str(self.path)
        if self.tables is None:
            return f"wrote {where}: the structure only"
        unnamed = "; UAI keeps neither names nor labels" if ".uai" in self.path.suffixes else ""
        if self.tables == "gaussian":
            return f"wrote {where}: structure, coefficients and standard deviations"
        if self.tables == "given":
            return f"wrote {where}: structure, states and tables{unnamed}"
        states = "the states are those of the inputs" if self.states == "given" else "every variable has two states"
        return f"wrote {where}: {states}, the tables are placeholders (uniform tables){unnamed}"

    def facts(self) -> Mapping[str, Any]:
        """The JSON output."""
        return {"path": str(self.path), "tables": self.tables, "states": self.states}


def check_network_output(path: Path, force: bool, as_json: bool = False) -> None:
    """Refuse a file that `write_output` could not write, and two outputs on standard output."""
    if path != STANDARD:
        files.check_output(path, overwrite=force)
    elif as_json:
        raise OptionError("-o - and --json both print to the standard output; name a file, or leave --json out")


def check_names(path: Path | None, data: Data | NumericData | Scores) -> None:
    """Refuse a file that cannot hold the variables and states of data, before a network is learned from them."""
    if path is not None and path != STANDARD:
        if isinstance(data, NumericData):
            files.check_gaussian(path)
        states = dict(data.states) if isinstance(data, Data) else None
        files.check_names(path, Network(DAG(data.variables), states))


def check_kept(outputs: Mapping[str, Path | None], inputs: Iterable[Path | None], force: bool) -> None:
    """Refuse outputs that would replace an input, or each other. `outputs` maps flags to paths."""
    written = {flag: path for flag, path in outputs.items() if path is not None and path != STANDARD}
    flags: dict[Path, str] = {}
    for flag, path in written.items():
        if (other := flags.setdefault(path.resolve(), flag)) != flag:
            raise OptionError(f"{path} is named twice, by {other} and by {flag}; give each its own file")
    if force:
        return
    for source in inputs:
        for flag, path in written.items():
            if source is not None and _is_same(source, path):
                raise FileError(path, f"is an input, which {flag} would replace; name another file, or add --force")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them does not exist
        return False


def make_folder(path: Path) -> None:
    """The folder, created if it does not exist."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError(path, "is a file, not a folder") from None
    except (OSError, ValueError) as error:
        raise FileError(path, f"cannot be made: {disk.reason(error)}") from None


def name_for(path: Path) -> str:
    """The name of a network that is written to a file."""
    return "" if path == STANDARD else disk.as_text(path.name.partition(".")[0])


def write_output(
    networks: Network | Sequence[files.Input],
    path: Path,
    force: bool,
    placeholders: bool = False,
    extension: str | None = None,
) -> Written:
    """Write a network and report it; standard output gets the format of the extension, or the default one."""
    given = [networks] if isinstance(networks, Network) else list(networks)
    is_gaussian = all(isinstance(one, GaussianNetwork) for one in given)
    if extension is None:
        extension = NUMBERS_FORMAT if is_gaussian else STANDARD_FORMAT
    if path == STANDARD:
        print_content(files.as_text(networks, extension, placeholders))
    else:
        files.write(networks, path, overwrite=force, placeholders=placeholders)
    if not files.holds_parameters(Path(f"output{extension}") if path == STANDARD else path, is_gaussian):
        return Written(path, None, None)
    if is_gaussian:
        return Written(path, "gaussian", None)
    network = given[0]
    assert isinstance(network, Network)  # formats with tables hold networks only
    _note_other_readers(network, path)
    return Written(path, "uniform" if network.cpts is None else "given", "two" if network.states is None else "given")


def _note_other_readers(network: Network, path: Path) -> None:
    """Warn that pyAgrum (up to 3.3.1) reads such tables in XDSL and UAI files wrongly, and without an error."""
    has_two = any(len(network.dag.parents(variable)) > 1 for variable in network.variables)
    if network.cpts is not None and has_two and {".xdsl", ".uai"} & set(path.suffixes):
        note(f"pyAgrum reads tables with two or more parents wrongly from {path}; for pyAgrum, write a .bifxml file")


@contextlib.contextmanager
def beside(output: Path | None) -> Iterator[None]:
    """Notes within the block go to standard error if a network goes to standard output."""
    with contextlib.redirect_stdout(sys.stderr) if output == STANDARD else contextlib.nullcontext():
        yield
