"""The system at a glance, its logs and its buttons: every figure follows its source, every action leaves a trace."""

import csv
import io
import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.activity import audit_log
from accounts.activity.models import Activity, ActivityKind
from accounts.organisations.models import Organisation
from accounts.tasks import delete_old_rows
from accounts.users.models import User
from adminpanel.jobs import services as jobs
from adminpanel.jobs.models import Job, JobKind
from adminpanel.system import database
from conftest import client_of, make_user
from emailcheck.common.queue import restarts
from emailcheck.common.queue.models import WorkerHeartbeat
from emailcheck.common.testing import drain_queue

SYSTEM = "/api/admin/system"


@pytest.fixture
def api(sam: User) -> APIClient:
    return client_of(sam)


@pytest.fixture
def log() -> logging.Logger:
    """It reaches the store as those of the product do."""
    return logging.getLogger("shop")


def load_stats(api: APIClient) -> dict[str, Any]:
    found: dict[str, Any] = api.get("/api/admin/system-stats").json()
    return found


def staff_lines() -> list[tuple[str, str]]:
    return list(Activity.objects.filter(kind="staff").order_by("pk").values_list("action", "target"))


@pytest.mark.spec("MON-055")
def test_the_answer_has_exactly_the_named_fields(api: APIClient, log: logging.Logger) -> None:
    log.info("anything")
    found = load_stats(api)
    assert {name: set(part) for name, part in found["stats"].items()} == {
        "database": {"connections", "size"}, "server": {"cpu", "memory", "uptime"},
        "users": {"total", "active", "new_today"}, "api": {"requests_today", "avg_response", "errors"},
    }  # fmt: skip
    assert set(found) == {"stats", "userLogs", "systemLogs"}
    assert set(found["userLogs"][0]) == {"timestamp", "user", "action", "ip"}
    assert set(found["systemLogs"][0]) == {"timestamp", "level", "message"}
    assert 0 <= found["stats"]["server"]["cpu"] <= 100
    assert 0 < found["stats"]["server"]["memory"] < 100


@pytest.mark.spec("MON-051", "MON-055")
def test_users_are_counted(api: APIClient, alice: User) -> None:
    bob = make_user("bob@birch.net", "Bob Birch")
    assert load_stats(api)["stats"]["users"] == {"total": 3, "active": 3, "new_today": 3}
    User.objects.filter(pk=bob.pk).update(is_active=False)
    User.objects.filter(pk=alice.pk).update(created_at=timezone.now() - timedelta(days=1))
    assert load_stats(api)["stats"]["users"] == {"total": 3, "active": 2, "new_today": 2}
    User.objects.filter(pk=bob.pk).update(deleted_at=timezone.now())
    assert load_stats(api)["stats"]["users"] == {"total": 2, "active": 2, "new_today": 1}


@pytest.mark.spec("MON-051", "MON-055")
def test_calls_are_counted(api: APIClient, client: Client) -> None:
    before = load_stats(api)["stats"]["api"]
    for _ in range(3):
        client.get("/api/auth/me")
    after = load_stats(api)["stats"]["api"]
    assert (after["requests_today"], after["errors"]) == (before["requests_today"] + 4, before["errors"])
    assert after["avg_response"] > 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("MON-051", "MON-055")
def test_connections_and_size_are_those_of_the_database(api: APIClient) -> None:
    before, size = load_stats(api)["stats"]["database"], database.measure_size()
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(another_connection())
        assert load_stats(api)["stats"]["database"]["connections"] == before["connections"] + 2
    with a_table_of_four_megabytes():
        assert database.measure_size() > size + 4_000_000
        assert load_stats(api)["stats"]["database"]["size"] != before["size"]


@contextmanager
def a_table_of_four_megabytes() -> Iterator[None]:
    """One of its own, beyond the room that deleted rows left in the file."""
    with connection.cursor() as cursor:
        left = 0
        if connection.vendor == "sqlite":
            left = cursor.execute("PRAGMA freelist_count").fetchone()[0]
        rows = 20_000 + 20 * left
        numbers = f"WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {rows})"
        cursor.execute(f"CREATE TABLE filler AS {numbers} SELECT '{'x' * 200}' AS content FROM number")
        try:
            yield
        finally:
            cursor.execute("DROP TABLE filler")


