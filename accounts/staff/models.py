"""The deletion of a colleague, which two administrators decide."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.activity.actors import StaffAct


class DeletionOutcome(models.TextChoices):
    """How a request ended; one that is neither confirmed nor cancelled lapses at `expires_at`."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"
    LAPSED = "lapsed"


class ColleagueDeletion(StaffAct):
    """A request of an administrator (`staff_id`) to delete a colleague's account; one at a time for each account.

    `colleague_id` is no foreign key, so that the record outlives both accounts.
    """

    staff_id = models.BigIntegerField(help_text="Who asks.")
    colleague_id = models.BigIntegerField()
    colleague_name = models.CharField(max_length=150)
    colleague_email = models.CharField(max_length=254)
    reason = models.CharField(max_length=500)
    outcome = models.CharField(max_length=10, choices=DeletionOutcome, default=DeletionOutcome.PENDING)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["colleague_id"], condition=Q(outcome="pending"), name="colleague_deletion_asked_once"
            )
        ]

    def __str__(self) -> str:
        return self.colleague_email
