"""Deleting an organisation: closed at once, its rows erased by the queue."""

from dataclasses import dataclass, field
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.access.models import ApiKey, SignIn
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Membership, Organisation, list_memberships
from accounts.organisations.roles import OrganisationRole, Right
from accounts.signals import organisation_deleted
from accounts.signin.sessions import proves_owner
from accounts.team import emails
from accounts.team.holders import lock_organisation, provide_organisation
from accounts.team.members import (
    build_last_owner_error,
    end_membership,
    end_unfounded_invitations,
    is_only_owner,
    list_members,
    reload_membership,
    set_role,
)
from accounts.team.models import Invitation, OwnershipTransfer
from accounts.users.models import User
from emailcheck.common import personal, registry
from emailcheck.common.errors import BadInput, NotFound
from emailcheck.common.queue import tasks

ERASE = "accounts.tasks.erase_organisation"
NOT_CONFIRMED = "The name or password does not match."


@dataclass(frozen=True, slots=True)
class Departure:
    """What becomes of the organisations of a person whose account is deleted: deleted with it, left to their other
    owners or to the agency that acts there, or, having members and no other owner, in the way of it. Clients without
    people go with their agency."""

    deleted: list[Organisation] = field(default_factory=list)
    left: list[Organisation] = field(default_factory=list)
    in_the_way: list[Organisation] = field(default_factory=list)


def plan_departure(user: User) -> Departure:
    """What deleting the account would do now to the organisations of a person."""
    planned = Departure()
    for membership in list_memberships(user):
        if not is_only_owner(membership) or _goes_on_with_agency(membership):
            planned.left.append(membership.organisation)
        elif _has_other_members(membership):
            planned.in_the_way.append(membership.organisation)
        else:
            planned.deleted.extend([membership.organisation, *_list_lonely_clients(membership.organisation)])
    return planned


@transaction.atomic
def delete_organisation(
    *, organisation: Organisation, user: User, sign_in: SignIn, name: str, password: str = ""
) -> None:
    """Close an organisation for good, as an owner who confirms it by its name and their password.

    A recent sign-in with Google replaces the password. Raises `BadInput` (`CONFIRMATION_FAILED`), `Refused`
    (`REAUTH_REQUIRED`, or for who owns it no longer), `NotFound` when it was deleted meanwhile.
    """
    if name.strip() != organisation.title or not proves_owner(user=user, sign_in=sign_in, password=password):
        raise BadInput(NOT_CONFIRMED, code="CONFIRMATION_FAILED")
    locked = lock_organisation(organisation)
    if locked.deleted_at is not None:
        raise NotFound("Organisation not found")
    reload_membership(user, locked, Right.OWN)
    audit_log.record_activity(
        user=user, kind=ActivityKind.SETTINGS, action="Organisation deleted", target=f"organisation {locked.public_id}"
    )
    holder = locked.holder
    emails.send_organisation_deleted(organisation=locked, credits=_count_credits(locked), by=user, now=timezone.now())
    close_organisation(locked)
    Organisation.objects.filter(pk=locked.pk).update(holder=None)
    tasks.enqueue(ERASE, locked.pk)
    if holder is not None:
        provide_organisation(holder)


def close_organisation(organisation: Organisation) -> int:
    """End keys, webhooks, invitations, agreements and memberships of an organisation that is locked, and empty its
    name. Answers the credits that lapse. The caller has its rows erased."""
    now, credits = timezone.now(), _count_credits(organisation)
    registry.above.switch_webhooks_off(organisation)
    ApiKey.objects.for_org(organisation).filter(revoked_at=None).update(revoked_at=now)
    Invitation.objects.filter(organisation=organisation, accepted_at=None, revoked_at=None).update(revoked_at=now)
    open_transfers = OwnershipTransfer.objects.filter(organisation=organisation, accepted_at=None, ended_at=None)
    open_transfers.update(ended_at=now)
    # Owners stay to be found by what is still to be said about its money; nobody reaches a deleted one.
    Membership.objects.filter(organisation=organisation).exclude(role=OrganisationRole.OWNER).delete()
    Organisation.objects.filter(pk=organisation.pk).update(
        name="", company="", vat_id="", address="", billing_email="", is_active=False, deleted_at=now
    )
    organisation_deleted.send(sender=Organisation, organisation=organisation)
    for client in _list_clients_of(organisation):
        _release_client(lock_organisation(client), agency=organisation)
    return credits


