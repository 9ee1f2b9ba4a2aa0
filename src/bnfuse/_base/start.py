"""The first moments of a command: until it can say so itself, Ctrl-C ends it without a word.

Python raises Ctrl-C as an exception, wherever it is; while modules are still being imported nobody catches that, and
the user sees a traceback. So where this package is imported to be run, Ctrl-C first does what it does to any program.
"""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path


def is_command() -> bool:
    """Whether Python was started to run the command line: as `bnfuse`, or as `python -m bnfuse`."""
    started = sys.argv[0] if getattr(sys, "argv", None) else ""
    return started == "-m" or Path(started).stem == "bnfuse"


def end_at_ctrl_c() -> None:
    """Ctrl-C ends the process at once, unless it is ignored, or somebody else's business."""
    if threading.current_thread() is threading.main_thread() and _handler() is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def raise_at_ctrl_c() -> None:
    """Ctrl-C raises KeyboardInterrupt, as usual, unless it is ignored."""
    if threading.current_thread() is threading.main_thread() and _handler() is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _handler() -> object:
    return signal.getsignal(signal.SIGINT)


if is_command():
    end_at_ctrl_c()
