"""Every page's calls over ten million stored results on PostgreSQL: a heavy customer's, and those of staff.

    make bench-scale

`benchmarks.admin` makes 100,000 accounts with their payments and daily counts, `seeding` the results. Then each call is
made `CALLS` times within this process, with everything that a request passes through but the network; of a download it
is the time to the first byte. What is compared with the bar is wall-clock time, which on a machine that others use is
more than the call takes; the processor time of this process and of its PostgreSQL backend is told beside it.
`PAGES_SCALE=0.01` makes everything a hundredth of its size, `PAGES_FILLED=1` measures what an earlier run has stored.
"""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.signin.sessions import start_sign_in
from accounts.users.models import User
from benchmarks import admin, figures
from benchmarks.lists import pages as list_pages
from benchmarks.scale import seeding
from validation.batches.models import Batch
from validation.results.models import Result

RESULTS = int(10_000_000 * float(os.environ.get("PAGES_SCALE", "1")))
CALLS, MOST_MS = 20, 150
_ACCOUNT = (
    ("Account", "/api/auth/me"),
    ("Account", "/api/user/sessions"),
    ("Account", "/api/user/activity"),
    ("Account", "/api/user/requests"),
    ("Account", "/api/user/api-keys"),
    ("Account", "/api/user/webhooks"),
    ("Account", "/api/organisation"),
    ("Account", "/api/organisation/audit"),
    ("Billing", "/api/credits"),
    ("Billing", "/api/credits/statement"),
    ("Billing", "/api/subscriptions/status"),
    ("Billing", "/api/invoices"),
    ("Billing", "/api/plans"),
)
_DECISIONS = ("safe", "risky", "do_not_send")
_ORDERS = ("row", "-row", "email", "category", "confidence", "-confidence")
_FILES = ("csv", "xlsx", "zip")
Asked = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Measured:
    """Milliseconds of a call: median and 95th percentile by the clock, median by the processor."""

    page: str
    path: str
    status: int
    median: float
    p95: float
    cpu: float

    @property
    def is_good(self) -> bool:
        return self.status == 200 and self.p95 <= MOST_MS


def main() -> None:
    """Fill the database, then print and tell what the calls took."""
    if not os.environ.get("PAGES_FILLED"):
        admin.fill()
        seeding.fill(_find_heavy(), RESULTS)
    settings.SITE_REQUESTS_PER_MINUTE = 1_000_000
    stored, heavy = Result.objects.count(), _find_heavy()
    print(f"{stored:,} stored results, {User.objects.count():,} accounts", flush=True)
    found = [_measure(_sign_in(heavy), *asked) for asked in _list_calls(heavy)]
    found += [_measure(_sign_in(_make_staff()), *asked) for asked in _list_staff_calls(heavy)]
    _print_all(found)
    for page in dict.fromkeys(one.page for one in found):
        slowest = max((one for one in found if one.page == page), key=lambda one: one.p95)
        what = (
            f"{stored:,} results: {page}, p95 of its slowest call, {slowest.path} ({slowest.cpu:.0f} ms of processor)"
        )
        figures.at_most(what, slowest.p95, MOST_MS, "ms")
    figures.at_most(f"{stored:,} results: calls that fail", sum(one.status != 200 for one in found), 0)


def _find_heavy() -> User:
    return User.objects.order_by("pk")[0]


def _make_staff() -> User:
    email = "bench@emailcheck.app"
    return User.objects.filter(email=email).first() or User.objects.create_superuser(email, "correct-horse-42")


def _sign_in(user: User) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {start_sign_in(user=user, device='bench').access}")
    return client


def _list_calls(heavy: User) -> Iterator[Asked]:
    """The calls of a customer's pages, with what people choose on them."""
    lists = Batch.objects.for_org(heavy.own_organisation)
    longest = lists.exclude(completed_at=None).order_by("-total_emails", "pk")[0]
    running = lists.get(completed_at=None)
    short = lists.exclude(completed_at=None).filter(total_emails__lte=5_000).order_by("-pk")[0]
    client = _sign_in(heavy)
    cursors = list_pages.cursors_into(longest.public_id, lambda path: client.get(path).json())
    for page, calls in list_pages.calls_of(longest.public_id, cursors).items():
        yield from ((page, _join(path, query)) for path, query in calls if path.startswith("/api/"))
    yield from (("results", path) for path in _list_choices(f"/api/validate/batch/{longest.public_id}/results"))
    yield from (("running list", path) for path in _list_running(f"/api/validate/batch/{running.public_id}"))
    yield from (("history", path) for path in _list_history())
    for batch in (longest, short):
        own = f"/api/validate/batch/{batch.public_id}"
        yield from (("downloads", f"{own}/export?format={name}") for name in _FILES)
        yield from (("downloads", f"{own}/export?segment={name}") for name in (*_DECISIONS, "unknown", "role"))
        yield "downloads", f"{own}/reach"
    yield "results", f"/api/validate/result/{Result.objects.filter(batch=longest).order_by('pk')[0].pk}"
    yield from (("dashboard", f"/api/analytics/{name}") for name in ("usage?range=1y", "advanced?range=30d"))
    yield from _ACCOUNT


