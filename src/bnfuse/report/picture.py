"""Networks as pictures: SVG of our own, and the same by matplotlib where a PNG or PDF is wanted.

Colours are those of Okabe and Ito (2008), darkened where thin lines on white need it; every kind of arc also has its
own dashes, so that colour is never the only signal. In a page, style sheets overrule them by class.
"""

from __future__ import annotations

import io
import itertools
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from bnfuse.dag import DAG, NetworkLike, as_dags
from bnfuse.report.layout import BOX_HEIGHT, FONT_SIZE, Layout, Point, arrange, text_width
from bnfuse.result import Result

INK, PAPER, BOX, BORDER = "#1b2733", "#ffffff", "#f4f7fa", "#8494a5"
FONTS = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
HEAD = 8.0
"""length of an arrow's head"""
GAP = 7.0
"""between a box and an arc that goes round it"""
_THINNEST, _THICKEST = 1.2, 4.4
_HOLLOW = "hollow"  # in a legend: the head of an arc whose direction is free
_FREE = "its direction is free: equivalent networks have it either way round"


@dataclass(frozen=True, slots=True)
class Style:
    """How a kind of arc is drawn."""

    colour: str
    dashes: tuple[int, ...]


STYLES = {
    "kept": Style("#0072b2", ()),
    "dropped": Style("#d55e00", (7, 4)),
    "added": Style("#00805c", (2, 4)),
    "reversed": Style("#a6488c", (10, 3, 2, 3)),
}


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc of a picture."""

    source: int
    target: int
    kind: str = "kept"
    share: float = 0.25
    """of the inputs that have it: its thickness"""
    words: str = ""
    """what to say about it when it is pointed at"""
    is_free: bool = False
    """whether its direction is free in the Markov equivalence class: its head is hollow"""

    @property
    def head(self) -> str:
        """The marker at its end."""
        return f"bnfuse-{self.kind}{'-free' if self.is_free else ''}"

    @property
    def thickness(self) -> float:
        """The width of the line."""
        return round(_THINNEST + (_THICKEST - _THINNEST) * self.share, 2)


@dataclass(frozen=True, slots=True)
class Picture:
    """A network, or the difference of two, ready to be drawn."""

    variables: tuple[str, ...]
    layout: Layout
    arcs: tuple[Arc, ...]
    legend: tuple[tuple[str, str], ...] = ()
    """kinds of arcs, and of heads, and what they mean"""

    @classmethod
    def of(cls, network: NetworkLike, layout: Layout | None = None) -> Picture:
        """One network, over a layout if there is one."""
        (dag,) = as_dags([network])
        arcs = [(source, target) for source, target in dag.arc_numbers.tolist()]
        return cls(dag.variables, layout or arrange(dag.variables, arcs), tuple(Arc(*arc) for arc in arcs))

    @classmethod
    def of_consensus(cls, consensus: Result, layout: Layout | None = None) -> Picture:
        """A consensus, over a layout if there is one: the thicker an arc, the more inputs have it, either way round."""
        plain = cls.of(consensus, layout)
        # A tally, weights and half votes have shares of the weight.
        is_counted = len(set(consensus.problem.weights)) == 1 and not consensus.problem.inputs.directed
        whole, more = ("inputs", "in more inputs") if is_counted else ("weight", "by more weight")
        arcs = []
        for arc, support in zip(plain.arcs, consensus.support(), strict=True):
            both = support.share + support.reversed_share
            names = " \u2192 ".join(support.arc)
            seeing = "" if support.seen_share == 1 else " with both variables"
            shares = f"{support.share:.0%} of the {whole}{seeing}, {support.reversed_share:.0%} the other way round"
            words = f"{names}: {shares}"
            words += f"; {_FREE}" if support.is_reversible else ""
            kind = "reversed" if support.share < support.reversed_share else "kept" if both else "added"
            arcs.append(Arc(arc.source, arc.target, kind, both, words, support.is_reversible))
        meanings = {"kept": "kept", "reversed": f"kept, reversed {more}", "added": "kept, in no input"}
        legend = [(kind, words) for kind, words in meanings.items() if any(arc.kind == kind for arc in arcs)]
        if all(kind == "kept" for kind, _ in legend):
            legend = []
        if any(arc.is_free for arc in arcs):
            legend.append((_HOLLOW, "hollow head: direction free"))
        return cls(plain.variables, plain.layout, tuple(arcs), tuple(legend))

    @classmethod
    def comparing(cls, first: NetworkLike, second: NetworkLike, names: tuple[str, str]) -> Picture:
        """The difference of two networks over the same variables."""
        one, other = as_dags([first, second])
        ours, theirs = _arcs(one), _arcs(other)
        arcs = []
        for source, target in [*ours, *(arc for arc in theirs if arc not in ours)]:
            turned = (target, source)
            if (source, target) in ours:
                kind = "kept" if (source, target) in theirs else "reversed" if turned in theirs else "dropped"
            elif turned in ours:
                continue  # drawn as the first network has it
            else:
                kind = "added"
            arcs.append(Arc(source, target, kind))
        first_name, second_name = names
        legend = (
            ("kept", "in both"),
            ("dropped", f"only in {first_name}"),
            ("added", f"only in {second_name}"),
            ("reversed", f"the other way round in {second_name}"),
        )
        return cls(one.variables, arrange(one.variables, [*ours, *theirs]), tuple(arcs), legend)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, in pixels."""
        legend = max((62 + text_width(words) + 12 for _, words in self.legend), default=0.0)
        return max(self.layout.width, round(legend)), self.layout.height + self._legend_height

    def svg(self) -> str:
        """As an SVG element, which is also a whole file."""
        width, height = self.size
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="{escape(FONTS)}" font-size="{FONT_SIZE:g}">',
            f'<rect width="100%" height="100%" fill="{PAPER}"/>',
            markers(),
            f'<g fill="none">{self.arc_paths()}</g>',
            boxes(self.variables, self.layout),
            *self._legend(),
            "</svg>\n",
        ]
        return "\n".join(parts)

    def arc_paths(self) -> str:
        """Its arcs, as SVG."""
        return "".join(map(self._arc, self.arcs))

    def _arc(self, arc: Arc) -> str:
        style = STYLES[arc.kind]
        words = arc.words or f"{self.variables[arc.source]} \u2192 {self.variables[arc.target]}"
        return (
            f'<path class="arc {arc.kind}" d="{path(curve(self.layout, arc.source, arc.target))}" '
            f'stroke="{style.colour}" stroke-width="{arc.thickness:g}"{_dashes(style)} marker-end="url(#{arc.head})">'
            f"<title>{_text(words)}</title></path>"
        )

    @property
    def _legend_height(self) -> float:
        return 22.0 * len(self.legend) + 8 if self.legend else 0.0

    def _legend(self) -> Iterable[str]:
        for row, (kind, words) in enumerate(self.legend):
            y = self.layout.height + 22 * row + 6
            if kind == _HOLLOW:
                line, more = f"M14 {y:g}h{40 - HEAD:g}", ' marker-end="url(#bnfuse-kept-free)"'
            else:
                line, more = f"M14 {y:g}h40", _dashes(STYLES[kind])
            yield f'<path d="{line}" stroke="{_colour(kind)}" stroke-width="2.4"{more}/>'
            yield f'<text x="62" y="{y + 4:g}" fill="{INK}">{_text(words)}</text>'

    def rendered(self, kind: str) -> bytes:
        """As a file: SVG by ourselves, PNG or PDF by matplotlib; the same bytes on every run."""
        if kind == "svg":
            return f'<?xml version="1.0" encoding="UTF-8"?>\n{self.svg()}'.encode()
        from matplotlib import rc_context  # noqa: PLC0415 - optional, and slow to import
        from matplotlib.figure import Figure  # noqa: PLC0415

        width, height = self.size
        picture = io.BytesIO()
        with rc_context({"font.family": "DejaVu Sans", "text.parse_math": False}):
            figure = Figure(figsize=(width / 96, height / 96))
            axes = figure.add_axes((0, 0, 1, 1))
            axes.set(xlim=(0, width), ylim=(height, 0))
            axes.set_axis_off()
            self._draw(axes)
            dateless = {"png": None, "pdf": {"CreationDate": None}}
            # Large networks: as many dots as a screen or a printer can take.
            dots = max(20.0, min(192.0, 96 * 12_000 / max(width, height)))
            with warnings.catch_warnings():  # letters that the font lacks become boxes; SVG has them all
                warnings.filterwarnings("ignore", "Glyph .* missing")
                figure.savefig(picture, format=kind, dpi=dots, metadata=dateless[kind])
        return picture.getvalue()

    def _draw(self, axes: Any) -> None:
        from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon  # noqa: PLC0415 - as above
        from matplotlib.path import Path as Curve  # noqa: PLC0415

        point = 72 / 96  # of a pixel
        for arc in self.arcs:
            style = STYLES[arc.kind]
            points = curve(self.layout, arc.source, arc.target)
            line: Any = "solid" if not style.dashes else (0, tuple(dash / arc.thickness for dash in style.dashes))
            codes = [Curve.MOVETO, *[Curve.CURVE4] * (len(points) - 1)]
            axes.add_patch(
                PathPatch(
                    Curve(points, codes), fill=False, edgecolor=style.colour, linewidth=arc.thickness * point,
                    linestyle=line, capstyle="butt",
                )
            )  # fmt: skip
            fill, border = (PAPER, point) if arc.is_free else (style.colour, 0)
            axes.add_patch(Polygon(_head(points), facecolor=fill, edgecolor=style.colour, linewidth=border))
        for label, (x, y), width in zip(self.layout.labels, self.layout.centres, self.layout.widths, strict=True):
            corner = (x - width / 2 + 6, y - BOX_HEIGHT / 2 + 6)
            axes.add_patch(
                FancyBboxPatch(
                    corner, width - 12, BOX_HEIGHT - 12, boxstyle="round,pad=6,rounding_size=6",
                    facecolor=BOX, edgecolor=BORDER, linewidth=point,
                )
            )  # fmt: skip
            axes.text(x, y, label, ha="center", va="center_baseline", fontsize=(FONT_SIZE - 1) * point, color=INK)
        for row, (kind, words) in enumerate(self.legend):
            y = self.layout.height + 22 * row + 6
            dashes = () if kind == _HOLLOW else STYLES[kind].dashes
            line = "solid" if not dashes else (0, tuple(dash / 2.4 for dash in dashes))
            end = 54 - HEAD if kind == _HOLLOW else 54
            axes.plot([14, end], [y, y], color=_colour(kind), linewidth=2.4 * point, linestyle=line)
            if kind == _HOLLOW:
                head = _head([(14, y), (end, y)])
                axes.add_patch(Polygon(head, facecolor=PAPER, edgecolor=_colour(kind), linewidth=point))
            axes.text(62, y, words, va="center_baseline", fontsize=(FONT_SIZE - 1) * point, color=INK)


