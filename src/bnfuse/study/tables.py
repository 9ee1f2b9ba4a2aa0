"""The paper's Tables 3, 4 and 5, compared with ours: for people, Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from bnfuse._base.options import one_of
from bnfuse.errors import StudyError
from bnfuse.problem.problem import METRICS
from bnfuse.study import published
from bnfuse.study.grid import ALGORITHMS, FUSED, INPUTS, METRIC_NAMES, PAPERS
from bnfuse.study.statistics import (
    SIGNIFICANCE,
    Block,
    blocks,
    compare,
    fits,
    row_mean_errors,
    standard_errors,
    without_failures,
)
from bnfuse.study.store import Result

FORMATS = ("terminal", "markdown", "latex", "csv")
COLUMNS = (*ALGORITHMS, FUSED, INPUTS)

_HEADERS = {FUSED: "G+"}
_NOTHING = "-"
_PAPERS = "... in the paper"
_ERROR = "... standard error over seeds"
_TIMED = (*ALGORITHMS, FUSED)


@dataclass(frozen=True, slots=True)
class Line:
    """One measure of one metric, by algorithm; unknown values are missing."""

    metric: str
    measure: str
    values: Mapping[str, float]
    shown: Callable[[float], str]

    @property
    def is_papers(self) -> bool:
        """Whether these are the paper's numbers for the previous measure."""
        return self.measure.startswith(_PAPERS)

    @property
    def is_beside(self) -> bool:
        """Whether the line only adds to the previous measure."""
        return self.is_papers or self.measure == _ERROR


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the paper."""

    name: str
    title: str
    lines: Sequence[Line]


def tables(results: Sequence[Result], beside_paper: bool = False) -> list[Table]:
    """All tables for which there are results; `beside_paper` adds the paper's numbers."""
    synthetic = {metric: blocks(results, metric, real=False) for metric in METRICS}
    real = {metric: blocks(results, metric, real=True) for metric in METRICS}
    fitted = {metric: [block for block in those if block.is_fitted] for metric, those in real.items()}
    drafts = (
        ("Table 3", "synthetic networks", synthetic, partial(_distance_lines, "synthetic")),
        ("Table 4", "real networks", real, partial(_distance_lines, "real")),
        ("Table 5", "parameters of the real networks' consensus, fitted on data", fitted, _fit_lines),
    )
    found = []
    for name, title, by_metric, lines_of in drafts:
        known = {metric: those for metric, those in by_metric.items() if those}
        lines = [line for metric, those in known.items() for line in lines_of(metric, those)]
        if lines:
            kept = [line for line in lines if line.values or not line.is_beside]
            kept = [line for line in kept if beside_paper or not line.is_papers]
            found.append(Table(name, f"{title}; {_counted(known)}", kept))
    if not found:
        raise StudyError("no block of the study is complete yet: there is nothing to tabulate")
    return found


def _distance_lines(kind: str, metric: str, found: Sequence[Block]) -> Iterator[Line]:
    """Tables 3 and 4: the paper's six among themselves, as printed, and then all together."""
    place = kind, metric
    for compared, among in ((PAPERS, "of the six"), (ALGORITHMS, "of all")):
        others = [name for name in COLUMNS if name not in compared]
        result = compare(found, compared, others)
        papers = compared is PAPERS
        yield Line(metric, f"mean difference to the best {among}", result.mean_difference, _tenths)
        if papers:
            yield _spread(metric, found, _differences, _tenths)
            yield _papers(metric, published.MEAN_DIFFERENCE.get(place, {}), _tenths)
        yield Line(metric, f"number of best {among}", result.best, _whole)
        if papers:
            yield _spread(metric, found, lambda some: compare(some, PAPERS).best, _tenths)
            yield _papers(metric, published.BEST.get(place, {}), _whole)
        yield Line(metric, f"mean rank {among}", result.ranks, _hundredths)
        chance = f"Friedman {_probability(result.friedman)}"
        yield Line(metric, f"Holm's p {among} ({chance})", result.holm, _probability)
        if papers and place in published.HOLM:
            chance = f" (Friedman {_as_printed(published.FRIEDMAN[place])})"
            yield _papers(metric, published.HOLM[place], _as_printed, chance)
    searches = sum(len(block.seeds) for block in found)
    empty = {name: sum(block.without_arcs(name) for block in found) for name in ALGORITHMS}
    yield Line(metric, f"networks without arcs, of {searches}", empty, _whole)
    yield Line(metric, "seconds", {name: fmean(block.seconds(name) for block in found) for name in _TIMED}, _seconds)
    yield _papers(metric, published.SECONDS.get(place, {}), _seconds)


