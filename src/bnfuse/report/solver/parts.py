"""The parts of a page that solves again: the kernel as WebAssembly, the script of its worker, and their permissions.

The kernel is compiled together with bnfuse if the package ziglang is installed at that time; otherwise pages lack it.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

WORKER = "solver-worker.js"
"""the first module of the worker's script"""

MAY_COMPILE = "'wasm-unsafe-eval'"
"""an addition to the policy of such a page: its scripts may compile WebAssembly"""
MAY_WORK = "worker-src blob:"
"""and a worker may be made from the page's own text"""


_MOST = (64, 2048)  # variables, that each kernel takes


@cache
def kernel(variables: int = _MOST[-1]) -> bytes | None:
    """The kernel for pages, for this number of variables; None if bnfuse was installed without it."""
    most = next(most for most in _MOST if variables <= most)
    file = resources.files("bnfuse.report.solver").joinpath(f"kernel-{most}.wasm")
    return file.read_bytes() if file.is_file() else None