def _colour(kind: str) -> str:
    return STYLES["kept" if kind == _HOLLOW else kind].colour


def _dashes(style: Style) -> str:
    return f' stroke-dasharray="{" ".join(map(str, style.dashes))}"' if style.dashes else ""


def _arcs(dag: DAG) -> dict[tuple[int, int], None]:
    return dict.fromkeys((source, target) for source, target in dag.arc_numbers.tolist())


def curve(layout: Layout, source: int, target: int) -> list[Point]:
    """The way of an arc, as points of cubic Bézier curves: it ends where the arrow's head begins. As in geometry.js."""
    (x0, y0), (x1, y1) = layout.centres[source], layout.centres[target]
    half = BOX_HEIGHT / 2
    if y0 == y1:  # below both boxes
        depth = 24 + min(60.0, abs(x1 - x0) / 8)
        start, end = (x0, y0 + half), (x1, y1 + half + HEAD)
        return [start, (x0, start[1] + depth), (x1, end[1] + depth), end]
    down = 1 if y1 > y0 else -1
    bends = layout.routes.get((source, target)) or around(layout, source, target)
    # Arcs leave and arrive at that side of a box where they come from; those that lead upwards keep to the right.
    aside = 0.0 if down == 1 else 6.0
    leaves = x0 + aside + _port((bends[0][0] if bends else x1) - x0, layout.widths[source])
    arrives = x1 + aside + _port((bends[-1][0] if bends else x0) - x1, layout.widths[target])
    points: list[Point] = [(leaves, y0 + down * half), *bends, (arrives, y1 - down * (half + HEAD))]
    way: list[Point] = [points[0]]
    for i, (here, there) in enumerate(itertools.pairwise(points)):
        dx, dy = there[0] - here[0], there[1] - here[1]
        leaving = (0.15 * dx, 0.5 * dy) if i == 0 else _tangent(points[i - 1], there)
        arriving = (0.15 * dx, 0.5 * dy) if i == len(points) - 2 else _tangent(here, points[i + 2])
        way += [
            (here[0] + leaving[0], here[1] + leaving[1]),
            (there[0] - arriving[0], there[1] - arriving[1]),
            there,
        ]
    return way


