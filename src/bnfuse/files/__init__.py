"""Networks from and to files: one module a format, chosen by the file's extension, failing that by its content."""

from __future__ import annotations

import codecs
import contextlib
import glob
import os
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any, TypeAlias, cast

from bnfuse import _disk
from bnfuse._errors import BnfuseError, BnfuseWarning, FileError, MissingPackageError, OptionError
from bnfuse._options import option_name
from bnfuse.dag import DAG, NetworkLike, is_network, lookalike
from bnfuse.network import Network, as_network

__all__ = ["as_text", "check_output", "expanded", "holds_tables", "read", "whole", "write"]

Source: TypeAlias = str | os.PathLike[str] | IO[bytes]
"""A file, a folder, a pattern such as clinics/*.bif, or an open binary file."""


@dataclass(frozen=True)
class _Format:
    """A format and the module that reads and writes it, imported when it is needed: most uses need one of them."""

    label: str
    extensions: tuple[str, ...]
    opening: str  # a pattern: how the content starts, after comments
    module: str
    kind: str | None = None  # which format of a module that has several
    fallback: str | None = None  # the encoding of older programs, for text that is not UTF-8

    @property
    def has_tables(self) -> bool:
        return self.label not in ("ensemble", "CSV", "DOT", "GraphML")

    def _call(self, function: str, *arguments: object) -> Any:
        chosen = arguments if self.kind is None else (self.kind, *arguments)
        return getattr(import_module(self.module), function)(*chosen)

    def read(self, text: str, path: str) -> list[Network]:
        networks: list[Network] = self._call("read_text", text, path)
        return networks

    def write(self, network: Network) -> str:
        text: str = self._call("write_text", network)
        return text


_ROOT = "<(?:[?!].*?<)?"  # the first element of an XML file, after its declarations
_SAVED = _Format("saved consensus", (), r'\{"kind":"bnfuse consensus"', "bnfuse.files.saved")
_FORMATS = (
    _Format("BIF", (".bif",), r"(?:network|variable|probability)\b", "bnfuse.files.bif"),
    _Format("XMLBIF", (".xmlbif", ".bifxml", ".xml"), _ROOT + r"BIF[\s>]", "bnfuse.files.xmlbif"),
    _SAVED,
    _Format("ensemble", (".json",), r'\{.*?"(?:variables|networks)"\s*:', "bnfuse.files.ensemble"),
    _Format("CSV", (".csv",), r'(?:(?:"")?[,;\t])?"?from"?\s*[,;\t]\s*"?to"?\s*(?:[\r\n]|$)', "bnfuse.files.edge_list"),
    # older programs of Hugin and GeNIe write the letters of Windows
    _Format("NET", (".net",), r"(?:net|class\s+\w+)\s*\{", "bnfuse._pyagrum", "net", "cp1252"),
    _Format("DSL", (".dsl",), r"net\s+\w+\s*\{", "bnfuse._pyagrum", "dsl", "cp1252"),
    _Format("XDSL", (".xdsl",), _ROOT + r"smile[\s>]", "bnfuse._pyagrum", "xdsl"),
    _Format("UAI", (".uai",), r"(?:BAYES|MARKOV)\s", "bnfuse.files.uai"),
    _Format("DOT", (".dot",), r"(?:strict\s+)?(?:di)?graph\b", "bnfuse.files.dot"),
    _Format("GraphML", (".graphml",), _ROOT + r"graphml[\s>]", "bnfuse.files.graphml"),
)
_BY_EXTENSION = {extension: form for form in _FORMATS for extension in form.extensions}

_COMMENTS = r"(?s:\s+|//[^\n]*|/\*.*?\*/|[%#][^\n]*)*+"
_ENCODING = rb"<\?xml[^<>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']"
_HEAD = 1 << 16  # characters; what a file is shows at its beginning
_PARQUET = b"PAR1"
_AMBIGUOUS = (".csv", ".json", ".xml")  # extensions that other files have too
_SHOWN = 5  # names in one message


def read(*sources: Source) -> list[Network]:
    """Read networks from files, in this order: BIF, XMLBIF, NET, DSL, XDSL, UAI, CSV edge lists and ensembles (JSON).

    Each file may be gzipped. A folder stands for the networks in it, a pattern such as `clinics/*.bif` for the files
    that match; an open binary file is read to its end. A network is called after its file; those of an
    ensemble have their own names. Variables that only some of several edge lists mention are variables of all of them.

    >>> read("asia.bif", "clinics/", "bootstrap.json.gz")  # doctest: +SKIP
    """
    if not sources:
        raise OptionError("expected at least one file to read")
    files = [file for source in sources for file in _files_of(source)]
    parts = [_Part.of(file) for file in files]
    _share_variables([part for part in parts if part.form.label == "CSV"])
    return list(_called([(part.file, part.networks) for part in parts]))


