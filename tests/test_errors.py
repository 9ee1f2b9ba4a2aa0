"""Errors as values: they cross process boundaries and are copied without losing anything."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import bnfuse
import bnfuse.serve.jobs.workers
import bnfuse.serve.workspace.folder  # their errors are kinds too
from bnfuse import errors
from bnfuse.errors import BnfuseError, FileError, MissingPackageError, TooLargeError
from bnfuse.serve.meeting.items import Conflict, ConflictError


def kinds(base: type[BnfuseError] = BnfuseError) -> Iterator[type[BnfuseError]]:
    yield base
    for kind in base.__subclasses__():
        yield from kinds(kind)


MADE = {
    TooLargeError: lambda: TooLargeError("too large", "A", ("B", "C"), 10**30, 4),
    MissingPackageError: lambda: MissingPackageError("pyagrum", "reading NET files", extra="files"),
    FileError: lambda: FileError("a.bif", "is empty", 3, 4),
    ConflictError: lambda: ConflictError([Conflict("limit", "the limit", 4, 5, "Ada", "10:00", 7)], 6),
}


@pytest.mark.parametrize("kind", sorted(set(kinds()), key=lambda kind: kind.__name__))
def test_every_error_survives_pickling_and_copying(kind: type[BnfuseError]) -> None:
    error = MADE.get(kind, lambda: kind("what is wrong"))()
    error.add_note("seen in a pool")
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is kind
        assert str(twin) == str(error)
        assert twin.args == error.args
        assert vars(twin) == vars(error)


def test_every_error_of_the_package_is_covered() -> None:
    named = {value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, BnfuseError)}
    assert named <= set(kinds())
    assert len(named) > 8


def test_an_error_in_a_pool_reaches_the_caller() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(FileError, match=r"^none\.bif: no such file or folder$"):
            pool.submit(bnfuse.read, "none.bif").result()
        assert pool.submit(len, "abc").result() == 3  # the pool is not broken
