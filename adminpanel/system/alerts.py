"""What of this app the alerts watch: whether the last backup failed, and whether work hangs (MON-035)."""

from collections.abc import Iterator

from adminpanel.jobs.models import Job, JobKind, JobStatus
from adminpanel.monitoring.alerts.conditions import Condition
from adminpanel.system import stuck_work

_SOME, _MANY = 0.5, 100.0


def system_conditions() -> Iterator[Condition]:
    """Both, as they are now."""
    ended = Job.objects.filter(kind=JobKind.BACKUP).exclude(status=JobStatus.RUNNING)
    last = ended.order_by("-pk").first()
    why = last.error if last else ""
    yield Condition(
        key="backup",
        category="backup",
        title="The last backup failed",
        readings=[float(last.status == JobStatus.FAILED)] if last else [],
        warning=_SOME,
        critical=1.0,
        clear_below=_SOME,
        describe=lambda _: why or "it did not say why",
    )
    yield Condition(
        key="stuck",
        category="queue",
        title="Work hangs",
        readings=[float(stuck_work.count_alarming_work())],
        warning=_SOME,
        critical=_MANY,
        clear_below=_SOME,
        describe=lambda count: (
            f"{count:.0f} pieces of work (lists, chunks, failed tasks, webhooks) past their deadline"
        ),
    )
