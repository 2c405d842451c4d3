"""What a customer sets out to buy: an order or an agreement at PayPal, and the address where it is approved.

Prices come from our tables alone. Nothing is granted here: that waits for PayPal's word (`orders`, `agreements`).
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from urllib.parse import urlencode

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue import price_list
from billing.catalogue.plans import Cycle, Plan
from billing.catalogue.price_list import OFFERS
from billing.ledger import services as ledger
from billing.payments import pending, purchase_options, wording
from billing.payments.agency_bill import require_own_bill
from billing.payments.models import ChargeLine, Purchase, PurchaseKind, PurchaseReason, PurchaseState
from billing.payments.paypal import Amount, OrderTerms, Return, SubscriptionTerms, paypal
from billing.payments.paypal.errors import Missing, PayPalError
from billing.payments.paypal.types import Approval
from billing.payments.purchase_options import Tariff
from emailcheck.common.api import throttles
from emailcheck.common.api.throttles import Limit
from emailcheck.common.errors import BadInput, NotFound, ProviderFailed

log = logging.getLogger(__name__)
STARTED = Limit("purchase", 20, 600)
# The same purchase begun twice within this time shares one order: two tabs, or a second try after going back.
JOINED_WITHIN = timedelta(minutes=10)
_SAME = ("organisation", "kind", "pack", "plan", "cycle", "amount", "price", "credits", "description", "reference")
# The number of payments of what ends by itself; everything else runs until it is cancelled.
_PAYMENTS = {PurchaseKind.QUOTE: 12}


@dataclass(frozen=True, slots=True)
class StartedPurchase:
    """A purchase that waits for its buyer at `url`."""

    purchase: Purchase
    url: str


def buy_pack(*, organisation: Organisation, package_id: str, confirm_second: bool = False) -> StartedPurchase:
    """Begin to buy credits. Raises as `begin_order`, and `BadInput`."""
    pack = price_list.find_pack(package_id)
    if pack is None:
        raise BadInput("Choose small, medium or large.", field="package_id", value=package_id)
    return begin_order(
        organisation=organisation,
        kind=PurchaseKind.CREDITS,
        amount=pack.price,
        description=f"{pack.credits:,} credits",
        pack=pack.id,
        credits=pack.credits,
        confirm_second=confirm_second,
    )


def describe_plan(plan: str, cycle: str) -> str:
    """Growth plan, billed monthly."""
    return f"{OFFERS[Plan(plan)].name} plan, billed {cycle}"


def begin_order(
    *,
    organisation: Organisation,
    kind: PurchaseKind,
    amount: Decimal,
    description: str,
    pack: str = "",
    credits: int = 0,
    plan: str = "",
    cycle: str = "",
    reference: str = "",
    confirm_second: bool = False,
) -> StartedPurchase:
    """Ask PayPal for a payment once of `amount` USD.

    Raises `Conflict` (`PAYMENT_PENDING`) unless a second payment is confirmed, `TooMany`, `ProviderFailed`.
    """
    throttles.require_pass(STARTED, str(require_own_bill(organisation).pk))
    draft = Purchase(
        organisation=organisation, kind=kind, plan=plan, cycle=cycle, amount=amount, description=description, pack=pack,
        credits=credits, reference=reference,
    )  # fmt: skip
    purchase = _create_or_join_purchase(draft, confirm_second=confirm_second)
    terms = OrderTerms(
        amount=Amount(amount, purchase.currency),
        description=description,
        custom_id=purchase.public_id,
        return_to=_build_return_urls(purchase),
        brand=settings.SITE_NAME,
    )
    request_id = f"order:{purchase.public_id}"
    return _request_approval(purchase, lambda: paypal().create_order(terms=terms, request_id=request_id))


def begin_agreement(
    *,
    organisation: Organisation,
    kind: PurchaseKind,
    plan: Plan,
    cycle: Cycle,
    amount: Decimal,
    price: Decimal,
    description: str,
    starts_at: datetime | None = None,
    credits: int = 0,
    reference: str = "",
    lines: Sequence[ChargeLine] = (),
    confirm_second: bool = False,
) -> StartedPurchase:
    """Ask PayPal for an agreement: `price` USD each cycle from now on, or from `starts_at` on.

    `amount` is what is taken at the approval: the price, or with `starts_at` a charge of its own, which may be 0;
    `lines` say how it comes about. Raises as `begin_order`.
    """
    throttles.require_pass(STARTED, str(require_own_bill(organisation).pk))
    draft = Purchase(
        organisation=organisation, kind=kind, plan=plan, cycle=cycle, amount=amount, price=price,
        description=description, starts_at=starts_at, credits=credits, reference=reference,
        lines=[[line.description, str(line.amount)] for line in lines],
    )  # fmt: skip
    purchase = _create_or_join_purchase(draft, confirm_second=confirm_second)
    return _request_approval(purchase, lambda: _create_agreement(purchase))


def load_purchase(*, organisation: Organisation, token: str) -> Purchase:
    """A purchase of the organisation by our id or by PayPal's. Raises `NotFound`."""
    found = Purchase.objects.for_org(organisation).filter(Q(public_id=token) | Q(provider_id=token)).first()
    if found is None:
        raise NotFound("Payment not found")
    return found


