"""How DAGs, networks and results are displayed in a notebook.

These classes are defined before the pictures, which are slow to import and depend on all of them. So they ask here, and
the package's entry point registers the function that draws them. It is imported when something is first displayed.
"""

from __future__ import annotations

import importlib

_drawer: list[str] = []


def drawn_by(module: str, function: str) -> None:
    """Register the function that turns any of these objects into HTML."""
    _drawer[:] = module, function


def html(thing: object) -> str | None:
    """What a notebook displays for an object; None if nothing draws it, so that the notebook displays its `repr`."""
    if not _drawer:
        return None
    module, function = _drawer
    text: str = getattr(importlib.import_module(module), function)(thing)
    return text
