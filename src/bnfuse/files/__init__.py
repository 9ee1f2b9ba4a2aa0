"""Networks from and to files: one module a format, chosen by the file's extension, failing that by its content."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from bnfuse import _disk
from bnfuse._errors import BnfuseError, FileError, MissingPackageError, OptionError
from bnfuse.dag import NetworkLike, is_network
from bnfuse.network import Network, as_network

__all__ = ["check_output", "holds_tables", "read", "whole", "write"]


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
    _Format("CSV", (".csv",), r'"?from"?\s*,\s*"?to"?\s*(?:[\r\n]|$)', "bnfuse.files.edge_list"),
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


def read(*paths: str | os.PathLike[str]) -> list[Network]:
    """Read networks from files, in this order: BIF, XMLBIF, NET, DSL, XDSL, UAI, CSV edge lists and ensembles (JSON).

    Each file may be gzipped. A network is called after its file; those of an ensemble have their own names.

    >>> read("asia.bif", "bootstrap.json.gz")  # doctest: +SKIP
    """
    if not paths:
        raise OptionError("expected at least one file to read")
    files = [_as_path(path) for path in paths]
    groups = [(file, _read_one(file)) for file in files]
    return list(_called(groups))


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


def holds_tables(path: str | os.PathLike[str]) -> bool:
    """Whether the format that `write` chooses for a file holds states and tables, or the structure only."""
    return _format_to_write(_as_path(path)).has_tables


def _format_to_write(file: Path) -> _Format:
    form = _BY_EXTENSION.get(_extension(file))
    if form is None:
        known = ", ".join(_BY_EXTENSION)
        raise FileError(file, f"the extension says no format to write; use one of {known}, each also with .gz")
    return form


def _read_one(file: Path) -> list[Network]:
    content = _disk.read_bytes(file)
    form = _format_of(file, content)
    text = _decoded(content, file, form)
    try:
        networks = form.read(text, str(file))
        return networks if form.label == "ensemble" else [network.renamed("") for network in networks]
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
        raise FileError(
            file, f"neither the extension nor the content says the format; known: {', '.join(_BY_EXTENSION)}"
        )
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
            stem = f"{file.absolute().parent.name}/{stem}"
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
        raise FileError(file, f"exists and is no {label}; to replace it: overwrite=True, or --force")


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
    return Path(name).stem if Path(name).suffix.lower() in _BY_EXTENSION else name
