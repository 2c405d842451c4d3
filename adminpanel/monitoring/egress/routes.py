"""Whether mail operators answer us: for each egress address, from the engine's processes (MON-042)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q, Sum
from django.utils import timezone

from adminpanel.monitoring.egress.models import Route, RouteSample, RouteState
from emailcheck.common.text.cleaning import make_storable, redact_text
from validation.egress.models import EgressAddress
from validation.egress.polling import current_profiles
from validation.engine import RouteReport
from validation.engine.egress.route_reports import EVERY_OPERATOR, OTHERS
from validation.engine.limits.warm_up import compute_warm_share, find_warm_day
from validation.engine.profiles import Profile, format_operator_title

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_COUNTED = ("probes_minute", "probes_hour", "refusals_hour", "probes_day", "refusals_day")


@dataclass(frozen=True, slots=True)
class _Limits:
    """What one egress address may do at one operator now; None: only each host sets its limits."""

    rate_limit: int | None
    sessions_limit: int | None
    warm_up: dict[str, Any] | None


def record_reports(reports: Sequence[RouteReport]) -> None:
    """Store what a process observed; of two processes the later one sets the state."""
    now = timezone.now()
    RouteSample.objects.bulk_create(
        [
            RouteSample(at=now, route=one.route, operator=one.operator, probes=one.probes, refusals=one.refusals)
            for one in reports
            if one.probes or one.refusals
        ]
    )
    for one in sorted(reports, key=lambda one: (one.route, one.operator)):
        values: dict[str, Any] = {
            "state": one.state,
            "seen_at": now,
            "next_attempt_at": _to_moment(one.next_attempt_at),
        }
        if one.refusal:
            values |= {"last_refusal": redact_text(make_storable(one.refusal))[:300], "refused_at": now}
        Route.objects.update_or_create(route=one.route, operator=one.operator, defaults=values)


def list_routes() -> list[dict[str, Any]]:
    """Each route and operator of the last day, by route and then by operator."""
    now = timezone.now()
    in_minute, in_hour = Q(at__gt=now - MINUTE), Q(at__gt=now - HOUR)
    sums: Any = (
        RouteSample.objects.filter(at__gt=now - DAY)
        .values("route", "operator")
        .annotate(
            probes_minute=Sum("probes", filter=in_minute, default=0),
            probes_hour=Sum("probes", filter=in_hour, default=0),
            refusals_hour=Sum("refusals", filter=in_hour, default=0),
            probes_day=Sum("probes"),
            refusals_day=Sum("refusals"),
        )
        .order_by()
    )
    counted = {(row["route"], row["operator"]): row for row in sums}
    known = Route.objects.filter(seen_at__gt=now - DAY).order_by("route", "operator")
    addresses = {row.name: row for row in EgressAddress.objects.order_by("seen_at")}
    return [
        _present_route(route, counted.get((route.route, route.operator), {}), addresses.get(route.route), now)
        for route in known
    ]


def count_recent_recipients() -> dict[str, int]:
    """How many recipients were answered in the last minute, by route."""
    sums = RouteSample.objects.filter(at__gt=timezone.now() - MINUTE).values_list("route").annotate(Sum("probes"))
    return dict(sums.order_by())


def _present_route(route: Route, sums: dict[str, Any], address: EgressAddress | None, now: datetime) -> dict[str, Any]:
    """A pause that has ended is not shown: the next attempt is the next address of that operator."""
    waits = route.next_attempt_at is not None and route.next_attempt_at > now
    limits = _load_limits(route.operator, address, now)
    return {
        "route": route.route,
        "operator": route.operator,
        "operator_name": _operator_title(route.operator),
        "egress_id": address.pk if address else None,
        "state": route.state,
        **{name: sums.get(name, 0) for name in _COUNTED},
        "rate_limit": limits.rate_limit,
        "sessions_limit": limits.sessions_limit,
        "warm_up": limits.warm_up,
        "last_refusal": route.last_refusal or None,
        "refused_at": route.refused_at,
        "next_attempt_at": route.next_attempt_at if waits and route.state != RouteState.WORKING else None,
    }


def _operator_title(operator: str) -> str:
    return operator.capitalize() if operator in (OTHERS, EVERY_OPERATOR) else format_operator_title(operator)


def _load_limits(operator: str, address: EgressAddress | None, now: datetime) -> _Limits:
    profile = current_profiles().named(operator)
    if not profile.name:
        return _Limits(None, None, None)
    since = address.warms_since.timestamp() if address and address.warms_since else None
    share = compute_warm_share(profile, since, now.timestamp())
    return _Limits(
        rate_limit=max(1, int(profile.per_minute * share)) if profile.per_minute else None,
        sessions_limit=max(1, int(profile.sessions * share)),
        warm_up=_present_warm_up(profile, since, share, now),
    )


def _present_warm_up(profile: Profile, since: float | None, share: float, now: datetime) -> dict[str, Any] | None:
    day = find_warm_day(profile, since, now.timestamp())
    return None if day is None else {"day": day, "days": len(profile.warm_up), "share": share}


def _to_moment(seconds: float | None) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds is not None else None
