"""Contracts, and their status by date."""

from datetime import date, timedelta

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from crm.deals.models import Deal

EXPIRES_SOON = timedelta(days=30)


class ContractStatus(models.TextChoices):
    ACTIVE = "active"
    EXPIRING = "expiring"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


class Contract(models.Model):
    """What was agreed upon, from its first to its last day; `value` in USD.

    A deal, its quote and its plan request share one: `deal` and `quote_id` are unique.
    """

    deal = models.OneToOneField(Deal, models.PROTECT, null=True, blank=True, related_name="contract")
    quote_id = models.CharField(max_length=24, unique=True, null=True, blank=True)
    company_name = models.CharField(max_length=255)
    plan = models.CharField(max_length=120)
    starts_on = models.DateField()
    ends_on = models.DateField(db_index=True)
    value = models.DecimalField(max_digits=14, decimal_places=2)
    renews_on = models.DateField(null=True, blank=True)
    auto_renewal = models.BooleanField(default=False)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(value__gte=0), name="contract_value_not_negative"),
            models.CheckConstraint(condition=Q(ends_on__gt=F("starts_on")), name="contract_ends_after_it_starts"),
        ]

    def __str__(self) -> str:
        return f"{self.company_name}: {self.plan}"

    def status(self, today: date) -> ContractStatus:
        """By its dates (CRM-014); cancelled is set by hand, and one that renews itself does not expire."""
        if self.cancelled_at:
            return ContractStatus.CANCELLED
        if today > self.ends_on and not self.auto_renewal:
            return ContractStatus.EXPIRED
        if today <= self.ends_on <= today + EXPIRES_SOON:
            return ContractStatus.EXPIRING
        return ContractStatus.ACTIVE
