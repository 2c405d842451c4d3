"""What the alerts watch of this room: whether the last backup failed, and whether work hangs."""

from collections.abc import Iterator

from adminpanel import stuck
from adminpanel.models import Job, JobKind, JobStatus
from monitoring.conditions import Condition


def conditions() -> Iterator[Condition]:
    """As things are now. Nothing is said of backups where none was ever made."""
    last = Job.objects.filter(kind=JobKind.BACKUP).exclude(status=JobStatus.RUNNING).order_by("-pk").first()
    yield Condition(
        key="backup",
        category="system",
        title="The last backup failed",
        readings=[] if last is None else [float(last.status == JobStatus.FAILED)],
        warning=0.5,
        critical=1.0,
        back=0.5,
        told=lambda _: last.error if last else "",
    )
    hanging = len(stuck.found())
    yield Condition(
        key="stuck_work",
        category="application",
        title="Work hangs",
        readings=[float(hanging)],
        warning=0.5,
        critical=20.0,
        back=0.5,
        told=lambda count: f"lists, chunks, tasks and webhooks past their deadline: {count:.0f}; see System Admin",
    )
