"""Networks for tests of file formats, and checks of what is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from bnfuse import DAG
from bnfuse.errors import FileError
from bnfuse.files import read
from bnfuse.graphs.network import Network
from strategies import acyclic_arcs

# Any text that a Network can hold, with what the formats give a meaning to more often than chance would
_HOSTILE = [
    *"\"\\/*,;|{}()[]<>&= \t\n\r\x00\x85\xa0\u2028\ufeff\ud800'é漢",
    "//",
    "/*",
    "*/",
    "\\u0041",
    "]]>",
    "&amp;",
]
hostile_names = st.one_of(
    st.sampled_from(["table", "default", "property", "variable", "probability", "network", "<5", "Asy/Patch", "6-12"]),
    st.lists(st.one_of(st.sampled_from(_HOSTILE), st.characters(codec=None)), max_size=6).map("".join),
)


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Networks with or without states and tables, with hostile names and labels."""
    variables = draw(st.lists(hostile_names.filter(bool), min_size=1, max_size=4, unique=True))
    dag = DAG(variables, draw(acyclic_arcs(variables)))
    name = draw(hostile_names)
    known = draw(st.sampled_from(["nothing", "states", "tables"]))
    if known == "nothing":
        return Network(dag, name=name)
    states = {v: tuple(draw(st.lists(hostile_names, min_size=1, max_size=3, unique=True))) for v in variables}
    if known == "states":
        return Network(dag, states, name=name)
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shapes = {v: [len(states[w]) for w in (*dag.parents(v), v)] for v in variables}
    cpts = {v: random.dirichlet([0.5] * shape[-1], shape[:-1]) for v, shape in shapes.items()}
    return Network(dag, states, cpts, name)


def assert_same(read_back: Network, network: Network) -> None:
    assert read_back == network
    assert read_back.variables == network.variables
    assert read_back.name == network.name


@st.composite
def mutations(draw: st.DrawFn, text: str) -> str:
    """The text with a few pieces of it deleted, repeated or replaced."""
    pieces = [*'{}()[];,|"\\<>/*&-.e\x00\n 0', "nan", "1e999", "<!--", "-->", "table", "default", "property", "&x;"]
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        middle = draw(st.sampled_from(["", text[start:end] * 2, *pieces]))
        text = text[:start] + middle + text[end:]
    return text


names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=5)


def put(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def failure(path: Path, *more: Path) -> str:
    with pytest.raises(FileError) as caught:
        read(path, *more)
    message = str(caught.value)
    assert "\n" not in message
    return message
