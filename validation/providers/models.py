"""What is known of outside providers: how each stands, what it was asked, what that cost.

`ProviderState` is how a provider stands now, `ProviderDay` what it did on a day, `Question` that it was asked about one
row, `ProviderMonth` how much of an account's allowance is used. `validation.providers.booking` alone counts questions.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone


class ProviderState(models.Model):
    """How a provider stands: what staff decided, its circuit breaker, and what it last said of our credits there.

    The breaker is closed without `not_before`; until that moment it is open, and half open after it: then one question
    at a time finds out.
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
        """Of the circuit breaker: closed, open or half_open."""
        if self.not_before is None:
            return "closed"
        return "open" if self.not_before > timezone.now() else "half_open"


class ProviderDay(models.Model):
    """What a provider did on a day (UTC). `spent` never exceeds the day's budget."""

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
    """How many questions were booked for an account in a month (UTC)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    month = models.DateField(help_text="Its first day.")
    questions = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "month"], name="provider_month_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.month}"


class QuestionState(models.TextChoices):
    """Where a question stands. `asked` without an answer means that whoever asked has died, or still waits."""

    ASKED = "asked"
    RUNNING = "running", "Still running there"
    ANSWERED = "answered"
    FAILED = "failed"


class Question(models.Model):
    """That a provider was asked about a row: written down before it is asked, so that nobody asks it twice."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    batch = models.ForeignKey("validation.Batch", models.CASCADE, null=True, blank=True, related_name="questions")
    subject = models.CharField(max_length=64, help_text="Batch and position; of a single check, an id of its own.")
    provider = models.CharField(max_length=32)
    state = models.CharField(max_length=8, choices=QuestionState, default=QuestionState.ASKED)
    asked_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    again_at = models.DateTimeField(null=True, blank=True, help_text="When it wants to be asked for its answer.")
    tries = models.PositiveSmallIntegerField(default=1)
    answer = models.JSONField(null=True, blank=True, help_text="As `second_opinions.Said`.")
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["subject", "provider"], name="question_asked_once")]
        indexes = [models.Index(fields=["asked_at"], name="question_by_time")]

    def __str__(self) -> str:
        return f"{self.subject} {self.provider}"
