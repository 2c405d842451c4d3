"""The response to a submitted list: its results, or that it is queued."""

from rest_framework.response import Response

from validation.batches import presentation
from validation.batches import serializers as shapes
from validation.batches.models import ACTIVE, Batch

LIST_RESPONSES = {200: shapes.ListAnswerSerializer, 202: shapes.ListAnswerSerializer}


def respond_with_list(batch: Batch) -> Response:
    if batch.status in ACTIVE:
        return Response(presentation.present_list_answer(batch, []), status=202)
    rows = batch.results.without_evidence().order_by("position")
    return Response(presentation.present_list_answer(batch, rows))
