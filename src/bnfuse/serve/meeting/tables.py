"""The tables that a workspace has for people and their private rounds."""

from __future__ import annotations

MEETING = (
    "CREATE TABLE people (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, "
    "key TEXT, time TEXT NOT NULL, alias INTEGER NOT NULL UNIQUE)",
    "CREATE TABLE panels (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, time TEXT NOT NULL, "
    "state TEXT NOT NULL, is_anonymous INTEGER NOT NULL, pairs TEXT NOT NULL)",
    "CREATE TABLE judgements (panel INTEGER NOT NULL REFERENCES panels, person INTEGER NOT NULL REFERENCES people, "
    "source TEXT NOT NULL, target TEXT NOT NULL, judgement TEXT NOT NULL, confidence INTEGER NOT NULL, "
    "reason TEXT NOT NULL, time TEXT NOT NULL, PRIMARY KEY (panel, person, source, target))",
)
