"""The rights of people over their data: export and deletion."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.utils import timezone

from accounts.access.models import ApiKey, SignIn
from accounts.access.permissions import require_confirmed
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.privacy.emails import send_account_deleted
from accounts.signals import user_deleted
from accounts.signin.sessions import end_all_sign_ins
from accounts.users.models import Role, User
from emailcheck.common import personal, registry
from emailcheck.common.errors import BadInput, Refused
from emailcheck.common.queue import tasks

ERASE = "accounts.tasks.erase_account"
PROTECTED = "This account is protected"
LAST_ADMIN = "You are the last administrator. Make another one first."
NOT_CONFIRMED = "The address or password does not match."


def export_account(*, user: User, now: datetime) -> Iterator[str]:
    """Everything about an account as JSON text, piece by piece."""
    audit_log.record_activity(user=user, kind=ActivityKind.SETTINGS, action="Data exported")
    return personal.export_person(user.pk, now)


def delete_own_account(*, user: User, sign_in: SignIn, email: str, password: str = "") -> None:
    """Delete the signed-in account; its owner confirms it by address and password.

    A recent sign-in with Google replaces the password. Raises `BadInput` (`CONFIRMATION_FAILED`), or
    `Refused` for a protected account and the last administrator; nothing changes then.
    """
    if user.is_protected:
        raise Refused(PROTECTED, code="PROTECTED_ACCOUNT")
    if email.strip().lower() != user.email or not _is_owner(user, sign_in, password):
        raise BadInput(NOT_CONFIRMED, code="CONFIRMATION_FAILED")
    with transaction.atomic():
        _check_not_last_admin(user)
        close_account(user=user)


@transaction.atomic
def close_account(*, user: User) -> None:
    """Close an account for good. May be repeated.

    Its name and address are removed at once, so that the address can register again, and nobody can sign in; the queue
    deletes all that hung on it.
    """
    account = User.objects.select_for_update().filter(pk=user.pk, deleted_at=None).first()
    if account is None:
        return
    user_deleted.send(sender=User, user=account)
    send_account_deleted(
        user=account, credits=registry.above.load_account_summary(account.own_organisation).get("credits", 0)
    )
    end_all_sign_ins(user=account)
    ApiKey.objects.filter(organisation__holder=account).filter(revoked_at=None).update(revoked_at=timezone.now())
    User.objects.filter(pk=account.pk).update(
        email=f"deleted-{account.pk}@deleted.invalid",
        name="Deleted account",
        password="!",
        is_active=False,
        suspension_reason="",
        deleted_at=timezone.now(),
    )
    Organisation.objects.filter(holder=account).update(
        name="", company="", vat_id="", address="", billing_email="", is_active=False, deleted_at=timezone.now()
    )
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


def _is_owner(user: User, sign_in: SignIn, password: str) -> bool:
    if password:
        return user.check_password(password)
    if not SocialAccount.objects.filter(user=user).exists():
        return False
    require_confirmed(sign_in)
    return True
