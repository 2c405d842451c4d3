"""Shapes of the advice about a refused call."""

from rest_framework import serializers

from emailcheck.common.api.serializers import Shape


class ExplanationSerializer(Shape):
    meaning = serializers.CharField(source="when", help_text="When the code comes.")
    remedy = serializers.CharField(help_text="What to do.")


class MendedCallSerializer(Shape):
    command = serializers.CharField(help_text="For a terminal, with the key in `$EMAILCHECK_KEY`.")
    notes = serializers.ListField(child=serializers.CharField(), help_text="What to know before it is sent.")
    missing_scope = serializers.CharField(allow_null=True, help_text="What the key has to be given first.")


class AdviceSerializer(Shape):
    sentence = serializers.CharField(help_text="What the call was told; empty for one that was not refused.")
    explanation = ExplanationSerializer(allow_null=True, help_text="Null for a code that is not in the catalogue.")
    mended_call = MendedCallSerializer(allow_null=True, help_text="Null where none is known to work.")
