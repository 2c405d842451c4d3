"""Make agreements at the provider match ours: the desired state is stored first, then requested until it is confirmed.

`request_agreement_change` joins the caller's transaction; the queue, and the scheduler after it, do the rest, one at a
time for each agreement. The last request wins: after each call it is read again.
"""

import logging
from datetime import timedelta
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from billing.payments.models import Agreement, AgreementState
from billing.payments.paypal import Amount, paypal
from billing.payments.paypal.errors import Missing, PayPalError, Unreachable
from billing.payments.paypal.types import Subscription, SubscriptionStatus
from emailcheck.common.queue import tasks

log = logging.getLogger(__name__)
_OVER = frozenset({SubscriptionStatus.CANCELLED, SubscriptionStatus.EXPIRED})
LEASE = timedelta(minutes=5)
_TURNS = 4
_REASON = "Asked for at our site"


def lock_agreements(organisation_id: int) -> None:
    """Lock the agreements of an account. Lock order: agreements, then the account."""
    list(Agreement.objects.select_for_update().filter(organisation_id=organisation_id, ended_at=None).order_by("pk"))


@transaction.atomic
def request_agreement_change(
    agreement_id: int, *, desired_state: AgreementState | None = None, price: Decimal | None = None
) -> None:
    """Request another state or price of an agreement. A requested cancellation is final."""
    changes: dict[str, object] = {"sync_pending": True}
    changes |= {"desired_state": desired_state} if desired_state else {}
    changes |= {"price": price} if price is not None else {}
    open_ones = Agreement.objects.filter(pk=agreement_id, ended_at=None).exclude(desired_state=AgreementState.CANCELLED)
    if open_ones.update(**changes):
        tasks.enqueue("billing.payments.agreement_sync.sync_agreement", agreement_id)


def sync_agreement(agreement_id: int) -> None:
    """Bring the provider's agreement to the desired state. Failures are retried by `sync_all_agreements`."""
    _sync_until_confirmed(agreement_id)


def sync_all_agreements() -> None:
    """Sync everything that the provider has not confirmed, until it cannot be reached."""
    for agreement_id in Agreement.objects.unconfirmed().free().order_by("pk").values_list("pk", flat=True):
        if not _sync_until_confirmed(agreement_id):
            return


def _sync_until_confirmed(agreement_id: int) -> bool:
    """See `sync_agreement`. False when the provider cannot be reached."""
    for _ in range(_TURNS):
        agreement = _claim_agreement(agreement_id)
        if agreement is None:
            break
        try:
            _record_confirmed_state(agreement, _push_changes(agreement))
        except PayPalError as error:
            log.error("agreement %s does not follow: %s", agreement.provider_id, error)
            return not isinstance(error, Unreachable)
        finally:
            Agreement.objects.release(agreement)
    return True


def _claim_agreement(agreement_id: int) -> Agreement | None:
    return Agreement.objects.unconfirmed().claim_row(agreement_id, lasts=LEASE)


def _push_changes(agreement: Agreement) -> Subscription | None:
    """Request what differs. Returns the agreement as it is then, None where the provider has none."""
    shop, known_as = paypal(), agreement.provider_id
    try:
        remote = shop.fetch_subscription(known_as)
    except Missing:
        return None
    if remote.status in _OVER:
        return remote
    if agreement.desired_state == AgreementState.CANCELLED:
        return shop.cancel_subscription(known_as, reason=_REASON)
    if remote.price is not None and remote.price.value != agreement.price:
        shop.reprice_subscription(known_as, price=Amount(agreement.price, remote.price.currency))
    if agreement.desired_state == AgreementState.SUSPENDED and remote.status == SubscriptionStatus.ACTIVE:
        return shop.suspend_subscription(known_as, reason=_REASON)
    if agreement.desired_state == AgreementState.ACTIVE and remote.status == SubscriptionStatus.SUSPENDED:
        return shop.activate_subscription(known_as, reason=_REASON)
    return remote


def _record_confirmed_state(agreement: Agreement, remote: Subscription | None) -> None:
    """Record the confirmed state, unless another one was requested meanwhile."""
    over = remote is None or remote.status in _OVER
    unchanged = Agreement.objects.filter(desired_state=agreement.desired_state, price=agreement.price)
    unchanged.complete(
        agreement,
        state=remote.status.lower() if remote else AgreementState.CANCELLED,
        sync_pending=False,
        attempts=0,
        next_billing_at=(remote.next_billing_time if remote else None) or agreement.next_billing_at,
        ended_at=timezone.now() if over else None,
    )
