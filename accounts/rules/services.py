"""The rules of an organisation: a second factor for all, and the networks that people work from."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.utils import timezone

from accounts.access.calling import build_role_error
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.admission import is_address_allowed
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import Right, may
from accounts.rules import emails
from accounts.users.models import User
from emailcheck.common.errors import BadInput

MOST_GRACE_DAYS = 14
MOST_NETWORKS = 50


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules, and who would not get in by them; `missing` is for those who manage the organisation, else None."""

    second_factor_from: datetime | None
    missing: list[str] | None
    networks: list[str]
    may_set_networks: bool
    your_address: str | None


def load_rules(membership: Membership, *, address: str | None) -> Rules:
    """The rules of an organisation as a member sees them who calls from this address."""
    organisation, manages = membership.organisation, may(membership.role, Right.MANAGE)
    return Rules(
        second_factor_from=organisation.second_factor_from,
        missing=[user.name for user in _list_unprotected(organisation)] if manages else None,
        networks=organisation.networks,
        may_set_networks=manages and membership.via is None,
        your_address=address,
    )


@transaction.atomic
def change_rules(
    *,
    organisation: Organisation,
    by: Membership,
    address: str | None,
    second_factor: bool | None = None,
    grace_days: int = 0,
    networks: Sequence[str] | None = None,
) -> None:
    """Change what is named, all of it or nothing. Raises `BadInput` as the functions below do, and `Refused` for who
    would set the networks of a client for its agency: that could keep out whoever may end its access."""
    if networks is not None:
        if by.via is not None:
            raise build_role_error(by)
        set_networks(organisation=organisation, networks=networks, address=address)
    if second_factor:
        require_second_factor(organisation=organisation, by=by.user, grace_days=grace_days)
    elif second_factor is False:
        lift_second_factor(organisation=organisation)


@transaction.atomic
def require_second_factor(*, organisation: Organisation, by: User, grace_days: int) -> None:
    """Require a second factor of all members after so many days, and mail those who have none.

    Again changes nothing. Raises `BadInput` (`MFA_NOT_ACTIVE`) for an owner who has none.
    """
    if not by.has_second_factor:
        raise BadInput("Turn on two-factor sign-in for yourself first.", code="MFA_NOT_ACTIVE", field="second_factor")
    locked = _lock_organisation(organisation)
    if locked.second_factor_from is None:
        since = timezone.now() + timedelta(days=grace_days)
        _save_rule(organisation, "Two-factor sign-in was required of all", second_factor_from=since)
        for user in _list_unprotected(organisation):
            emails.send_second_factor_required(user=user, organisation=organisation)
    organisation.refresh_from_db(fields=["second_factor_from"])


@transaction.atomic
def lift_second_factor(*, organisation: Organisation) -> None:
    """Require it no longer."""
    if _lock_organisation(organisation).second_factor_from is not None:
        _save_rule(organisation, "Two-factor sign-in was no longer required", second_factor_from=None)
    organisation.refresh_from_db(fields=["second_factor_from"])


@transaction.atomic
def set_networks(*, organisation: Organisation, networks: Sequence[str], address: str | None) -> None:
    """Let people work from these addresses and networks only; none: from any.

    Raises `BadInput` (`OWN_ADDRESS_OUTSIDE`) when the address of whoever sets them is in none of them.
    """
    if not is_address_allowed(address, networks):
        raise BadInput(
            f"Your own address {address or ''} is in none of these. Add it, so that you do not lock yourself out.",
            code="OWN_ADDRESS_OUTSIDE",
            field="networks",
        )
    wanted = list(dict.fromkeys(networks))
    if _lock_organisation(organisation).networks != wanted:
        _save_rule(organisation, "Networks that people work from changed", networks=wanted)
    organisation.networks = wanted


def _list_unprotected(organisation: Organisation) -> list[User]:
    """Its members without a second factor, by name."""
    protected = Authenticator.objects.filter(type=Authenticator.Type.TOTP).values("user")
    members = User.objects.filter(memberships__organisation=organisation, deleted_at=None)
    return list(members.exclude(pk__in=protected).order_by("name", "pk"))


def _lock_organisation(organisation: Organisation) -> Organisation:
    return Organisation.objects.select_for_update(no_key=True).get(pk=organisation.pk)


def _save_rule(organisation: Organisation, action: str, **values: object) -> None:
    before = Organisation.objects.values(*values).get(pk=organisation.pk)
    Organisation.objects.filter(pk=organisation.pk).update(**values)
    changes = audit_log.compare_values(before, values)
    for field, value in values.items():
        setattr(organisation, field, value)
    audit_log.record_activity(organisation=organisation, kind=ActivityKind.SETTINGS, action=action, changes=changes)
