"""Work on many rows at a time of the scheduler's."""

import logging
from collections.abc import Callable, Iterable

log = logging.getLogger(__name__)


def sweep_each(ids: Iterable[int], failed: str, action: Callable[[int], object]) -> int:
    """Do it for one row after another, each in a transaction of its own; one that fails holds up no other.

    `failed` is what the log says then, with %s for the id. Answers for how many `do` answered something true.
    """
    done = 0
    for pk in ids:
        try:
            done += bool(action(pk))
        except Exception:
            log.exception(failed, pk)
    return done
