"""Shapes of results."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from billing.subscriptions.welcome_credits import Checks
from emailcheck.common.api.serializers import ErrorSerializer
from validation.engine.repair import RepairKind
from validation.results.index_ranges import MOST_COUNTED
from validation.results.models import Category

ERRORS: dict[int, Any] = {400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer}


READ_ERRORS: dict[int, Any] = {400: ErrorSerializer, 401: ErrorSerializer, 404: ErrorSerializer}


Shape = serializers.Serializer[dict[str, Any]]


LEAST_HELP = f"There are more: a search is counted up to {MOST_COUNTED:,}."
CHECKS = [checks.value for checks in Checks]
REPAIR_KINDS = [kind.value for kind in RepairKind]


class ChecksField(serializers.ChoiceField):
    """Which checks were made, or will be."""

    def __init__(self, help_text: str = "`full`, or `basic`: neither mailbox, catch-all nor disposable.") -> None:
        super().__init__(choices=CHECKS, help_text=help_text)


class DetailsSerializer(Shape):
    domain = serializers.CharField()
    category_reason = serializers.CharField(help_text="One plain sentence that says why.")


OLD_NAMES = ("is_valid", "is_disposable")
Fields = dict[str, serializers.Field[Any, Any, Any, Any]]


def build_serializer(name: str, describes: str, fields: Fields) -> type[Shape]:
    """A serializer whose fields may carry the names of a serializer's own members, such as `is_valid`."""
    shape = type(name, (Shape,), {**fields, "__doc__": describes})
    return extend_schema_serializer(deprecate_fields=[one for one in OLD_NAMES if one in fields])(shape)


_ROW: Fields = {
    "id": serializers.CharField(
        help_text="Such as `res_…`; empty where nothing is kept. Keys made before 28 November 2026 get a number."
    ),
    "row": serializers.IntegerField(help_text="Row of the list, from 1; 0 for a single check."),
    "email": serializers.CharField(help_text="As it was handed in."),
    "email_checked": serializers.CharField(help_text="The address that was checked."),
    "repaired_from": serializers.CharField(
        allow_null=True, help_text="The text that the address was taken out of, or the address as it was spelt."
    ),
    "repairs": serializers.ListField(child=serializers.ChoiceField(REPAIR_KINDS), help_text="What was done to it."),
    "category": serializers.ChoiceField(choices=Category.choices),
    "reason": serializers.CharField(help_text="Why it is in its category, for programs."),
    "valid": serializers.BooleanField(),
    "is_valid": serializers.BooleanField(help_text="Equals `valid`."),
    "confidence_score": serializers.FloatField(min_value=0, max_value=1, help_text="Probability of safe delivery."),
    "safe_to_send": serializers.BooleanField(help_text="Valid, or undecided with a confidence above 0.6."),
    "label": serializers.ChoiceField(choices=["Safe to send", "Risky to send", "Do not send"]),
    "syntax_valid": serializers.BooleanField(),
    "domain_valid": serializers.BooleanField(allow_null=True, help_text="Null: not found out, as in the fields below."),
    "smtp_valid": serializers.BooleanField(allow_null=True, help_text="Whether the mail server takes mail for it."),
    "disposable": serializers.BooleanField(allow_null=True),
    "is_disposable": serializers.BooleanField(allow_null=True, help_text="Equals `disposable`."),
    "is_catch_all": serializers.BooleanField(allow_null=True),
    "is_spam_trap": serializers.BooleanField(allow_null=True, help_text="Null: not checked, no list is configured."),
    "free_email": serializers.BooleanField(help_text="At a provider of free mailboxes."),
    "validation_type": serializers.CharField(),
    "checks": ChecksField(),
    "created_at": serializers.DateTimeField(help_text="When the verdict was made."),
    "validated_at": serializers.DateTimeField(help_text="Equals created_at."),
    "reused": serializers.BooleanField(help_text="An earlier verdict of your organisation, taken over free of charge."),
    "rechecked_at": serializers.DateTimeField(allow_null=True, help_text="Set where this is a second verdict."),
    "details": DetailsSerializer(),
}


_CHECK: Fields = {
    "check": serializers.CharField(help_text="Its name, such as `mailbox`."),
    "outcome": serializers.ChoiceField(choices=["pass", "fail", "warn", "unknown", "skipped"]),
    "detail": serializers.CharField(help_text="What was found, in words."),
    "source": serializers.CharField(help_text="Who was asked."),
    "time_ms": serializers.FloatField(allow_null=True, help_text="How long it took, in milliseconds."),
    "expires_at": serializers.FloatField(allow_null=True, help_text="Until when it is remembered: seconds since 1970."),
}


ResultRowSerializer = build_serializer("ResultRowSerializer", "A verdict in a list.", _ROW)


CheckSerializer = build_serializer("CheckSerializer", "One named check of the evidence.", _CHECK)


_EVIDENCE: Fields = {
    "sentence": serializers.CharField(help_text="The verdict in one plain sentence."),
    "did_you_mean": serializers.CharField(allow_null=True, help_text="The address that was probably meant."),
    "found_addresses": serializers.ListField(
        child=serializers.CharField(),
        max_length=20,
        help_text="The addresses of a text that holds several, of which none is checked; the first 20.",
    ),
    "found_count": serializers.IntegerField(help_text="How many addresses such a text holds; 0 otherwise."),
    "flags": serializers.ListField(child=serializers.CharField(), help_text="Remarks that change no verdict."),
    "mx_records": serializers.ListField(
        child=serializers.CharField(), help_text="Mail servers, the first choice first."
    ),
    "evidence": CheckSerializer(many=True),
    "transcript": serializers.ListField(
        child=serializers.CharField(), help_text="The conversation with the mail server, line by line."
    ),
    "retry_after": serializers.FloatField(
        allow_null=True, help_text="In how many seconds it is worth asking again, where it was not decided now."
    ),
    "credits_used": serializers.IntegerField(),
    "validation_provider": serializers.CharField(),
    "shared_with": serializers.ListField(child=serializers.CharField()),
}


ResultSerializer = build_serializer("ResultSerializer", "A verdict with its evidence.", {**_ROW, **_EVIDENCE})
