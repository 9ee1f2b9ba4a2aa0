"""Plots and pictures as files: PNG, SVG or PDF, by matplotlib, where it is needed, without a window."""

from __future__ import annotations

import contextlib
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bnfuse._base import disk
from bnfuse._base.optional import require
from bnfuse.answer.result import Consensus
from bnfuse.errors import FileError, OptionError
from bnfuse.problem.strength import Strengths
from bnfuse.report.drawing.picture import METADATA, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_OPENINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
_INK, _BOUND, _COST = "#1f4e79", "#d9dfe6", "#c55a11"
_LONGEST_PLAIN = 10**7  # larger numbers are written as powers of ten
_LARGEST_DRAWN = 10**300  # of clique tables: what a floating-point number can hold


def check_plot(path: Path, overwrite: bool = False) -> None:
    """Refuse a path to which a plot could not be written, before time is spent on its content."""
    _kind(path)
    require("matplotlib", "a plot", extra="plot")
    _check_place(path, overwrite)


def draw(picture: Picture, path: Path, overwrite: bool = False) -> None:
    """Write the picture of a network to a file."""
    check_drawing(path, overwrite)
    disk.write_bytes(rendered(picture, _kind(path)), path)


def rendered(picture: Picture, kind: str) -> bytes:
    """The picture of a network as a file: SVG by ourselves, PNG or PDF by matplotlib; the same bytes on every run."""
    if kind == "svg":
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- {disk.MARK} -->\n{picture.svg()}'.encode()
    from bnfuse.report.drawing.canvas import render  # noqa: PLC0415 - matplotlib is optional, and slow to import

    return render(picture, kind)


def check_drawing(path: Path, overwrite: bool = False) -> None:
    """Refuse a path to which a network's picture could not be written: SVG needs nothing, the others matplotlib."""
    if _kind(path) != "svg":
        purpose = f"a picture in {_kind(path).upper()} (SVG needs nothing more)"
        require("matplotlib", purpose, extra="plot")
    _check_place(path, overwrite)


def _check_place(path: Path, overwrite: bool) -> None:
    kind = _kind(path)
    check_picture(path, kind, overwrite)


def check_picture(path: Path, kind: str, overwrite: bool = False) -> None:
    """Refuse a path that cannot be written, and a file that is not a picture of this kind by bnfuse."""
    called = f"a{'n' if kind == 'svg' else ''} {kind.upper()} file"
    opening = _OPENINGS[kind]
    disk.check_replaceable(path, lambda ends: ends.startswith(opening) and disk.is_marked(ends), called, overwrite)


def plot_frontier(results: Sequence[Consensus], tables: Sequence[int], path: Path, overwrite: bool = False) -> None:
    """Distance and proven bound by the limit, together with the numbers in the clique tables.

    `results` are those of `frontier`, `tables` the clique-table sizes of their networks.
    """
    check_plot(path, overwrite)
    if not results:
        raise OptionError("there is no result to plot")
    with _figure(path) as figure:
        axes = figure.add_subplot()
        cost_axes = axes.twinx()
        _draw_distances(axes, results)
        _draw_tables(cost_axes, results, tables)
        handles = [*axes.get_legend_handles_labels()[0], *cost_axes.get_legend_handles_labels()[0]]
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), frameon=False)


def plot_convergence(result: Consensus, path: Path, overwrite: bool = False) -> None:
    """The distance of the best network so far against the steps of the search, above the proven bound."""
    check_plot(path, overwrite)
    if not result.history:
        raise OptionError(f"the method {result.method} has no steps to plot")
    with _figure(path) as figure:
        axes = figure.add_subplot()
        steps = [one.step for one in result.history]
        if any(one.mean != one.distance for one in result.history):
            axes.plot(steps, [one.mean for one in result.history], "--", color=_COST, label="mean of the population")
        axes.plot(steps, [one.distance for one in result.history], "-", color=_INK, label="best network so far")
        if result.lower_bound is not None:
            axes.axhline(result.lower_bound, color=_INK, linestyle=":", linewidth=1, label="proven bound")
        axes.spines["right"].set_visible(False)
        axes.set_xlabel("step of the search")
        axes.set_ylabel(f"mean {result.problem.metric}")
        handles = axes.get_legend_handles_labels()[0]
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), frameon=False)


