"""The response to a submitted list: its results, or that it is queued."""

from typing import Any

from rest_framework.response import Response

from validation.batches import presentation
from validation.batches import serializers as shapes
from validation.batches.models import ACTIVE, Batch

POLL_S = 2
"""How soon it is worth asking how far a list is."""
LIST_RESPONSES = {200: shapes.ListAnswerSerializer, 202: shapes.ListAnswerSerializer}


def respond_with_list(batch: Batch) -> Response:
    if batch.status in ACTIVE:
        return respond_accepted(presentation.present_list_answer(batch, []), f"batch/{batch.public_id}/status")
    rows = batch.results.without_evidence().order_by("position")
    return Response(presentation.present_list_answer(batch, rows))


def respond_accepted(answer: dict[str, Any], status_call: str) -> Response:
    """202 with where to ask how far it is (RFC 9110 section 15.3.3), and how soon that is worth it. `status_call`: the
    path behind `/api/v1/validate/`."""
    headers = {"Location": f"/api/v1/validate/{status_call}", "Retry-After": str(POLL_S)}
    return Response(answer, status=202, headers=headers)