@contextmanager
def another_connection() -> Iterator[None]:
    """With SQLite that of another process: within one it may open again what it had not closed yet."""
    where = connection.settings_dict
    if connection.vendor == "sqlite":
        code = (
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('PRAGMA schema_version'); print(); input()"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(where["NAME"])], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        with process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"\n"
            yield
            process.communicate(b"\n")
    else:
        with psycopg.connect(host=where["HOST"], port=where["PORT"], user=where["USER"], dbname=where["NAME"]):
            yield


@pytest.mark.spec("MON-052", "MON-058", "SEC-014")
def test_activity_is_searched_filtered_and_paged(api: APIClient, alice: User, bob: User, sam: User) -> None:
    Activity.objects.all().delete()
    audit_log.record_activity(user=alice, kind=ActivityKind.PURCHASE, action="Bought")
    audit_log.record_activity(user=bob, kind=ActivityKind.VALIDATION, action="Checked")
    audit_log.record_activity(user=alice, kind=ActivityKind.STAFF, action="Suspended", staff=sam, target="account")
    audit_log.record_activity(user=None, kind=ActivityKind.STAFF, action="Swept")

    def shown(**query: str) -> list[tuple[str, str]]:
        found = api.get(f"{SYSTEM}/activity", query).json()["activity"]
        return [(line["user"], line["action"]) for line in found]

    everything = [
        ("server", "Swept"), ("Sam Staff (sam@emailcheck.app)", "Suspended"), ("bob@birch.net", "Checked"),
        ("alice@alder.com", "Bought"),
    ]  # fmt: skip
    assert shown() == everything
    assert shown(search="ALICE@") == [("alice@alder.com", "Bought")]
    assert shown(search="sam@") == [("Sam Staff (sam@emailcheck.app)", "Suspended")]
    assert shown(search="nobody@") == []
    assert shown(kind="validation") == [("bob@birch.net", "Checked")]
    assert shown(kind="validation", search="alice") == []
    assert [(line["user"], line["action"]) for line in load_stats(api)["userLogs"]] == everything
    assert api.get(f"{SYSTEM}/activity", {"kind": "nothing"}).status_code == 400
    User.objects.filter(pk=bob.pk).delete()
    assert shown(kind="validation") == [("deleted account", "Checked")]


@pytest.mark.spec("MON-052")
def test_a_page_of_activity_costs_the_same_however_much_happened(
    api: APIClient, alice: User, sam: User, django_assert_num_queries: Any
) -> None:
    for number in range(120):
        who = make_user(f"u{number}@x.com", "U") if number % 40 == 0 else alice
        audit_log.record_activity(
            user=who, kind=ActivityKind.KEY, action=f"Number {number}", staff=sam if number % 2 else None
        )
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        with django_assert_num_queries(3):
            page = api.get(f"{SYSTEM}/activity", {"cursor": cursor, "kind": "key"}).json()
        seen += [line["action"] for line in page["activity"]]
        cursor = page["next"]
    assert seen == [f"Number {number}" for number in range(119, -1, -1)]


@pytest.mark.spec("MON-053", "MON-058")
def test_logs_are_shown_by_level_searched_and_downloaded(api: APIClient, log: logging.Logger) -> None:
    log.info("begin")
    log.error("cannot write to anna@x.com")
    found = api.get(f"{SYSTEM}/logs", {"level": "ERROR"}).json()
    assert [(line["level"], line["message"].partition("] ")[2]) for line in found["logs"]] == [
        ("ERROR", "cannot write to [address]")
    ]
    assert found["next"] is None
    begun = [line["message"] for line in api.get(f"{SYSTEM}/logs", {"search": "] BEGIN"}).json()["logs"]]
    assert begun[0].startswith("shop [")
    assert begun[0] in [line["message"] for line in load_stats(api)["systemLogs"]]
    assert len(begun) == 1
    for query in ({"level": "LOUD"}, {"cursor": "x"}):
        assert api.get(f"{SYSTEM}/logs", query).status_code == 400
    answer: Any = api.get(f"{SYSTEM}/logs/download")
    text = b"".join(answer.streaming_content).decode()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"].startswith('attachment; filename="emailcheck-')
    assert text.index("] begin\n") < text.index("] cannot write to [address]\n")
    assert " INFO shop [" in text
    assert staff_lines() == [("Logs downloaded", "system")]


@pytest.mark.spec("MON-056", "SEC-014")
def test_users_are_exported_without_secrets_and_formulas(api: APIClient, alice: User, sam: User) -> None:
    User.objects.filter(pk=alice.pk).update(name="=1+1")
    Organisation.objects.filter(holder=alice).update(company="@SUM")
    answer: Any = api.get(f"{SYSTEM}/export-users")
    text = b"".join(answer.streaming_content).decode()
    lines = list(csv.DictReader(io.StringIO(text)))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert [(line["Email"], line["Role"], line["Status"], line["Plan"], line["Credits"]) for line in lines] == [
        ("sam@emailcheck.app", "admin", "active", "growth", "100"),
        ("alice@alder.com", "user", "active", "growth", "100"),
    ]
    assert (lines[1]["Name"], lines[1]["Company"]) == ("'=1+1", "'@SUM")
    alice.refresh_from_db()
    assert alice.password not in text
    assert staff_lines() == [("Users exported", "system")]


@pytest.mark.spec("SEC-015")
def test_an_export_of_users_takes_a_fresh_proof(api: APIClient, sam: User) -> None:
    SignIn.objects.filter(user=sam).update(confirmed_at=timezone.now() - timedelta(minutes=16))
    refused = api.get(f"{SYSTEM}/export-users")
    assert (refused.status_code, refused.json()["code"], staff_lines()) == (403, "REAUTH_REQUIRED", [])


def count_vacuums() -> int:
    """How often the activity log was vacuumed by hand; PostgreSQL's files shrink only from their ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT vacuum_count FROM pg_stat_user_tables WHERE relname = 'accounts_activity'")
        return int(cursor.fetchone()[0])


def room_taken() -> int:
    """Falls when the database is optimised: bytes of SQLite's file, vacuums yet to come on PostgreSQL."""
    return -count_vacuums() if connection.vendor == "postgresql" else database.measure_size()


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("MON-056", "SEC-014")
def test_the_database_is_optimised_in_the_background(api: APIClient) -> None:
    Activity.objects.bulk_create(Activity(kind="key", action="x" * 200) for _ in range(20_000))
    Activity.objects.all().delete()
    before = room_taken()
    answer = api.post(f"{SYSTEM}/optimize").json()
    assert answer["message"] == "Optimisation started"
    refused = api.post(f"{SYSTEM}/optimize")
    assert (refused.status_code, refused.json()["code"], Job.objects.count()) == (409, "OPTIMIZE_RUNNING", 1)
    assert api.get(f"{SYSTEM}/services").json()["optimisation"]["status"] == "running"
    assert drain_queue() == [jobs.RUN]
    done = api.get(f"{SYSTEM}/services").json()["optimisation"]
    assert (done["status"], done["error"], " before, " in done["note"]) == ("completed", None, True)
    assert room_taken() < before
    assert staff_lines() == [("Database optimisation started", f"optimize {answer['task_id']}")]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL vacuums beside its writers")
@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("MON-056")
def test_a_large_file_is_not_vacuumed_while_everybody_waits(api: APIClient, monkeypatch: Any) -> None:
    monkeypatch.setattr(database, "VACUUM_UP_TO", 1)
    api.post(f"{SYSTEM}/optimize")
    drain_queue()
    assert "VACUUM was left out" in api.get(f"{SYSTEM}/services").json()["optimisation"]["note"]


@pytest.mark.spec("MON-056", "SEC-014")
def test_the_cache_is_cleared(api: APIClient) -> None:
    cache.set("word", "hello")
    assert api.post(f"{SYSTEM}/clear-cache").json() == {"message": "Cache cleared", "task_id": None}
    assert cache.get("word") is None
    assert staff_lines() == [("Cache cleared", "system")]


@pytest.mark.spec("MON-056", "SEC-014")
def test_a_restart_of_the_workers_is_asked_for(api: APIClient) -> None:
    refused = api.post(f"{SYSTEM}/restart-services")
    assert (refused.status_code, refused.json()["code"]) == (409, "NO_SUPERVISOR")
    WorkerHeartbeat.objects.create(host="a", queue="bulk", started_at=Now(), seen_at=Now(), reported_at=Now())
    job = Job.objects.create(kind=JobKind.BACKUP)
    refused = api.post(f"{SYSTEM}/restart-services")
    assert (refused.status_code, refused.json()["code"]) == (409, "JOB_RUNNING")
    assert (restarts.find_restart_request(), staff_lines()) == (None, [])
    job.delete()
    assert api.post(f"{SYSTEM}/restart-services").status_code == 200
    assert staff_lines() == [("Worker restart asked for", "system")]
    found = api.get(f"{SYSTEM}/services").json()
    (bulk,) = found["workers"]
    assert (bulk["host"], bulk["queue"], bulk["started_at"] <= found["restart_asked_at"]) == ("a", "bulk", True)


@pytest.mark.spec("MON-056")
def test_nothing_else_can_be_asked_for(api: APIClient) -> None:
    assert api.post(f"{SYSTEM}/format-disk").status_code == 404
    assert staff_lines() == []


@pytest.mark.spec("MON-058")
def test_activity_is_kept_for_a_year_and_that_of_staff_without_its_address(alice: User, sam: User) -> None:
    Activity.objects.all().delete()
    for days in (366, 364):
        with time_machine.travel(timezone.now() - timedelta(days=days), tick=False):
            audit_log.record_activity(user=alice, kind=ActivityKind.KEY, action=f"Key, {days} days ago")
            audit_log.record_activity(user=alice, kind=ActivityKind.STAFF, action=f"Staff, {days} days ago", staff=sam)
    Activity.objects.update(ip="10.0.0.1")
    delete_old_rows()
    assert list(Activity.objects.order_by("pk").values_list("action", "ip")) == [
        ("Staff, 366 days ago", None), ("Key, 364 days ago", "10.0.0.1"), ("Staff, 364 days ago", "10.0.0.1"),
    ]  # fmt: skip
