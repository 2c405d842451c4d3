"""Shapes of the activity log."""

from rest_framework import serializers

from accounts.activity.models import Activity, ActivityKind
from emailcheck.common.api.serializers import Shape


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
