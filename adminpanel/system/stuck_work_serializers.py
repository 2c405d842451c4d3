"""Shapes of the staff calls about work that hangs."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers

from adminpanel.system.stuck_work import KINDS
from emailcheck.common.api.serializers import Shape
from emailcheck.common.queue.stuck_tasks import StuckWork


class WorkQuerySerializer(Shape):
    kind = serializers.ChoiceField(choices=KINDS, required=False, default="", allow_blank=True)


class StuckPieceSerializer(Shape):
    kind = serializers.ChoiceField(choices=KINDS)
    id = serializers.CharField()
    age_seconds = serializers.IntegerField(help_text="Since it moved last, or should have.")
    attempts = serializers.IntegerField()
    error = serializers.CharField(allow_null=True)
    state = serializers.CharField()


class StuckWorkSerializer(Shape):
    work = StuckPieceSerializer(many=True)


class WorkDoneSerializer(Shape):
    message = serializers.CharField()


def present_work(found: StuckWork) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "id": found.id,
        "age_seconds": max(0, round((timezone.now() - found.since).total_seconds())),
        "attempts": found.attempts,
        "error": found.error,
        "state": found.state,
    }
