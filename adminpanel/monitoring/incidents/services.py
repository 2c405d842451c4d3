"""Incidents and maintenance: written by staff, and by probes that fail."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from adminpanel.monitoring.incidents.models import Incident, IncidentKind
from emailcheck.common.errors import BadInput, NotFound

MAX_LISTED = 100


def list_incidents() -> QuerySet[Incident]:
    """The newest, those to come first."""
    return Incident.objects.order_by("-started_at", "-pk")[:MAX_LISTED]


@transaction.atomic
def create_incident(*, staff: User, **fields: Any) -> Incident:
    """Announce work, or report an outage. Raises `BadInput`."""
    incident = Incident(**fields)
    _check_incident(incident)
    incident.save()
    _record_change(
        staff, incident, f"Created: {incident.kind}", {name: [None, _to_plain(fields[name])] for name in fields}
    )
    return incident


@transaction.atomic
def change_incident(*, incident_id: int, staff: User, **fields: Any) -> Incident:
    """Change or end an incident. Raises `NotFound`, `BadInput`."""
    incident = Incident.objects.select_for_update().filter(pk=incident_id).first()
    if incident is None:
        raise NotFound("Incident not found")
    before = {name: getattr(incident, name) for name in fields}
    for name, value in fields.items():
        setattr(incident, name, value)
    _check_incident(incident)
    changes = {name: [_to_plain(was), _to_plain(fields[name])] for name, was in before.items() if was != fields[name]}
    if changes:
        incident.save(update_fields=list(changes))
        _record_change(staff, incident, f"Changed: {incident.kind}", changes)
    return incident


def _check_incident(incident: Incident) -> None:
    if not incident.title.strip():
        raise BadInput("Give it a title.", field="title")
    if not incident.services:
        raise BadInput("Choose at least one service.", field="services")
    if incident.ended_at is not None and incident.ended_at <= incident.started_at:
        raise BadInput("The end must be after the start.", field="ended_at")
    if incident.kind == IncidentKind.MAINTENANCE and incident.ended_at is None:
        raise BadInput("Say when the maintenance ends.", field="ended_at")


def _record_change(staff: User, incident: Incident, action: str, changes: dict[str, Any]) -> None:
    audit_log.record_activity(
        user=None,
        kind=ActivityKind.STAFF,
        action=action,
        staff=staff,
        target=f"incident {incident.pk}",
        changes=changes,
    )


def _to_plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def is_in_maintenance(target: str, moment: datetime) -> bool:
    """Whether staff have announced work on a service for that time."""
    windows = Incident.objects.during(moment, moment).filter(kind=IncidentKind.MAINTENANCE)
    return any(target in window.services for window in windows)
