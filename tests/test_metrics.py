"""Counters in shared files, and what the middleware counts."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from accounts.users.models import User
from conftest import browser_of
from emailcheck.common.shared_state.counters import CounterFiles
from emailcheck.common.web import metrics
from emailcheck.common.web.metrics import MetricsMiddleware

NAMES = ("a", "b")
# Counts in a process of its own, tells it, and waits to be killed.
COUNTING = """
import pathlib, sys
from emailcheck.common.shared_state.counters import CounterFiles
shelf = CounterFiles(pathlib.Path(sys.argv[1]), ("a", "b"))
shelf.add([("a", 2), ("b", 0.5)])
print("counted", flush=True)
sys.stdin.read()
"""


def other_process(directory: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", COUNTING, str(directory)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "counted\n"
    return process


def end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.communicate()


def test_what_processes_count_is_added_up_and_handed_over_once(tmp_path: Path) -> None:
    shelf = CounterFiles(tmp_path, NAMES)
    shelf.add([("a", 1)])
    process = other_process(tmp_path)
    assert shelf.pending() == {"a": 3, "b": 0.5}
    assert shelf.living() == {"a": 3, "b": 0.5}
    end(process)
    assert shelf.living() == {"a": 1, "b": 0}
    with shelf.handing_over() as sums:
        assert sums == {"a": 3, "b": 0.5}  # those of the killed process too
    assert shelf.pending() == {"a": 0, "b": 0}
    assert shelf.totals() == {"a": 3, "b": 0.5}
    shelf.add([("b", 1)])
    with shelf.handing_over() as sums:
        assert sums == {"a": 0, "b": 1}
    assert shelf.totals() == {"a": 3, "b": 1.5}


def test_the_files_of_processes_that_are_gone_do_not_pile_up(tmp_path: Path) -> None:
    for _ in range(3):
        end(other_process(tmp_path))
    shelf = CounterFiles(tmp_path, NAMES)
    with shelf.handing_over() as sums:
        assert sums["a"] == 6
    assert sorted(path.name.split("-")[-1] for path in tmp_path.iterdir()) == ["lock", "retired"]
    assert shelf.totals()["a"] == 6


def test_what_could_not_be_stored_is_handed_over_again(tmp_path: Path) -> None:
    shelf = CounterFiles(tmp_path, NAMES)
    shelf.add([("a", 4)])
    with pytest.raises(RuntimeError), shelf.handing_over():
        raise RuntimeError("the database is away")
    assert shelf.pending() == {"a": 4, "b": 0}


def test_a_forked_child_counts_in_a_file_of_its_own(tmp_path: Path) -> None:
    shelf = CounterFiles(tmp_path, NAMES)
    shelf.add([("a", 1)])
    code = "\n".join(
        [
            "import os, pathlib, sys",
            "from emailcheck.common.shared_state.counters import CounterFiles",
            "shelf = CounterFiles(pathlib.Path(sys.argv[1]), ('a', 'b'))",
            "shelf.add([('a', 10)])",
            "child = os.fork()",
            "shelf.add([('a', 100)])",
            "os.waitpid(child, 0) if child else None",
        ]
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    assert shelf.pending()["a"] == 211
    assert len([path for path in tmp_path.iterdir() if path.name != "lock"]) == 3


def test_sixteen_threads_lose_nothing(tmp_path: Path) -> None:
    shelf = CounterFiles(tmp_path, NAMES)

    def count(_: int) -> None:
        for _ in range(500):
            shelf.add([("a", 1), ("b", 2)])

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(count, range(16)))
    assert shelf.pending() == {"a": 8_000, "b": 16_000}


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("/api/validate/single", "validation"),
        ("/api/v1/validate/single", "validation"),
        ("/api/auth/me", "accounts"),
        ("/api/admin/audit", "staff"),
        ("/api/monitoring/health", "staff"),
        ("/api/status", "public"),
        ("/api/nothing", "public"),
        ("/dashboard", "pages"),
        ("/static/main.js", None),
        ("/sandbox/outbox", None),
        ("/metrics", None),
    ],
)
def test_paths_are_counted_in_groups(path: str, group: str | None) -> None:
    assert metrics.find_group(path) == group


@pytest.mark.spec("MON-023", "MON-028")
def test_requests_are_counted_by_how_they_end(client: Client, alice: User) -> None:
    client.get("/api/plans")
    client.get("/api/plans")
    client.get("/api/auth/me")  # refused
    browser_of(alice)  # a sign-in
    sums = metrics.pending_sums()
    assert (sums["billing.requests"], sums["billing.refused"], sums["billing.failed"]) == (2, 0, 0)
    assert (sums["accounts.requests"], sums["accounts.refused"], sums["accounts.failed"]) == (2, 1, 0)
    assert sum(sums[f"billing.{bucket}"] for bucket in metrics.BUCKETS) == 2
    assert sums["billing.time_ms"] > 0
    assert metrics.count_active_requests() == 0


def answer_with(status: int) -> MetricsMiddleware:
    return MetricsMiddleware(lambda request: HttpResponse(status=status))


@pytest.mark.spec("MON-005")
def test_a_failure_is_noted_with_its_route_and_without_values(alice: User) -> None:
    request = RequestFactory().get("/api/validate/result/77?email=somebody@example.com")
    request.user = alice
    answer_with(503)(request)
    (failure,) = metrics.list_recent_failures()
    assert (failure.description, failure.status, failure.user_id) == (
        "GET /api/validate/result/77: INTERNAL_ERROR",
        503,
        alice.pk,
    )
    assert metrics.pending_sums()["validation.failed"] == 1
    with metrics.handing_over_sums() as (sums, failures):
        assert (sums["validation.failed"], failures) == (1, [failure])
    assert metrics.list_recent_failures() == []


def test_half_a_line_of_a_full_disk_does_not_stop_the_handing_over() -> None:
    answer_with(503)(RequestFactory().get("/api/plans"))
    with (settings.METRICS_DIR / "failures.jsonl").open("ab") as file:
        file.write(b'{"at": 1.0, "wh\n')
    answer_with(500)(RequestFactory().get("/api/plans"))
    with metrics.handing_over_sums() as (_, failures):
        assert [failure.status for failure in failures] == [503, 500]


def test_a_view_that_breaks_counts_as_failed() -> None:
    def broken(request: HttpRequest) -> HttpResponse:
        raise RuntimeError("out of order")

    with pytest.raises(RuntimeError):
        MetricsMiddleware(broken)(RequestFactory().get("/dashboard"))
    sums = metrics.pending_sums()
    assert (sums["pages.requests"], sums["pages.failed"]) == (1, 1)


def test_a_storm_of_failures_fills_no_disk() -> None:
    answer = answer_with(500)
    for _ in range(3_000):
        answer(RequestFactory().get("/api/plans"))
    assert metrics.pending_sums()["billing.failed"] == 3_000
    assert (settings.METRICS_DIR / "failures.jsonl").stat().st_size < 300 * 1024
    assert json.loads((settings.METRICS_DIR / "failures.jsonl").read_text().splitlines()[-1])["status"] == 500


def test_our_own_probes_are_not_counted(client: Client) -> None:
    client.get("/dashboard", headers=metrics.build_probe_headers())
    assert not (settings.METRICS_DIR).exists()
    client.get("/dashboard", headers={"X-Probe": "guessed"})
    assert metrics.pending_sums()["pages.requests"] == 1


@pytest.mark.spec("MON-039")
def test_waiting_for_mail_hosts_is_no_time_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 11.0, 14.0, 14.5])  # begins, begins to probe, has the answer, ends
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))

    def view(request: HttpRequest) -> HttpResponse:
        with metrics.waiting_for_mail_hosts():
            return HttpResponse()

    MetricsMiddleware(view)(RequestFactory().get("/api/validate/single"))
    sums = metrics.pending_sums()
    assert (sums["validation.time_ms"], sums["validation.probing_ms"]) == (1_500, 3_000)


def test_requests_under_way_are_active() -> None:
    seen: list[int] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(metrics.count_active_requests())
        return HttpResponse()

    MetricsMiddleware(view)(RequestFactory().get("/api/plans"))
    assert (seen, metrics.count_active_requests()) == ([1], 0)


def test_counting_needs_no_query(client: Client, django_assert_num_queries: Any, db: None) -> None:
    with django_assert_num_queries(0):
        answer_with(200)(RequestFactory().get("/api/plans"))
    assert metrics.pending_sums()["billing.requests"] == 1