def _fit_lines(metric: str, found: Sequence[Block]) -> Iterator[Line]:
    """Table 5: errors and failures as in the paper, then real marginals, times and failures of inference."""
    yield Line(metric, "row-mean error, as printed", _row_means(found), _error)
    yield _spread(metric, found, _row_means, _error)
    yield _papers(metric, published.ROW_MEAN_ERROR.get(metric, {}), _error)
    if metric in published.ERROR_HOLM:
        chance = f": Holm's p (Friedman {_as_printed(published.ERROR_FRIEDMAN[metric])})"
        yield _papers(metric, published.ERROR_HOLM[metric], _as_printed, chance)
    shares = {name: sum(block.failures_as_printed(name) for block in found) for name in COLUMNS}
    yield Line(metric, f"failures as printed (tables beyond 8 GB), of {len(found)}", shares, _tenths)
    yield _papers(metric, published.FAILURES.get(metric, {}), _whole, f", of {published.FAILURES_OF}")
    for names, where in ((FUSED,), "G+ succeeds"), (ALGORITHMS, "all algorithms succeed"):
        some = without_failures(found, names)
        by_name = {name: one for name in COLUMNS if (one := fits(some, name))}
        if names == ALGORITHMS:  # the full fusion succeeds in some of these blocks only: not comparable
            by_name.pop(FUSED, None)
        place = f"where {where} ({len(some)})"
        errors = {name: one.marginal_error for name, one in by_name.items()}
        yield Line(metric, f"mean absolute error of the marginals {place}", errors, _error)
        yield Line(metric, f"seconds to fit {place}", {name: one.seconds for name, one in by_name.items()}, _seconds)
        if names == (FUSED,):
            yield _papers(metric, published.FIT_SECONDS.get(metric, {}), _hundredths)
        answers = {name: one.query_seconds for name, one in by_name.items()}
        yield Line(metric, f"seconds for all marginals {place}", answers, _seconds)
    failures = {name: sum(block.fails(name) for block in found) for name in COLUMNS}
    yield Line(metric, f"failures of inference in 256 MiB, of {len(found)}", failures, _whole)
    tables_alone = {name: sum(block.fails(name, "tables") for block in found) for name in COLUMNS}
    yield Line(metric, "... of them for the tables alone", tables_alone, _whole)


def _differences(found: Sequence[Block]) -> Mapping[str, float]:
    return compare(found, PAPERS, [name for name in COLUMNS if name not in PAPERS]).mean_difference


def _row_means(found: Sequence[Block]) -> Mapping[str, float]:
    return row_mean_errors(found, COLUMNS)


def _spread(
    metric: str,
    found: Sequence[Block],
    statistic: Callable[[Sequence[Block]], Mapping[str, float]],
    shown: Callable[[float], str],
) -> Line:
    return Line(metric, _ERROR, standard_errors(found, statistic), shown)


def _papers(metric: str, values: Mapping[str, float], shown: Callable[[float], str], more: str = "") -> Line:
    return Line(metric, f"{_PAPERS}{more}", values, shown)


def _counted(by_metric: Mapping[str, Sequence[Block]]) -> str:
    numbers = " and ".join(f"{len(those)} for {METRIC_NAMES[metric]}" for metric, those in by_metric.items())
    seeds = {len(rows) for those in by_metric.values() for block in those for rows in block.rows.values()}
    some = f"{min(seeds)}" if len(seeds) == 1 else f"{min(seeds)} to {max(seeds)}"
    return f"blocks: {numbers}, each over {some} seed{'s' if max(seeds) > 1 else ''}"


# How numbers are shown


def _tenths(value: float) -> str:
    return f"{value:.1f}"


def _hundredths(value: float) -> str:
    return f"{value:.2f}"


def _seconds(value: float) -> str:
    return f"{value:.1f}" if value >= 10 else f"{value:.3g}"


def _whole(value: float) -> str:
    return f"{value:.0f}"


def _error(value: float) -> str:
    return f"{value:.4f}" if value >= 0.001 else f"{value:.1e}"


def _probability(value: float) -> str:
    if value >= 0.995:
        return "1"
    return f"{value:.2f}" if value >= SIGNIFICANCE else f"{value:.0e}" if value > 1e-99 else "0"


def _as_printed(probability: float) -> str:
    """Three digits, as in the paper."""
    return f"{probability:.2e}"


# Formats


def written(found: Sequence[Table], how: str) -> str:
    """Tables as text."""
    one_of("format", how, FORMATS)
    if how == "csv":
        return _csv(found)
    write = {"terminal": _plain, "markdown": _markdown, "latex": _latex}[how]
    return "\n".join(write(table) for table in found)


def _headers() -> list[str]:
    return ["metric", "", *(_HEADERS.get(name, name) for name in COLUMNS)]


def _cells(line: Line) -> list[str]:
    values = [line.shown(line.values[name]) if name in line.values else _NOTHING for name in COLUMNS]
    return [METRIC_NAMES[line.metric], line.measure, *values]


def _plain(table: Table) -> str:
    """Columns under headers of two lines: the method, and its candidates."""
    headers = [(*header.split(" "), "")[:2] for header in _headers()]
    lines = [[header[0] for header in headers], [header[1] for header in headers], *map(_cells, table.lines)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headers))]
    shown = []
    for line in lines:
        cells = [cell.ljust(width) if i < 2 else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(line, widths, strict=True))]  # fmt: skip
        shown.append("  ".join(cells).rstrip())
    return "\n".join((f"{table.name}: {table.title}", "", *shown, ""))


def _markdown(table: Table) -> str:
    rows = [_headers(), ["---", "---", *("---:" for _ in COLUMNS)], *map(_cells, table.lines)]
    return "\n".join((f"**{table.name}**: {table.title}.", "", *(f"| {' | '.join(row)} |" for row in rows), ""))


def _latex(table: Table) -> str:
    """The tables for `booktabs`."""
    headers = " & ".join(_escaped(header) for header in _headers())
    body = [" & ".join(_escaped(cell) for cell in _cells(line)) + r" \\" for line in table.lines]
    return "\n".join((
        r"\begin{table}",
        rf"\caption{{{_escaped(table.title)}}}",
        rf"\begin{{tabular}}{{ll{'r' * len(COLUMNS)}}}",
        r"\toprule",
        rf"{headers} \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
        "",
    ))  # fmt: skip


def _escaped(text: str) -> str:
    return text.replace("%", r"\%").replace("G+", "$G^+$").replace("_", r"\_")


def _csv(found: Sequence[Table]) -> str:
    """All numbers in full."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("table", "metric", "measure", *COLUMNS))
    for table in found:
        for line in table.lines:
            writer.writerow((table.name, line.metric, line.measure, *(line.values.get(name, "") for name in COLUMNS)))
    return text.getvalue()
