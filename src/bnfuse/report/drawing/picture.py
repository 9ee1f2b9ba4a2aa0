"""Networks as pictures: our own SVG, and the same by matplotlib if a PNG or PDF is wanted.

Colours are those of Okabe and Ito (2008), darkened where thin lines on white need it; every kind of arc also has its
own dashes, so that colour is never the only signal. In a page, style sheets override them by class.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape

from bnfuse._base.disk import MARK
from bnfuse._base.texts import fine_percent
from bnfuse.answer.compared import ArcSupport
from bnfuse.answer.result import Consensus
from bnfuse.graphs.dag import DAG, NetworkLike, as_dags
from bnfuse.problem.strength import ArcStrength
from bnfuse.report.drawing.labels import FONT_SIZE, markup, text_width, visible
from bnfuse.report.drawing.layout import Layout, arrange
from bnfuse.report.drawing.routes import BOX_HEIGHT, HEAD, Point, curve, headless
from bnfuse.report.region import Region
from bnfuse.report.stability import Stability

INK, PAPER, BOX, BORDER = "#1b2733", "#ffffff", "#f4f7fa", "#8494a5"
FONTS = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
_THINNEST, _THICKEST = 1.2, 4.4
BARE = "bare"
"""in a legend: an arc without a head, as its direction is free"""
HOLLOW = "hollow"
"""in a legend: the head of such an arc, if it has one"""
THICKER = "thicker"
"""in a legend: the meaning of the thickness of lines"""
LEGEND_LINE = (14.0, 54.0)
"""where lines in a legend begin and end"""
_FREE = "its direction is free: equivalent networks have it in either direction"


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a kind of arc."""

    colour: str
    dashes: tuple[int, ...]


