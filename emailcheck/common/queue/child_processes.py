"""Processes that do not outlive the one that started them."""

import ctypes
import os
import sys

_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15


def die_with_parent(number: int, parent: int) -> None:
    """In the child: be sent a signal when the parent dies, even of SIGKILL (prctl(2), Linux).

    Ends the process when the parent, of that id, is dead already.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)


def show_name(name: str) -> None:
    """Show a name of at most 15 octets for this process in `ps` and `top` (prctl(2), Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode()[:15])
