"""Scheduled work on quotes: reminders before they expire, and the deletion of unpaid ones."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from emailcheck.common.queue import sweeps
from quotes.quotes import emails
from quotes.quotes import services as quotes
from quotes.quotes.models import Quote, QuoteStatus


@dataclass(frozen=True, slots=True)
class CleanupResult:
    """How many reminders went out, and how many quotes went."""

    reminders_7_days: int
    reminders_2_days: int
    deleted_quotes: int


def sweep_quotes(*, unattended: bool = False) -> CleanupResult:
    """Remind, once for each quote and each of the two days; delete what expired unpaid.

    Unattended, a quote stays for a while after its end (QUO-058). Running twice, or at once with itself, does nothing
    twice.
    """
    now = timezone.now()
    weeks = _send_reminders(now, days=7, within=(timedelta(days=2), timedelta(days=7)))
    last = _send_reminders(now, days=2, within=(timedelta(0), timedelta(days=2)))
    before = now - (settings.QUOTE_KEPT if unattended else timedelta(0))
    gone = sweeps.sweep_each(
        _expired_unpaid(before).values_list("pk", flat=True),
        "quote %s could not be deleted",
        lambda pk: _delete_quote(pk, before),
    )
    return CleanupResult(weeks, last, gone)


def _send_reminders(now: datetime, *, days: int, within: tuple[timedelta, timedelta]) -> int:
    column = f"reminded_{days}_at"
    after, until = within
    due = Quote.objects.filter(
        status=QuoteStatus.ACTIVE, expires_at__gt=now + after, expires_at__lte=now + until, **{column: None}
    )

    @transaction.atomic
    def remind(pk: int) -> bool:
        mine = Quote.objects.filter(pk=pk, status=QuoteStatus.ACTIVE, **{column: None})
        if not mine.update(**{column: now}):
            return False
        emails.send_reminder(Quote.objects.get(pk=pk), days=days)
        return True

    return sweeps.sweep_each(due.values_list("pk", flat=True), "quote %s could not be reminded of", remind)


def _expired_unpaid(before: datetime) -> QuerySet[Quote]:
    return Quote.objects.unpaid().filter(expires_at__lte=before)


@transaction.atomic
def _delete_quote(pk: int, before: datetime) -> bool:
    quote = _expired_unpaid(before).select_for_update().filter(pk=pk).first()
    if quote is None or quotes.is_being_paid(quote):
        return False
    quote.delete()
    return True
