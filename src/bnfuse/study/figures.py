"""The paper's figures: mean distance against the clique limit, a panel for each base and number of inputs."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bnfuse._base import disk
from bnfuse._base.optional import optional
from bnfuse._base.options import one_of
from bnfuse.errors import FileError, StudyError
from bnfuse.problem.problem import METRICS
from bnfuse.report.drawing.picture import METADATA
from bnfuse.report.drawing.plots import check_picture
from bnfuse.study.grid import ALGORITHMS, FUSED, INPUTS, METRIC_NAMES
from bnfuse.study.statistics import Block, blocks
from bnfuse.study.store import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = ("png", "svg", "pdf")

_BLUE, _ORANGE, _GREEN, _GREY, _BAND = "#1f5fa8", "#d2691e", "#0b7a4b", "#555555", "#e8e4d8"
_STYLES = {  # colour for the method, line for the candidates
    "genetic shared": (_BLUE, "-", "o"),
    "genetic per-network": (_BLUE, "--", "s"),
    "genetic fused": (_BLUE, ":", "^"),
    "greedy shared": (_ORANGE, "-", "o"),
    "greedy per-network": (_ORANGE, "--", "s"),
    "greedy fused": (_ORANGE, ":", "^"),
    "direct": (_GREEN, "-", "D"),
    "majority": (_GREY, "-.", "x"),
}
_LABEL_ROOM = 1.2  # times the previous limit: closer ones have a tick without a number
_CUT = 1.25  # times all other curves: greedy ones that exceed this are cut off, or the others would look flat


def draw(results: Sequence[Result], folder: Path, kind: str = "png", overwrite: bool = False) -> list[Path]:
    """Draw a figure for each metric and each kind of base into a folder, which is created if it does not exist.

    A file that bnfuse did not write is replaced only with `overwrite`.
    """
    one_of("format", kind, FORMATS)
    optional("matplotlib", "a figure", extra="study")
    wanted = [
        (base, metric, blocks(results, metric, base == "real")) for base in ("synthetic", "real") for metric in METRICS
    ]
    if not any(found for _, _, found in wanted):
        raise StudyError("no block of the study is complete yet: there is nothing to draw")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, f"cannot be made: {(error.strerror or str(error)).lower()}") from None
    drawn = {folder / f"{base}-{metric}.{kind}": (found, metric) for base, metric, found in wanted if found}
    for path in drawn:
        check_picture(path, kind, overwrite)
    for path, (found, metric) in drawn.items():
        disk.write_bytes(_picture(found, metric, kind), path)
    return list(drawn)


def _picture(found: Sequence[Block], metric: str, kind: str) -> bytes:
    from matplotlib import rc_context  # noqa: PLC0415 - optional, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415

    panels: dict[tuple[str, int], list[Block]] = defaultdict(list)
    for block in found:
        panels[block.base, block.inputs].append(block)
    bases = sorted({base for base, _ in panels}, key=_natural)
    counts = sorted({inputs for _, inputs in panels})
    picture = io.BytesIO()
    # A fixed salt: the same results give the same bytes.
    with rc_context({"svg.hashsalt": "bnfuse", "axes.spines.top": False, "axes.spines.right": False, "font.size": 9}):
        figure = Figure(figsize=(max(9.0, 3.4 * len(counts) + 0.6), 2.3 * len(bases) + 1.4), layout="constrained")
        grid = figure.subplots(len(bases), len(counts), squeeze=False)
        for row, base in enumerate(bases):
            for column, inputs in enumerate(counts):
                axes = grid[row, column]
                if (base, inputs) not in panels:
                    axes.set_axis_off()
                    continue
                those = sorted(panels[base, inputs], key=lambda block: block.max_clique)
                _draw_panel(axes, those)
                fused = max(block.distance(FUSED) for block in those)  # far above all others: only as a number
                axes.set_title(f"{_called(base)}, r = {inputs} (G+: {fused:.0f})", fontsize=10)
        figure.supxlabel("limit t: largest clique allowed")
        figure.supylabel(f"mean {METRIC_NAMES[metric]} to the inputs")
        handles, labels = grid[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)
        figure.savefig(picture, format=kind, dpi=80, metadata=METADATA[kind])
    return picture.getvalue()


def _draw_panel(axes: Axes, found: Sequence[Block]) -> None:
    from matplotlib.ticker import FixedLocator, NullFormatter, ScalarFormatter  # noqa: PLC0415

    limits = [block.max_clique for block in found]
    inputs = [row for block in found for row in block.rows[INPUTS]]
    smallest, largest = min(row.smallest_clique for row in inputs), max(row.clique for row in inputs)
    axes.axvspan(smallest, largest, color=_BAND, linewidth=0, zorder=0, label="clique sizes of the inputs")
    axes.plot(
        limits,
        [block.distance(INPUTS) for block in found],
        color=_GREY,
        linewidth=0.8,
        label="inputs, from each other",
    )
    for name in ALGORITHMS:
        colour, line, marker = _STYLES[name]
        values = [block.distance(name) for block in found]
        axes.plot(limits, values, line, marker=marker, color=colour, markersize=3.5, linewidth=1.3, label=name)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator(_labelled(limits)))
    axes.xaxis.set_minor_locator(FixedLocator(limits))
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlim(0.93 * limits[0], max(limits[-1], largest) * 1.08)
    axes.set_ylim(0, 1.05 * _top(axes, found))


def _labelled(limits: Sequence[int]) -> list[int]:
    """The limits whose numbers fit next to each other."""
    shown = [limits[0]]
    for limit in limits[1:]:
        if limit >= _LABEL_ROOM * shown[-1]:
            shown.append(limit)
    return shown


def _top(axes: Axes, found: Sequence[Block]) -> float:
    """The highest distance to show, with a note if greedy curves are cut off there."""
    highest = {name: max(block.distance(name) for block in found) for name in (*ALGORITHMS, INPUTS)}
    most = max(highest.values())
    others = max(height for name, height in highest.items() if not name.startswith("greedy"))
    if most <= _CUT * others:
        return most
    axes.text(
        0.99,
        0.99,
        f"greedy: up to {most:.0f}",
        color=_ORANGE,
        fontsize=8,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1},
        transform=axes.transAxes,
        horizontalalignment="right",
        verticalalignment="top",
    )
    return others


def _called(base: str) -> str:
    return f"n = {base[1:]}" if _natural(base)[0] == "n" else base


def _natural(base: str) -> tuple[str, int]:
    """Numbers of variables sort as numbers."""
    number = re.fullmatch(r"n(\d+)", base)
    return ("n", int(number[1])) if number else (base, 0)
