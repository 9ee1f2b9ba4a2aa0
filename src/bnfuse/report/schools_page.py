"""The report of schools: their networks side by side over common positions, what separates them, who belongs where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from bnfuse import __version__
from bnfuse._base import disk
from bnfuse._base.texts import count, listed, percent, shown_distance, shown_probability
from bnfuse.answer.schools.result import Member, School, Schools
from bnfuse.answer.schools.separating import Separating
from bnfuse.report.drawing.labels import markup
from bnfuse.report.drawing.layout import Layout, arrange
from bnfuse.report.drawing.picture import Arc, Picture, boxes, markers
from bnfuse.report.page.compact import compact_style
from bnfuse.report.page.page import check_report, filled, resource, source_hash

_STYLES = ("page-frame", "tables", "schools")
_MOST_ROWS = 20  # before the others are folded away
_MOST_MEMBERS = 60
_MOST_ANSWERS = 15
_SMALL_ANSWER = 0.005
_FEW = 3
_WIDE = 560  # a picture that a phone does not show whole: it scrolls
_SCALE = 1.15  # a small network is not blown up to the width of a screen


def write_schools(schools: Schools, path: Path, overwrite: bool = False) -> None:
    """Write the report of schools."""
    check_report(path, overwrite)
    disk.write_bytes(schools_page(schools).encode(), path)


def schools_page(schools: Schools) -> str:
    """The whole page: it runs no scripts and asks for nothing."""
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
        "sections": "".join(_sections(schools)),
        "origin": _origin(schools),
    }
    return filled(resource("schools-page.html"), pieces)


# Sentences


def headline(schools: Schools) -> str:
    """How many schools among how many inputs."""
    inputs = count(len(schools.problem.names), "input")
    return f"{count(schools.k, 'school')} of thought among {inputs}"


def lead(schools: Schools) -> list[str]:
    """What is known in a few sentences."""
    metric = schools.problem.metric
    said = [schools.verdict]
    if schools.verdict_on_others is not None:
        said.append(schools.verdict_on_others)
    if schools.k > 1:
        said.append(
            f"Mean {metric} of the inputs to their own school: {schools.distance:,.2f}; to one consensus of all: "
            f"{schools.single_distance:,.2f}. {bound_sentence(schools)}"
        )
        if schools.between:
            named, is_one = listed(schools.between, _FEW, str), len(schools.between) == 1
            verb, whose = ("is", "its") if is_one else ("are", "their")
            said.append(f"Between schools: {named} {verb} about as far from another school as from {whose} own.")
    else:
        said.append(f"Mean {metric} of the inputs to the network: {schools.distance:,.2f}. {bound_sentence(schools)}")
    return said


def bound_sentence(schools: Schools) -> str:
    """What is proven."""
    networks = "no network" if schools.k == 1 else f"no {schools.k} networks"
    verb = "is" if schools.k == 1 else "are"
    if schools.is_proven:
        return f"Proven: {networks} within the limits {verb} closer."
    return f"Proven: {networks} within the limits {verb} closer than {int(schools.lower_bound * 100) / 100:,.2f}."


# Pictures


def layout_of(schools: Schools) -> Layout:
    """Common positions: by the arcs that most schools have first."""
    having: dict[tuple[int, int], int] = {}
    for school in schools.schools:
        for source, target in school.dag.arc_numbers.tolist():
            having[source, target] = having.get((source, target), 0) + 1
    arcs = sorted(having, key=lambda arc: -having[arc])  # of equally many, those of the largest school first
    return arrange(schools.problem.variables, arcs)


def picture_of(schools: Schools, school: School, layout: Layout) -> Picture:
    """The network of a school; what other schools have instead is there too, to be drawn faintly."""
    own = {(a, b) for a, b in school.dag.arc_numbers.tolist()}
    others = [
        {(a, b) for a, b in one.dag.arc_numbers.tolist()} for one in schools.schools if one.number != school.number
    ]
    arcs, names = [], schools.problem.variables
    shares = {arc.arc: arc for arc in school.consensus.support()}
    for source, target in sorted(own):
        is_common = all((source, target) in other for other in others)
        is_turned = any((target, source) in other for other in others)
        kind = "kept" if is_common else "reversed" if is_turned else "dropped"
        share = shares[names[source], names[target]].share
        where = "in all schools" if is_common else "reversed in another school" if is_turned else "not in all schools"
        words = f"{names[source]} \u2192 {names[target]}: {percent(share)} of this school's inputs; {where}"
        arcs.append(Arc(source, target, kind, share, words))
    drawn = {frozenset(arc) for arc in own}
    for source, target in sorted(set().union(*others)):
        if frozenset((source, target)) not in drawn:
            drawn.add(frozenset((source, target)))
            words = f"{names[source]} \u2192 {names[target]}: only in another school"
            arcs.insert(0, Arc(source, target, "other", 0.0, words))
    return Picture(names, layout, tuple(arcs))


def _pictures(schools: Schools) -> str:
    layout = layout_of(schools)
    return "".join(_figure(schools, school, layout) for school in schools.schools)


def _figure(schools: Schools, school: School, layout: Layout) -> str:
    picture = picture_of(schools, school, layout)
    width, height = layout.width, layout.height
    inputs = count(len(school.inputs), "input")
    consensus = school.consensus
    facts = (
        f"{inputs}, {count(len(school.dag.edges), 'arc')}, largest clique {consensus.clique_size}, "
        f"mean {schools.problem.metric} {consensus.distance:,.2f}"
    )
    name = school.name.capitalize()
    looks = ' class="wide"' if width > _WIDE else ""
    return (
        f'<figure class="card school"><figcaption><h3>{name}</h3><p class="note">{markup(facts)}</p>'
        f'<p class="who">{markup(_who(school.inputs))}</p></figcaption>'
        f'<div class="picture" tabindex="0" role="group" aria-label="{name}: its network"><svg{looks} '
        f'viewBox="0 0 {width:g} {height:g}" width="{_SCALE * width:g}" height="{_SCALE * height:g}" role="img" '
        f'aria-label="{name}: {markup(facts)}" font-size="13"><g fill="none">{picture.arc_paths()}</g>'
        f"{boxes(picture.variables, layout)}</svg></div></figure>"
    )


def _who(names: Sequence[str]) -> str:
    return listed(names, 12, str)


# Tables


def _sections(schools: Schools) -> Iterable[str]:
    if schools.k > 1:
        yield _section("separates", "What separates them", _separating(schools))
    yield _section("members", "Who belongs where", _members(schools))
    if schools.k > 1 and schools.has_tables:
        yield _section("answers", "Where their answers differ", _answers(schools))
    yield _section("number", "How the number was chosen", _number(schools))


def _section(name: str, title: str, content: str) -> str:
    return f'<section id="{name}"><h2>{title}</h2><div class="card">{content}</div></section>'


def _separating(schools: Schools) -> str:
    if not schools.separating:
        return "<p>The networks of the schools have the same arcs: the limits leave nothing to tell them apart by.</p>"
    headers = ("arc", *(school.name for school in schools.schools), "tells them apart")
    rows = [_arc_row(one) for one in schools.separating]
    note = (
        "For each school: whether its network has the arc, and the share of its inputs that have it in that direction. "
        "The last column is how often one would guess the school of an input right from this arc alone; "
        f"{percent(1 / schools.k)} is chance."
    )
    return f'<p class="note">{note}</p>{_folded("what separates the schools", headers, rows)}'


def _arc_row(one: Separating) -> list[str]:
    cells = []
    for number, (share, back) in enumerate(zip(one.shares, one.reversed_shares, strict=True), start=1):
        state = "has it" if number in one.schools else "reversed" if number in one.reversed_schools else "not joined"
        turned = f", {percent(back)} reversed" if back > 0 else ""
        cells.append(f"<strong>{state}</strong> ({percent(share)}{turned})")
    return [markup(" \u2192 ".join(one.arc)), *cells, percent(one.tells)]


def _members(schools: Schools) -> str:
    ordered = sorted(schools.members, key=lambda one: (one.school is None, one.school or 0, one.distance))
    headers = ["input", "school", "distance", *(("next school", "distance") if schools.k > 1 else ())]
    remarks = [_remark(one) for one in ordered]
    rows = [_member_row(one, schools.k) for one in ordered]
    if any(remarks):
        headers.append("remark")
        rows = [[*row, remark] for row, remark in zip(rows, remarks, strict=True)]
    return _folded("who belongs where", headers, rows, _MOST_MEMBERS)


def _member_row(one: Member, k: int) -> list[str]:
    own = "set aside" if one.school is None else f"school {one.school}"
    nearest = shown_distance(one.distance)
    cells = [markup(one.name), own, nearest if one.school else f"{nearest} (school {one.nearest})"]
    if k > 1:
        assert one.next_distance is not None
        cells += [f"school {one.next}", shown_distance(one.next_distance)]
    return cells


def _remark(one: Member) -> str:
    if one.school is None:
        return "far from every other input"
    return "between schools" if one.is_between else ""


def _answers(schools: Schools) -> str:
    headers = ("variable", "state", *(school.name for school in schools.schools), "difference")
    found = [one for one in schools.answers() if one.difference >= _SMALL_ANSWER]
    if not found:
        return "<p>The schools give every state about the same probability, as long as nothing is known.</p>"
    rows = [
        [markup(one.variable), markup(one.state), *map(shown_probability, one.probabilities), f"{one.difference:.3f}"]
        for one in found[:_MOST_ANSWERS]
    ]
    note = "Probabilities before anything is known, from the tables of the inputs, pooled within each school."
    return f'<p class="note">{note}</p>{_table("where answers differ", headers, rows)}'


def _number(schools: Schools) -> str:
    if not schools.is_chosen:
        return f"<p>{markup(schools.verdict)}</p>"
    tested = [one for one in schools.tests if one.halves is not None]
    text = (
        "A group is divided only if two tests agree. <em>Families</em>: two groups bring the inputs closer than in "
        "ensembles in which whole parent sets were dealt out anew between the inputs. <em>Halves</em>: two separate "
        "halves of the variables divide the inputs alike. Both p-values must be at most the level. Inputs that were "
        "learned from very unequal numbers of rows fall into groups by that alone."
    )
    if not tested:
        return f"<p>{text}</p><p>{markup(schools.verdict)}</p>"
    rows = [
        [
            markup(count(len(one.inputs), "input")),
            _p(one.families),
            _p(one.halves),
            f"{one.level:.3f}",
            "divided" if one.splits else "one group",
        ]
        for one in tested
    ]
    return f"<p>{text}</p>{_table('tests', ('tested', 'families: p', 'halves: p', 'level', 'result'), rows)}"


def _p(value: float | None) -> str:
    return "not needed" if value is None else f"{value:.4f}"


def _folded(name: str, headers: Sequence[str], rows: Sequence[Sequence[str]], most: int = _MOST_ROWS) -> str:
    """A table; rows beyond so many are folded away."""
    table = _table(name, headers, rows[:most])
    if len(rows) <= most:
        return table
    rest = _table(f"more of {name}", headers, rows[most:])
    return f"{table}<details><summary>{len(rows) - most:,} more</summary>{rest}</details>"


def _table(name: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{markup(one)}</th>' for one in headers)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    opening = f'<div class="scroll" tabindex="0" role="group" aria-label="{name}">'
    return f"{opening}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


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
