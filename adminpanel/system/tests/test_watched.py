"""Failed backups and work that hangs raise alerts, until they do not."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from django_q.models import Failure

from adminpanel.jobs.models import Job, JobKind, JobStatus
from adminpanel.monitoring.alerts import services as alerts
from adminpanel.monitoring.alerts.models import Alert
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
