"""Private rounds: each expert judges the disputed arcs without seeing the others; then all judgements are revealed.

Until a round is revealed, nobody sees the judgements of others, not even the facilitator. Afterwards, another round
with the same arcs lets everybody revise theirs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bnfuse._base.options import one_of
from bnfuse._base.sqlite import transaction
from bnfuse.errors import OptionError
from bnfuse.serve import limits
from bnfuse.serve.meeting.lines import Lines, time_text
from bnfuse.serve.meeting.people import Person, aliases, people

JUDGEMENTS = ("for", "against", "turned", "unsure")
OPEN, REVEALED, COUNTED = "open", "revealed", "counted"
LEAST_SURE, MOST_SURE = 50, 100  # percent

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Panel:
    """A private round."""

    number: int
    name: str
    time: str
    state: str
    is_anonymous: bool
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """An expert's judgement of one arc."""

    source: str
    target: str
    judgement: str
    confidence: int
    """in percent"""
    reason: str = ""


def panels(store: Lines) -> list[Panel]:
    """All private rounds, from the first."""
    rows = store.connection.execute("SELECT id, name, time, state, is_anonymous, pairs FROM panels ORDER BY id")
    return [
        Panel(number, name, time, state, bool(hidden), tuple((a, b) for a, b in json.loads(pairs)))
        for number, name, time, state, hidden, pairs in rows
    ]


def panel_of(store: Lines, number: int) -> Panel:
    """One private round."""
    found = next((one for one in panels(store) if one.number == number), None)
    if found is None:
        raise OptionError(f"there is no private round {number}")
    return found


def open_panel(store: Lines, name: str, is_anonymous: bool, pairs: Sequence[Pair]) -> Panel:
    """Begin a round on these arcs."""
    known = panels(store)
    if not pairs:
        raise OptionError("the inputs dispute no arc: there is nothing to judge")
    if any(one.state == OPEN for one in known):
        raise OptionError("a private round is already open: reveal it first")
    if any(one.name == name for one in known):
        raise OptionError(f"there is already a private round {name!r:.80}")
    if len(known) >= limits.MOST_ROUNDS:
        raise OptionError(f"there are {limits.MOST_ROUNDS:,} private rounds already")
    with transaction(store.connection):
        store.connection.execute(
            "INSERT INTO panels (name, time, state, is_anonymous, pairs) VALUES (?, ?, ?, ?, ?)",
            (name, time_text(), OPEN, int(is_anonymous), json.dumps(pairs)),
        )
        store.say("panel", f"opened the private round {name}")
    return panels(store)[-1]


def judge(store: Lines, number: int, person: Person, given: Any) -> None:
    """Store a person's judgements of arcs; earlier ones are replaced.

    With the first of them in a round, those of the previous round count again, as the page shows them.
    """
    panel = panel_of(store, number)
    if panel.state != OPEN:
        raise OptionError(f"the private round {panel.name} is revealed: judge in the next one")
    listed = given if isinstance(given, list) else [given]
    if len(listed) > len(panel.pairs):
        raise OptionError(f"there are {len(panel.pairs)} arcs to judge; got {len(listed)} judgements")
    checked = [_checked(one, panel) for one in listed]
    if person.id not in judgements(store, panel):
        checked = [*_earlier(store, panel, person), *checked]
    with transaction(store.connection):
        store.connection.executemany(
            "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [(number, person.id, *asdict(one).values(), time_text()) for one in checked],
        )


def _earlier(store: Lines, panel: Panel, person: Person) -> list[Judgement]:
    """A person's judgements in the previous round, of arcs that this one asks about too.

    None if only one of the two rounds has names: an equal reason in the other would tell whose it is.
    """
    before = [one for one in panels(store) if one.number < panel.number][-1:]
    said = [
        own
        for one in before
        if one.is_anonymous == panel.is_anonymous
        for own in judgements(store, one).get(person.id, [])
    ]
    return [one for one in said if (one.source, one.target) in panel.pairs]


def reveal(store: Lines, number: int, is_anonymous: bool) -> None:
    """Let everybody see all judgements, with or without names."""
    panel = panel_of(store, number)
    if panel.state != OPEN:
        raise OptionError(f"the private round {panel.name} is revealed already")
    with transaction(store.connection):
        store.connection.execute(
            "UPDATE panels SET state = ?, is_anonymous = ? WHERE id = ?", (REVEALED, int(is_anonymous), number)
        )
        how = "without names" if is_anonymous else "with names"
        store.say("panel", f"revealed the private round {panel.name} {how}")