METADATA: dict[str, dict[str, str | None]] = {
    "png": {"Software": MARK},
    "svg": {"Date": None, "Creator": MARK},
    "pdf": {"CreationDate": None, "Creator": MARK},
}
"""the metadata of files by matplotlib, by their kind: without a date, so that the same results give the same bytes"""
STYLES = {
    "kept": Style("#0072b2", ()),
    "dropped": Style("#d55e00", (7, 4)),
    "added": Style("#00805c", (2, 4)),
    "reversed": Style("#a6488c", (10, 3, 2, 3)),
    # On the page, of two inputs: what only the second has. In the same colour as what only the first has.
    "other": Style("#d55e00", (2, 4)),
}


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc of a picture."""

    source: int
    target: int
    kind: str = "kept"
    share: float = 0.25
    """the share of the inputs that have it: its thickness"""
    words: str = ""
    """the text that appears when it is pointed at"""
    is_free: bool = False
    """whether its direction is free in the Markov equivalence class; in that case, a head is hollow"""
    has_head: bool = True
    """whether it is drawn with a head"""

    @property
    def head(self) -> str:
        """The marker at its end, if it has a head."""
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
    """kinds of arcs, and of heads, and their meanings"""

    @classmethod
    def of(cls, network: NetworkLike, layout: Layout | None = None) -> Picture:
        """One network, with a given layout if there is one."""
        (dag,) = as_dags([network])
        arcs = [(source, target) for source, target in dag.arc_numbers.tolist()]
        return cls(dag.variables, layout or arrange(dag.variables, arcs), tuple(Arc(*arc) for arc in arcs))

    @classmethod
    def of_consensus(cls, consensus: Consensus, layout: Layout | None = None, hollow_heads: bool = False) -> Picture:
        """A consensus, with a layout if one is given: the thicker an arc, the more inputs have it, in either direction.

        Arcs whose direction is free have no heads, or hollow ones.
        """
        arcs = _supported(consensus, hollow_heads)
        plain = cls.of(consensus, layout)
        return cls(plain.variables, plain.layout, arcs, _legend(consensus, arcs, hollow_heads))

    @classmethod
    def of_region(cls, consensus: Consensus, region: Region) -> Picture:
        """The part of a consensus within a region, including contested arcs that it leaves out."""
        names = consensus.dag.variables
        numbers = {v: i for i, v in enumerate(region.members)}
        kept = [arc for arc in _supported(consensus) if arc.source in numbers and arc.target in numbers]
        inside = [replace(arc, source=numbers[arc.source], target=numbers[arc.target]) for arc in kept]
        index = {name: i for i, name in enumerate(names[v] for v in region.members)}
        for pair in region.contested:
            source, target = pair.arc
            if not pair.is_in and source in index and target in index:
                share, turned = pair.forward / pair.seen, pair.backward / pair.seen
                words = f"{source} \u2192 {target}: {share:.0%} have it, {turned:.0%} reversed"
                inside.append(Arc(index[source], index[target], "dropped", share + turned, words))
        arcs = tuple(inside)
        layout = arrange([*index], [(arc.source, arc.target) for arc in arcs])
        return cls(tuple(index), layout, arcs, _legend(consensus, arcs))

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
            ("reversed", f"reversed in {second_name}"),
        )
        return cls(one.variables, arrange(one.variables, [*ours, *theirs]), tuple(arcs), legend)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, in pixels."""
        legend = max((62 + text_width(words) + 12 for _, words in self.legend), default=0.0)
        return max(self.layout.width, round(legend)), self.layout.height + self._legend_height

    def svg(self) -> str:
        """The picture as an SVG element, which is also a complete file."""
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
        head = f' marker-end="url(#{arc.head})"' if arc.has_head else ""
        return (
            f'<path class="arc {arc.kind}" d="{path(self.points(arc))}" '
            f'stroke="{style.colour}" stroke-width="{arc.thickness:g}"{_dashes(style)}{head}>'
            f"<title>{_text(words)}</title></path>"
        )

    def points(self, arc: Arc) -> list[Point]:
        """The cubic Bézier curves of its line."""
        points = curve(self.layout.way(arc.source, arc.target))
        return points if arc.has_head else headless(points)

    @property
    def _legend_height(self) -> float:
        return 22.0 * len(self.legend) + 8 if self.legend else 0.0

    def _legend(self) -> Iterable[str]:
        start, end = LEGEND_LINE
        for y, kind, words in self.legend_rows():
            if kind == THICKER:
                yield f'<path d="{"L".join(f"{x:g} {at:g}" for x, at in wedge(y)).join("Mz")}" fill="{INK}"/>'
            else:
                line = f"M{start:g} {y:g}H{end - (HEAD if kind == HOLLOW else 0):g}"
                style = STYLES.get(kind, STYLES["kept"])
                more = ' marker-end="url(#bnfuse-kept-free)"' if kind == HOLLOW else _dashes(style)
                yield f'<path d="{line}" stroke="{style.colour}" stroke-width="2.4"{more}/>'
            yield f'<text x="{end + 8:g}" y="{y + 4:g}" fill="{INK}">{_text(words)}</text>'

    def legend_rows(self) -> Iterable[tuple[float, str, str]]:
        """The height, the kind and the text of each line of the legend."""
        for row, (kind, words) in enumerate(self.legend):
            yield self.layout.height + 22 * row + 6, kind, words


def _supported(consensus: Consensus, hollow_heads: bool = False) -> tuple[Arc, ...]:
    """The arcs of a consensus, by the inputs that have them."""
    # A tally, weights and half votes have shares of the weight.
    whole = "inputs" if _is_counted(consensus) else "weight"
    stable = {}
    if consensus.of_resamples:
        stable = {(one.source, one.target): _stable(one) for one in Stability(consensus).arcs}
    arcs = []
    for (source, target), support in zip(consensus.dag.arc_numbers.tolist(), consensus.support(), strict=True):
        both = support.share + support.reversed_share
        names = " \u2192 ".join(support.arc)
        words = f"{names}: {stable[support.arc] if stable else _shares(support, whole)}"
        words += f"; {_FREE}" if support.is_reversible else ""
        kind = "reversed" if support.share < support.reversed_share else "kept" if both else "added"
        free = support.is_reversible
        arcs.append(Arc(source, target, kind, both, words, free, hollow_heads or not free))
    return tuple(arcs)


def _is_counted(consensus: Consensus) -> bool:
    return len(set(consensus.problem.weights)) == 1 and not consensus.problem.inputs.directed


