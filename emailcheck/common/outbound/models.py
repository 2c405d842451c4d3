"""Mails on their way."""

from django.db import models
from django.utils import timezone


class OutgoingMail(models.Model):
    """A mail to be sent once. Its content is stored, sealed, only until then."""

    key = models.CharField(max_length=120, unique=True)
    name = models.CharField(max_length=40)
    sealed = models.TextField(blank=True, help_text="Recipient and values of the templates; empty once sent.")
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["next_try_at"], condition=models.Q(sent_at=None), name="outgoing_mail_waiting")]

    def __str__(self) -> str:
        return f"{self.name} {self.created_at:%Y-%m-%d %H:%M}"
