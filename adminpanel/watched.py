"""What of this app the alerts watch: whether the last backup failed, and whether work hangs (MON-035)."""

from collections.abc import Iterator

from adminpanel import stuck
from adminpanel.models import Job, JobKind, JobStatus
from adminpanel.monitoring.conditions import Condition

_SOME, _MANY = 0.5, 100.0


def conditions() -> Iterator[Condition]:
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
        back=_SOME,
        told=lambda _: why or "it did not say why",
    )
    yield Condition(
        key="stuck",
        category="queue",
        title="Work hangs",
        readings=[float(stuck.alarming())],
        warning=_SOME,
        critical=_MANY,
        back=_SOME,
        told=lambda count: f"{count:.0f} pieces of work (lists, chunks, failed tasks, webhooks) past their deadline",
    )
