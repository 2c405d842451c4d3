"""Deleting the account of a colleague: one administrator asks with a reason, another confirms within a week.

Nobody alone removes a colleague, who could object: not by asking and confirming, nor by taking the role
first. The colleague and every administrator are mailed at each step.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts import activity, actors, emails, privacy, staff
from accounts.deletion_models import ColleagueDeletion, DeletionOutcome
from accounts.models import ActivityKind, Role, User
from emailcheck.common.errors import BadInput, Conflict, NotFound, Refused

LASTS = timedelta(days=7)
OWN_REQUEST = "You asked for this deletion: another administrator must confirm it."
ABOUT_YOU = "This is about your own account: other administrators decide it."
ENDED = "This request is no longer open."
ASKED = "The deletion of this account is asked for already."
NO_COLLEAGUE = "Only the account of a colleague needs a second administrator."


@transaction.atomic
def ask_deletion(*, colleague: User, by: User, reason: str) -> ColleagueDeletion:
    """Ask that the account of a colleague be deleted.

    Raises `NotFound` for a deleted account, `Refused` for a protected one and the own one, `BadInput` for a customer or
    without a reason, `Conflict` where that is asked already.
    """
    account = _locked(colleague.pk)
    staff.check_may_end(account, by, "You cannot delete your own account here. Your settings can.")
    if not account.is_colleague:
        raise BadInput(NO_COLLEAGUE, code="NOT_A_COLLEAGUE")
    if not reason.strip():
        raise BadInput("Give a reason", field="reason")
    _end_lapsed()
    if ColleagueDeletion.objects.filter(colleague_id=account.pk, outcome=DeletionOutcome.PENDING).exists():
        raise Conflict(ASKED, code="DELETION_ASKED")
    asked = ColleagueDeletion.objects.create(
        **actors.frozen(by),
        colleague_id=account.pk,
        colleague_name=account.name,
        colleague_email=account.email,
        reason=reason.strip(),
        expires_at=timezone.now() + LASTS,
    )
    _record(asked, account, by, "Deletion of the account asked for", "asked for")
    return asked


@transaction.atomic
def confirm_deletion(*, deletion_id: int, by: User) -> ColleagueDeletion:
    """Delete the account that another administrator asked to delete; of several at once the first does it.

    Raises `NotFound`, `Refused` for whoever asked, the colleague, and a protected account, and `Conflict` for a request
    that has ended, or whose author is no administrator any more.
    """
    asked = _open(deletion_id)
    if asked.staff_id == by.pk:
        raise Refused(OWN_REQUEST, code="SECOND_ADMIN_NEEDED")
    account = _locked(asked.colleague_id)
    staff.check_may_end(account, by, ABOUT_YOU)
    author = User.objects.filter(pk=asked.staff_id).first()
    if author is None or not author.has_staff_role:
        raise Conflict("Whoever asked for this is no administrator any more.", code="DELETION_ENDED")
    _end(asked, DeletionOutcome.CONFIRMED)
    _record(asked, account, by, "Account deleted", "confirmed")
    privacy.remove(user=account)
    return asked


@transaction.atomic
def cancel_deletion(*, deletion_id: int, by: User) -> ColleagueDeletion:
    """Take the request back: whoever asked, or another administrator. Raises as `confirm_deletion`."""
    asked = _open(deletion_id)
    account = _locked(asked.colleague_id)
    if account.pk == by.pk:
        raise Refused(ABOUT_YOU, code="PROTECTED_ACCOUNT")
    _end(asked, DeletionOutcome.CANCELLED)
    _record(asked, account, by, "Deletion of the account cancelled", "cancelled")
    return asked


def open_deletions() -> list[ColleagueDeletion]:
    """Those that wait for a second administrator, the oldest first."""
    waiting = ColleagueDeletion.objects.filter(outcome=DeletionOutcome.PENDING, expires_at__gt=timezone.now())
    return list(waiting.order_by("pk"))


def _end_lapsed() -> None:
    old = ColleagueDeletion.objects.filter(outcome=DeletionOutcome.PENDING, expires_at__lte=timezone.now())
    old.update(outcome=DeletionOutcome.LAPSED, ended_at=timezone.now())


def _locked(user_id: int) -> User:
    account = User.objects.select_for_update().filter(pk=user_id, deleted_at=None).first()
    if account is None:
        raise NotFound("User not found")
    return account


def _open(deletion_id: int) -> ColleagueDeletion:
    asked = ColleagueDeletion.objects.select_for_update().filter(pk=deletion_id).first()
    if asked is None:
        raise NotFound("There is no such request")
    if asked.outcome != DeletionOutcome.PENDING or asked.expires_at <= timezone.now():
        raise Conflict(ENDED, code="DELETION_ENDED")
    return asked


def _end(asked: ColleagueDeletion, outcome: DeletionOutcome) -> None:
    asked.outcome, asked.ended_at = outcome, timezone.now()
    asked.save(update_fields=["outcome", "ended_at"])


def _record(asked: ColleagueDeletion, account: User, by: User, action: str, step: str) -> None:
    """Note a step, and mail the colleague and every administrator."""
    activity.record(
        user=account,
        kind=ActivityKind.STAFF,
        action=action,
        staff=by,
        target=f"account {account.pk}",
        changes={"reason": asked.reason, "request": asked.pk},
    )
    admins = User.objects.filter(role=Role.ADMIN, is_active=True, deleted_at=None)
    told = {account.email} | {admin.email for admin in admins if admin.has_staff_role}
    emails.send_colleague_deletion(asked=asked, by=by, step=step, to=sorted(told))
