"""Credit months: from one day of the month to the same day of the next; a 31st falls on the last day of short months.

Each bound is counted from the first one, so that after a 28th of February comes a 31st of March again.
"""

import calendar
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Month:
    """From `starts_at` up to, not including, `ends_at`."""

    starts_at: datetime
    ends_at: datetime


def add_months(anchor: datetime, months: int) -> datetime:
    """The moment so many months after `anchor`, in UTC; a day that the month lacks becomes its last one."""
    anchor = anchor.astimezone(UTC)
    year, index = divmod(anchor.year * 12 + anchor.month - 1 + months, 12)
    last = calendar.monthrange(year, index + 1)[1]
    return anchor.replace(year=year, month=index + 1, day=min(anchor.day, last))


def month_at(anchor: datetime, now: datetime) -> Month:
    """The month, counted from `anchor`, that `now` is in; before the anchor it is the first one."""
    now = now.astimezone(UTC)
    first = anchor.astimezone(UTC)
    number = max(0, (now.year - first.year) * 12 + now.month - first.month)
    if number and add_months(anchor, number) > now:
        number -= 1
    return Month(add_months(anchor, number), add_months(anchor, number + 1))


def prorate_amount(amount: int, month: Month, now: datetime) -> int:
    """`amount` for the days (UTC) that are left of a month, today among them, rounded down: those that are paid for."""
    ends, starts = month.ends_at.astimezone(UTC).date(), month.starts_at.astimezone(UTC).date()
    today = min(ends, max(starts, now.astimezone(UTC).date()))
    return amount * (ends - today).days // (ends - starts).days
