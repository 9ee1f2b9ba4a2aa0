"""Reading and writing networks: one module per format, chosen by the extension or, failing that, by the content."""

from __future__ import annotations

import codecs
import contextlib
import glob
import hashlib
import os
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, Protocol, TypeAlias, cast

import numpy as np

from bnfuse._base import disk
from bnfuse._base.options import one_of, option_name
from bnfuse._base.public import public
from bnfuse._base.texts import listed
from bnfuse.errors import BnfuseError, BnfuseWarning, FileError, GraphError, MissingPackageError, OptionError
from bnfuse.files import _formats as _formats  # each format registers itself
from bnfuse.files._registry import (
    HEAD,
    Format,
    Input,
    by_extension,
    detected,
    extensions,
    extensions_for,
    for_numbers,
    labels_for,
    lazily,
    register,
)
from bnfuse.files._repeats import Held, repeats, same_content
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG, NetworkLike, is_network, lookalike, refuse_many
from bnfuse.graphs.gaussian_network import GaussianNetwork, is_gaussian
from bnfuse.graphs.network import Network, as_network
from bnfuse.graphs.pdag import PDAG, as_pdag, is_mixed
from bnfuse.graphs.renaming import as_named

__all__ = [
    "CYCLIC",
    "VARIABLES",
    "Format",
    "Input",
    "as_text",
    "check_gaussian",
    "check_output",
    "check_placeholders",
    "expanded",
    "holds_parameters",
    "kind_of",
    "lazily",
    "read",
    "read_apart",
    "register",
    "same_content",
    "share_variables",
    "write",
]

Source: TypeAlias = str | os.PathLike[str] | IO[bytes]
"""A file, a folder, a pattern such as clinics/*.bif, or an open binary file."""

CYCLIC = ("refuse", "votes")
"""How a list of arcs that form a cycle is read."""
VARIABLES = ("same", "union", "shared")
"""Whether inputs have the same variables, and otherwise which ones count: all, or those shared by all."""

_ENCODING = rb"<\?xml[^<>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']"
_PARQUET = b"PAR1"
_NUMPY = b"\x93NUMPY"
_AMBIGUOUS = (".csv", ".json", ".xml")  # extensions that other kinds of files have too
_SHOWN = 5  # the most files that one message lists


class Naming(Protocol):
    """The source of common names for networks: an `Alignment`."""

    def apply_all(self, networks: Iterable[NetworkLike], /) -> list[Any]:
        """The same networks, with new names."""
        ...


@public
def read(
    *sources: Source | Iterable[Source],
    cyclic: Literal["refuse", "votes"] = "refuse",
    variables: Literal["same", "union", "shared"] = "same",
    names: Naming | None = None,
) -> list[Input]:
    """Read networks from files.

    The formats are BIF, XMLBIF, NET, DSL, XDSL, UAI, DAGitty, Tetrad, R model strings, CSV edge lists and matrices,
    NumPy matrices, ensembles (JSON) and Gaussian networks (JSON). Each file may be gzipped. A file may also hold a
    graph in which some edges have no direction (a `PDAG`: DAGitty, Tetrad, CSV with a column `type`) or votes for arcs
    (`ArcVotes`: CSV with strengths, probabilities or counts, matrices of probabilities).

    Parameters
    ----------
    *sources
        Files, or lists of files, in this order. A folder stands for the networks in it, and a pattern such as
        `clinics/*.bif` for the files that match; an open binary file is read to its end.
    cyclic
        How to read a CSV edge list or a matrix whose arcs form a cycle: "refuse" raises an error, "votes" reads votes
        for arcs.
    variables
        "same": variables that only some of several edge lists mention are variables of all of them. "union" or
        "shared", for inputs with different variables: each keeps its own.
    names
        Common names for variables and states that the networks name differently: an `Alignment`. It is applied before
        edge lists share their variables.

    Returns
    -------
    list of Network, GaussianNetwork, PDAG or ArcVotes
        The networks. Each is named after its file; those of an ensemble have their own names.

    Raises
    ------
    FileError
        A file cannot be read; the message names the place of the problem.
    OptionError
        There is no file to read, or an option is invalid.
    MissingPackageError
        NET and DSL files need pyAgrum.

    Examples
    --------
    >>> import bnfuse
    >>> bnfuse.write(bnfuse.DAG.from_edges([("Smoker", "Cancer")]), "harbour.csv")
    >>> bnfuse.read("harbour.csv")
    [<Network 'harbour': 2 variables, 1 arcs, structure only>]
    >>> bnfuse.read("asia.bif", "clinics/", "bootstrap.json.gz")  # doctest: +SKIP
    """
    graphs, edge_lists = read_apart(*sources, cyclic=cyclic)
    if names is not None:
        graphs = names.apply_all(graphs)
    return graphs if one_of("variables", variables, VARIABLES) != VARIABLES[0] else share_variables(graphs, edge_lists)


