"""The report of schools: their networks with common positions, the separating arcs, and the members."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from bnfuse import __version__
from bnfuse._base import disk
from bnfuse.answer.schools.result import School, Schools
from bnfuse.report.drawing.labels import markup
from bnfuse.report.drawing.layout import Layout
from bnfuse.report.drawing.picture import boxes, markers
from bnfuse.report.page.compact import compact_style
from bnfuse.report.page.page import check_report, filled, resource, source_hash
from bnfuse.report.schools_view import (
    SCALE,
    WIDE,
    SchoolCell,
    SchoolPart,
    SchoolTable,
    facts_of_school,
    headline,
    layout_of,
    lead,
    parts_of,
    picture_of,
    who,
)

_STYLES = ("page-frame", "tables", "school-pictures", "schools")


def write_schools(schools: Schools, path: Path, overwrite: bool = False) -> None:
    """Write the report of schools."""
    check_report(path, overwrite)
    disk.write_bytes(schools_page(schools).encode(), path)


def schools_page(schools: Schools) -> str:
    """The whole page, which runs no scripts and makes no requests."""
    style = compact_style("\n".join(resource(f"{name}.css") for name in _STYLES))
    policy = f"default-src 'none'; style-src {source_hash(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    pieces = {
        "policy": policy,
        "style": style,
        "title": markup(headline(schools)),
        "headline": markup(headline(schools)),
        "lead": "".join(f"<p>{markup(text)}</p>" for text in lead(schools)),
        "markers": markers(),
        "legend": resource("schools-legend.html") if schools.k > 1 else "",
        "pictures": _pictures(schools),
        "sections": "".join(map(_section, parts_of(schools))),
        "origin": _origin(schools),
    }
    return filled(resource("schools-page.html"), pieces)


def _pictures(schools: Schools) -> str:
    layout = layout_of(schools)
    return "".join(_figure(schools, school, layout) for school in schools.schools)


def _figure(schools: Schools, school: School, layout: Layout) -> str:
    picture = picture_of(schools, school, layout)
    width, height = layout.width, layout.height
    facts = facts_of_school(schools, school)
    name = school.name.capitalize()
    looks = ' class="wide"' if width > WIDE else ""
    return (
        f'<figure class="card school"><figcaption><h3>{name}</h3><p class="note">{markup(facts)}</p>'
        f'<p class="who">{markup(who(school))}</p></figcaption>'
        f'<div class="school-picture" tabindex="0" role="group" aria-label="{name}: its network"><svg{looks} '
        f'viewBox="0 0 {width:g} {height:g}" width="{SCALE * width:g}" height="{SCALE * height:g}" role="img" '
        f'aria-label="{name}: {markup(facts)}" font-size="13"><g fill="none">{picture.arc_paths()}</g>'
        f"{boxes(picture.variables, layout)}</svg></div></figure>"
    )


def _section(part: SchoolPart) -> str:
    looks = ' class="note"' if part.table is not None else ""
    texts = "".join(f"<p{looks}>{markup(text)}</p>" for text in part.texts)
    table = "" if part.table is None else _folded(part.table)
    return f'<section id="{part.name}"><h2>{part.title}</h2><div class="card">{texts}{table}</div></section>'


def _folded(table: SchoolTable) -> str:
    """A table; rows beyond the first ones are folded away."""
    first, rest = table.rows[: table.most], table.rows[table.most :]
    shown = _table(table.name, table.headers, first)
    if not rest:
        return shown
    more = _table(f"more of {table.name}", table.headers, rest)
    return f"{shown}<details><summary>{len(rest):,} more</summary>{more}</details>"


def _table(name: str, headers: Sequence[str], rows: Iterable[Sequence[SchoolCell]]) -> str:
    head = "".join(f'<th scope="col">{markup(one)}</th>' for one in headers)
    body = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    opening = f'<div class="scroll" tabindex="0" role="group" aria-label="{name}">'
    return f"{opening}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _cell(cell: SchoolCell) -> str:
    bold = f"<strong>{markup(cell.bold)}</strong> " if cell.bold else ""
    return bold + markup(cell.text)


def _origin(schools: Schools) -> str:
    problem, origin = schools.problem, schools.single.origin
    rules = problem.constraints
    limits = (
        f"largest clique {problem.max_clique}" if problem.is_clique_limited else f"clique tables {problem.max_table}"
    )
    said = [f"Distance: {problem.metric}. Limit: {limits}. Directions: {rules.directions}. Seed: {schools.seed}."]
    if origin is not None:
        said.append(f"{origin.command} ({origin.time}, bnfuse {origin.version})")
    else:
        said.append(f"bnfuse {__version__}")
    said += [f"Note: {one}" for one in schools.notes]
    return "".join(f"<p>{markup(one)}</p>" for one in said)
