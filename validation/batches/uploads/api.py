"""API calls about uploaded files: check at once, or inspect, review and start."""

from typing import Any, ClassVar

from django.http import HttpRequest
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.authentication import api_key_of
from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from billing.subscriptions import entitlements
from billing.usage.quota import SpendingView
from emailcheck.common.api import pagination
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import (
    ErrorSerializer,
    MessageSerializer,
    require_no_members,
    validate_query,
    validate_shape,
)
from validation.batches import presentation
from validation.batches.intake.choices import RepairChoices
from validation.batches.responses import LIST_RESPONSES, respond_accepted, respond_with_list
from validation.batches.samples.presentation import present_sample
from validation.batches.samples.serializers import SampleSerializer
from validation.batches.serializers import PrivateSerializer
from validation.batches.uploads import drafts, files
from validation.batches.uploads.drafts import load_upload
from validation.batches.uploads.models import Upload as UploadModel
from validation.batches.uploads.presentation import present_draft, present_repairs
from validation.batches.uploads.serializers import (
    ChoicesSerializer,
    DraftSerializer,
    InspectSerializer,
    RepairsPageSerializer,
    RepairsQuerySerializer,
    StartedSerializer,
    UploadSerializer,
)
from validation.listfiles import ReadOptions
from validation.providers import allowance
from validation.results.serializers import ERRORS, READ_ERRORS


class BoundedForm(SpendingView):
    """A form with a file of up to 10 MB."""

    right = Right.CHECK
    parser_classes = (MultiPartParser,)

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        request.upload_handlers = [files.BoundedUploadHandler(request)]
        return super().initialize_request(request, *args, **kwargs)


