"""Customers' endpoints, their deliveries, and the attempts to send them.

`Webhook → WebhookDelivery → WebhookAttempt`: a delivery is one event for one endpoint. The same event has the same
`message_id` at every endpoint and in every attempt, so that a receiver recognises repetitions.
"""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.access.models import ApiKey
from accounts.organisations.models import Organisation, OwnedQuerySet
from emailcheck.common import secrecy
from emailcheck.common.queue.leases import Leased, LeasedQuerySet


class WebhookEvent(models.TextChoices):
    VALIDATION_COMPLETED = "validation.completed"
    BATCH_PROCESSING = "batch.processing"
    BATCH_COMPLETED = "batch.completed"
    QUOTA_WARNING = "quota.warning"
    QUOTA_EXCEEDED = "quota.exceeded"
    CREDITS_LOW = "credits.low"
    PAYMENT_PENDING = "payment.pending"


class DeliveryStatus(models.TextChoices):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class WebhookHost(models.Model):
    """A host of endpoints.

    Changing its deliveries locks its row first, which keeps the count of connections to it exact.
    """

    name = models.CharField(max_length=255, primary_key=True)

    def __str__(self) -> str:
        return self.name


class WebhookQuerySet(OwnedQuerySet["Webhook"]):
    """Endpoints. A view's loader starts with `for_org`, so that another account's id is not found."""

    def for_org(self, organisation: Organisation) -> Self:
        return self.filter(organisation=organisation, deleted_at=None)


class Webhook(models.Model):
    """A URL at which an account receives some events."""

    is_in_plan = True  # False on a live one that was read for an account whose plan includes no live ones

    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="webhooks")
    maker = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", help_text="Who added it."
    )
    made_by_key = models.ForeignKey(
        ApiKey,
        models.SET_NULL,
        db_constraint=False,  # an earlier version beside this one does not know of it
        db_index=False,
        null=True,
        blank=True,
        related_name="+",
        help_text="The key with which it was added.",
    )
    url = models.CharField(max_length=1000)
    host = models.ForeignKey(WebhookHost, models.PROTECT, related_name="webhooks")
    events = models.JSONField(help_text="Names of the events that it hears of.")
    is_active = models.BooleanField(default=True)
    test = models.BooleanField(default=False, db_default=False, help_text="Hears of test mode, and of nothing else.")
    disabled_reason = models.CharField(max_length=300, blank=True, help_text="Why we switched it off.")
    failing_since = models.DateTimeField(null=True, blank=True, help_text="The first failure after the last success.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, help_text="Its owner sees it no more; its log goes.")

    objects = WebhookQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.organisation_id}: {self.pk}"

    @property
    def is_on(self) -> bool:
        """Whether it is switched on, and the plan includes it."""
        return self.is_active and self.is_in_plan


class WebhookSecret(models.Model):
    """A secret that signs an endpoint's messages. After a rotation the old one signs too, until `valid_until`."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="secrets")
    sealed = models.TextField()
    valid_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.webhook_id}: {self.pk}"


def new_delivery_id() -> str:
    return secrecy.generate_id("whd")


class WebhookDeliveryQuerySet(LeasedQuerySet["WebhookDelivery"]):
    """Deliveries. A view's loader starts with `for_org`, so that another account's id is not found."""

    def for_org(self, organisation: Organisation) -> Self:
        return self.filter(webhook__organisation=organisation, webhook__deleted_at=None)

    def pending(self) -> Self:
        return self.filter(status=DeliveryStatus.PENDING)

    def due(self, now: datetime) -> Self:
        """Deliveries whose time has come and that nobody sends."""
        return self.pending().filter(next_attempt_at__lte=now).free()


class WebhookDelivery(Leased):
    """One event for one endpoint, sent under a lease."""

    public_id = models.CharField(max_length=32, unique=True, default=new_delivery_id, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", db_index=False)
    event = models.CharField(max_length=24, choices=WebhookEvent)
    message_id = models.CharField(max_length=40, help_text="Sent as `webhook-id`.")
    key = models.CharField(max_length=120, help_text="What happened: the same thing is told once.")
    body = models.TextField(help_text="As it is sent and signed.")
    status = models.CharField(max_length=9, choices=DeliveryStatus, default=DeliveryStatus.PENDING)
    tries_since_queued = models.PositiveSmallIntegerField(
        "step", default=0, help_text="Tries since it was queued, or queued again."
    )
    next_attempt_at = models.DateTimeField(null=True, blank=True, default=timezone.now)
    is_test = models.BooleanField(default=False, help_text="Sent by the test button; not tried again by itself.")
    response_status = models.PositiveSmallIntegerField(null=True, blank=True)
    request_headers = models.JSONField(default=dict, help_text="Of the last try.")
    created_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    objects = WebhookDeliveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "webhook deliveries"
        constraints = [
            models.UniqueConstraint(fields=["webhook", "key"], name="webhook_tells_once"),
            models.CheckConstraint(
                condition=Q(status="pending") ^ Q(next_attempt_at=None), name="webhook_waits_or_is_over"
            ),
        ]
        indexes = [
            models.Index(fields=["status", "next_attempt_at"], name="webhook_due"),
            models.Index(fields=["lease_until"], condition=Q(lease_until__isnull=False), name="webhook_in_flight"),
            models.Index(fields=["webhook", "-id"], name="webhook_newest"),
            models.Index(fields=["webhook", "status", "-id"], name="webhook_by_status"),
        ]

    def __str__(self) -> str:
        return self.public_id


class WebhookAttempt(models.Model):
    """An attempt to deliver: the response, or the reason for none."""

    delivery = models.ForeignKey(WebhookDelivery, models.CASCADE, related_name="log")
    at = models.DateTimeField(default=timezone.now)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    response_body = models.TextField(blank=True, help_text="Its beginning.")
    error = models.CharField(max_length=300, blank=True)
    duration_ms = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.delivery_id}: {self.pk}"
