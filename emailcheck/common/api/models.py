"""Calls that were answered already, by their idempotency key."""

from django.db import models
from django.utils import timezone


class IdempotentCall(models.Model):
    """A call with an `Idempotency-Key`, and its answer once there is one."""

    user_id = models.BigIntegerField()
    key = models.CharField(max_length=260, help_text="As it was sent; with `test ` before it in test mode.")
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of what was asked.")
    status = models.PositiveSmallIntegerField(null=True, help_text="Null: the first call has not been answered yet.")
    body = models.JSONField(null=True)
    headers = models.JSONField(default=dict, db_default={}, help_text="Those that tell where to ask on, and when.")
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user_id", "key"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return self.key
