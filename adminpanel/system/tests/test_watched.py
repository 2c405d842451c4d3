"""Failed and late backups, proofs that fail, and work that hangs raise alerts, until they do not."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from django_q.models import Failure

from adminpanel import tasks as staff_tasks
from adminpanel.jobs.models import Job, JobKind, JobStatus
from adminpanel.monitoring.alerts import services as alerts
from adminpanel.monitoring.alerts.models import Alert
from adminpanel.monitoring.routines.models import RoutineName
from adminpanel.monitoring.routines.services import record_result
from billing.ledger.models import CreditAccount
from emailcheck.common.queue import tasks
from emailcheck.common.testing import drain_queue

pytestmark = pytest.mark.django_db


def list_raised() -> list[tuple[str, str, str]]:
    alerts.update_alerts()
    return [(alert.key, alert.severity, alert.message) for alert in alerts.list_open_alerts()]


@pytest.mark.spec("MON-035")
def test_a_failed_backup_is_an_alert_until_one_succeeds() -> None:
    assert list_raised() == []
    Job.objects.create(kind=JobKind.BACKUP, status=JobStatus.FAILED, error="The disk is full")
    Job.objects.create(kind=JobKind.OPTIMIZE, status=JobStatus.COMPLETED)
    running = Job.objects.create(kind=JobKind.BACKUP, status=JobStatus.RUNNING)
    assert list_raised() == [("backup", "warning", "The disk is full")]
    Job.objects.filter(pk=running.pk).update(status=JobStatus.COMPLETED)
    assert list_raised() == []
    assert Alert.objects.count() == 1


@pytest.mark.spec("MON-035")
def test_work_that_hangs_is_an_alert_until_it_is_done() -> None:
    failed = Failure.objects.create(
        id="a" * 32, name="pulse", func="emailcheck.common.queue.tasks.ensure_schedules",
        started=timezone.now(), stopped=timezone.now(),
        success=False, result="OSError: No space left on device",
    )  # fmt: skip
    told = "1 pieces of work (lists, chunks, failed tasks, webhooks) past their deadline"
    assert list_raised() == [("stuck", "warning", told)]
    failed.delete()
    assert list_raised() == []


@pytest.mark.spec("MON-035")
def test_a_task_that_waits_is_one_alert_that_of_its_queue() -> None:
    tasks.enqueue("emailcheck.common.queue.tasks.ensure_schedules", queue="high")
    with time_machine.travel(timezone.now() + timedelta(hours=2), tick=False):
        assert [key for key, _, _ in list_raised()] == ["queue:high"]
        drain_queue()
        assert list_raised() == []


def set_ages(backup: Job, **age: float) -> None:
    Job.objects.filter(pk=backup.pk).update(created_at=timezone.now() - timedelta(**age))


@pytest.mark.spec("SCA-033")
def test_a_late_backup_is_an_alert_until_there_is_a_younger_one(settings: Any) -> None:
    settings.BACKUP_EVERY_HOURS = 24
    old = Job.objects.create(kind=JobKind.BACKUP, status=JobStatus.COMPLETED)
    set_ages(old, hours=29.9)
    assert list_raised() == []
    set_ages(old, hours=30.1)
    assert list_raised() == [("backup_late", "warning", "the newest good one was begun 30 hours ago")]
    Job.objects.create(kind=JobKind.BACKUP, status=JobStatus.RUNNING)
    assert [key for key, _, _ in list_raised()] == ["backup_late"]
    Job.objects.filter(status=JobStatus.RUNNING).update(status=JobStatus.COMPLETED)
    assert list_raised() == []


@pytest.mark.spec("SCA-033")
@pytest.mark.parametrize(("every", "raised"), [(0, []), (24, ["backup_late"])])
def test_an_installation_without_a_backup_is_late_where_one_is_expected(
    settings: Any, every: int, raised: list[str]
) -> None:
    settings.BACKUP_EVERY_HOURS = every
    assert list_raised() == []
    with time_machine.travel(timezone.now() + timedelta(hours=31), tick=False):
        assert [key for key, _, _ in list_raised()] == raised


@pytest.mark.spec("SCA-033")
def test_a_backup_that_could_not_be_restored_is_an_alert_until_one_can() -> None:
    record_result(RoutineName.RESTORE_TEST, ["reconcile of the copy failed: 1 differences"])
    message = "1 found, the first: reconcile of the copy failed: 1 differences"
    assert list_raised() == [("restore_test", "critical", message)]
    record_result(RoutineName.RESTORE_TEST, [])
    assert list_raised() == []


@pytest.mark.spec("SCA-032")
def test_credits_that_do_not_add_up_are_an_alert_until_they_do(alice: Any) -> None:
    staff_tasks.recount_credits()
    assert list_raised() == []
    CreditAccount.objects.update(balance=7)
    staff_tasks.recount_credits()
    assert [(key, severity) for key, severity, _ in list_raised()] == [("recount", "critical")]
    CreditAccount.objects.update(balance=100)
    staff_tasks.recount_credits()
    assert list_raised() == []