def around(layout: Layout, source: int, target: int) -> list[Point]:
    """Bends for an arc that has no route, past the boxes that a straight line would run behind. As in geometry.js."""
    (x0, y0), (x1, y1) = layout.centres[source], layout.centres[target]
    low, high = sorted((y0, y1))
    bends = []
    for y in sorted({y for _, y in layout.centres if low < y < high}, reverse=y1 < y0):
        straight = x0 + (x1 - x0) * (y - y0) / (y1 - y0)
        taken = [
            (x - width / 2 - GAP, x + width / 2 + GAP)
            for (x, other), width in zip(layout.centres, layout.widths, strict=True)
            if other == y
        ]
        if any(left < straight < right for left, right in taken):
            free = [x for x in itertools.chain(*taken) if not any(left < x < right for left, right in taken)]
            bends.append((min(free, key=lambda x: (abs(x - straight), x)), y))
    return bends


def _port(dx: float, width: float) -> float:
    return max(-0.32 * width, min(0.32 * width, 0.16 * dx))


def _tangent(before: Point, after: Point) -> Point:
    """At a bend: steep, as there are boxes to the left and right of it."""
    return (after[0] - before[0]) / 24, (after[1] - before[1]) / 5


def path(points: Sequence[Point]) -> str:
    """The points of a curve as an SVG path."""
    first, *others = (f"{x:.1f} {y:.1f}" for x, y in points)
    return f"M{first}C{' '.join(others)}"


