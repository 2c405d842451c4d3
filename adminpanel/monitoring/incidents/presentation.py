"""Incidents as staff see them."""

from typing import Any

from adminpanel.monitoring.incidents.models import Incident


def present_incident(found: Incident) -> dict[str, Any]:
    """An incident as staff see it."""
    names = ("title", "kind", "services", "started_at", "ended_at", "note")
    return {"id": found.pk, **{name: getattr(found, name) for name in names}}
