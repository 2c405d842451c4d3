"""The payment methods that customers used, as the provider reports them. Each account has one default."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from billing.ledger import services as ledger
from billing.payments.models import Agreement, AgreementState, PaymentMethod
from emailcheck.common.errors import BadInput

_RUNNING = (AgreementState.ACTIVE, AgreementState.SUSPENDED)


def list_payment_methods(organisation: Organisation) -> Sequence[PaymentMethod]:
    """The default first, then the newest."""
    return list(PaymentMethod.objects.for_org(organisation).order_by("-is_default", "-pk"))


@transaction.atomic
def record_payer(*, organisation_id: int, payer_id: str, payer_email: str) -> None:
    """Remember who paid at the provider; the first one becomes the default. Harmless when that is known, or unknown."""
    if not payer_id:
        return
    ledger.lock_account(organisation_id)
    mine = PaymentMethod.objects.filter(organisation_id=organisation_id)
    known, is_new = mine.get_or_create(
        organisation_id=organisation_id,
        provider_id=payer_id,
        defaults={"label": payer_email, "is_default": not mine.filter(is_default=True).exists()},
    )
    if not is_new and payer_email and known.label != payer_email:
        mine.filter(pk=known.pk).update(label=payer_email)


@transaction.atomic
def set_default_method(*, method: PaymentMethod) -> None:
    """Make a method the one for the next purchase. A running agreement keeps its own until it is changed at PayPal."""
    ledger.lock_account(method.organisation_id)
    mine = PaymentMethod.objects.filter(organisation_id=method.organisation_id)
    before = mine.filter(is_default=True).first()
    if before is not None and before.pk == method.pk:
        return
    mine.exclude(pk=method.pk).update(is_default=False)
    mine.filter(pk=method.pk).update(is_default=True)
    _record(method, "Default payment method changed", {"default": [before and _name(before), _name(method)]})


@transaction.atomic
def remove_method(*, method: PaymentMethod) -> None:
    """Forget a method; of those left, the newest takes over as the default.

    Raises `BadInput` (`METHOD_IN_USE`) for the only one while an agreement runs.
    """
    ledger.lock_account(method.organisation_id)
    others = PaymentMethod.objects.filter(organisation_id=method.organisation_id).exclude(pk=method.pk)
    newest = others.order_by("-pk").first()
    if newest is None and Agreement.objects.filter(organisation_id=method.organisation_id, state__in=_RUNNING).exists():
        raise BadInput(
            "Your subscription is paid with this method. Cancel the subscription, or pay with another method first.",
            code="METHOD_IN_USE",
        )
    _record(method, "Payment method removed", {"method": [_name(method), None]})
    PaymentMethod.objects.filter(pk=method.pk).delete()
    if newest is not None and not others.filter(is_default=True).exists():
        others.filter(pk=newest.pk).update(is_default=True)


def _name(method: PaymentMethod) -> str:
    """As the audit knows it: without the payer's address."""
    return f"PayPal account {method.pk}"


def _record(method: PaymentMethod, action: str, changes: dict[str, Any]) -> None:
    audit_log.record_activity(
        organisation=method.organisation, kind=ActivityKind.PURCHASE, action=action, changes=changes
    )
