"""Deleting the account of a colleague: one administrator requests it with a reason, another confirms within a week.

Nobody can remove a colleague alone: neither by requesting and confirming, nor by taking the role
first. The colleague and every administrator are mailed at each step.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.activity import actors, audit_log
from accounts.activity.models import ActivityKind
from accounts.privacy import services as privacy
from accounts.staff import services as staff
from accounts.staff.emails import send_colleague_deletion
from accounts.staff.models import ColleagueDeletion, DeletionOutcome
from accounts.users.models import Role, User
from emailcheck.common.errors import BadInput, Conflict, NotFound, Refused

REQUEST_LIFETIME = timedelta(days=7)
OWN_REQUEST = "You asked for this deletion: another administrator must confirm it."
ABOUT_YOU = "This is about your own account: other administrators decide it."
REQUEST_ENDED = "This request is no longer open."
ALREADY_REQUESTED = "The deletion of this account is asked for already."
NO_COLLEAGUE = "Only the account of a colleague needs a second administrator."


@transaction.atomic
def request_deletion(*, colleague: User, by: User, reason: str) -> ColleagueDeletion:
    """Request the deletion of a colleague's account.

    Raises `NotFound` for a deleted account, `Refused` for a protected one and the own one, `BadInput` for a customer or
    without a reason, `Conflict` where it is requested already.
    """
    account = _lock_account(colleague.pk)
    staff.check_may_end(account, by, "You cannot delete your own account here. Your settings can.")
    if not account.is_colleague:
        raise BadInput(NO_COLLEAGUE, code="NOT_A_COLLEAGUE")
    if not reason.strip():
        raise BadInput("Give a reason", field="reason")
    _close_lapsed_requests()
    if ColleagueDeletion.objects.filter(colleague_id=account.pk, outcome=DeletionOutcome.PENDING).exists():
        raise Conflict(ALREADY_REQUESTED, code="DELETION_ASKED")
    deletion = ColleagueDeletion.objects.create(
        **actors.snapshot_actor(by),
        colleague_id=account.pk,
        colleague_name=account.name,
        colleague_email=account.email,
        reason=reason.strip(),
        expires_at=timezone.now() + REQUEST_LIFETIME,
    )
    _record_step(deletion, account, by, "Deletion of the account asked for", "asked for")
    return deletion


@transaction.atomic
def confirm_deletion(*, deletion_id: int, by: User) -> ColleagueDeletion:
    """Delete the account as the second administrator; of concurrent calls the first does it.

    Raises `NotFound`, `Refused` for the requester, the colleague, and a protected account, and `Conflict` for a request
    that has ended, or whose author is no longer an administrator.
    """
    deletion = _lock_open_request(deletion_id)
    if deletion.staff_id == by.pk:
        raise Refused(OWN_REQUEST, code="SECOND_ADMIN_NEEDED")
    account = _lock_account(deletion.colleague_id)
    staff.check_may_end(account, by, ABOUT_YOU)
    author = User.objects.filter(pk=deletion.staff_id).first()
    if author is None or not author.has_staff_role:
        raise Conflict("Whoever asked for this is no administrator any more.", code="DELETION_ENDED")
    _close_request(deletion, DeletionOutcome.CONFIRMED)
    _record_step(deletion, account, by, "Account deleted", "confirmed")
    privacy.close_account(user=account)
    return deletion


@transaction.atomic
def cancel_deletion(*, deletion_id: int, by: User) -> ColleagueDeletion:
    """Cancel a request, as its author or another administrator. Raises as `confirm_deletion`."""
    deletion = _lock_open_request(deletion_id)
    account = _lock_account(deletion.colleague_id)
    if account.pk == by.pk:
        raise Refused(ABOUT_YOU, code="PROTECTED_ACCOUNT")
    _close_request(deletion, DeletionOutcome.CANCELLED)
    _record_step(deletion, account, by, "Deletion of the account cancelled", "cancelled")
    return deletion


def list_open_requests() -> list[ColleagueDeletion]:
    """Those that wait for a second administrator, the oldest first."""
    waiting = ColleagueDeletion.objects.filter(outcome=DeletionOutcome.PENDING, expires_at__gt=timezone.now())
    return list(waiting.order_by("pk"))


def _close_lapsed_requests() -> None:
    old = ColleagueDeletion.objects.filter(outcome=DeletionOutcome.PENDING, expires_at__lte=timezone.now())
    old.update(outcome=DeletionOutcome.LAPSED, ended_at=timezone.now())


def _lock_account(user_id: int) -> User:
    account = User.objects.select_for_update().filter(pk=user_id, deleted_at=None).first()
    if account is None:
        raise NotFound("User not found")
    return account


def _lock_open_request(deletion_id: int) -> ColleagueDeletion:
    deletion = ColleagueDeletion.objects.select_for_update().filter(pk=deletion_id).first()
    if deletion is None:
        raise NotFound("There is no such request")
    if deletion.outcome != DeletionOutcome.PENDING or deletion.expires_at <= timezone.now():
        raise Conflict(REQUEST_ENDED, code="DELETION_ENDED")
    return deletion


def _close_request(deletion: ColleagueDeletion, outcome: DeletionOutcome) -> None:
    deletion.outcome, deletion.ended_at = outcome, timezone.now()
    deletion.save(update_fields=["outcome", "ended_at"])


def _record_step(deletion: ColleagueDeletion, account: User, by: User, action: str, step: str) -> None:
    """Record a step, and mail the colleague and every administrator."""
    audit_log.record_activity(
        user=account,
        kind=ActivityKind.STAFF,
        action=action,
        staff=by,
        target=f"account {account.pk}",
        changes={"reason": deletion.reason, "request": deletion.pk},
    )
    admins = User.objects.filter(role=Role.ADMIN, is_active=True, deleted_at=None)
    recipients = {account.email} | {admin.email for admin in admins if admin.has_staff_role}
    send_colleague_deletion(deletion=deletion, by=by, step=step, to=sorted(recipients))
