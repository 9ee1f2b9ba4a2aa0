"""A program for `texts.py` to run: pyAgrum reads one file in a separate process.

On broken files pyAgrum's readers print to the screen, read beyond the end of lists, or fill the memory for minutes
before they fail. In a separate process, none of that reaches the caller. This module imports nothing from bnfuse, so
that it starts fast.
"""

from __future__ import annotations

import contextlib
import importlib
import pickle
import sys
from pathlib import Path
from typing import Any

if sys.platform != "win32":
    import resource


def described(model: Any) -> dict[str, Any]:
    """The content of a pyAgrum BayesNet, copied: its tables must not outlive it."""
    numbers = sorted(model.nodes())
    name = {i: str(model.variable(i).name()) for i in numbers}
    return {
        "states": {name[i]: [str(label) for label in model.variable(i).labels()] for i in numbers},
        "arcs": [(name[source], name[target]) for source, target in model.arcs()],
        "tables": {name[i]: (list(reversed(model.cpt(i).names)), model.cpt(i).toarray().copy()) for i in numbers},
    }


def main(kind: str, file: str, answer: str, memory: str) -> None:
    """Read a file and write its content, or pyAgrum's error, as the answer."""
    if sys.platform != "win32":
        with contextlib.suppress(ValueError):  # not above an existing limit
            resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    model = importlib.import_module("pyagrum").BayesNet()  # large and optional
    try:
        said = getattr(model, f"load{kind.upper()}")(file)
        found = {**described(model), "said": str(said), "error": None}
    except MemoryError:
        raise
    except Exception as error:  # pyAgrum's own, and anything that C++ throws
        found = {"error": str(error)}
    Path(answer).write_bytes(pickle.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
