"""JSON Schema of types: dataclasses and typed dictionaries become components, by their names."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Schema = dict[str, Any]


class Also(dict[str, Any]):
    """Additional keywords of a schema for a type: `Annotated[int, Also({"minimum": 0})]`."""

    __hash__ = object.__hash__  # type: ignore[assignment]


_PLAIN: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


class Schemas:
    """The schemas of types, and the components that they refer to."""

    def __init__(self) -> None:
        self.components: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """The schema of a type; a dictionary is one already."""
        if isinstance(kind, dict):
            return kind
        if kind is Any or kind is object:
            return {}
        if kind in _PLAIN:
            return {"type": _PLAIN[kind]}
        if isinstance(kind, type) and (is_typeddict(kind) or is_dataclass(kind)):
            return self._component(kind)
        return self._generic(kind)

    def _generic(self, kind: Any) -> Schema:
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            base = self.of(arguments[0])
            return {**base, **{name: value for more in arguments[1:] for name, value in more.items()}}
        if origin in (NotRequired, Required):
            return self.of(arguments[0])
        if origin is Literal:
            return {"enum": list(arguments)}
        if origin in (Union, UnionType):
            return _any_of([self.of(one) for one in arguments])
        return self._many(kind, origin, arguments)

    def _many(self, kind: Any, origin: Any, arguments: tuple[Any, ...]) -> Schema:
        if origin is tuple and arguments[1:] != (...,):
            items = [self.of(one) for one in arguments]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        if origin in (list, tuple):
            return {"type": "array", "items": self.of(arguments[0])}
        if isinstance(origin, type) and hasattr(origin, "keys"):
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        raise TypeError(f"{kind} has no schema")

    def _component(self, kind: type) -> Schema:
        if kind.__name__ not in self.components:
            self.components[kind.__name__] = {}  # it may refer to itself
            # Public classes name bnfuse as their module; their hints refer to names of the defining module.
            names = None if is_typeddict(kind) else vars(kind)["__init__"].__globals__
            hints = get_type_hints(kind, names, include_extras=True)
            if not is_typeddict(kind):
                hints = {one.name: hints[one.name] for one in fields(kind)}
            required = [name for name, own in hints.items() if get_origin(own) is not NotRequired]
            self.components[kind.__name__] = {
                "type": "object",
                "description": (kind.__doc__ or "").strip().partition("\n")[0],
                "required": required,
                "properties": {name: self.of(own) for name, own in hints.items()},
            }
        return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _any_of(members: list[Schema]) -> Schema:
    if all(set(one) == {"type"} for one in members):
        return {"type": [one["type"] for one in members]}
    return {"anyOf": members}
