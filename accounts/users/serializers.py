"""The account as the API presents it."""

from typing import Any

from rest_framework import serializers

from accounts.organisations.models import Membership, Organisation, list_all_memberships
from accounts.organisations.roles import OrganisationRole, Right, list_rights
from accounts.users.models import Role, Status, User
from emailcheck.common import registry
from emailcheck.common.api.serializers import Shape
from emailcheck.common.errors import Refused

# What the account as it is answered takes from the organisation in which the person works.
OF_ORGANISATION = ("company", "address", "vat_id", "subscription_plan", "credits", "monthly_usage")


class MembershipSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=OrganisationRole.choices)
    via = serializers.CharField(allow_null=True, help_text="The agency for which one acts in it, a client of theirs.")


class ClosureSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    detail = serializers.CharField()


class CurrentOrganisationSerializer(MembershipSerializer):
    role = serializers.ChoiceField(choices=OrganisationRole.choices, allow_null=True)
    rights = serializers.ListField(child=serializers.ChoiceField(choices=Right.choices))
    closed = ClosureSerializer(allow_null=True, help_text="Why one may not work in it now.")


class AccountSerializer(Shape):
    """The signed-in account. What belongs to its organisation is null where that is closed to the person now."""

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
    subscription_plan = serializers.CharField(allow_null=True)
    credits = serializers.IntegerField(allow_null=True)
    monthly_usage = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    organisation = CurrentOrganisationSerializer()
    organisations = MembershipSerializer(many=True)


def present_membership(membership: Membership) -> dict[str, Any]:
    organisation = membership.organisation
    via = membership.via.title if membership.via else None
    return {"id": organisation.public_id, "name": organisation.title, "role": membership.role, "via": via}


def present_current(membership: Membership, *, closure: Refused | None) -> dict[str, Any]:
    """The organisation in which somebody works, and what they may do there now."""
    closed = closure and {"code": closure.code, "detail": closure.detail}
    rights = list_rights(membership.role) if closure is None else []
    return present_membership(membership) | {"rights": rights, "closed": closed}


def present_person(membership: Membership, *, closure: Refused | None) -> dict[str, Any]:
    """A person's account as the API answers it, with the organisations that they belong to. Of one that is closed to
    them now it says why, and nothing that belongs to it."""
    current = present_current(membership, closure=closure)
    organisation = dict.fromkeys(OF_ORGANISATION) if closure else _present_organisation(membership.organisation)
    organisations = [present_membership(one) for one in list_all_memberships(membership.user)]
    return _present_account(membership.user, organisation, current=current, organisations=organisations)


def present_key_holder(organisation: Organisation) -> dict[str, Any]:
    """What a key is told: whoever answers for its organisation, and nothing of other organisations."""
    whose = {"id": organisation.public_id, "name": organisation.title}
    own: dict[str, Any] = whose | {"role": None, "via": None, "rights": [], "closed": None}
    return _present_account(organisation.contact, _present_organisation(organisation), current=own, organisations=[])


def _present_organisation(organisation: Organisation) -> dict[str, Any]:
    """Whom its invoices name; plan and credits come from the apps above."""
    billed = {field: getattr(organisation, field) or None for field in ("company", "address", "vat_id")}
    return billed | registry.above.load_account_summary(organisation)


def _present_account(
    user: User, organisation: dict[str, Any], *, current: dict[str, Any], organisations: list[dict[str, Any]]
) -> dict[str, Any]:
    values = {
        "id": user.pk,
        "email": user.email,
        "name": user.name,
        "picture": None,
        "role": user.role,
        "status": user.status,
        "is_staff": user.is_staff,
        "email_verified": user.email_verified,
        "created_at": user.created_at,
        "organisation": current,
        "organisations": organisations,
    }
    return dict(AccountSerializer(values | organisation).data)
