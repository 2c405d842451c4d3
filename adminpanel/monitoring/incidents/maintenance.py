"""Announced maintenance."""

from datetime import datetime

from adminpanel.monitoring.incidents.models import Incident, IncidentKind


def is_in_maintenance(target: str, moment: datetime) -> bool:
    """Whether staff have announced work on a service for that time."""
    windows = Incident.objects.during(moment, moment).filter(kind=IncidentKind.MAINTENANCE)
    return any(target in window.services for window in windows)
