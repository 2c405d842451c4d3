"""The lease: which process may work on a row and write it, by the database's clock.

    free ──claim──► held ──renew──► held ──complete──► free, with the outcome
                     ├────────────── release ────────► free, and the attempt does not count
                     └─ its end passes: fallen, and free for the next claim

A claim writes a random token, the lease's end and one more attempt, before the work begins. Only the holder of the
newest token may write: a worker that returns after its row was given to another finds its token gone and writes nothing
(fencing). The end of a lease is written and compared in SQL, so that a worker whose own clock is wrong neither takes
the rows of others nor holds its own for longer.

A model inherits `Leased` and has a `LeasedQuerySet`. It says itself what may be claimed and what an outcome writes.
"""

import secrets
from datetime import timedelta
from typing import Any, Self, TypeVar

from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now

_NO_LEASE: dict[str, Any] = {"lease": "", "lease_until": None}


class Leased(models.Model):
    """A row that one process at a time works on."""

    lease = models.CharField(max_length=32, blank=True, default="", db_default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        abstract = True


Row = TypeVar("Row", bound=Leased)


class LeasedQuerySet(models.QuerySet[Row]):
    """Rows with leases."""

    def free(self) -> Self:
        """Rows that nobody holds: never claimed, given back, or fallen."""
        return self.filter(Q(lease_until=None) | Q(lease_until__lte=Now()))

    def held(self) -> Self:
        """Rows whose lease goes on."""
        return self.filter(lease_until__gt=Now())

    def fallen(self, since: timedelta = timedelta(0)) -> Self:
        """Rows whose holder let the lease end, at least so long ago, without a word."""
        return self.filter(lease_until__lte=Now() - since)

    def held_by(self, row: Row) -> Self:
        """The row, while its lease is the newest one. Whoever changes it holds the lease."""
        return self.filter(pk=row.pk, lease=row.lease, lease_until__isnull=False)

    def claim(self, most: int = 1, *, lasts: timedelta, waits: bool = False, **changes: Any) -> list[Row]:
        """Take leases on up to `most` free rows, in order, with `changes`. Concurrent callers get different rows.

        Rows that another transaction has locked are left out, unless the caller `waits` for them. What is returned has
        the lease and the attempt, but not the `changes`.
        """
        with transaction.atomic(savepoint=False):
            # Nobody else claims them meanwhile: PostgreSQL locks the rows, and SQLite has one writer at a time.
            rows = list(self.free().select_for_update(skip_locked=not waits, of=("self",))[:most])
            if rows:
                lease = begin_lease(lasts=lasts) | {"attempts": F("attempts") + 1}
                type(self)(self.model).filter(pk__in=[row.pk for row in rows]).update(**lease, **changes)
                for row in rows:
                    row.lease, row.attempts = lease["lease"], row.attempts + 1
        return rows

    def claim_row(self, pk: int, *, lasts: timedelta, **changes: Any) -> Row | None:
        """Take a lease on a row, as `claim`, after waiting for whoever has locked it. None unless it is free."""
        return next(iter(self.filter(pk=pk).claim(lasts=lasts, waits=True, **changes)), None)

    def renew(self, row: Row, *, lasts: timedelta, **changes: Any) -> bool:
        """Make a lease last from now on, with `changes`. False, with nothing written, when it was lost."""
        return bool(self.held_by(row).update(lease_until=_end_of(lasts), **changes))

    def complete(self, row: Row, **outcome: Any) -> bool:
        """End a lease and write the outcome of the work, once. False, with nothing written, when it was lost."""
        return bool(self.held_by(row).update(**_NO_LEASE, **outcome))

    def release(self, row: Row, **changes: Any) -> bool:
        """End a lease without an outcome: the attempt does not count. False when it was lost."""
        return self.complete(row, attempts=F("attempts") - 1, **changes)

    def revoke(self, **changes: Any) -> int:
        """Take the leases of rows away, whoever holds them, with `changes`. Returns the number of rows."""
        return self.update(**_NO_LEASE, **changes)


def begin_lease(*, lasts: timedelta) -> dict[str, Any]:
    """The fields of a row that is created with a lease on it."""
    return {"lease": secrets.token_hex(16), "lease_until": _end_of(lasts), "attempts": 1}


def _end_of(lasts: timedelta) -> CombinedExpression:
    return Now() + lasts
