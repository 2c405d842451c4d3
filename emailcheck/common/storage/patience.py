"""Work that waits until the database is back."""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import Error, connection

from emailcheck.common.storage import faults

T = TypeVar("T")
log = logging.getLogger(__name__)
TRY_EVERY_S = 0.25


def wait_for_storage(action: Callable[[], T], *, seconds: float) -> T:
    """Call `action`; while disk or database refuse, again, for at most so many seconds. It may run twice.

    Raises the error of the last try, and other errors at once.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            return action()
        except (Error, OSError) as error:
            refusal = faults.find_refusal(error)
            if refusal is None or connection.in_atomic_block or time.monotonic() >= until:
                raise
            log.warning("%s: what was to be written waits", refusal.code)
            connection.close()
            time.sleep(TRY_EVERY_S)
