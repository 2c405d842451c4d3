"""Probes of the running product from outside, once a minute; each writes a sample."""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from adminpanel.monitoring.incidents.services import is_in_maintenance
from adminpanel.monitoring.probes.models import ProbeSample
from adminpanel.monitoring.targets import Part, Service, State
from billing.payments.paypal.errors import PayPalError
from billing.payments.paypal.gateway import paypal
from emailcheck.common.outbound.http import Origin, OutboundError
from emailcheck.common.queue import tasks
from emailcheck.common.queue.models import WorkerHeartbeat
from emailcheck.common.web import metrics
from validation.engine import Category
from validation.verifier.checker import checker, wait_for_any

log = logging.getLogger(__name__)

WORKER_PROBE = "adminpanel.monitoring.tasks.confirm_workers"
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


class ProbeFailed(Exception):
    """What was probed does not work; the message says how, for staff."""


class ProbeImpaired(Exception):
    """It answers, but not as it should."""


def probe_all() -> None:
    """Probe everything once."""
    _run_probe(Part.DATABASE, _probe_database)
    _probe_workers()
    _run_probe(Service.DASHBOARD, lambda: _probe_page("/dashboard", (200, 302)))
    _run_probe(Service.API, lambda: _probe_page("/api/plans", (200,)))
    if settings.VERIFIER_MAIL_FROM:
        _run_probe(Service.EMAIL_VALIDATION, _probe_engine)
    if is_payment_configured() and not _was_probed_since(Part.PAYMENT, timezone.now() - PAYMENT_EVERY):
        _run_probe(Part.PAYMENT, _probe_payment)


def is_payment_configured() -> bool:
    """Whether there are keys to check."""
    return bool(settings.PAYPAL_CLIENT_ID and settings.PAYPAL_CLIENT_SECRET)


def record_worker_answer() -> None:
    """Called by a worker of lists: it is alive, and took the task so long after it was queued."""
    now = timezone.now()
    for sample in _pending_samples():
        took = now - sample.at
        if took < WORKERS_DOWN:
            state = State.OPERATIONAL if took < WORKERS_LATE else State.DEGRADED
            _pending_samples().filter(pk=sample.pk).update(state=state, took_ms=round(1_000 * took.total_seconds(), 1))


def _probe_workers() -> None:
    """Queue the worker probe unless one waits, and fail those that no worker took in time."""
    now = timezone.now()
    _pending_samples().filter(at__lte=now - WORKERS_DOWN).update(state=State.DOWN, detail="no worker took the task")
    in_maintenance = is_in_maintenance(Service.VALIDATION, now)
    ProbeSample.objects.create(at=now, target=Service.VALIDATION, state=State.PENDING, in_maintenance=in_maintenance)
    tasks.enqueue_once(WORKER_PROBE, queue="bulk")


def _run_probe(target: Service | Part, probe: Callable[[], None]) -> None:
    began = time.perf_counter()
    state, detail = State.OPERATIONAL, ""
    try:
        probe()
    except ProbeImpaired as error:
        state, detail = State.DEGRADED, str(error)
    except Exception as error:
        state, detail = State.DOWN, str(error)
        if not isinstance(error, ProbeFailed):
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


def _probe_engine() -> None:
    run = checker().start([settings.VERIFIER_MAIL_FROM], deadline_s=_ENGINE_S)
    wait_for_any([run], 2 * _ENGINE_S)
    found = [verdict for _, verdict in run.pop_arrived()]
    if not found:
        run.stop()
        raise ProbeFailed("the engine gave no verdict in time")
    if found[0].category == Category.UNKNOWN:
        raise ProbeImpaired(f"our own mailbox is unknown: {found[0].reason}")
    if found[0].category not in _KNOWN:
        raise ProbeFailed(f"our own mailbox is {found[0].category}: {found[0].reason}")


def _probe_page(path: str, expected: tuple[int, ...]) -> None:
    try:
        answer = Origin(settings.SITE_URL, seconds=_WEB_S, hands_back_redirects=True).send(
            "GET", path, headers=metrics.build_probe_headers()
        )
    except OutboundError as error:
        raise ProbeFailed(type(error).__name__) from error
    if answer.status not in expected:
        raise ProbeFailed(f"answered with {answer.status}")


def _probe_database() -> None:
    WorkerHeartbeat.objects.order_by("pk").first()


def _probe_payment() -> None:
    try:
        paypal().check_keys()
    except PayPalError as error:
        raise ProbeFailed(str(error)) from error


def _was_probed_since(target: str, moment: datetime) -> bool:
    return ProbeSample.objects.filter(target=target, at__gt=moment).exists()


def _pending_samples() -> QuerySet[ProbeSample]:
    return ProbeSample.objects.filter(target=Service.VALIDATION, state=State.PENDING)
