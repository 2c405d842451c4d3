"""Deals, their stages and their history."""

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.activity.actors import StaffAct

CLOSES_SOON = timedelta(days=30)


class Stage(models.TextChoices):
    PROSPECT = "prospect"
    QUALIFIED = "qualified"
    PROPOSAL = "proposal"
    NEGOTIATION = "negotiation"
    CLOSED_WON = "closed_won"
    CLOSED_LOST = "closed_lost"


OPEN_STAGES = (Stage.PROSPECT, Stage.QUALIFIED, Stage.PROPOSAL, Stage.NEGOTIATION)


class Deal(models.Model):
    """A possible sale; `position` orders the deals of a stage, `value` is in USD."""

    company_name = models.CharField(max_length=255)
    contact_name = models.CharField(max_length=150)
    contact_email = models.EmailField()
    value = models.DecimalField(max_digits=14, decimal_places=2)
    stage = models.CharField(max_length=11, choices=Stage, default=Stage.PROSPECT)
    position = models.PositiveIntegerField(default=0)
    expected_close_date = models.DateField()
    notes = models.TextField(blank=True, max_length=5_000)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_contact_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["stage", "position"], name="deal_on_the_board")]
        constraints = [models.CheckConstraint(condition=Q(value__gte=0), name="deal_value_not_negative")]

    def __str__(self) -> str:
        return self.company_name


class DealEvent(StaffAct):
    """What happened to a deal, and notes; never changed."""

    deal = models.ForeignKey(Deal, models.CASCADE, related_name="events")
    staff_id = models.BigIntegerField()
    action = models.CharField(max_length=40)
    text = models.TextField(blank=True, max_length=5_000)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.action