def set_counted(store: Lines, number: int) -> None:
    """Record that the judgements of a round count as votes."""
    with transaction(store.connection):
        store.connection.execute("UPDATE panels SET state = ? WHERE id = ?", (COUNTED, number))


def judgements(store: Lines, panel: Panel) -> dict[int, list[Judgement]]:
    """The judgements by person, in the order of the arcs. Not to be shown before the round is revealed."""
    found: dict[int, dict[Pair, Judgement]] = {}
    for person, *rest in store.connection.execute(
        "SELECT person, source, target, judgement, confidence, reason FROM judgements WHERE panel = ? ORDER BY person",
        (panel.number,),
    ):
        own = Judgement(*rest)
        found.setdefault(person, {})[own.source, own.target] = own
    return {person: [said[pair] for pair in panel.pairs if pair in said] for person, said in found.items()}


def labels(store: Lines, panel: Panel) -> dict[int, str]:
    """Names for those who judged: their own or, if these are hidden, numbers that do not identify them."""
    known = {one.id: one.name for one in people(store)}
    voters = sorted(judgements(store, panel))
    if not panel.is_anonymous:
        return {one: known[one] for one in voters}
    numbers = aliases(store)
    return {one: label_of(numbers[one]) for one in voters}


def label_of(alias: int) -> str:
    """The name for a person whose name is hidden."""
    return f"expert {alias}"


def shown(store: Lines, person: Person | None) -> list[dict[str, Any]]:
    """All rounds as one person may see them."""
    found: list[dict[str, Any]] = []
    for panel in panels(store):
        said = judgements(store, panel)
        facts = {**asdict(panel), "judged": len(said), "mine": []}
        if person is not None:
            mine = said.get(person.id) or _earlier(store, panel, person)
            facts["mine"] = [asdict(one) for one in mine]
            facts["is_mine_new"] = person.id in said
        facts["arcs"] = [] if panel.state == OPEN else revealed(store, panel)
        found.append(facts)
    return found


def revealed(store: Lines, panel: Panel) -> list[dict[str, Any]]:
    """For each arc, the number of judgements of each kind, and all reasons."""
    said, called = judgements(store, panel), labels(store, panel)
    rows = []
    for source, target in panel.pairs:
        own = [
            (called[person], one)
            for person, listed in said.items()
            for one in listed
            if (one.source, one.target) == (source, target)
        ]
        own.sort(key=lambda pair: pair[0])
        counts = {kind: sum(one.judgement == kind for _, one in own) for kind in JUDGEMENTS}
        said_by = [
            {"who": who, "judgement": one.judgement, "confidence": one.confidence, "reason": one.reason}
            for who, one in own
        ]
        rows.append({"source": source, "target": target, "counts": counts, "said": said_by})
    return rows


def _checked(given: Any, panel: Panel) -> Judgement:
    if not isinstance(given, Mapping):
        raise OptionError(f"a judgement must be an object; got {given!r:.60}")
    pair = given.get("source"), given.get("target")
    if pair not in panel.pairs:
        raise OptionError(f"the private round {panel.name} does not ask for {pair[0]!r:.60} -> {pair[1]!r:.60}")
    kind = given.get("judgement")
    one_of("judgement", kind if isinstance(kind, str) else repr(kind), JUDGEMENTS)
    sure, reason = given.get("confidence", MOST_SURE), given.get("reason", "")
    if type(sure) is not int or not LEAST_SURE <= sure <= MOST_SURE:
        raise OptionError(
            f"confidence must be a whole number of percent from {LEAST_SURE} to {MOST_SURE}; got {sure!r:.60}"
        )
    if (
        not isinstance(reason, str)
        or len(reason) > limits.LONGEST_REASON
        or any("\ud800" <= c <= "\udfff" for c in reason)
    ):
        raise OptionError(f"a reason is text of at most {limits.LONGEST_REASON:,} characters")
    return Judgement(str(pair[0]), str(pair[1]), str(kind), sure, reason.strip())
