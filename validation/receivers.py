"""What follows from the news of accounts, and the mails about lists.

A list that was answered at once needs no mail, and none goes to who has turned them off.
"""

from typing import Any

from django.conf import settings

from accounts.models import User
from accounts.signals import user_suspended
from emailcheck.common import mail
from emailcheck.common.dates import on_day
from validation import ending, stopping, webhook_events
from validation.models import Batch, BatchStatus
from validation.signals import batch_expiring, batch_finished, batch_stopped

_PAGE = mail.link("/dashboard/batch/bat_example")
_LIST = {"filename": "customers.csv", "total": 1_200, "link": _PAGE}
_COUNTS = {"valid": 900, "invalid": 200, "catch_all": 60, "disposable": 15, "spam_trap": 0, "unknown": 25}

mail.register("batch_finished", example=_LIST | _COUNTS | {"used": 1_175, "released": 25}, always_sent=False)
mail.register(
    "batch_failed",
    example=_LIST | {"reason": "The list stood still because of a fault on our side.", "done": 700, "released": 520},
    always_sent=False,
)
mail.register("batch_expiring", example=_LIST | {"date": "28 November 2026"}, always_sent=False)


def connect() -> None:
    """Listen to the news of accounts and lists."""
    user_suspended.connect(_suspended, dispatch_uid="lists")
    batch_finished.connect(_finished, dispatch_uid="mail")
    batch_stopped.connect(_stopped, dispatch_uid="mail")
    batch_expiring.connect(_expiring, dispatch_uid="mail")
    webhook_events.connect()


def _suspended(user: User, **_: Any) -> None:
    stopping.suspend(user)


def _finished(batch: Batch, **_: Any) -> None:
    if _was_waited_for(batch):
        return
    counts = {name: getattr(batch, f"{name}_count") for name in _COUNTS}
    settled = {"used": batch.credits_used, "released": ending.released(batch)}
    _send("batch_finished", batch, counts | settled)


def _stopped(batch: Batch, **_: Any) -> None:
    if batch.status == BatchStatus.FAILED:
        outcome = {"reason": batch.error, "done": batch.processed, "released": ending.released(batch)}
        _send("batch_failed", batch, outcome)


def _expiring(batch: Batch, **_: Any) -> None:
    if batch.expires_at is not None:
        _send("batch_expiring", batch, {"date": on_day(batch.expires_at)})


def _was_waited_for(batch: Batch) -> bool:
    """Whether the caller has had the answer at once."""
    took = (batch.completed_at or batch.created_at) - batch.created_at
    return batch.total_emails <= settings.IMMEDIATE_ADDRESSES and took.total_seconds() <= settings.IMMEDIATE_SECONDS


def _send(name: str, batch: Batch, context: dict[str, Any]) -> None:
    if batch.test or not batch.user.email_notifications:
        return
    common = {
        "filename": batch.filename or "Your pasted list",
        "total": batch.total_emails,
        "link": mail.link(f"/dashboard/batch/{batch.public_id}"),
    }
    mail.send(name=name, to=batch.user.email, context=common | context, key=f"{name}:{batch.public_id}:{_round(batch)}")


def _round(batch: Batch) -> str:
    """An expiry may be announced again after its owner has put it off."""
    return str(batch.retention_days or "")
