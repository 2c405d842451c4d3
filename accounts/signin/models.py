"""One-time tokens, and requests about an address without a sign-in."""

from django.db import models
from django.utils import timezone

from accounts.users.models import User


class Purpose(models.TextChoices):
    """What a one-time token is for."""

    VERIFY = "verify", "confirms the address"
    RESET = "reset", "sets a new password"
    MFA = "mfa", "right password, code awaited"
    TOTP_SETUP = "totp_setup", "second factor to be confirmed"
    SESSION = "session", "back from Google"


class OneTimeToken(models.Model):
    """A secret for one purpose that works once. Only its hash is stored."""

    user = models.ForeignKey(User, models.CASCADE, related_name="one_time_tokens")
    purpose = models.CharField(max_length=10, choices=Purpose)
    digest = models.CharField(max_length=64, unique=True)
    sealed = models.TextField(blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(db_index=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "one-time token"

    def __str__(self) -> str:
        return f"{self.user_id} {self.purpose}"


class MailboxRequestKind(models.TextChoices):
    """What can be requested about an address without a sign-in."""

    REGISTER = "register"
    VERIFY = "verify"
    RESET = "reset"


class MailboxRequest(models.Model):
    """A request about an address, until the queue has answered its owner by mail."""

    kind = models.CharField("wish", max_length=10, choices=MailboxRequestKind)
    sealed = models.TextField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.created_at:%Y-%m-%d %H:%M}"
