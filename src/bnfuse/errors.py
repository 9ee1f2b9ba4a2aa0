"""The error types. The command line turns each of these errors into one line and exit code 2."""

from __future__ import annotations

from typing import Any


class BnfuseError(Exception):
    """Base of all errors that an input, an option or the environment causes.

    The message is one line, whatever names it contains. The command line prints it and exits with 2.

    Parameters
    ----------
    message
        What is wrong, where, and what to do.

    Examples
    --------
    >>> import bnfuse
    >>> try:
    ...     bnfuse.read("no-such-file.bif")
    ... except bnfuse.BnfuseError as error:
    ...     print(error)
    no-such-file.bif: no such file or folder
    """

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.splitlines()))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and attributes: the constructor's arguments may differ and are not kept."""
        return _restored, (type(self), self.args, dict(self.__dict__))


class GraphError(BnfuseError):
    """A graph that is not a DAG over distinct named variables.

    Examples
    --------
    >>> import bnfuse
    >>> bnfuse.DAG(["A", "B"], [("A", "C")])
    Traceback (most recent call last):
    bnfuse.GraphError: arc A -> C: unknown variable 'C'
    """


class CycleError(GraphError):
    """Arcs that form a cycle.

    Examples
    --------
    >>> import bnfuse
    >>> bnfuse.DAG(["A", "B"], [("A", "B"), ("B", "A")])
    Traceback (most recent call last):
    bnfuse.CycleError: the arcs form a cycle: A -> B -> A
    """


class MismatchError(BnfuseError):
    """Networks, orders or tables with different variables or states.

    Examples
    --------
    >>> import bnfuse
    >>> bnfuse.minimal_imap(bnfuse.DAG(["A", "B"]), ["A"])
    Traceback (most recent call last):
    bnfuse.MismatchError: an order must name each variable of the networks once; it lacks 'B'
    """


class OptionError(BnfuseError):
    """An option with an invalid value.

    Examples
    --------
    >>> import bnfuse
    >>> bnfuse.consensus([bnfuse.DAG(["A", "B"])], metric="euclid")
    Traceback (most recent call last):
    bnfuse.OptionError: metric must be one of 'smhd', 'fsim', 'shd'; got 'euclid'
    """


class ConstraintError(BnfuseError):
    """Constraints on the consensus that contradict each other, or that the method cannot keep.

    Examples
    --------
    >>> import bnfuse
    >>> bnfuse.consensus([bnfuse.DAG(["A", "B"])], required=[("A", "B"), ("B", "A")])
    Traceback (most recent call last):
    bnfuse.ConstraintError: the required arcs contradict each other: the arcs form a cycle: A -> B -> A
    """


class TooLargeError(BnfuseError):
    """A table that would take more memory than the limits allow; none of it was built.

    Parameters
    ----------
    problem
        The message.
    variable
        The variable whose table it is; None for a table that only inference needs.
    parents
        The parents of the variable; without a variable, all variables of the table.
    size
        In numbers of 8 bytes.
    max_clique
        The largest clique limit under which every table fits, whatever the structure.

    Examples
    --------
    >>> import bnfuse
    >>> names = [f"X{i}" for i in range(40)]
    >>> wide = bnfuse.DAG.from_edges([(name, "Y") for name in names])
    >>> states, tables = dict.fromkeys([*names, "Y"], ("no", "yes")), dict.fromkeys([*names, "Y"], [0.5, 0.5])
    >>> data = bnfuse.Network(bnfuse.DAG([*names, "Y"]), states, tables).sample(10)
    >>> try:
    ...     bnfuse.consensus([wide], max_clique=41).fit(data)
    ... except bnfuse.TooLargeError as error:
    ...     print(error.variable, len(error.parents), error.max_clique)
    Y 40 22
    """

    def __init__(
        self, problem: str, variable: str | None, parents: tuple[str, ...], size: int, max_clique: int
    ) -> None:
        self.variable = variable
        self.parents = parents
        self.size = size
        self.max_clique = max_clique
        super().__init__(problem)


class EvidenceError(BnfuseError):
    """Evidence with unknown names, or with probability 0.

    Examples
    --------
    >>> import bnfuse
    >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
    >>> coin.query("Coin", given={"Weather": "fine"})
    Traceback (most recent call last):
    bnfuse.EvidenceError: the network has no variable 'Weather'; it has 'Coin'
    """


class MissingPackageError(BnfuseError):
    """An optional package that the request needs.

    Parameters
    ----------
    package
        Its name.
    purpose
        What needs it.
    extra
        The extra of bnfuse that installs it, if there is one.

    Examples
    --------
    >>> import bnfuse
    >>> raise bnfuse.MissingPackageError("pyagrum", "reading NET files", "files")
    Traceback (most recent call last):
    bnfuse.MissingPackageError: reading NET files needs the package pyagrum: pip install 'bnfuse[files]'
    """

    def __init__(self, package: str, purpose: str, extra: str | None = None) -> None:
        remedy = f"pip install 'bnfuse[{extra}]'" if extra else f"pip install {package}"
        super().__init__(f"{purpose} needs the package {package}: {remedy}")


class FileError(BnfuseError):
    """A file that cannot be read or written, with the place of the problem.

    Parameters
    ----------
    path
        The file.
    problem
        What is wrong with it.
    line, column
        The place, counted from 1.

    Examples
    --------
    >>> import bnfuse
    >>> raise bnfuse.FileError("clinic.bif", "expected a variable", line=3, column=14)
    Traceback (most recent call last):
    bnfuse.FileError: clinic.bif:3:14: expected a variable
    """

    def __init__(self, path: object, problem: str, line: int | None = None, column: int | None = None) -> None:
        place = "".join(f":{number}" for number in (line, column) if number is not None)
        super().__init__(f"{path}{place}: {problem}")


class StudyError(BnfuseError):
    """A study that cannot continue: some of its jobs failed, or the requested results are not there yet."""


class FederationError(BnfuseError):
    """A federation that cannot continue: too few sites, or data that do not fit."""


class WorkerError(BnfuseError):
    """Workers that cannot be used: a cluster does not answer or is gone, or processes end again and again."""


class BnfuseWarning(UserWarning):
    """Something in an input that was corrected, and that its owner should know about.

    Examples
    --------
    >>> import bnfuse, warnings
    >>> bnfuse.write(bnfuse.DAG.from_edges([("A", "B")]), "one.csv")
    >>> bnfuse.write(bnfuse.DAG.from_edges([("A", "C")]), "two.csv")
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always", bnfuse.BnfuseWarning)
    ...     networks = bnfuse.read("one.csv", "two.csv")
    >>> print(str(caught[0].message).partition(":")[0])
    not all edge lists mention the same variables
    """


def _restored(kind: type[BnfuseError], args: tuple[object, ...], attributes: dict[str, object]) -> BnfuseError:
    error = kind.__new__(kind, *args)  # which restores the message, as __init__ is not called
    error.__dict__.update(attributes)
    return error
