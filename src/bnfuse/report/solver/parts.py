"""The parts of a page that solves again: the kernel as WebAssembly, the script of its worker, and what they may do.

The kernel is compiled with bnfuse where the package ziglang is installed then; elsewhere pages do without.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

WORKER = "solver-worker.js"
"""the module that the script of the worker begins with"""

MAY_COMPILE = "'wasm-unsafe-eval'"
"""what the policy of such a page adds to its scripts: they may compile WebAssembly, and nothing else"""
MAY_WORK = "worker-src blob:"
"""and the worker may be made of the page's own text"""


_MOST = (64, 2048)  # variables, that each kernel takes


@cache
def kernel(variables: int = _MOST[-1]) -> bytes | None:
    """The kernel for pages, for so many variables; None where bnfuse was installed without it."""
    most = next(most for most in _MOST if variables <= most)
    file = resources.files("bnfuse.report.solver").joinpath(f"kernel-{most}.wasm")
    return file.read_bytes() if file.is_file() else None
