"""What billing does when an account is made or verified, or its credits move, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import user_deleted, user_registered, user_verified
from billing import cancellations, invoices, payment_methods, quota, subscriptions
from billing.models import Payment
from billing.signals import credits_moved, payment_captured


@receiver(user_registered)
def open_account(user: User, **kwargs: Any) -> None:
    subscriptions.open_account(user_id=user.pk)


@receiver(user_verified)
def grant_first_month(user: User, **kwargs: Any) -> None:
    subscriptions.open_account(user_id=user.pk)
    subscriptions.renew(user_id=user.pk)


@receiver(credits_moved)
def look_at_quota(user_id: int, charged: bool, **kwargs: Any) -> None:
    quota.look(user_id=user_id, charged=charged)


@receiver(payment_captured)
def write_invoice(payment: Payment, **kwargs: Any) -> None:
    invoices.issue(payment=payment)
    if payment.user_id is not None:
        payment_methods.note(user_id=payment.user_id, payer_id=payment.payer_id, payer_email=payment.payer_email)


@receiver(user_deleted)
def end_agreements(user: User, **kwargs: Any) -> None:
    cancellations.want(user_id=user.pk)