def _list_clients_of(agency: Organisation) -> QuerySet[Organisation]:
    return Organisation.objects.filter(agency=agency, deleted_at=None).order_by("pk")


def _list_lonely_clients(agency: Organisation) -> list[Organisation]:
    """The clients without people of their own, which go with their agency."""
    return [client for client in _list_clients_of(agency) if not list_members(client).exists()]


def _release_client(client: Organisation, *, agency: Organisation) -> None:
    """A client whose agency goes belongs to its own people, of whom the longest there, admins first, becomes an owner
    and is mailed; where there are none it goes too."""
    members = list_members(client)
    if not members.exists():
        close_organisation(client)
        tasks.enqueue(ERASE, client.pk)
        return
    Organisation.objects.filter(pk=client.pk).update(agency=None, agency_may_act=False)
    if not members.filter(role=OrganisationRole.OWNER).exists():
        admins = members.filter(role=OrganisationRole.ADMIN)
        heir = admins.first() or members[0]
        before = heir.role
        set_role(heir, OrganisationRole.OWNER)
        emails.send_role_changed(member=heir, before=before, by=agency.title, now=timezone.now())
        audit_log.record_activity(
            organisation=client,
            kind=ActivityKind.MEMBER,
            action="Became an owner, because the agency was deleted",
            target=f"user:{heir.user_id}",
            changes={"role": [before, OrganisationRole.OWNER]},
        )
    end_unfounded_invitations(client)


def lock_memberships(user: User) -> list[Membership]:
    """The memberships of a person whose account is to be closed, their organisations locked.

    Raises `BadInput` (`LAST_OWNER`) for the only owner of an organisation with other members.
    """
    mine = list(list_memberships(user).order_by("organisation"))
    for membership in mine:
        lock_organisation(membership.organisation)
        if is_only_owner(membership) and _has_other_members(membership):
            raise build_last_owner_error(membership.organisation)
    return mine


def end_memberships(memberships: list[Membership]) -> int:
    """Take a person whose account was closed just now out of all organisations: one of theirs alone is closed, unless
    its agency acts there; the others go on. Answers the credits that lapse."""
    lapsed = 0
    for membership in memberships:
        if is_only_owner(membership) and not _goes_on_with_agency(membership):
            lapsed += close_organisation(membership.organisation)
            tasks.enqueue(ERASE, membership.organisation_id)
        else:
            end_membership(membership)
    return lapsed


def erase_organisation(*, organisation_id: int) -> None:
    """Delete all rows of a closed organisation, and itself. Repeating it goes on where it ended."""
    if Organisation.objects.filter(pk=organisation_id).exclude(deleted_at=None).exists():
        personal.erase_organisation(organisation_id)


def resume_erasing() -> None:
    """Resume deletions whose process died."""
    overdue = Organisation.objects.filter(deleted_at__lt=timezone.now() - timedelta(minutes=10))
    for organisation_id in overdue.values_list("pk", flat=True)[:100]:
        tasks.enqueue(ERASE, organisation_id)


def _goes_on_with_agency(membership: Membership) -> bool:
    """Whether an organisation without other members is the client of an agency that acts there, and that others lead:
    then it goes on without people, as when it was made."""
    if _has_other_members(membership):
        return False
    acts = Organisation.objects.filter(pk=membership.organisation_id, agency_may_act=True, agency__is_active=True)
    others = Membership.objects.filter(organisation__clients__in=acts, organisation__deleted_at=None)
    return others.exclude(user=membership.user_id).exists()


def _has_other_members(membership: Membership) -> bool:
    return list_members(membership.organisation).exclude(pk=membership.pk).exists()


def _count_credits(organisation: Organisation) -> int:
    return int(registry.above.load_account_summary(organisation).get("credits", 0))
