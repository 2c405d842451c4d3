"""Shapes of the calls about claims."""

from rest_framework import serializers

from emailcheck.common.api.serializers import Shape, build_shape

ClaimSerializer = build_shape(
    "ClaimSerializer",
    "What the public pages claim.",
    key=serializers.CharField(),
    text=serializers.CharField(help_text="What is claimed."),
    value=serializers.CharField(),
    source=serializers.CharField(),
    as_of=serializers.DateField(allow_null=True),
    shown=serializers.BooleanField(),
    confirmed=serializers.BooleanField(),
)


class ClaimsSerializer(Shape):
    claims = ClaimSerializer(many=True)


ClaimChangeSerializer = build_shape(
    "ClaimChangeSerializer",
    "What is not sent stays as it is; another value without `confirmed` has to be confirmed anew.",
    key=serializers.CharField(max_length=40),
    value=serializers.CharField(max_length=200, required=False),
    source=serializers.CharField(max_length=300, required=False, allow_blank=True),
    as_of=serializers.DateField(required=False, allow_null=True),
    shown=serializers.BooleanField(required=False),
    confirmed=serializers.BooleanField(required=False),
)


class ClaimChangesSerializer(Shape):
    claims = ClaimChangeSerializer(many=True, allow_empty=False)
