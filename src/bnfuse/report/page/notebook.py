"""Results in a notebook: a few sentences and the picture, a curve, or bars.

Everything is drawn with the colours of `picture`, and looks right without its style sheet, which untrusted notebooks
leave out. With the style sheet, pictures fit the cell, and a dark theme gets dark colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain, islice, pairwise, zip_longest

from bnfuse._base.texts import gap_text, percent, shown_number, shown_probability
from bnfuse.answer.result import Consensus, FrontierPoint
from bnfuse.graphs.dag import DAG, NetworkLike, as_dag
from bnfuse.graphs.distribution import SHOWN_ROWS, Distribution
from bnfuse.graphs.network import Network
from bnfuse.report.drawing.labels import markup
from bnfuse.report.drawing.picture import BORDER, BOX, FONTS, INK, PAPER, STYLES, Picture
from bnfuse.report.drawing.plots import limits_of, steps_through_tables
from bnfuse.report.drawing.routes import Point
from bnfuse.report.region import Region, contested_region, region_around
from bnfuse.report.summary import Summary

_MOST_VARIABLES = 250  # a picture of more is too large for a notebook
_MOST_PAIRS = 10  # of a table
_LINE, _BOUND = STYLES["kept"].colour, "#d9e6f0"
_BAR = 140.0  # pixels of a probability of 1

# The dark equivalent of each colour: as on the page of a report.
_DARK = {
    INK: "#e6edf3",
    PAPER: "#1a2129",
    BOX: "#232d38",
    BORDER: "#62748a",
    STYLES["kept"].colour: "#56b4e9",
    STYLES["dropped"].colour: "#ff8f4a",
    STYLES["added"].colour: "#35c99c",
    STYLES["reversed"].colour: "#e59bc9",
    _BOUND: "#243b4d",
}
# How JupyterLab, Visual Studio Code, Colab and documentation pages mark a dark theme.
_DARK_THEMES = (
    ':is([data-jp-theme-light="false"],.vscode-dark,[data-vscode-theme-id*="Dark"],html[theme="dark"],'
    '[data-theme="dark"])'
)
_SYSTEM_THEME = 'body[data-theme="auto"]'  # pages of documentation (Furo) that leave it to the system


def html(thing: DAG | Network | Consensus | Distribution | Sequence[Consensus]) -> str:
    """The HTML for any of them, as `bnfuse._base.display` asks for it."""
    if isinstance(thing, Distribution):
        return distribution_html(thing)
    if isinstance(thing, Consensus):
        return consensus_html(thing)
    return network_html(thing) if isinstance(thing, DAG | Network) else frontier_html(thing)


def network_html(network: NetworkLike) -> str:
    """A DAG or a Network; for a large one, the region around the variable with most arcs."""
    lines, dag = [repr(network).strip("<>")], as_dag(network)
    if not _is_large(dag):
        return _html(lines, Picture.of(network).svg())
    names, arcs = dag.variables, [(a, b) for a, b in dag.arc_numbers.tolist()]
    if not arcs:
        return _html(lines, "")
    region = region_around(len(names), arcs)
    numbers = {v: i for i, v in enumerate(region.members)}
    inside = [(names[a], names[b]) for a, b in arcs if a in numbers and b in numbers]
    part = Picture.of(DAG([names[v] for v in region.members], inside))
    return _html([*lines, _shown(dag, region, f"{names[region.centre[0]]}, which has the most arcs")], part.svg())


def consensus_html(consensus: Consensus) -> str:
    """A consensus: the thicker an arc, the more inputs have it. Nothing is searched for it.

    For a large one, the most contested region, and a table of the most contested pairs.
    """
    lines, dag = Summary.of(consensus).lines_at_once, consensus.dag
    if not _is_large(dag):
        return _html(lines, Picture.of_consensus(consensus).svg())
    region = contested_region(consensus)
    if not dag.edges and not region.disputed:
        return _html(lines, "")
    centre = " and ".join(dag.variables[v] for v in region.centre)
    why = f"{centre}, where the inputs disagree most" if region.disputed else f"{centre}, which has the most arcs"
    picture = Picture.of_region(consensus, region).svg()
    return _html([*lines, _shown(dag, region, why)], picture + _contested_table(region))


def _shown(dag: DAG, region: Region, why: str) -> str:
    """The drawn part of a large network."""
    return f"drawn: {len(region.members)} of {len(dag.variables):,} variables, around {why}"


def _contested_table(region: Region) -> str:
    """The most contested pairs of the whole network."""
    if not region.disputed:
        return ""
    rows = (
        [
            f"{pair.arc[0]} \u2192 {pair.arc[1]}",
            "in" if pair.is_in else "out",
            *(percent(weight / pair.seen) for weight in (pair.forward, pair.backward, pair.unjoined)),
        ]
        for pair in region.disputed[:_MOST_PAIRS]
    )
    more = len(region.disputed) - _MOST_PAIRS
    table = _table(["most contested", "consensus", "have it", "reversed", "not joined"], rows)
    return table + (f"<div>and {more:,} more: bnfuse.disputes(...) says what each costs</div>" if more > 0 else "")


def distribution_html(distribution: Distribution) -> str:
    """The answer to a query: a bar for each combination of states."""
    rows = (
        [*labels, shown_probability(probability), _bar(probability)]
        for labels, probability in islice(distribution.items(), SHOWN_ROWS)
    )
    more = distribution.probabilities.size - SHOWN_ROWS
    table = _table([*distribution.variables, "probability", ""], rows)
    return _html([], table + (f"<div>and {more:,} more</div>" if more > 0 else ""))


def frontier_html(results: Sequence[Consensus]) -> str:
    """The best network for each limit: the decrease in distance, and its cost."""
    if not results:
        return _html(["no limit was reached"], "")
    problem = results[0].problem
    what = "largest clique table allowed" if steps_through_tables(results) else "largest clique allowed"
    rows = (
        [
            shown_number(limit),
            f"{result.distance:.2f}",
            "" if result.lower_bound is None else gap_text(result.distance, result.lower_bound),
            f"{point.arcs:,}",
            f"{point.clique_size}",
            shown_number(point.tables),
        ]
        for limit, result, point in zip(limits_of(results), results, map(FrontierPoint.of, results), strict=True)
    )
    headers = ["limit", f"mean {problem.metric}", "gap", "arcs", "largest clique", "clique tables"]
    title = f"mean {problem.metric} by limit: {what}; shaded: proven that no network is there"
    return _html([title], _curve(results) + _table(headers, rows))


def _is_large(dag: DAG) -> bool:
    return len(dag.variables) > _MOST_VARIABLES


def _html(lines: list[str], drawn: str) -> str:
    text = "".join(f"<div>{markup(line)}</div>" for line in lines)
    return f'<div class="bnfuse"><style>{_style()}</style>{text}<div style="overflow-x:auto">{drawn}</div></div>'


def _style() -> str:
    dark = "".join(f'[fill="{light}"]{{fill:{own}}}[stroke="{light}"]{{stroke:{own}}}' for light, own in _DARK.items())
    system = f"@media(prefers-color-scheme:dark){{{_SYSTEM_THEME} .bnfuse{{{dark}}}}}"
    return f".bnfuse svg{{max-width:100%;height:auto}}{_DARK_THEMES} .bnfuse{{{dark}}}{system}"


def _table(headers: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{markup(name)}</th>" if name else "<td></td>" for name in headers)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


class _Drawing(str):
    """SVG of our own, which is not text to be escaped."""

    __slots__ = ()


def _cell(content: str) -> str:
    return content if isinstance(content, _Drawing) else markup(content)


def _bar(share: float) -> _Drawing:
    full = f'<rect width="{_BAR:g}" height="12" fill="{BOX}"/>'
    own = f'<rect width="{_BAR * share:.1f}" height="12" fill="{_LINE}"/>'
    return _Drawing(f'<svg xmlns="http://www.w3.org/2000/svg" width="{_BAR:g}" height="12">{full}{own}</svg>')


def _curve(results: Sequence[Consensus]) -> str:
    """Distances, and the bounds below them, with the limits next to each other."""
    width, height, left, floor, top = 560.0, 224.0, 40.0, 192.0, 28.0
    most = max(result.distance for result in results) or 1.0
    step = (width - 2 * left) / max(len(results) - 1, 1)
    # Between two limits on tables there are others: there the smaller one's network fits, the larger one's bound holds.
    is_stepped = steps_through_tables(results)
    at = [(left + i * step, floor - result.distance / most * (floor - top)) for i, result in enumerate(results)]
    parts = [f'<rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>']
    bounds = [result.lower_bound for result in results if result.lower_bound is not None]
    if len(bounds) == len(results):
        proven = [(x, floor - bound / most * (floor - top)) for (x, _), bound in zip(at, bounds, strict=True)]
        way = _way(proven, [(x, there) for (x, _), (_, there) in pairwise(proven)] if is_stepped else [])
        parts.append(f'<path d="{way}L{at[-1][0]:g} {floor:g}H{left:g}z" fill="{_BOUND}"/>')
    corners = [(x, here) for (_, here), (x, _) in pairwise(at)] if is_stepped else []
    parts.append(f'<path d="M{left:g} {floor:g}H{width - left:g}" stroke="{BORDER}"/>')
    parts.append(f'<path d="{_way(at, corners)}" fill="none" stroke="{_LINE}" stroke-width="2"/>')
    for (x, y), limit, result in zip(at, limits_of(results), results, strict=True):
        parts.append(f'<circle cx="{x:g}" cy="{y:.1f}" r="3.5" fill="{_LINE}"/>')
        parts.append(f'<text x="{x:g}" y="{y - 9:.1f}" fill="{INK}">{result.distance:.2f}</text>')
        parts.append(f'<text x="{x:g}" y="{floor + 18:g}" fill="{INK}">{shown_number(limit)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{escape(FONTS)}" font-size="12" text-anchor="middle">'
        f"{''.join(parts)}</svg>"
    )


def _way(points: Sequence[Point], corners: Sequence[Point]) -> str:
    """A line through points and, if there are any, a corner between two of them."""
    stops = chain.from_iterable(zip_longest(points, corners))
    return "M" + "L".join(f"{stop[0]:g} {stop[1]:.1f}" for stop in stops if stop is not None)
