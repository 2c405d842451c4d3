"""Reactions to the provider's reports about agreements: failed and recovered payments, cancellations by the buyer.

A renewal that fails is tried again after five days, twice (SUB-072). Meanwhile the plan can be used, but no new month
is granted; after the last failure it ends.
"""

from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.ledger.money_audit import load_figures, record_if_changed
from billing.payments import agreement_sync
from billing.payments.models import Agreement, AgreementState
from billing.payments.paypal import types
from billing.payments.paypal.types import SubscriptionStatus
from billing.subscriptions import emails
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle import cancellations
from billing.subscriptions.models import Status, Subscription

LAST_FAILURE = 3
_OVER = frozenset({AgreementState.CANCELLED, AgreementState.EXPIRED})


def handle_agreement_change(*, agreement: Agreement, remote: types.Subscription) -> None:
    """Apply a change of a plan's agreement, in the transaction that read it."""
    if agreement.organisation_id is None:
        return
    organisation, found = subscriptions.lock_subscription(agreement.organisation_id)
    if agreement.pk not in {found.agreement_id, found.scheduled_agreement_id}:
        return
    before = load_figures(organisation)
    _apply_change(organisation, found, agreement, remote)
    record_if_changed(organisation, before, action="Subscription changed at PayPal")


def _apply_change(
    organisation: Organisation, found: Subscription, agreement: Agreement, remote: types.Subscription
) -> None:
    if agreement.state in _OVER:
        _handle_buyer_cancellation(organisation, found, agreement)
    elif agreement.state == AgreementState.SUSPENDED and agreement.desired_state == AgreementState.ACTIVE:
        _handle_provider_suspension(organisation, found, agreement, remote)
    elif agreement.state == AgreementState.ACTIVE and agreement.desired_state == AgreementState.SUSPENDED:
        agreement_sync.request_agreement_change(agreement.pk, desired_state=AgreementState.SUSPENDED)
    elif agreement.state == AgreementState.ACTIVE and agreement.failed_payments:
        _handle_failed_payment(organisation, found, agreement, remote)
    elif remote.status == SubscriptionStatus.ACTIVE:
        _clear_past_due(found)


def _handle_failed_payment(
    organisation: Organisation, found: Subscription, agreement: Agreement, remote: types.Subscription
) -> None:
    if found.status not in {Status.ACTIVE, Status.PAST_DUE}:
        return
    _set_past_due(found)
    emails.send_payment_failed(
        organisation=organisation,
        subscription=found,
        agreement=agreement,
        attempt=min(agreement.failed_payments, LAST_FAILURE - 1),
        retry_at=remote.retry_time,
    )


def _handle_provider_suspension(
    organisation: Organisation, found: Subscription, agreement: Agreement, remote: types.Subscription
) -> None:
    """End the plan after the last failure. Otherwise, as after a chargeback, grant nothing new until it resumes."""
    if agreement.failed_payments >= LAST_FAILURE:
        subscriptions.end_plan(organisation_id=organisation.pk)
    elif agreement.failed_payments:
        _handle_failed_payment(organisation, found, agreement, remote)
    elif found.status == Status.ACTIVE:
        _set_past_due(found)


def _handle_buyer_cancellation(organisation: Organisation, found: Subscription, agreement: Agreement) -> None:
    if agreement.desired_state != AgreementState.CANCELLED and found.status != Status.CANCELLED:
        cancellations.schedule_end(organisation, found, otherwise=timezone.now())


def _set_past_due(found: Subscription) -> None:
    if found.status != Status.PAST_DUE:
        found.status, found.past_due_at = Status.PAST_DUE, timezone.now()
        found.save(update_fields=["status", "past_due_at"])


def _clear_past_due(found: Subscription) -> None:
    if found.status == Status.PAST_DUE:
        found.status, found.past_due_at = Status.ACTIVE, None
        found.save(update_fields=["status", "past_due_at"])
        subscriptions.renew_credits(organisation_id=found.organisation_id)
