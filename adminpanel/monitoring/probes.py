"""Looks at the running product from outside of itself, once a minute, and writes down what was found.

Email Validation    the engine is asked for a mailbox of ours, which exists
Dashboard           the page answers, at the public address
Validation          the workers of lists take a small task and finish it
API                 a public call answers, at the public address
Database            a query is answered
Payment provider    it gives a token to our keys; every five minutes, and not at all without keys
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from adminpanel.monitoring.models import Incident, IncidentKind, Part, ProbeSample, Service, State
from billing.paypal.errors import PayPalError
from billing.paypal.gateway import paypal
from emailcheck.common import metrics, tasks
from emailcheck.common.http import Origin, OutboundError
from emailcheck.common.models import Heartbeat
from validation.checker import checker, wait_for_any
from validation.engine import Category

log = logging.getLogger(__name__)

PROVE = "adminpanel.monitoring.tasks.prove"
PAYMENT_EVERY = timedelta(minutes=4, seconds=30)
WORKERS_LATE, WORKERS_DOWN = timedelta(seconds=60), timedelta(seconds=180)
_ENGINE_S, _WEB_S = 10.0, 5.0
# From so many milliseconds on, an answer is late.
SLOW_MS = {
    Service.EMAIL_VALIDATION: 5_000,
    Service.DASHBOARD: 2_000,
    Service.API: 2_000,
    Part.DATABASE: 500,
    Part.PAYMENT: 5_000,
}
_KNOWN = (Category.VALID, Category.CATCH_ALL)


class Failed(Exception):
    """What was probed does not work; the message says how, for staff."""


class Impaired(Exception):
    """It answers, but not as it should."""


def probe_all() -> None:
    """One look at everything."""
    _write(Part.DATABASE, _database)
    _ask_workers()
    _write(Service.DASHBOARD, lambda: _get("/dashboard", (200, 302)))
    _write(Service.API, lambda: _get("/api/plans", (200,)))
    if settings.VERIFIER_MAIL_FROM:
        _write(Service.EMAIL_VALIDATION, _engine)
    if is_payment_configured() and not _seen_since(Part.PAYMENT, timezone.now() - PAYMENT_EVERY):
        _write(Part.PAYMENT, _payment)


def is_payment_configured() -> bool:
    """Whether there are keys to check."""
    return bool(settings.PAYPAL_CLIENT_ID and settings.PAYPAL_CLIENT_SECRET)


def answer_for_workers() -> None:
    """Called by a worker of lists: it is alive, and took the task so long after it was queued."""
    now = timezone.now()
    for sample in _pending():
        took = now - sample.at
        if took < WORKERS_DOWN:
            state = State.OPERATIONAL if took < WORKERS_LATE else State.DEGRADED
            _pending().filter(pk=sample.pk).update(state=state, took_ms=round(1_000 * took.total_seconds(), 1))


def _ask_workers() -> None:
    """Queue the task unless it waits already, and give up those that nobody took in time."""
    now = timezone.now()
    _pending().filter(at__lte=now - WORKERS_DOWN).update(state=State.DOWN, detail="no worker took the task")
    in_maintenance = is_in_maintenance(Service.VALIDATION, now)
    ProbeSample.objects.create(at=now, target=Service.VALIDATION, state=State.PENDING, in_maintenance=in_maintenance)
    if not tasks.waiting(PROVE, "bulk"):
        tasks.enqueue(PROVE, queue="bulk")


def is_in_maintenance(target: str, moment: datetime) -> bool:
    """Whether staff have announced work on a service for that time."""
    windows = Incident.objects.during(moment, moment).filter(kind=IncidentKind.MAINTENANCE)
    return any(target in window.services for window in windows)


def _write(target: Service | Part, look: Callable[[], None]) -> None:
    began = time.perf_counter()
    state, detail = State.OPERATIONAL, ""
    try:
        look()
    except Impaired as error:
        state, detail = State.DEGRADED, str(error)
    except Exception as error:
        state, detail = State.DOWN, str(error)
        if not isinstance(error, Failed):
            log.exception("the probe of %s failed", target)
    took_ms = round(1_000 * (time.perf_counter() - began), 1)
    if state == State.OPERATIONAL and took_ms > SLOW_MS[target]:
        state, detail = State.DEGRADED, "slow"
    now = timezone.now()
    ProbeSample.objects.create(
        at=now,
        target=target,
        state=state,
        took_ms=took_ms if state != State.DOWN else None,
        detail=detail[:200],
        in_maintenance=is_in_maintenance(target, now),
    )


def _engine() -> None:
    run = checker().start([settings.VERIFIER_MAIL_FROM], deadline_s=_ENGINE_S)
    wait_for_any([run], 2 * _ENGINE_S)
    found = [verdict for _, verdict in run.take()]
    if not found:
        run.stop()
        raise Failed("the engine gave no verdict in time")
    if found[0].category == Category.UNKNOWN:
        raise Impaired(f"our own mailbox is unknown: {found[0].reason}")
    if found[0].category not in _KNOWN:
        raise Failed(f"our own mailbox is {found[0].category}: {found[0].reason}")


def _get(path: str, wanted: tuple[int, ...]) -> None:
    try:
        answer = Origin(settings.SITE_URL, seconds=_WEB_S, hands_back_redirects=True).send(
            "GET", path, headers=metrics.own_headers()
        )
    except OutboundError as error:
        raise Failed(type(error).__name__) from error
    if answer.status not in wanted:
        raise Failed(f"answered with {answer.status}")


def _database() -> None:
    Heartbeat.objects.order_by("pk").first()


def _payment() -> None:
    try:
        paypal().check_keys()
    except PayPalError as error:
        raise Failed(str(error)) from error


def _seen_since(target: str, moment: datetime) -> bool:
    return ProbeSample.objects.filter(target=target, at__gt=moment).exists()


def _pending() -> QuerySet[ProbeSample]:
    return ProbeSample.objects.filter(target=Service.VALIDATION, state=State.PENDING)
