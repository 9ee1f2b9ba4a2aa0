"""The start of a command: until it can handle Ctrl-C itself, Ctrl-C ends it silently.

Python raises Ctrl-C as an exception. While modules are still being imported, nothing catches it, and the user would see
a traceback. So while a command starts, Ctrl-C ends it as it ends any other program.
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
    """Ctrl-C ends the process at once, unless it is ignored or another program handles it."""
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
