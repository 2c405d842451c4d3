"""The answers of the monitoring page and the public health call, composed from measured figures."""

from contextlib import suppress
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.users.models import User
from adminpanel.monitoring.alerts.models import Alert, Severity
from adminpanel.monitoring.alerts.services import MAX_LISTED, list_open_alerts
from adminpanel.monitoring.measurements import figures, machine, queues
from adminpanel.monitoring.measurements.models import RequestFailure
from adminpanel.monitoring.probes.services import is_payment_configured
from adminpanel.monitoring.status import services as status
from adminpanel.monitoring.targets import Part, Service
from billing.referrals.services import mask_address
from emailcheck.common.web import metrics
from validation.daily import rollups

RECENT_FAILURES = 20
_CACHED_S = 5
_PERCENTILES = (0.5, 0.95, 0.99)


def present_health() -> dict[str, Any]:
    """The public figures, a few seconds old at most: without names, alert texts, or anything secret.

    Measured each time while Redis, and the cache with it, is away.
    """
    key = f"monitoring.health:{machine.machine_name()}"
    found: dict[str, Any] | None = None
    with suppress(RedisError):
        found = cache.get(key)
    if found is None:
        found = _measure_health()
        with suppress(RedisError):
            cache.set(key, found, _CACHED_S)
    return found


def _measure_health() -> dict[str, Any]:
    now, here, alerts = timezone.now(), machine.measure_machine(), list_open_alerts()
    window = figures.sum_window(now - figures.HOUR)
    return {
        "status": _worst_state(alerts),
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
            "active_requests": metrics.count_active_requests(),
        },
        "alerts": [
            {"severity": alert.severity, "category": alert.category, "timestamp": alert.raised_at}
            for alert in alerts[:MAX_LISTED]
        ],
    }


def present_alerts() -> dict[str, Any]:
    """What is wrong now: the first ten, and how many there are."""
    found = list_open_alerts()
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
            for alert in found[:MAX_LISTED]
        ],
        "summary": {
            "total": len(found),
            "critical": sum(alert.severity == Severity.CRITICAL for alert in found),
            "warning": sum(alert.severity == Severity.WARNING for alert in found),
        },
    }


def present_overview() -> dict[str, Any]:
    """The last hour in figures, the queues, and this machine."""
    since = timezone.now() - figures.HOUR
    window = figures.sum_histogram(since)
    p50, p95, p99 = (window.percentile_ms(share) for share in _PERCENTILES)
    here = machine.measure_machine()
    return {
        "overview": {
            "total_requests": window.requests,
            "error_rate": window.error_rate,
            "avg_response_time": window.average_ms,
            "requests_per_minute": round(window.requests / 60, 1),
            "uptime_hours": here.uptime_hours,
            "status": _worst_state(list_open_alerts()),
            "p50_ms": p50,
            "p95_ms": p95,
            "p99_ms": p99,
            "uptime_percent": status.measure_uptime(Service.API, timezone.now() - figures.DAY),
            "groups": [
                _present_group(name, found) for name, found in figures.sum_by_group(since).items() if found.requests
            ],
            "queues": [
                {"name": line.name, "waiting": line.waiting, "oldest_seconds": round(line.oldest_s)}
                for line in queues.measure_queues()
            ],
            "work": figures.measure_throughput(since),
        },
        "system_info": machine.describe_machine(),
    }


def present_api_health() -> dict[str, Any]:
    """The calls of the API in the last day, failures, and whether what they rest on works."""
    now = timezone.now()
    window = figures.sum_window(now - figures.DAY, figures.API)
    return {
        "uptime": status.measure_uptime(Service.API, now - figures.DAY),
        "totalValidations": rollups.sum_all_days()["processed"],
        "successRate": round(100 - window.error_rate, 2) if window.requests else None,
        "avgResponseTime": window.average_ms if window.requests else None,
        "errorRate": window.error_rate if window.requests else None,
        "dailyVolume": figures.count_calls_today(),
        "recentErrors": _list_failures(),
        "performanceData": figures.build_series(),
        "services": {
            "validation": _present_service(Service.EMAIL_VALIDATION, now),
            "database": _present_service(Part.DATABASE, now),
            "payment": _present_service(Part.PAYMENT, now) if is_payment_configured() else _NOT_CONFIGURED,
        },
    }


_NOT_CONFIGURED = {"status": "not_configured", "response_ms": None, "checked_at": None}


def _present_service(target: str, now: datetime) -> dict[str, Any]:
    sample = status.find_newest_sample(target)
    if sample is None or not status.is_fresh(sample, now):
        return {"status": "no_data", "response_ms": None, "checked_at": sample.at if sample else None}
    return {"status": sample.state, "response_ms": sample.took_ms, "checked_at": sample.at}


def _present_group(name: str, window: figures.Window) -> dict[str, Any]:
    return {
        "name": name,
        "requests": window.requests,
        "error_rate": window.error_rate,
        "avg_response_time": window.average_ms,
        "p95_ms": window.percentile_ms(0.95),
    }


def _list_failures() -> list[dict[str, Any]]:
    """The newest, those of this machine's last minute included; the caller's address masked."""
    stored = RequestFailure.objects.filter(at__gt=timezone.now() - figures.DAY).order_by("-at")[:RECENT_FAILURES]
    every: list[RequestFailure | metrics.Failure] = [*metrics.list_recent_failures(), *stored]
    latest = sorted(every, key=lambda failure: failure.at, reverse=True)[:RECENT_FAILURES]
    callers = {failure.user_id for failure in latest if failure.user_id is not None}
    emails = dict(User.objects.filter(pk__in=callers).values_list("pk", "email"))
    return [
        {
            "timestamp": failure.at,
            "error": failure.description,
            "email": mask_address(emails[failure.user_id]) if failure.user_id in emails else None,
            "severity": "critical" if failure.status == 500 else "warning",
        }
        for failure in latest
    ]


def _worst_state(found: list[Alert]) -> str:
    severities = {alert.severity for alert in found}
    if Severity.CRITICAL in severities:
        return "error"
    return "warning" if Severity.WARNING in severities else "healthy"
