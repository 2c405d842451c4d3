"""An organisation and its members as the caller may see them."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings

from accounts.organisations.models import Membership
from accounts.organisations.roles import Right, may
from accounts.team import serializers as shapes
from accounts.team.invitations import list_open_invitations
from accounts.team.members import list_members
from accounts.team.transfers import find_open_transfer
from accounts.users.serializers import present_current
from emailcheck.common import registry


def present_organisation(mine: Membership) -> dict[str, Any]:
    """The organisation of a membership."""
    organisation = mine.organisation
    members, invited = list_members(organisation).count(), list_open_invitations(organisation).count()
    return present_current(mine, closure=None) | {
        "alone": members == 1 and invited == 0,
        "seats": {"used": members, "most": settings.ORGANISATION_MEMBERS},
        "invitations": {"open": invited, "most": settings.ORGANISATION_INVITATIONS},
        "transfer": shapes.present_transfer(find_open_transfer(organisation), mine.user_id),
        "agency": shapes.present_agency(organisation),
    }


def present_members(mine: Membership) -> dict[str, Any]:
    """Members; for who manages them also who is invited and who has a second factor."""
    manages, credits = may(mine.role, Right.MANAGE), registry.above.count_member_credits(mine.organisation)
    members = list(list_members(mine.organisation))
    ways = Authenticator.objects.filter(type=Authenticator.Type.TOTP, user__in=[one.user_id for one in members])
    secured = set(ways.values_list("user_id", flat=True)) if manages else set()
    return {
        "members": [
            shapes.present_member(
                member,
                credits=credits.get(member.user_id, 0),
                has_second_factor=member.user_id in secured if manages else None,
                is_you=member.user_id == mine.user_id,
            )
            for member in members
        ],
        "invitations": [shapes.present_invitation(one) for one in list_open_invitations(mine.organisation)]
        if manages
        else [],
        "roles": shapes.present_roles(mine.giving_role),
    }
