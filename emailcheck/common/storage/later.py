"""What must still be noted about a call that is over, when the database does not take it at once."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from django.db import Error, close_old_connections, connections

log = logging.getLogger(__name__)
TRY_EVERY_S = 1.0
_MOST = 10_000
_GIVE_UP_AFTER_S = 3_600.0


class _Waiting:
    """What this process has still to do, and since when."""

    def __init__(self) -> None:
        self._actions: deque[tuple[float, Callable[[], object]]] = deque(maxlen=_MOST)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def add(self, action: Callable[[], object]) -> None:
        with self._lock:
            self._actions.append((time.monotonic(), action))
            if self._thread is None:
                self._thread = threading.Thread(target=self._retry_until_empty, name="noted later", daemon=True)
                self._thread.start()

    def _retry_until_empty(self) -> None:
        """Once a second, until nothing is left."""
        pause = threading.Event()
        while self._is_left():
            pause.wait(TRY_EVERY_S)
            close_old_connections()
            for _ in range(len(self._actions)):
                self._try_first()
        connections.close_all()

    def _is_left(self) -> bool:
        with self._lock:
            if not self._actions:
                self._thread = None
            return self._thread is not None

    def _try_first(self) -> None:
        since, action = self._actions.popleft()
        try:
            action()
        except Error:
            if time.monotonic() < since + _GIVE_UP_AFTER_S:
                self._actions.append((since, action))
        except Exception:
            log.exception("what follows an answer could not be noted")


_waiting = _Waiting()


def run_now_or_later(action: Callable[[], object]) -> None:
    """Do it; when the database does not take it, once a second until it does, an hour long, while the process lives.

    It may be done twice.
    """
    try:
        action()
    except Error:
        log.warning("the database did not take what follows an answer; it is tried again")
        _waiting.add(action)
