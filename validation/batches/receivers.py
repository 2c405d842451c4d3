"""Reactions to signals of accounts and lists: suspended accounts, and mails about lists.

No mail is sent for a list that was answered within the request, nor to owners who turned these mails off.
"""

from typing import Any

from django.conf import settings

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import ROLES_OF, Right
from accounts.signals import organisation_suspended
from accounts.users.models import User
from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_day
from validation.batches.chunks import completion
from validation.batches.control import stopping
from validation.batches.models import Batch, BatchStatus
from validation.results.storage import DO_NOT_SEND
from validation.signals import batch_expiring, batch_finished, batch_stopped

_PAGE = mail.build_link("/dashboard/batch/bat_example")
_LIST = {"filename": "customers.csv", "total": 1_200, "link": _PAGE}
_NEXT_STEPS = {"next_steps": f"{_PAGE}/next-steps"}
_COUNTS = {"valid": 900, "catch_all": 60, "unknown": 25, "disposable": 15, "spam_trap": 0, "invalid": 200}
_DECISIONS = {"safe": 930, "risky": 55, "never": 215}
_SETTLED = {"used": 1_175, "released": 25}

mail.register_mail(
    "batch_finished",
    example=_LIST | _NEXT_STEPS | _COUNTS | _DECISIONS | _SETTLED | {"reused": 40},
    always_sent=False,
)
mail.register_mail(
    "batch_failed",
    example=_LIST | {"reason": "The list stood still because of a fault on our side.", "done": 700, "released": 520},
    always_sent=False,
)
mail.register_mail("batch_expiring", example=_LIST | {"date": "28 November 2026"}, always_sent=False)


def connect() -> None:
    """Connect to the signals of accounts and lists."""
    organisation_suspended.connect(_suspend_batches, dispatch_uid="lists")
    batch_finished.connect(_mail_finished, dispatch_uid="mail")
    batch_stopped.connect(_mail_failed, dispatch_uid="mail")
    batch_expiring.connect(_mail_expiring, dispatch_uid="mail")


def _suspend_batches(organisation: Organisation, **_: Any) -> None:
    stopping.stop_running_batches(organisation)


def _mail_finished(batch: Batch, **_: Any) -> None:
    if _was_waited_for(batch):
        return
    counts = {name: getattr(batch, f"{name}_count") for name in _COUNTS}
    safe, risky = batch.safe_to_send_count, batch.risky_count
    decisions = {"safe": safe, "risky": risky, "never": sum(counts[name] for name in DO_NOT_SEND)}
    settled = {
        "used": batch.credits_used,
        "released": completion.count_released(batch),
        "reused": batch.reused_count,
    }
    steps = {"next_steps": f"{_build_link(batch)}/next-steps"}
    _send_mail("batch_finished", batch, counts | decisions | settled | steps)


def _mail_failed(batch: Batch, **_: Any) -> None:
    if batch.status == BatchStatus.FAILED:
        outcome = {"reason": batch.error, "done": batch.processed, "released": completion.count_released(batch)}
        _send_mail("batch_failed", batch, outcome)


def _mail_expiring(batch: Batch, **_: Any) -> None:
    if batch.expires_at is not None:
        _send_mail("batch_expiring", batch, {"date": format_day(batch.expires_at)})


def _was_waited_for(batch: Batch) -> bool:
    """Whether the caller got the results within the request."""
    took = (batch.completed_at or batch.created_at) - batch.created_at
    return batch.total_emails <= settings.IMMEDIATE_ADDRESSES and took.total_seconds() <= settings.IMMEDIATE_SECONDS


def _send_mail(name: str, batch: Batch, context: dict[str, Any]) -> None:
    addressee = _find_addressee(batch)
    if batch.test or not addressee.email_notifications:
        return
    common = {
        "filename": batch.filename or "Your pasted list",
        "total": batch.total_emails,
        "link": _build_link(batch),
    }
    mail.send_mail(
        name=name,
        to=addressee.email,
        context=common | context,
        key=f"{name}:{batch.public_id}:{_mail_round(batch)}",
    )


def _build_link(batch: Batch) -> str:
    return mail.build_link(f"/dashboard/batch/{batch.public_id}")


def _find_addressee(batch: Batch) -> User:
    """Its maker, while a member that wants these mails and may read lists; else who answers for the organisation."""
    readers = Membership.objects.filter(organisation=batch.organisation_id, role__in=ROLES_OF[Right.READ])
    member = readers.filter(user=batch.maker_id, user__email_notifications=True).select_related("user").first()
    return batch.organisation.contact if member is None else member.user


def _mail_round(batch: Batch) -> str:
    """The number of an expiry notice, or of a rest that was checked. A postponed expiry is announced again."""
    return f"{batch.retention_days or ''}{batch.rest_at.isoformat() if batch.rest_at else ''}"
