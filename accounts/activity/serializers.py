"""Shapes of the activity log."""

from rest_framework import serializers

from accounts.activity.models import Activity, ActivityKind
from emailcheck.common.api.serializers import AnyValue, Shape


class ActivityQuerySerializer(serializers.Serializer[dict[str, str]]):
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    kind = serializers.ChoiceField(choices=ActivityKind.choices, required=False, default="", allow_blank=True)


class ActivityLineSerializer(serializers.ModelSerializer[Activity]):
    time = serializers.DateTimeField(source="created_at")
    ip = serializers.CharField(allow_null=True)
    by_staff = serializers.SerializerMethodField()

    class Meta:
        model = Activity
        fields = ("time", "action", "ip", "by_staff")

    def get_by_staff(self, line: Activity) -> bool:
        return line.staff_id is not None


class ActivityPageSerializer(Shape):
    activity = ActivityLineSerializer(many=True)
    next = serializers.CharField(allow_null=True)


class OrganisationAuditFilterSerializer(Shape):
    who = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=100, help_text="A part of a name or address."
    )
    kind = serializers.ChoiceField(choices=ActivityKind.choices, required=False, default="", allow_blank=True)
    since = serializers.DateField(required=False, default=None, help_text="The first day, in UTC.")
    to = serializers.DateField(required=False, default=None, help_text="The last day, in UTC.")
    action = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class OrganisationAuditQuerySerializer(OrganisationAuditFilterSerializer):
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class OrganisationAuditLineSerializer(Shape):
    time = serializers.DateTimeField()
    who = serializers.CharField(help_text="A name, `API key`, `EmailCheck staff`, or `EmailCheck` for the product.")
    role = serializers.CharField(allow_null=True, help_text="As what in the organisation.")
    via = serializers.CharField(allow_null=True, help_text="The API key, or the agency, that acted.")
    kind = serializers.ChoiceField(choices=ActivityKind.choices)
    action = serializers.CharField()
    target = serializers.CharField()
    changes = serializers.DictField(
        child=serializers.ListField(child=AnyValue(), min_length=2, max_length=2), help_text="Before and after."
    )
    ip = serializers.CharField(allow_null=True)


class OrganisationAuditPageSerializer(Shape):
    lines = OrganisationAuditLineSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True)
