"""Quotes, their states, and the state of the plan that came of one.

What a quote costs and grants is written into it when it is made; later rates change nothing.
"""

import secrets
from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.activity.actors import StaffAct
from accounts.organisations.models import Organisation, OwnedQuerySet
from quotes.requests.models import QuoteRequest


class QuoteStatus(models.TextChoices):
    ACTIVE = "active"
    DECLINED = "declined"
    PAID = "paid"
    ACTIVATED = "activated"


class Period(models.TextChoices):
    MONTHLY = "monthly"
    YEARLY = "yearly"


def new_quote_id() -> str:
    """Such as `Q-20261120-7F3A9C`: unique, and no secret."""
    return f"Q-{timezone.now():%Y%m%d}-{secrets.token_hex(3).upper()}"


class QuoteQuerySet(OwnedQuerySet["Quote"]):
    """Quotes; customers' views load through `for_org`, so that another account's quote is not found."""

    def unpaid(self) -> Self:
        """Those that were never paid or activated."""
        return self.filter(status__in=(QuoteStatus.ACTIVE, QuoteStatus.DECLINED), paid_at=None)


class Quote(StaffAct):
    """An offer to a customer, by address; `organisation` is the account that has proved to own that address."""

    quote_id = models.CharField(max_length=24, unique=True, default=new_quote_id, editable=False)
    organisation = models.ForeignKey(
        Organisation, models.SET_NULL, db_column="user_id", null=True, blank=True, related_name="quotes"
    )
    request = models.ForeignKey(QuoteRequest, models.SET_NULL, null=True, blank=True, related_name="quotes")
    deal = models.ForeignKey("crm.Deal", models.SET_NULL, null=True, blank=True, related_name="quotes")
    customer_name = models.CharField(max_length=150)
    customer_email = models.EmailField(db_index=True)
    customer_company = models.CharField(max_length=255, blank=True)
    credits_needed = models.PositiveBigIntegerField()
    notes = models.CharField(max_length=2_000, blank=True)
    price_of_twelve_months = models.DecimalField("twelve months", max_digits=12, decimal_places=2)
    monthly_price = models.DecimalField(max_digits=12, decimal_places=2)
    annual_price = models.DecimalField(max_digits=12, decimal_places=2)
    annual_savings = models.DecimalField(max_digits=12, decimal_places=2)
    first_month_credits = models.PositiveBigIntegerField("first month")
    later_month_credits = models.PositiveBigIntegerField("monthly after")
    yearly_credits = models.PositiveBigIntegerField()
    status = models.CharField(max_length=9, choices=QuoteStatus, default=QuoteStatus.ACTIVE)
    selected_plan = models.CharField(max_length=7, choices=Period, blank=True)
    staff_id = models.BigIntegerField(help_text="Who made it.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    paid_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    reminded_7_at = models.DateTimeField(null=True, blank=True)
    reminded_2_at = models.DateTimeField(null=True, blank=True)

    objects = QuoteQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["expires_at"], condition=Q(status__in=("active", "declined")), name="quote_unpaid"),
            models.Index(fields=["-created_at"], name="quote_newest"),
            models.Index(fields=["credits_needed"], name="quote_by_credits"),
            models.Index(fields=["annual_price"], name="quote_by_price"),
        ]

    def __str__(self) -> str:
        return self.quote_id

    def is_expired(self, now: datetime | None = None) -> bool:
        """Whether it is too late to pay it (QUO-119); what was paid does not expire."""
        return self.status == QuoteStatus.ACTIVE and self.expires_at <= (now or timezone.now())


class PlanStatus(models.TextChoices):
    PENDING = "pending"
    PAYMENT_RECEIVED = "payment_received"
    APPROVED = "approved"
