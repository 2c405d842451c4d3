"""What staff and the public health call are told, put together from the measured figures."""

from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.utils import timezone

from accounts.models import User
from adminpanel.monitoring import figures, machine, queues, status
from adminpanel.monitoring.alerts import LISTED, open_alerts
from adminpanel.monitoring.models import Alert, Incident, Part, RequestFailure, Service, Severity
from adminpanel.monitoring.probes import is_payment_configured
from billing.referrals import masked
from emailcheck.common import metrics
from validation import rollups

RECENT_FAILURES = 20
_CACHED_S = 5
_PERCENTILES = (0.5, 0.95, 0.99)


def health() -> dict[str, Any]:
    """The public figures, a few seconds old at most: without names, words of alerts, or anything secret."""
    key = f"monitoring.health:{machine.name()}"
    found: dict[str, Any] | None = cache.get(key)
    if found is None:
        found = _health()
        cache.set(key, found, _CACHED_S)
    return found


def _health() -> dict[str, Any]:
    now, here, alerts = timezone.now(), machine.look(), open_alerts()
    window = figures.window(now - figures.HOUR)
    return {
        "status": _state_of(alerts),
        "system": {
            "memory_percent": here.memory_percent,
            "memory_available_gb": here.memory_available_gb,
            "cpu_percent": here.cpu_percent,
            "disk_percent": here.disk_percent,
            "disk_available_gb": here.disk_available_gb,
            "uptime_hours": here.uptime_hours,
        },
        "application": {
            "total_requests": window.requests,
            "error_rate": window.error_rate,
            "avg_response_time": window.average_ms,
            "active_requests": metrics.active(),
        },
        "alerts": [
            {"severity": alert.severity, "category": alert.category, "timestamp": alert.raised_at}
            for alert in alerts[:LISTED]
        ],
    }


def alerts() -> dict[str, Any]:
    """What is wrong now: the first ten, and how many there are."""
    found = open_alerts()
    return {
        "alerts": [
            {
                "id": str(alert.pk),
                "severity": alert.severity,
                "title": alert.title,
                "message": alert.message,
                "timestamp": alert.raised_at,
                "category": alert.category,
            }
            for alert in found[:LISTED]
        ],
        "summary": {
            "total": len(found),
            "critical": sum(alert.severity == Severity.CRITICAL for alert in found),
            "warning": sum(alert.severity == Severity.WARNING for alert in found),
        },
    }


def overview() -> dict[str, Any]:
    """The last hour in figures, the queues, and this machine."""
    since = timezone.now() - figures.HOUR
    window = figures.histogram(since)
    p50, p95, p99 = (window.percentile_ms(share) for share in _PERCENTILES)
    here = machine.look()
    return {
        "overview": {
            "total_requests": window.requests,
            "error_rate": window.error_rate,
            "avg_response_time": window.average_ms,
            "requests_per_minute": round(window.requests / 60, 1),
            "uptime_hours": here.uptime_hours,
            "status": _state_of(open_alerts()),
            "p50_ms": p50,
            "p95_ms": p95,
            "p99_ms": p99,
            "uptime_percent": status.uptime_since(Service.API, timezone.now() - figures.DAY),
            "groups": [_group(name, found) for name, found in figures.by_group(since).items() if found.requests],
            "queues": [
                {"name": line.name, "waiting": line.waiting, "oldest_seconds": round(line.oldest_s)}
                for line in queues.lengths()
            ],
            "work": figures.throughput(since),
        },
        "system_info": machine.description(),
    }


def api_health() -> dict[str, Any]:
    """The calls of the API in the last day, failures, and whether what they rest on works."""
    now = timezone.now()
    window = figures.window(now - figures.DAY, figures.API)
    return {
        "uptime": status.uptime_since(Service.API, now - figures.DAY),
        "totalValidations": rollups.totals_of_all()["processed"],
        "successRate": round(100 - window.error_rate, 2) if window.requests else None,
        "avgResponseTime": window.average_ms if window.requests else None,
        "errorRate": window.error_rate if window.requests else None,
        "dailyVolume": figures.today(),
        "recentErrors": _failures(),
        "performanceData": figures.series(),
        "services": {
            "validation": _service(Service.EMAIL_VALIDATION, now),
            "database": _service(Part.DATABASE, now),
            "payment": _service(Part.PAYMENT, now) if is_payment_configured() else _NOT_CONFIGURED,
        },
    }


def incident(found: Incident) -> dict[str, Any]:
    """An incident as staff see it."""
    names = ("title", "kind", "services", "started_at", "ended_at", "note")
    return {"id": found.pk, **{name: getattr(found, name) for name in names}}


_NOT_CONFIGURED = {"status": "not_configured", "response_ms": None, "checked_at": None}


def _service(target: str, now: datetime) -> dict[str, Any]:
    sample = status.newest_sample(target)
    if sample is None or not status.is_fresh(sample, now):
        return {"status": "no_data", "response_ms": None, "checked_at": sample.at if sample else None}
    return {"status": sample.state, "response_ms": sample.took_ms, "checked_at": sample.at}


def _group(name: str, window: figures.Window) -> dict[str, Any]:
    return {
        "name": name,
        "requests": window.requests,
        "error_rate": window.error_rate,
        "avg_response_time": window.average_ms,
        "p95_ms": window.percentile_ms(0.95),
    }


def _failures() -> list[dict[str, Any]]:
    """The newest, those of this machine's last minute included; the caller's address masked."""
    stored = RequestFailure.objects.filter(at__gt=timezone.now() - figures.DAY).order_by("-at")[:RECENT_FAILURES]
    every: list[RequestFailure | metrics.Failure] = [*metrics.recent_failures(), *stored]
    latest = sorted(every, key=lambda failure: failure.at, reverse=True)[:RECENT_FAILURES]
    callers = {failure.user_id for failure in latest if failure.user_id is not None}
    emails = dict(User.objects.filter(pk__in=callers).values_list("pk", "email"))
    return [
        {
            "timestamp": failure.at,
            "error": failure.what,
            "email": masked(emails[failure.user_id]) if failure.user_id in emails else None,
            "severity": "critical" if failure.status == 500 else "warning",
        }
        for failure in latest
    ]


def _state_of(found: list[Alert]) -> str:
    severities = {alert.severity for alert in found}
    if Severity.CRITICAL in severities:
        return "error"
    return "warning" if Severity.WARNING in severities else "healthy"
