"""Counters of this machine: requests by group, failures, checked rows.

No request waits for a database: each process adds to mapped files (`metric_files`), and once a minute all of it is
handed over to be stored (`settings.ON_MINUTE`).
"""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import Error
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare
from prometheus_client import Counter, Gauge, Histogram, Metric
from prometheus_client.utils import floatToGoString

from emailcheck.common import request_context, secrecy
from emailcheck.common.shared_state import metric_files
from emailcheck.common.shared_state.metric_files import ProcessMetrics, Sums
from emailcheck.common.text.cleaning import redact_text

PAGES = "pages"
GROUPS = ("validation", "accounts", "billing", "quotes", "staff", "public", PAGES)
BUCKETS_MS = (5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
"""Upper ends of the buckets of a histogram of times; one more bucket holds what took longer."""
OUTCOMES = ("answered", "refused", "failed")
_ENDS_S = (*(end / 1_000 for end in BUCKETS_MS), float("inf"))
_GROUP_OF = {
    **dict.fromkeys(("validate", "analytics", "webhooks"), "validation"),
    **dict.fromkeys(("auth", "user"), "accounts"),
    **dict.fromkeys(("credits", "referral", "plans", "subscriptions", "trial", "payments", "invoices"), "billing"),
    "payment-methods": "billing",
    "quotes": "quotes",
    **dict.fromkeys(("admin", "monitoring"), "staff"),
}
_NOT_OURS = ("/static/", "/sandbox", "/metrics")
_MOST_FAILURE_OCTETS = 256 * 1024
_probing: ContextVar[list[float] | None] = ContextVar("probing", default=None)


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that failed by our fault: when, what, how it ended, and the account, if known."""

    at: datetime
    description: str
    status: int
    user_id: int | None
    request_id: str


@dataclass(frozen=True, slots=True)
class RequestCounts:
    """Requests of a group, those refused (4xx) or failed (5xx), their own time, and what they waited for mail hosts.

    `buckets` counts them by their own time, for each of `BUCKETS_MS` and what took longer.
    """

    requests: int
    refused: int
    failed: int
    time_ms: float
    probing_ms: float
    buckets: Sequence[int]


@dataclass(frozen=True, slots=True)
class WorkCounts:
    """Checked rows of lists, their chunks, and how long those were worked on."""

    rows: int
    chunks: int
    time_ms: float


class _Counters:
    """What Prometheus shows of this process."""

    def __init__(self) -> None:
        self.active = Gauge(
            "emailcheck_requests_active", "Requests being answered.", multiprocess_mode="livesum", registry=None
        )
        requests = Counter("emailcheck_requests", "Requests by how they ended.", ["group", "outcome"], registry=None)
        times = Histogram(
            "emailcheck_request_seconds", "What requests took without waiting for mail hosts.", ["group"],
            buckets=_ENDS_S, registry=None,
        )  # fmt: skip
        probing = Counter(
            "emailcheck_probing_seconds", "What requests waited for mail hosts.", ["group"], registry=None
        )
        self.requests = {(group, how): requests.labels(group, how) for group in GROUPS for how in OUTCOMES}
        self.times = {group: times.labels(group) for group in GROUPS}
        self.probing = {group: probing.labels(group) for group in GROUPS}
        self.singles = Counter(
            "emailcheck_single_checks", "Single addresses that the engine was asked about.", registry=None
        )
        self.rows = Counter("emailcheck_list_rows", "Rows of lists that were checked.", registry=None)
        self.chunks = Counter("emailcheck_list_chunks", "Chunks of lists that were checked.", registry=None)
        self.chunk_seconds = Counter("emailcheck_list_chunk_seconds", "How long chunks were worked on.", registry=None)

    def count_request(self, group: str, status: int, seconds: float, probing_s: float) -> None:
        """Count a request by how it ended, and its own time."""
        self.requests[group, OUTCOMES[max(0, min(status // 100, 5) - 3)]].inc()
        self.times[group].observe(max(0.0, seconds - probing_s))
        if probing_s:
            self.probing[group].inc(probing_s)


_process_metrics = ProcessMetrics(_Counters)


class MetricsMiddleware:
    """Counts every request of the product, and notes those that failed by our own fault (5xx)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        group = find_group(request.path_info)
        if group is None or _is_own_probe(request):
            return self.get_response(request)
        counters, probing = _open_counters(), [0.0]
        token, began, status = _probing.set(probing), time.perf_counter(), 500
        if counters:
            counters.active.inc()
        try:
            response = self.get_response(request)
            status = response.status_code
        finally:
            _probing.reset(token)
            if counters:
                counters.count_request(group, status, time.perf_counter() - began, probing[0])
                counters.active.dec()
        if status >= 500:
            with suppress(OSError):  # on a full disk it is counted all the same
                _record_failure(request, response)
        return response


def find_group(path: str) -> str | None:
    """The group of a path; None for files and for the sandbox."""
    if path.startswith(_NOT_OURS):
        return None
    if not path.startswith("/api/"):
        return PAGES
    segments = path.removeprefix("/api/").removeprefix("v1/").split("/", 1)
    return _GROUP_OF.get(segments[0], "public")


def count_unanswered(path: str) -> None:
    """Count a request that was refused with 503 before it was routed."""
    group, counters = find_group(path), _open_counters()
    if group is not None and counters:
        counters.count_request(group, 503, 0.0, 0.0)


@contextmanager
def waiting_for_mail_hosts() -> Iterator[None]:
    """Work in this block waits for mail hosts: it is excluded from the times of requests (MON-039)."""
    began, spent = time.perf_counter(), _probing.get()
    try:
        yield
    finally:
        if spent is not None:
            spent[0] += time.perf_counter() - began


def count_work(*, rows: int, time_ms: float) -> None:
    """Count a chunk of a list whose rows were checked."""
    counters = _open_counters()
    if counters:
        counters.rows.inc(rows)
        counters.chunks.inc()
        counters.chunk_seconds.inc(time_ms / 1_000)


def count_single_check() -> None:
    """Count an address that the engine was asked about while its caller waits."""
    counters = _open_counters()
    if counters:
        counters.singles.inc()


def read_pending() -> Sums:
    """The counts of this machine that were not handed over."""
    return metric_files.read_pending(settings.METRICS_DIR)


def read_requests(sums: Sums, group: str) -> RequestCounts:
    """What sums hold of a group."""
    name = "emailcheck_request_seconds"
    answered, refused, failed = (
        round(sums.read_sample("emailcheck_requests_total", group=group, outcome=outcome)) for outcome in OUTCOMES
    )
    return RequestCounts(
        answered + refused + failed, refused, failed,
        time_ms=1_000 * sums.read_sample(f"{name}_sum", group=group),
        probing_ms=1_000 * sums.read_sample("emailcheck_probing_seconds_total", group=group),
        buckets=[round(sums.read_sample(f"{name}_bucket", group=group, le=floatToGoString(end))) for end in _ENDS_S],
    )  # fmt: skip


def read_work(sums: Sums) -> WorkCounts:
    """What sums hold of lists."""
    rows, chunks, seconds = (
        sums.read_sample(f"emailcheck_list_{name}_total") for name in ("rows", "chunks", "chunk_seconds")
    )
    return WorkCounts(round(rows), round(chunks), 1_000 * seconds)


def collect_metrics() -> Iterable[Metric]:
    """All counts of this machine."""
    _open_counters()
    return metric_files.collect_metrics(settings.METRICS_DIR)


def count_active_requests() -> int:
    """Requests that this machine is answering."""
    return round(metric_files.read_living(settings.METRICS_DIR).read_sample("emailcheck_requests_active"))


@contextmanager
def handing_over_sums() -> Iterator[tuple[Sums, list[Failure]]]:
    """Counts and failures since the last time; they are deleted when the block ends without an error."""
    with metric_files.handing_over(settings.METRICS_DIR) as sums:
        taken = _failures_file().with_suffix(".taken")
        if not taken.exists() and _failures_file().exists():
            _failures_file().rename(taken)
        yield sums, list(_read_failures(taken))
        taken.unlink(missing_ok=True)


def list_recent_failures() -> list[Failure]:
    """What failed on this machine and was not handed over."""
    return list(_read_failures(_failures_file()))


def build_probe_headers() -> dict[str, str]:
    """What marks a request of our own probes: those are not counted."""
    return {"X-Probe": secrecy.keyed_hash("probe", purpose="metrics")}


def _is_own_probe(request: HttpRequest) -> bool:
    sent = request.META.get("HTTP_X_PROBE")
    return sent is not None and constant_time_compare(sent, build_probe_headers()["X-Probe"])


def _record_failure(request: HttpRequest, response: HttpResponseBase) -> None:
    """Append a line, which takes no lock; of very many failures only the first are stored, all are counted."""
    route = request.resolver_match.route if request.resolver_match else request.path_info
    data = getattr(response, "data", None)
    code = data.get("code", "") if isinstance(data, dict) else ""
    line = {
        "at": time.time(),
        "what": redact_text(f"{request.method} /{route.lstrip('^/')}: {code or 'INTERNAL_ERROR'}")[:200],
        "status": response.status_code,
        "user_id": _find_caller_id(request),
        "request_id": request_context.current_request_id(),
    }
    file = os.open(_failures_file(), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        if os.fstat(file).st_size < _MOST_FAILURE_OCTETS:
            os.write(file, json.dumps(line).encode() + b"\n")
    finally:
        os.close(file)


def _find_caller_id(request: HttpRequest) -> int | None:
    try:
        user: Any = getattr(request, "user", None)
        return user.pk if user is not None else None
    except Error:
        return None


def _read_failures(path: Path) -> Iterator[Failure]:
    """The failures of a file. Half a line, of a disk that was full, is none."""
    for line in path.read_text(errors="replace").splitlines() if path.exists() else ():
        try:
            failure = json.loads(line)
        except ValueError:
            continue
        failure["at"] = datetime.fromtimestamp(failure["at"], UTC)
        yield Failure(description=failure.pop("what"), **failure)


def _failures_file() -> Path:
    path: Path = settings.METRICS_DIR / "failures.jsonl"
    return path


def _open_counters() -> _Counters | None:
    """None while a full disk has no room for them."""
    with suppress(OSError):
        return _process_metrics.open(settings.METRICS_DIR)
    return None