def expanded(sources: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """The files that `read` reads: folders and patterns are replaced by what they stand for."""
    return [file for source in sources for file in _files_of(source) if isinstance(file, Path)]


def _files_of(source: Source) -> list[Path | IO[bytes]]:
    if not isinstance(source, str | os.PathLike) and hasattr(source, "read"):
        return [source]
    path = _as_path(cast("str | os.PathLike[str]", source))
    with contextlib.suppress(OSError, ValueError):  # a NUL character in the path, say: reading it tells
        if path.is_dir():
            return list(_networks_in(path))
        if glob.has_magic(str(path)) and not path.exists():
            found = sorted(file for file in map(Path, glob.glob(str(path), recursive=True)) if file.is_file())
            if not found:
                raise FileError(path, "no file matches this pattern")
            return list(found)
    return [path]


def _networks_in(folder: Path) -> list[Path]:
    """The files of a folder that hold networks: where an extension is that of other files too, by their content."""
    found: list[Path] = []
    others: list[Path] = []
    for file in sorted(folder.iterdir()):
        extension = _extension(file)
        if file.name.startswith(".") or not file.is_file() or extension not in _BY_EXTENSION:
            continue
        is_network = extension not in _AMBIGUOUS or kind_of(file) not in (None, _SAVED.label)
        (found if is_network else others).append(file)
    if not found:
        raise FileError(folder, f"is a folder without networks; known: {', '.join(_BY_EXTENSION)}")
    if others:
        skipped = _listed([_disk.as_text(file.name) for file in others])
        _warn(f"{folder}: left out {skipped}: these do not begin like networks; name them to have them read")
    return found


@dataclass
class _Part:
    """What one file holds."""

    file: Path
    form: _Format
    networks: list[Network]

    @classmethod
    def of(cls, file: Path | IO[bytes]) -> _Part:
        if isinstance(file, Path):
            return cls(file, *_parsed(_disk.read_bytes(file), file))
        name = getattr(file, "name", None)
        path = Path(name) if isinstance(name, str) and name != "<stdin>" else Path("standard input")
        return cls(path, *_parsed(_disk.read_stream(file, path), path))


def _share_variables(lists: list[_Part]) -> None:
    """Give all edge lists the variables of each: a list of arcs mentions no variable that has none."""
    variables = list(dict.fromkeys(name for part in lists for name in part.networks[0].variables))
    added = []
    for part in lists:
        own = part.networks[0]
        if lacking := [name for name in variables if name not in set(own.variables)]:
            part.networks = [Network(DAG(variables, own.dag.edges))]
            added.append(f"{_listed(lacking)} in {_disk.as_text(part.file.name)}")
    if added:
        more = f" and more in {len(added) - _SHOWN} others" if len(added) > _SHOWN else ""
        _warn(
            "not all edge lists mention the same variables: taken as variables without arcs are "
            f"{', '.join(added[:_SHOWN])}{more}{_twins(variables)}"
        )


def _twins(variables: list[str]) -> str:
    for i, name in enumerate(variables):
        if (other := lookalike(name, variables[i + 1 :])) is not None:
            return f"; {name!r} and {other!r} look alike: if they are the same variable, spell them alike"
    return ""


def _warn(message: str) -> None:
    warnings.warn(message, BnfuseWarning, stacklevel=4)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, names[:_SHOWN])) + more


