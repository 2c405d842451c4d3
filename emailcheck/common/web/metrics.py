"""Counters of this machine: requests by group, failures, checked rows.

No request waits for a database: each process adds to a memory-mapped file (`counters`), and once a minute all of it is
handed over to be stored (`settings.ON_MINUTE`).
"""

import json
import os
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import Error
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare

from emailcheck.common import sealing
from emailcheck.common.logs import redaction
from emailcheck.common.request_context import request_ids
from emailcheck.common.shared_state.counters import CounterFiles, Sums

PAGES = "pages"
GROUPS = ("validation", "accounts", "billing", "quotes", "staff", "public", PAGES)
BUCKETS_MS = (5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
"""Upper ends of the buckets of a histogram of times; one more bucket holds what took longer."""
BUCKETS = tuple(f"bucket{place}" for place in range(len(BUCKETS_MS) + 1))
FIELDS = ("started", "requests", "refused", "failed", "time_ms", "probing_ms", *BUCKETS)
WORK = ("work.rows", "work.chunks", "work.time_ms")
NAMES = (*(f"{group}.{field}" for group in GROUPS for field in FIELDS), *WORK)
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


class MetricsMiddleware:
    """Counts every request of the product, and notes those that failed by our own fault (5xx)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        group = find_group(request.path_info)
        if group is None or _is_own_probe(request):
            return self.get_response(request)
        counters, probing = _counter_files(), [0.0]
        token, began, status = _probing.set(probing), time.perf_counter(), 500
        counters.add([(f"{group}.started", 1)])
        try:
            response = self.get_response(request)
            status = response.status_code
        finally:
            _probing.reset(token)
            counters.add(_request_amounts(group, status, 1_000 * (time.perf_counter() - began), 1_000 * probing[0]))
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
    group = find_group(path)
    if group is not None:
        _counter_files().add([(f"{group}.started", 1), *_request_amounts(group, 503, 0.0, 0.0)])


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
    _counter_files().add([("work.rows", rows), ("work.chunks", 1), ("work.time_ms", time_ms)])


def pending_sums() -> Sums:
    """The counts of this machine that were not handed over."""
    return _counter_files().pending()


def total_sums() -> Sums:
    """All counts of this machine."""
    return _counter_files().totals()


def count_active_requests() -> int:
    """Requests that this machine is answering."""
    living = _counter_files().living()
    return round(sum(living[f"{group}.started"] - living[f"{group}.requests"] for group in GROUPS))


@contextmanager
def handing_over_sums() -> Iterator[tuple[Sums, list[Failure]]]:
    """Counts and failures since the last time; they are deleted when the block ends without an error."""
    with _counter_files().handing_over() as sums:
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
    return {"X-Probe": sealing.keyed_hash("probe", purpose="metrics")}


def _is_own_probe(request: HttpRequest) -> bool:
    sent = request.META.get("HTTP_X_PROBE")
    return sent is not None and constant_time_compare(sent, build_probe_headers()["X-Probe"])


def _request_amounts(group: str, status: int, time_ms: float, probing_ms: float) -> Iterable[tuple[str, float]]:
    own_ms = max(0.0, time_ms - probing_ms)
    yield f"{group}.requests", 1
    yield f"{group}.time_ms", own_ms
    yield f"{group}.probing_ms", probing_ms
    yield f"{group}.{BUCKETS[bisect_left(BUCKETS_MS, own_ms)]}", 1
    if status >= 500:
        yield f"{group}.failed", 1
    elif status >= 400:
        yield f"{group}.refused", 1


def _record_failure(request: HttpRequest, response: HttpResponseBase) -> None:
    """Append a line, which takes no lock; of very many failures only the first are stored, all are counted."""
    route = request.resolver_match.route if request.resolver_match else request.path_info
    data = getattr(response, "data", None)
    code = data.get("code", "") if isinstance(data, dict) else ""
    line = {
        "at": time.time(),
        "what": redaction.redact_text(f"{request.method} /{route.lstrip('^/')}: {code or 'INTERNAL_ERROR'}")[:200],
        "status": response.status_code,
        "user_id": _find_caller_id(request),
        "request_id": request_ids.current_request_id(),
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


def _counter_files() -> CounterFiles:
    return _open_counter_files(settings.METRICS_DIR)


@lru_cache(maxsize=1)
def _open_counter_files(directory: Path) -> CounterFiles:
    return CounterFiles(directory, NAMES)
