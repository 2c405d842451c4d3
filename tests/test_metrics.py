"""Metrics in shared files, and what the middleware counts."""

import json
import os
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
from prometheus_client import Counter, Gauge

from accounts.users.models import User
from conftest import browser_of
from emailcheck.common.shared_state import metric_files
from emailcheck.common.shared_state.files import locking_file
from emailcheck.common.shared_state.metric_files import ProcessMetrics, Sums
from emailcheck.common.web import metrics
from emailcheck.common.web.metrics import MetricsMiddleware, RequestCounts

# Counts in a process of its own, tells it, and waits to be killed.
COUNTING = """
import pathlib, sys
from emailcheck.common.shared_state import process_name
from tests.test_metrics import count_both, new_process
process_name.set_process_name(sys.argv[2])
count_both(new_process(), pathlib.Path(sys.argv[1]), 2, 0.5)
print("counted", flush=True)
sys.stdin.read()
"""
# Counts before and after a fork, in parent and child, neither of which is named again.
FORKING = """
import os, pathlib, sys
from tests.test_metrics import count_both, new_process
process, directory = new_process(), pathlib.Path(sys.argv[1])
count_both(process, directory, 10, 0)
child = os.fork()
count_both(process, directory, 100, 0)
os.waitpid(child, 0) if child else os._exit(0)
"""


class Both:
    """Two counters, one of them with a label, and a gauge."""

    def __init__(self) -> None:
        self.a = Counter("a", "A.", registry=None)
        self.b = Counter("b", "B.", ["kind"], registry=None).labels("x")
        self.open = Gauge("open", "Open.", multiprocess_mode="livesum", registry=None)


def new_process() -> ProcessMetrics[Both]:
    """What a process has that has counted nothing."""
    return ProcessMetrics(Both)


def count_both(process: ProcessMetrics[Both], directory: Path, a: float, b: float) -> None:
    counters = process.open(directory)
    counters.a.inc(a)
    counters.b.inc(b)
    counters.open.inc(a)


def both(sums: Sums) -> tuple[float, float]:
    return sums.read_sample("a_total"), sums.read_sample("b_total", kind="x")


