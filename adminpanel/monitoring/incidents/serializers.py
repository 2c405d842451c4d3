"""Shapes of the calls about incidents."""

from typing import Any

from rest_framework import serializers

from adminpanel.monitoring.incidents.models import Incident, IncidentKind
from adminpanel.monitoring.targets import Service
from emailcheck.common.api.serializers import Shape


class IncidentChangeSerializer(Shape):
    title = serializers.CharField(max_length=120)
    services = serializers.ListField(child=serializers.ChoiceField(choices=Service.choices), allow_empty=False)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(required=False, allow_null=True)
    note = serializers.CharField(required=False, allow_blank=True, max_length=4_000)


class NewIncidentSerializer(IncidentChangeSerializer):
    kind = serializers.ChoiceField(choices=IncidentKind.choices)


class IncidentSerializer(Shape):
    id = serializers.IntegerField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=IncidentKind.choices)
    services = serializers.ListField(child=serializers.ChoiceField(choices=Service.choices))
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    note = serializers.CharField(allow_blank=True)


class IncidentsSerializer(Shape):
    incidents = IncidentSerializer(many=True)


class OneIncidentSerializer(Shape):
    incident = IncidentSerializer()


def present_incident(found: Incident) -> dict[str, Any]:
    """An incident as staff see it."""
    names = ("title", "kind", "services", "started_at", "ended_at", "note")
    return {"id": found.pk, **{name: getattr(found, name) for name in names}}
