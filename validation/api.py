"""The validation calls."""

from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import limits
from accounts.auth import caller, is_viewed, key_of
from accounts.permissions import Guarded
from accounts.serializers import MessageSerializer
from billing import plans
from billing.spending import SpendingView
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.errors import BadInput
from emailcheck.common.idempotency import idempotent
from validation import (
    downloads,
    drafts,
    exports,
    history,
    lookups,
    presentation,
    provider_gate,
    retention,
    services,
    tries,
    uploads,
)
from validation import query_serializers as queries
from validation import serializers as shapes
from validation.listfiles import ReadOptions
from validation.models import ACTIVE, Batch, BatchType
from validation.models import Upload as UploadModel

_ERRORS: dict[int, Any] = {400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer}
_READ_ERRORS: dict[int, Any] = {400: ErrorSerializer, 401: ErrorSerializer, 404: ErrorSerializer}
_LIST = {200: shapes.ListAnswerSerializer, 202: shapes.ListAnswerSerializer}


class Single(SpendingView):
    """Check one address now."""

    open_to_keys = True

    @extend_schema(
        operation_id="validate_single",
        request=shapes.SingleSerializer,
        responses={200: shapes.ResultSerializer, **_ERRORS},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        sent = _with_address(request, shapes.SingleSerializer)
        result = services.validate_single(
            user=caller(request),
            address=sent["email"],
            api_key=key_of(request),
            use_providers=sent["use_providers"],
        )
        return Response(presentation.result_in_full(result))


class Try(Guarded):
    """Check one address without an account, three an hour; nothing of it is kept."""

    def count(self, request: Request) -> None:
        limits.count_public()

    @extend_schema(
        operation_id="try",
        request=shapes.AddressSerializer,
        responses={200: shapes.TriedSerializer, 400: ErrorSerializer, 429: ErrorSerializer},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        result, remaining = tries.check(address=_with_address(request, shapes.AddressSerializer)["email"])
        return Response(presentation.tried(result, remaining=remaining))


def _with_address(request: Request, shape: type[shapes.AddressSerializer]) -> dict[str, Any]:
    """A body with one address. Raises `BadInput` (`INVALID_EMAIL`) where `email` is no text."""
    if not isinstance(request.data, dict) or not isinstance(request.data.get("email"), str):
        raise BadInput(services.NO_ADDRESS, code="INVALID_EMAIL", field="email")
    return checked(shape, request.data)


class Bulk(SpendingView):
    """Check a list of addresses; a long one goes on in the background."""

    open_to_keys = True

    @extend_schema(
        operation_id="validate_bulk",
        request=shapes.BulkSerializer,
        responses={**_LIST, **_ERRORS},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        values = checked(shapes.BulkSerializer, request.data)
        batch = services.start_list(
            user=caller(request),
            lines=values["emails"],
            batch_type=BatchType.BULK_TEXTAREA,
            api_key=key_of(request),
            use_providers=values["use_providers"],
            max_credits=values["max_credits"],
        )
        return _list_answer(batch)


class BoundedForm(SpendingView):
    """A form with a file of up to 10 MB."""

    parser_classes = (MultiPartParser,)

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        request.upload_handlers = [uploads.BoundedUploadHandler(request)]
        return super().initialize_request(request, *args, **kwargs)


class Upload(BoundedForm):
    """Check the addresses of a .csv, .xlsx, .xls or .txt file of up to 10 MB."""

    open_to_keys = True

    @extend_schema(
        operation_id="validate_upload",
        request={"multipart/form-data": shapes.UploadSerializer},
        responses={**_LIST, **_ERRORS, 413: ErrorSerializer},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        values = checked(shapes.UploadSerializer, request.data)
        upload = values.pop("file")
        batch = drafts.start_at_once(
            user=caller(request), upload=upload, choices=_choices(values), api_key=key_of(request)
        )
        return _list_answer(batch)


class InspectUpload(BoundedForm):
    """Keep a file and say how it is understood, what it holds and what it can cost; nothing is charged."""

    @extend_schema(
        operation_id="validate_upload_inspect",
        request={"multipart/form-data": shapes.InspectSerializer},
        responses={200: shapes.DraftSerializer, **_ERRORS, 413: ErrorSerializer},
    )
    def post(self, request: Request) -> Response:
        upload = checked(shapes.InspectSerializer, request.data)["file"]
        draft = drafts.inspect(user=caller(request), upload=upload, choices=drafts.Choices())
        return _draft_answer(draft)


class UploadReview(APIView):
    """A file before its start."""

    @extend_schema(operation_id="validate_upload_get", responses={200: shapes.DraftSerializer, **_READ_ERRORS})
    def get(self, request: Request, upload_id: str) -> Response:
        return _draft_answer(lookups.upload_for(caller(request), upload_id))

    @extend_schema(
        operation_id="validate_upload_review",
        request=shapes.ChoicesSerializer,
        responses={200: shapes.DraftSerializer, **_READ_ERRORS, 409: ErrorSerializer},
    )
    def put(self, request: Request, upload_id: str) -> Response:
        upload = lookups.upload_for(caller(request), upload_id)
        choices = _choices(checked(shapes.ChoicesSerializer, request.data))
        return _draft_answer(drafts.review(upload=upload, choices=choices))

    @extend_schema(
        operation_id="validate_upload_discard",
        responses={200: MessageSerializer, **_READ_ERRORS, 409: ErrorSerializer},
    )
    def delete(self, request: Request, upload_id: str) -> Response:
        drafts.discard(upload=lookups.upload_for(caller(request), upload_id))
        return Response({"message": "Upload discarded."})


class UploadStart(SpendingView):
    """Hold the credits and start; a second start answers the same batch."""

    @extend_schema(
        operation_id="validate_upload_start",
        request=None,
        responses={202: shapes.StartedSerializer, **_ERRORS, 404: ErrorSerializer},
    )
    @idempotent
    def post(self, request: Request, upload_id: str) -> Response:
        batch = drafts.start(upload=lookups.upload_for(caller(request), upload_id))
        return Response(presentation.batch_started(batch), status=202)


class History(APIView):
    """Batches and single checks, newest first."""

    open_to_keys = True
    shown_in_views = True

    @extend_schema(
        operation_id="validate_batches",
        parameters=[queries.HistoryQuerySerializer],
        responses={200: shapes.HistorySerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = checked(queries.HistoryQuerySerializer, request.query_params)
        if is_viewed(request):
            query |= {"search": "", "sort": "-created"}  # what is found, and in which order, would tell of addresses
        answer = presentation.history(lookups.history(caller(request), **query))
        return Response(presentation.hidden(answer) if is_viewed(request) else answer)


class BatchDetail(APIView):
    """A batch with a page of its results."""

    open_to_keys = True
    sign_in_only = ("PUT",)

    @extend_schema(
        operation_id="validate_batch_detail",
        parameters=[queries.PageQuerySerializer],
        responses={200: shapes.BatchDetailSerializer, **_READ_ERRORS},
    )
    def get(self, request: Request, batch_id: str) -> Response:
        query = checked(queries.PageQuerySerializer, request.query_params)
        batch = lookups.batch_for(caller(request), batch_id)
        return Response(presentation.batch_detail(batch, **query))

    @extend_schema(
        operation_id="validate_batch_update",
        request=shapes.BatchUpdateSerializer,
        responses={200: shapes.BatchKeptSerializer, **_READ_ERRORS},
    )
    def put(self, request: Request, batch_id: str) -> Response:
        values = checked(shapes.BatchUpdateSerializer, request.data)
        batch = lookups.batch_for(caller(request), batch_id)
        retention.choose(batch=batch, name=values.get("name"), days=values.get("retention_days"))
        return Response(presentation.batch_kept(batch))

    @extend_schema(
        operation_id="validate_batch_delete",
        responses={200: shapes.BatchDeletedSerializer, **_READ_ERRORS, 409: ErrorSerializer},
    )
    def delete(self, request: Request, batch_id: str) -> Response:
        """Delete a batch that has ended, with its file and its results; counters and credits stay."""
        retention.delete(batch=lookups.batch_for(caller(request), batch_id, deleted=True))
        return Response({"message": "Batch deleted"})


class BatchProgress(APIView):
    """How far a batch is."""

    open_to_keys = True
    shown_in_views = True

    @extend_schema(
        operation_id="validate_batch_status",
        responses={200: shapes.BatchStatusSerializer, **_READ_ERRORS},
    )
    def get(self, request: Request, batch_id: str) -> Response:
        batch = lookups.batch_for(caller(request), batch_id)
        return Response(presentation.batch_status(*presentation.with_live_counts([batch])))


class BatchResults(APIView):
    """Search, filter and sort the results of a batch."""

    open_to_keys = True

    @extend_schema(
        operation_id="validate_batch_results",
        parameters=[queries.ResultsQuerySerializer],
        responses={200: shapes.ResultsPageSerializer, **_READ_ERRORS},
    )
    def get(self, request: Request, batch_id: str) -> Response | StreamingHttpResponse:
        """A page; with `Accept: application/x-ndjson` all results, a JSON object a line, in the order of the list."""
        query = {"category": None, **checked(queries.ResultsQuerySerializer, request.query_params)}
        batch = lookups.batch_for(caller(request), batch_id)
        if downloads.LINES in request.headers.get("Accept", ""):
            lines = downloads.lines(batch, category=query["category"], search=query["search"])
            return StreamingHttpResponse(lines, content_type=downloads.LINES)
        page = lookups.explore(batch, **query)
        rows = [presentation.result_row(row) for row in page.rows]
        return Response({"results": rows, "total": page.total, "next": page.next})


class BatchExport(APIView):
    """The results of a batch as a file: CSV, XLSX, or the uploaded file with the results behind its rows."""

    open_to_keys = True

    @extend_schema(
        operation_id="validate_batch_export",
        parameters=[queries.ExportQuerySerializer],
        responses={
            **{(200, kind): OpenApiResponse(OpenApiTypes.BINARY) for kind in exports.TYPES.values()},
            **_READ_ERRORS,
            410: ErrorSerializer,
        },
    )
    def get(self, request: Request, batch_id: str) -> StreamingHttpResponse:
        query = checked(queries.ExportQuerySerializer, request.query_params)
        file = downloads.file_of(lookups.batch_for(caller(request), batch_id), query["format"], query["segment"])
        answer = StreamingHttpResponse(file.content, content_type=file.content_type)
        answer["Content-Disposition"] = content_disposition_header(True, file.name) or "attachment"
        answer["Cache-Control"] = "no-store"
        return answer


class ResultDetail(APIView):
    """A verdict with its evidence."""

    open_to_keys = True

    @extend_schema(operation_id="validate_result", responses={200: shapes.ResultSerializer, **_READ_ERRORS})
    def get(self, request: Request, result_id: int) -> Response:
        return Response(presentation.result_in_full(lookups.result_for(caller(request), result_id)))

    @extend_schema(
        operation_id="validate_result_delete",
        responses={200: MessageSerializer, **_READ_ERRORS, 409: ErrorSerializer},
    )
    def delete(self, request: Request, result_id: int) -> Response:
        """Delete the verdict of a single check; counters and credits stay. One of a list goes with its list."""
        history.remove(result=lookups.result_for(caller(request), result_id))
        return Response({"message": "Result deleted"})


class ClearHistory(APIView):
    """Delete the batches, files and results of the account; credits and counters stay."""

    @extend_schema(
        operation_id="user_clear_history", responses={200: shapes.ClearedSerializer, **_ERRORS, 409: ErrorSerializer}
    )
    def delete(self, request: Request) -> Response:
        deleted = history.clear(user=caller(request))
        return Response({"message": "Validation history cleared successfully!", "deleted_count": deleted})


def _choices(values: dict[str, Any]) -> drafts.Choices:
    own = {name: values.pop(name) for name in ("retention_days", "use_providers", "max_credits")}
    return drafts.Choices(ReadOptions(**values), **own)


def _draft_answer(draft: UploadModel) -> Response:
    owner = draft.user
    credits = plans.account_summary(owner)["credits"]
    named = provider_gate.named_for(owner)
    return Response(presentation.draft(draft, credits=credits, providers=named))


def _list_answer(batch: Batch) -> Response:
    if batch.status in ACTIVE:
        return Response(presentation.list_answer(batch, []), status=202)
    rows = batch.results.without_evidence().order_by("position")
    return Response(presentation.list_answer(batch, rows))
