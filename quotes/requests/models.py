"""Requests for a price."""

from django.db import models
from django.utils import timezone

from accounts.organisations.models import Organisation


class RequestStatus(models.TextChoices):
    PENDING = "PENDING"
    QUOTED = "QUOTED"
    DECLINED = "DECLINED"


class QuoteRequest(models.Model):
    """A customer's request for a price."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="quote_requests")
    company_name = models.CharField(max_length=255, blank=True)
    credits_requested = models.PositiveBigIntegerField()
    notes = models.CharField(max_length=2_000, blank=True)
    status = models.CharField(max_length=8, choices=RequestStatus, default=RequestStatus.PENDING)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["status", "-created_at"], name="quote_request_open"),
            models.Index(fields=["organisation", "-id"], name="quote_request_of_user"),
        ]

    def __str__(self) -> str:
        return f"{self.credits_requested} for {self.organisation_id}"
