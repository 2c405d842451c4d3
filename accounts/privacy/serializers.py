"""Shapes of the calls about deleting an account."""

from typing import Any

from rest_framework import serializers

from accounts.organisations.admission import find_closure
from accounts.organisations.models import Organisation
from accounts.team.deletion import Departure
from accounts.users.models import User
from emailcheck.common import registry, request_context


class DeletionSerializer(serializers.Serializer[dict[str, str]]):
    email = serializers.CharField(max_length=254)
    password = serializers.CharField(max_length=1024, trim_whitespace=False, required=False, allow_blank=True)


class LapsingLotSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    remaining = serializers.IntegerField()


class NamedOrganisationSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField(source="title")


class LapsingOrganisationSerializer(NamedOrganisationSerializer):
    """Plan, credits and lots are null where the organisation is closed to the person now."""

    subscription_plan = serializers.CharField(allow_null=True)
    credits = serializers.IntegerField(allow_null=True, help_text="Unspent ones, which lapse.")
    lots = LapsingLotSerializer(many=True, allow_null=True, help_text="These by kind.")


class DepartureSerializer(serializers.Serializer[Any]):
    deleted = LapsingOrganisationSerializer(many=True, help_text="The organisations that go with the account.")
    left = NamedOrganisationSerializer(many=True, help_text="Those that go on without it.")
    in_the_way = NamedOrganisationSerializer(
        many=True, help_text="Those with members and no other owner: transfer or delete them first."
    )


def present_departure(departure: Departure, user: User) -> dict[str, Any]:
    """What deleting an account would do; plans and credits come from the apps above."""
    return dict(
        DepartureSerializer(
            {
                "deleted": [_describe_loss(organisation, user) for organisation in departure.deleted],
                "left": departure.left,
                "in_the_way": departure.in_the_way,
            }
        ).data
    )


def _describe_loss(organisation: Organisation, user: User) -> dict[str, Any]:
    named = {"public_id": organisation.public_id, "title": organisation.title}
    address = request_context.caller_address()
    if find_closure(user=user, organisation=organisation, address=address) is not None:
        return named | {"subscription_plan": None, "credits": None, "lots": None}
    lots = registry.above.sum_credits_by_kind(organisation)
    return named | {
        "subscription_plan": registry.above.load_account_summary(organisation)["subscription_plan"],
        "credits": sum(lots.values()),
        "lots": [{"kind": kind, "remaining": remaining} for kind, remaining in lots.items()],
    }
