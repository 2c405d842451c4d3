"""Shapes of the call about the first hour."""

from rest_framework import serializers

from validation.results.serializers import Shape


class FirstHourSerializer(Shape):
    """When each step was first seen; null until then."""

    key = serializers.DateTimeField(allow_null=True, help_text="A key was made.")
    call = serializers.DateTimeField(allow_null=True, help_text="A call with a key was answered 2xx.")
    webhook = serializers.DateTimeField(allow_null=True, help_text="An endpoint took a message.")
    list = serializers.DateTimeField(allow_null=True, help_text="A list was started with a key.")
