"""Prometheus' rules and Grafana's dashboard: sound, of metrics that the product has, with a chapter for each alert."""

import json
import re
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from accounts.users.models import User
from adminpanel.jobs.models import Job, JobKind, JobStatus
from adminpanel.monitoring.egress.models import Route, RouteState
from adminpanel.monitoring.routines.models import RoutineName
from adminpanel.monitoring.routines.services import record_result
from emailcheck.common.web import metrics
from tests.deploy.tools import DEPLOY, list_headings, run_tool
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import BatchType
from validation.egress.models import EgressAddress, EgressUse
from validation.single import services as single
from validation.webhooks.models import WebhookDelivery

PROMETHEUS, DASHBOARD = DEPLOY / "prometheus", DEPLOY / "grafana" / "emailcheck.json"
OF_PROMETHEUS = {"up"}
_WORD = re.compile(r"[a-zA-Z_:][\w:]*")
COVERED = {
    "checks a second": "emailcheck_list_rows_per_second",
    "waiting": "emailcheck_list_rows_waiting",
    "errors": "emailcheck:request_errors:ratio5m",
    "queues' age": "emailcheck_queue_oldest_seconds",
    "egress blocks": "emailcheck_egress_paused",
    "webhooks' age": "emailcheck_webhook_oldest_seconds",
    "credits reconcile": "emailcheck_reconcile_differences",
    "backups' age": "emailcheck_backup_late",
}


def read_rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((PROMETHEUS / "emailcheck.rules.yml").read_text())["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def read_panels() -> list[dict[str, Any]]:
    panels: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    return panels


def list_expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in read_rules())
    yield from (target["expr"] for panel in read_panels() for target in panel["targets"])


def list_names(expression: str) -> set[str]:
    """The metrics of an expression: words that are no function, keyword, label or value."""
    bare = re.sub(r"\{[^}]*\}|\b(?:by|without|on|ignoring)\s*\([^)]*\)|\[[^\]]*\]", " ", expression)
    without_calls = re.sub(r"\b\w+\s*\(", "(", bare)
    return set(_WORD.findall(without_calls)) - {"and", "or", "unless", "by"}


@pytest.mark.spec("SCA-031")
def test_prometheus_reads_its_files(tmp_path: Path) -> None:
    shutil.copytree(PROMETHEUS, tmp_path, dirs_exist_ok=True)
    (tmp_path / "token").write_text("")
    config = (tmp_path / "prometheus.yml").read_text()
    (tmp_path / "prometheus.yml").write_text(config.replace("/etc/prometheus/emailcheck_metrics_token", "token"))
    for arguments in (
        ("check", "config", tmp_path / "prometheus.yml"),
        ("check", "rules", "--lint=all", "--lint-fatal", tmp_path / "emailcheck.rules.yml"),
        ("test", "rules", tmp_path / "emailcheck.rules_test.yml"),
    ):
        checked = run_tool("promtool", *arguments)
        assert (checked.returncode, "SUCCESS" in checked.stdout) == (0, True), checked.stdout


@pytest.mark.spec("SCA-032")
def test_alerts_and_dashboard_use_only_metrics_that_the_product_shows(db: None, client: Client) -> None:
    text = client.get("/metrics").content.decode()
    shown = {sample.name for family in text_string_to_metric_families(text) for sample in family.samples}
    shown |= set(re.findall(r"^# TYPE (\S+) gauge$", text, re.MULTILINE))  # those that have no sample yet
    recorded = {rule["record"] for rule in read_rules() if "record" in rule}
    used = set().union(*map(list_names, list_expressions()))
    assert (len(used) > 15, used - shown - recorded - OF_PROMETHEUS) == (True, set())


@pytest.mark.spec("SCA-032")
def test_alerts_and_dashboard_cover_what_may_go_wrong() -> None:
    alerts = " ".join(rule["expr"] for rule in read_rules() if "alert" in rule)
    panels = " ".join(target["expr"] for panel in read_panels() for target in panel["targets"])
    assert {what for what, name in COVERED.items() if name not in alerts} == set()
    assert {what for what, name in COVERED.items() if name not in panels} == set()


@pytest.mark.spec("SCA-032")
def test_each_alert_names_a_chapter_that_is_there() -> None:
    alerts = [rule for rule in read_rules() if "alert" in rule]
    for rule in alerts:
        document, _, chapter = rule["annotations"]["runbook"].partition("#")
        assert document == "docs/operations.md"
        assert chapter in list_headings(document), rule["alert"]
    assert {rule["labels"]["severity"] for rule in alerts} == {"critical", "warning", "info"}
    tested = (PROMETHEUS / "emailcheck.rules_test.yml").read_text()
    assert len({rule["alert"] for rule in alerts if f"alertname: {rule['alert']}" in tested}) >= 10


