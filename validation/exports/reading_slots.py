"""Downloads that read the uploaded file again: a few at a time, since each needs a process for its length."""

import threading
from collections.abc import Generator, Iterator

from emailcheck.common.errors import Unavailable

_PATIENCE_S = 20
_downloads = threading.BoundedSemaphore(4)


def begin_download(content: Iterator[bytes]) -> Generator[bytes, None, None]:
    """The content, whose first part is read here, so that an early failure becomes an error response and not half a
    file. A generator, because the response closes it: a cut download then ends its process and frees its slot.

    Raises `Unavailable` when too many downloads run, and what `content` raises.
    """
    limited = _limit_downloads(content)
    return _resume(next(limited), limited)


def _resume(first: bytes, rest: Iterator[bytes]) -> Generator[bytes, None, None]:
    yield first
    yield from rest


def _limit_downloads(content: Iterator[bytes]) -> Iterator[bytes]:
    if not _downloads.acquire(timeout=_PATIENCE_S):
        raise Unavailable("Too many files are being put together. Try again in a minute.")
    try:
        yield from content
    finally:
        _downloads.release()
