"""The page of `bnfuse serve`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """The same for every workspace."""

    html: str
    policy: str
    """what it may do, for the header `Content-Security-Policy`"""


def page() -> Page:
    """The page, with its policy."""
    html = '<!doctype html>\n<html lang="en"><title>bnfuse serve</title><p>The API: /api/openapi.json</p></html>\n'
    return Page(html, "default-src 'none'; frame-ancestors 'none'")
