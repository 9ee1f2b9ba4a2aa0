"""The minutes of a workspace: the inputs, the decisions and notes, and the result, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bnfuse._base.texts import count, gap_text, isolated, shown_cost
from bnfuse.problem.constraints import pairs_apart
from bnfuse.serve.meeting.items import item_key, row_key
from bnfuse.serve.meeting.panels import JUDGEMENTS, OPEN, panels, revealed
from bnfuse.serve.meeting.people import people
from bnfuse.serve.workspace.comparing import compared
from bnfuse.serve.workspace.state import State, StateNames, VariableName, note_key
from bnfuse.serve.workspace.store import Answer, WorkspaceStore

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&])")
_DISPUTES = 50  # of which the first are told
_WORDS = {"turned": "reversed"}
_CHANGES = {"came": "added", "went": "dropped", "turned": "reversed"}


def minutes(store: WorkspaceStore, name: str) -> str:
    """The whole text."""
    now = store.now()
    best = store.best(now.question.key)
    lines = [f"# {_text(name)}", "", *_inputs(now.question), *_names(store, now.question), *_settings(now.question)]
    if best is not None:
        lines += _answer(best, now.question)
        lines += _disputes(store.part(best, "disputes"), now.question, store.noted(now.question))
    lines += _judgements(now.question, [] if best is None else best.facts["notes"], store.last_changes())
    lines += [*_people(store), *_panels(store), *_rounds(store), *_history(store)]
    return "\n".join(map(isolated, lines)) + "\n"


def _text(text: Any) -> str:
    """A name is text, whatever it looks like."""
    return _SPECIAL.sub(r"\\\1", " ".join(str(text).split()))


def _table(headers: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    names = list(headers)
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    for row in rows:
        yield f"| {' | '.join(_text(cell) for cell in row)} |"
    yield ""


def _inputs(question: State) -> Iterator[str]:
    yield "## Inputs\n"
    if question.inputs:
        yield from _table(
            ("input", "counts"), ((one.name, f"weight {one.weight}" if one.on else "off") for one in question.inputs)
        )
    else:
        yield "none\n"
    if question.data is not None:
        yield f"Tables are estimated from {_text(question.data.name)}.\n"


def _names(store: WorkspaceStore, question: State) -> Iterator[str]:
    """The decisions on names that differ, with their authors."""
    if not (question.names or question.labels):
        return
    made, inputs = store.last_changes(), {one.id: one.name for one in question.inputs}

    def row(kind: str, one: VariableName | StateNames, own: str, becomes: str) -> tuple[str, ...]:
        by = made.get(item_key(kind, one.id, one.variable), {"who": "", "time": ""})
        said = becomes if becomes != own else "stays"
        return inputs.get(one.id, ""), own, said, ", ".join(filter(None, (by["who"], by["time"])))

    yield "## Names\n"
    yield from _table(
        ("input", "in the file", "here", "decided"),
        [
            *(row("variable", one, one.variable, one.name) for one in question.names),
            *(
                row("states", one, *(f"{one.variable}: {', '.join(names)}" for names in zip(*one.states, strict=True)))
                for one in question.labels
            ),
        ],
    )


def _settings(question: State) -> Iterator[str]:
    yield "## State\n"
    limit = [f"largest clique {question.max_clique}"] if question.max_clique is not None else []
    limit += [f"largest clique table {question.max_table}"] if question.max_table is not None else []
    shown = {
        "limit": ", ".join(limit) or "largest clique 4",
        "distance": question.metric,
        "method": question.method,
        "directions": question.directions,
        "variables": question.variables,
    }
    yield from (f"- {name}: {_text(value)}" for name, value in shown.items())
    pairs, single = pairs_apart(question.forbidden)
    for rule, arrow, arcs in (
        ("required", "→", question.required),
        ("forbidden", "↔", pairs),
        ("forbidden", "→", single),
    ):
        yield from (f"- {rule}: {_text(a)} {arrow} {_text(b)}" for a, b in arcs)
    yield from (f"- tier {i}: {', '.join(map(_text, tier))}" for i, tier in enumerate(question.tiers, 1))
    yield ""


def _answer(answer: Answer, question: State) -> Iterator[str]:
    facts = answer.facts
    yield "## Consensus\n"
    distance, bound = facts["distance"], facts["bound"]
    good = "" if bound is None else f", at most {gap_text(distance, bound)} above the best possible (proven)"
    if facts["gap"] == 0:
        good = ", proven optimal"
    yield (
        f"{len(facts['arcs'])} arcs, largest clique {facts['max_clique_found']}, mean {facts['metric']} to the inputs "
        f"{distance:.2f}{good}; effort {facts['effort']}.\n"
    )
    yield from (f"- {_text(a)} → {_text(b)}" for a, b in facts["arcs"])
    yield ""


def _disputes(disputes: list[dict[str, Any]], question: State, noted: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    if not disputes:
        return
    yield "## Where the inputs differ\n"
    chosen = [
        one
        for i, one in enumerate(disputes)
        if i < _DISPUTES or note_key((one["source"], one["target"])) in question.notes
    ]
    rows = []
    for one in chosen:
        who = one["who"]
        rows.append(
            (
                f"{one['source']} → {one['target']}",
                "in" if one["in"] else "out",
                "; ".join(_instead(one, other) for other in one["alternatives"]),
                ", ".join(who["forward"]),
                ", ".join(who["backward"]),
                ", ".join(who["neither"]),
                _note(note_key((one["source"], one["target"])), question, noted),
            )
        )
    headers = ("arc", "consensus", "instead", "have it", "reversed", "do not join the two", "note")
    yield from _table(headers, rows)
    if len(chosen) < len(disputes):
        yield f"and {len(disputes) - len(chosen):,} more.\n"


def _note(key: str, question: State, noted: Mapping[str, Mapping[str, str]]) -> str:
    text = question.notes.get(key, "")
    return f"{text} ({noted[key]['who'] or 'somebody'}, {noted[key]['time']})" if key in noted else text


def _judgements(question: State, notes: Iterable[str], last_changes: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """People's judgements of rows of tables, and those that the consensus does not use."""
    if not question.judgements:
        return
    yield "## How likely\n"
    if question.data is None:
        yield f"An input of weight 1 counts as {question.input_cases:,.10g} cases.\n"
    yield from _table(
        ("row", "probabilities", "cases", "said by", "because"),
        (
            (
                one.words,
                ", ".join(f"{state} {value:.4g}" for state, value in one.probabilities.items()),
                f"{one.cases:,.10g}",
                f"{one.by or 'somebody'}, {last_changes.get(row_key(one), {}).get('time', '')}".rstrip(", "),
                one.reason,
            )
            for one in question.judgements
        ),
    )
    not_used = [note for note in notes if "not used" in note]
    yield from (f"- {_text(note)}" for note in not_used)
    if not_used:
        yield ""


