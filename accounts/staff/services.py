"""Who is staff, and what staff do to accounts. Every change is recorded in the transaction that makes it."""

import re
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation, list_solely_owned
from accounts.privacy import services as privacy
from accounts.signals import organisation_readmitted, organisation_suspended
from accounts.signin import registrations, second_factor
from accounts.signin import services as signin
from accounts.signin.sessions import end_all_sign_ins
from accounts.staff.emails import send_account_readmitted, send_account_suspended
from accounts.users import password_rules
from accounts.users.models import Role, User
from emailcheck.common.errors import BadInput, NotFound, Refused

SECOND_ADMIN = "Deleting a colleague needs a second administrator: ask for it with a reason."
REASON_MISSING = "Enter a reason for the suspension; the customer gets it by mail."
ONE_TIME_PASSWORD_LASTS = timedelta(hours=24)

# Mailboxes of several people, or of programs (RFC 2142, and what is usual): they belong to no single person.
_ROLE_ADDRESS = re.compile(
    "(abuse|accounts|admin|administrator|billing|careers|contact|hello|help|hostmaster|hr|info|it|jobs|legal|list|mail"
    "|marketing|news|newsletter|noc|no-?reply|office|postmaster|press|privacy|root|sales|security|support|team"
    r"|webmaster|www)(\+.*)?@.*"
)


@transaction.atomic
def create_colleague(*, email: str, name: str, password: str, company: str, by: User) -> tuple[User, str]:
    """Create an administrator. Returns the account with its password: the given one, or a generated one.

    It works for one day, and only to choose another (SEC-013). Raises `BadInput` for an address that is
    registered or of another domain, or a weak password.
    """
    address = email.strip().lower()
    taken = BadInput("Email already registered", field="email", value=address)
    if User.objects.exclude(email_verified_at=None).filter(email=address).exists():
        raise taken
    try:
        with transaction.atomic():
            made_up = create_admin(email=address, name=name, password=password, company=company, by=by)
    except IntegrityError as error:
        raise taken from error
    User.objects.filter(email=address).update(password_ends_at=timezone.now() + ONE_TIME_PASSWORD_LASTS)
    return User.objects.get(email=address), password or made_up


@transaction.atomic
def create_admin(*, email: str, name: str, password: str = "", company: str = "", by: User | None = None) -> str:
    """Make an administrator, or give the role to the account of that address; it counts as verified by whoever asks.

    Answers the password that was made up, empty for one that was given or is there. `by` is None on the server's own
    command line. Raises `BadInput` for an address of another domain, or a weak password.
    """
    address = email.strip().lower()
    user = User.objects.select_for_update().filter(email=address).first()
    require_staff_domain(user or User(email=address))
    made_up = ""
    if user is None or not user.email_verified:
        made_up = "" if password else f"{secrets.token_urlsafe(12)}-7a"
        user = _reset_account(user, address, password or made_up, name, company or settings.SITE_NAME)
    before, user.role, user.is_active, user.suspension_reason = user.role, Role.ADMIN, True, ""
    user.save(update_fields=["role", "is_active", "suspension_reason"])
    signin.verify_address(user=user)
    _record_act(user, by, "Became an administrator", {"role": [before, Role.ADMIN]})
    return made_up


def lock_account(user: User) -> User:
    """The account, locked until the caller's transaction ends; rows that refer to it may be written meanwhile."""
    return User.objects.select_for_update(no_key=True).get(pk=user.pk)


@transaction.atomic
def change_account(
    *, user: User, by: User, role: str | None = None, is_active: bool | None = None, suspension_reason: str = ""
) -> None:
    """Give or take the role admin, suspend or readmit an account. Suspension ends every session.

    The owner is mailed why it is suspended, and that it is open again. Raises `Refused` for a protected account and the
    own one, `BadInput` for an administrator of another domain, and a suspension without a reason.
    """
    account = lock_account(user)
    changes = _collect_changes(account=account, by=by, role=role, is_active=is_active)
    if not changes:
        return
    recorded: dict[str, Any] = {field: [getattr(account, field), value] for field, value in changes.items()}
    User.objects.filter(pk=account.pk).update(**changes)
    if changes.get("is_active") is False:
        recorded["reason"] = suspension_reason.strip()
        _suspend_account(account, recorded["reason"])
    if changes.get("is_active") is True:
        _readmit_account(account)
    _record_act(account, by, "Role or status changed", recorded)


def _suspend_account(account: User, reason: str) -> None:
    if not reason:
        raise BadInput(REASON_MISSING, field="suspension_reason")
    User.objects.filter(pk=account.pk).update(suspension_reason=reason)
    end_all_sign_ins(user=account)
    for organisation in _set_organisations_active(account, is_active=False):
        organisation_suspended.send(sender=Organisation, organisation=organisation)
    send_account_suspended(user=account, reason=reason, now=timezone.now())