def plot_strengths(strengths: Strengths, path: Path, overwrite: bool = False) -> None:
    """The share of the pairs that are no stronger than each strength, and the estimated threshold among them.

    The dashed line is the ideal for the threshold: every pair that it leaves out at 0, every other at 1.
    """
    check_plot(path, overwrite)
    steps = [(float(strength), float(share)) for strength, share in strengths.distribution]
    if not steps:
        raise OptionError("there are no pairs of variables to plot")
    with _figure(path) as figure:
        axes = figure.add_subplot()
        x = [0.0, *(strength for strength, _ in steps), 1.0]
        y = [0.0, *(share for _, share in steps), 1.0]
        axes.plot(x, y, drawstyle="steps-post", color=_INK, label="pairs of variables")
        left_out = float(strengths.left_out)
        axes.plot(
            [0, 0, 1, 1], [0, left_out, left_out, 1], "--", color=_COST, linewidth=1, label="if all networks agreed"
        )
        label = f"estimated threshold {strengths.threshold:.3g}"
        axes.axvline(strengths.threshold, color=_COST, linestyle=":", label=label)
        axes.spines["right"].set_visible(False)
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("strength: share of the inputs that join a pair")
        axes.set_ylabel("share of the pairs with at most this strength")
        handles = axes.get_legend_handles_labels()[0]
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), frameon=False)


@contextlib.contextmanager
def _figure(path: Path) -> Iterator[Figure]:
    """A figure that is written to the file at the end."""
    from matplotlib import rc_context  # noqa: PLC0415 - optional, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415

    kind = _kind(path)
    picture = io.BytesIO()
    # A fixed salt: the same results give the same bytes.
    with rc_context({"svg.hashsalt": "bnfuse", "axes.spines.top": False, "font.size": 10}):
        figure = Figure(figsize=(7, 4.2), layout="constrained")
        yield figure
        figure.savefig(picture, format=kind, dpi=160, metadata=METADATA[kind])
    disk.write_bytes(picture.getvalue(), path)


def _kind(path: Path) -> str:
    kind = path.suffix.lower().removeprefix(".")
    if kind not in _OPENINGS:
        raise FileError(path, f"a plot is written to a file that ends in {', '.join(f'.{one}' for one in _OPENINGS)}")
    return kind


def _draw_distances(axes: Axes, results: Sequence[Consensus]) -> None:
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    limits = limits_of(results)
    problem = results[0].problem
    whom = "inputs" if problem.target == "inputs" else "full fusion"
    bounds = [one.lower_bound for one in results if one.lower_bound is not None]
    # Between two limits on tables there are others: there the smaller one's network fits, the larger one's bound holds.
    is_stepped = steps_through_tables(results)
    drawstyle = "steps-post" if is_stepped else "default"
    distances = [one.distance for one in results]
    axes.plot(limits, distances, "o-", color=_INK, label="consensus", zorder=3, drawstyle=drawstyle)
    if bounds:
        label = "proven: no network lies here"
        axes.fill_between(limits, bounds, color=_BOUND, linewidth=0, label=label, step="pre" if is_stepped else None)
        axes.plot(limits, bounds, "_", color=_INK, markersize=12)  # one limit alone has no area
    axes.set_ylabel(f"mean {problem.metric} to the {whom}", color=_INK)
    if is_stepped:
        axes.set_xlabel("limit: numbers in the largest clique table allowed")
        axes.set_xscale("log")
    else:
        axes.set_xlabel("limit: largest clique allowed")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.set_ylim(bottom=0)
    axes.margins(x=0.03)


def steps_through_tables(results: Sequence[Consensus]) -> bool:
    """Whether the limits of a frontier are limits on clique tables: whether these vary, or are the only ones."""
    limits = {one.problem.max_table for one in results}
    return None not in limits and (len(limits) > 1 or not results[0].problem.is_clique_limited)


def limits_of(results: Sequence[Consensus]) -> list[int]:
    """The limits of a frontier, of the kind that varies."""
    tables = [one.problem.max_table for one in results if one.problem.max_table is not None]
    return tables if steps_through_tables(results) else [one.problem.max_clique for one in results]


def _draw_tables(axes: Axes, results: Sequence[Consensus], tables: Sequence[int]) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator  # noqa: PLC0415

    drawn = [float(min(numbers, _LARGEST_DRAWN)) for numbers in tables]
    drawstyle = "steps-post" if steps_through_tables(results) else "default"
    label = "clique tables (right axis)"
    axes.plot(limits_of(results), drawn, "s:", color=_COST, markersize=5, label=label, drawstyle=drawstyle)
    axes.set_yscale("log")
    # Whole powers of ten, so that a small change does not fill the axis.
    axes.set_ylim(10.0 ** math.floor(math.log10(min(drawn))), 10.0 ** (math.floor(math.log10(max(drawn))) + 1))
    axes.yaxis.set_major_formatter(FuncFormatter(_power))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_ylabel("numbers in the clique tables", color=_COST)


def _power(value: float, _: int | None) -> str:
    return f"{value:,.0f}" if value < _LONGEST_PLAIN else f"$10^{{{round(math.log10(value))}}}$"
