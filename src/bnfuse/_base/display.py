"""How DAGs, networks and results show themselves in a notebook.

They come long before the pictures, which are slow to load and know them all: so they ask here, and whoever puts the
package together says which function draws them. It is imported when something is first shown.
"""

from __future__ import annotations

import importlib

_drawer: list[str] = []


def drawn_by(module: str, function: str) -> None:
    """Say which function turns any of these objects into HTML."""
    _drawer[:] = module, function


def html(thing: object) -> str | None:
    """What a notebook shows for an object; None, if nobody draws it: the notebook then shows its `repr`."""
    if not _drawer:
        return None
    module, function = _drawer
    text: str = getattr(importlib.import_module(module), function)(thing)
    return text
