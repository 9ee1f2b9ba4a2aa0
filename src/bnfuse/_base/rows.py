"""Small tables as results: a tuple or list of rows that prints in columns and becomes a DataFrame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from bnfuse._base.optional import optional


class Row(Protocol):
    """A row of a table."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Its values by name."""


class Framed:
    """A sequence of rows that becomes a DataFrame."""

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[Any]: ...

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows as dictionaries, with the ends of an arc as `from` and `to`."""
        return [dict(_flat(row.facts)) for row in self]

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            Its columns are the keys of `records`.

        Raises
        ------
        MissingPackageError
            pandas is not installed.

        Examples
        --------
        >>> import bnfuse
        >>> found = bnfuse.strengths([bnfuse.DAG.from_edges([("A", "B")])])
        >>> found.arcs.to_pandas()["strength"].tolist()
        [1.0, 1.0]
        """
        return optional("pandas", "a pandas table", "data").DataFrame(self.records)

    def to_polars(self) -> Any:
        """The rows as a polars DataFrame.

        Returns
        -------
        polars.DataFrame
            Its columns are the keys of `records`.

        Raises
        ------
        MissingPackageError
            polars is not installed.

        Examples
        --------
        >>> import bnfuse
        >>> found = bnfuse.strengths([bnfuse.DAG.from_edges([("A", "B")])])
        >>> found.arcs.to_polars().columns
        ['from', 'to', 'strength', 'direction', 'class_direction', 'free']
        """
        return optional("polars", "a polars table").DataFrame(self.records, infer_schema_length=None)

    def __str__(self) -> str:
        return "\n".join("  ".join(map(str.ljust, line, self._widths)).rstrip() for line in self._lines)

    def _repr_html_(self) -> str:
        head, *body = ["".join(f"<td>{escape(cell)}</td>" for cell in line) for line in self._lines]
        rows = "".join(f"<tr>{row}</tr>" for row in body)
        return f"<table><thead><tr>{head.replace('td>', 'th>')}</tr></thead><tbody>{rows}</tbody></table>"

    @property
    def _lines(self) -> list[list[str]]:
        records = self.records
        names = list(records[0]) if records else []
        return [names, *([_shown(record[name]) for name in names] for record in records)]

    @property
    def _widths(self) -> list[int]:
        return [max(map(len, column)) for column in zip(*self._lines, strict=True)]


_Row_co = TypeVar("_Row_co", bound=Row, covariant=True)


class Table(Framed, tuple[_Row_co, ...]):
    """Rows in a meaningful order: a tuple that prints in columns and becomes a DataFrame.

    Examples
    --------
    >>> import bnfuse
    >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
    >>> print(bnfuse.consensus([one, one, two]).compared())
    name           distance  clique_size  arcs  ties
    consensus      0.333     2            1     False
    majority vote  0.333     2            1     False
    1              0.333     2            1     False
    2              0.333     2            1     False
    3              0.667     1            0     False
    full fusion    0.333     2            1     False
    no arcs        0.667     1            0     False
    """

    __slots__ = ()

    __iter__ = tuple.__iter__


def _flat(facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in facts.items():
        if name == "arc" and value is not None:
            yield from zip(("from", "to"), value, strict=True)
        elif name != "alternatives":
            yield name, list(value) if isinstance(value, tuple) else value


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if value is None:
        return "-"
    return f"{value:.3g}" if isinstance(value, float) else str(value)
