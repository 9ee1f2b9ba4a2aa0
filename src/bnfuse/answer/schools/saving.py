"""Schools in files: their networks, and everything known about them except the tables of the inputs."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bnfuse import files
from bnfuse._base import disk
from bnfuse._base.fields import Field
from bnfuse.answer.persistence import answer_content, answer_parts, content_of, parts_of
from bnfuse.answer.result import Consensus
from bnfuse.answer.schools.division.panel import Panel
from bnfuse.answer.schools.result import School, Schools
from bnfuse.answer.schools.rule import SchoolTest
from bnfuse.errors import BnfuseError, FileError
from bnfuse.graphs.gaussian_network import is_gaussian

_KIND = "bnfuse schools"
_VERSION = 1
_OPENING = f'{{"kind":"{_KIND}"'.encode()
_OTHER_KIND = "does not hold saved schools; bnfuse schools ... --save FILE writes them"
_STOPPED_BY = ("finished", "time limit", "interrupted")


def school_files(folder: Path, count: int, extension: str) -> tuple[Path, ...]:
    """The file of each school."""
    return tuple(folder / f"school-{number + 1}{extension}" for number in range(count))


def write(schools: Schools, folder: Path, extension: str | None, overwrite: bool) -> tuple[Path, ...]:
    """The network of each school in its own file; all of them are checked before one is written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError(folder, "is a file, not a folder") from None
    except (OSError, ValueError) as error:
        raise FileError(folder, f"cannot be made: {disk.reason(error)}") from None
    if extension is None:
        extension = ".json" if any(is_gaussian(school.network) for school in schools.schools) else ".bif"
    paths = school_files(folder, schools.k, extension)
    for path in paths:
        files.check_output(path, overwrite=overwrite)
    for path, school in zip(paths, schools.schools, strict=True):
        files.write(school.network, path, overwrite=overwrite)
    return paths


def check_save(path: Path, overwrite: bool = False) -> None:
    """Refuse a file that `save` could not write, before time is spent on its content."""
    disk.check_replaceable(path, lambda head: head.startswith(_OPENING), "saved schools", overwrite)


def save(schools: Schools, path: Path, overwrite: bool = False) -> None:
    """Write schools to a file; a name that ends in .gz compresses it."""
    check_save(path, overwrite)
    text = json.dumps(_content(schools), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"
    content = text.encode(errors="backslashreplace")
    disk.write_bytes(disk.gzipped(content) if path.suffix.lower() == ".gz" else content, path)


def load(path: Path) -> Schools:
    """Read a file that `save` wrote."""
    text = disk.read_bytes(path)
    if not text.lstrip().startswith(b"{"):
        raise FileError(path, _OTHER_KIND)
    try:
        disk.check_json(text, path)
        content = Field.parsed(text)
        if content.get("kind").value != _KIND:
            raise FileError(path, _OTHER_KIND)
        if content.get("version").value != _VERSION:
            raise FileError(path, f"holds schools of version {content.get('version').value!r:.20}; this bnfuse reads 1")
        return _schools(content)
    except FileError:
        raise
    except BnfuseError as error:
        raise FileError(path, f"holds damaged schools: {error}") from None


def _content(schools: Schools) -> dict[str, Any]:
    place = {name: i for i, name in enumerate(schools.problem.names)}
    return {
        "kind": _KIND,
        "version": _VERSION,
        "single": content_of(schools.single.finished),
        "schools": [
            {
                "inputs": [place[name] for name in school.inputs],
                "answer": answer_content(school.consensus.finished),
            }
            for school in schools.schools
        ],
        "tests": [asdict(one) for one in schools.tests],
        "bound": schools.bound,
        "seed": schools.seed,
        "seconds": schools.seconds,
        "stopped_by": schools.stopped_by,
        "notes": schools.notes,
    }


def _schools(content: Field) -> Schools:
    single = Consensus(**parts_of(content["single"], Consensus))
    problem = single.problem
    panel, names = Panel(problem), problem.names
    found, taken = list[School](), set[int]()
    for number, one in enumerate(content["schools"].each()):
        places = tuple(one["inputs"].wholes(len(names)))
        if not places or taken & set(places) or list(places) != sorted(set(places)):
            raise one["inputs"].error("every input must be in at most one school, and every school must have an input")
        taken.update(places)
        part = panel.problem_of(places)
        consensus = Consensus(part, **answer_parts(one["answer"], part))
        found.append(School(number + 1, tuple(names[i] for i in places), consensus))
    if not found:
        raise content["schools"].error("there is no school")
    return Schools(
        problem,
        tuple(found),
        single,
        tuple(_test(one) for one in content["tests"].each()),
        tuple(name for i, name in enumerate(names) if i not in taken),
        content["bound"].whole(),
        content["seed"].whole(),
        content["seconds"].number(),
        content["stopped_by"].one_of(_STOPPED_BY),
        content["notes"].texts(),
    )


def _test(content: Field) -> SchoolTest:
    values = [None if (one := content[name]).value is None else one.number() for name in ("families", "halves")]
    return SchoolTest(content["inputs"].texts(), values[0], values[1], content["level"].number())
