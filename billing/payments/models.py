"""Money: what customers set out to buy, the agreements they made, what was paid and what was given back.

The provider (PayPal) is the source of truth; these rows are what we know of it. Payments outlive the account, because
books must be retained: then their `organisation` is null.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.activity.actors import StaffAct
from accounts.organisations.models import Organisation, OwnedQuerySet
from billing.catalogue.plans import Cycle, Plan
from emailcheck.common import secrecy
from emailcheck.common.queue.leases import Leased, LeasedQuerySet


def new_purchase_id() -> str:
    """The `custom_id` at the provider, and the `token` in our own addresses."""
    return secrecy.generate_id("pay")


class PurchaseKind(models.TextChoices):
    SUBSCRIPTION = "subscription"
    CREDITS = "credits"
    PLAN_CHANGE = "plan_change"
    QUOTE = "quote"


class PurchaseState(models.TextChoices):
    PENDING = "pending"
    PAID = "paid"
    FAILED = "failed"
    CANCELLED = "cancelled"


class PurchaseReason(models.TextChoices):
    """Why a purchase failed. The texts for it are in `billing.payments.wording`."""

    NOT_MADE = "not_made", "the provider has no order of it"
    NOT_APPROVED = "not_approved", "it was not approved in time"
    DECLINED = "declined", "the provider declined the payment at once"
    DENIED = "denied", "the provider held the payment back, and then declined it"
    LAPSED = "lapsed", "the provider held the payment back, and knows no more of it"
    MISMATCH = "mismatch", "the payment is not what was ordered"
    SUPERSEDED = "superseded", "it was paid, and could bring nothing any more"
    GIVEN_BACK = "given_back", "the payment was given back"


class Purchase(models.Model):
    """A purchase that a customer approves at the provider, by an order or by an agreement.

    `amount` is what is taken at the approval (0: nothing), `price` what each later period costs. `starts_at` is when an
    agreement's first regular charge is due, if not at once. `polled_at` is when the provider was last polled.
    """

    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="purchases")
    public_id = models.CharField(max_length=40, unique=True, default=new_purchase_id, editable=False)
    kind = models.CharField(max_length=12, choices=PurchaseKind)
    state = models.CharField(max_length=10, choices=PurchaseState, default=PurchaseState.PENDING)
    provider_id = models.CharField(max_length=64, unique=True, null=True, blank=True, help_text="Order or agreement.")
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    currency = models.CharField(max_length=3, default="USD")
    description = models.CharField(max_length=127)
    pack = models.CharField(max_length=12, blank=True)
    credits = models.PositiveBigIntegerField(default=0)
    plan = models.CharField(max_length=12, choices=Plan, blank=True)
    cycle = models.CharField(max_length=8, choices=Cycle, blank=True)
    price = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    reference = models.CharField(max_length=80, blank=True, help_text="The quote that is paid.")
    lines = models.JSONField(
        default=list, db_default=[], help_text="How `amount` comes about: [description, USD with tax as text]."
    )
    reason = models.CharField(
        max_length=12,
        choices=PurchaseReason,
        blank=True,
        default="",
        db_default="",
        help_text="Why it came to nothing.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    polled_at = models.DateTimeField("looked at", null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(amount__gte=0), name="purchase_amount_not_negative")]
        indexes = [
            models.Index(fields=["polled_at"], condition=Q(state="pending"), name="purchase_open"),
            models.Index(fields=["organisation", "-created_at"], name="purchase_of_user"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"

    @property
    def recurs(self) -> bool:
        """Whether it is approved as an agreement, not as an order."""
        return self.price is not None


class AgreementState(models.TextChoices):
    """As at the provider, in lower case; one that was never approved is no agreement but an open purchase."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class AgreementQuerySet(LeasedQuerySet["Agreement"]):
    """Agreements. Their lease is that of `agreement_sync`."""

    def unconfirmed(self) -> Self:
        """Agreements of which the provider has not confirmed what we asked for."""
        return self.filter(sync_pending=True)


class Agreement(Leased):
    """A recurring payment that a customer has approved; a PayPal subscription.

    `price` and `desired_state` are ours; `billing.payments.agreement_sync` brings the provider to them, under a lease.
    Of the agreements of an account at most one charges at a time: one that waits for its turn, or for its end, is
    suspended or not begun.
    """

    organisation = models.ForeignKey(
        Organisation, models.SET_NULL, db_column="user_id", null=True, related_name="agreements"
    )
    purchase = models.OneToOneField(Purchase, models.SET_NULL, null=True, related_name="agreement")
    provider_id = models.CharField(max_length=64, unique=True)
    plan = models.CharField(max_length=12, choices=Plan)
    cycle = models.CharField(max_length=8, choices=Cycle)
    price = models.DecimalField(max_digits=12, decimal_places=2)
    state = models.CharField(max_length=10, choices=AgreementState, default=AgreementState.ACTIVE)
    desired_state = models.CharField(
        "wanted",
        max_length=10,
        choices=AgreementState,
        default=AgreementState.ACTIVE,
        db_default=AgreementState.ACTIVE,
        help_text="The state that we ask the provider for.",
    )
    sync_pending = models.BooleanField(
        "unsettled",
        default=False,
        db_default=False,
        help_text="The provider has not confirmed `wanted` or `price` yet.",
    )
    next_billing_at = models.DateTimeField(null=True, blank=True)
    failed_payments = models.PositiveSmallIntegerField(default=0)
    polled_at = models.DateTimeField("looked at", null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = AgreementQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["polled_at"], condition=Q(ended_at=None), name="agreement_running"),
            models.Index(fields=["id"], condition=Q(sync_pending=True), name="agreement_sync_pending"),
        ]

    def __str__(self) -> str:
        return f"{self.provider_id}: {self.state}"


