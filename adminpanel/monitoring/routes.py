"""Whether mail operators answer us: for each way out, from what the engine's processes tell (MON-042)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q, Sum
from django.utils import timezone

from adminpanel.monitoring.models import Route, RouteSample, RouteState
from emailcheck.common import logs
from emailcheck.common.text import storable
from validation.engine import RouteNews

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def keep(news: Sequence[RouteNews]) -> None:
    """Write what a process has learned; of two processes the later one says how it is."""
    now = timezone.now()
    RouteSample.objects.bulk_create(
        [
            RouteSample(at=now, route=one.route, operator=one.operator, probes=one.probes, refusals=one.refusals)
            for one in news
            if one.probes or one.refusals
        ]
    )
    for one in sorted(news, key=lambda one: (one.route, one.operator)):
        told: dict[str, Any] = {"state": one.state, "seen_at": now, "next_attempt_at": _moment(one.next_attempt_at)}
        if one.refusal:
            told |= {"last_refusal": logs.redacted(storable(one.refusal))[:300], "refused_at": now}
        Route.objects.update_or_create(route=one.route, operator=one.operator, defaults=told)


def listed() -> list[dict[str, Any]]:
    """Each route and operator of the last day, by route and then by operator."""
    now = timezone.now()
    in_hour = Q(at__gt=now - HOUR)
    sums: Any = (
        RouteSample.objects.filter(at__gt=now - DAY)
        .values("route", "operator")
        .annotate(
            probes_hour=Sum("probes", filter=in_hour, default=0),
            refusals_hour=Sum("refusals", filter=in_hour, default=0),
            probes_day=Sum("probes"),
            refusals_day=Sum("refusals"),
        )
        .order_by()
    )
    counted = {(row["route"], row["operator"]): row for row in sums}
    known = Route.objects.filter(seen_at__gt=now - DAY).order_by("route", "operator")
    return [_row(route, counted.get((route.route, route.operator), {}), now) for route in known]


def _row(route: Route, sums: dict[str, Any], now: datetime) -> dict[str, Any]:
    """A pause that is over says nothing more: the next attempt is then the next address of that operator."""
    waits = route.next_attempt_at is not None and route.next_attempt_at > now
    return {
        "route": route.route,
        "operator": route.operator,
        "state": route.state,
        **{name: sums.get(name, 0) for name in ("probes_hour", "refusals_hour", "probes_day", "refusals_day")},
        "last_refusal": route.last_refusal or None,
        "next_attempt_at": route.next_attempt_at if waits and route.state != RouteState.WORKING else None,
    }


def _moment(seconds: float | None) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds is not None else None