def _head(points: Sequence[Point]) -> list[Point]:
    (x0, y0), (x1, y1) = points[-2], points[-1]
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    return [
        (x1 + HEAD * ux, y1 + HEAD * uy),
        (x1 - uy * HEAD / 2, y1 + ux * HEAD / 2),
        (x1 + uy * HEAD / 2, y1 - ux * HEAD / 2),
    ]


def markers() -> str:
    """The heads of the arrows, a full one and a hollow one for each kind of arc."""
    return "<defs>" + "".join(_markers(kind, style.colour) for kind, style in STYLES.items()) + "</defs>"


def _markers(kind: str, colour: str) -> str:
    frame = (
        f'viewBox="0 0 8 8" refX="0.5" refY="4" markerWidth="{HEAD:g}" markerHeight="{HEAD:g}" '
        'markerUnits="userSpaceOnUse" orient="auto"'
    )
    return (
        f'<marker id="bnfuse-{kind}" class="head {kind}" {frame}><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
        f'<marker id="bnfuse-{kind}-free" class="head {kind} free" {frame}>'
        f'<path d="M.5 .8L7 4L.5 7.2z" fill="{PAPER}" stroke="{colour}"/></marker>'
    )


def boxes(variables: Sequence[str], layout: Layout) -> str:
    """The variables of a picture, over its arcs."""
    parts = ['<g class="nodes" text-anchor="middle">']
    for number, (name, label, (x, y), width) in enumerate(
        zip(variables, layout.labels, layout.centres, layout.widths, strict=True)
    ):
        title = f"<title>{_text(name)}</title>" if label != name else ""
        parts.append(
            f'<g class="node" data-v="{number}"><rect x="{x - width / 2:.1f}" y="{y - BOX_HEIGHT / 2:.1f}" '
            f'width="{width:.1f}" height="{BOX_HEIGHT:g}" rx="6" fill="{BOX}" stroke="{BORDER}"/>'
            f'<text x="{x:g}" y="{y + 4:g}" fill="{INK}">{_text(label)}</text>{title}</g>'
        )
    return "".join(parts) + "</g>"


def _text(words: str) -> str:
    """Text for XML, which has no place for most control characters."""
    return escape("".join(one if one.isprintable() or one in "\t\n" else "\u00b7" for one in words))
