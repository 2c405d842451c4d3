"""The status page: what `GET /api/status` and its history tell, as a page."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from adminpanel.monitoring.incidents.models import Incident, IncidentKind
from adminpanel.monitoring.status import services as status
from adminpanel.monitoring.targets import State
from emailcheck.public.page_frame import render_public_page

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
    now, past = status.measure_status(), status.build_history()
    days = {service["name"]: service["days"] for service in past["services"]}
    context = {
        "overall": now["overall"],
        "tone": _OVERALL.get(now["overall"], "unknown"),
        "checked_at": now["checked_at"],
        "services": [_present_service(service, days[service["name"]]) for service in now["services"]],
        "table": _day_table(past["services"]),
        "states": STATES.items(),
        "history_days": status.HISTORY_DAYS,
        "told": [_present_incidents(IncidentKind.INCIDENT, past), _present_incidents(IncidentKind.MAINTENANCE, past)],
    }
    return render_public_page(request, "public/status.html", context, kept_s=0)


def _present_service(service: dict[str, Any], days: list[dict[str, Any]]) -> dict[str, Any]:
    """A row of the page; `state` is None without a recent probe."""
    measured = sum(day["uptime"] is not None for day in days)
    return service | {
        "state": service["status"],
        "tone": STATES.get(service["status"], "unknown"),
        "days": [{"tone": _state_tone(day["uptime"]), "text": _describe_day(day)} for day in days],
        "measured": measured,
    }


def _state_tone(uptime: float | None) -> str:
    if uptime is None:
        return "none"
    if uptime >= _GOOD:
        return "valid"
    return "risky" if uptime >= _FAIR else "invalid"


def _format_percent(uptime: float | None) -> str:
    return NO_DATA if uptime is None else f"{uptime:.2f}%"


def _describe_day(day: dict[str, Any]) -> str:
    return f"{day['date']:%-d %b %Y}: {_format_percent(day['uptime'])}"


def _day_table(services: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """A line for each day, newest first, with the uptime of each service."""
    by_day = zip(*(service["days"] for service in services), strict=True)
    lines = [{"date": days[0]["date"], "uptimes": [_format_percent(day["uptime"]) for day in days]} for days in by_day]
    return lines[::-1]


def _present_incidents(kind: IncidentKind, past: dict[str, Any]) -> dict[str, Any]:
    """Incidents, or maintenance, newest first, each with where it stands."""
    now = timezone.now()
    found = [one for one in past["incidents"] if one.kind == kind]
    return {"kind": kind.value, "entries": [{"entry": one, "stands": _describe_state(one, now)} for one in found]}


def _describe_state(entry: Incident, now: datetime) -> str:
    if entry.started_at > now:
        return "planned"
    return "ended" if entry.ended_at and entry.ended_at.astimezone(UTC) <= now else "ongoing"