@pytest.mark.spec("SCA-031")
def test_the_dashboard_is_one_that_grafana_takes() -> None:
    panels = read_panels()
    assert len({panel["id"] for panel in panels}) == len(panels)
    cells = [
        (x, y)
        for panel in panels
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert (len(set(cells)), max(x for x, _ in cells)) == (len(cells), 23)
    (variable,) = json.loads(DASHBOARD.read_text())["templating"]["list"]
    assert (variable["name"], variable["type"]) == ("datasource", "datasource")
    assert {target["datasource"]["uid"] for panel in panels for target in panel["targets"]} == {"${datasource}"}


def scrape(client: Client) -> dict[tuple[str, ...], float]:
    families = text_string_to_metric_families(client.get("/metrics").content.decode())
    return {
        (sample.name.removeprefix("emailcheck_"), *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


@pytest.mark.spec("SCA-032")
@pytest.mark.postgres
def test_what_waits_and_what_was_checked_is_shown(
    world: Sandbox, alice: User, client: Client, delivery: Any, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    organisation = alice.own_organisation
    lines = [f"person{number}@harborquill.com" for number in range(7)]
    batches.start_list(organisation=organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)
    single.validate_single(organisation=organisation, address="anna.keller@gmail.com")
    metrics.count_work(rows=600, time_ms=10)
    WebhookDelivery.objects.filter(pk=delivery.pk).update(next_attempt_at=timezone.now() - timedelta(seconds=90))
    shown = scrape(client)
    assert (shown["list_rows_waiting",], shown["list_rows_per_second",], shown["single_checks_total",]) == (7, 2, 1)
    assert (shown["webhooks_due",], int(shown["webhook_oldest_seconds",]) // 10) == (1, 9)


@pytest.mark.spec("SCA-032")
@pytest.mark.postgres
def test_how_operators_take_us_is_shown(db: None, client: Client) -> None:
    now = timezone.now()
    for number, use in enumerate((EgressUse.ACTIVE, EgressUse.ACTIVE, EgressUse.RESTING)):
        EgressAddress.objects.create(key=str(number), name=str(number), state=use, seen_at=now)
    EgressAddress.objects.create(key="gone", name="gone", seen_at=now - timedelta(hours=1))
    for route, operator, state, minutes in (
        ("0", "gmail", RouteState.BLOCKED, 5),
        ("1", "gmail", RouteState.BLOCKED, 5),
        ("2", "gmail", RouteState.BLOCKED, -5),  # its pause is over
        ("1", "yahoo", RouteState.BACKING_OFF, 5),
        ("0", "yahoo", RouteState.WORKING, 5),
    ):
        until = now + timedelta(minutes=minutes)
        Route.objects.create(route=route, operator=operator, state=state, seen_at=now, next_attempt_at=until)
    shown = scrape(client)
    assert {key: value for key, value in shown.items() if key[0] == "egress_paused"} == {
        ("egress_paused", "gmail", "blocked"): 2,
        ("egress_paused", "yahoo", "backing_off"): 1,
    }
    assert [shown["egress_addresses", use] for use in EgressUse] == [2, 1, 0, 0]


@pytest.mark.spec("SCA-032")
def test_backups_and_proofs_are_shown(db: None, client: Client, settings: Any) -> None:
    settings.BACKUP_EVERY_HOURS = 24
    before = scrape(client)
    assert (before["backup_late",], before["backup_failed",], ("backup_age_seconds",) in before) == (0, 0, False)
    old = Job.objects.create(kind=JobKind.BACKUP, status=JobStatus.COMPLETED)
    Job.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(hours=31))
    Job.objects.create(kind=JobKind.BACKUP, status=JobStatus.FAILED)
    record_result(RoutineName.RECOUNT, ["one", "two"])
    record_result(RoutineName.RESTORE_TEST, [])
    shown = scrape(client)
    assert (shown["backup_late",], shown["backup_failed",], shown["backup_age_seconds",] // 3_600) == (1, 1, 31)
    assert (shown["reconcile_differences",], shown["restore_test_differences",]) == (2, 0)
    assert [shown[f"{name}_age_seconds",] < 60 for name in ("reconcile", "restore_test")] == [True, True]
