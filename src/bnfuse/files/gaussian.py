"""Gaussian networks in JSON: an intercept, a standard deviation and a coefficient for each parent of every variable.

    {"kind": "bnfuse Gaussian networks",
     "version": 1,
     "networks": [
      {"name": "clinic",
       "variables": {
        "Age": {"intercept": 50.0, "sd": 10.0},
        "Blood": {"intercept": 100.0, "sd": 8.0, "parents": {"Age": 0.5}}}}]}

Numbers are written with all their digits, so that reading a file gives the same network to the last bit. Other keys are
ignored and may be used for annotations. `read_pgmpy` reads the JSON files that pgmpy writes (`save` of its
LinearGaussianBayesianNetwork), which have variances.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from bnfuse._base.disk import MARK, check_json
from bnfuse._base.fields import Field
from bnfuse.errors import BnfuseError, FileError, GraphError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.gaussian_network import GaussianNetwork

KIND = "bnfuse Gaussian networks"
VERSION = 1


def read_text(text: str, path: str) -> list[GaussianNetwork]:
    """The networks of a file."""
    return _read(text, path, _networks)


def read_pgmpy(text: str, path: str) -> list[GaussianNetwork]:
    """The network in a JSON file by pgmpy."""
    return _read(text, path, lambda content: [_of_pgmpy(content)])


def write_text(network: GaussianNetwork) -> str:
    """A file of one network."""
    return write_networks([network])


def write_networks(networks: Sequence[GaussianNetwork]) -> str:
    """A file of several networks."""
    head = f'{{"kind": "{KIND}",\n "version": {VERSION},\n "comment": "{MARK}",\n "networks": [\n'
    return head + ",\n".join(map(_text_of, networks)) + "\n ]}\n"


def content_of(network: GaussianNetwork) -> dict[str, Any]:
    """The variables of a network with their numbers."""
    return {
        name: {"intercept": network.intercepts[name], "sd": network.deviations[name]}
        | ({"parents": dict(network.coefficients[name])} if network.coefficients[name] else {})
        for name in network.variables
    }


def network_of(content: Field, name: str = "", made_by: str = "") -> GaussianNetwork:
    """A network from its variables with their numbers."""
    own = {variable: content[variable] for variable in content.names}
    parents = {variable: _numbers(one.get("parents", {})) for variable, one in own.items()}
    with content.about():
        dag = DAG(own, [(parent, variable) for variable, given in parents.items() for parent in given])
        return GaussianNetwork(
            dag,
            {variable: one["intercept"].number() for variable, one in own.items()},
            parents,
            {variable: one["sd"].number() for variable, one in own.items()},
            name,
            made_by,
        )


def _text_of(network: GaussianNetwork) -> str:
    named = {"name": network.name} if network.name else {}
    made = {"made_by": network.made_by} if network.made_by else {}
    head = json.dumps(named | made, ensure_ascii=False)[1:-1]
    rows = (
        f"    {json.dumps(name, ensure_ascii=False)}: {json.dumps(own, ensure_ascii=False)}"
        for name, own in content_of(network).items()
    )
    return f'  {{{head}{", " if head else ""}"variables": {{\n' + ",\n".join(rows) + "}}"


def _read(text: str, path: str, networks_of: Callable[[Field], list[GaussianNetwork]]) -> list[GaussianNetwork]:
    check_json(text.encode(errors="surrogatepass"), path)
    try:
        content = json.loads(text, object_pairs_hook=_without_twice, parse_constant=_no_constant)
        return networks_of(Field(content))
    except json.JSONDecodeError as error:
        raise FileError(path, f"not valid JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise FileError(path, "not a Gaussian network: its brackets are nested too deeply") from None
    except FileError:
        raise
    except BnfuseError as error:
        raise FileError(path, str(error)) from None
    except ValueError:  # Python's own limit for turning digits into a number
        raise FileError(path, "not a Gaussian network: it holds a number of thousands of digits") from None


def _networks(content: Field) -> list[GaussianNetwork]:
    version = content["version"].value
    if version != VERSION or isinstance(version, bool):
        raise content["version"].error(f"this bnfuse reads version {VERSION}, not {version!r:.20}")
    if not (networks := content["networks"].each()):
        raise content["networks"].error("the list is empty")
    return [
        network_of(one["variables"], _encodable(one.get("name", "")), _encodable(one.get("made_by", "")))
        for one in networks
    ]


def _of_pgmpy(content: Field) -> GaussianNetwork:
    nodes = content["nodes"].texts()
    arcs = [tuple(one.text() for one in arc.each(2)) for arc in content["arcs"].each()]
    cpds = {variable: content["cpds"][variable] for variable in content["cpds"].names}
    intercepts, coefficients, deviations = dict[str, float](), dict[str, dict[str, float]](), dict[str, float]()
    for variable, cpd in cpds.items():
        numbers = cpd["coefficients"]
        intercepts[variable] = _only(numbers["(Intercept)"])
        coefficients[variable] = {name: _only(numbers[name]) for name in numbers.names if name != "(Intercept)"}
        variance = _only(cpd["variance"])
        if variance < 0:
            raise cpd["variance"].wrong("a variance of at least 0")
        deviations[variable] = math.sqrt(variance)
    return GaussianNetwork(DAG(nodes, arcs), intercepts, coefficients, deviations)  # type: ignore[arg-type]


def _only(content: Field) -> float:
    """A number; R's JSON has it in a list of one."""
    return content.each(1)[0].number() if isinstance(content.value, list) else content.number()


def _numbers(content: Field) -> dict[str, float]:
    return {name: content[name].number() for name in content.names}


def _encodable(name: Field) -> str:
    """JSON can contain half a character (a lone surrogate), which no file and no screen can show."""
    try:
        name.text().encode()
    except UnicodeEncodeError:
        raise name.error(f"{name.value!a} is not valid Unicode text") from None
    return name.text()


def _without_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise GraphError(f"an object has the key {key!a:.60} twice")
        fields[_encodable(Field(key))] = value
    return fields


def _no_constant(constant: str) -> NoReturn:
    raise GraphError(f"not valid JSON: {constant}")