def _list_choices(results: str) -> Iterator[str]:
    """A recommendation, alone and beside other choices."""
    for decision in _DECISIONS:
        yield from (f"{results}?decision={decision}&sort={order}" for order in _ORDERS)
        yield f"{results}?decision={decision}&search=anna"
        yield f"{results}?decision={decision}&search=@gmail.com&sort=-confidence"
    yield from (f"{results}?decision=safe&category={name}" for name in ("unknown", "catch_all"))
    yield from (f"{results}?category={name}&sort=-confidence" for name in ("unknown", "invalid", "disposable"))


def _list_running(own: str) -> Iterator[str]:
    yield from (f"{own}{rest}" for rest in ("?page_size=1", "/status", "/results", "/results?sort=-confidence"))
    yield f"{own}/results?decision=safe&sort=email"


def _list_history() -> Iterator[str]:
    """Days, and searches that find very much or nothing."""
    today = timezone.now().date()
    week, year = today - timedelta(days=7), today - timedelta(days=300)
    yield f"/api/validate/batches?from={week}"
    yield f"/api/validate/batches?from={year}&to={week}"
    yield f"/api/validate/batches?to={year}"
    yield from (f"/api/validate/batches?search={text}" for text in ("anna", "@gmail.com", "gmail.com", "nobody@x.org"))
    yield from (f"/api/validate/batches?category={name}" for name in ("unknown", "valid"))
    yield from (f"/api/validate/batches?search={text}&from={week}" for text in ("anna", "anna.1"))
    yield f"/api/validate/batches?search=anna.1&from={year}&to={week}"


def _list_staff_calls(heavy: User) -> Iterator[Asked]:
    """The calls of the staff's pages, those of the heavy customer's drawer with them."""
    yield from ((f"staff: {tab}", path.format(user=heavy.pk)) for tab, path in admin.TABS)
    yield "staff: User Management", f"/api/admin/users/{heavy.pk}/activity"
    yield "staff: User Management", "/api/admin/users/authenticated?search=harbor5"
    yield "staff: User Management", "/api/admin/users/authenticated?search=Customer"
    yield "staff: User Management", "/api/admin/users/authenticated?search=nobody"


def _join(path: str, query: dict[str, str]) -> str:
    words = "&".join(f"{name}={value}" for name, value in query.items())
    return f"{path}?{words}" if words else path


def _measure(client: APIClient, page: str, path: str) -> Measured:
    status = _call(client, path)  # the first look makes what later ones find
    took, spent = list[float](), list[float]()
    for _ in range(CALLS):
        before, began = _cpu_ms(), time.perf_counter()
        status = max(status, _call(client, path))
        took.append(1_000 * (time.perf_counter() - began))
        spent.append(_cpu_ms() - before)
    took.sort()
    spent.sort()
    shown = list_pages.name_of(path.partition("?")[0], dict(_split(path)))
    return Measured(page, shown, status, took[CALLS // 2], took[int(CALLS * 0.95) - 1], spent[CALLS // 2])


def _split(path: str) -> Iterator[tuple[str, str]]:
    for word in filter(None, path.partition("?")[2].split("&")):
        name, _, value = word.partition("=")
        yield name, value


def _call(client: APIClient, path: str) -> int:
    """Make a call, of a download as far as its first byte; answers the status."""
    answer: Any = client.get(path)
    if answer.streaming:
        next(iter(answer.streaming_content))
        answer.close()
    status: int = answer.status_code
    return status


def _cpu_ms() -> float:
    """Processor time of this process and of the backend that serves it, where that is on this machine."""
    return 1_000 * time.process_time() + _backend_ms(connection.connection)


def _backend_ms(backend: Any) -> float:
    try:
        told = Path(f"/proc/{backend.info.backend_pid}/schedstat").read_text(encoding="ascii")
    except (OSError, AttributeError):
        return 0.0
    return int(told.split()[0]) / 1e6


def _print_all(found: list[Measured]) -> None:
    print(f"\n{'page':30}{'call':90}{'median':>8}{'p95':>8}{'cpu':>8}  ms")
    for one in found:
        mark = "" if one.is_good else f"  ! {one.status}"
        print(f"{one.page:30}{one.path[:89]:90}{one.median:8.1f}{one.p95:8.1f}{one.cpu:8.1f}{mark}")
