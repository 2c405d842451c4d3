"""Scheduled work on many rows."""

import logging
from collections.abc import Callable, Iterable

log = logging.getLogger(__name__)


def sweep_each(ids: Iterable[int], failed: str, action: Callable[[int], object]) -> int:
    """Call `action` for each row; a failure does not stop the others.

    `failed` is the log message of a failure, with %s for the id. Returns how many calls returned something true.
    """
    done = 0
    for pk in ids:
        try:
            done += bool(action(pk))
        except Exception:
            log.exception(failed, pk)
    return done
