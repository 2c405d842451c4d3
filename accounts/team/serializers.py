"""Shapes of the calls about organisations, members and invitations, and how they are presented."""

from typing import Any

from rest_framework import serializers

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import (
    ROLE_SENTENCES,
    OrganisationRole,
    Right,
    list_givable_roles,
)
from accounts.team.models import Invitation, InvitationState, OwnershipTransfer
from emailcheck.common.api.serializers import Shape, StorableField

Role = OrganisationRole


class UsedSerializer(Shape):
    used = serializers.IntegerField()
    most = serializers.IntegerField()


class OpenSerializer(Shape):
    open = serializers.IntegerField()
    most = serializers.IntegerField()


class OwnershipOfferSerializer(Shape):
    to = serializers.CharField()
    to_email = serializers.EmailField()
    expires_at = serializers.DateTimeField()
    for_you = serializers.BooleanField()


class AgencySerializer(Shape):
    id = serializers.CharField()
    name = serializers.CharField()


class OrganisationSerializer(Shape):
    """The organisation in which the caller works, and as what."""

    id = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    rights = serializers.ListField(child=serializers.ChoiceField(choices=Right.choices))
    alone = serializers.BooleanField(help_text="One member, and nobody is invited.")
    seats = UsedSerializer()
    invitations = OpenSerializer()
    transfer = OwnershipOfferSerializer(allow_null=True)
    agency = AgencySerializer(allow_null=True)


class OrganisationNameSerializer(Shape):
    name = StorableField(max_length=100)


class OrganisationDeletionSerializer(Shape):
    name = serializers.CharField(max_length=300)
    password = serializers.CharField(max_length=1024, trim_whitespace=False, required=False, allow_blank=True)


class MemberSerializer(Shape):
    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.EmailField()
    role = serializers.ChoiceField(choices=Role.choices)
    last_active_at = serializers.DateTimeField(allow_null=True)
    credits_this_month = serializers.IntegerField()
    monthly_cap = serializers.IntegerField(allow_null=True)
    has_second_factor = serializers.BooleanField(allow_null=True, help_text="Null for whoever may not manage members.")
    is_you = serializers.BooleanField()


class InvitationSerializer(Shape):
    id = serializers.CharField()
    email = serializers.EmailField()
    role = serializers.ChoiceField(choices=Role.choices)
    inviter = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class RoleSerializer(Shape):
    role = serializers.ChoiceField(choices=Role.choices)
    name = serializers.CharField()
    sentence = serializers.CharField()
    may_give = serializers.BooleanField(help_text="Whether the caller may give it.")


class MembersSerializer(Shape):
    members = MemberSerializer(many=True)
    invitations = InvitationSerializer(many=True)
    roles = RoleSerializer(many=True)


class RoleChoiceSerializer(Shape):
    role = serializers.ChoiceField(choices=Role.choices)


class NewInvitationSerializer(RoleChoiceSerializer):
    email = serializers.EmailField(max_length=254)


class ShownInvitationSerializer(Shape):
    """What a link opens."""

    organisation = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    sentence = serializers.CharField()
    inviter = serializers.CharField(allow_null=True)
    email = serializers.EmailField()
    state = serializers.ChoiceField(choices=InvitationState.choices)


class TransferRequestSerializer(Shape):
    member_id = serializers.IntegerField(min_value=1, max_value=2**62)
    password = serializers.CharField(max_length=1024, trim_whitespace=False, required=False, allow_blank=True)
    code = serializers.RegexField(r"^[0-9 -]{0,20}$", required=False, allow_blank=True)


class SwitchSerializer(Shape):
    organisation = serializers.CharField(max_length=40)


def present_transfer(transfer: OwnershipTransfer | None, user_id: int) -> dict[str, Any] | None:
    if transfer is None:
        return None
    return {
        "to": transfer.receiver.name,
        "to_email": transfer.receiver.email,
        "expires_at": transfer.expires_at,
        "for_you": transfer.receiver_id == user_id,
    }


def present_agency(organisation: Organisation) -> dict[str, Any] | None:
    agency = organisation.agency
    return None if agency is None else {"id": agency.public_id, "name": agency.title}


def present_invitation(invitation: Invitation) -> dict[str, Any]:
    return {
        "id": invitation.public_id,
        "email": invitation.email,
        "role": invitation.role,
        "inviter": invitation.inviter.name if invitation.inviter else None,
        "created_at": invitation.created_at,
        "expires_at": invitation.expires_at,
    }


def present_link(invitation: Invitation) -> dict[str, Any]:
    """An invitation as whoever has its link reads it."""
    return {
        "organisation": invitation.organisation.title,
        "role": invitation.role,
        "sentence": ROLE_SENTENCES[OrganisationRole(invitation.role)],
        "inviter": invitation.inviter.name if invitation.inviter else None,
        "email": invitation.email,
        "state": invitation.state,
    }


def present_roles(role: str) -> list[dict[str, Any]]:
    """All roles, for somebody who has this one."""
    given = list_givable_roles(role)
    return [
        {"role": one, "name": one.label, "sentence": ROLE_SENTENCES[one], "may_give": one in given}
        for one in OrganisationRole
    ]


def present_member(member: Membership, *, credits: int, has_second_factor: bool | None, is_you: bool) -> dict[str, Any]:
    return {
        "id": member.pk,
        "name": member.user.name,
        "email": member.user.email,
        "role": member.role,
        "last_active_at": member.last_active_at,
        "credits_this_month": credits,
        "monthly_cap": member.monthly_cap,
        "has_second_factor": has_second_factor,
        "is_you": is_you,
    }
