"""The calls for the results of a list: pages, a stream of lines, files."""

from typing import ClassVar

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.organisations.roles import Right
from emailcheck.common.api import pagination
from emailcheck.common.api.serializers import ErrorSerializer, validate_query
from emailcheck.common.errors import BadInput
from validation.access.calling import calling_reader, downloading_reader
from validation.batches.queries import load_batch
from validation.exports import downloads, reach, tables
from validation.exports.choices import ExportChoices
from validation.exports.serializers import (
    ExportQuerySerializer,
    ReachSerializer,
    ResultsPageSerializer,
    ResultsQuerySerializer,
)
from validation.history.result_pages import ResultsFilter, page_results
from validation.results.presentation import present_results
from validation.results.serializers import READ_ERRORS


class BatchResults(APIView):
    """Search, filter and sort the results of a batch."""

    right = Right.READ
    open_to_keys = True
    query: ClassVar = {"GET": ResultsQuerySerializer}

    @extend_schema(
        operation_id="validate_batch_results",
        responses={200: ResultsPageSerializer, **READ_ERRORS},
    )
    def get(self, request: Request, batch_id: str) -> Response | StreamingHttpResponse:
        """A page; with `Accept: application/x-ndjson` all results, a JSON object a line, in the order of the list.

        A stream that broke off goes on with `after_row`."""
        query = validate_query(ResultsQuerySerializer, request.query_params)
        pagination.note_old_pages(query)
        wanted = ResultsFilter(query.get("category"), query.get("decision"), query["search"])
        as_file = downloads.LINES in request.headers.get("Accept", "")
        batch = load_batch(downloading_reader(request) if as_file else calling_reader(request), batch_id)
        if as_file:
            lines = downloads.stream_lines(batch, wanted, after_row=query.get("after_row", 0))
            return StreamingHttpResponse(lines, content_type=downloads.LINES)
        if "after_row" in query:
            raise BadInput(downloads.ONLY_IN_STREAMS, field="after_row", value=query["after_row"])
        limit = query.get("limit") or query.get("page_size") or pagination.ROWS
        page = page_results(batch, wanted, cursor=query["cursor"], sort=query["sort"], limit=limit)
        rows = present_results(page.rows)
        total = {"total": page.total.number, "total_is_least": page.total.is_least}
        return Response({"results": rows, **total, "next_cursor": page.next, "next": page.next})


class BatchExport(APIView):
    """The results of a batch as a file: CSV, XLSX, a zip of three, the uploaded file with its results, or a file that a
    program for newsletters imports."""

    right = Right.READ
    open_to_keys = True
    query: ClassVar = {"GET": ExportQuerySerializer}

    @extend_schema(
        operation_id="validate_batch_export",
        responses={
            **{(200, kind): OpenApiResponse(OpenApiTypes.BINARY) for kind in tables.TYPES.values()},
            **READ_ERRORS,
            409: ErrorSerializer,
            410: ErrorSerializer,
        },
    )
    def get(self, request: Request, batch_id: str) -> StreamingHttpResponse:
        query = validate_query(ExportQuerySerializer, request.query_params)
        batch = load_batch(downloading_reader(request), batch_id)
        file = downloads.build_file(batch, ExportChoices.from_query(query))
        answer = StreamingHttpResponse(file.content, content_type=file.content_type)
        answer["Content-Disposition"] = content_disposition_header(True, file.name) or "attachment"
        answer["Cache-Control"] = "no-store"
        return answer


class BatchReach(APIView):
    """How many addresses of an ended list can be sent to, and how many of them are expected to bounce: the safe ones
    alone, then with ever more risky ones. `risky_from` of the export takes each choice."""

    right = Right.READ
    open_to_keys = True

    @extend_schema(
        operation_id="validate_batch_reach",
        responses={200: ReachSerializer, **READ_ERRORS, 409: ErrorSerializer, 410: ErrorSerializer},
    )
    def get(self, request: Request, batch_id: str) -> Response:
        batch = load_batch(calling_reader(request), batch_id)
        return Response({"choices": [choice._asdict() for choice in reach.list_choices(batch)]})