def find_purchase(tokens: list[str]) -> Purchase | None:
    """The purchase with one of these ids, of any account."""
    return Purchase.objects.filter(Q(public_id__in=tokens) | Q(provider_id__in=tokens)).first()


@transaction.atomic
def _create_or_join_purchase(draft: Purchase, *, confirm_second: bool) -> Purchase:
    """Save a purchase, or return the same one begun a moment ago and not approved yet.

    PayPal gets the row's id, and returns one order to concurrent requests. Raises `Conflict`.
    """
    ledger.lock_account(draft.organisation_id)
    pending.check_second_payment(draft, is_confirmed=confirm_second)
    since = timezone.now() - JOINED_WITHIN
    unapproved = Purchase.objects.filter(
        state=PurchaseState.PENDING, payments=None, agreement=None, created_at__gt=since
    )
    same = unapproved.filter(**{name: getattr(draft, name) for name in _SAME})
    found = same.order_by("pk").last()
    if found is None:
        draft.save()
    return found or draft


def _create_agreement(purchase: Purchase) -> Approval:
    """Tried once more with a new plan when PayPal no longer has it, like a simulated one after a reset."""
    price = Amount(purchase.price or purchase.amount, purchase.currency)
    name = f"{settings.SITE_NAME} {OFFERS[Plan(purchase.plan)].name}"
    tariff = Tariff(name, Cycle(purchase.cycle), price, _PAYMENTS.get(PurchaseKind(purchase.kind), 0))
    try:
        return _create_subscription(purchase, purchase_options.ensure_plan(tariff))
    except Missing:
        purchase_options.forget_plan(tariff)
        return _create_subscription(purchase, purchase_options.ensure_plan(tariff))


def _create_subscription(purchase: Purchase, plan_id: str) -> Approval:
    terms = SubscriptionTerms(
        plan_id=plan_id,
        custom_id=purchase.public_id,
        return_to=_build_return_urls(purchase),
        brand=settings.SITE_NAME,
        start_time=purchase.starts_at,
        charge_now=Amount(purchase.amount, purchase.currency) if purchase.starts_at and purchase.amount else None,
    )
    return paypal().create_subscription(terms=terms, request_id=f"agreement:{purchase.public_id}")


def _request_approval(purchase: Purchase, create: Callable[[], Approval]) -> StartedPurchase:
    try:
        approval = create()
    except PayPalError as error:
        log.warning("purchase %s was not begun: %s", purchase.public_id, error)
        unborn = Purchase.objects.filter(pk=purchase.pk, provider_id=None, state=PurchaseState.PENDING)
        unborn.update(state=PurchaseState.FAILED, reason=PurchaseReason.NOT_MADE, done_at=timezone.now())
        raise ProviderFailed(wording.NOT_BEGUN, code="PAYMENT_PROVIDER_ERROR") from error
    purchase.provider_id = approval.id
    rows = Purchase.objects.filter(pk=purchase.pk)
    rows.update(provider_id=approval.id, polled_at=timezone.now())
    # A concurrent request for the same purchase had no answer.
    rows.filter(reason=PurchaseReason.NOT_MADE).update(state=PurchaseState.PENDING, reason="", done_at=None)
    return StartedPurchase(purchase, approval.url)


def _build_return_urls(purchase: Purchase) -> Return:
    """PayPal appends its own `token` to ours."""
    here = f"{settings.SITE_URL}/payments/paypal/return?"
    token = {"token": purchase.public_id}
    return Return(here + urlencode(token), here + urlencode({**token, "cancelled": "true"}))
