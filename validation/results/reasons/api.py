"""The call that lists the reasons of verdicts."""

import hashlib
import json
from functools import cache
from typing import Any, ClassVar

from django.http import HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.access.views import PublicView
from emailcheck.common.api.serializers import validate_query, with_errors
from validation.results.models import Category
from validation.results.reasons.catalogue import REASONS, Outcome
from validation.results.serializers import Shape

_KEPT = "public, max-age=3600"


class ReasonOutcomeSerializer(Shape):
    """A category that a reason comes with, and what it costs."""

    category = serializers.ChoiceField(choices=Category.choices)
    credits_full = serializers.IntegerField(
        allow_null=True, help_text="Credits by full checks; null where they never end in it."
    )
    credits_basic = serializers.IntegerField(
        allow_null=True, help_text="Credits by basic checks; null where they never end in it."
    )


class ReasonSerializer(Shape):
    """A value of `reason`."""

    reason = serializers.CharField()
    meaning = serializers.CharField(help_text="One plain sentence.")
    advice = serializers.CharField(help_text="What to do, in Markdown.")
    outcomes = ReasonOutcomeSerializer(many=True, help_text="Empty where the value stands in files alone.")


class ReasonListSerializer(Shape):
    """Every value of `reason`."""

    reasons = ReasonSerializer(many=True)


class ReasonQuerySerializer(Shape):
    category = serializers.ChoiceField(choices=Category.choices, required=False, help_text="Only those of a category.")


class Reasons(PublicView):
    """Every value of `reason`, with what it means and costs. New ones are added at any time: expect them."""

    open_to_programs = True
    query: ClassVar = {"GET": ReasonQuerySerializer}

    @extend_schema(operation_id="reasons_list", auth=[], responses=with_errors(ReasonListSerializer, 400, 429))
    def get(self, request: Request) -> HttpResponseBase:
        query = validate_query(ReasonQuerySerializer, request.query_params)
        text, etag = _load_list(query.get("category"))
        headers = {"ETag": etag, "Cache-Control": _KEPT}
        if request.headers.get("If-None-Match") == etag:
            return HttpResponseNotModified(headers=headers)
        return HttpResponse(text, content_type="application/json", headers=headers)


@cache
def _load_list(category: str | None) -> tuple[bytes, str]:
    """The answer and its ETag, which change with the code alone: all reasons, or those of a category."""
    listed = [
        {
            "reason": str(entry.reason),
            "meaning": entry.meaning,
            "advice": entry.advice,
            "outcomes": [_present_outcome(outcome) for outcome in entry.outcomes],
        }
        for entry in REASONS
        if category is None or any(outcome.category == category for outcome in entry.outcomes)
    ]
    text = json.dumps({"reasons": listed}).encode()
    return text, f'"{hashlib.sha256(text).hexdigest()[:32]}"'


def _present_outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "category": outcome.category.value,
        "credits_full": outcome.full,
        "credits_basic": outcome.basic,
    }
