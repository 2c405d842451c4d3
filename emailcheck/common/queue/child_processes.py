"""Processes that do not outlive the one that started them."""

import ctypes
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent(number: int) -> None:
    """In the child: be sent a signal when the parent dies, even of SIGKILL (prctl(2), Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number)
