"""When a plan is charged next, and up to when it may be used: reading only."""

from datetime import UTC, datetime

from billing.catalogue.plans import Cycle
from billing.ledger.credit_months import add_months, month_at
from billing.subscriptions.models import Status, Subscription


def find_next_billing(found: Subscription) -> datetime | None:
    """When the next charge is due, as far as is known; a paused plan is charged after it has resumed by itself."""
    if found.status in {Status.TRIAL, Status.CANCELLED} or found.paid_until is None:
        return None
    if found.status == Status.PAUSED and found.pause_ends_at:
        return compute_billing_after(found, found.pause_ends_at)
    agreement = found.scheduled_agreement or found.agreement
    return agreement.next_billing_at if agreement and agreement.next_billing_at else found.paid_until


def find_period_end(found: Subscription) -> datetime | None:
    """The end of what is paid for, with the time for which it was paused."""
    dates = [moment for moment in (found.period_ends_at or found.paid_until, find_next_billing(found)) if moment]
    return max(dates, default=None)


def compute_billing_after(found: Subscription, moment: datetime) -> datetime:
    """The first billing date after a moment; what fell due before, while it was paused, is skipped."""
    assert found.paid_until is not None
    if found.paid_until > moment:
        return found.paid_until
    if found.cycle == Cycle.YEARLY:
        years = moment.year - found.paid_until.year
        dates = (add_months(found.paid_until, 12 * later) for later in (years, years + 1))
        return next(date for date in dates if date > moment)
    return month_at(_compute_first_charge(found), moment).ends_at


def compute_period_end(starts_at: datetime, cycle: Cycle) -> datetime:
    """The end of a period that begins then."""
    return add_months(starts_at, cycle.months)


def _compute_first_charge(found: Subscription) -> datetime:
    """The day that billing dates are counted from, at the hour of the last one."""
    assert found.paid_until is not None
    agreement = found.agreement
    if agreement is None:
        return found.started_at
    first = (agreement.purchase and agreement.purchase.starts_at) or agreement.created_at
    return datetime.combine(first.astimezone(UTC), found.paid_until.astimezone(UTC).timetz())