def _instead(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Another decision, its cost, and the number of other arcs that change with it."""
    is_turned = other["decision"] == "in" and other["arc"] != [one["source"], one["target"]]
    what = "in, reversed" if is_turned else _WORDS.get(other["decision"], other["decision"])
    if other["cost"] is None:
        return what if other["barrier"] is None else f"{what}: not possible"
    changed = sum(len(other[kind]) for kind in ("added", "dropped", "reversed"))
    with_it = f", with {count(changed, 'other arc')} changed" if changed else ""
    return f"{what} costs {shown_cost(other['cost'], other['cost_at_least'])}{with_it}"


def _people(store: WorkspaceStore) -> Iterator[str]:
    if joined := people(store):
        yield "## People\n"
        yield from (f"- {_text(one.name)} (joined {one.joined})" for one in joined)
        yield ""


def _panels(store: WorkspaceStore) -> Iterator[str]:
    """The revealed private rounds: how many judgements of each kind each arc has, with changes since the last."""
    before: dict[tuple[str, str], dict[str, int]] = {}
    for panel in panels(store):
        if panel.state == OPEN:
            continue
        yield f"## Private round: {_text(panel.name)} ({panel.time})\n"
        rows, reasons, arrow = [], [], " → "
        for arc in revealed(store, panel):
            pair = arc["source"], arc["target"]
            counts, old = arc["counts"], before.get(pair, {})
            cells = [f"{n} (before {old[kind]})" if old.get(kind, n) != n else n for kind, n in counts.items()]
            rows.append((arrow.join(pair), *cells))
            before[pair] = counts
            reasons += [
                f"- {_text(arrow.join(pair))}: {_text(one['who'])}, {_WORDS.get(one['judgement'], one['judgement'])} "
                f"({one['confidence']} %)" + (f": {_text(one['reason'])}" if one["reason"] else "")
                for one in arc["said"]
            ]
        yield from _table(("arc", *(_WORDS.get(one, one) for one in JUDGEMENTS)), rows)
        yield from reasons
        yield ""


def _rounds(store: WorkspaceStore) -> Iterator[str]:
    rounds = store.rounds()
    if not rounds:
        return
    yield "## Rounds\n"
    before = None
    for one in rounds:
        answer, question = store.answer_of(one), store.question_at(one.revision)
        yield f"- {_text(one.name)} ({one.time}): distance {answer.facts['distance']:.2f}"
        if before is not None:
            changes = compared(before, (question, answer))["arcs"]
            yield from (
                f"  - {_CHANGES[kind]}: {', '.join(f'{_text(a)} → {_text(b)}' for a, b in arcs)}"
                for kind, arcs in changes.items()
                if arcs
            )
        before = question, answer
    yield ""


def _history(store: WorkspaceStore) -> Iterator[str]:
    yield "## History\n"
    yield from (f"{one['revision']}. {one['time']}: {_said(one)}" for one in store.history())


def _said(line: Mapping[str, Any]) -> str:
    who = f"{_text(line['who'])} " if line["who"] else ""
    return f"{who}{_text(line['words'])}"
