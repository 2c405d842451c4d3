"""Shapes of the staff calls about the addresses of lists."""

from rest_framework import serializers

from emailcheck.common.api.serializers import Shape
from validation.history.result_pages import ResultsPage
from validation.results.models import Category, Result


class LookSerializer(Shape):
    reason = serializers.CharField(max_length=120, help_text="The customer reads it; name nobody.")


class ListAddressesQuestionSerializer(LookSerializer):
    cursor = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=2_000, help_text="`next` of the page before."
    )


class AddressQuestionSerializer(LookSerializer):
    address = serializers.CharField(max_length=320)


class ListAddressSerializer(serializers.ModelSerializer[Result]):
    row = serializers.IntegerField(source="position")
    email = serializers.CharField()
    category = serializers.ChoiceField(choices=Category.choices)

    class Meta:
        model = Result
        fields = ("row", "email", "category")


class ListAddressesSerializer(serializers.Serializer[ResultsPage]):
    addresses = ListAddressSerializer(many=True, source="rows")
    total = serializers.IntegerField(source="total.number", help_text="How many are checked.")
    next = serializers.CharField(allow_null=True)


class FoundAddressSerializer(serializers.ModelSerializer[Result]):
    list_id = serializers.CharField(source="batch.public_id", default=None, allow_null=True)
    row = serializers.IntegerField(source="position", help_text="0 of a single check.")
    category = serializers.ChoiceField(choices=Category.choices)
    checked_at = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Result
        fields = ("list_id", "row", "category", "checked_at")


class FoundAddressesSerializer(Shape):
    found = FoundAddressSerializer(many=True, help_text="The newest 50; without a list: a single check.")
