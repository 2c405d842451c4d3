"""Incidents and maintenance: written by staff, and by probes that fail."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import activity
from accounts.models import ActivityKind, User
from adminpanel.monitoring.models import Incident, IncidentKind, ProbeSample, Service, State
from adminpanel.monitoring.probes import is_in_maintenance
from emailcheck.common.errors import BadInput, NotFound

LISTED = 100
_IN_A_ROW = 2


def listed() -> QuerySet[Incident]:
    """The newest, those to come first."""
    return Incident.objects.order_by("-started_at", "-pk")[:LISTED]


@transaction.atomic
def create(*, staff: User, **fields: Any) -> Incident:
    """Announce work, or tell of an outage. Raises `BadInput`."""
    incident = Incident(**fields)
    _check(incident)
    incident.save()
    _record(staff, incident, f"Created: {incident.kind}", {name: [None, _plain(fields[name])] for name in fields})
    return incident


@transaction.atomic
def change(*, incident_id: int, staff: User, **fields: Any) -> Incident:
    """Change or end what is told. Raises `NotFound`, `BadInput`."""
    incident = Incident.objects.select_for_update().filter(pk=incident_id).first()
    if incident is None:
        raise NotFound("Incident not found")
    before = {name: getattr(incident, name) for name in fields}
    for name, value in fields.items():
        setattr(incident, name, value)
    _check(incident)
    changes = {name: [_plain(was), _plain(fields[name])] for name, was in before.items() if was != fields[name]}
    if changes:
        incident.save(update_fields=list(changes))
        _record(staff, incident, f"Changed: {incident.kind}", changes)
    return incident


def follow_probes() -> None:
    """Open an incident for a service that was down at its last two probes, and end it when it was not at two."""
    for service in Service:
        _follow(service)


@transaction.atomic
def _follow(service: Service) -> None:
    going_on = _measured(service)
    ended = ProbeSample.objects.filter(target=service).exclude(state=State.PENDING).order_by("-at")
    latest = list(ended[:_IN_A_ROW])
    if len(latest) < _IN_A_ROW:
        return
    if going_on is None and all(sample.state == State.DOWN for sample in latest):
        if not is_in_maintenance(service, timezone.now()):
            Incident.objects.create(
                title=f"{service} is down",
                kind=IncidentKind.INCIDENT,
                services=[service.value],
                started_at=latest[-1].at,
                measured=True,
            )
    elif going_on is not None and all(sample.state != State.DOWN for sample in latest):
        going_on.ended_at = latest[-1].at
        going_on.save(update_fields=["ended_at"])


def _measured(service: Service) -> Incident | None:
    found = Incident.objects.select_for_update().filter(measured=True, ended_at=None)
    return next((incident for incident in found if incident.services == [service.value]), None)


def _check(incident: Incident) -> None:
    if not incident.title.strip():
        raise BadInput("Give it a title.", field="title")
    if not incident.services:
        raise BadInput("Choose at least one service.", field="services")
    if incident.ended_at is not None and incident.ended_at <= incident.started_at:
        raise BadInput("The end must be after the start.", field="ended_at")
    if incident.kind == IncidentKind.MAINTENANCE and incident.ended_at is None:
        raise BadInput("Say when the maintenance ends.", field="ended_at")


def _record(staff: User, incident: Incident, action: str, changes: dict[str, Any]) -> None:
    activity.record(
        user=None,
        kind=ActivityKind.STAFF,
        action=action,
        staff=staff,
        target=f"incident {incident.pk}",
        changes=changes,
    )


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
