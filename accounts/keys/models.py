"""Calls made with API keys."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.access.models import ApiKey
from accounts.organisations.models import Organisation, OwnedQuerySet


class ApiRequest(models.Model):
    """A call with an API key, and how it was answered; bodies as `accounts.keys.request_log` leaves them.

    Rows are written for many accounts at once: without constraints, so that one whose account was deleted meanwhile
    does not block the others.
    """

    organisation = models.ForeignKey(
        Organisation, models.CASCADE, db_column="user_id", related_name="+", db_index=False, db_constraint=False
    )
    key = models.ForeignKey(ApiKey, models.SET_NULL, null=True, related_name="+", db_index=False, db_constraint=False)
    test = models.BooleanField(default=False)
    request_id = models.CharField(max_length=64)
    time = models.DateTimeField(db_index=True)
    method = models.CharField(max_length=10)
    path = models.CharField(max_length=300)
    status = models.PositiveSmallIntegerField()
    duration_ms = models.FloatField()
    error_code = models.CharField(max_length=40, blank=True)
    deprecated = models.CharField(
        max_length=200, blank=True, db_default="", help_text="Entries of the changelog about what it used."
    )
    request_body = models.TextField(blank=True)
    response_body = models.TextField(blank=True)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        verbose_name = "API request"
        indexes = [
            models.Index(fields=["organisation", "-id"], name="api_request_of_user"),
            models.Index(fields=["organisation", "request_id"], name="api_request_by_id"),
            models.Index(fields=["key", "-id"], name="api_request_of_key"),
            models.Index(
                fields=["organisation", "-id"], condition=models.Q(deprecated__gt=""), name="api_request_deprecated"
            ),
        ]

    def __str__(self) -> str:
        return self.request_id


class KeyLeak(models.Model):
    """That a key was found where others can read it. Each place is told of once."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, related_name="+")
    key = models.ForeignKey(ApiKey, models.CASCADE, related_name="leaks")
    place = models.CharField(max_length=300, blank=True, help_text="Where it was found, as it was reported.")
    revoked = models.BooleanField(help_text="Whether we revoked the key.")
    reported_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "place"], name="leak_told_once")]

    def __str__(self) -> str:
        return f"{self.key_id}: {self.pk}"


class KeyLeakNotice(models.Model):
    """That somebody is told of a leak, until they have seen it."""

    leak = models.ForeignKey(KeyLeak, models.CASCADE, related_name="notices")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    dismissed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["leak", "user"], name="leak_notice_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.leak_id}"
