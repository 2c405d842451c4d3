"""The state, use and cost of outside providers.

`ProviderState` is a provider's present state, `ProviderDay` its counts on a day, `Question` one question about one row,
`ProviderMonth` the used part of an account's allowance. Only `validation.providers.booking` counts questions.
"""

from django.db import models
from django.utils import timezone

from accounts.organisations.models import Organisation
from emailcheck.common.queue.leases import Leased, LeasedQuerySet


class ProviderState(models.Model):
    """The state of a provider: the staff's decision, its circuit breaker, and our credits there as last reported.

    The breaker is closed without `not_before`. Until that time it is open; afterwards it is half open and admits one
    question at a time.
    """

    name = models.CharField(max_length=32, primary_key=True)
    enabled = models.BooleanField(default=True, db_default=True)
    daily_budget = models.PositiveIntegerField(
        null=True, blank=True, help_text="The most questions it may be paid for on a day (UTC); empty: any number."
    )
    failures = models.PositiveIntegerField(default=0, db_default=0, help_text="One after the other, until now.")
    pauses = models.PositiveIntegerField(default=0, db_default=0, help_text="One after the other, without an answer.")
    not_before = models.DateTimeField(null=True, blank=True, help_text="Nobody asks it before.")
    breaker_reason = models.CharField("why", max_length=200, blank=True, help_text="Why the breaker opened.")
    balance = models.BigIntegerField(null=True, blank=True, help_text="Our credits there; empty: not known.")
    balance_error = models.CharField(max_length=200, blank=True)
    balance_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name

    @property
    def breaker(self) -> str:
        """The circuit breaker's state: closed, open or half_open."""
        if self.not_before is None:
            return "closed"
        return "open" if self.not_before > timezone.now() else "half_open"


class ProviderDay(models.Model):
    """The counts of a provider on a day (UTC). `spent` never exceeds the day's budget."""

    provider = models.CharField(max_length=32)
    date = models.DateField()
    calls = models.PositiveIntegerField(default=0, help_text="Questions that were sent.")
    spent = models.PositiveIntegerField(default=0, help_text="Of these, those that it charged for, or may have.")
    answers = models.PositiveIntegerField(default=0)
    hits = models.PositiveIntegerField(default=0, help_text="Answers that said what the address is.")
    disagreements = models.PositiveIntegerField(default=0, help_text="Of these, those that another source contradicts.")
    failures = models.PositiveIntegerField(default=0)
    time_ms = models.PositiveBigIntegerField(default=0, help_text="What its answers took, in all.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["provider", "date"], name="provider_day_once")]

    def __str__(self) -> str:
        return f"{self.provider} {self.date}"


class ProviderMonth(models.Model):
    """The questions booked for an account in a month (UTC)."""

    organisation = models.ForeignKey(
        Organisation, models.CASCADE, db_column="user_id", related_name="+", db_index=False
    )
    month = models.DateField(help_text="Its first day.")
    questions = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organisation", "month"], name="provider_month_once")]

    def __str__(self) -> str:
        return f"{self.organisation_id} {self.month}"


class QuestionState(models.TextChoices):
    """The state of a question. `asked` without an answer: the process died, or still waits."""

    ASKED = "asked"
    RUNNING = "running", "Still running there"
    ANSWERED = "answered"
    FAILED = "failed"


class Question(Leased):
    """A question to a provider about a row, stored under a lease before it is sent, so that it is never sent twice."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="+")
    batch = models.ForeignKey("validation.Batch", models.CASCADE, null=True, blank=True, related_name="questions")
    subject = models.CharField(max_length=64, help_text="Batch and position; of a single check, an id of its own.")
    provider = models.CharField(max_length=32)
    state = models.CharField(max_length=8, choices=QuestionState, default=QuestionState.ASKED)
    asked_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    again_at = models.DateTimeField(null=True, blank=True, help_text="When it wants to be asked for its answer.")
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0, db_column="tries")
    answer = models.JSONField(null=True, blank=True, help_text="As `second_opinions.Said`.")
    error = models.CharField(max_length=200, blank=True)

    objects = LeasedQuerySet["Question"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["subject", "provider"], name="question_asked_once")]
        indexes = [models.Index(fields=["asked_at"], name="question_by_time")]

    def __str__(self) -> str:
        return f"{self.subject} {self.provider}"
