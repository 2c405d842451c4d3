"""The renewals of a subscription: its charges, failed payments, and its end."""

import calendar
from datetime import datetime, time, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from emailcheck.sandbox.paypal.commerce.payments import Payments
from emailcheck.sandbox.paypal.context import PayPalContext
from emailcheck.sandbox.paypal.records import ZERO, Cycle, Failure, Subscription

_RETRY_AFTER = timedelta(days=5)
_RETRIES = 2
_BILLING_HOUR = 10
_STATUS = {"pay": "COMPLETED", "delay": "PENDING"}
_SUMMARIES = {
    "CREATED": "Subscription created",
    "ACTIVATED": "Subscription activated",
    "UPDATED": "Subscription updated",
    "EXPIRED": "Subscription expired",
    "CANCELLED": "Subscription cancelled",
    "SUSPENDED": "Subscription suspended",
    "RE-ACTIVATED": "Subscription re-activated",
    "PAYMENT.FAILED": "Payment failed for subscription",
}


class Renewals:
    """Charges subscriptions when they are due."""

    def __init__(self, site: PayPalContext, payments: Payments) -> None:
        self._site = site
        self._payments = payments

    def catch_up(self) -> bool:
        """Process everything that is due, in order, each at its own virtual time. True when there was any."""
        until, found = self._site.state.now(), False
        while due := min(self._due(until), key=lambda entry: entry[0], default=None):
            moment, subscription = due
            self._site.play(moment, partial(self._play_due, subscription))
            found = True
        return found

    def announce(self, subscription: Subscription, what: str) -> None:
        self._site.announce(f"BILLING.SUBSCRIPTION.{what}", self.shown(subscription), _SUMMARIES[what])

    def shown(self, subscription: Subscription) -> dict[str, Any]:
        memory = self._site.memory
        currency = memory.plans[subscription.plan_id].currency
        return self._site.shapes.subscription(subscription, currency, memory.payments.get(subscription.last_payment))

    # --- turns of its life

    def begin(self, subscription: Subscription, outcome: str) -> None:
        """Start after the approval: charge what is due now, else wait for the first billing date."""
        now = self._site.now()
        if outcome not in _STATUS and self._due_at_once(subscription):
            self._fail_at_once(subscription)
            return
        subscription.start_time = max(subscription.start_time, now)
        self._set_status(subscription, "ACTIVE")
        fee = subscription.preferences.setup_fee
        if fee:
            self._record_payment(subscription, fee, _STATUS[outcome])
        if subscription.start_time <= now:
            self._bill_cycle(subscription, _STATUS[outcome])
        else:
            subscription.next_billing = subscription.start_time
        self.announce(subscription, "ACTIVATED")

    def suspend(self, subscription: Subscription) -> None:
        """Stop charges until reactivation."""
        if subscription.last_failure:
            subscription.last_failure.retry_time = None
        self._set_status(subscription, "SUSPENDED")
        self.announce(subscription, "SUSPENDED")

    def reactivate(self, subscription: Subscription) -> None:
        """Resume charges at the next billing date; missed ones are skipped."""
        while subscription.next_billing and subscription.next_billing <= self._site.now():
            self._to_next_date(subscription)
        subscription.failed_count = 0
        self._set_status(subscription, "ACTIVE")
        self.announce(subscription, "RE-ACTIVATED")

    def end(self, subscription: Subscription, status: str) -> None:
        """End as CANCELLED or EXPIRED."""
        subscription.next_billing = None
        if subscription.last_failure:
            subscription.last_failure.retry_time = None
        self._set_status(subscription, status)
        self.announce(subscription, status)

    def collect_outstanding(self, subscription: Subscription, amount: Decimal) -> None:
        """Charge the outstanding balance, or a part of it."""
        subscription.outstanding -= amount
        self._record_payment(subscription, amount, "COMPLETED")
        if not subscription.outstanding:
            subscription.failed_count = subscription.retries = 0
            if subscription.last_failure:
                subscription.last_failure.retry_time = None

    # --- parts

    def _due(self, until: datetime) -> list[tuple[datetime, Subscription]]:
        found = []
        for subscription in self._site.memory.subscriptions.values():
            moment = _find_next_moment(subscription)
            if moment and moment <= until:
                found.append((moment, subscription))
        return found

    def _play_due(self, subscription: Subscription) -> None:
        failure = subscription.last_failure
        if failure and failure.retry_time and failure.retry_time <= self._site.now():
            self._retry(subscription, failure)
        else:
            self._bill_cycle(subscription, "COMPLETED")

    def _bill_cycle(self, subscription: Subscription, status: str) -> None:
        """Charge the cycle that starts now, and the outstanding balance."""
        cycle = find_current_cycle(subscription)
        if cycle is None:
            self.end(subscription, "EXPIRED")
            return
        if subscription.anchor is None or not subscription.done.get(cycle.sequence):
            subscription.anchor, subscription.turns = self._site.now(), 0
        subscription.done[cycle.sequence] = subscription.done.get(cycle.sequence, 0) + 1
        self._to_next_date(subscription, cycle)
        single, subscription.price_once = subscription.price_once or cycle.price, None
        price = single * int(subscription.quantity)
        if not price:
            return
        if subscription.failing:
            subscription.retries = 0
            subscription.outstanding += price
            self._fail(subscription, price)
            return
        open_too = subscription.outstanding if subscription.preferences.bill_outstanding else ZERO
        self._record_payment(subscription, price + open_too, status)
        subscription.outstanding -= open_too
        subscription.failed_count = 0

    def _retry(self, subscription: Subscription, failure: Failure) -> None:
        subscription.retries += 1
        if subscription.failing:
            self._fail(subscription, failure.amount)
        else:
            self.collect_outstanding(subscription, subscription.outstanding)

    def _fail(self, subscription: Subscription, amount: Decimal) -> None:
        now = self._site.now()
        again = now + _RETRY_AFTER if subscription.retries < _RETRIES else None
        subscription.last_failure = Failure(amount=amount, time=now, retry_time=again)
        subscription.failed_count += 1
        subscription.update_time = now
        self.announce(subscription, "PAYMENT.FAILED")
        if 0 < subscription.preferences.threshold <= subscription.failed_count:
            self.suspend(subscription)

    def _fail_at_once(self, subscription: Subscription) -> None:
        now = self._site.now()
        subscription.last_failure = Failure(amount=self._due_at_once(subscription), time=now, retry_time=None)
        subscription.failed_count = 1
        self.announce(subscription, "PAYMENT.FAILED")
        self.end(subscription, "CANCELLED")

    def _due_at_once(self, subscription: Subscription) -> Decimal:
        """The charge at the approval."""
        cycle = find_current_cycle(subscription)
        later = subscription.start_time > self._site.now()
        first = ZERO if later or cycle is None else cycle.price * int(subscription.quantity)
        return subscription.preferences.setup_fee + first

    def _record_payment(self, subscription: Subscription, amount: Decimal, status: str) -> None:
        payment = self._payments.new(
            amount,
            self._site.memory.plans[subscription.plan_id].currency,
            status=status,
            custom_id=subscription.custom_id,
            subscription_id=subscription.id,
            reason="PENDING_REVIEW" if status == "PENDING" else "",
        )
        self._payments.record(payment)
        subscription.last_payment, subscription.update_time = payment.id, self._site.now()

    def _to_next_date(self, subscription: Subscription, cycle: Cycle | None = None) -> None:
        cycle = cycle or find_current_cycle(subscription) or subscription.cycles[-1]
        subscription.turns += 1
        subscription.next_billing = compute_billing_date(
            subscription.anchor or self._site.now(), cycle.unit, cycle.count * subscription.turns
        )

    def _set_status(self, subscription: Subscription, status: str) -> None:
        now = self._site.now()
        subscription.status, subscription.status_time, subscription.update_time = status, now, now


