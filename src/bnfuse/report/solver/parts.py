"""The parts of a page that solves again: the kernel as WebAssembly, the script of its worker, and what they may do.

The kernel is compiled with bnfuse where the package ziglang is installed then; elsewhere pages do without.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

_KERNEL = "kernel.wasm"
WORKER = "solver-worker.js"
"""the module that the script of the worker begins with"""

MAY_COMPILE = "'wasm-unsafe-eval'"
"""what the policy of such a page adds to its scripts: they may compile WebAssembly, and nothing else"""
MAY_WORK = "worker-src blob:"
"""and the worker may be made of the page's own text"""


@cache
def kernel() -> bytes | None:
    """The kernel for pages; None where bnfuse was installed without it."""
    file = resources.files("bnfuse.report.solver").joinpath(_KERNEL)
    return file.read_bytes() if file.is_file() else None