def write(network: NetworkLike | Iterable[NetworkLike], path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Write a network to a file in the format of its extension: what `read` reads, and .dot and .graphml.

    An ensemble (.json) takes a list of networks too. A file of the same format is replaced; one of another kind only
    with `overwrite`. CSV, JSON, DOT and GraphML hold the structure only. Formats that need states and tables get
    two states and uniform tables where the network has none.
    """
    file = _as_path(path)
    form = _format_to_write(file)
    text = _text_of(network, form, file)
    if not overwrite:
        _check_replaceable(file, form)
    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        raise FileError(file, f"{text[error.start]!a} in a name is no valid Unicode text") from None
    _disk.write_bytes(_disk.gzipped(content) if file.suffix.lower() == ".gz" else content, file)


def check_output(path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Refuse a file that `write` could not write, before time is spent on its content."""
    file = _as_path(path)
    form = _format_to_write(file)
    if not overwrite:
        _check_replaceable(file, form)
    _disk.check_place(file)


def as_text(network: NetworkLike | Iterable[NetworkLike], extension: str) -> str:
    """A network as the text of a file with this extension, such as ".bif"."""
    file = Path(f"standard output{extension}")
    return _text_of(network, _format_to_write(file), file)


def holds_tables(path: str | os.PathLike[str]) -> bool:
    """Whether the format that `write` chooses for a file holds states and tables, or the structure only."""
    return _format_to_write(_as_path(path)).has_tables


def _format_to_write(file: Path) -> _Format:
    form = _BY_EXTENSION.get(_extension(file))
    if form is None:
        known = ", ".join(_BY_EXTENSION)
        raise FileError(file, f"the extension says no format to write; use one of {known}, each also with .gz")
    return form


def _parsed(content: bytes, file: Path) -> tuple[_Format, list[Network]]:
    form = _format_of(file, content)
    text = _decoded(content, file, form)
    try:
        networks = form.read(text, str(file))
        return form, networks if form.label == "ensemble" else [network.renamed("") for network in networks]
    except FileError as error:
        likely = _detected(text)
        if likely is None or likely is form:
            raise
        raise FileError(error, f"the content looks like {likely.label}, not {form.label}") from None
    except MissingPackageError:
        raise
    except BnfuseError as error:
        raise FileError(file, str(error)) from None


def _format_of(file: Path, content: bytes) -> _Format:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise FileError(file, "is encoded in UTF-16; save it as UTF-8")
    if content.startswith(_PARQUET):
        raise FileError(
            file,
            "is a Parquet file, which holds data, not a network; learn networks from data first, then find their "
            "consensus; bnfuse fit estimates the tables of a network from data",
        )
    if b"\0" in content:
        raise FileError(file, "is a binary file, not a network")
    if not content.strip():
        raise FileError(file, "is empty")
    extension = _extension(file)
    by_extension = _BY_EXTENSION.get(extension)
    if by_extension is not None and extension not in (".xml", ".json"):
        return by_extension
    form = _detected(content[:_HEAD].decode("utf-8", "replace")) or by_extension
    if extension == ".json" and form is not _SAVED:  # .xml may be any format that is made of XML
        return _BY_EXTENSION[extension]
    if form is None:
        raise FileError(file, f"neither the name nor the content says the format; known: {', '.join(_BY_EXTENSION)}")
    return form


def _detected(text: str) -> _Format | None:
    head = text[:_HEAD].removeprefix("\ufeff")
    skipped = re.match(_COMMENTS, head)
    start = skipped.end() if skipped else 0
    return next((form for form in _FORMATS if re.compile(form.opening, re.S | re.I).match(head, start)), None)


def _decoded(content: bytes, file: Path, form: _Format) -> str:
    declared = re.match(_ENCODING, content)
    encoding = declared[1].decode().lower() if declared else "utf-8"
    if re.fullmatch(r"utf-?8|(?:us-)?ascii", encoding):
        encoding = "utf-8-sig"
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


def _called(groups: list[tuple[Path, list[Network]]]) -> Iterator[Network]:
    """The networks, each with a name that no other has: of two files with one name, the folder tells them apart."""
    stems = Counter(_stem(file) for file, _ in groups)
    used: set[str] = set()
    copies: Counter[str] = Counter()
    for file, networks in groups:
        stem = _stem(file)
        if stems[stem] > 1:
            stem = f"{_disk.as_text(file.absolute().parent.name)}/{stem}"
        for number, network in enumerate(networks, 1):
            name = network.name or (stem if len(networks) == 1 else f"{stem}-{number}")
            unique = name
            while unique in used:
                copies[name] += 1
                unique = f"{name} ({copies[name] + 1})"
            used.add(unique)
            yield network.renamed(unique)


def _text_of(network: NetworkLike | Iterable[NetworkLike], form: _Format, file: Path) -> str:
    try:
        if is_network(network) or not isinstance(network, Iterable):
            return form.write(whole(network))
        networks = [whole(member) for member in network]
        if form.label == "ensemble":
            from bnfuse.files import ensemble  # noqa: PLC0415 - as all formats

            return ensemble.write_networks(networks)
        if len(networks) == 1:
            return form.write(networks[0])
    except MissingPackageError:
        raise
    except BnfuseError as error:
        raise FileError(file, str(error)) from None
    raise FileError(file, f"{form.label} files hold one network, got {len(networks)}; an ensemble (.json) holds many")


def whole(network: NetworkLike) -> Network:
    """A network with all that is known of it: a pyAgrum BayesNet brings its tables."""
    has_tables = type(network).__module__.partition(".")[0].lower() == "pyagrum" and hasattr(network, "cpt")
    if not has_tables:
        return as_network(network)
    from bnfuse import _pyagrum  # noqa: PLC0415 - as all formats

    return _pyagrum.from_bayesnet(network)


def _check_replaceable(file: Path, form: _Format) -> None:
    if _is_filled(file) and kind_of(file) != form.label:
        label = "CSV edge list" if form.label == "CSV" else f"{form.label} file"
        raise FileError(file, f"exists and is no {label}; to replace it: {option_name('overwrite=True')}")


def _is_filled(file: Path) -> bool:
    return file.is_file() and bool(_disk.head_of(file, _HEAD).strip())


def kind_of(file: Path) -> str | None:
    """The format of a network in a file, by its first characters; None for anything else."""
    if not file.is_file():
        return None
    form = _detected(_disk.head_of(file, _HEAD).decode("utf-8", "replace"))
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
    return _disk.as_text(Path(name).stem if Path(name).suffix.lower() in _BY_EXTENSION else name)
