"""Failed backups and work that hangs raise alerts, until they do not."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from adminpanel.models import Job, JobKind, JobStatus
from adminpanel.monitoring import alerts
from adminpanel.monitoring.models import Alert
from emailcheck.common import tasks
from emailcheck.common.testing import drain_queue

pytestmark = pytest.mark.django_db


def raised() -> list[tuple[str, str, str]]:
    alerts.watch()
    return [(alert.key, alert.severity, alert.message) for alert in alerts.open_alerts()]


@pytest.mark.spec("MON-035")
def test_a_failed_backup_is_an_alert_until_one_succeeds() -> None:
    assert raised() == []
    Job.objects.create(kind=JobKind.BACKUP, status=JobStatus.FAILED, error="The disk is full")
    Job.objects.create(kind=JobKind.OPTIMIZE, status=JobStatus.COMPLETED)
    running = Job.objects.create(kind=JobKind.BACKUP, status=JobStatus.RUNNING)
    assert raised() == [("backup", "warning", "The disk is full")]
    Job.objects.filter(pk=running.pk).update(status=JobStatus.COMPLETED)
    assert raised() == []
    assert Alert.objects.count() == 1


@pytest.mark.spec("MON-035")
def test_work_that_hangs_is_an_alert_until_it_is_done() -> None:
    tasks.enqueue("emailcheck.common.tasks.pulse", "high", queue="high")
    with time_machine.travel(timezone.now() + timedelta(hours=2), tick=False):
        found = {key: message for key, _, message in raised()}
        assert found["stuck"] == "1 pieces of work (lists, chunks, tasks, webhooks) past their deadline"
        drain_queue()
        assert raised() == []
