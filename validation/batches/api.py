"""API calls about lists: start, read, rename, delete."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.authentication import api_key_of, is_staff_view
from accounts.access.calling import calling_organisation, require_right
from accounts.organisations.roles import Right
from billing.usage.quota import SpendingView
from emailcheck.common.api import pagination
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import ErrorSerializer, validate_query, validate_shape
from validation.access.calling import calling_reader
from validation.batches import presentation
from validation.batches import serializers as shapes
from validation.batches import services as batches
from validation.batches.intake.choices import RepairChoices
from validation.batches.models import BatchType
from validation.batches.queries import load_batch
from validation.batches.responses import LIST_RESPONSES, respond_with_list
from validation.batches.retention import services as retention
from validation.results.serializers import ERRORS, READ_ERRORS


class Bulk(SpendingView):
    """Check a list of addresses; a long one goes on in the background."""

    right = Right.CHECK
    open_to_keys = True

    @extend_schema(operation_id="validate_bulk", request=shapes.BulkSerializer, responses={**LIST_RESPONSES, **ERRORS})
    @idempotent
    def post(self, request: Request) -> Response:
        values = validate_shape(shapes.BulkSerializer, request.data)
        batch = batches.start_list(
            organisation=calling_organisation(request),
            lines=values["emails"],
            batch_type=BatchType.BULK_TEXTAREA,
            api_key=api_key_of(request),
            use_providers=values["use_providers"],
            max_credits=values["max_credits"],
            reuse_days=values["reuse_days"],
            private=values.get("private", False),
            repair=RepairChoices(repair=values["repair"], use_suggestions=values["use_suggestions"]),
        )
        return respond_with_list(batch)


class BatchDetail(APIView):
    """A batch with a page of its results."""

    right: ClassVar = {"GET": Right.READ, "PUT": Right.CHECK, "DELETE": Right.CHANGE_LISTS}
    open_to_keys = True
    sign_in_only = ("PUT",)
    query: ClassVar = {"GET": shapes.DetailQuerySerializer}

    @extend_schema(
        operation_id="validate_batch_detail",
        responses={200: shapes.BatchDetailSerializer, **READ_ERRORS},
    )
    def get(self, request: Request, batch_id: str) -> Response:
        query = validate_query(shapes.DetailQuerySerializer, request.query_params)
        pagination.note_old_pages(query)
        reader = calling_reader(request)
        batch = load_batch(reader, batch_id)
        return Response(presentation.present_batch_detail(batch, reader=reader, **query))

    @extend_schema(
        operation_id="validate_batch_update",
        request=shapes.BatchUpdateSerializer,
        responses={200: shapes.BatchKeptSerializer, **READ_ERRORS},
    )
    def put(self, request: Request, batch_id: str) -> Response:
        """Who started a list may also say who sees it with a role that changes no lists."""
        values = validate_shape(shapes.BatchUpdateSerializer, request.data)
        if set(values) != {"private"}:
            require_right(request, Right.CHANGE_LISTS)
        reader = calling_reader(request)
        batch = load_batch(reader, batch_id)
        name, days, private = (values.get(field) for field in ("name", "retention_days", "private"))
        retention.update_batch(batch=batch, reader=reader, name=name, days=days, private=private)
        return Response(presentation.present_retention(batch))

    @extend_schema(
        operation_id="validate_batch_delete",
        responses={200: shapes.BatchDeletedSerializer, **READ_ERRORS, 409: ErrorSerializer},
    )
    def delete(self, request: Request, batch_id: str) -> Response:
        """Delete a batch that has ended, with its file and its results; counters and credits stay."""
        retention.delete_batch(batch=load_batch(calling_reader(request), batch_id, deleted=True))
        return Response({"message": "Batch deleted"})


class BatchProgress(APIView):
    """How far a batch is."""

    right = Right.READ
    polled = True
    open_to_keys = True
    shown_in_views = True

    @extend_schema(operation_id="validate_batch_status", responses={200: shapes.BatchStatusSerializer, **READ_ERRORS})
    def get(self, request: Request, batch_id: str) -> Response:
        batch = load_batch(calling_reader(request), batch_id)
        (counted,) = presentation.load_live_counts([batch])
        return Response(presentation.present_progress(counted, with_replies=not is_staff_view(request)))
