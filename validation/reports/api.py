"""The call for the report of a list."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.organisations.roles import Right
from emailcheck.common.api.serializers import ErrorSerializer
from validation.access.calling import downloading_reader
from validation.batches.queries import load_batch
from validation.exports import tables
from validation.reports import figures, pdf
from validation.results.serializers import READ_ERRORS


class BatchReport(APIView):
    """One page about a finished list, as PDF: counts, reasons and advice, without any address."""

    right = Right.READ
    open_to_keys = True

    @extend_schema(
        operation_id="validate_batch_report",
        responses={
            (200, "application/pdf"): OpenApiResponse(OpenApiTypes.BINARY),
            **READ_ERRORS,
            409: ErrorSerializer,
            410: ErrorSerializer,
        },
    )
    def get(self, request: Request, batch_id: str) -> HttpResponse:
        reader = downloading_reader(request)
        batch = load_batch(reader, batch_id)
        content = pdf.render_report(figures.load_figures(batch), organisation=reader.organisation)
        answer = HttpResponse(content, content_type="application/pdf")
        name = tables.build_filename(batch, "report", suffix="pdf")
        answer["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
        answer["Cache-Control"] = "no-store"
        return answer
