"""A tornado plot as our own SVG: how much the entries of tables change a probability, the most influential on top."""

from __future__ import annotations

from pathlib import Path

from bnfuse._base import disk
from bnfuse._base.texts import shown_probability
from bnfuse.errors import FileError
from bnfuse.inference.asking.sensitivity import Influence, Sensitivity
from bnfuse.report.drawing.labels import FONT_SIZE, markup, text_width, visible
from bnfuse.report.drawing.picture import FONTS, INK, PAPER
from bnfuse.report.drawing.plots import check_picture

_LOW, _HIGH = "#c55a11", "#1f4e79"
_ROW, _BAR, _MARGIN = 24.0, 14.0, 16.0
_PLOT = 360.0
_WIDEST_LABEL = 420.0
_NARROWEST = 1e-12  # of the range of values: what is narrower is a line


def check_tornado(path: Path, overwrite: bool = False) -> None:
    """Refuse a path to which the plot could not be written."""
    if path.suffix.lower() != ".svg":
        raise FileError(path, "a tornado plot is written to a file that ends in .svg")
    check_picture(path, "svg", overwrite)


def draw_tornado(found: Sensitivity, path: Path, overwrite: bool = False) -> None:
    """Write the plot to a file."""
    check_tornado(path, overwrite)
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- {disk.MARK} -->\n{svg(found)}'
    disk.write_bytes(text.encode(), path)


def svg(found: Sensitivity) -> str:
    """The plot as an SVG element, which is also a complete file."""
    labels = [_cut(entry_text(one)) for one in found.influences]
    left = _MARGIN + max(map(text_width, labels), default=0.0) + 10
    values = [found.probability, *(end for one in found.influences for end in (one.low, one.high))]
    low, high = min(values), max(values)
    room = max(high - low, _NARROWEST)

    def x(value: float) -> float:
        return round(left + _PLOT * (value - low) / room, 2) if high > low else round(left + _PLOT / 2, 2)

    top = _MARGIN + 2 * FONT_SIZE + 12
    bottom = top + _ROW * len(labels)
    width, height = left + _PLOT + 60, bottom + 46
    title = f"P({found.target} = {found.state}) = {shown_probability(found.probability)}"
    legend = f"each entry {100 * found.spread:g} % smaller and larger"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{markup(FONTS)}" font-size="{FONT_SIZE:g}" fill="{INK}">',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        f'<text x="{_MARGIN:g}" y="{_MARGIN + FONT_SIZE:g}" font-weight="bold">{markup(visible(title))}</text>',
        f'<text x="{_MARGIN:g}" y="{_MARGIN + 2 * FONT_SIZE + 4:g}" opacity="0.75">{legend}</text>',
    ]
    for place, (one, label) in enumerate(zip(found.influences, labels, strict=True)):
        y = top + _ROW * place
        parts.append(
            f'<text x="{left - 10:g}" y="{y + _ROW / 2 + 4:g}" text-anchor="end">{markup(visible(label))}</text>'
        )
        words = f"{entry_text(one)}: {shown_probability(one.low)} to {shown_probability(one.high)}"
        for end, colour in ((one.low, _LOW), (one.high, _HIGH)):
            start, stop = sorted((x(found.probability), x(end)))
            parts.append(
                f'<rect x="{start:g}" y="{y + (_ROW - _BAR) / 2:g}" width="{max(stop - start, 0.5):g}" '
                f'height="{_BAR:g}" fill="{colour}"><title>{markup(visible(words))}</title></rect>'
            )
    middle = x(found.probability)
    parts.append(f'<path d="M{middle:g} {top:g}V{bottom + 6:g}" stroke="{INK}" stroke-width="1" fill="none"/>')
    shown = {x(value): value for value in (low, found.probability, high)}
    last = -100.0
    for at, value in sorted(shown.items()):
        if at - last >= 50:
            parts.append(f'<text x="{at:g}" y="{bottom + 20:g}" text-anchor="middle">{shown_probability(value)}</text>')
            last = at
    parts.append(
        f'<text x="{left:g}" y="{bottom + 38:g}"><tspan fill="{_LOW}">\u25a0</tspan> entry smaller  '
        f'<tspan fill="{_HIGH}">\u25a0</tspan> entry larger</text>'
    )
    return "\n".join([*parts, "</svg>\n"])


def entry_text(one: Influence) -> str:
    """An entry as people write it: P(Cancer = yes | Smoker = no) = 0.01."""
    given = ", ".join(f"{name} = {label}" for name, label in one.given.items())
    return f"P({one.variable} = {one.state}{' | ' if given else ''}{given}) = {shown_probability(one.value)}"


def _cut(label: str) -> str:
    if text_width(label) <= _WIDEST_LABEL:
        return label
    while text_width(label) > _WIDEST_LABEL:
        label = label[:-1]
    return f"{label}\u2026"
