"""Who is staff, and what staff do to accounts. Every change is recorded in the transaction that makes it."""

import re
import secrets
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts import activity, passwords, services
from accounts.models import ActivityKind, Role, User
from accounts.signals import user_readmitted, user_suspended
from emailcheck.common.errors import BadInput, Refused

# Mailboxes of several people, or of programs (RFC 2142, and what is usual): whoever reads them is nobody in particular.
_ROLE_ADDRESS = re.compile(
    "(abuse|accounts|admin|administrator|billing|careers|contact|hello|help|hostmaster|hr|info|it|jobs|legal|list|mail"
    "|marketing|news|newsletter|noc|no-?reply|office|postmaster|press|privacy|root|sales|security|support|team"
    r"|webmaster|www)(\+.*)?@.*"
)


@transaction.atomic
def create_admin(*, email: str, name: str, password: str = "", by: User | None = None) -> str:
    """Make an administrator, or give the role to the account of that address; it counts as verified by whoever asks.

    Answers the password that was made up, empty for one that was given or is there. `by` is None on the server's own
    command line. Raises `BadInput` for an address of another domain, or a weak password.
    """
    address = email.strip().lower()
    user = User.objects.select_for_update().filter(email=address).first()
    check_domain(user or User(email=address))
    made_up = ""
    if user is None or not user.email_verified:
        made_up = "" if password else f"{secrets.token_urlsafe(12)}-7a"
        user = _begun_anew(user, address, password or made_up, name)
    before, user.role, user.is_active = user.role, Role.ADMIN, True
    user.save(update_fields=["role", "is_active"])
    services.verify_address(user=user)
    _record(user, by, "Became an administrator", {"role": [before, Role.ADMIN]})
    return made_up


@transaction.atomic
def change(*, user: User, by: User, role: str | None = None, is_active: bool | None = None) -> None:
    """Give or take the role admin, suspend or readmit an account. Suspension ends every session.

    Raises `Refused` for a protected account and the own one, `BadInput` for an administrator of another domain.
    """
    account = User.objects.select_for_update().get(pk=user.pk)
    wished = {"role": role, "is_active": is_active}
    before = {field: getattr(account, field) for field in wished}
    changes = {field: value for field, value in wished.items() if value is not None and value != before[field]}
    if not changes:
        return
    if account.is_protected:
        raise Refused("This account is protected", code="PROTECTED_ACCOUNT")
    if account.pk == by.pk:
        raise Refused("You cannot change your own role or status.", code="PROTECTED_ACCOUNT")
    if changes.get("role") == Role.ADMIN:
        check_domain(account)
    User.objects.filter(pk=account.pk).update(**changes)
    if changes.get("is_active") is False:
        services.end_all_sign_ins(user=account)
        user_suspended.send(sender=User, user=account)
    if changes.get("is_active") is True:
        user_readmitted.send(sender=User, user=account)
    _record(account, by, "Role or status changed", {field: [before[field], changes[field]] for field in changes})


def give_role_to_colleagues(*, user: User) -> None:
    """Make whoever verified a personal address in the admin domain an administrator, where the setting says so."""
    is_personal = not _ROLE_ADDRESS.fullmatch(user.email)
    if settings.STAFF_AUTO_ADMIN and is_personal and user.has_staff_address and user.role != Role.ADMIN:
        User.objects.filter(pk=user.pk).update(role=Role.ADMIN)
        user.role = Role.ADMIN
        _record(user, None, "Became an administrator by the address", {"role": [Role.USER, Role.ADMIN]})


def check_domain(user: User) -> None:
    """Raises `BadInput` for an address outside of the admin domain."""
    if not user.has_staff_address:
        detail = f"Admin email must end with @{settings.ADMIN_EMAIL_DOMAIN}"
        raise BadInput(detail, field="email", value=user.email)


def _begun_anew(user: User | None, email: str, password: str, name: str) -> User:
    """The account with this password alone: whoever registered the address before its owner keeps no way in."""
    if user is None:
        return services.register(email=email, password=password, name=name, company=settings.SITE_NAME)
    passwords.check(password, email=email, name=name)
    services.empty(user=user)
    user.set_password(password)
    user.save(update_fields=["password"])
    return user


def _record(user: User, by: User | None, action: str, changes: dict[str, Any]) -> None:
    activity.record(
        user=user, kind=ActivityKind.STAFF, action=action, staff=by, target=f"account {user.pk}", changes=changes
    )
