"""The repairs of a list, kept beside its results.

The first ones are stored with the list. Where there are many, the queue stores the others a few at a time, because
hundreds of thousands of them would keep all other writers of SQLite waiting for many seconds.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from django.conf import settings
from django.db import transaction

from emailcheck.common import secrecy
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


class FindingsFile:
    """What was done to the lines of a typed list, beside the uploads: a long list would fill the memory of the web.

    It is discarded at the end of its context, unless the queue still needs it. What a crash leaves behind goes with
    other files that nobody owns.
    """

    def __init__(self) -> None:
        self.name = f"uploads/{secrecy.generate_id('upl')}.txt.{secrecy.generate_id('srt')}"
        self.is_needed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self.is_needed:
            sorted_files.remove_file(self.name)

    @contextmanager
    def begin(self) -> Iterator[NoteFinding]:
        """Write it from the beginning."""
        path: Path = settings.MEDIA_ROOT / self.name
        sorted_files.make_folder(path.parent)
        with path.open("w", encoding="utf-8") as file:
            yield lambda finding: file.write(finding.encode())


def store_repairs(batch: Batch, sorted_file: str) -> bool:
    """Store the first repairs of a list that was queued, in the caller's transaction.

    Returns whether there are more: the queue stores these, and discards the file then.
    """
    end = _store_some(batch, sorted_file, 0)
    if end is not None:
        tasks.enqueue(STORE, batch.pk, sorted_file, end)
    return end is not None


def store_more_repairs(batch_id: int, sorted_file: str, start: int) -> None:
    """Store the repairs of a list from a byte of the file on, and discard the file. May be repeated."""
    deadline = time.monotonic() + TURN_S
    following: int | None = start
    try:
        while following is not None:
            if time.monotonic() >= deadline:
                tasks.enqueue(STORE, batch_id, sorted_file, following)
                return
            following = _store_for_kept(batch_id, sorted_file, following)
    except FileNotFoundError:  # all is stored, or the list was removed
        return
    sorted_files.remove_file(sorted_file)


@transaction.atomic
def _store_for_kept(batch_id: int, sorted_file: str, start: int) -> int | None:
    """Store some repairs, unless the list was removed: the lock lets its removal wait for them, or them for it."""
    there = Batch.objects.select_for_update(no_key=True).filter(pk=batch_id, deleted_at=None, expired_at=None)
    batch = there.first()
    return _store_some(batch, sorted_file, start) if batch else None


def _store_some(batch: Batch, sorted_file: str, start: int) -> int | None:
    """Store some repairs from a byte of the file on. Returns the byte after the last; None at the end of them."""
    rows: list[RepairedAddress] = []
    end: int | None = None
    for number, at in enumerate(sorted_files.iterate_findings(sorted_file, start=start), start=1):
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
