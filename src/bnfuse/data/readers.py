"""Sources of rows: CSV and Parquet files, pandas, polars and Arrow tables, as chunks of columns.

Callers interpret the cells: this module knows neither states nor missing values. It never holds a whole file, nor a
line that is too long for a table.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import math
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse._base import disk
from bnfuse._base.optional import optional
from bnfuse._base.texts import count
from bnfuse.data.bins import shown_number
from bnfuse.errors import FileError, OptionError

LONGEST_LINE = 1 << 22
"""characters of a CSV file: 200,000 columns of 20 characters"""

_CHUNK = 500  # rows of text in one block: more of them exceed the processor's cache
_MOST_CELLS = 1_000_000  # characters of text in one block
_BATCH = 20_000  # rows of everything else
_MISSING = -1


class Numbered(NamedTuple):
    """Cells that already have numbers: each is one of the labels, or missing (-1)."""

    labels: Sequence[object]
    numbers: npt.NDArray[np.integer[Any]]

    def translated(self, value_of: Callable[[object, int, int], Any], missing: Any, kind: Any) -> npt.NDArray[Any]:
        """A value for each cell; each label is interpreted once, with its first position and its frequency."""
        of_label = np.full(len(self.labels) + 1, missing, kind)  # number -1 is the last
        used = np.unique(self.numbers, return_index=True, return_counts=True)
        for number, place, times in zip(*map(np.ndarray.tolist, used), strict=True):
            if number >= 0:
                of_label[number] = value_of(self.labels[number], place, times)
        values: npt.NDArray[Any] = of_label[self.numbers]
        return values


Cells: TypeAlias = Sequence[object] | Numbered
Chunks: TypeAlias = Iterator[tuple[int, list[Cells]]]
"""Columns, and the number of their first row."""


def cell_count(cells: Cells) -> int:
    """The number of cells."""
    return len(cells.numbers if isinstance(cells, Numbered) else cells)


@dataclass(frozen=True, slots=True)
class Rows:
    """A table that is read while its chunks are consumed."""

    source: str
    """its name in messages"""
    header: Sequence[str]
    chunks: Chunks
    empty_is_missing: bool = False
    """as in a CSV file, which has no other way to mark a missing value"""
    declared: Mapping[str, Sequence[object]] = field(default_factory=dict)
    """columns that the table itself declares as categories, with all of their labels"""


@contextmanager
def opened(data: Any, variables: frozenset[str] = frozenset(), named: str = "the data") -> Iterator[Rows]:
    """The rows in the path of a file, or in a table, whose name in messages is `named`.

    A table is a pandas or polars DataFrame, or any other object that streams Arrow data (`__arrow_c_stream__`), such as
    a pyarrow table or a duckdb relation. Lazy tables, such as a polars LazyFrame, are collected.

    If a CSV file may have several separators, the one with which more of the `variables` are in its header is used.
    """
    if isinstance(data, (str, os.PathLike)):
        file = Path(data)
        with _parquet(file) if kind_of(file) == "parquet" else _csv(file, variables) as rows:
            yield rows
        return
    if not hasattr(data, "__arrow_c_stream__") and callable(getattr(data, "collect", None)):
        data = data.collect()
    package = type(data).__module__.partition(".")[0]
    if package not in ("pandas", "polars") or not hasattr(data, "columns"):
        if not hasattr(data, "__arrow_c_stream__"):
            raise OptionError(f"expected the path of a file, a DataFrame or Data, got {type(data).__name__}")
        yield _arrow(data, named)
        return
    is_pandas = package == "pandas"
    chunks, declared = (_pandas_chunks, _pandas_categories) if is_pandas else (_polars_chunks, _polars_categories)
    yield Rows(named, tuple(map(str, data.columns)), chunks(data), declared=declared(data))


def label_of(cell: object) -> str | None:
    """The text of a cell; None if it is empty."""
    is_nothing = cell is None or type(cell).__name__ in ("NAType", "NaTType")
    return None if is_nothing or (isinstance(cell, float) and math.isnan(cell)) else str(cell)


def shown_label(cell: object) -> str | None:
    """The text of a cell, without outer spaces; None if it is empty. A number has its shortest form."""
    if isinstance(cell, float) and math.isfinite(cell):  # pandas turns 1 into 1.0 if values are missing
        return shown_number(cell)
    label = label_of(cell)
    return None if label is None else label.strip()


# CSV


@contextmanager
def _text_of(file: Path) -> Iterator[io.TextIOWrapper]:
    """A file as text, unpacked while it is read; errors during reading are errors of the file."""
    try:
        with file.open("rb") as raw:
            packed = raw.peek(2)[:2] == b"\x1f\x8b"
            if file.suffix.lower() == ".gz" and not packed and raw.peek(1):
                raise FileError(file, "is not gzipped, although its name ends in .gz")
            plain: Any = gzip.GzipFile(fileobj=raw) if packed else raw
            with io.BufferedReader(plain) as buffered:
                if buffered.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
                    raise FileError(file, "is encoded in UTF-16; save it as UTF-8")
                yield io.TextIOWrapper(buffered, "utf-8-sig", newline="")
    except EOFError:
        raise FileError(file, "the gzipped content ends too early; the file is truncated") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise FileError(file, f"the gzipped content is damaged ({error})") from None
    except (OSError, ValueError) as error:
        raise FileError(file, disk.reason(error)) from None


@contextmanager
def _csv(file: Path, variables: frozenset[str]) -> Iterator[Rows]:
    with _text_of(file) as text:
        rows = _rows(text, file, variables)
        header = next(rows, None)
        if header is None:
            raise FileError(file, "is empty")
        yield Rows(str(file), header, _csv_chunks(rows, len(header)), empty_is_missing=True)


def _lines(text: io.TextIOWrapper, file: Path) -> Iterator[str]:
    number = 1
    while line := text.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise FileError(
                file, f"this line has more than {LONGEST_LINE:,} characters: that is not a row of a table", number
            )
        yield line
        number += 1


def _rows(text: io.TextIOWrapper, file: Path, variables: frozenset[str]) -> Iterator[list[str]]:
    """The rows that are not empty, the header first, all of one length.

    R's write.table() writes no header over the column of row names: it gets an empty one.
    """
    line = 0
    try:
        lines = _lines(text, file)
        first = next(lines, "")

        def known(separator: str) -> tuple[int, int]:
            header = next(csv.reader([first], delimiter=separator, skipinitialspace=True), [])
            return len(variables.intersection(header)), first.count(separator)

        separator = max(",;\t", key=known)  # a tie goes to the comma
        reader = csv.reader(chain([first], lines), delimiter=separator, skipinitialspace=True, strict=True)
        header, cells = next(filter(None, reader), None), 0
        line = reader.line_num
        for row in filter(None, reader):
            line = reader.line_num
            if header is not None:
                # A comma at the end of each row is a different case.
                header = ["", *header] if len(row) == len(header) + 1 and row[0] and row[-1] else header
                cells = len(header)
                yield header
                header = None
            if len(row) != cells:
                raise FileError(file, f"this row has {count(len(row), 'cell')}, the header has {cells}", line)
            yield row
        if header is not None:
            yield header
    except UnicodeDecodeError:
        raise FileError(file, "is not valid UTF-8 text; save it as UTF-8") from None
    except csv.Error as error:
        raise FileError(file, f"is not valid CSV: {error}", line + 1) from None


def _csv_chunks(rows: Iterator[list[str]], columns: int) -> Chunks:
    first, size = 1, max(1, min(_CHUNK, _MOST_CELLS // columns))
    while chunk := list(islice(rows, size)):
        yield first, list(zip(*chunk, strict=True))
        first += len(chunk)


# Parquet, pandas and polars


@contextmanager
def _parquet(file: Path) -> Iterator[Rows]:
    parquet = optional("pyarrow.parquet", "reading Parquet files", "data")
    arrow_error = optional("pyarrow", "reading Parquet files", "data").ArrowException
    disk.check_readable(file)
    try:
        with parquet.ParquetFile(file) as content:
            yield Rows(str(file), tuple(content.schema_arrow.names), _parquet_chunks(content))
    except (arrow_error, OSError) as error:
        raise FileError(file, f"cannot be read as Parquet: {str(error).partition(chr(10))[0]}") from None


def _parquet_chunks(content: Any) -> Chunks:
    first = 1
    for batch in content.iter_batches(batch_size=_BATCH):
        yield first, [_arrow_cells(column) for column in batch.columns]
        first += batch.num_rows


def _arrow(data: Any, named: str) -> Rows:
    pyarrow = optional("pyarrow", "reading Arrow data", "data")
    try:
        stream = pyarrow.RecordBatchReader.from_stream(data)
    except (TypeError, ValueError, pyarrow.ArrowException):
        raise OptionError(
            f"expected the path of a file, a DataFrame or Data, got {type(data).__name__}, which is not a table"
        ) from None
    return Rows(named, tuple(stream.schema.names), _arrow_chunks(stream))


def _arrow_chunks(stream: Any) -> Chunks:
    first = 1
    for batch in stream:
        for start in range(0, batch.num_rows, _BATCH):
            part = batch.slice(start, _BATCH)
            yield first, [_arrow_cells(column) for column in part.columns]
            first += part.num_rows


def _arrow_cells(column: Any) -> Cells:
    if column.type.num_fields:  # lists and the like, which cannot be in a dictionary
        nested: list[object] = column.to_pylist()
        return nested
    encoded = column if hasattr(column, "indices") else column.dictionary_encode()
    return Numbered(encoded.dictionary.to_pylist(), encoded.indices.fill_null(_MISSING).to_numpy())


def _pandas_chunks(frame: Any) -> Chunks:
    for start in range(0, len(frame), _BATCH):
        part = frame.iloc[start : start + _BATCH]
        yield start + 1, [part.iloc[:, i].tolist() for i in range(part.shape[1])]


def _pandas_categories(frame: Any) -> dict[str, Sequence[object]]:
    kinds = zip(map(str, frame.columns), frame.dtypes, strict=True)
    return {name: kind.categories.tolist() for name, kind in kinds if hasattr(kind, "categories")}


def _polars_chunks(frame: Any) -> Chunks:
    for start in range(0, len(frame), _BATCH):
        yield start + 1, [column.to_list() for column in frame.slice(start, _BATCH).get_columns()]


def _polars_categories(frame: Any) -> dict[str, Sequence[object]]:
    kinds = zip(frame.columns, getattr(frame, "dtypes", ()), strict=False)
    return {name: kind.categories.to_list() for name, kind in kinds if type(kind).__name__ == "Enum"}


def kind_of(file: Path) -> str:
    """The format by the name of the file: csv or parquet."""
    suffix = Path(file.stem if file.suffix.lower() == ".gz" else file).suffix.lower()
    if suffix in (".parquet", ".pq"):
        return "parquet"
    if suffix in (".csv", ".tsv", ".txt"):
        return "csv"
    raise FileError(file, "cannot tell the format of the data from the extension; use .csv, .csv.gz or .parquet")