def _readmit_account(account: User) -> None:
    User.objects.filter(pk=account.pk).update(suspension_reason="")
    for organisation in _set_organisations_active(account, is_active=True):
        organisation_readmitted.send(sender=Organisation, organisation=organisation)
    send_account_readmitted(user=account, now=timezone.now())


def _set_organisations_active(account: User, *, is_active: bool) -> list[Organisation]:
    """Suspend or readmit the organisations of which the person is the only owner (ORG-035)."""
    found = list(list_solely_owned(account))
    Organisation.objects.filter(pk__in=[one.pk for one in found]).update(is_active=is_active)
    for one in found:
        one.is_active = is_active
    return found


def _collect_changes(
    *, account: User, by: User, role: str | None = None, is_active: bool | None = None
) -> dict[str, Any]:
    """What of this is another value than the account has. Raises as `change_account`."""
    requested = {"role": role, "is_active": is_active}
    changes = {name: value for name, value in requested.items() if value not in {None, getattr(account, name)}}
    if changes:
        check_may_end(account, by, "You cannot change your own role or status.")
    if changes.get("role") == Role.ADMIN:
        require_staff_domain(account)
    return changes


@transaction.atomic
def delete_account(*, user: User, by: User) -> None:
    """Close an account for good.

    Raises `Refused` for a protected account, the own one and a colleague's (`accounts.staff.colleague_deletion`
    deletes those), `NotFound` for one that is closed.
    """
    account = User.objects.select_for_update().filter(pk=user.pk, deleted_at=None).first()
    if account is None:
        raise NotFound("User not found")
    check_may_end(account, by, "You cannot delete your own account here. Your settings can.")
    if account.is_colleague:
        raise Refused(SECOND_ADMIN, code="SECOND_ADMIN_NEEDED")
    _record_act(account, by, "Account deleted", {})
    privacy.close_account(user=account)


@transaction.atomic
def sign_out_account(*, user: User, by: User) -> int:
    """End every session of an account. Answers how many there were."""
    ended = end_all_sign_ins(user=user)
    _record_act(user, by, "Signed out everywhere by staff", {"sessions": ended})
    return ended


@transaction.atomic
def reset_mfa(*, user: User, by: User, reason: str) -> None:
    """Remove the second factor of an account and mail its owner. Harmless without one.

    Raises `Refused` for the accounts of staff, and protected ones.
    """
    if user.is_protected or user.has_staff_role:
        raise _build_protected_error()
    if second_factor.remove_factors(user=user, who="a member of the staff"):
        _record_act(user, by, "Two-factor sign-in removed by staff", {"reason": reason})


@transaction.atomic
def resend_verification(*, user: User, by: User) -> None:
    """Mail the link once more. Raises `BadInput` (`ALREADY_VERIFIED`)."""
    if user.email_verified:
        raise BadInput("This address is already verified", code="ALREADY_VERIFIED")
    registrations.mail_new_link(user=user)
    _record_act(user, by, "Verification mail sent again by staff", {})


def check_may_end(account: User, by: User, own: str) -> None:
    """Raises `Refused` for a protected account, and with the text `own` for the caller's own."""
    if account.is_protected:
        raise _build_protected_error()
    if account.pk == by.pk:
        raise Refused(own, code="PROTECTED_ACCOUNT")


def _build_protected_error() -> Refused:
    return Refused("This account is protected", code="PROTECTED_ACCOUNT")


def give_role_to_colleagues(*, user: User) -> None:
    """Give the role of administrator to verified personal addresses of the admin domain, where the setting says so."""
    is_personal = not _ROLE_ADDRESS.fullmatch(user.email)
    if settings.STAFF_AUTO_ADMIN and is_personal and user.has_staff_address and user.role != Role.ADMIN:
        User.objects.filter(pk=user.pk).update(role=Role.ADMIN)
        user.role = Role.ADMIN
        _record_act(user, None, "Became an administrator by the address", {"role": [Role.USER, Role.ADMIN]})


def require_staff_domain(user: User) -> None:
    """Raises `BadInput` for an address outside of the admin domain."""
    if not user.has_staff_address:
        detail = f"Admin email must end with @{settings.ADMIN_EMAIL_DOMAIN}"
        raise BadInput(detail, code="WRONG_DOMAIN", field="email", value=user.email)


def _reset_account(user: User | None, email: str, password: str, name: str, company: str) -> User:
    """Reset the account to this password: an earlier registration of the address loses all access."""
    if user is None:
        return signin.register_account(email=email, password=password, name=name, company=company)
    password_rules.check_password_rules(password, email=email, name=name)
    signin.clear_unverified_account(user=user)
    user.set_password(password)
    user.save(update_fields=["password"])
    return user


def _record_act(user: User, by: User | None, action: str, changes: dict[str, Any]) -> None:
    audit_log.record_activity(
        user=user, kind=ActivityKind.STAFF, action=action, staff=by, target=f"account {user.pk}", changes=changes
    )
