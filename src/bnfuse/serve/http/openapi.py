"""The OpenAPI description, made from the table of routes."""

from __future__ import annotations

import re
from typing import Any

from bnfuse import __version__
from bnfuse.serve.http.routes import ROUTES, Route

_ERRORS = {
    "400": "the request cannot be read",
    "401": "the token is missing",
    "403": "the request comes from another site",
    "404": "there is no such workspace, answer or round",
    "413": "the body is too large",
    "422": "the request is refused: the error says why, and what to do",
    "429": "there is too much to do already",
    "503": "a worker died, the disk is full, or another server has the workspace open",
}


def description() -> dict[str, Any]:
    """OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(re.sub(r":[a-z]+\}", "}", route.path), {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "bnfuse serve", "version": __version__},
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {
                "Error": {
                    "type": "object",
                    "required": ["error"],
                    "properties": {"error": {"type": "string", "description": "one line"}},
                }
            },
        },
        "security": [{"token": []}],
    }


def _operation(route: Route) -> dict[str, Any]:
    in_path = re.findall(r"\{([a-z]+)(?::[a-z]+)?\}", route.path)
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}, "example": _IN_PATH[name]}
        for name in in_path
    ]
    parameters += [
        {"name": name, "in": "query", "description": text, "schema": {"type": "string"}, "example": example}
        for name, text, example in route.query
    ]
    schema = {} if route.schema is None else {"schema": route.schema}
    content = {"content": {route.gives: _example(route.example) | schema}} if route.gives else {}
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "responses": {
            str(route.status): {"description": route.summary, **content},
            **{
                status: {
                    "description": text,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
                }
                for status, text in _ERRORS.items()
            },
        },
    }
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        kind = "application/octet-stream" if isinstance(route.body, str) else "application/json"
        operation["requestBody"] = {"required": True, "content": {kind: _example(route.body)}}
    return operation


_IN_PATH = {"name": "clinics", "kind": "bif", "before": "1", "after": "now", "person": "1", "panel": "1"}


def _example(value: Any) -> dict[str, Any]:
    return {} if value is None else {"example": value}
