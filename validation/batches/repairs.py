"""The repairs of a list, kept beside its results.

The first ones are stored with the list. Where there are many, the queue stores the others a few at a time, because
hundreds of thousands of them would keep all other writers of SQLite waiting for many seconds.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Self

from django.db import transaction

from emailcheck.common import secrecy
from emailcheck.common.files import NewFile, StoreUnavailable, delete_files, file_store
from emailcheck.common.queue import tasks
from validation.batches.intake import sorted_files
from validation.batches.intake.addresses import NoteFinding
from validation.batches.intake.findings import Finding
from validation.batches.models import Batch
from validation.results.models import RepairedAddress
from validation.results.storage import searchable_address

STORE = "validation.tasks.store_repairs"
TURN_S = 5.0
_ROWS_AT_ONCE, _FINDINGS_AT_ONCE = 2_000, 10_000
_SHORT_BYTES = 3 * _ROWS_AT_ONCE  # so few hold fewer findings and places of addresses than are stored at once
_AGAIN_AFTER_S = 1.0


class FindingsFile:
    """What was done to the lines of a typed list: a long list would fill the memory of the web.

    It is stored where the queue may need it, and deleted at the end of its context if it does not. What a crash leaves
    behind goes with other files that nobody owns.
    """

    def __init__(self) -> None:
        self.name = f"uploads/{secrecy.generate_id('upl')}.txt.{secrecy.generate_id('srt')}"
        self.is_needed = False
        self._made: NewFile | None = None
        self._is_stored = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._made:
            self._made.close()
        if self._is_stored and not self.is_needed:
            delete_files(self.name)

    @contextmanager
    def begin(self) -> Iterator[NoteFinding]:
        """Write it from the beginning."""
        self._made = self._made or file_store().begin_file(self.name)
        with self._made.path.open("w", encoding="utf-8") as file:
            yield lambda finding: file.write(finding.encode())

    @property
    def path(self) -> Path | None:
        """Where it can be read; None when nothing was written."""
        return self._made.path if self._made else None

    def store_long(self) -> None:
        """Store it if the queue may have to go on with it."""
        if self._made and self._made.path.stat().st_size > _SHORT_BYTES:
            self._made.keep()
            self._is_stored = True


def store_repairs(batch: Batch, sorted_file: str, path: Path) -> bool:
    """Store the first repairs of a list that was queued, in the caller's transaction. `path`: a copy of the file.

    Returns whether there are more: the queue stores these, and deletes the file then.
    """
    with path.open("rb") as lines:
        end = _store_some(batch, lines, 0)
    if end is not None:
        tasks.enqueue(STORE, batch.pk, sorted_file, end)
    return end is not None


def store_more_repairs(batch_id: int, sorted_file: str, start: int) -> None:
    """Store the repairs of a list from a byte of the file on, and delete the file. May be repeated.

    While the store of files is away it is tried again.
    """
    deadline = time.monotonic() + TURN_S
    following: int | None = start
    try:
        with file_store().open(sorted_file) as lines:
            while following is not None:
                if time.monotonic() >= deadline:
                    tasks.enqueue(STORE, batch_id, sorted_file, following)
                    return
                following = _store_for_kept(batch_id, lines, following)
    except FileNotFoundError:  # all is stored, or the list was removed
        return
    except StoreUnavailable:
        time.sleep(_AGAIN_AFTER_S)
        tasks.enqueue(STORE, batch_id, sorted_file, following or start)
        return
    delete_files(sorted_file)


@transaction.atomic
def _store_for_kept(batch_id: int, lines: IO[bytes], start: int) -> int | None:
    """Store some repairs, unless the list was removed: the lock lets its removal wait for them, or them for it."""
    there = Batch.objects.select_for_update(no_key=True).filter(pk=batch_id, deleted_at=None, expired_at=None)
    batch = there.first()
    return _store_some(batch, lines, start) if batch else None


def _store_some(batch: Batch, lines: IO[bytes], start: int) -> int | None:
    """Store some repairs from a byte of the file on. Returns the byte after the last; None at the end of them."""
    rows: list[RepairedAddress] = []
    end: int | None = None
    for number, at in enumerate(sorted_files.iterate_findings(lines, start=start), start=1):
        rows += _build_rows(batch, at.finding)
        if len(rows) >= _ROWS_AT_ONCE or number >= _FINDINGS_AT_ONCE:
            end = at.end
            break
    RepairedAddress.objects.bulk_create(rows, ignore_conflicts=True)
    return end


def _build_rows(batch: Batch, finding: Finding) -> Iterator[RepairedAddress]:
    for position in finding.positions if finding.applied else ():
        if position is not None:
            yield RepairedAddress(
                batch=batch,
                position=position,
                source=finding.source,
                source_key=searchable_address(finding.source),
                kinds=" ".join(finding.kinds),
            )
