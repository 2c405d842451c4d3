"""What time does to quotes: reminders before they expire, and the end of those nobody paid."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from emailcheck.common import sweeps
from quotes import emails, services
from quotes.models import Quote, QuoteStatus


@dataclass(frozen=True, slots=True)
class Cleaned:
    """How many reminders went out, and how many quotes went."""

    reminders_7_days: int
    reminders_2_days: int
    deleted_quotes: int


def clean_up(*, unattended: bool = False) -> Cleaned:
    """Remind, once for each quote and each of the two days; delete what expired unpaid.

    Unattended, a quote stays for a while after its end (QUO-058). Running twice, or at once with itself, does nothing
    twice.
    """
    now = timezone.now()
    weeks = _remind(now, days=7, within=(timedelta(days=2), timedelta(days=7)))
    last = _remind(now, days=2, within=(timedelta(0), timedelta(days=2)))
    before = now - (settings.QUOTE_KEPT if unattended else timedelta(0))
    gone = sweeps.each(
        _over(before).values_list("pk", flat=True), "quote %s could not be deleted", lambda pk: _delete(pk, before)
    )
    return Cleaned(weeks, last, gone)


def _remind(now: datetime, *, days: int, within: tuple[timedelta, timedelta]) -> int:
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

    return sweeps.each(due.values_list("pk", flat=True), "quote %s could not be reminded of", remind)


def _over(before: datetime) -> QuerySet[Quote]:
    return Quote.objects.unpaid().filter(expires_at__lte=before)


@transaction.atomic
def _delete(pk: int, before: datetime) -> bool:
    quote = _over(before).select_for_update().filter(pk=pk).first()
    if quote is None or services.being_paid(quote):
        return False
    quote.delete()
    return True
