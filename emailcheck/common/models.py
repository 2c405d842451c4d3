"""Infrastructure tables: who is alive, which calls were answered already, mails on their way, recent requests."""

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
    key = models.CharField(max_length=260, help_text="As it was sent; with `test ` before it in test mode.")
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of what was asked.")
    status = models.PositiveSmallIntegerField(null=True, help_text="Null: the first call has not been answered yet.")
    body = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user_id", "key"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return self.key


class OutgoingMail(models.Model):
    """A mail that is to be sent once. What is in it is kept, sealed, only until then."""

    key = models.CharField(max_length=120, unique=True)
    name = models.CharField(max_length=40)
    sealed = models.TextField(blank=True, help_text="Recipient and values of the templates; empty once sent.")
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["next_try_at"], condition=models.Q(sent_at=None), name="outgoing_mail_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.created_at:%Y-%m-%d %H:%M}"


class RecentRequests(models.Model):
    """When one caller's latest accepted requests came, for a limit on them; Redis keeps the same where there is one."""

    key = models.CharField(max_length=64, primary_key=True, help_text="Keyed hash of who is limited, and of what.")
    times = models.JSONField(default=list, help_text="Seconds since 1970, oldest first.")
    forget_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "recent requests"

    def __str__(self) -> str:
        return self.key


class Machine(models.Model):
    """A machine whose processes check addresses, while limits are counted over several. Times are the database's."""

    id = models.CharField(max_length=32, primary_key=True)
    host = models.CharField(max_length=255, help_text="Its name, for people.")
    joined_at = models.DateTimeField(help_text="When it was first seen, or seen again after more than a minute.")
    seen_at = models.DateTimeField(db_index=True)
    reaches_redis = models.BooleanField()

    def __str__(self) -> str:
        return self.host
