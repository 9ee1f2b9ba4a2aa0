"""The people of a workspace: a name is enough to join. A key that only their browser has identifies them later."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any

from bnfuse._base.sqlite import transaction
from bnfuse.errors import BnfuseError, OptionError
from bnfuse.serve import limits
from bnfuse.serve.meeting.lines import Lines, time_text

_SPECIAL = "*"


class ForbiddenError(BnfuseError):
    """An action that a person may not do."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person who has joined."""

    id: int
    name: str
    joined: str


def join(store: Lines, name: Any) -> tuple[Person, str]:
    """A new person, or one whom the facilitator lets join again, with their key."""
    called = " ".join(name.split()) if isinstance(name, str) else ""
    if not is_name(called):
        raise OptionError(f"your name must have 1 to {limits.LONGEST_PERSON} characters; got {name!r:.60}")
    key = secrets.token_urlsafe(24)
    found = store.connection.execute("SELECT id, key FROM people WHERE folded = ?", (called.casefold(),)).fetchone()
    if found is not None and found[1] is not None:
        raise OptionError(
            f"a person named {called!r} has already joined: choose another name or, if that was you, ask the "
            "facilitator to let you join again"
        )
    with transaction(store.connection):
        if found is not None:
            store.connection.execute("UPDATE people SET key = ? WHERE id = ?", (_hash(key), found[0]))
            store.say("join", f"{called} joined again")
        else:
            if len(people(store)) >= limits.MOST_PEOPLE:
                raise OptionError(f"{limits.MOST_PEOPLE} people have joined already")
            store.connection.execute(
                "INSERT INTO people (name, folded, key, time, alias) VALUES (?, ?, ?, ?, ?)",
                (called, called.casefold(), _hash(key), time_text(), _free_alias(store)),
            )
            store.say("join", f"{called} joined")
    person = person_of(store, key)
    assert person is not None
    return person, key


def is_name(text: str) -> bool:
    """Whether a name is allowed."""
    return 1 <= len(text) <= limits.LONGEST_PERSON and text.isprintable() and text != _SPECIAL


def let_join_again(store: Lines, person: int) -> None:
    """Forget the key of a person who has lost it, so that they can join again under their name; everybody sees that."""
    chosen = next((one for one in people(store) if one.id == person), None)
    if chosen is None:
        raise OptionError(f"nobody here has the number {person}")
    with transaction(store.connection):
        store.connection.execute("UPDATE people SET key = NULL WHERE id = ?", (person,))
        store.say("join", f"let {chosen.name} join again")


def person_of(store: Lines, key: str) -> Person | None:
    """The person with a key."""
    found = store.connection.execute("SELECT id, name, time FROM people WHERE key = ?", (_hash(key),)).fetchone()
    return None if found is None else Person(*found)


def people(store: Lines) -> list[Person]:
    """Everybody who has joined, from the first."""
    return [Person(*row) for row in store.connection.execute("SELECT id, name, time FROM people ORDER BY id")]


def aliases(store: Lines) -> dict[int, int]:
    """For each person, a number that does not identify them: their name if names are hidden."""
    return dict(store.connection.execute("SELECT id, alias FROM people").fetchall())


def _free_alias(store: Lines) -> int:
    taken = set(aliases(store).values())
    return secrets.choice([one for one in range(1, 100 + 2 * len(taken)) if one not in taken])


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
