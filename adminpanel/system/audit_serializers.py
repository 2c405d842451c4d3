"""Shapes of the audit log."""

from typing import Any

from rest_framework import serializers

from accounts.activity.models import Activity
from emailcheck.common.api.serializers import Shape


class AuditQuerySerializer(Shape):
    user = serializers.CharField(required=False, default="", allow_blank=True, max_length=254)
    action = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    to = serializers.DateField(required=False, default=None, help_text="The last day, in UTC.")
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python."""
        begin = serializers.DateField(required=False, default=None, source="since", help_text="The first day, in UTC.")
        return {**super().get_fields(), "from": begin}


class AuditEntrySerializer(Shape):
    time = serializers.DateTimeField()
    user = serializers.CharField(help_text="Who did it.")
    action = serializers.CharField()
    target = serializers.CharField()
    changes = serializers.DictField(help_text="Each changed field with its value before and after.")
    ip = serializers.CharField(allow_null=True)


class AuditSerializer(Shape):
    entries = AuditEntrySerializer(many=True)
    next = serializers.CharField(allow_null=True)


def present_entry(line: Activity, who: str | None) -> dict[str, Any]:
    """A line of the audit, and who did it; None is the server itself."""
    return {
        "time": line.created_at,
        "user": who or "server",
        "action": line.action,
        "target": line.target,
        "changes": line.changes,
        "ip": line.ip,
    }