def run_code(code: str, *arguments: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "emailcheck.settings"}
    begin = "import django; django.setup()\n"
    return subprocess.Popen(
        [sys.executable, "-c", begin + code, *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip


def other_process(directory: Path, name: str = "web-0") -> "subprocess.Popen[str]":
    process = run_code(COUNTING, str(directory), name)
    assert process.stdout is not None
    assert process.stdout.readline() == "counted\n"
    return process


def end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.communicate()


def test_what_processes_count_is_added_up_and_handed_over_once(tmp_path: Path) -> None:
    mine = new_process()
    count_both(mine, tmp_path, 1, 0)
    process = other_process(tmp_path)
    assert both(metric_files.read_pending(tmp_path)) == (3, 0.5)
    assert metric_files.read_living(tmp_path).read_sample("open") == 3
    end(process)
    assert metric_files.read_living(tmp_path).read_sample("open") == 1
    with metric_files.handing_over(tmp_path) as sums:
        assert both(sums) == (3, 0.5)  # those of the killed process too
        count_both(mine, tmp_path, 7, 0)
    assert both(metric_files.read_pending(tmp_path)) == (7, 0)
    assert both(metric_files.read_totals(tmp_path)) == (10, 0.5)
    count_both(mine, tmp_path, 0, 1)
    with metric_files.handing_over(tmp_path) as sums:
        assert both(sums) == (7, 1)
    assert both(metric_files.read_totals(tmp_path)) == (10, 1.5)


def test_files_do_not_pile_up_and_whoever_replaces_a_process_goes_on_in_them(tmp_path: Path) -> None:
    for _ in range(3):
        end(other_process(tmp_path))
    names = ["counter_web-0.db", "gauge_livesum_web-0.db", "histogram_web-0.db", "web-0.lock"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert both(metric_files.read_totals(tmp_path)) == (6, 1.5)
    beside = [other_process(tmp_path), other_process(tmp_path)]
    assert metric_files.read_living(tmp_path).read_sample("open") == 4  # and nothing of those that were killed
    for process in beside:
        end(process)
    assert len(list(tmp_path.iterdir())) == 8
    assert both(metric_files.read_totals(tmp_path)) == (10, 2.5)


def test_what_could_not_be_stored_is_handed_over_again(tmp_path: Path) -> None:
    count_both(new_process(), tmp_path, 4, 0)
    with pytest.raises(RuntimeError), metric_files.handing_over(tmp_path):
        raise RuntimeError("the database is away")
    assert both(metric_files.read_pending(tmp_path)) == (4, 0)


def test_a_process_that_stands_still_while_it_hands_over_is_not_waited_for(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(metric_files, "_HAND_OVER_WAIT_S", 0.01)
    count_both(new_process(), tmp_path, 4, 0)
    with locking_file(tmp_path / "lock"), pytest.raises(TimeoutError), metric_files.handing_over(tmp_path):
        pass
    assert both(metric_files.read_pending(tmp_path)) == (4, 0)


def test_sixteen_who_hand_over_at_once_hand_over_once(tmp_path: Path) -> None:
    count_both(new_process(), tmp_path, 4, 2)

    with ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(lambda _: hand_over(tmp_path), range(16))) == [*[(0.0, 0.0)] * 15, (4.0, 2.0)]


def test_a_forked_child_counts_in_files_of_its_own(tmp_path: Path) -> None:
    forking = run_code(FORKING, str(tmp_path))
    assert (forking.communicate()[0], forking.returncode) == ("", 0)
    assert metric_files.read_pending(tmp_path).read_sample("a_total") == 210
    assert len(list(tmp_path.glob("counter_*.db"))) == 2


def test_files_that_a_power_cut_has_torn_are_left_out_and_begun_anew(tmp_path: Path) -> None:
    end(other_process(tmp_path))
    with metric_files.handing_over(tmp_path):
        pass
    torn = tmp_path / "counter_web-0.db"
    torn.write_bytes(torn.read_bytes()[:8].ljust(1 << 16, b"\0"))
    assert both(metric_files.read_totals(tmp_path)) == (0, 0)
    assert [metric.name for metric in metric_files.collect_metrics(tmp_path)] == []
    end(other_process(tmp_path))
    assert both(metric_files.read_totals(tmp_path)) == (2, 0.5)


def hand_over(directory: Path) -> tuple[float, float]:
    with metric_files.handing_over(directory) as sums:
        return both(sums)


@pytest.mark.parametrize("octets", [0, 60])
def test_a_torn_file_of_one_process_hands_over_nothing_again(tmp_path: Path, octets: int) -> None:
    for name in ("web-0", "web-1"):
        end(other_process(tmp_path, name))
    assert [hand_over(tmp_path), hand_over(tmp_path)] == [(4, 1), (0, 0)]
    torn = tmp_path / "counter_web-0.db"
    torn.write_bytes(torn.read_bytes()[:octets].ljust(1 << 16, b"\0"))
    assert [both(metric_files.read_pending(tmp_path)), hand_over(tmp_path), hand_over(tmp_path)] == [(0, 0)] * 3
    for _ in range(2):  # as much as before, and more
        end(other_process(tmp_path))
    assert both(metric_files.read_pending(tmp_path)) == (4, 1)
    with ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(lambda _: hand_over(tmp_path), range(16))) == [*[(0, 0)] * 15, (4, 1)]
    assert both(metric_files.read_totals(tmp_path)) == (6, 1.5)


def test_what_a_power_cut_left_as_it_was_before_is_not_handed_over_again(tmp_path: Path) -> None:
    end(other_process(tmp_path))
    before = (tmp_path / "counter_web-0.db").read_bytes()
    end(other_process(tmp_path))
    assert hand_over(tmp_path) == (4, 1)
    (tmp_path / "counter_web-0.db").write_bytes(before)
    assert hand_over(tmp_path) == (0, 0)
    end(other_process(tmp_path))
    assert hand_over(tmp_path) == (2, 0.5)


def test_a_file_that_cannot_be_read_for_a_while_is_kept_and_hands_over_nothing_again(tmp_path: Path) -> None:
    for name in ("web-0", "web-1"):
        end(other_process(tmp_path, name))
    assert hand_over(tmp_path) == (4, 1)
    end(other_process(tmp_path))
    unread, aside = tmp_path / "counter_web-0.db", tmp_path / "aside"
    unread.rename(aside)
    unread.symlink_to(unread)  # not to be read even by root
    assert hand_over(tmp_path) == (0, 0)
    with pytest.raises(OSError, match="symbolic links"):
        metric_files._allocate_file(unread)
    assert unread.is_symlink()
    aside.rename(unread)
    assert [hand_over(tmp_path), hand_over(tmp_path)] == [(2, 0.5), (0, 0)]


def test_a_full_disk_loses_counts_and_fails_no_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(os, "posix_fallocate", refuse)
        assert answer_with(200)(RequestFactory().get("/api/plans")).status_code == 200
        metrics.count_work(rows=1, time_ms=1)
        with pytest.raises(OSError, match="No space"), metric_files.handing_over(settings.METRICS_DIR):
            pytest.fail("nothing is handed over that could not be noted")
    answer_with(200)(RequestFactory().get("/api/plans"))
    assert counted("billing").requests == 1


def test_sixteen_threads_lose_nothing(tmp_path: Path) -> None:
    mine = new_process()

    def count(_: int) -> None:
        for _ in range(500):
            count_both(mine, tmp_path, 1, 2)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(count, range(16)))
    assert both(metric_files.read_pending(tmp_path)) == (8_000, 16_000)


def counted(group: str) -> RequestCounts:
    return metrics.read_requests(metrics.read_pending(), group)


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
    billing, accounts = counted("billing"), counted("accounts")
    assert (billing.requests, billing.refused, billing.failed) == (2, 0, 0)
    assert (accounts.requests, accounts.refused, accounts.failed) == (2, 1, 0)
    assert (sum(billing.buckets), len(billing.buckets)) == (2, 12)
    assert billing.time_ms > 0
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
    assert counted("validation").failed == 1
    with metrics.handing_over_sums() as (sums, failures):
        assert (metrics.read_requests(sums, "validation").failed, failures) == (1, [failure])
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
    assert (counted("pages").requests, counted("pages").failed) == (1, 1)


def test_a_storm_of_failures_fills_no_disk() -> None:
    answer = answer_with(500)
    for _ in range(3_000):
        answer(RequestFactory().get("/api/plans"))
    assert counted("billing").failed == 3_000
    assert (settings.METRICS_DIR / "failures.jsonl").stat().st_size < 300 * 1024
    assert json.loads((settings.METRICS_DIR / "failures.jsonl").read_text().splitlines()[-1])["status"] == 500


def test_our_own_probes_are_not_counted(client: Client) -> None:
    client.get("/dashboard", headers=metrics.build_probe_headers())
    assert not (settings.METRICS_DIR).exists()
    client.get("/dashboard", headers={"X-Probe": "guessed"})
    assert counted("pages").requests == 1


@pytest.mark.spec("MON-039")
def test_waiting_for_mail_hosts_is_no_time_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 11.0, 14.0, 14.5])  # begins, begins to probe, has the answer, ends
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))

    def view(request: HttpRequest) -> HttpResponse:
        with metrics.waiting_for_mail_hosts():
            return HttpResponse()

    MetricsMiddleware(view)(RequestFactory().get("/api/validate/single"))
    assert (counted("validation").time_ms, counted("validation").probing_ms) == (1_500, 3_000)
    assert counted("validation").buckets == [0] * 8 + [1, 0, 0, 0]


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
    assert counted("billing").requests == 1
