"""Polling PayPal about open purchases and running agreements, in case a webhook was lost.

The older a purchase, the less often it is polled.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Q
from django.utils import timezone

from billing.payments.models import Agreement, Purchase, PurchaseReason, PurchaseState
from billing.payments.paypal.errors import PayPalError, Unreachable
from billing.provider_sync import agreements, polling

log = logging.getLogger(__name__)
_MOST_AT_ONCE = 200
# Up to this age → time between two polls; older ones wait longest.
_PURCHASES = (
    (timedelta(minutes=10), timedelta(minutes=1)),
    (timedelta(hours=1), timedelta(minutes=5)),
    (timedelta(hours=7), timedelta(minutes=30)),
)
_OLD_PURCHASES_EVERY = timedelta(hours=6)
_AGREEMENTS_EVERY = timedelta(days=1)
_OVERDUE_EVERY = timedelta(hours=1)
_NEVER_BEGUN = timedelta(minutes=10)


def sweep_provider() -> None:
    """Poll everything that is due. What fails is polled again by the next call."""
    now = timezone.now()
    _fail_unborn_purchases(now)
    try:
        for purchase in _list_due_purchases(now):
            _poll_safely(partial(polling.poll_purchase, purchase), purchase)
        for agreement in _list_due_agreements(now):
            _poll_safely(partial(agreements.poll_agreement, agreement), agreement)
    except Unreachable as error:
        log.warning("PayPal cannot be asked: %s", error)


def _list_due_purchases(now: datetime) -> list[Purchase]:
    due = Q(polled_at__lte=now - _OLD_PURCHASES_EVERY)
    for oldest, pause in _PURCHASES:
        due |= Q(created_at__gte=now - oldest, polled_at__lte=now - pause)
    return list(Purchase.objects.filter(due, state=PurchaseState.PENDING).order_by("polled_at", "pk")[:_MOST_AT_ONCE])


def _list_due_agreements(now: datetime) -> list[Agreement]:
    """All once a day; those past their billing date once an hour, until PayPal moves it."""
    overdue = Q(next_billing_at__lte=now, polled_at__lte=now - _OVERDUE_EVERY)
    due = Q(polled_at=None) | Q(polled_at__lte=now - _AGREEMENTS_EVERY) | overdue
    return list(Agreement.objects.filter(due, ended_at=None).order_by("polled_at", "pk")[:_MOST_AT_ONCE])


def _poll_safely(poll: Callable[[], object], row: Purchase | Agreement) -> None:
    """Poll one row, so that its failure does not stop the rest. Raises `Unreachable`."""
    try:
        poll()
    except Unreachable:
        raise
    except Exception as error:
        log.error("%s could not be looked at: %s", row, error, exc_info=not isinstance(error, PayPalError))
        row.polled_at = timezone.now()
        row.save(update_fields=["polled_at"])


def _fail_unborn_purchases(now: datetime) -> None:
    """Fail purchases whose process died before PayPal answered: they have no approval link."""
    unborn = Purchase.objects.filter(provider_id=None, state=PurchaseState.PENDING, created_at__lte=now - _NEVER_BEGUN)
    unborn.update(state=PurchaseState.FAILED, reason=PurchaseReason.NOT_MADE, done_at=now)
