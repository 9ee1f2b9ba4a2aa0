"""Packages that only a study needs."""

from __future__ import annotations

import importlib
from typing import Any

from bnfuse._errors import MissingPackageError


def optional(module: str, purpose: str, extra: str) -> Any:
    """A module of an optional package, or an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingPackageError(module.partition(".")[0], purpose, extra) from None
