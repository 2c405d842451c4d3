"""Shapes of the calls about API keys and the log of their use."""

from typing import Any

from rest_framework import serializers

from accounts.access.authentication import is_test_key, normalize_network
from accounts.access.models import ApiKey, Scope
from accounts.keys.models import ApiRequest
from emailcheck.common import registry
from emailcheck.common.api.serializers import Shape


class NetworkField(serializers.CharField):
    """An IP address or a network such as `203.0.113.0/24`."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        try:
            return normalize_network(text)
        except ValueError as error:
            raise serializers.ValidationError(f"{text} is not an IP address or network.") from error


class KeyChangesSerializer(Shape):
    name = serializers.CharField(max_length=100, required=False)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=Scope.choices),
        required=False,
        allow_empty=False,
        max_length=len(Scope),
        help_text="`read` for calls that look, `write` for calls that check, cancel or delete, `webhooks` to make, "
        "change, test and delete endpoints. A new key gets `read` and `write`.",
    )
    expires_at = serializers.DateTimeField(required=False, allow_null=True)
    daily_credit_cap = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=2_000_000_000)
    allowed_ips = serializers.ListField(child=NetworkField(max_length=50), required=False, max_length=50)

    def validate_scopes(self, value: list[str]) -> list[str]:
        return [scope.value for scope in Scope if scope in value]


class NewKeySerializer(KeyChangesSerializer):
    name = serializers.CharField(max_length=100)
    test = serializers.BooleanField(default=False)


class KeySerializer(serializers.ModelSerializer[ApiKey]):
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))
    allowed_ips = serializers.ListField(child=serializers.CharField())
    test = serializers.SerializerMethodField()
    maker = serializers.CharField(source="maker.name", default=None, allow_null=True, help_text="Who made it.")
    maker_has_left = serializers.BooleanField(help_text="Whoever made it does not belong to the organisation any more.")

    class Meta:
        model = ApiKey
        fields = (
            "id", "name", "prefix", "created_at", "last_used_at", "scopes", "expires_at", "daily_credit_cap",
            "allowed_ips", "test", "maker", "maker_has_left",
        )  # fmt: skip

    def get_test(self, key: ApiKey) -> bool:
        return is_test_key(key)


class UsedKeySerializer(Shape):
    """The key that a call is made with, as the call itself may know it."""

    name = serializers.CharField()
    prefix = serializers.CharField()
    test = serializers.BooleanField(help_text="A key of test mode: nothing is spent.")
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))
    expires_at = serializers.DateTimeField(allow_null=True)
    daily_credit_cap = serializers.IntegerField(allow_null=True)
    allowed_ips = serializers.ListField(child=serializers.CharField())
    requests_per_minute = serializers.IntegerField(allow_null=True, help_text="Calls of its plan; null: any number.")


def present_used_key(key: ApiKey) -> dict[str, Any]:
    """What a key may do and how much of it, for whoever holds it."""
    names = ("name", "prefix", "scopes", "expires_at", "daily_credit_cap", "allowed_ips")
    limit = registry.above.find_requests_per_minute(key.organisation)
    return {name: getattr(key, name) for name in names} | {"test": is_test_key(key), "requests_per_minute": limit}


class KeyListSerializer(Shape):
    keys = KeySerializer(many=True)


class KeyAnswerSerializer(serializers.ModelSerializer[ApiKey]):
    class Meta:
        model = ApiKey
        fields = ("id", "name", "prefix")


class MadeKeySerializer(Shape):
    """A key that was just made, with all that holds for it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    key = serializers.CharField(help_text="The full key, shown this once.")
    prefix = serializers.CharField()
    mode = serializers.ChoiceField(choices=("live", "test"))
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))
    expires_at = serializers.DateTimeField(allow_null=True)
    daily_credit_cap = serializers.IntegerField(allow_null=True)
    allowed_ips = serializers.ListField(child=serializers.CharField(), help_text="Empty: it may be used from any.")


def present_made_key(key: ApiKey, text: str) -> dict[str, Any]:
    """A key that was just made, with its full text."""
    names = ("id", "name", "prefix", "scopes", "expires_at", "daily_credit_cap", "allowed_ips")
    made = {name: getattr(key, name) for name in names}
    return dict(MadeKeySerializer(made | {"key": text, "mode": "test" if is_test_key(key) else "live"}).data)


class RequestQuerySerializer(Shape):
    status = serializers.RegexField(
        r"^([2345]xx|[2345]\d\d)?$", required=False, default="", allow_blank=True,
        help_text="`2xx`, `4xx` or `5xx` for all that begin so, or a number.",
    )  # fmt: skip
    key = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=2**62)
    path = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=300, help_text="A part of the path."
    )
    request_id = serializers.CharField(required=False, default="", allow_blank=True, max_length=64)
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class RequestLineSerializer(serializers.ModelSerializer[ApiRequest]):
    key_prefix = serializers.SerializerMethodField()
    duration_ms = serializers.FloatField()
    deprecated = serializers.CharField(help_text="Entries of the changelog about what it used, with blanks between.")

    class Meta:
        model = ApiRequest
        fields = ("request_id", "time", "method", "path", "status", "duration_ms", "key_prefix", "deprecated")

    def get_key_prefix(self, line: ApiRequest) -> str | None:
        return line.key.prefix if line.key else None


class RequestPageSerializer(Shape):
    requests = RequestLineSerializer(many=True)
    next = serializers.CharField(allow_null=True)


class RequestSerializer(RequestLineSerializer):
    error_code = serializers.SerializerMethodField()
    request_body = serializers.CharField()
    response_body = serializers.CharField()

    class Meta:
        model = ApiRequest
        fields = (*RequestLineSerializer.Meta.fields, "error_code", "request_body", "response_body")

    def get_error_code(self, line: ApiRequest) -> str | None:
        return line.error_code or None
