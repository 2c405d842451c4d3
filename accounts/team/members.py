"""Members of an organisation: given another role, removed, gone. An organisation always has an owner."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.access.calling import NOT_A_MEMBER, build_role_error, find_membership
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.admission import check_suspension
from accounts.organisations.models import Membership, Organisation, list_memberships
from accounts.organisations.roles import OrganisationRole, Right, list_givable_roles, may
from accounts.team import emails
from accounts.team.holders import lock_organisation, provide_organisation, settle_holder
from accounts.team.models import Invitation, OwnershipTransfer
from accounts.users.models import User
from emailcheck.common.errors import BadInput, NotFound, Refused, require_found

NO_MEMBER = "Member not found"
OWNERS_ONLY = "Only an owner may make, change or remove owners."


def list_members(organisation: Organisation) -> "QuerySet[Membership]":
    """Everybody who belongs to an organisation, who came first first."""
    return Membership.objects.filter(organisation=organisation).select_related("user").order_by("pk")


@transaction.atomic
def change_role(*, organisation: Organisation, by: Membership, member_id: int, role: str) -> Membership:
    """Give a member another role, and mail them. The same role again changes nothing.

    Raises `NotFound` for a stranger, `Refused` for an admin who would make or change an owner and for who manages it no
    longer, `BadInput` (`LAST_OWNER`) for the only owner.
    """
    member = _lock_member(organisation, pk=member_id)
    by = reload_membership(by.user, organisation, Right.MANAGE)
    require_may_give(by, member.role)
    require_may_give(by, role)
    before = member.role
    if before == role:
        return member
    if before == OrganisationRole.OWNER:
        require_other_owner(member)
    set_role(member, role)
    _record(member, "Role of a member changed", {"role": [before, role]})
    emails.send_role_changed(member=member, before=before, by=by.user.name, now=timezone.now())
    return member


@transaction.atomic
def remove_member(*, organisation: Organisation, by: Membership, member_id: int) -> None:
    """End a membership and mail whose it was; what they made stays. Removing oneself is leaving.

    Raises as `change_role`.
    """
    member = _lock_member(organisation, pk=member_id)
    by = reload_membership(by.user, organisation, Right.MANAGE)
    require_may_give(by, member.role)
    if member.role == OrganisationRole.OWNER:
        require_other_owner(member)
    is_other = member.user_id != by.user_id
    _record(member, "Member removed" if is_other else "Left the organisation", {"role": [member.role, None]})
    if is_other:
        emails.send_member_removed(member=member, by=by.user, now=timezone.now())
    end_membership(member)


@transaction.atomic
def leave_organisation(*, organisation: Organisation, user: User) -> None:
    """End the own membership; who holds no other organisation gets an empty one.

    Raises `NotFound` for who has left, `BadInput` (`LAST_OWNER`) for the only owner.
    """
    member = _lock_member(organisation, user=user)
    if member.role == OrganisationRole.OWNER:
        require_other_owner(member)
    _record(member, "Left the organisation", {"role": [member.role, None]})
    end_membership(member)


@transaction.atomic
def switch_organisation(*, user: User, public_id: str) -> Membership:
    """Let a person work in another of their organisations where a call names none.

    Raises `NotFound` for one of others, `Refused` for a suspended one.
    """
    found = require_found(find_membership(user, public_id), NOT_A_MEMBER)
    check_suspension(found.organisation)
    User.objects.filter(pk=user.pk).update(current_organisation=found.organisation)
    return found


def end_membership(member: Membership) -> None:
    """Take somebody out of an organisation, which is locked, with what they offer and are offered there."""
    set_role(member, None)
    provide_organisation(User.objects.get(pk=member.user_id))


def set_role(member: Membership, role: str | None) -> None:
    """Store the role of a member (None: none any more) of an organisation that is locked, and end what they offered
    others, there and in its clients, that they could not offer with it."""
    now, organisation = timezone.now(), member.organisation
    if role is None:
        member.delete()
    else:
        member.role = role
        member.save(update_fields=["role"])
    offered = Invitation.objects.filter(inviter=member.user_id, accepted_at=None, revoked_at=None)
    clients = Organisation.objects.filter(agency=organisation, pk__in=offered.values("organisation"))
    for concerned in (organisation, *clients):
        end_unfounded_invitations(concerned)
    transfers = OwnershipTransfer.objects.filter(organisation=organisation, accepted_at=None, ended_at=None)
    if role != OrganisationRole.OWNER:
        transfers.filter(giver=member.user_id).update(ended_at=now)
    if role is None:
        transfers.filter(receiver=member.user_id).update(ended_at=now)
    settle_holder(organisation)


def part_from_strangers(*, user: User) -> None:
    """Leave the owner of an address alone in their organisation, and out of all others but those that would have no
    owner then: whoever registered the address before them had let the others in."""
    mine = lock_organisation(user.own_organisation)
    now, action = timezone.now(), "Member removed, because the owner of the address took the account over"
    Invitation.objects.filter(organisation=mine, accepted_at=None, revoked_at=None).update(revoked_at=now)
    OwnershipTransfer.objects.filter(organisation=mine, accepted_at=None, ended_at=None).update(ended_at=now)
    elsewhere = [one for one in list_memberships(user).exclude(organisation=mine) if not is_only_owner(one)]
    for member in (*list_members(mine).exclude(user=user), *elsewhere):
        lock_organisation(member.organisation)
        _record(member, action, {"role": [member.role, None]})
        end_membership(member)


def end_unfounded_invitations(organisation: Organisation) -> None:
    """Revoke the open invitations that whoever sent them could not send any more: they have left or have another role,
    lead its agency no longer, or that acts there no longer or has named an owner."""
    waiting = Invitation.objects.filter(organisation=organisation, accepted_at=None, revoked_at=None)
    for inviter in User.objects.filter(pk__in=waiting.values("inviter")):
        found = find_membership(inviter, organisation.public_id)
        kept = list_givable_roles(found.giving_role) if found else frozenset()
        waiting.filter(inviter=inviter).exclude(role__in=kept).update(revoked_at=timezone.now())


def reload_membership(user: User, organisation: Organisation, right: Right) -> Membership:
    """How somebody belongs to an organisation that is locked: what they were when the call began may have ended.

    Raises `NotFound` for who has left, `Refused` for who has lost the right.
    """
    found = require_found(find_membership(user, organisation.public_id), NOT_A_MEMBER)
    if not may(found.role, right):
        raise build_role_error(found)
    return found


def require_may_give(by: Membership, role: str) -> None:
    """Raises `Refused` where somebody may neither give nor take a role."""
    if role not in list_givable_roles(by.giving_role):
        raise Refused(OWNERS_ONLY)


def is_only_owner(member: Membership) -> bool:
    """Whether somebody owns an organisation that nobody else owns."""
    owners = Membership.objects.filter(organisation=member.organisation_id, role=OrganisationRole.OWNER)
    return member.role == OrganisationRole.OWNER and not owners.exclude(pk=member.pk).exists()


def require_other_owner(member: Membership) -> None:
    """Raises `BadInput` (`LAST_OWNER`) when nobody else owns the organisation, which is locked."""
    if is_only_owner(member):
        raise build_last_owner_error(member.organisation)


def build_last_owner_error(organisation: Organisation) -> BadInput:
    """The refusal that names the two ways on."""
    sentence = "Transfer it to another member first, or delete it."
    error = BadInput(f"{organisation.title} has no other owner. {sentence}", code="LAST_OWNER")
    error.details = {"organisation": organisation.public_id, "ways": ["transfer", "delete"]}
    return error


def _lock_member(organisation: Organisation, **which: Any) -> Membership:
    """A membership, its person and organisation locked. Raises `NotFound`."""
    found = require_found(list_members(organisation).filter(**which).first(), NO_MEMBER)
    User.objects.select_for_update(no_key=True).get(pk=found.user_id)
    locked = lock_organisation(organisation)
    member = list_members(locked).filter(pk=found.pk).first()
    if member is None or locked.deleted_at is not None:
        raise NotFound(NO_MEMBER)
    return member


def _record(member: Membership, action: str, changes: dict[str, Any]) -> None:
    audit_log.record_activity(
        organisation=member.organisation,
        kind=ActivityKind.MEMBER,
        action=action,
        target=f"user:{member.user_id}",
        changes=changes,
    )
