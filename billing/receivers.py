"""What billing does when an account is made, verified or deleted, or its credits move, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import user_deleted, user_readmitted, user_registered, user_suspended, user_verified
from billing import agreements, completion, dunning, emails, invoices, payment_methods, quota, referrals, subscriptions
from billing.debits import Level
from billing.models import Agreement, Payment, Refund
from billing.payment_words import NOT_MADE
from billing.paypal.types import Subscription
from billing.signals import (
    agreement_told,
    credits_moved,
    payment_captured,
    payment_held,
    payment_not_made,
    payment_refunded,
)
from emailcheck.common import tasks


@receiver(user_registered)
def open_account(user: User, referral_code: str = "", **kwargs: Any) -> None:
    subscriptions.open_account(user_id=user.pk)
    referrals.note(friend=user, code=referral_code)


@receiver(user_verified)
def grant_first_month(user: User, **kwargs: Any) -> None:
    subscriptions.renew(user_id=user.pk)
    referrals.welcome(friend=user)


@receiver(user_deleted)
def end_agreements(user: User, **kwargs: Any) -> None:
    tasks.enqueue(agreements.END_UNWANTED)


@receiver(user_suspended)
@receiver(user_readmitted)
def follow_account(user: User, **kwargs: Any) -> None:
    tasks.enqueue("billing.tasks.follow_account", user.pk)


@receiver(agreement_told)
def heed_agreement(agreement: Agreement, found: Subscription, **kwargs: Any) -> None:
    dunning.heed(agreement=agreement, told=found)


@receiver(credits_moved)
def look_at_quota(user_id: int, charged: bool, level: Level | None = None, **kwargs: Any) -> None:
    quota.look(user_id=user_id, charged=charged, level=level)


@receiver(payment_captured)
def write_invoice(payment: Payment, **kwargs: Any) -> None:
    invoices.issue(payment=payment)
    if payment.user_id is not None:
        payment_methods.note(user_id=payment.user_id, payer_id=payment.payer_id, payer_email=payment.payer_email)


@receiver(payment_held)
def note_that_it_waits(payment: Payment, **kwargs: Any) -> None:
    completion.note_activity(payment.user, payment.description, payment.amount, None, what="is pending at PayPal")


@receiver(payment_not_made)
def tell_that_it_was_not_made(payment: Payment, **kwargs: Any) -> None:
    completion.note_activity(payment.user, payment.description, payment.amount, None, what=f"by PayPal. {NOT_MADE}")
    if payment.user is not None:
        emails.send_payment_not_made(user=payment.user, payment=payment)


@receiver(payment_captured)
def reward_referrer(payment: Payment, **kwargs: Any) -> None:
    referrals.convert(payment=payment)


@receiver(payment_refunded)
def take_reward_back(refund: Refund, **kwargs: Any) -> None:
    referrals.take_back(payment=refund.payment)