def _legend(consensus: Consensus, arcs: Sequence[Arc], hollow_heads: bool = False) -> tuple[tuple[str, str], ...]:
    """The meanings of the kinds of arcs among these."""
    more, none = "in more inputs" if _is_counted(consensus) else "by more weight", "in no input"
    if consensus.of_resamples:
        more, none = "in more resamples", "in no resample"
    meanings = {
        "kept": "kept",
        "reversed": f"kept, reversed {more}",
        "added": f"kept, {none}",
        "dropped": "contested, and left out",
    }
    legend = [(kind, words) for kind, words in meanings.items() if any(arc.kind == kind for arc in arcs)]
    if any(arc.is_free for arc in arcs):
        bare, hollow = (BARE, "no head: direction free"), (HOLLOW, "hollow head: direction free")
        legend.append(hollow if hollow_heads else bare)
    if arcs:
        legend.append((THICKER, f"thicker: {more} (in either direction)"))
    return tuple(legend)


def wedge(y: float) -> list[Point]:
    """A line in a legend that gets thicker."""
    start, end = LEGEND_LINE
    thin, thick = _THINNEST / 2, _THICKEST / 2
    return [(start, y - thin), (end, y - thick), (end, y + thick), (start, y + thin)]


def _shares(support: ArcSupport, whole: str) -> str:
    """The inputs that have an arc."""
    seeing = "" if support.seen_share == 1 else " with both variables"
    return f"{support.share:.0%} of the {whole}{seeing}, {support.reversed_share:.0%} reversed"


def _stable(arc: ArcStrength) -> str:
    """How stable an arc is."""
    if not arc.strength:
        return "in no resample"
    having = f"in {fine_percent(arc.strength)} of the resamples"
    free = fine_percent(arc.free or 0.0)
    if arc.is_free:
        return f"{having}, of which {free} leave its direction free"
    some = f" ({free} leave it free: half for each direction)" if arc.free else ""
    return f"{having}, in this direction in {fine_percent(arc.reported_direction)} of these{some}"


def _dashes(style: Style) -> str:
    return f' stroke-dasharray="{" ".join(map(str, style.dashes))}"' if style.dashes else ""


def _arcs(dag: DAG) -> dict[tuple[int, int], None]:
    return dict.fromkeys((source, target) for source, target in dag.arc_numbers.tolist())


def path(points: Sequence[Point]) -> str:
    """The points of cubic Bézier curves as an SVG path, the straight ones among them as lines."""
    parts = [f"M{_at(points[0])}"]
    for i in range(0, len(points) - 1, 3):
        start, first, second, end = points[i : i + 4]
        is_straight = max(_off_line(start, end, first, 1 / 3), _off_line(start, end, second, 2 / 3)) < 0.01
        parts.append(f"L{_at(end)}" if is_straight else f"C{_at(first)} {_at(second)} {_at(end)}")
    return "".join(parts)


def _at(point: Point) -> str:
    return f"{round(point[0], 1):g} {round(point[1], 1):g}"


def _off_line(start: Point, end: Point, point: Point, part: float) -> float:
    return max(abs(a + part * (b - a) - at) for a, b, at in zip(start, end, point, strict=True))


def markers(prefix: str = "bnfuse") -> str:
    """The heads of the arrows, a full one and a hollow one for each kind of arc; ids begin with a prefix."""
    return "<defs>" + "".join(_markers(prefix, kind, style.colour) for kind, style in STYLES.items()) + "</defs>"


def _markers(prefix: str, kind: str, colour: str) -> str:
    frame = (
        f'viewBox="0 0 8 8" refX="0.5" refY="4" markerWidth="{HEAD:g}" markerHeight="{HEAD:g}" '
        'markerUnits="userSpaceOnUse" orient="auto"'
    )
    return (
        f'<marker id="{prefix}-{kind}" class="head {kind}" {frame}><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
        f'<marker id="{prefix}-{kind}-free" class="head {kind} free" {frame}>'
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
    """Text for XML, which does not allow most control characters."""
    return markup(visible(words))
