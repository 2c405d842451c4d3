"""Shapes of the calls about one's own account."""

from typing import Any

from rest_framework import serializers

from accounts import keys
from accounts.models import Activity, ActivityKind, ApiKey, KeptDays, Scope, User


class ProfileSerializer(serializers.ModelSerializer[User]):
    name = serializers.CharField(max_length=150)
    company = serializers.CharField(max_length=255, required=False, allow_blank=True)
    address = serializers.CharField(max_length=500, required=False, allow_blank=True)
    vat_id = serializers.CharField(max_length=30, required=False, allow_blank=True)

    class Meta:
        model = User
        fields = ("name", "company", "address", "vat_id")


class ProfileAnswerSerializer(serializers.Serializer[dict[str, str]]):
    name = serializers.CharField()
    email = serializers.EmailField()
    company = serializers.CharField(allow_blank=True)
    address = serializers.CharField(allow_blank=True)
    vat_id = serializers.CharField(allow_blank=True)
    message = serializers.CharField()


class DeletionSerializer(serializers.Serializer[dict[str, str]]):
    email = serializers.CharField(max_length=254)
    password = serializers.CharField(max_length=1024, trim_whitespace=False, required=False, allow_blank=True)


class PreferencesSerializer(serializers.ModelSerializer[User]):
    class Meta:
        model = User
        fields = ("email_notifications", "analytics", "marketing")


class RetentionSerializer(serializers.ModelSerializer[User]):
    uploads_days = serializers.ChoiceField(choices=KeptDays.choices, required=False)
    results_days = serializers.ChoiceField(choices=KeptDays.choices, required=False)

    class Meta:
        model = User
        fields = ("uploads_days", "results_days", "use_providers")


class OnboardingSerializer(serializers.Serializer[User]):
    completed = serializers.BooleanField(source="tour_completed")


class NetworkField(serializers.CharField):
    """An IP address or a network such as `203.0.113.0/24`."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        try:
            return keys.network(text)
        except ValueError as error:
            raise serializers.ValidationError(f"{text} is not an IP address or network.") from error


class KeyChangesSerializer(serializers.Serializer[dict[str, Any]]):
    name = serializers.CharField(max_length=100, required=False)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=Scope.choices), required=False, allow_empty=False, max_length=2
    )
    expires_at = serializers.DateTimeField(required=False, allow_null=True)
    daily_credit_cap = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=2_000_000_000)
    allowed_ips = serializers.ListField(child=NetworkField(max_length=50), required=False, max_length=50)

    def validate_scopes(self, value: list[str]) -> list[str]:
        return sorted(set(value))


class NewKeySerializer(KeyChangesSerializer):
    name = serializers.CharField(max_length=100)
    test = serializers.BooleanField(default=False)


class KeySerializer(serializers.ModelSerializer[ApiKey]):
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))
    allowed_ips = serializers.ListField(child=serializers.CharField())
    test = serializers.SerializerMethodField()

    class Meta:
        model = ApiKey
        fields = (
            "id", "name", "prefix", "created_at", "last_used_at", "scopes", "expires_at", "daily_credit_cap",
            "allowed_ips", "test",
        )  # fmt: skip

    def get_test(self, key: ApiKey) -> bool:
        return keys.is_test(key)


class KeyListSerializer(serializers.Serializer[dict[str, Any]]):
    keys = KeySerializer(many=True)


class KeyAnswerSerializer(serializers.ModelSerializer[ApiKey]):
    class Meta:
        model = ApiKey
        fields = ("id", "name", "prefix")


class MadeKeySerializer(serializers.Serializer[dict[str, Any]]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    key = serializers.CharField(help_text="The full key, shown this once.")
    prefix = serializers.CharField()


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


class ActivityPageSerializer(serializers.Serializer[dict[str, Any]]):
    activity = ActivityLineSerializer(many=True)
    next = serializers.CharField(allow_null=True)
