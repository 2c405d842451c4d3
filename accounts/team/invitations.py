"""Invitations to an organisation: mailed, mailed again, revoked, accepted. Each link works once, for 7 days."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.admission import check_suspension
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole, Right
from accounts.team import emails
from accounts.team.holders import lock_organisation
from accounts.team.members import end_unfounded_invitations, reload_membership, require_may_give
from accounts.team.models import Invitation, InvitationState
from accounts.users.models import User
from emailcheck.common.errors import BadInput, Conflict, Gone, Refused, require_found
from emailcheck.common.secrecy import generate_secret, hash_secret

INVITATION_LASTS = timedelta(days=7)
NO_INVITATION = "Invitation not found"
OTHER_ADDRESS = "This invitation was sent to another address."


def list_open_invitations(organisation: Organisation) -> "QuerySet[Invitation]":
    """Those that can be accepted, the oldest first."""
    waiting = _list_unanswered(organisation).filter(expires_at__gt=timezone.now())
    return waiting.select_related("inviter").order_by("pk")


@transaction.atomic
def invite_person(*, organisation: Organisation, by: Membership, email: str, role: str) -> Invitation:
    """Mail somebody a link by which they may join.

    Raises `Refused` for an admin who would make an owner, `Conflict` for a member and for who is invited already,
    `BadInput` when too many are invited or belong to it. Nothing depends on whether the address has an account.
    """
    locked, address = lock_organisation(organisation), email.strip().lower()
    by = reload_membership(by.user, locked, Right.MANAGE)
    require_may_give(by, role)
    if Membership.objects.filter(organisation=locked, user__email=address).exists():
        raise Conflict("This person is a member already.", code="ALREADY_MEMBER")
    _list_unanswered(locked).filter(expires_at__lte=timezone.now()).update(revoked_at=timezone.now())
    waiting = list_open_invitations(locked)
    if waiting.filter(email=address).exists():
        raise Conflict("This address is invited already. Send the invitation again instead.", code="ALREADY_INVITED")
    if waiting.count() >= settings.ORGANISATION_INVITATIONS:
        most = settings.ORGANISATION_INVITATIONS
        raise BadInput(f"{most} invitations are open. Revoke one first.", code="TOO_MANY_INVITATIONS")
    _require_seat(locked)
    made = _mail_link(locked, by=by, email=address, role=role)
    _record(made, "Somebody was invited", {"role": [None, role]})
    return made


@transaction.atomic
def resend_invitation(*, organisation: Organisation, by: Membership, invitation_id: str) -> Invitation:
    """Mail a new link in place of one, which ends; the invitation gets a new id.

    Raises `NotFound` for one that is not open, `Refused` for an admin and an owner's role.
    """
    locked = lock_organisation(organisation)
    by = reload_membership(by.user, locked, Right.MANAGE)
    found = load_unanswered(locked, invitation_id)
    require_may_give(by, found.role)
    _end_link(found)
    made = _mail_link(locked, by=by, email=found.email, role=found.role)
    _record(made, "An invitation was sent again", {})
    return made


@transaction.atomic
def revoke_invitation(*, organisation: Organisation, by: Membership, invitation_id: str) -> None:
    """End a link at once. Raises as `resend_invitation`."""
    locked = lock_organisation(organisation)
    by = reload_membership(by.user, locked, Right.MANAGE)
    found = load_unanswered(locked, invitation_id)
    require_may_give(by, found.role)
    _end_link(found)
    _record(found, "An invitation was revoked", {"role": [found.role, None]})


def load_unanswered(organisation: Organisation, invitation_id: str) -> Invitation:
    """An invitation that nobody has answered. Raises `NotFound`."""
    return require_found(_list_unanswered(organisation).filter(public_id=invitation_id).first(), NO_INVITATION)


def load_invitation(token: str) -> Invitation:
    """The invitation of a link, in whatever state. Raises `NotFound`."""
    found = Invitation.objects.filter(token_hash=hash_secret(token)).select_related("organisation__holder", "inviter")
    return require_found(found.first(), NO_INVITATION)


@transaction.atomic
def accept_invitation(*, token: str, user: User) -> Membership:
    """Join, and work there from now on; the own organisation stays. Accepting again answers the membership.

    Raises `NotFound` for an unknown link, `Refused` (`OTHER_ADDRESS`) for whoever was not invited, `Gone`
    (`INVITATION_ENDED`) for a link that has ended, `Conflict` (`NO_SEAT`) when the organisation is full.
    """
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    organisation = lock_organisation(load_invitation(token).organisation)
    # Who stops leading its agency ends links without waiting for the organisation.
    Invitation.objects.select_for_update(no_key=True).get(token_hash=hash_secret(token))
    invitation = load_invitation(token)
    if not person.email_verified or person.email != invitation.email.lower():
        raise Refused(OTHER_ADDRESS, code="OTHER_ADDRESS")
    if organisation.deleted_at is None:
        check_suspension(organisation)
    joined = Membership.objects.filter(organisation=organisation, user=person).first()
    if joined is None or invitation.state == InvitationState.OPEN:
        joined = _join(invitation, person, joined)
    User.objects.filter(pk=person.pk).update(current_organisation=organisation)
    return joined


def _join(invitation: Invitation, person: User, joined: Membership | None) -> Membership:
    """Use the link up; who is a member already stays what they are."""
    if invitation.state != InvitationState.OPEN:
        raise Gone(describe_end_link(invitation), code="INVITATION_ENDED")
    if joined is None:
        _require_seat(invitation.organisation)
        joined = Membership.objects.create(organisation=invitation.organisation, user=person, role=invitation.role)
        audit_log.record_activity(
            user=person,
            organisation=invitation.organisation,
            kind=ActivityKind.MEMBER,
            action="Joined by an invitation",
            target=f"user:{person.pk}",
            changes={"role": [None, joined.role]},
        )
    Invitation.objects.filter(pk=invitation.pk).update(accepted_at=timezone.now())
    if joined.role == OrganisationRole.OWNER:
        end_unfounded_invitations(invitation.organisation)
    return joined


def describe_end_link(invitation: Invitation) -> str:
    """What whoever opens a link that has ended reads."""
    who = invitation.inviter.name if invitation.inviter else f"an owner or admin of {invitation.organisation.title}"
    return f"This invitation has expired. Ask {who} for a new one."


def _list_unanswered(organisation: Organisation) -> "QuerySet[Invitation]":
    return Invitation.objects.filter(organisation=organisation, accepted_at=None, revoked_at=None)


def _require_seat(organisation: Organisation) -> None:
    if Membership.objects.filter(organisation=organisation).count() >= settings.ORGANISATION_MEMBERS:
        raise Conflict(f"{organisation.title} has no free seat.", code="NO_SEAT")


def _mail_link(organisation: Organisation, *, by: Membership, email: str, role: str) -> Invitation:
    token, now = generate_secret(), timezone.now()
    made = Invitation.objects.create(
        organisation=organisation,
        email=email,
        role=role,
        inviter=by.user,
        token_hash=hash_secret(token),
        created_at=now,
        expires_at=now + INVITATION_LASTS,
    )
    emails.send_invitation(invitation=made, token=token)
    return made


def _end_link(invitation: Invitation) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(revoked_at=timezone.now())


def _record(invitation: Invitation, action: str, changes: dict[str, Any]) -> None:
    audit_log.record_activity(
        organisation=invitation.organisation,
        kind=ActivityKind.MEMBER,
        action=action,
        target=f"invitation {invitation.public_id}",
        changes=changes,
    )
