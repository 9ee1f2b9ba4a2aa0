"""Optional packages: imported where they are used, with the same error message if one is missing."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from bnfuse.errors import MissingPackageError


def optional(module: str, purpose: str, extra: str | None = None) -> Any:
    """A module of an optional package, or an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingPackageError(module.partition(".")[0], purpose, extra) from None


def require(package: str, purpose: str, extra: str | None = None) -> None:
    """Raise an error if a package is missing, without importing it: some take seconds."""
    try:
        found = importlib.util.find_spec(package)
    except ValueError:  # what Python has in place of a package that was made unavailable
        found = None
    if found is None:
        raise MissingPackageError(package, purpose, extra)
