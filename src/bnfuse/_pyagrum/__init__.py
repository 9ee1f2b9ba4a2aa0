"""What pyAgrum does: NET (Hugin), DSL and XDSL (GeNIe) files.

What pyAgrum does not do, this does: it checks the number of values and the sum of each row, keeps letters beyond
ASCII when reading, and refuses to write what would not be read back the same. Of the values it reads from NET and
DSL files it keeps seven digits, and it writes DSL and XDSL files with six. (Its reader of UAI files can take minutes
and gigabytes to find an error in ten lines, so those have a module of their own.)
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from bnfuse._errors import BnfuseWarning, FileError, GraphError, MissingPackageError
from bnfuse._pyagrum import reader
from bnfuse._pyagrum.reader import described
from bnfuse.dag import DAG
from bnfuse.files._tables import REPAIRABLE, check_writable, written_states
from bnfuse.network import ROUNDING, Network, Table, row_sums

FORMATS = ("net", "dsl", "xdsl")

# What reading may cost: on a broken file pyAgrum can ask for all the memory and time that there is
_MEMORY, _MEMORY_FOR_A_BYTE = 4 << 30, 50
_SECONDS, _BYTES_A_SECOND = 60, 100_000

_SIX_DIGITS = 1e-5  # a row this far from 1 is renormalised without a word: six digits explain it
_SINGLE_PRECISION = {"net", "dsl"}
_PLACE = re.compile(r"^[^\n]*?:(\d+): (\d+) : error : (?:Syntax error : )?([^\n]*)$", re.M)
_LOST = re.compile(r"^[^\n]*?:(\d+): (\d+) : warning : Warning : ([^\n]* data for cpt [^\n]*)$", re.M)
_WRITABLE_NAME = {"net": r"[A-Za-z_]\w*", "dsl": r"[A-Za-z_]\w*", "xdsl": r"[^<>&\"'\s|]+"}
_WRITABLE_STATE = {"net": r"\w+", "dsl": r"\w+", "xdsl": r"[^<>&\"'\s|]+"}


def read_text(kind: str, text: str, path: str) -> list[Network]:
    """The network of a file of one of the FORMATS."""
    require_pyagrum(f"reading {kind.upper()} files")
    mark = _unused_mark(text)
    found = _read_apart(kind, _escaped(text, mark), path)
    if found["error"]:
        raise _file_error(path, _unescaped(found["error"], mark))
    if lost := _LOST.search(found["said"]):
        raise FileError(path, _unescaped(lost[3], mark).lower(), int(lost[1]), int(lost[2]))
    if kind == "dsl":
        _check_dsl_counts(found, text, path)
    try:
        return [_network(found, path, mark, single=kind in _SINGLE_PRECISION)]
    except GraphError as error:
        raise FileError(path, str(error)) from None


def write_text(kind: str, network: Network) -> str:
    """A network as a file of one of the FORMATS; what is not known of states and tables: yes and no, uniform."""
    pyagrum = _pyagrum(f"writing {kind.upper()} files")
    whole = with_tables(network)
    assert whole.states is not None
    for variable, labels in whole.states.items():
        _check_writable(kind, f"variable {variable!r}", variable, _WRITABLE_NAME[kind])
        for label in labels:
            _check_writable(kind, f"state {label!r} of variable {variable!r}", label, _WRITABLE_STATE[kind])
        if len(labels) < 2:
            raise GraphError(f"variable {variable!r} has one state only; {kind.upper()} files need at least two")
    model = to_bayesnet(whole.renamed("bnfuse"))  # the file's own name may not be one that the format allows
    with tempfile.TemporaryDirectory(prefix="bnfuse-") as folder:
        file = Path(folder) / f"network.{kind}"
        try:
            getattr(model, f"save{kind.upper()}")(str(file))
        except pyagrum.GumException as error:
            raise GraphError(f"pyAgrum cannot write it: {_first_line(str(error))}") from None
        text = file.read_text("utf-8")
    _check_same(kind, text, whole)
    return text


def from_bayesnet(model: Any) -> Network:
    """A pyAgrum BayesNet with its states and tables."""
    return _network(described(model), "the pyAgrum network")


def to_bayesnet(network: Network) -> Any:
    """A network as a pyAgrum BayesNet; what is not known of states and tables: yes and no, uniform."""
    pyagrum = _pyagrum("a pyAgrum network")
    whole = with_tables(network)
    assert whole.states is not None
    assert whole.cpts is not None
    model = pyagrum.BayesNet(whole.name or "bnfuse")
    number = {v: model.add(pyagrum.LabelizedVariable(v, v, list(whole.states[v]))) for v in whole.variables}
    for variable in whole.variables:
        for parent in whole.dag.parents(variable):
            model.addArc(number[parent], number[variable])
        table = whole.cpts[variable]
        *parents, own = range(table.ndim)
        # pyAgrum runs through the variable's own states fastest, then through its first parent's
        model.cpt(number[variable]).fillWith(table.transpose(*reversed(parents), own).ravel().tolist())
    return model


def with_tables(network: Network) -> Network:
    """The network with two states and uniform tables where it has none."""
    if network.cpts is not None:
        return network
    check_writable(network)
    states = written_states(network)
    tables = {}
    for variable in network.variables:
        shape = [len(states[name]) for name in (*network.dag.parents(variable), variable)]
        tables[variable] = np.full(shape, 1 / shape[-1])
    return Network(network.dag, states, tables, network.name)


def _read_apart(kind: str, text: str, path: str) -> dict[str, Any]:
    """What pyAgrum finds in a file, or its error, from a process of its own."""
    with tempfile.TemporaryDirectory(prefix="bnfuse-") as folder:
        file, answer = Path(folder) / f"network.{kind}", Path(folder) / "answer"
        file.write_text(text, "utf-8", newline="")
        program = [sys.executable, "-P", reader.__file__, kind, str(file), str(answer)]
        try:
            subprocess.run(
                [*program, str(_MEMORY + _MEMORY_FOR_A_BYTE * len(text))],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                timeout=_SECONDS + len(text) / _BYTES_A_SECOND,
                check=True,
            )
            found: dict[str, Any] = pickle.loads(answer.read_bytes())
        except (subprocess.SubprocessError, OSError):
            raise FileError(path, f"pyAgrum cannot read it: no {kind.upper()} file, or a broken one") from None
        return found if not found["error"] else {"error": found["error"].replace(str(file), path)}


def _network(found: dict[str, Any], path: str, mark: str = "", single: bool = False) -> Network:
    states = {_unescaped(v, mark): tuple(_unescaped(s, mark) for s in labels) for v, labels in found["states"].items()}
    dag = DAG(states, [(_unescaped(source, mark), _unescaped(target, mark)) for source, target in found["arcs"]])
    tables, rounded = {}, []
    for key, (given, values) in found["tables"].items():
        variable = _unescaped(key, mark)
        axes = [_unescaped(axis, mark) for axis in given]
        table = values.transpose([axes.index(axis) for axis in (*dag.parents(variable), variable)])
        tables[variable], off = _normalised(_decimal(table) if single else table, variable)
        if off > _SIX_DIGITS:
            rounded.append(variable)
    if rounded:
        message = f"{path}: renormalised rows that do not sum to 1, in {len(rounded)} tables, first: {rounded[0]!r}"
        warnings.warn(message, BnfuseWarning, stacklevel=2)
    return Network(dag, states, tables)


def _decimal(table: Table) -> Table:
    """What pyAgrum read in single precision, as the shortest decimals that mean it: 0.2, not 0.20000000298023224."""
    return table.astype(np.float32).astype(np.str_).astype(np.float64)


def _normalised(table: Table, variable: str) -> tuple[Table, float]:
    sums = row_sums(table)[..., np.newaxis]
    off = float(np.abs(sums - 1).max())
    if not (np.isfinite(table).all() and (table >= 0).all() and off <= REPAIRABLE):
        raise GraphError(f"the table of {variable!r} is missing or has a row that is no probability distribution")
    return (table / sums if off > ROUNDING else table), off


def _check_dsl_counts(found: dict[str, Any], text: str, path: str) -> None:
    """pyAgrum reads beyond the end of a list in a DSL file that is too short."""
    given = Counter(len(block.split(",")) for block in re.findall(r"PROBABILITIES\s*=\s*\(([^)]*)\)", text))
    needed = Counter(values.size for _, values in found["tables"].values())
    if given != needed:
        raise FileError(path, "a list of PROBABILITIES has not as many values as the states of its variables need")


def _check_writable(kind: str, what: str, name: str, allowed: str) -> None:
    if not re.fullmatch(allowed, name, re.A) or not name.isascii():
        raise GraphError(f"{what}: {kind.upper()} files cannot hold this name; BIF and XMLBIF files take any")


def _check_same(kind: str, text: str, network: Network) -> None:
    """Names that mean something in a format (a node called `node`) are written without a word, and cannot be read."""
    try:
        written = read_text(kind, text, "the written file")[0]
    except FileError as error:
        raise GraphError(f"pyAgrum writes a {kind.upper()} file that it cannot read back ({error})") from None
    if (written.dag, written.states) != (network.dag, network.states):
        raise GraphError(f"a {kind.upper()} file cannot hold its names; BIF and XMLBIF files take any")


def _unused_mark(text: str) -> str:
    """Letters that the text does not have, to spell what pyAgrum's readers of NET and DSL drop: non-ASCII letters."""
    if text.isascii():
        return ""
    mark = "uni"
    while mark in text:
        mark += "q"
    return mark


def _escaped(text: str, mark: str) -> str:
    return re.sub(r"[^\x00-\x7f]", lambda letter: f"{mark}{ord(letter[0]):06x}", text) if mark else text


def _unescaped(text: str, mark: str) -> str:
    return re.sub(mark + "([0-9a-f]{6})", lambda code: chr(int(code[1], 16)), text) if mark else text


def _file_error(path: str, message: str) -> FileError:
    if place := _PLACE.search(message):
        return FileError(path, place[3].lower(), int(place[1]), int(place[2]))
    return FileError(path, _first_line(message))


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0].removeprefix("[pyAgrum] ")


def require_pyagrum(purpose: str) -> None:
    """Refuse what cannot be done without pyAgrum."""
    if importlib.util.find_spec("pyagrum") is None:
        raise MissingPackageError("pyagrum", purpose, extra="files")


def _pyagrum(purpose: str) -> Any:
    require_pyagrum(purpose)
    return importlib.import_module("pyagrum")
