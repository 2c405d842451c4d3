"""The status page: what `GET /api/status` and its history tell, as a page."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from adminpanel.monitoring import status
from adminpanel.monitoring.models import Incident, IncidentKind, State
from emailcheck.public.page import public_page

NO_DATA = "No data"
# The states of a service with the tone of their badge.
STATES = {
    State.OPERATIONAL.value: "valid",
    State.DEGRADED.value: "risky",
    State.DOWN.value: "invalid",
    status.MAINTENANCE: "catch_all",
}
_OVERALL = {status.ALL: "valid", status.PARTIAL: "risky", status.MAJOR: "invalid"}
# From which uptime of a day, in percent, its mark has a tone; below the last it is `invalid`.
_GOOD, _FAIR = 99.0, 95.0


@require_safe
def status_page(request: HttpRequest) -> HttpResponse:
    """Services, days, incidents and maintenance, as measured."""
    now, past = status.current(), status.history()
    days = {service["name"]: service["days"] for service in past["services"]}
    context = {
        "overall": now["overall"],
        "tone": _OVERALL.get(now["overall"], "unknown"),
        "checked_at": now["checked_at"],
        "services": [_service(service, days[service["name"]]) for service in now["services"]],
        "table": _table(past["services"]),
        "states": STATES.items(),
        "history_days": status.HISTORY_DAYS,
        "told": [_told(IncidentKind.INCIDENT, past), _told(IncidentKind.MAINTENANCE, past)],
    }
    return public_page(request, "public/status.html", context, kept_s=0)


def _service(service: dict[str, Any], days: list[dict[str, Any]]) -> dict[str, Any]:
    """A row of the page; `state` is None when nobody has looked lately."""
    measured = sum(day["uptime"] is not None for day in days)
    return service | {
        "state": service["status"],
        "tone": STATES.get(service["status"], "unknown"),
        "days": [{"tone": _tone(day["uptime"]), "text": _day_text(day)} for day in days],
        "measured": measured,
    }


def _tone(uptime: float | None) -> str:
    if uptime is None:
        return "none"
    if uptime >= _GOOD:
        return "valid"
    return "risky" if uptime >= _FAIR else "invalid"


def _percent(uptime: float | None) -> str:
    return NO_DATA if uptime is None else f"{uptime:.2f}%"


def _day_text(day: dict[str, Any]) -> str:
    return f"{day['date']:%-d %b %Y}: {_percent(day['uptime'])}"


def _table(services: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """A line for each day, newest first, with the uptime of each service."""
    by_day = zip(*(service["days"] for service in services), strict=True)
    lines = [{"date": days[0]["date"], "uptimes": [_percent(day["uptime"]) for day in days]} for days in by_day]
    return lines[::-1]


def _told(kind: IncidentKind, past: dict[str, Any]) -> dict[str, Any]:
    """Incidents, or maintenance, newest first, each with where it stands."""
    now = timezone.now()
    found = [one for one in past["incidents"] if one.kind == kind]
    return {"kind": kind.value, "entries": [{"entry": one, "stands": _stands(one, now)} for one in found]}


def _stands(entry: Incident, now: datetime) -> str:
    if entry.started_at > now:
        return "planned"
    return "ended" if entry.ended_at and entry.ended_at.astimezone(UTC) <= now else "ongoing"
