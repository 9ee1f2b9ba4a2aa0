"""Everything that can go wrong with an input. The command line turns each of these into one line and exit code 2."""

from __future__ import annotations

from typing import Any


class BnfuseError(Exception):
    """Base of all errors that the input, an option or the surroundings cause.

    The message is one line, whatever the names in it hold.
    """

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.splitlines()))

    def __reduce__(self) -> tuple[Any, ...]:
        """As its message and attributes: what the error was made from may be several arguments, and is gone."""
        return _restored, (type(self), self.args, dict(self.__dict__))


class GraphError(BnfuseError):
    """A graph that is not a DAG over distinct named variables."""


class CycleError(GraphError):
    """Arcs that form a cycle."""


class MismatchError(BnfuseError):
    """Networks, orders or tables that do not belong to the same variables or states."""


class OptionError(BnfuseError):
    """An option with a value that it cannot have."""


class ConstraintError(BnfuseError):
    """Constraints on the consensus that contradict each other, or that the method cannot keep."""


class TooLargeError(BnfuseError):
    """A table that would take more memory than the limits allow; nothing of it was built."""

    def __init__(
        self, problem: str, variable: str | None, parents: tuple[str, ...], size: int, max_clique: int
    ) -> None:
        self.variable = variable
        """whose table it is; None for one that only inference needs"""
        self.parents = parents
        """of the variable; where there is none, all variables of the table"""
        self.size = size
        """in numbers of 8 bytes"""
        self.max_clique = max_clique
        """the largest clique limit under which every table fits, whatever the structure"""
        super().__init__(problem)


class EvidenceError(BnfuseError):
    """Evidence that a network does not know, or that cannot happen in it."""


class MissingPackageError(BnfuseError):
    """An optional package that the request needs."""

    def __init__(self, package: str, purpose: str, extra: str | None = None) -> None:
        remedy = f"pip install 'bnfuse[{extra}]'" if extra else f"pip install {package}"
        super().__init__(f"{purpose} needs the package {package}: {remedy}")


class FileError(BnfuseError):
    """A file that cannot be read or written, with the place where it goes wrong."""

    def __init__(self, path: object, problem: str, line: int | None = None, column: int | None = None) -> None:
        place = "".join(f":{number}" for number in (line, column) if number is not None)
        super().__init__(f"{path}{place}: {problem}")


class StudyError(BnfuseError):
    """A study that cannot go on: some of its jobs failed, or what is asked for is not there yet."""


class FederationError(BnfuseError):
    """A federation that cannot go on: too few sites, or what they sent does not fit."""


class WorkerError(BnfuseError):
    """Workers that cannot be used: a cluster does not answer or is gone, or processes die again and again."""


class BnfuseWarning(UserWarning):
    """Something in an input that was put right, and that its owner should know about."""


def _restored(kind: type[BnfuseError], args: tuple[object, ...], attributes: dict[str, object]) -> BnfuseError:
    error = kind.__new__(kind, *args)  # which keeps the message, as no __init__ is called
    error.__dict__.update(attributes)
    return error
