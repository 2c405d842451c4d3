"""The calls that stop a batch, go on with it, and look at some of its rows again."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.authentication import api_key_of
from accounts.organisations.roles import Right
from billing.usage.quota import SpendingView
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import ErrorSerializer, require_no_members
from validation.access.calling import calling_reader
from validation.batches.control import rechecks, stopping
from validation.batches.control.serializers import (
    BatchCancelledSerializer,
    BatchInFullSerializer,
    BatchRecheckSerializer,
    BatchResumedSerializer,
)
from validation.batches.queries import load_batch

_ERRORS = {401: ErrorSerializer, 403: ErrorSerializer, 404: ErrorSerializer, 409: ErrorSerializer}


class Cancel(APIView):
    """Stop a batch within seconds; what is done stays, the credits of the rest come back. May be repeated."""

    right = Right.CHECK
    open_to_keys = True

    @extend_schema(
        operation_id="validate_batch_cancel", request=None, responses={200: BatchCancelledSerializer, **_ERRORS}
    )
    @idempotent
    def post(self, request: Request, batch_id: str) -> Response:
        require_no_members(request.data)
        batch = load_batch(calling_reader(request), batch_id)
        released = stopping.cancel_batch(batch=batch)
        return Response(
            {
                "status": batch.status,
                "processed": batch.processed,
                "processed_emails": batch.processed,
                "released": released,
                "message": f"Batch cancelled. {released} credits released.",
            }
        )


class Resume(SpendingView):
    """Go on with a paused batch; rows that are done are not charged again."""

    right = Right.CHECK

    @extend_schema(
        operation_id="validate_batch_resume", request=None, responses={200: BatchResumedSerializer, **_ERRORS}
    )
    @idempotent
    def post(self, request: Request, batch_id: str) -> Response:
        batch = load_batch(calling_reader(request), batch_id)
        stopping.resume_batch(batch=batch)
        return Response({"status": batch.status, "message": "Batch resumed"})


class Recheck(SpendingView):
    """Check the unknown addresses of a finished batch again: free, once."""

    right = Right.CHECK
    open_to_keys = True
    spends = False

    @extend_schema(
        operation_id="validate_batch_recheck",
        request=None,
        responses={200: BatchRecheckSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    @idempotent
    def post(self, request: Request, batch_id: str) -> Response:
        require_no_members(request.data)
        batch = load_batch(calling_reader(request), batch_id)
        count = rechecks.recheck_unknown(batch=batch)
        return Response(
            {"status": batch.status, "rechecking": count, "message": f"Re-checking {count} unknown addresses"}
        )


class CheckInFull(SpendingView):
    """Check the addresses of a finished batch in full that basic checks left undecided.

    Each is charged as a new check. It takes a trial, a paid plan, or pack credits for all of them.
    """

    right = Right.CHECK
    open_to_keys = True

    @extend_schema(
        operation_id="validate_batch_check_in_full",
        request=None,
        responses={200: BatchInFullSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    @idempotent
    def post(self, request: Request, batch_id: str) -> Response:
        require_no_members(request.data)
        batch = load_batch(calling_reader(request), batch_id)
        count = rechecks.check_in_full(batch=batch, api_key=api_key_of(request))
        return Response({"status": batch.status, "checking": count, "message": f"Checking {count} addresses in full"})
