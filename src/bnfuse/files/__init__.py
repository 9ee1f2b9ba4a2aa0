"""Networks from and to files: one module a format, chosen by the file's extension, failing that by its content."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from bnfuse import _disk
from bnfuse._errors import BnfuseError, FileError, GraphError, MissingPackageError, OptionError
from bnfuse.dag import NetworkLike, is_network
from bnfuse.files import _formats as _formats  # each registers itself
from bnfuse.files._registry import HEAD, Format, by_extension, detected, extensions, lazily, register
from bnfuse.network import Network, as_network

__all__ = [
    "Format",
    "check_output",
    "check_placeholders",
    "holds_tables",
    "kind_of",
    "lazily",
    "read",
    "register",
    "write",
]

_ENCODING = rb"<\?xml[^<>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']"


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


def write(
    network: NetworkLike | Iterable[NetworkLike],
    path: str | os.PathLike[str],
    overwrite: bool = False,
    placeholders: bool = False,
) -> None:
    """Write a network to a file in the format of its extension: what `read` reads, and .dot and .graphml.

    An ensemble (.json) takes a list of networks too. A file of the same format is replaced; one of another kind only
    with `overwrite`. CSV, JSON, DOT and GraphML hold the structure only. Other formats need states and tables: a
    network without them gets two states and uniform tables, and the file says that these are placeholders. NET, DSL and
    UAI files cannot say it, so a network without tables is written to them only with `placeholders`.
    """
    file = _as_path(path)
    form = _format_to_write(file)
    text = _text_of(network, form, file, placeholders)
    check_output(file, overwrite)
    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        raise FileError(file, f"{text[error.start]!a} in a name is not valid Unicode text") from None
    _disk.write_bytes(_disk.gzipped(content) if file.suffix.lower() == ".gz" else content, file)


def check_output(path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Refuse a file that `write` could not write, before time is spent on its content."""
    file = _as_path(path)
    form = _format_to_write(file)
    _disk.check_replaceable(file, lambda head: _kind_of(head) == form.label, form.called, overwrite)


def check_placeholders(path: str | os.PathLike[str], allowed: bool = False) -> None:
    """Refuse a file to which `write` would not write a network without tables, before time is spent on its content."""
    file = _as_path(path)
    form = _format_to_write(file)
    if form.has_tables and not (form.marks_placeholders or allowed):
        raise FileError(file, f"the network will have no tables, {_unmarked(form)}")


def holds_tables(path: str | os.PathLike[str]) -> bool:
    """Whether the format that `write` chooses for a file holds states and tables, or the structure only."""
    return _format_to_write(_as_path(path)).has_tables


def _format_to_write(file: Path) -> Format:
    form = by_extension(_extension(file))
    if form is None or form.write is None:
        known = ", ".join(extensions(to_read=False))
        raise FileError(file, f"the extension does not say a format to write; use one of {known}, each also with .gz")
    return form


def _read_one(file: Path) -> list[Network]:
    content = _disk.read_bytes(file)
    form = _format_of(file, content)
    if form.read is None:
        raise FileError(
            file, f"{form.label} files can only be written; to read the arcs, use a CSV file with the header from,to"
        )
    text = _decoded(content, file, form)
    try:
        networks = form.read(text, str(file))
        return networks if form.write_many else [network.renamed("") for network in networks]
    except FileError as error:
        likely = detected(text)
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
    if b"\0" in content:
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
        raise FileError(file, f"neither the extension nor the content says the format; known: {known}")
    return found


def _decoded(content: bytes, file: Path, form: Format) -> str:
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


def _text_of(network: NetworkLike | Iterable[NetworkLike], form: Format, file: Path, placeholders: bool) -> str:
    assert form.write is not None
    try:
        if is_network(network) or not isinstance(network, Iterable):
            networks = [as_network(network)]
        else:
            networks = [as_network(member) for member in network]
            if form.write_many is not None:
                return form.write_many(networks)
        if len(networks) == 1:
            _check_placeholders(networks[0], form, placeholders)
            return form.write(networks[0])
    except MissingPackageError:
        raise
    except BnfuseError as error:
        raise FileError(file, str(error)) from None
    raise FileError(file, f"{form.label} files hold one network, got {len(networks)}; an ensemble (.json) holds many")


def _check_placeholders(network: Network, form: Format, allowed: bool) -> None:
    if network.cpts is None and form.has_tables and not (form.marks_placeholders or allowed):
        raise GraphError(f"the network has no tables, {_unmarked(form)}")


def _unmarked(form: Format) -> str:
    return (
        f"and {form.label} files cannot say that theirs are placeholders: write BIF, XMLBIF or XDSL, "
        "or allow unmarked uniform tables: placeholders=True, or --placeholders"
    )


def kind_of(file: Path) -> str | None:
    """The format of a network in a file, by its first characters; None for anything else."""
    return _kind_of(_disk.head_of(file, HEAD)) if file.is_file() else None


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
    return Path(name).stem if by_extension(Path(name).suffix.lower()) else name