class PaymentKind(models.TextChoices):
    SUBSCRIPTION = "subscription"
    RENEWAL = "renewal"
    PLAN_CHANGE = "plan_change"
    CREDITS = "credits"
    QUOTE = "quote"


class PaymentState(models.TextChoices):
    """Only `completed` is money; `lapsed` is unknown at the provider since; `reversed` is a chargeback."""

    PENDING = "pending"
    COMPLETED = "completed"
    DECLINED = "declined"
    LAPSED = "lapsed"
    REFUNDED = "refunded"
    REVERSED = "reversed"


CAME_TO_NOTHING = frozenset({PaymentState.DECLINED, PaymentState.LAPSED})
"""States of a payment that failed."""


class PaymentQuerySet(OwnedQuerySet["Payment"]):
    def paying_for(self, source: Purchase | Agreement) -> Self:
        return self.filter(**{"purchase" if isinstance(source, Purchase) else "agreement": source})

    def waiting(self) -> Self:
        """Those that the provider holds back."""
        return self.filter(state=PaymentState.PENDING)

    def not_made(self) -> Self:
        """Those that were held back and came to nothing."""
        return self.filter(state__in=CAME_TO_NOTHING, on_hold_at__isnull=False)


class Payment(models.Model):
    """A capture, or a sale of an agreement, in the provider's words.

    The provider dates it: `created_at`, and `captured_at` once it is captured, which never changes.
    `recorded_at` is when we recorded the capture, and granted what it pays for.
    `on_hold_at` is when we recorded that the provider holds it; it stays after the decision.
    """

    organisation = models.ForeignKey(
        Organisation, models.SET_NULL, db_column="user_id", null=True, related_name="payments"
    )
    purchase = models.ForeignKey(Purchase, models.SET_NULL, null=True, related_name="payments")
    agreement = models.ForeignKey(Agreement, models.SET_NULL, null=True, related_name="payments")
    provider_id = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=12, choices=PaymentKind)
    state = models.CharField(max_length=10, choices=PaymentState)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    fee = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)
    currency = models.CharField(max_length=3, default="USD")
    plan = models.CharField(max_length=12, choices=Plan, blank=True)
    cycle = models.CharField(max_length=8, choices=Cycle, blank=True)
    description = models.CharField(max_length=127)
    payer_id = models.CharField(max_length=64, blank=True)
    payer_email = models.CharField(max_length=254, blank=True)
    created_at = models.DateTimeField(default=timezone.now, help_text="At the provider.")
    captured_at = models.DateTimeField(null=True, blank=True, help_text="At the provider; null: it is not money.")
    recorded_at = models.DateTimeField("learnt at", null=True, blank=True, help_text="When we learnt that it is money.")
    on_hold_at = models.DateTimeField("held at", null=True, blank=True)

    objects = PaymentQuerySet.as_manager()

    class Meta:
        indexes = [
            # The sums of the staff's reports are read from these alone.
            models.Index(fields=["captured_at", "amount"], name="payment_sums"),
            models.Index(fields=["state", "plan", "organisation", "captured_at", "amount"], name="payment_by_plan"),
            models.Index(fields=["state", "organisation"], name="payment_buyers"),
            # Read backwards: the newest that were not refunded.
            models.Index(fields=["state", "captured_at", "id"], name="payment_newest"),
            models.Index(fields=["organisation", "-created_at"], name="payment_of_user"),
        ]

    def __str__(self) -> str:
        return f"{self.provider_id}: {self.amount} {self.currency}"


class RefundState(models.TextChoices):
    REQUESTED = "asked", "Asked"
    DONE = "done"
    FAILED = "failed"


class Refund(StaffAct):
    """A full refund of a payment: by staff, or by the bank (a chargeback: `staff_id` is null)."""

    payment = models.OneToOneField(Payment, models.PROTECT, related_name="refund")
    state = models.CharField(max_length=6, choices=RefundState, default=RefundState.REQUESTED)
    provider_id = models.CharField(max_length=64, unique=True, null=True, blank=True)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    reason = models.CharField(max_length=500)
    staff_id = models.BigIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    done_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.payment_id}: {self.state}"


def new_item_id() -> str:
    return secrecy.generate_id("item")


class ProviderItem(models.Model):
    """A product or a plan in the provider's catalogue: `key` says which of ours at which price.

    `request_id` goes with the request that creates it, so that two requests at once create one.
    """

    key = models.CharField(max_length=200, unique=True)
    request_id = models.CharField(max_length=40, default=new_item_id)
    provider_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.key


class MethodKind(models.TextChoices):
    PAYPAL = "paypal"
    CARD = "card"


class PaymentMethod(models.Model):
    """How a customer has paid, as the provider reports it; never a card number."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="payment_methods")
    kind = models.CharField(max_length=6, choices=MethodKind, default=MethodKind.PAYPAL)
    provider_id = models.CharField(max_length=64, help_text="The payer at the provider.")
    label = models.CharField(max_length=254, blank=True, help_text="The payer's address there.")
    card_brand = models.CharField(max_length=20, blank=True)
    card_last_four = models.CharField(max_length=4, blank=True)
    is_default = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organisation", "provider_id"], name="payment_method_once"),
            models.UniqueConstraint(
                fields=["organisation"], condition=Q(is_default=True), name="one_default_payment_method"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.organisation_id}: {self.kind}"


@dataclass(frozen=True, slots=True)
class ChargeLine:
    """A part of a charge; `amount` is USD in whole cents, tax included, negative for what is credited."""

    description: str
    amount: Decimal
