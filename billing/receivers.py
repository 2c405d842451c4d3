"""What billing does when an account is made, verified or deleted, or its credits move, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.organisations.models import Organisation
from accounts.signals import (
    organisation_deleted,
    organisation_founded,
    organisation_readmitted,
    organisation_suspended,
    user_deleted,
    user_registered,
    user_verified,
)
from accounts.users.models import User
from billing.invoices import services as invoices
from billing.ledger import free_credits
from billing.payments import fulfilment, methods
from billing.payments.emails import send_payment_not_made
from billing.payments.models import Agreement, Payment, Refund
from billing.payments.paypal.types import Subscription
from billing.payments.wording import NOT_MADE
from billing.provider_sync import agreements
from billing.referrals import services as referrals
from billing.signals import (
    agreement_changed,
    credits_moved,
    payment_captured,
    payment_held,
    payment_not_made,
    payment_refunded,
)
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle import dunning
from billing.usage import quota
from emailcheck.common.queue import tasks


@receiver(user_registered)
def open_account(user: User, referral_code: str = "", **kwargs: Any) -> None:
    subscriptions.open_account(organisation_id=user.own_organisation.pk)
    referrals.record_referral(friend=user.own_organisation, code=referral_code)


@receiver(organisation_founded)
def open_empty_account(organisation: Organisation, **kwargs: Any) -> None:
    subscriptions.open_account(organisation_id=organisation.pk)
    free_credits.forgo_trial(organisation)


@receiver(user_verified)
def grant_first_month(user: User, **kwargs: Any) -> None:
    subscriptions.renew_credits(organisation_id=user.own_organisation.pk)
    referrals.grant_welcome_bonus(friend=user.own_organisation)


@receiver(user_deleted)
@receiver(organisation_deleted)
def end_agreements(**kwargs: Any) -> None:
    tasks.enqueue(agreements.END_UNWANTED)


@receiver(organisation_suspended)
@receiver(organisation_readmitted)
def sync_account_agreements(organisation: Organisation, **kwargs: Any) -> None:
    tasks.enqueue("billing.tasks.follow_account", organisation.pk)


@receiver(agreement_changed)
def handle_agreement_change(agreement: Agreement, found: Subscription, **kwargs: Any) -> None:
    dunning.handle_agreement_change(agreement=agreement, remote=found)


credits_moved.connect(quota.send_due_notices)  # after every check: without a function between


@receiver(payment_captured)
def issue_invoice(payment: Payment, **kwargs: Any) -> None:
    invoices.issue_invoice(payment=payment)
    if payment.organisation_id is not None:
        methods.record_payer(
            organisation_id=payment.organisation_id, payer_id=payment.payer_id, payer_email=payment.payer_email
        )


@receiver(payment_held)
def record_held_payment(payment: Payment, **kwargs: Any) -> None:
    fulfilment.record_activity(
        payment.organisation, payment.description, payment.amount, None, what="is pending at PayPal"
    )


@receiver(payment_not_made)
def notify_failed_payment(payment: Payment, **kwargs: Any) -> None:
    fulfilment.record_activity(
        payment.organisation, payment.description, payment.amount, None, what=f"by PayPal. {NOT_MADE}"
    )
    if payment.organisation is not None:
        send_payment_not_made(organisation=payment.organisation, payment=payment)


@receiver(payment_captured)
def reward_referrer(payment: Payment, **kwargs: Any) -> None:
    referrals.reward_referrer(payment=payment)


@receiver(payment_refunded)
def take_back_reward(refund: Refund, **kwargs: Any) -> None:
    referrals.take_back_reward(payment=refund.payment)
