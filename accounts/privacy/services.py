"""The rights of people over their data: export and deletion."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.access.calling import list_closures
from accounts.access.models import SignIn
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import list_memberships
from accounts.organisations.roles import OrganisationRole
from accounts.privacy.emails import send_account_deleted
from accounts.signals import user_deleted
from accounts.signin.sessions import end_all_sign_ins, proves_owner
from accounts.team import deletion
from accounts.team.models import Invitation
from accounts.users.models import Role, User
from emailcheck.common import personal
from emailcheck.common.errors import BadInput, Refused
from emailcheck.common.queue import tasks

ERASE = "accounts.tasks.erase_account"
PROTECTED = "This account is protected"
LAST_ADMIN = "You are the last administrator. Make another one first."
NOT_CONFIRMED = "The address or password does not match."


def export_account(*, user: User, now: datetime) -> Iterator[str]:
    """Everything about an account as JSON text, piece by piece. It has the rows of the organisations that the person
    owns, which note that, but for those that do not admit them now: these are named with the reason."""
    closures = list_closures(user)
    closed = [
        personal.ClosedOrganisation(organisation.pk, organisation.public_id, organisation.title, str(closure))
        for organisation, closure in closures
    ]
    exported = list_memberships(user).filter(role=OrganisationRole.OWNER)
    audit_log.record_activity(
        user=user,
        kind=ActivityKind.EXPORT,
        action="Data exported",
        copy_to=exported.exclude(organisation__in=[organisation.pk for organisation, _ in closures]),
    )
    return personal.export_person(user.pk, now, closed)


def delete_own_account(*, user: User, sign_in: SignIn, email: str, password: str = "") -> None:
    """Delete the signed-in account; its owner confirms it by address and password.

    A recent sign-in with Google replaces the password. Raises `BadInput` (`CONFIRMATION_FAILED`), or
    `Refused` for a protected account and the last administrator, and as `close_account`; nothing changes then.
    """
    if user.is_protected:
        raise Refused(PROTECTED, code="PROTECTED_ACCOUNT")
    if email.strip().lower() != user.email or not proves_owner(user=user, sign_in=sign_in, password=password):
        raise BadInput(NOT_CONFIRMED, code="CONFIRMATION_FAILED")
    with transaction.atomic():
        _check_not_last_admin(user)
        close_account(user=user)


@transaction.atomic
def close_account(*, user: User) -> None:
    """Close an account for good. May be repeated.

    Its name and address are removed at once, so that the address can register again, and nobody can sign in; the queue
    deletes all that hung on it. Organisations of others go on without it. Raises `BadInput` (`LAST_OWNER`) for the only
    owner of an organisation with other members.
    """
    account = User.objects.select_for_update().filter(pk=user.pk, deleted_at=None).first()
    if account is None:
        return
    memberships = deletion.lock_memberships(account)
    user_deleted.send(sender=User, user=account)
    address, nobody = account.email, f"deleted-{account.pk}@deleted.invalid"
    end_all_sign_ins(user=account)
    Invitation.objects.filter(email=address).exclude(accepted_at=None).update(email=nobody)
    User.objects.filter(pk=account.pk).update(
        email=nobody,
        name="Deleted account",
        password="!",
        is_active=False,
        suspension_reason="",
        deleted_at=timezone.now(),
    )
    send_account_deleted(user_id=account.pk, address=address, credits=deletion.end_memberships(memberships))
    tasks.enqueue(ERASE, account.pk)


def erase_account(*, user_id: int) -> None:
    """Delete all that hung on a closed account, and the account. Repeating it goes on where it ended."""
    if User.objects.filter(pk=user_id).exclude(deleted_at=None).exists():
        personal.erase_person(user_id)


def resume_erasing() -> None:
    """Resume deletions whose process died."""
    overdue = User.objects.filter(deleted_at__lt=timezone.now() - timedelta(minutes=10))
    for user_id in overdue.values_list("pk", flat=True)[:100]:
        tasks.enqueue(ERASE, user_id)


def _check_not_last_admin(user: User) -> None:
    """Locks the accounts of all administrators, so that of the last two who leave at once one stays."""
    admins = User.objects.select_for_update().filter(role=Role.ADMIN, is_active=True, deleted_at=None).order_by("pk")
    left = {admin.pk for admin in admins if admin.has_staff_role}
    if left == {user.pk}:
        raise Refused(LAST_ADMIN, code="LAST_ADMINISTRATOR")
