"""Files that go for good: noted with what makes them needless, deleted after that, and tried again until they are
gone. So neither a crash nor a store that is away lets a file outlive its list.
"""

import logging
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from emailcheck.common.files.models import PendingDeletion
from emailcheck.common.files.places import file_store
from emailcheck.common.queue.stuck_tasks import LISTED, StuckWork

log = logging.getLogger(__name__)
STUCK_AFTER: Final = timedelta(minutes=10)
_AT_ONCE = 500


def delete_files(*names: str) -> None:
    """Delete files and what was made of them, once the caller's transaction is committed."""
    noted = PendingDeletion.objects.bulk_create(PendingDeletion(name=name) for name in names if name)
    if noted:
        transaction.on_commit(partial(_delete_noted, noted))


def retry_deletions() -> None:
    """Try again what is still there. Called every minute; may run twice at once."""
    _delete_noted(PendingDeletion.objects.order_by("tries", "pk")[:_AT_ONCE])


def retry_deletion(work_id: str) -> bool:
    """Try one now. False for one that is not there."""
    mine = _find(work_id)
    found = [*mine]
    _delete_noted(found)
    return bool(found)


def give_up_deletion(work_id: str) -> bool:
    """Leave a file to those who look after the store. False for one that is not there."""
    return bool(_find(work_id).delete()[0])


def _find(work_id: str) -> QuerySet[PendingDeletion]:
    return PendingDeletion.objects.filter(pk=int(work_id) if work_id.isdecimal() else 0)


def list_stuck_deletions() -> list[StuckWork]:
    """Those that failed for so long that staff should know, the oldest first."""
    stuck = PendingDeletion.objects.filter(tries__gt=0, since__lt=Now() - STUCK_AFTER).order_by("pk")[:LISTED]
    return [
        StuckWork("file", str(one.pk), one.since, one.tries, f"{one.name}: {one.error}", "to be deleted")
        for one in stuck
    ]


def _delete_noted(deletions: Iterable[PendingDeletion]) -> None:
    store = file_store()
    for noted in deletions:
        try:
            store.delete_with_parts(noted.name)
        except Exception as error:
            log.warning("a file could not be deleted and is tried again: %s", type(error).__name__)
            mine = PendingDeletion.objects.filter(pk=noted.pk)
            mine.update(tries=F("tries") + 1, error=type(error).__name__)
        else:
            PendingDeletion.objects.filter(pk=noted.pk).delete()
