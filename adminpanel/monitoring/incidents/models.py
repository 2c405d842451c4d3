"""Incidents and maintenance windows of the status page."""

from django.db import models
from django.db.models import Q
from django.utils import timezone


class IncidentKind(models.TextChoices):
    INCIDENT = "incident"
    MAINTENANCE = "maintenance"


class IncidentQuerySet(models.QuerySet["Incident"]):
    """Incidents and maintenance windows."""

    def during(self, begin: "models.DateTimeField[object, object] | object", end: object) -> "IncidentQuerySet":
        """Those that were going on at any time between."""
        return self.filter(Q(ended_at=None) | Q(ended_at__gt=begin), started_at__lte=end)


class Incident(models.Model):
    """An incident of the status page: an outage, found by probes or reported by staff, or planned work."""

    title = models.CharField(max_length=120)
    kind = models.CharField(max_length=12, choices=IncidentKind)
    services = models.JSONField(help_text="Names of the services that it concerns.")
    started_at = models.DateTimeField(db_index=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True)
    opened_by_probes = models.BooleanField(
        "measured", default=False, editable=False, help_text="Opened and ended by probes."
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = IncidentQuerySet.as_manager()

    def __str__(self) -> str:
        return self.title
