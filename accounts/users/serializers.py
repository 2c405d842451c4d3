"""The account as the API presents it."""

from typing import Any

from rest_framework import serializers

from accounts.organisations.models import Membership, Organisation, list_all_memberships
from accounts.organisations.roles import OrganisationRole, Right, list_rights
from accounts.users.models import Role, Status, User
from emailcheck.common import registry
from emailcheck.common.api.serializers import Shape


class MembershipSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=OrganisationRole.choices)
    via = serializers.CharField(allow_null=True, help_text="The agency for which one acts in it, a client of theirs.")


class CurrentOrganisationSerializer(MembershipSerializer):
    role = serializers.ChoiceField(choices=OrganisationRole.choices, allow_null=True)
    rights = serializers.ListField(child=serializers.ChoiceField(choices=Right.choices))


class AccountSerializer(Shape):
    """The signed-in account."""

    id = serializers.IntegerField()
    email = serializers.EmailField()
    name = serializers.CharField()
    company = serializers.CharField(allow_null=True)
    address = serializers.CharField(allow_null=True)
    vat_id = serializers.CharField(allow_null=True)
    picture = serializers.CharField(allow_null=True)
    role = serializers.ChoiceField(choices=Role.choices)
    status = serializers.ChoiceField(choices=Status.choices)
    is_staff = serializers.BooleanField()
    email_verified = serializers.BooleanField()
    subscription_plan = serializers.CharField()
    credits = serializers.IntegerField()
    monthly_usage = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    organisation = CurrentOrganisationSerializer()
    organisations = MembershipSerializer(many=True)


def present_membership(membership: Membership) -> dict[str, Any]:
    organisation = membership.organisation
    via = membership.via.title if membership.via else None
    return {"id": organisation.public_id, "name": organisation.title, "role": membership.role, "via": via}


def present_person(membership: Membership) -> dict[str, Any]:
    """A person's account as the API answers it, with the organisations that they belong to."""
    return _present_account(
        membership.user,
        membership.organisation,
        current=present_membership(membership) | {"rights": list_rights(membership.role)},
        organisations=[present_membership(one) for one in list_all_memberships(membership.user)],
    )


def present_key_holder(organisation: Organisation) -> dict[str, Any]:
    """What a key is told: whoever answers for its organisation, and nothing of other organisations."""
    whose = {"id": organisation.public_id, "name": organisation.title}
    own: dict[str, Any] = whose | {"role": None, "via": None, "rights": []}
    return _present_account(organisation.contact, organisation, current=own, organisations=[])


def _present_account(
    user: User, organisation: Organisation, *, current: dict[str, Any], organisations: list[dict[str, Any]]
) -> dict[str, Any]:
    """Plan and credits are those of the organisation, from the apps above."""
    values = {
        "id": user.pk,
        "email": user.email,
        "name": user.name,
        "company": organisation.company or None,
        "address": organisation.address or None,
        "vat_id": organisation.vat_id or None,
        "picture": None,
        "role": user.role,
        "status": user.status,
        "is_staff": user.is_staff,
        "email_verified": user.email_verified,
        "created_at": user.created_at,
        "organisation": current,
        "organisations": organisations,
    }
    return dict(AccountSerializer(values | registry.above.load_account_summary(organisation)).data)
