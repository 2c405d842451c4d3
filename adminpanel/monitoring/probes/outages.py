"""Incidents that probes open and end by themselves."""

from django.db import transaction
from django.utils import timezone

from adminpanel.monitoring.incidents.models import Incident, IncidentKind
from adminpanel.monitoring.incidents.services import is_in_maintenance
from adminpanel.monitoring.probes.models import ProbeSample
from adminpanel.monitoring.targets import Service, State

_IN_A_ROW = 2


def update_outages() -> None:
    """Open an incident for a service that was down at its last two probes, and end it when it was not at two."""
    for service in Service:
        _update_outage(service)


@transaction.atomic
def _update_outage(service: Service) -> None:
    going_on = _find_open_outage(service)
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
                opened_by_probes=True,
            )
    elif going_on is not None and all(sample.state != State.DOWN for sample in latest):
        going_on.ended_at = latest[-1].at
        going_on.save(update_fields=["ended_at"])


def _find_open_outage(service: Service) -> Incident | None:
    found = Incident.objects.select_for_update().filter(opened_by_probes=True, ended_at=None)
    return next((incident for incident in found if incident.services == [service.value]), None)