def read_apart(
    *sources: Source | Iterable[Source], cyclic: str = CYCLIC[0], only_networks: bool = False
) -> tuple[list[Input], dict[int, str]]:
    """The same before edge lists share their variables, and the inputs that are edge lists, with their files."""
    as_votes = one_of("cyclic", cyclic, CYCLIC) == "votes"
    files = [file for source in _each(sources) for file in _files_of(source)]
    if not files:
        raise OptionError("expected at least one file to read")
    parts = [_ReadFile.of(file, as_votes) for file in files]
    if twice := repeats([Held(part.file, part.digest, list(_names(part))) for part in parts]):
        _warn(twice)
    owners = [(part, graph) for part in parts for graph in part.graphs]
    for part, graph in owners if only_networks else ():
        if not isinstance(graph, Network):
            raise FileError(part.file, f"holds {_NOUNS[type(graph)]}, where a DAG is needed")
    lists = {i: disk.as_text(part.file.name) for i, (part, _) in enumerate(owners) if part.form.label == "CSV"}
    return _called(parts), lists


_NOUNS: dict[type[Input], str] = {
    Network: "a network",
    GaussianNetwork: "a Gaussian network",
    PDAG: "edges without a direction (a PDAG)",
    ArcVotes: "votes for arcs",
}


