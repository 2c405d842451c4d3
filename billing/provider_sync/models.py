"""The provider's events, so that each is acted upon once."""

from django.db import models
from django.utils import timezone


class EventState(models.TextChoices):
    WAITING = "waiting", "could not be acted upon yet"
    DONE = "done", "was acted upon"
    GIVEN_UP = "given_up", "staff gave it up"


class ProviderEvent(models.Model):
    """A webhook event that was verified; PayPal may send one up to 25 times. It is acted upon once."""

    event_id = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=80)
    resource_id = models.CharField(max_length=64, blank=True)
    received_at = models.DateTimeField(default=timezone.now, editable=False)
    state = models.CharField(max_length=8, choices=EventState, default=EventState.WAITING, db_default=EventState.DONE)
    hints = models.JSONField(null=True, blank=True, help_text="What it named beside: whom to ask about.")
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0, help_text="Those that failed.")
    error = models.CharField(max_length=300, blank=True, db_default="", help_text="Of the last attempt.")

    class Meta:
        indexes = [
            models.Index(fields=["received_at"], condition=models.Q(state="waiting"), name="provider_event_waiting")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.event_id}"