def find_current_cycle(subscription: Subscription) -> Cycle | None:
    """The price line of the next charge; None when all are used up."""
    for cycle in subscription.cycles:
        if not cycle.total or subscription.done.get(cycle.sequence, 0) < cycle.total:
            return cycle
    return None


def compute_billing_date(anchor: datetime, unit: str, steps: int) -> datetime:
    """The day `steps` units after the anchor, at ten o'clock; in a short month its last day."""
    if unit in {"DAY", "WEEK"}:
        day = (anchor + timedelta(days=steps * (7 if unit == "WEEK" else 1))).date()
    else:
        months = anchor.year * 12 + anchor.month - 1 + steps * (12 if unit == "YEAR" else 1)
        year, month = divmod(months, 12)
        last = calendar.monthrange(year, month + 1)[1]
        day = anchor.date().replace(year=year, month=month + 1, day=min(anchor.day, last))
    return datetime.combine(day, time(_BILLING_HOUR), anchor.tzinfo)


def _find_next_moment(subscription: Subscription) -> datetime | None:
    """The time of its next automatic change."""
    if subscription.status != "ACTIVE":
        return None
    failure = subscription.last_failure
    moments = [subscription.next_billing, failure.retry_time if failure else None]
    return min((moment for moment in moments if moment), default=None)
