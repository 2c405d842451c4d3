"""Shapes of the log of calls with API keys."""

from rest_framework import serializers

from accounts.keys.models import ApiRequest
from emailcheck.common.api.serializers import Shape


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

    class Meta:
        model = ApiRequest
        fields = ("request_id", "time", "method", "path", "status", "duration_ms", "key_prefix")

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
