"""What of this app the alerts watch (MON-035): backups, the proofs that must hold, and whether work hangs."""

from collections.abc import Iterator

from adminpanel.backups.lateness import measure_backup_age
from adminpanel.jobs.models import Job, JobKind, JobStatus
from adminpanel.monitoring.alerts.conditions import Condition
from adminpanel.monitoring.routines.models import RoutineName
from adminpanel.monitoring.routines.services import find_result
from adminpanel.system import stuck_work

_SOME, _MANY = 0.5, 100.0


def system_conditions() -> Iterator[Condition]:
    """All, as they are now."""
    yield from _backup_conditions()
    yield _routine_condition(RoutineName.RESTORE_TEST, "backup", "The newest backup cannot be restored")
    yield _routine_condition(RoutineName.RECOUNT, "credits", "Credits do not add up")
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


def _backup_conditions() -> Iterator[Condition]:
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
    age = measure_backup_age()
    yield Condition(
        key="backup_late",
        category="backup",
        title="The next backup is late",
        readings=[float(age.is_late)],
        warning=_SOME,
        critical=1.0,
        clear_below=_SOME,
        describe=lambda _: (
            f"the newest good one was begun {age.seconds / 3_600:.0f} hours ago" if age.exists else "there is none yet"
        ),
    )


def _routine_condition(name: RoutineName, category: str, title: str) -> Condition:
    """Of something that is proved regularly: what came out the last time."""
    result = find_result(name)
    note = result.note if result else ""
    return Condition(
        key=name.value,
        category=category,
        title=title,
        readings=[float(result.problems)] if result else [],
        warning=_SOME,
        critical=_SOME,
        clear_below=_SOME,
        describe=lambda count: f"{count:.0f} found, the first: {note}"[:300],
    )
