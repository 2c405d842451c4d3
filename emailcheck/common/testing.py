"""Running queued work inside a test, one wake-up after another or many at once, and making a piece of work fail."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.models import F
from django.db.models.signals import pre_save
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import OrmQ

from emailcheck.common.errors import ProductError
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.queue.leases import Leased


def drain_queue(*, at_most: int = 1_000) -> list[str]:
    """Do all that is queued, and what that queues in turn. Answers what ran, in order.

    Raises `RuntimeError` when the work does not end within `at_most` calls.
    """
    ran: list[str] = []
    while row := OrmQ.objects.order_by("id").first():
        if len(ran) == at_most:
            raise RuntimeError(f"the queue does not come to an end: {ran[-3:]}")
        task = row.task
        row.delete()
        import_string(task["func"])(*task["args"])
        ran.append(task["func"])
    return ran


def list_files(directory: Path) -> list[Path]:
    """The files below a directory, those in the making included."""
    return sorted(path for path in directory.rglob("*") if path.is_file())


def date_queue() -> None:
    """Let all that is queued wait since now, by the test's clock: the database's is not frozen with it."""
    OrmQ.objects.update(lock=timezone.now())


def run_sixteen(call: Callable[[int], Any]) -> list[Any]:
    """Call it in sixteen threads at once, each with its own connection. Returns results or codes of refusals."""

    def once(number: int) -> Any:
        try:
            return call(number)
        except ProductError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(once, range(16)))


def age_leases(model: type[Leased], by: timedelta) -> None:
    """Let so much time pass for the leases of a table. The database's clock is not frozen with that of a test."""
    model._default_manager.exclude(lease_until=None).update(lease_until=F("lease_until") - by)


@contextmanager
def failing_mail(key: str) -> Iterator[None]:
    """Whoever writes the mail with this key down fails."""

    def refuse(instance: OutgoingMail, **_: Any) -> None:
        if instance.key == key:
            raise RuntimeError("no room for this mail")

    pre_save.connect(refuse, sender=OutgoingMail, weak=False)
    try:
        yield
    finally:
        pre_save.disconnect(refuse, sender=OutgoingMail)
