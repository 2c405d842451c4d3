"""The shape of the call that deletes an account."""

from rest_framework import serializers


class DeletionSerializer(serializers.Serializer[dict[str, str]]):
    email = serializers.CharField(max_length=254)
    password = serializers.CharField(max_length=1024, trim_whitespace=False, required=False, allow_blank=True)
