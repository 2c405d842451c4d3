"""A queue between processes that outlives its readers.

Whoever waits at a `multiprocessing.Queue` holds its lock, and takes that along when it is killed: then nobody ever
reads again. Here the kernel hands each item to one of the readers (unix(7), SOCK_SEQPACKET): there is no lock to hold.
"""

import multiprocessing
import pickle
import socket
from typing import Any

_LARGEST = 1024 * 1024


class Pipe:
    """What of `multiprocessing.Queue` the queue's processes use.

    Full with `maxsize` items. A reader that is killed within microseconds of taking one leaves no room for another in
    its place.
    """

    def __init__(self, maxsize: int = 32_767) -> None:
        self._in, self._out = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._maxsize = maxsize
        self._room = multiprocessing.Semaphore(maxsize)

    def put(self, item: Any) -> None:
        """Wait for room, then hand an item in."""
        self._room.acquire()
        self._in.send(pickle.dumps(item))

    def get(self) -> Any:
        """Wait for an item."""
        item = pickle.loads(self._out.recv(_LARGEST))
        self._room.release()
        return item

    def qsize(self) -> int:
        return self._maxsize - self._room.get_value()

    def empty(self) -> bool:
        return self.qsize() == 0

    def close(self) -> None:
        """Nothing to do: what was put is in the kernel's hands."""

    def join_thread(self) -> None:
        """Nothing to wait for."""
