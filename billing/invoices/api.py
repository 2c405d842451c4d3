"""Calls about invoices."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from billing.invoices import listing, open_invoices, pdf
from billing.invoices import serializers as shapes
from billing.invoices import services as invoices
from billing.invoices.models import Invoice
from billing.payments.serializers import DoneSerializer, SecondPaymentSerializer
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import validate_shape, with_errors
from emailcheck.common.errors import NotFound


class Invoices(APIView):
    """Invoices and credit notes, and payments that have none yet, newest first."""

    right = Right.PAY
    shown_in_views = True

    @extend_schema(operation_id="invoices_list", responses=with_errors(shapes.InvoicesSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        found = listing.list_invoices_and_payments(calling_organisation(request))
        return Response(shapes.InvoicesSerializer({"invoices": found, "total": len(found)}).data)


class InvoicePdf(APIView):
    """A document as a file."""

    right = Right.PAY
    shown_in_views = True

    @extend_schema(
        operation_id="invoices_pdf",
        responses=with_errors({(200, "application/pdf"): OpenApiResponse(OpenApiTypes.BINARY)}, 404, 401, 403),
    )
    def get(self, request: Request, invoice_id: int) -> HttpResponse:
        document = _load_invoice(request, invoice_id)
        answer = HttpResponse(pdf.render_pdf(document), content_type="application/pdf")
        answer["Content-Disposition"] = content_disposition_header(True, document.file_name) or "attachment"
        answer["Cache-Control"] = "no-store"
        return answer


class InvoiceResend(APIView):
    """Mail a document to its owner once more."""

    right = Right.PAY

    @extend_schema(
        operation_id="invoices_resend", request=None, responses=with_errors(DoneSerializer, 429, 404, 401, 403)
    )
    @idempotent
    def post(self, request: Request, invoice_id: int) -> Response:
        document, organisation = _load_invoice(request, invoice_id), calling_organisation(request)
        invoices.resend_document(document=document, organisation=organisation)
        return Response({"message": f"Invoice {document.number} sent to {organisation.invoice_email}"})


class InvoicePay(APIView):
    """Begin to pay an open invoice: the answer says where."""

    right = Right.PAY

    @extend_schema(
        operation_id="invoices_pay",
        request=SecondPaymentSerializer,
        responses=with_errors(shapes.InvoicePaymentSerializer, 400, 409, 429, 502, 404, 401, 403),
    )
    @idempotent
    def post(self, request: Request, invoice_id: int) -> Response:
        values = validate_shape(SecondPaymentSerializer, request.data)
        begun = open_invoices.begin_invoice_payment(
            organisation=calling_organisation(request), invoice_id=invoice_id, **values
        )
        return Response({"approval_url": begun.url})


def _load_invoice(request: Request, invoice_id: int) -> Invoice:
    found = Invoice.objects.for_org(calling_organisation(request)).filter(pk=invoice_id).first()
    if found is None:
        raise NotFound("Invoice not found")
    return found
