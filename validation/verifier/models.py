"""Stored facts about domains for the engine."""

from django.db import models


class DomainMemory(models.Model):
    """Whether a domain accepts every name, found by a random recipient; valid until `expires_at`."""

    domain = models.CharField(max_length=255, primary_key=True)
    accepts_all = models.BooleanField()
    reply = models.CharField(max_length=200)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "domain memories"

    def __str__(self) -> str:
        return self.domain
