"""Alerts: figures beyond their thresholds."""

from django.db import models
from django.db.models import Q


class Severity(models.TextChoices):
    CRITICAL = "critical"
    WARNING = "warning"
    INFO = "info"


class Alert(models.Model):
    """A figure beyond its threshold, until it is back."""

    key = models.CharField(max_length=120, help_text="What is watched: an open alert a key.")
    severity = models.CharField(max_length=8, choices=Severity)
    category = models.CharField(max_length=20)
    title = models.CharField(max_length=120)
    message = models.CharField(max_length=300)
    raised_at = models.DateTimeField(db_index=True)
    cleared_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key"], condition=Q(cleared_at=None), name="alert_open_once")]

    def __str__(self) -> str:
        return self.title
