"""Ensemble files: the structures of many networks over the same variables, in one JSON file.

    {"variables": ["A", ...], "networks": [{"name": "site-1", "edges": [["A", "B"], ...]}, ...]}

Other keys are ignored and may be used for annotations. A network without a name is named by its position. Those that
were learned from resamples have "made_by": "bootstrap".
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NoReturn

from bnfuse._base.disk import MARK, check_json
from bnfuse.errors import BnfuseError, FileError, GraphError
from bnfuse.graphs.dag import DAG, as_dags
from bnfuse.graphs.network import BOOTSTRAP, Network

_MAX_MEMORY = (
    4 << 30
)  # bytes; a network with one arc takes as much as one with a thousand: the number of variables decides


def read_text(text: str, path: str) -> list[Network]:
    """The networks of an ensemble file."""
    try:
        return _networks(_parsed(text, path))
    except FileError:
        raise
    except BnfuseError as error:
        raise FileError(path, str(error)) from None


def write_text(network: Network) -> str:
    """An ensemble of one network."""
    return write_networks([network])


def write_networks(networks: Sequence[Network]) -> str:
    """The structures of networks over the same variables as an ensemble file."""
    dags = as_dags(networks)
    members = []
    for network, dag in zip(networks, dags, strict=True):
        member: dict[str, Any] = {"name": network.name} if network.name else {}
        if network.made_by == BOOTSTRAP:
            member["made_by"] = BOOTSTRAP
        members.append(json.dumps({**member, "edges": dag.edges}, ensure_ascii=False))
    variables = json.dumps(dags[0].variables, ensure_ascii=False)
    return f'{{"comment": "{MARK}",\n "variables": {variables},\n "networks": [\n  ' + ",\n  ".join(members) + "\n ]}\n"


def _parsed(text: str, path: str) -> Any:
    check_json(text.encode(errors="surrogatepass"), path)
    try:
        return json.loads(text, object_pairs_hook=_without_twice, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise FileError(path, f"not valid JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise FileError(path, "not an ensemble file: its brackets are nested too deeply") from None
    except ValueError:  # Python's own limit for turning digits into a number
        raise FileError(path, "not an ensemble file: it holds a number of thousands of digits") from None


def _networks(content: Any) -> list[Network]:
    ensemble = _expect(content, dict, "the file")
    variables = _names(_field(ensemble, "variables", list, "the file"), "variables")
    members = _field(ensemble, "networks", list, "the file")
    if not members:
        raise GraphError("networks: the list is empty")
    needed = len(members) * len(variables) * ((len(variables) + 63) // 64) * 8
    if needed > _MAX_MEMORY:
        raise GraphError(
            f"{len(members):,} networks over {len(variables):,} variables take {needed / 1e9:.1f} GB of memory; "
            "divide them among several files"
        )
    DAG(variables)  # names that are missing or repeated are errors of the file, not of the first network
    return [_network(member, f"networks[{i}]", variables) for i, member in enumerate(members)]


def _network(member: Any, place: str, variables: list[str]) -> Network:
    name = _expect(member, dict, place).get("name", "")
    _encodable(_expect(name, str, f"{place}.name"), f"{place}.name")
    edges = _field(member, "edges", list, place)
    for i, edge in enumerate(edges):
        if not (isinstance(edge, list) and len(edge) == 2 and isinstance(edge[0], str) and isinstance(edge[1], str)):
            raise GraphError(f"{place}.edges[{i}]: expected a pair of names, got {_shown(edge)}")
    try:
        made_by = BOOTSTRAP if member.get("made_by") == BOOTSTRAP else ""
        return Network(DAG(variables, edges), name=name, made_by=made_by)
    except GraphError as error:
        raise GraphError(f"network {name!r}: {error}" if name else f"{place}: {error}") from None


def _field(holder: dict[str, Any], key: str, kind: type, place: str) -> Any:
    if key not in holder:
        raise GraphError(f"not an ensemble: {place} lacks the key {key!r}")
    return _expect(holder[key], kind, key if place == "the file" else f"{place}.{key}")


_KINDS: dict[type, str] = {dict: "an object", list: "a list", str: "text"}


def _expect(value: Any, kind: type, place: str) -> Any:
    if not isinstance(value, kind):
        raise GraphError(f"{place}: expected {_KINDS[kind]}, got {_shown(value)}")
    return value


def _names(values: list[Any], place: str) -> list[str]:
    for i, value in enumerate(values):
        _encodable(_expect(value, str, f"{place}[{i}]"), f"{place}[{i}]")
    return values


def _encodable(name: str, place: str) -> None:
    """JSON can contain half a character (a lone surrogate), which no file and no screen can show."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise GraphError(f"{place}: {name!a} is not valid Unicode text") from None


def _shown(value: Any) -> str:
    return "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else f"{value!a:.60}"


def _without_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise GraphError(f"not an ensemble file: an object has the key {key!a:.60} twice")
        fields[key] = value
    return fields


def _no_constant(constant: str) -> NoReturn:
    raise GraphError(f"not valid JSON: {constant}")
