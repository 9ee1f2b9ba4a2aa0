"""Dataclasses as JSON, and their JSON schema: both follow from the types of their fields.

A record is an object with its fields. A list or mapping of records of one kind is a table, which has the names of the
fields once: `{"fields": ["arc", "weight"], "rows": [[3, 5], [7, 1]]}`. `records.js` turns its rows into objects again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import TypeAlias, Union, cast, get_args, get_origin, get_type_hints

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
Object: TypeAlias = dict[str, Json]

_SCALARS: dict[object, Json] = {
    NoneType: "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
}


def as_json(record: object) -> Object:
    """A record as an object; values without records stay unchanged."""
    own: type = type(record)
    return {name: _written(getattr(record, name), kind) for name, kind in _kinds(own).items()}


def _written(value: object, kind: object) -> Json:
    """A value of a field; its declared type shows where a table is needed, even one without rows."""
    if value is None or not _holds_records(kind):
        return cast(Json, value)
    if is_dataclass(value):
        return as_json(value)
    if not isinstance(value, list | tuple | dict):
        return cast(Json, value)
    item = _item(kind)
    record = _record(item)
    if record is None:
        return _each(value, lambda one: _written(one, item))
    rows = _each(value, lambda one: None if one is None else list(as_json(one).values()))
    return {"fields": list(_kinds(record)), "rows": rows}


def _each(values: list[object] | tuple[object, ...] | dict[object, object], written: Callable[[object], Json]) -> Json:
    if isinstance(values, dict):
        return {str(key): written(value) for key, value in values.items()}
    return [written(value) for value in values]


def json_schema(kind: object) -> Object:
    """The result of `as_json` for a type, in terms of JSON Schema 2020-12."""
    if kind in _SCALARS:
        return {"type": _SCALARS[kind]}
    members = _members(kind)
    if len(members) > 1:
        return {"anyOf": [json_schema(one) for one in members]}
    if isinstance(kind, type) and is_dataclass(kind):
        return _object({name: json_schema(own) for name, own in _kinds(kind).items()}) | {"description": kind.__doc__}
    if get_origin(kind) not in (list, tuple, dict):
        return {}  # any JSON
    item = _item(kind)
    record = _record(item)
    if record is None:
        return _all_of(kind, json_schema(item))
    columns: list[Json] = [json_schema(own) for own in _kinds(record).values()]
    row: Object = {"type": "array", "prefixItems": columns, "minItems": len(columns), "maxItems": len(columns)}
    rows = _all_of(kind, row if record is item else {"anyOf": [row, {"type": "null"}]})
    return _object({"fields": {"const": list(_kinds(record))}, "rows": rows}) | {"description": record.__doc__}


def _object(properties: Mapping[str, Json]) -> Object:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _all_of(kind: object, one: Object) -> Object:
    if get_origin(kind) is dict:
        return {"type": "object", "additionalProperties": one}
    return {"type": "array", "items": one}


@cache
def _kinds(record: type) -> dict[str, object]:
    """The fields of a record, and the type of each."""
    hints = get_type_hints(record, localns={"Json": object})  # which has no end, written out
    return {one.name: hints[one.name] for one in fields(record)}


def _members(kind: object) -> tuple[object, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _item(kind: object) -> object:
    """The member of a type that is a list, a tuple or a dict of several values."""
    (many,) = [one for one in _members(kind) if get_origin(one) in (list, tuple, dict)]
    return get_args(many)[1 if get_origin(many) is dict else 0]


@cache
def _record(kind: object) -> type | None:
    """The record of a type that is one, or is optional; None for any other type."""
    present = [one for one in _members(kind) if one is not NoneType]
    one = present[0]
    return one if len(present) == 1 and isinstance(one, type) and is_dataclass(one) else None


@cache
def _holds_records(kind: object) -> bool:
    if isinstance(kind, type) and is_dataclass(kind):
        return True
    return any(_holds_records(one) for one in get_args(kind))
