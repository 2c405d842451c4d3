"""Handing an organisation over: an owner offers it to a member, and nothing changes until that member accepts."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.access.models import SignIn
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole, Right
from accounts.signin.sessions import confirm_owner, proves_owner
from accounts.team import emails
from accounts.team.holders import lock_organisation
from accounts.team.members import NO_MEMBER, list_members, reload_membership, set_role
from accounts.team.models import OwnershipTransfer
from accounts.users.models import User
from emailcheck.common.errors import BadInput, Conflict, require_found

TRANSFER_LASTS = timedelta(days=7)
NO_TRANSFER = "Nobody has offered the organisation to you"
NOT_CONFIRMED = "That password or code is not right."


def find_open_transfer(organisation: Organisation) -> OwnershipTransfer | None:
    """The offer that waits for its receiver."""
    waiting = OwnershipTransfer.objects.filter(organisation=organisation, accepted_at=None, ended_at=None)
    return waiting.filter(expires_at__gt=timezone.now()).select_related("giver", "receiver").first()


def confirm_giver(*, user: User, sign_in: SignIn, password: str = "", code: str = "") -> None:
    """Prove to be the owner, by password or code; a recent sign-in with Google stands for them.

    Raises `BadInput` (`INVALID_CREDENTIALS`), or `Refused` (`REAUTH_REQUIRED`).
    """
    if password or code:
        confirm_owner(user=user, sign_in=sign_in, password=password, code=code)
    elif not proves_owner(user=user, sign_in=sign_in, password=""):
        raise BadInput(NOT_CONFIRMED, code="INVALID_CREDENTIALS")


@transaction.atomic
def offer_organisation(*, organisation: Organisation, giver: User, member_id: int) -> OwnershipTransfer:
    """Offer an organisation to a member, and mail both.

    Raises `NotFound` for a stranger, `BadInput` for oneself, `Conflict` when it is offered already, `Refused` for who
    owns it no longer.
    """
    locked = lock_organisation(organisation)
    reload_membership(giver, locked, Right.OWN)
    member = require_found(list_members(locked).filter(pk=member_id).first(), NO_MEMBER)
    if member.user_id == giver.pk:
        raise BadInput("Choose another member.", field="member_id", value=member_id)
    if find_open_transfer(locked) is not None:
        raise Conflict("The organisation is offered already. Withdraw that first.", code="TRANSFER_OPEN")
    now = timezone.now()
    OwnershipTransfer.objects.filter(organisation=locked, accepted_at=None, ended_at=None).update(ended_at=now)
    made = OwnershipTransfer.objects.create(
        organisation=locked, giver=giver, receiver=member.user, created_at=now, expires_at=now + TRANSFER_LASTS
    )
    _record(made, "Ownership offered", "offered", {"offered_to": [None, f"user:{member.user_id}"]})
    return made


@transaction.atomic
def withdraw_transfer(*, organisation: Organisation) -> None:
    """End the offer, as an owner. Raises `NotFound` without one."""
    _end_offer(require_found(find_open_transfer(lock_organisation(organisation)), "Nothing is offered"), "withdrawn")


@transaction.atomic
def decline_transfer(*, organisation: Organisation, receiver: User) -> None:
    """Raises `NotFound` for whoever was not offered it."""
    _end_offer(_load_offer(lock_organisation(organisation), receiver), "declined")


@transaction.atomic
def accept_transfer(*, organisation: Organisation, receiver: User) -> Membership:
    """Become the owner; who gave it becomes an admin. Its plan, agreement and rows stay as they are.

    Raises `NotFound` for whoever was not offered it, or when the offer has ended.
    """
    offered = _load_offer(organisation, receiver)
    list(User.objects.select_for_update(no_key=True).filter(pk__in=(offered.giver_id, receiver.pk)).order_by("pk"))
    locked = lock_organisation(organisation)
    transfer = _load_offer(locked, receiver)
    OwnershipTransfer.objects.filter(pk=transfer.pk).update(accepted_at=timezone.now())
    members = {member.user_id: member for member in list_members(locked)}
    mine, giver = members[receiver.pk], members[transfer.giver_id]
    before = mine.role
    set_role(mine, OrganisationRole.OWNER)
    set_role(giver, OrganisationRole.ADMIN)
    changes = {
        f"role of user:{receiver.pk}": [before, OrganisationRole.OWNER],
        f"role of user:{giver.user_id}": [OrganisationRole.OWNER, OrganisationRole.ADMIN],
    }
    _record(transfer, "Ownership accepted", "accepted", changes)
    return mine


def _load_offer(organisation: Organisation, receiver: User) -> OwnershipTransfer:
    found = find_open_transfer(organisation)
    return require_found(found if found and found.receiver_id == receiver.pk else None, NO_TRANSFER)


def _end_offer(transfer: OwnershipTransfer, step: str) -> None:
    OwnershipTransfer.objects.filter(pk=transfer.pk).update(ended_at=timezone.now())
    _record(transfer, f"Ownership offer {step}", step, {})


def _record(transfer: OwnershipTransfer, action: str, step: str, changes: dict[str, Any]) -> None:
    """Note a step, and mail both."""
    audit_log.record_activity(
        organisation=transfer.organisation,
        kind=ActivityKind.MEMBER,
        action=action,
        target=f"user:{transfer.receiver_id}",
        changes=changes,
    )
    emails.send_transfer_step(transfer=transfer, step=step)
