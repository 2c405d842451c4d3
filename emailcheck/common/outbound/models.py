"""Mails on their way."""

from datetime import datetime
from typing import Self

from django.db import models
from django.utils import timezone

from emailcheck.common.queue.leases import Leased, LeasedQuerySet


class MailQuerySet(LeasedQuerySet["OutgoingMail"]):
    """Mails."""

    def due(self, now: datetime) -> Self:
        """Mails that wait and whose time has come."""
        return self.filter(sent_at=None, next_try_at__lte=now)


class OutgoingMail(Leased):
    """A mail to be sent once, under a lease. Its content is stored, sealed, only until then."""

    key = models.CharField(max_length=120, unique=True)
    name = models.CharField(max_length=40)
    sealed = models.TextField(blank=True, help_text="Recipient and values of the templates; empty once sent.")
    next_try_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    objects = MailQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["next_try_at"], condition=models.Q(sent_at=None), name="outgoing_mail_waiting")]

    def __str__(self) -> str:
        return f"{self.name} {self.created_at:%Y-%m-%d %H:%M}"
