"""The calls about the history: read, cleared."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.authentication import is_staff_view
from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from emailcheck.common.api import pagination
from emailcheck.common.api.serializers import ErrorSerializer, validate_query
from validation.access.calling import calling_reader
from validation.batches.retention import removal
from validation.history import queries as lookups
from validation.history import serializers as queries
from validation.history.presentation import present_history
from validation.history.serializers import ClearedSerializer, HistorySerializer
from validation.results.presentation import hide_addresses
from validation.results.serializers import ERRORS


class History(APIView):
    """Batches and single checks, newest first."""

    right = Right.READ
    open_to_keys = True
    shown_in_views = True
    query: ClassVar = {"GET": queries.HistoryQuerySerializer}

    @extend_schema(
        operation_id="validate_batches",
        responses={200: HistorySerializer, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = validate_query(queries.HistoryQuerySerializer, request.query_params)
        pagination.note_old_pages(query)
        query |= {name: query.get(name) for name in ("limit", "page", "page_size")}
        if is_staff_view(request):
            query |= {"search": "", "sort": "-created"}  # what is found, and in which order, would tell of addresses
        answer = present_history(lookups.load_history(calling_reader(request), **query))
        return Response(hide_addresses(answer) if is_staff_view(request) else answer)


class ClearHistory(APIView):
    """Delete the batches, files and results of the account; credits and counters stay."""

    right = Right.MANAGE

    @extend_schema(
        operation_id="user_clear_history", responses={200: ClearedSerializer, **ERRORS, 409: ErrorSerializer}
    )
    def delete(self, request: Request) -> Response:
        deleted = removal.clear_history(organisation=calling_organisation(request))
        return Response({"message": "Validation history cleared successfully!", "deleted_count": deleted})
