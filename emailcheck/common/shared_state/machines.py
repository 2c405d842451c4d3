"""The machines that run, as the database sees them, and what they must share to be several.

A machine is a `VAR_DIR`, with an id of its own in it, and a name. Who has the id or the name of this machine is this
machine: its other processes, or itself before its `VAR_DIR` was lost.
"""

import uuid
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models.functions import Now

from emailcheck.common.shared_state.models import Machine

SEEN_FOR = timedelta(seconds=60)
_LONG_AGO = timedelta(days=1)
_LONGEST = 255


def machine_id(path: Path) -> str:
    """The id of this machine, generated once and stored in a file."""
    if not path.exists():
        made = path.with_name(f"{path.name}-{uuid.uuid4().hex}")
        made.write_text(made.name.rpartition("-")[2])
        with suppress(FileExistsError):
            path.hardlink_to(made)  # whole at once, by one of those who try
        made.unlink()
    return path.read_text().strip()


def report_running(files_at: str) -> None:
    """Write that this machine runs now, and keeps its files there."""
    own_id = machine_id(settings.MACHINE_FILE)
    values: dict[str, Any] = {
        "host": settings.MACHINE_NAME[:_LONGEST],
        "running_at": Now(),
        "files_at": files_at[:_LONGEST],
        "has_redis": bool(settings.REDIS_URL),
    }
    if not Machine.objects.filter(pk=own_id).update(**values):
        before = Now() - _LONG_AGO  # it has not counted with others yet
        made = Machine(id=own_id, joined_at=before, seen_at=before, reaches_redis=False, **values)
        Machine.objects.bulk_create([made], ignore_conflicts=True)


def report_stopped() -> None:
    """Write that this machine does not run; processes of it that do say otherwise soon."""
    Machine.objects.filter(pk=machine_id(settings.MACHINE_FILE)).update(running_at=None)


def find_refusal(files_at: str) -> str | None:
    """Why this machine, whose files are there, may not run beside those seen within the last minute; None if it may."""
    others = list(
        Machine.objects.filter(running_at__gt=Now() - SEEN_FOR)
        .exclude(pk=machine_id(settings.MACHINE_FILE))
        .exclude(host=settings.MACHINE_NAME[:_LONGEST])
        .order_by("host")
    )
    missing = _list_missing(others, files_at[:_LONGEST]) if others else []
    if not missing:
        return None
    seen = ", ".join(sorted({one.host for one in others}))
    return (
        f"Another machine was seen within the last minute ({seen}), and this one cannot run beside it:\n"
        + "\n".join(f"- {one}" for one in missing)
    )


def _list_missing(others: Sequence[Machine], files_at: str) -> list[str]:
    missing = []
    if connection.vendor == "sqlite":
        missing.append("the database is SQLite: set DATABASE_URL to the PostgreSQL of all machines")
    if not settings.REDIS_URL:
        missing.append("REDIS_URL is not set: it must name the Redis of all machines")
    for one in others:
        if one.has_redis is False and settings.REDIS_URL:
            missing.append(f"{one.host} runs without REDIS_URL: set it there, and start that machine again first")
        if one.files_at != files_at:
            missing.append(
                f"{one.host} keeps its files at {one.files_at}, and this one at {files_at}: set FILE_STORE=s3 on all, "
                "or let MEDIA_ROOT be the same directory on all"
            )
    return missing
