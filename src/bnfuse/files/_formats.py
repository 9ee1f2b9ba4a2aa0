"""The formats of this package. Each has a module, which is imported when it is needed."""

from __future__ import annotations

from typing import Any

from bnfuse.files._registry import Format, lazily, register
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network
from bnfuse.graphs.pdag import PDAG

_ROOT = "<(?:[?!].*?<)?"  # the first element of an XML file, after its declarations

_ONLY_ARCS = 1 << 25  # bytes of a text without tables: a million arcs


def _by(module: str, **functions: str) -> dict[str, Any]:
    """The functions that a format's module has, by purpose."""
    return {does: lazily(f"bnfuse.files.{module}", function) for does, function in functions.items()}


def _both(module: str) -> dict[str, Any]:
    return _by(module, read="read_text", write="write_text")


register(
    Format(
        "BIF", (".bif",), r"(?:network|variable|probability)\b", **_both("bif"), marks_placeholders=True, marks_own=True
    )
)
register(
    Format(
        "XMLBIF",
        (".xmlbif", ".bifxml", ".xml"),
        _ROOT + r"BIF[\s>]",
        **_both("xmlbif"),
        marks_placeholders=True,
        marks_own=True,
    )
)
register(
    Format(
        "ensemble",
        (".json",),
        r'\{(?!\s*"kind"\s*:\s*"bnfuse ).*?"(?:variables|networks)"\s*:',
        **_by("ensemble", read="read_text", write="write_text", write_many="write_networks"),
        has_tables=False,
        marks_own=True,
    )
)
register(
    Format(
        "Gaussian JSON",
        (),
        r'\{\s*"kind"\s*:\s*"bnfuse Gaussian',
        **_by("gaussian", read="read_text", write="write_text", write_many="write_networks"),
        holds=(GaussianNetwork,),
        also_in=(".json",),
        marks_own=True,
    )
)
register(
    Format(
        "pgmpy JSON",
        (),
        r'\{\s*"nodes"\s*:\s*\[[^]]*\]\s*,\s*"arcs"\s*:',
        **_by("gaussian", read="read_pgmpy"),
        holds=(GaussianNetwork,),
        also_in=(".json",),
    )
)
register(
    Format(
        "CSV",
        (".csv",),
        r'(?:(?:"")?[,;\t])?(?:"?from"?\s*[,;\t ]\s*"?to"?|"?source"?\s*[,;\t ]\s*"?target"?'
        r'|"?parent"?\s*[,;\t ]\s*"?child"?)\s*'
        r'(?:(?<=[\r\n])|$|[,;\t]?\s*"?(?:type|strength|direction|probability|count|votes|of|networks)"?(?:[,;\t\s]|$))',
        **_by("edge_list", read="read_text", read_votes="read_votes", write="write_text"),
        holds=(Network, PDAG, ArcVotes),
        has_tables=False,
        noun="a CSV edge list",
    )
)
# older versions of Hugin and GeNIe write the encoding of Windows
register(
    Format(
        "NET",
        (".net",),
        r"(?:net|class\s+\w+)\s*\{",
        **_by("net_dsl", read="read_net", write="write_net"),
        marks_own=True,
        fallback="cp1252",
    )
)
register(
    Format(
        "DSL",
        (".dsl",),
        r"net\s+\w+\s*\{",
        **_by("net_dsl", read="read_dsl", write="write_dsl"),
        marks_own=True,
        fallback="cp1252",
    )
)
register(
    Format(
        "XDSL",
        (".xdsl",),
        _ROOT + r"smile[\s>]",
        **_both("xdsl"),
        also_in=(".xml",),
        marks_placeholders=True,
        marks_own=True,
    )
)
register(Format("UAI", (".uai",), r"(?:BAYES|MARKOV)\s", **_both("uai"), largest=4 * _ONLY_ARCS))
register(
    Format(
        "DAGitty",
        (".dagitty",),
        r'(?:strict\s+)?(?:p?dag|mag|pag)\s*(?:"[^"]*"|[\w.]+)?\s*\{',
        **_both("dagitty"),
        holds=(Network, PDAG),
        has_tables=False,
        largest=_ONLY_ARCS,
    )
)
register(
    Format(
        "model string",
        (".modelstring",),
        r"\[(?![\s\"{\[])[^\[\]|]+(?:\|[^\[\]]*)?\]",
        **_both("model_string"),
        has_tables=False,
        largest=_ONLY_ARCS,
        noun="a model string",
    )
)
register(
    Format(
        "DOT",
        (".dot",),
        r"(?:strict\s+)?(?:di)?graph\b",
        **_by("dot", write="write_text"),
        holds=(Network, PDAG),
        has_tables=False,
        marks_own=True,
    )
)
register(
    Format(
        "GraphML",
        (".graphml",),
        _ROOT + r"graphml[\s>]",
        **_by("graphml", write="write_text"),
        also_in=(".xml",),
        has_tables=False,
        marks_own=True,
    )
)
# after DOT, whose files begin with the word graph too
register(
    Format(
        "Tetrad",
        (".tetrad",),
        r"Graph Nodes:",
        **_both("tetrad"),
        holds=(Network, PDAG),
        has_tables=False,
        largest=_ONLY_ARCS,
    )
)
register(
    Format(
        "NumPy",
        (".npy",),
        "\ufffdNUMPY",  # its first byte is not text
        **_by("matrix", read="read_npy", read_votes="read_npy_votes"),
        is_binary=True,
        has_tables=False,
        largest=2 * _ONLY_ARCS,
    )
)
