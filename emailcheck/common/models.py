"""Infrastructure tables: who is alive, which calls were answered already."""

from django.db import models
from django.utils import timezone


class Heartbeat(models.Model):
    """When a part of the running system last showed that it works."""

    name = models.CharField(max_length=60, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class IdempotentCall(models.Model):
    """A call with an `Idempotency-Key`, and its answer once there is one."""

    user_id = models.BigIntegerField()
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of what was asked.")
    status = models.PositiveSmallIntegerField(null=True, help_text="Null: the first call has not been answered yet.")
    body = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user_id", "key"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return self.key
