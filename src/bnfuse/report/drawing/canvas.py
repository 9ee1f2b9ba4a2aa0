"""Pictures of networks as PNG or PDF, drawn by matplotlib from the same numbers as the SVG.

Lines, heads and boxes of one style are one path each, without axes: with thousands of patches, matplotlib would take
half a minute. The renderer writes the labels, one call for each.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

import numpy as np
from matplotlib import rc_context
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path as Curve
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from bnfuse._base.texts import listed
from bnfuse.errors import BnfuseWarning
from bnfuse.report.drawing.fonts import fonts_for, is_shaped
from bnfuse.report.drawing.labels import FONT_SIZE
from bnfuse.report.drawing.picture import (
    BORDER,
    BOX,
    HOLLOW,
    INK,
    LEGEND_LINE,
    METADATA,
    PAPER,
    STYLES,
    THICKER,
    Picture,
    wedge,
)
from bnfuse.report.drawing.routes import BOX_HEIGHT, HEAD, Point

_T = TypeVar("_T")

_POINT = 72 / 96  # of a pixel
_ROUNDING = 6.0
_HANDLE = _ROUNDING * (1 - 0.5523)  # of a Bézier curve that is close to a quarter of a circle
_CHUNK = 100
_DOTS = 192.0  # dots per inch, for pictures that are not too large
_MOST_DOTS = 8_000  # along the longer side: the limit of screens and printers


def render(picture: Picture, kind: str) -> bytes:
    """The file; a BnfuseWarning names the letters that no font on this machine has, as they become empty boxes."""
    width, height = picture.size
    text = "".join((*picture.layout.labels, *(words for _, words in picture.legend)))
    chosen, missing = fonts_for(text)
    if missing:
        letters = listed(missing, shown=lambda one: f"{one} (U+{ord(one):04X})")
        _warn(f"no font on this machine has {letters}: install one that does, such as Noto, or draw SVG")
    if not is_shaped(text):
        _warn(
            "matplotlib before 3.11 misdraws scripts that run from right to left or join letters: update it or draw SVG"
        )
    file = io.BytesIO()
    with rc_context({"font.family": chosen, "text.parse_math": False}):
        figure = Figure(figsize=(width / 96, height / 96))
        figure.add_artist(_Drawing(picture))
        dots = max(20.0, min(_DOTS, 96 * _MOST_DOTS / max(width, height)))
        with warnings.catch_warnings():  # reported above, once for all letters
            warnings.filterwarnings("ignore", "Glyph .* missing")
            if kind == "png" and dots < _DOTS:
                _save_large(figure, dots, file)
            else:
                figure.savefig(file, format=kind, dpi=dots, metadata=METADATA[kind])
    return file.getvalue()


def _warn(message: str) -> None:
    warnings.warn(message, BnfuseWarning, stacklevel=3)


def _save_large(figure: Figure, dots: float, file: io.BytesIO) -> None:
    """As a PNG with few colours, which takes a quarter of the bytes and half of the time."""
    figure.set_dpi(dots)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    image = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    few = image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    about = PngInfo()
    for key, value in METADATA["png"].items():
        about.add_text(key, str(value))
    few.save(file, "png", compress_level=1, dpi=(dots, dots), pnginfo=about)


class _Drawing(Artist):
    """Everything in a picture, from the back to the front."""

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self._picture = picture

    def draw(self, renderer: Any) -> None:
        """Draw it: called by matplotlib."""
        brush = _Brush(renderer, self._picture.size[1])
        _draw_arcs(brush, self._picture)
        _draw_boxes(brush, self._picture)
        _draw_legend(brush, self._picture)


class _Brush:
    """Draws paths and text, given in pixels from the top left corner."""

    def __init__(self, renderer: Any, height: float) -> None:
        self._renderer = renderer
        self._scale = renderer.points_to_pixels(1.0) * _POINT
        self._height = height
        self._transform = Affine2D().scale(self._scale, -self._scale).translate(0, self._scale * height)
        self._font = FontProperties(size=(FONT_SIZE - 1) * _POINT)

    def path(
        self, shape: Curve, colour: str, width: float, dashes: Sequence[int] = (), fill: str | None = None
    ) -> None:
        """A line, or an area if it is filled."""
        pen = self._renderer.new_gc()
        pen.set_foreground(colour)
        pen.set_linewidth(width * _POINT)
        pen.set_capstyle("butt")
        pen.set_joinstyle("miter")
        if dashes:
            pen.set_dashes(0, [dash * _POINT for dash in dashes])
        self._renderer.draw_path(pen, shape, self._transform, None if fill is None else _rgb(fill))
        pen.restore()

    def labels(self, places: Iterable[tuple[str, Point]], colour: str) -> None:
        """Labels around points; as outlines if there are too few dots for letters to fit them."""
        if not isinstance(self._renderer, RendererAgg) or self._renderer.dpi == _DOTS:
            for text, (x, y) in places:
                self.words(x, y, text, colour, centred=True)
            return
        down = 0.36 * (FONT_SIZE - 1)
        for some in _chunks(list(places)):
            shapes = [shape for text, (x, y) in some for shape in self._outlines(text, x, y + down)]
            self.path(_joined(shapes), colour, 0, fill=colour)

    def _outlines(self, text: str, middle: float, baseline: float) -> Iterable[Curve]:
        x = middle - self._width(text) / 2
        for part in _parts(text):
            shape, width = self._letter(part)
            yield Curve(np.asarray(shape.vertices) * (1, -1) + (x, baseline), shape.codes)
            x += width

    def _width(self, text: str) -> float:
        return sum(self._letter(part)[1] for part in _parts(text))

    @cache  # noqa: B019  (there are few letters, and the brush goes with the picture)
    def _letter(self, text: str) -> tuple[Curve, float]:
        """Its outline, in pixels, and the distance to the next one."""
        font = FontProperties(size=FONT_SIZE - 1)
        width, bar = (text_to_path.get_text_width_height_descent(one, font, False)[0] for one in (f"{text}|", "|"))
        # Not TextPath, which fails for text that draws nothing, such as a space.
        points, codes = text_to_path.get_text_path(font, text)
        scale = font.get_size_in_points() / text_to_path.FONT_SCALE
        return Curve(scale * np.reshape(points, (-1, 2)), np.asarray(codes, np.uint8)), width - bar

    def words(self, x: float, y: float, text: str, colour: str, centred: bool) -> None:
        """A line of text, with its middle at a given height."""
        pen = self._renderer.new_gc()
        pen.set_foreground(colour)
        left, top = self._transform.transform((x, y))
        left -= self._scale * self._width(text) / 2 if centred else 0.0
        baseline = top - 0.36 * (FONT_SIZE - 1) * self._scale
        if self._renderer.flipy():
            baseline = self._scale * self._height - baseline
        self._renderer.draw_text(pen, left, baseline, text, self._font, 0)
        pen.restore()


def _parts(text: str) -> Sequence[str]:
    """The parts that can be drawn separately: scripts that join letters, or run to the left, need the whole text."""
    return text if text.isascii() else (text,)


def _rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def _draw_arcs(brush: _Brush, picture: Picture) -> None:
    styles: dict[tuple[str, float, bool, bool], list[list[Point]]] = {}
    for arc in picture.arcs:
        styles.setdefault((arc.kind, arc.thickness, arc.is_free, arc.has_head), []).append(picture.points(arc))
    for (kind, thickness, is_free, has_head), ways in styles.items():
        style = STYLES[kind]
        for some in _chunks(ways):
            brush.path(_joined(map(_cubics, some)), style.colour, thickness, style.dashes)
            if has_head:
                heads = _joined(_head(way[-2], way[-1]) for way in some)
                brush.path(heads, style.colour, 1 if is_free else 0, fill=PAPER if is_free else style.colour)


def _draw_boxes(brush: _Brush, picture: Picture) -> None:
    layout = picture.layout
    for some in _chunks(list(zip(layout.centres, layout.widths, strict=True))):
        brush.path(_joined(_box(*one) for one in some), BORDER, 1, fill=BOX)
    brush.labels(zip(layout.labels, layout.centres, strict=True), INK)


def _draw_legend(brush: _Brush, picture: Picture) -> None:
    start, end = LEGEND_LINE
    for y, kind, words in picture.legend_rows():
        style = STYLES.get(kind, STYLES["kept"])
        if kind == THICKER:
            brush.path(Curve(wedge(y)), INK, 0, fill=INK)
        elif kind == HOLLOW:
            brush.path(Curve([(start, y), (end - HEAD, y)]), style.colour, 2.4)
            brush.path(_head((start, y), (end - HEAD, y)), style.colour, 1, fill=PAPER)
        else:
            brush.path(Curve([(start, y), (end, y)]), style.colour, 2.4, style.dashes)
        brush.words(end + 8, y, words, INK, centred=False)


def _chunks(things: Sequence[_T]) -> Iterable[Sequence[_T]]:
    """As many as matplotlib draws in one go."""
    for start in range(0, len(things), _CHUNK):
        yield things[start : start + _CHUNK]


def _joined(shapes: Iterable[Curve]) -> Curve:
    return Curve.make_compound_path(*shapes)


def _cubics(points: Sequence[Point]) -> Curve:
    return Curve(points, [Curve.MOVETO, *[Curve.CURVE4] * (len(points) - 1)])


def _head(before: Point, end: Point) -> Curve:
    """An arrow's head at the end of a line."""
    (x0, y0), (x1, y1) = before, end
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0
    ux, uy = HEAD * (x1 - x0) / length, HEAD * (y1 - y0) / length
    corners = [(x1 + ux, y1 + uy), (x1 - uy / 2, y1 + ux / 2), (x1 + uy / 2, y1 - ux / 2), (x1 + ux, y1 + uy)]
    return Curve(corners, [Curve.MOVETO, Curve.LINETO, Curve.LINETO, Curve.CLOSEPOLY])


def _box(centre: Point, width: float) -> Curve:
    """A rectangle with round corners."""
    (x, y), across, down = centre, width / 2, BOX_HEIGHT / 2
    points: list[Point] = []
    codes: list[Any] = []
    for sx, sy in ((1, -1), (1, 1), (-1, 1), (-1, -1)):  # the corners, clockwise
        cx, cy = x + sx * across, y + sy * down
        beside, along = (cx - sx * _ROUNDING, cy), (cx, cy - sy * _ROUNDING)
        near_beside, near_along = (cx - sx * _HANDLE, cy), (cx, cy - sy * _HANDLE)
        turn = [beside, near_beside, near_along, along] if sx * sy < 0 else [along, near_along, near_beside, beside]
        points += turn
        codes += [Curve.LINETO if codes else Curve.MOVETO, *[Curve.CURVE4] * 3]
    return Curve([*points, points[0]], [*codes, Curve.CLOSEPOLY])
