"""Plans of accounts, and their pauses."""

from django.db import models
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.plans import Cycle, Plan


class Status(models.TextChoices):
    ACTIVE = "active"
    TRIAL = "trial"
    PAUSED = "paused"
    PAST_DUE = "past_due"
    CANCELLED = "cancelled"


class TrialStatus(models.TextChoices):
    ACTIVE = "active"
    EXPIRED = "expired"
    CONVERTED = "converted"


class Subscription(models.Model):
    """The plan of an account.

    The credit months of a paid plan are counted from `started_at`, those of the free plan from when the account was
    made. A trial lies over the free plan, whose months go on below it.
    """

    organisation = models.OneToOneField(Organisation, models.CASCADE, db_column="user_id", related_name="subscription")
    plan = models.CharField(max_length=12, choices=Plan, default=Plan.FREE)
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE, db_default=Status.ACTIVE)
    cycle = models.CharField(max_length=8, choices=Cycle, blank=True, default="", db_default="")
    started_at = models.DateTimeField(default=timezone.now)
    paid_until = models.DateTimeField(null=True, blank=True, help_text="No credits for months that begin later.")
    renews_at = models.DateTimeField(null=True, blank=True, db_index=True, help_text="When credits are due next.")
    custom_monthly_credits = models.PositiveBigIntegerField(
        "agreed limit", null=True, blank=True, help_text="Credits a month of a plan that was agreed upon one by one."
    )
    trial_status = models.CharField(max_length=10, choices=TrialStatus, blank=True, default="", db_default="")
    trial_ends_at = models.DateTimeField(null=True, blank=True, db_index=True)
    trial_end_announced_at = models.DateTimeField(null=True, blank=True)
    agreement = models.ForeignKey(
        "billing.Agreement", models.SET_NULL, null=True, blank=True, related_name="+", help_text="That pays for it."
    )
    period_starts_at = models.DateTimeField(null=True, blank=True, help_text="The period that is paid for.")
    period_ends_at = models.DateTimeField(null=True, blank=True, help_text="Moves on by the time it was paused.")
    scheduled_plan = models.CharField(max_length=12, choices=Plan, blank=True, default="", db_default="")
    scheduled_cycle = models.CharField(max_length=8, choices=Cycle, blank=True, default="", db_default="")
    scheduled_agreement = models.ForeignKey(
        "billing.Agreement", models.SET_NULL, null=True, blank=True, related_name="+", help_text="That takes over then."
    )
    cancel_at = models.DateTimeField(null=True, blank=True, db_index=True, help_text="When a cancelled plan ends.")
    paused_at = models.DateTimeField(null=True, blank=True)
    pause_ends_at = models.DateTimeField(null=True, blank=True, db_index=True, help_text="When it resumes by itself.")
    past_due_at = models.DateTimeField(null=True, blank=True, help_text="When the first payment failed.")

    class Meta:
        indexes = [
            models.Index(
                fields=["period_ends_at"],
                condition=models.Q(agreement__isnull=True, period_ends_at__isnull=False),
                name="plan_paid_once",
            ),
            models.Index(
                fields=["plan", "status", "cycle"],
                condition=models.Q(paid_until__isnull=False),
                name="subscription_paid",
            ),
            models.Index(fields=["plan"], name="subscription_plan"),
        ]

    def __str__(self) -> str:
        return f"{self.organisation_id}: {self.plan}"


class Pause(models.Model):
    """A time in which a plan was paused; open while `ends_at` is null."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="pauses")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organisation"], condition=models.Q(ends_at=None), name="one_open_pause")
        ]

    def __str__(self) -> str:
        return f"{self.organisation_id} {self.starts_at:%Y-%m-%d}"
