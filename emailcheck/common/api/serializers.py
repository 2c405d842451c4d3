"""Shapes that every API shares, and the check of what was sent."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.settings import api_settings
from rest_framework.utils import html

from emailcheck.common import request_context
from emailcheck.common.api.queries import require_known_members
from emailcheck.common.text.cleaning import make_storable

Json = dict[str, Any]
Shape = serializers.Serializer[Json]
"""What most serializers derive from."""


class StorableField(serializers.CharField):
    """A text. What no database keeps is marked."""

    def to_internal_value(self, data: Any) -> str:
        return make_storable(super().to_internal_value(data))


class StrictBooleanField(serializers.BooleanField):
    """True or false, in a form as these words; no other value."""

    def __init__(self, **options: Any) -> None:
        super().__init__(default=options.pop("default", False), **options)

    def get_value(self, dictionary: Any) -> Any:
        value = super().get_value(dictionary)
        return {"true": True, "false": False}.get(value, value) if html.is_html_input(dictionary) else value

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class MessageSerializer(serializers.Serializer[dict[str, str]]):
    message = serializers.CharField()


@extend_schema_field(OpenApiTypes.ANY)
class AnyValue(serializers.JSONField):
    """Any JSON, null too, which a nullable field would describe as one of two things that it is both."""


class ErrorDetailsSerializer(Shape):
    field = serializers.CharField(required=False)
    provided_value = AnyValue(required=False)
    organisation = serializers.CharField(required=False, help_text="With LAST_OWNER: of which.")
    plans = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="With PLAN_REQUIRED: those that have it."
    )
    ways = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="With LAST_OWNER: `transfer` it or `delete` it."
    )


class ErrorSerializer(Shape):
    """The one error body: `detail` and `message` say the same sentence."""

    detail = serializers.CharField()
    error = serializers.CharField()
    message = serializers.CharField()
    code = serializers.CharField()
    details = ErrorDetailsSerializer()
    request_id = serializers.CharField()


def with_errors(answers: Any, *statuses: int) -> dict[Any, Any]:
    """The answers of a call, for its description: a shape for 200, or answers by status; and the error body for
    each of `statuses`."""
    by_status: dict[Any, Any] = answers if isinstance(answers, dict) else {200: answers}
    return by_status | dict.fromkeys(statuses, ErrorSerializer)


def build_shape(name: str, doc: str, **fields: Any) -> type[Shape]:
    """A serializer whose fields are in camel case, or are named like a serializer's own members."""
    return type(name, (serializers.Serializer,), {**fields, "__doc__": doc})


class NothingSerializer(Shape):
    """The body of a call that takes none: it may be left out, or empty."""


def validate_shape(shape: Callable[[], serializers.BaseSerializer[Any]], data: Any) -> dict[str, Any]:
    """The body of a call in the right shape. Raises DRF's `ValidationError`, and `BadInput` for members that a call of
    the contract does not know; other calls leave these out."""
    if data is None:
        raise serializers.ValidationError({api_settings.NON_FIELD_ERRORS_KEY: ["No data provided"]}, code="null")
    if request_context.is_contract_call():
        refuse_unknown_members(shape, data)
    values: dict[str, Any] = _cached_serializer(shape).run_validation(data)
    return values


def validate_query(shape: Callable[[], serializers.BaseSerializer[Any]], query: QueryDict) -> dict[str, Any]:
    """The parameters of a call in the right shape. Raises DRF's `ValidationError`."""
    values: dict[str, Any] = _cached_serializer(shape).run_validation(query)
    return values


def refuse_unknown_members(shape: Callable[[], serializers.BaseSerializer[Any]], data: Any) -> None:
    """Refuse members that a shape does not have, before anything else is said of a body. Raises `BadInput`."""
    require_known_members(_cached_serializer(shape), data)


def require_no_members(data: Any) -> None:
    """Refuse a body with members, for calls that take none. Raises `BadInput`."""
    refuse_unknown_members(NothingSerializer, data)


@lru_cache(maxsize=512)
def _cached_serializer(shape: Callable[[], serializers.BaseSerializer[Any]]) -> serializers.BaseSerializer[Any]:
    """One serializer for all calls: creating one, with copies of all fields, takes longer than a check. A check
    changes nothing in it, and none of ours reads a context."""
    return shape()
