"""Reading an uploaded file once more for a download: a few processes at a time, and none for readers who wait."""

import dataclasses
import threading
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from emailcheck.common.errors import Gone, Unavailable
from validation.batches.models import Batch
from validation.listfiles import Limits, inspect_list, stream_product

EXPIRED = "This file has passed its retention time"
_CHILD = "validation.batches.intake.process"
_PATIENCE_S = 20
_MOST_PROCESSES = 4
_LIMITS = Limits(cpu_seconds=60, wall_seconds=180.0)  # a workbook is read three times
_processes = threading.BoundedSemaphore(_MOST_PROCESSES)


@dataclasses.dataclass(frozen=True, slots=True)
class UploadReading:
    """The uploaded file of a list, to be read as it was when the list started."""

    path: Path
    location: Mapping[str, Any]
    choices: Mapping[str, Any] | None

    @property
    def email_columns(self) -> tuple[int, ...]:
        """The e-mail columns, from 1."""
        return tuple(self.location.get("email_columns") or [self.location["email_column"]])

    def stream_rows(self, want: str, **ask: Any) -> Iterator[list[Any]]:
        """The rows of a product of `batches.intake.process`, some at a time.

        Raises `Unavailable` when too many files are being read; `ListFileError` as `stream_product` does.
        """
        slot = _Slot()
        try:
            ask |= {"location": self.location, "choices": self.choices}
            yield from stream_product(_CHILD, want, self.path, ask, _LIMITS, on_end=slot.release)
        finally:
            slot.release()


class _Slot:
    """One of the processes that may read at once.

    It is held until the process has ended, which takes seconds, at most three minutes, whoever reads what it found:
    that goes to a temporary file. So readers who are slow, or stay away, hold nothing that others wait for.
    """

    def __init__(self) -> None:
        if not _processes.acquire(timeout=_PATIENCE_S):
            raise Unavailable("Too many files are being put together. Try again in a minute.")
        self._given_back = threading.Lock()

    def release(self) -> None:
        """Give it back, once, by whichever thread comes first."""
        if self._given_back.acquire(blocking=False):
            _processes.release()


def open_upload(batch: Batch) -> UploadReading:
    """The file of a list that has one. Raises `Gone` (`EXPIRED`) when it was removed."""
    path: Path = settings.MEDIA_ROOT / batch.file
    if not path.is_file():
        raise Gone(EXPIRED, code="EXPIRED")
    location = batch.address_location or dataclasses.asdict(inspect_list(path).location)
    return UploadReading(path, location, batch.repair_choices)


def begin_download(content: Iterator[bytes]) -> Generator[bytes, None, None]:
    """The content, whose first part is read here, so that an early failure becomes an error response and not half a
    file. A generator, because the response closes it: a cut download then ends its process.

    Raises what `content` raises.
    """
    return _resume(next(content), content)


def _resume(first: bytes, rest: Iterator[bytes]) -> Generator[bytes, None, None]:
    yield first
    yield from rest
