"""Shapes of the status page."""

from rest_framework import serializers

from adminpanel.monitoring.incidents.models import IncidentKind
from adminpanel.monitoring.status.services import HISTORY_DAYS
from adminpanel.monitoring.targets import Service
from emailcheck.common.api.serializers import Shape

PUBLIC_STATES = ("operational", "degraded", "down", "maintenance")


class StatusServiceSerializer(Shape):
    name = serializers.ChoiceField(choices=Service.choices)
    status = serializers.ChoiceField(
        choices=PUBLIC_STATES, allow_null=True, help_text="null: nobody has looked lately."
    )
    uptime = serializers.FloatField(allow_null=True, help_text="Percent of the probes of the last 90 days.")
    response_ms = serializers.FloatField(allow_null=True)


class StatusIncidentSerializer(Shape):
    title = serializers.CharField()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class StatusSerializer(Shape):
    overall = serializers.CharField()
    services = StatusServiceSerializer(many=True)
    incidents = StatusIncidentSerializer(many=True)
    checked_at = serializers.DateTimeField(allow_null=True)


class HistoryQuerySerializer(Shape):
    days = serializers.IntegerField(required=False, default=HISTORY_DAYS, min_value=1, max_value=HISTORY_DAYS)


class StatusDaySerializer(Shape):
    date = serializers.DateField()
    uptime = serializers.FloatField(allow_null=True)


class ServiceHistorySerializer(Shape):
    name = serializers.ChoiceField(choices=Service.choices)
    days = StatusDaySerializer(many=True)


class ToldIncidentSerializer(StatusIncidentSerializer):
    kind = serializers.ChoiceField(choices=IncidentKind.choices)
    note = serializers.CharField(allow_blank=True)


class StatusHistorySerializer(Shape):
    services = ServiceHistorySerializer(many=True)
    incidents = ToldIncidentSerializer(many=True)
