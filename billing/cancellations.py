"""Agreements that we want ended: the provider is asked until it says that they are."""

import logging

from django.db import transaction
from django.utils import timezone

from billing.models import Agreement, AgreementState
from billing.paypal import paypal
from billing.paypal.errors import Missing, PayPalError, WrongStatus
from billing.paypal.types import SubscriptionStatus
from emailcheck.common import tasks

log = logging.getLogger(__name__)
CARRY_OUT = "billing.cancellations.carry_out"
_REASON = "The subscription was ended."


@transaction.atomic
def want(*, user_id: int) -> None:
    """Have every running agreement of an account cancelled, after the caller's transaction. Harmless when it is."""
    running = Agreement.objects.filter(user_id=user_id, ended_at=None, end_asked_at=None)
    if running.update(end_asked_at=timezone.now()):
        tasks.enqueue(CARRY_OUT)


def carry_out() -> None:
    """Cancel what is wanted ended, one after the other; what the provider does not do now is asked again later."""
    wanted = Agreement.objects.filter(ended_at=None).exclude(end_asked_at=None)
    for pk, provider_id in wanted.values_list("pk", "provider_id"):
        try:
            _cancel(provider_id)
        except PayPalError as error:
            log.warning("agreement %s is not cancelled yet: %s", pk, error)
            continue
        Agreement.objects.filter(pk=pk, ended_at=None).update(state=AgreementState.CANCELLED, ended_at=timezone.now())


def _cancel(provider_id: str) -> None:
    try:
        paypal().cancel_subscription(provider_id, reason=_REASON)
    except Missing:
        log.warning("agreement %s is not known at the provider", provider_id)
    except WrongStatus:
        if paypal().subscription(provider_id).status != SubscriptionStatus.EXPIRED:
            raise
