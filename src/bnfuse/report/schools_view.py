"""Schools for people to read: sentences, tables and pictures as plain data, for the report and the app alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bnfuse._base.texts import count, listed, percent, shown_distance, shown_probability
from bnfuse.answer.schools.result import Member, School, Schools
from bnfuse.answer.schools.separating import Separating
from bnfuse.report.drawing.labels import visible
from bnfuse.report.drawing.layout import Layout, arrange
from bnfuse.report.drawing.picture import Arc, Picture, path
from bnfuse.report.drawing.routes import BOX_HEIGHT

WIDE = 560
"""width of a picture that a phone does not show completely: it scrolls"""
SCALE = 1.15
"""scale of pictures: a small network is not enlarged to the width of a screen"""
_MOST_ROWS = 20  # before the others are folded away
_MOST_MEMBERS = 60
_MOST_ANSWERS = 15
_SMALL_ANSWER = 0.005
_FEW = 3
_MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class SchoolCell:
    """A cell of a table; the words in bold come first."""

    text: str
    bold: str = ""


@dataclass(frozen=True, slots=True)
class SchoolTable:
    """A table about schools."""

    name: str
    headers: tuple[str, ...]
    rows: tuple[tuple[SchoolCell, ...], ...]
    most: int
    """rows that are shown at once"""


@dataclass(frozen=True, slots=True)
class SchoolPart:
    """A part of the page: paragraphs, and a table below them."""

    name: Literal["separates", "members", "answers", "number"]
    title: str
    texts: tuple[str, ...]
    table: SchoolTable | None = None


@dataclass(frozen=True, slots=True)
class SchoolBox:
    """A variable in all pictures: the middle of its box, and its label."""

    x: float
    y: float
    width: float
    height: float
    label: str
    name: str


@dataclass(frozen=True, slots=True)
class SchoolArc:
    """An arc in the picture of a school."""

    path: str
    """as an SVG path"""
    kind: str
    """kept: in all schools; dropped: not in all; reversed: in another school; other: only in another school"""
    thickness: float
    words: str


@dataclass(frozen=True, slots=True)
class SchoolPicture:
    """The network of a school, and the text above it."""

    title: str
    facts: str
    who: str
    arcs: tuple[SchoolArc, ...]


@dataclass(frozen=True, slots=True)
class SchoolsPage:
    """All parts of a page about schools."""

    headline: str
    lead: tuple[str, ...]
    width: float
    height: float
    scale: float
    is_wide: bool
    """whether a phone cannot show a picture completely"""
    boxes: tuple[SchoolBox, ...]
    pictures: tuple[SchoolPicture, ...]
    parts: tuple[SchoolPart, ...]


def page_of(schools: Schools) -> SchoolsPage:
    """The page as data."""
    layout = layout_of(schools)
    boxes = zip(layout.centres, layout.widths, layout.labels, schools.problem.variables, strict=True)
    return SchoolsPage(
        headline(schools),
        tuple(lead(schools)),
        layout.width,
        layout.height,
        SCALE,
        layout.width > WIDE,
        tuple(
            SchoolBox(x, y, width, BOX_HEIGHT, visible(label), visible(name)) for (x, y), width, label, name in boxes
        ),
        tuple(_drawn(schools, school, layout) for school in schools.schools),
        tuple(parts_of(schools)),
    )


# Sentences


def headline(schools: Schools) -> str:
    """The numbers of schools and of inputs."""
    inputs = count(len(schools.problem.names), "input")
    return f"{count(schools.k, 'school')} of thought among {inputs}"


def lead(schools: Schools) -> list[str]:
    """The result in a few sentences."""
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
    if schools.stopped_by == "time limit":
        said.append("Stopped by the time limit: these are the best schools so far.")
    return said


def bound_sentence(schools: Schools) -> str:
    """The proof."""
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
    """The network of a school; arcs of other schools are included, to be drawn faintly."""
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


def facts_of_school(schools: Schools, school: School) -> str:
    """The size of a school, and its distance."""
    consensus = school.consensus
    return (
        f"{count(len(school.inputs), 'input')}, {count(len(school.dag.edges), 'arc')}, "
        f"largest clique {consensus.clique_size}, mean {schools.problem.metric} {consensus.distance:,.2f}"
    )


def who(school: School) -> str:
    """The inputs of a school, by their names."""
    return listed(school.inputs, _MOST_NAMES, str)


def _drawn(schools: Schools, school: School, layout: Layout) -> SchoolPicture:
    picture = picture_of(schools, school, layout)
    arcs = tuple(
        SchoolArc(path(picture.points(arc)), arc.kind, arc.thickness, visible(arc.words)) for arc in picture.arcs
    )
    return SchoolPicture(school.name.capitalize(), facts_of_school(schools, school), who(school), arcs)


# Tables


def parts_of(schools: Schools) -> Iterable[SchoolPart]:
    """The parts below the pictures, beginning with the arcs that separate the schools."""
    if schools.k > 1:
        yield _separating(schools)
    yield _members(schools)
    if schools.k > 1 and schools.has_tables:
        yield _answers(schools)
    yield _number(schools)


def _separating(schools: Schools) -> SchoolPart:
    title = "What separates them"
    if not schools.separating:
        text = "The networks of the schools have the same arcs: within the limits, nothing distinguishes them."
        return SchoolPart("separates", title, (text,))
    note = (
        "For each school: whether its network has the arc, and the share of its inputs that have it in that direction. "
        "The last column shows how often one would correctly guess the school of an input from this arc alone; "
        f"{percent(1 / schools.k)} is chance."
    )
    headers = ("arc", *(school.name for school in schools.schools), "tells them apart")
    rows = tuple(map(_arc_row, schools.separating))
    table = SchoolTable("what separates the schools", headers, rows, _MOST_ROWS)
    return SchoolPart("separates", title, (note,), table)


def _arc_row(one: Separating) -> tuple[SchoolCell, ...]:
    cells = []
    for number, (share, back) in enumerate(zip(one.shares, one.reversed_shares, strict=True), start=1):
        state = "has it" if number in one.schools else "reversed" if number in one.reversed_schools else "not joined"
        turned = f", {percent(back)} reversed" if back > 0 else ""
        cells.append(SchoolCell(f"({percent(share)}{turned})", state))
    return SchoolCell(" \u2192 ".join(one.arc)), *cells, SchoolCell(percent(one.tells))


def _members(schools: Schools) -> SchoolPart:
    ordered = sorted(schools.members, key=lambda one: (one.school is None, one.school or 0, one.distance))
    headers = ["input", "school", "distance", *(("next school", "distance") if schools.k > 1 else ())]
    remarks = [_remark(one) for one in ordered]
    rows = [_member_row(one, schools.k) for one in ordered]
    if any(remarks):
        headers.append("remark")
        rows = [[*row, remark] for row, remark in zip(rows, remarks, strict=True)]
    table = SchoolTable("who belongs where", tuple(headers), _cells(rows), _MOST_MEMBERS)
    return SchoolPart("members", "Who belongs where", (), table)


def _member_row(one: Member, k: int) -> list[str]:
    own = "set aside" if one.school is None else f"school {one.school}"
    nearest = shown_distance(one.distance)
    cells = [one.name, own, nearest if one.school else f"{nearest} (school {one.nearest})"]
    if k > 1:
        assert one.next_distance is not None
        cells += [f"school {one.next}", shown_distance(one.next_distance)]
    return cells


def _remark(one: Member) -> str:
    if one.school is None:
        return "far from every other input"
    return "between schools" if one.is_between else ""


def _answers(schools: Schools) -> SchoolPart:
    title = "Probabilities that differ"
    found = [one for one in schools.answers() if one.difference >= _SMALL_ANSWER]
    if not found:
        text = "Without findings, the schools give every state about the same probability."
        return SchoolPart("answers", title, (text,))
    rows = [
        [one.variable, one.state, *map(shown_probability, one.probabilities), f"{one.difference:.3f}"]
        for one in found[:_MOST_ANSWERS]
    ]
    headers = ("variable", "state", *(school.name for school in schools.schools), "difference")
    note = "Probabilities without findings, from the tables of the inputs, pooled within each school."
    table = SchoolTable("where answers differ", headers, _cells(rows), _MOST_ANSWERS)
    return SchoolPart("answers", title, (note,), table)


def _number(schools: Schools) -> SchoolPart:
    title = "How the number was chosen"
    if not schools.is_chosen:
        return SchoolPart("number", title, (schools.verdict,))
    tested = [one for one in schools.tests if one.halves is not None]
    text = (
        "A group is divided only if two tests agree. Families: two groups bring the inputs closer than in "
        "ensembles in which whole parent sets are redistributed at random between the inputs. Halves: two separate "
        "halves of the variables divide the inputs in the same way. Both p-values must be at most the level. "
        "Inputs learned from very different numbers of rows are divided for that reason alone."
    )
    if not tested:
        return SchoolPart("number", title, (text, schools.verdict))
    rows = [
        [
            count(len(one.inputs), "input"),
            _p(one.families),
            _p(one.halves),
            f"{one.level:.3f}",
            "divided" if one.splits else "one group",
        ]
        for one in tested
    ]
    headers = ("tested", "families: p", "halves: p", "level", "result")
    return SchoolPart("number", title, (text,), SchoolTable("tests", headers, _cells(rows), len(rows)))


def _p(value: float | None) -> str:
    return "not needed" if value is None else f"{value:.4f}"


def _cells(rows: Iterable[Sequence[str]]) -> tuple[tuple[SchoolCell, ...], ...]:
    return tuple(tuple(map(SchoolCell, row)) for row in rows)
