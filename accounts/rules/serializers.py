"""Shapes of the calls about the rules of an organisation and its domains."""

from rest_framework import serializers

from accounts.keys.serializers import NetworkField
from accounts.rules.domains import Proof
from accounts.rules.models import OwnedDomain
from accounts.rules.services import MOST_GRACE_DAYS, MOST_NETWORKS, Rules
from emailcheck.common.api.serializers import Shape


class RuleChangesSerializer(Shape):
    second_factor = serializers.BooleanField(required=False, help_text="Owners alone may change it.")
    grace_days = serializers.IntegerField(
        default=0, min_value=0, max_value=MOST_GRACE_DAYS, help_text="After how many days it is required."
    )
    networks = serializers.ListField(
        child=NetworkField(max_length=50), required=False, max_length=MOST_NETWORKS, help_text="Empty: any."
    )


class RulesSerializer(serializers.Serializer[Rules]):
    second_factor_from = serializers.DateTimeField(allow_null=True)
    missing = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="The names of members without a second factor; null for those who do not manage the organisation.",
    )
    networks = serializers.ListField(child=serializers.CharField())
    may_set_networks = serializers.BooleanField(help_text="Whether the caller may change them.")
    your_address = serializers.CharField(allow_null=True)


class NewDomainSerializer(Shape):
    name = serializers.CharField(max_length=253)


class DomainChangesSerializer(Shape):
    google_required = serializers.BooleanField()


class DomainSerializer(serializers.ModelSerializer[OwnedDomain]):
    record_name = serializers.CharField(help_text="Where the TXT record stands; the domain itself does too.")
    record_value = serializers.CharField()

    class Meta:
        model = OwnedDomain
        fields = (
            "id", "name", "record_name", "record_value", "google_required", "created_at", "proved_at", "asked_at",
            "lost_at",
        )  # fmt: skip


class DomainListSerializer(Shape):
    domains = DomainSerializer(many=True)
    google_available = serializers.BooleanField(help_text="Whether sign-in with Google is set up here.")


class CheckedDomainSerializer(Shape):
    domain = DomainSerializer()
    found = serializers.ChoiceField(
        choices=[proof.value for proof in Proof], help_text="`unknown`: DNS did not answer; try again."
    )
