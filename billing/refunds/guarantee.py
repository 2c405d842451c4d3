"""The 30-day guarantee of first-time subscribers."""

from datetime import timedelta

from django.utils import timezone

from billing.payments.models import Payment, PaymentKind, PaymentState
from emailcheck.common.text.dates import format_day

GUARANTEE = timedelta(days=30)


_PLAN_KINDS = (PaymentKind.SUBSCRIPTION, PaymentKind.RENEWAL, PaymentKind.PLAN_CHANGE)


def evaluate_guarantee(payment: Payment) -> tuple[bool, str]:
    """Whether the 30-day guarantee of first-time subscribers holds (PUB-085, PUB-089), and why."""
    if payment.state != PaymentState.COMPLETED or payment.captured_at is None:
        return False, "The guarantee is for payments that were captured and not refunded."
    if payment.organisation_id is None:
        return False, "The account was deleted, so nobody knows whether this was its first subscription."
    if payment.kind != PaymentKind.SUBSCRIPTION:
        return False, "The guarantee is for the first payment of a subscription."
    if _has_paid_before(payment):
        return False, "The customer had paid for a subscription before."
    ends = payment.captured_at + GUARANTEE
    if timezone.now() > ends:
        return False, f"The 30 days ended on {format_day(ends)}."
    return True, f"First subscription of this customer; the 30 days end on {format_day(ends)}."


def _has_paid_before(payment: Payment) -> bool:
    earlier = Payment.objects.filter(organisation=payment.organisation, kind__in=_PLAN_KINDS)
    return earlier.filter(captured_at__lt=payment.captured_at).exclude(pk=payment.pk).exists()
