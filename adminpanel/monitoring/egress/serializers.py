"""Shapes of the calls about egress addresses and mail operators."""

from rest_framework import serializers

from adminpanel.monitoring.egress.models import RouteState
from emailcheck.common.api.serializers import Shape
from validation.egress.models import EgressUse


class WarmUpSerializer(Shape):
    day = serializers.IntegerField(help_text="The first is 1.")
    days = serializers.IntegerField()
    share = serializers.FloatField(help_text="Of the operator's limits, up to 1.")


class RouteSerializer(Shape):
    route = serializers.CharField()
    operator = serializers.CharField()
    operator_name = serializers.CharField(help_text="As people write it.")
    egress_id = serializers.IntegerField(allow_null=True, help_text="Of the egress address that the route is.")
    state = serializers.ChoiceField(choices=RouteState.choices)
    probes_minute = serializers.IntegerField(help_text="Recipients that were answered in the last 60 seconds.")
    rate_limit = serializers.IntegerField(
        allow_null=True, help_text="Recipients a minute, with the warm-up of today. null: only the host itself limits."
    )
    sessions_limit = serializers.IntegerField(allow_null=True, help_text="Connections at once. null: by each host.")
    warm_up = WarmUpSerializer(allow_null=True, help_text="null: the address is warm.")
    probes_hour = serializers.IntegerField()
    refusals_hour = serializers.IntegerField()
    probes_day = serializers.IntegerField()
    refusals_day = serializers.IntegerField()
    last_refusal = serializers.CharField(allow_null=True)
    refused_at = serializers.DateTimeField(allow_null=True, help_text="When the last refusal was.")
    next_attempt_at = serializers.DateTimeField(allow_null=True, help_text="Until when the operator is left alone.")


class EgressSerializer(Shape):
    id = serializers.IntegerField()
    name = serializers.CharField(help_text="As routes and evidence call it.")
    address = serializers.CharField(help_text="Source address, or proxy without its password.")
    helo = serializers.CharField()
    state = serializers.ChoiceField(choices=EgressUse.choices, help_text="What staff decided about it.")
    configured = serializers.BooleanField(help_text="Some process has it among its VERIFIER_ROUTES.")
    last = serializers.BooleanField(help_text="It works, and no other does: it cannot be taken away.")
    probes_minute = serializers.IntegerField(help_text="Recipients that were answered in the last 60 seconds.")
    added_at = serializers.DateTimeField()
    warms_since = serializers.DateTimeField(allow_null=True, help_text="null: it is warm at every operator.")
    note = serializers.CharField(allow_null=True, help_text="Why its state was changed.")
    changed_at = serializers.DateTimeField(allow_null=True)


class RoutesSerializer(Shape):
    routes = RouteSerializer(many=True)
    egress = EgressSerializer(many=True, help_text="Those that work first; then those that were removed.")


class EgressReasonSerializer(Shape):
    reason = serializers.CharField(max_length=200)


class OneEgressSerializer(Shape):
    egress = EgressSerializer()
