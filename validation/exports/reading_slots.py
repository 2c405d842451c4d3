"""Reading an uploaded file once more for a download: a few processes at a time, and none for readers who wait."""

import dataclasses
import logging
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from emailcheck.common.errors import Gone, Unavailable
from emailcheck.common.files import file_store
from validation.batches.models import Batch
from validation.listfiles import Limits
from validation.listfiles.child_process import inspect_list, stream_product

log = logging.getLogger(__name__)
EXPIRED = "This file has passed its retention time"
MISSING = "The uploaded file cannot be found now. Its verdicts are here: download them as CSV or XLSX."
_CHILD = "validation.batches.intake.rows_process"
_PATIENCE_S = 20
_MOST_PROCESSES = 4
_LIMITS = Limits(cpu_seconds=60, wall_seconds=180.0)  # a workbook is read three times
_processes = threading.BoundedSemaphore(_MOST_PROCESSES)


@dataclasses.dataclass(frozen=True, slots=True)
class UploadReading:
    """The uploaded file of a list, to be read as it was when the list started."""

    file: str
    location: Mapping[str, Any]
    choices: Mapping[str, Any] | None

    @property
    def email_columns(self) -> tuple[int, ...]:
        """The e-mail columns, from 1."""
        return tuple(self.location.get("email_columns") or [self.location["email_column"]])

    def stream_rows(self, want: str, **ask: Any) -> Iterator[list[Any]]:
        """The rows of a product of `batches.intake.rows_process`, some at a time.

        Raises `Unavailable` when too many files are being read; `ListFileError` as `stream_product` does.
        """
        slot = _Slot()
        try:
            ask |= {"location": self.location, "choices": self.choices}
            with _read_locally(self.file) as path:
                yield from stream_product(_CHILD, want, path, ask, _LIMITS, on_end=slot.release)
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
    """The file of a list that had one. Raises `Gone` (`EXPIRED`) when it was removed, `Unavailable` when it ought to be
    in the store and is not."""
    with _read_locally(batch.file) as path:
        location = batch.address_location or dataclasses.asdict(inspect_list(path).location)
    return UploadReading(batch.file, location, batch.repair_choices)


@contextmanager
def _read_locally(file: str) -> Iterator[Path]:
    with ExitStack() as stack:
        yield _copy_file(file, stack)


def _copy_file(file: str, stack: ExitStack) -> Path:
    if not file:
        raise Gone(EXPIRED, code="EXPIRED")
    try:
        return stack.enter_context(file_store().local_copy(file))
    except FileNotFoundError as error:
        if not Batch.objects.filter(file=file).exists():
            raise Gone(EXPIRED, code="EXPIRED") from error
        log.exception("a list's file is missing in the store")
        raise Unavailable(MISSING) from error


def begin_download(content: Iterator[bytes]) -> Generator[bytes, None, None]:
    """The content, whose first part is read here, so that an early failure becomes an error response and not half a
    file. A generator, because the response closes it: a cut download then ends its process.

    Raises what `content` raises.
    """
    return _resume(next(content), content)


def _resume(first: bytes, rest: Iterator[bytes]) -> Generator[bytes, None, None]:
    yield first
    yield from rest
