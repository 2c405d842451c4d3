"""Shapes of single checks."""

from rest_framework import serializers

from emailcheck.common.api.serializers import StrictBooleanField
from validation.batches.serializers import AddressField, ProvidersSerializer
from validation.results.serializers import _EVIDENCE, _ROW, Shape, build_serializer


class AddressSerializer(Shape):
    email = AddressField()


class SingleSerializer(AddressSerializer, ProvidersSerializer):
    """An address to check."""

    repair = StrictBooleanField(help_text="Take the address out of what stands around it, such as a name and brackets.")


ACCOUNT_FIELDS = {
    "id",
    "row",
    "validation_type",
    "validated_at",
    "rechecked_at",
    "credits_used",
    "validation_provider",
    "shared_with",
}


TriedSerializer = build_serializer(
    "TriedSerializer",
    "A verdict with its evidence, for a visitor; it is not kept.",
    {name: field for name, field in {**_ROW, **_EVIDENCE}.items() if name not in ACCOUNT_FIELDS}
    | {"remaining": serializers.IntegerField(help_text="Tries left in this hour.")},
)