class Upload(BoundedForm):
    """Check the addresses of a .csv, .xlsx, .xls or .txt file of up to 10 MB."""

    open_to_keys = True

    @extend_schema(
        operation_id="validate_upload",
        request={"multipart/form-data": UploadSerializer},
        responses={**LIST_RESPONSES, **ERRORS, 413: ErrorSerializer},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        values = validate_shape(UploadSerializer, request.data)
        upload, private = values.pop("file"), values.pop("private", False)
        batch = drafts.start_at_once(
            organisation=calling_organisation(request),
            upload=upload,
            choices=_build_choices(values),
            api_key=api_key_of(request),
            private=private,
        )
        return respond_with_list(batch)


class InspectUpload(BoundedForm):
    """Keep a file and say how it is understood, what it holds and what it can cost; nothing is charged."""

    open_to_keys = True
    spends = False

    @extend_schema(
        operation_id="validate_upload_inspect",
        request={"multipart/form-data": InspectSerializer},
        responses={200: DraftSerializer, **ERRORS, 413: ErrorSerializer},
    )
    def post(self, request: Request) -> Response:
        values = validate_shape(InspectSerializer, request.data)
        upload, pasted = values.pop("file"), values.pop("pasted")
        draft = drafts.inspect_upload(
            organisation=calling_organisation(request),
            upload=upload,
            choices=_build_choices(values),
            pasted=pasted,
            api_key=api_key_of(request),
        )
        return _respond_with_draft(draft)


class UploadReview(APIView):
    """A file before its start."""

    right = Right.CHECK
    open_to_keys = True

    @extend_schema(operation_id="validate_upload_get", responses={200: DraftSerializer, **READ_ERRORS})
    def get(self, request: Request, upload_id: str) -> Response:
        upload = load_upload(calling_organisation(request), upload_id)
        return _respond_with_draft(drafts.update_known(upload, api_key=api_key_of(request)))

    @extend_schema(
        operation_id="validate_upload_review",
        request=ChoicesSerializer,
        responses={200: DraftSerializer, **READ_ERRORS, 409: ErrorSerializer},
    )
    def put(self, request: Request, upload_id: str) -> Response:
        upload = load_upload(calling_organisation(request), upload_id)
        choices = _build_choices(validate_shape(ChoicesSerializer, request.data))
        return _respond_with_draft(drafts.review_upload(upload=upload, choices=choices, api_key=api_key_of(request)))

    @extend_schema(
        operation_id="validate_upload_discard", responses={200: MessageSerializer, **READ_ERRORS, 409: ErrorSerializer}
    )
    def delete(self, request: Request, upload_id: str) -> Response:
        drafts.discard_upload(upload=load_upload(calling_organisation(request), upload_id))
        return Response({"message": "Upload discarded."})


class UploadRepairs(APIView):
    """What is repaired in a file, and what is suggested for it."""

    right = Right.CHECK
    open_to_keys = True
    query: ClassVar = {"GET": RepairsQuerySerializer}

    @extend_schema(
        operation_id="validate_upload_repairs",
        responses={200: RepairsPageSerializer, **READ_ERRORS, 409: ErrorSerializer},
    )
    def get(self, request: Request, upload_id: str) -> Response:
        """Repairs in the order of the rows, then typing suggestions; of one `kind`, or all."""
        query = validate_query(RepairsQuerySerializer, request.query_params)
        pagination.note_old_pages(query)
        upload = load_upload(calling_organisation(request), upload_id)
        size = query.get("limit") or query.get("page_size") or pagination.ROWS
        page = drafts.page_repairs(upload=upload, kind=query["kind"], cursor=query["cursor"], size=size)
        return Response(present_repairs(page))


class UploadStart(SpendingView):
    """Hold the credits and start; a second start answers the same batch."""

    right = Right.CHECK
    open_to_keys = True

    @extend_schema(
        operation_id="validate_upload_start",
        request=PrivateSerializer,
        responses={202: StartedSerializer, **ERRORS, 404: ErrorSerializer},
    )
    @idempotent
    def post(self, request: Request, upload_id: str) -> Response:
        private = validate_shape(PrivateSerializer, request.data).get("private", False)
        upload = load_upload(calling_organisation(request), upload_id)
        batch = drafts.start_upload(upload=upload, api_key=api_key_of(request), private=private)
        return respond_accepted(presentation.present_started(batch), f"batch/{batch.public_id}/status")


class UploadSample(APIView):
    """The free sample of a file: random addresses, checked in full before its start. Verdicts come with the list."""

    right = Right.CHECK
    open_to_keys = True

    @extend_schema(operation_id="validate_upload_sample_get", responses={200: SampleSerializer, **READ_ERRORS})
    def get(self, request: Request, upload_id: str) -> Response:
        return Response(_present_sample(load_upload(calling_organisation(request), upload_id)))

    @extend_schema(
        operation_id="validate_upload_sample",
        request=None,
        responses={202: SampleSerializer, **READ_ERRORS, 409: ErrorSerializer},
    )
    @idempotent
    def post(self, request: Request, upload_id: str) -> Response:
        """Begin it: once for each content, and so many a credit month."""
        require_no_members(request.data)
        upload = load_upload(calling_organisation(request), upload_id)
        drafts.start_sample(upload=upload)
        return respond_accepted(_present_sample(upload), f"upload/{upload.public_id}/sample")


def _present_sample(upload: UploadModel) -> dict[str, Any]:
    return present_sample(upload.organisation, possible=upload.possible, content_hash=upload.content_hash)


def _build_choices(values: dict[str, Any]) -> drafts.UploadChoices:
    own = {name: values.pop(name) for name in ("retention_days", "use_providers", "max_credits", "reuse_days")}
    repair = RepairChoices(
        repair=values.pop("repair"),
        undo_repairs=tuple(sorted(set(values.pop("undo_repairs")))),
        undo_kinds=tuple(sorted(values.pop("undo_kinds"))),
        use_suggestions=values.pop("use_suggestions"),
        suggestion_rows=tuple(sorted(set(values.pop("suggestion_rows")))),
        undo_suggestions=tuple(sorted(set(values.pop("undo_suggestions")))),
    )
    return drafts.UploadChoices(ReadOptions(**values), repair, **own)


def _respond_with_draft(draft: UploadModel) -> Response:
    owner = draft.organisation
    credits = entitlements.build_account_summary(owner)["credits"]
    named = allowance.list_provider_titles(owner)
    return Response(present_draft(draft, credits=credits, providers=named))