def expanded(sources: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """The files that `read` reads: folders and patterns are replaced by their files."""
    return [file for source in sources for file in _files_of(source) if isinstance(file, Path)]


def _each(sources: Iterable[Source | Iterable[Source]]) -> Iterator[Source]:
    """Sources one by one, including those in lists, such as the results of `glob`."""
    for source in sources:
        if isinstance(source, str | bytes | os.PathLike | Mapping) or hasattr(source, "read"):
            yield cast("Source", source)
        elif isinstance(source, Iterable):
            yield from _each(source)
        else:
            yield source


def _files_of(source: Source) -> list[Path | IO[bytes]]:
    if not isinstance(source, str | os.PathLike) and hasattr(source, "read"):
        return [source]
    path = _as_path(cast("str | os.PathLike[str]", source))
    with contextlib.suppress(OSError, ValueError):  # a NUL character in the path, for example: reading reports it
        if path.is_dir():
            return list(_networks_in(path))
        if glob.has_magic(str(path)) and not path.exists():
            found = sorted(file for file in map(Path, glob.glob(str(path), recursive=True)) if file.is_file())
            if not found:
                raise FileError(path, "no file matches this pattern")
            return list(found)
    return [path]


def _networks_in(folder: Path) -> list[Path]:
    """The files of a folder that hold networks, judged by their content if other kinds of files share the extension."""
    found: list[Path] = []
    others: list[Path] = []
    known = extensions(to_read=True)
    for file in sorted(folder.iterdir()):
        extension = _extension(file)
        if file.name.startswith(".") or not file.is_file() or extension not in known:
            continue
        is_network = extension not in _AMBIGUOUS or kind_of(file) in labels_for(extension)
        (found if is_network else others).append(file)
    if not found:
        raise FileError(folder, f"is a folder without networks; known: {', '.join(known)}")
    if others:
        skipped = listed([disk.as_text(file.name) for file in others])
        _warn(f"{folder}: left out {skipped}: these do not begin like networks; name them to have them read")
    return found


@dataclass
class _ReadFile:
    """The networks in one file."""

    file: Path
    digest: bytes
    """the hash of its content; empty for an open file"""
    form: Format
    graphs: list[Input]

    @classmethod
    def of(cls, file: Path | IO[bytes], cyclic_votes: bool) -> _ReadFile:
        if isinstance(file, Path):
            content = disk.read_bytes(file)
            return cls(file, hashlib.sha256(content).digest(), *_parsed(content, file, cyclic_votes))
        name = getattr(file, "name", None)
        path = Path(name) if isinstance(name, str) and name != "<stdin>" else Path("standard input")
        return cls(path, b"", *_parsed(disk.read_stream(file, path), path, cyclic_votes))


def share_variables(graphs: list[Input], lists: dict[int, str]) -> list[Input]:
    """Give all edge lists the same variables, as an edge list does not mention variables without arcs."""
    variables = list(dict.fromkeys(name for i in lists for name in graphs[i].variables))
    shared, added = list(graphs), []
    for i, file in lists.items():
        own = graphs[i]
        if lacking := [name for name in variables if name not in set(own.variables)]:
            shared[i] = _over(variables, own)
            added.append(f"{listed(lacking)} in {file}")
    if added:
        more = f" and more in {len(added) - _SHOWN} others" if len(added) > _SHOWN else ""
        _warn(
            "not all edge lists mention the same variables: variables added without arcs are "
            f"{', '.join(added[:_SHOWN])}{more}{_twins(variables)}"
        )
    return shared


def _over(variables: list[str], graph: Input) -> Input:
    """The same graph with additional variables, without arcs."""
    if isinstance(graph, PDAG):
        return PDAG(variables, graph.arcs, graph.edges, graph.name)
    if isinstance(graph, Network):
        return Network(DAG(variables, graph.dag.edges), name=graph.name)
    index = {name: i for i, name in enumerate(variables)}
    place = [index[name] for name in graph.variables]
    refuse_many(len(variables), "counting votes for arcs")
    counts = np.zeros((len(variables), len(variables)), np.int64)
    counts[np.ix_(place, place)] = graph.counts
    return ArcVotes.from_count_matrix(variables, counts, graph.total, graph.networks, graph.name)


def _twins(variables: list[str]) -> str:
    for i, name in enumerate(variables):
        if (other := lookalike(name, variables[i + 1 :])) is not None:
            return f"; {name!r} and {other!r} look alike: if they are the same variable, spell them alike"
    return ""


def _warn(message: str) -> None:
    warnings.warn(message, BnfuseWarning, stacklevel=4)


@public
def write(
    network: NetworkLike | Iterable[NetworkLike],
    path: str | os.PathLike[str],
    overwrite: bool = False,
    placeholders: bool = False,
) -> None:
    """Write a network to a file in the format of its extension: those of `read` except .npy, and .dot and .graphml.

    CSV, JSON, DAGitty, Tetrad, model strings, DOT and GraphML hold the structure only, but JSON holds Gaussian networks
    with their numbers. Other formats need states and tables: a network without them gets two states and uniform tables,
    which the file marks as placeholders.

    Parameters
    ----------
    network
        A network in any form; for an ensemble (.json) a list of networks too. A `PDAG` goes to CSV, DAGitty, Tetrad and
        DOT files, `ArcVotes` to CSV files.
    path
        The file; .gz compresses it.
    overwrite
        Whether a file that bnfuse did not write, or of another kind, may be replaced. Files that cannot record which
        program wrote them (CSV, UAI, DAGitty, Tetrad, model strings) are never replaced without it.
    placeholders
        Whether a network without tables may be written to NET, DSL and UAI files, which cannot mark placeholders.

    Raises
    ------
    FileError
        The file cannot be written, exists and may not be replaced, or cannot hold the network.
    OptionError
        The argument is not a network.

    Examples
    --------
    >>> import bnfuse
    >>> bnfuse.write(bnfuse.DAG.from_edges([("Smoker", "Cancer")]), "clinic.bif")
    >>> bnfuse.read("clinic.bif")[0].dag.edges
    (('Smoker', 'Cancer'),)
    """
    file = _as_path(path)
    form = _format_to_write(file)
    text = _text_of(network, form, file, placeholders)
    check_output(file, overwrite)
    write_text(text, file)


def write_text(text: str, file: Path) -> None:
    """Write the text of a file, compressed if its name ends in .gz."""
    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        raise FileError(file, f"{text[error.start]!a} in a name is not valid Unicode text") from None
    disk.write_bytes(disk.gzipped(content) if file.suffix.lower() == ".gz" else content, file)


def check_output(path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Refuse a file that `write` could not write, before time is spent on its content."""
    file = _as_path(path)
    form = _format_to_write(file)
    if not form.marks_own:
        disk.check_new(file, overwrite)
        return
    labels = labels_for(_extension(file))
    disk.check_replaceable(file, lambda ends: disk.is_marked(ends) and _kind_of(ends) in labels, form.called, overwrite)


def check_placeholders(path: str | os.PathLike[str], allowed: bool = False) -> None:
    """Refuse a file to which `write` would not write a network without tables, before time is spent on it."""
    file = _as_path(path)
    form = _format_to_write(file)
    if form.has_tables and not (form.marks_placeholders or allowed):
        raise FileError(file, f"the network will have no tables, {_unmarked(form)}")


def check_names(path: str | os.PathLike[str], network: Network) -> None:
    """Refuse a file that cannot hold the names of a network, before time is spent on its arcs and tables."""
    file = _as_path(path)
    with warnings.catch_warnings(action="ignore"):  # these are checked when it is written
        _text_of(network, _format_to_write(file), file, placeholders=True)


def as_text(network: NetworkLike | Iterable[NetworkLike], extension: str, placeholders: bool = False) -> str:
    """A network as the text of a file with this extension, such as ".bif"."""
    file = Path(f"standard output{extension}")
    return _text_of(network, _format_to_write(file), file, placeholders)


def holds_parameters(path: str | os.PathLike[str], gaussian: bool = False) -> bool:
    """Whether the format that `write` chooses for a file holds tables, Gaussian numbers, or only the structure."""
    file = _as_path(path)
    form = for_numbers(_extension(file)) if gaussian else None
    return (form or _format_to_write(file)).has_tables


def check_gaussian(path: str | os.PathLike[str]) -> None:
    """Refuse a file that cannot hold a Gaussian network, before time is spent on it."""
    file = _as_path(path)
    form = _format_to_write(file)
    if form.has_tables:
        raise FileError(file, form.no_numbers)


def _format_to_write(file: Path) -> Format:
    form = by_extension(_extension(file))
    if form is None or form.write is None:
        known = ", ".join(extensions(to_read=False))
        raise FileError(file, f"cannot tell the format from the extension; use one of {known}, each also with .gz")
    return form


def _parsed(content: bytes, file: Path, cyclic_votes: bool) -> tuple[Format, list[Input]]:
    form = _format_of(file, content)
    reader = form.read_votes if cyclic_votes and form.read_votes else form.read
    if reader is None:
        raise FileError(
            file, f"{form.label} files can only be written; to read the arcs, use a CSV file with the header from,to"
        )
    if len(content) > form.largest:
        raise disk.too_large(file, form.largest)
    given = content if form.is_binary else _decoded(content, file, form)
    try:
        graphs = reader(given, str(file))
        return form, [graph if form.write_many else graph.renamed("") for graph in graphs]
    except FileError as error:
        likely = detected(given) if isinstance(given, str) else None
        if likely is None or likely is form:
            raise
        raise FileError(error, f"the content looks like {likely.label}, not {form.label}") from None
    except MissingPackageError:
        raise
    except BnfuseError as error:
        raise FileError(file, str(error)) from None


def _format_of(file: Path, content: bytes) -> Format:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise FileError(file, "is encoded in UTF-16; save it as UTF-8")
    if content.startswith(_PARQUET):
        raise FileError(
            file,
            f"is a Parquet file, which holds data, not a network; bnfuse bootstrap {file} learns networks from it "
            f"and finds their consensus, bnfuse learn {file} learns one",
        )
    if b"\0" in content and not content.startswith(_NUMPY):
        raise FileError(file, "is a binary file, not a network")
    if not content.strip():
        raise FileError(file, "is empty")
    extension = _extension(file)
    owner = by_extension(extension)
    found = detected(content[:HEAD].decode("utf-8", "replace"))
    if owner is not None:
        return found if found is not None and extension in found.also_in else owner
    if found is None:
        known = ", ".join(extensions(to_read=True))
        raise FileError(file, f"neither the name nor the content determines the format; known: {known}")
    return found


def _decoded(content: bytes, file: Path, form: Format) -> str:
    declared = re.match(_ENCODING, content)
    encoding = declared[1].decode().lower() if declared else "utf-8"
    if re.fullmatch(r"utf-?8|(?:us-)?ascii", encoding):
        encoding = "utf-8"
        content = content.removeprefix(codecs.BOM_UTF8)
    elif not re.fullmatch(r"iso-8859-(?:[1-9]|1[03456])|windows-125[0-8]", encoding):
        raise FileError(file, f"is encoded in {encoding}; save it as UTF-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        if form.fallback:
            with contextlib.suppress(UnicodeDecodeError):
                return content.decode(form.fallback)
        before = content[: error.start]
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        raise FileError(file, "is not valid UTF-8 text; save it as UTF-8", line, column) from None


def called_after(files: Sequence[Path]) -> list[str]:
    """The names of networks that have none in their files."""
    stems = [_stem(file) for file in files]
    shared = Counter(stems)
    return [
        f"{disk.as_text(file.absolute().parent.name)}/{stem}" if shared[stem] > 1 else stem
        for file, stem in zip(files, stems, strict=True)
    ]


def _names(part: _ReadFile, stem: str = "") -> Iterator[tuple[str, Input]]:
    """The content of a file, with its own names or the name of the file."""
    stem = stem or _stem(part.file)
    for number, graph in enumerate(part.graphs, 1):
        yield graph.name or (stem if len(part.graphs) == 1 else f"{stem}-{number}"), graph


def _called(parts: list[_ReadFile]) -> list[Input]:
    """The contents of files, each with a unique name: files with the same name are distinguished by their folders."""
    used: set[str] = set()
    copies: Counter[str] = Counter()
    called: list[Input] = []
    for part, stem in zip(parts, called_after([part.file for part in parts]), strict=True):
        for name, graph in _names(part, stem):
            unique = name
            while unique in used:
                copies[name] += 1
                unique = f"{name} ({copies[name] + 1})"
            used.add(unique)
            called.append(graph.renamed(unique))
    return called


def _text_of(network: NetworkLike | Iterable[NetworkLike], form: Format, file: Path, placeholders: bool) -> str:
    try:
        given = as_named(network)
        is_one = is_network(given) or not isinstance(given, Iterable)
        members = [given] if is_one else list(given)
        if members and all(map(is_gaussian, members)):
            form = for_numbers(_extension(file)) or form
        networks = [_as_input(member, form) for member in members]
        if form.write_many is not None and not is_one:
            return form.write_many(cast("list[Network]", networks))
        if len(networks) == 1:
            _check_placeholders(networks[0], form, placeholders)
            assert form.write is not None
            return form.write(networks[0])
    except MissingPackageError:
        raise
    except BnfuseError as error:
        raise FileError(file, str(error)) from None
    raise FileError(file, f"{form.label} files hold one network, got {len(networks)}; an ensemble (.json) holds many")


def _as_input(candidate: NetworkLike, form: Format) -> Input:
    """The graph to write, if the format can hold it."""
    graph: Input
    if isinstance(candidate, ArcVotes):
        graph = candidate
    else:
        graph = as_pdag(candidate) if is_mixed(candidate) else as_network(candidate)
    if isinstance(graph, PDAG) and not graph.edges:
        graph = Network(graph.extension, name=graph.name)
    if isinstance(graph, GaussianNetwork) and form.has_tables and GaussianNetwork not in form.holds:
        raise GraphError(form.no_numbers)
    if not isinstance(graph, form.holds):
        able = ", ".join(extensions_for(type(graph)))
        raise GraphError(f"{form.label} files cannot hold {_NOUNS[type(graph)]}; those that can: {able}")
    return graph


def _check_placeholders(network: Input, form: Format, allowed: bool) -> None:
    is_bare = isinstance(network, Network) and not network.has_parameters
    if is_bare and form.has_tables and not (form.marks_placeholders or allowed):
        raise GraphError(f"the network has no tables, {_unmarked(form)}")


def _unmarked(form: Format) -> str:
    return (
        f"and {form.label} files cannot mark placeholders: write BIF, XMLBIF or XDSL, "
        f"or allow unmarked uniform tables: {option_name('placeholders=True')}"
    )


def kind_of(file: Path) -> str | None:
    """The format of a network in a file, by its first characters; None for anything else."""
    return _kind_of(disk.head_of(file, HEAD)) if file.is_file() else None


def _kind_of(head: bytes) -> str | None:
    form = detected(head.decode("utf-8", "replace"))
    return None if form is None else form.label


def _as_path(path: str | os.PathLike[str]) -> Path:
    try:
        return Path(path)
    except TypeError:
        raise OptionError(f"expected the path of a file, got {type(path).__name__}") from None


def _extension(file: Path) -> str:
    return (Path(file.stem) if file.suffix.lower() == ".gz" else file).suffix.lower()


def _stem(file: Path) -> str:
    name = file.stem if file.suffix.lower() == ".gz" else file.name
    return disk.as_text(Path(name).stem if by_extension(Path(name).suffix.lower()) else name)
