"""Calls about invoices and payment methods."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.auth import caller
from billing import invoice_list, invoice_pdf, invoices, models, open_invoices, payment_methods
from billing import serializers_invoices as shapes
from billing.serializers_payments import SecondPaymentSerializer
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.errors import NotFound
from emailcheck.common.idempotency import idempotent

_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}
_OF_ONE = {404: ErrorSerializer, **_ERRORS}


class Invoices(APIView):
    """Invoices and credit notes, and payments that have none yet, newest first."""

    shown_in_views = True

    @extend_schema(operation_id="invoices_list", responses={200: shapes.InvoicesSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        found = invoice_list.with_documents(caller(request))
        return Response(shapes.InvoicesSerializer({"invoices": found, "total": len(found)}).data)


class InvoicePdf(APIView):
    """A document as a file."""

    shown_in_views = True

    @extend_schema(
        operation_id="invoices_pdf",
        responses={(200, "application/pdf"): OpenApiResponse(OpenApiTypes.BINARY), **_OF_ONE},
    )
    def get(self, request: Request, invoice_id: int) -> HttpResponse:
        document = _document(request, invoice_id)
        answer = HttpResponse(invoice_pdf.render(document), content_type="application/pdf")
        answer["Content-Disposition"] = f'attachment; filename="{document.number}.pdf"'
        answer["Cache-Control"] = "no-store"
        return answer


class InvoiceResend(APIView):
    """Mail a document to its owner once more."""

    @extend_schema(
        operation_id="invoices_resend",
        request=None,
        responses={200: shapes.DoneSerializer, 429: ErrorSerializer, **_OF_ONE},
    )
    @idempotent
    def post(self, request: Request, invoice_id: int) -> Response:
        document, user = _document(request, invoice_id), caller(request)
        invoices.resend(document=document, user=user)
        return Response({"message": f"Invoice {document.number} sent to {user.email}"})


class InvoicePay(APIView):
    """Begin to pay an open invoice: the answer says where."""

    @extend_schema(
        operation_id="invoices_pay",
        request=SecondPaymentSerializer,
        responses={
            200: shapes.InvoicePaymentSerializer,
            400: ErrorSerializer,
            409: ErrorSerializer,
            429: ErrorSerializer,
            502: ErrorSerializer,
            **_OF_ONE,
        },
    )
    @idempotent
    def post(self, request: Request, invoice_id: int) -> Response:
        wanted = checked(SecondPaymentSerializer, request.data)
        begun = open_invoices.pay(user=caller(request), invoice_id=invoice_id, **wanted)
        return Response({"approval_url": begun.url})


class PaymentMethods(APIView):
    """What the account has paid with."""

    shown_in_views = True

    @extend_schema(operation_id="payment_methods_list", responses={200: shapes.PaymentMethodsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        found = payment_methods.of_account(caller(request))
        return Response(shapes.PaymentMethodsSerializer({"payment_methods": found}).data)


class PaymentMethod(APIView):
    """One of them."""

    @extend_schema(
        operation_id="payment_methods_update",
        request=shapes.DefaultMethodSerializer,
        responses={200: shapes.DoneSerializer, 400: ErrorSerializer, **_OF_ONE},
    )
    def put(self, request: Request, method_id: int) -> Response:
        method = _method(request, method_id)
        checked(shapes.DefaultMethodSerializer, request.data)
        payment_methods.set_default(method=method)
        return Response({"message": "Default payment method updated"})

    @extend_schema(
        operation_id="payment_methods_delete",
        responses={200: shapes.DoneSerializer, 400: ErrorSerializer, **_OF_ONE},
    )
    def delete(self, request: Request, method_id: int) -> Response:
        payment_methods.remove(method=_method(request, method_id))
        return Response({"message": "Payment method removed"})


def _document(request: Request, invoice_id: int) -> models.Invoice:
    found = models.Invoice.objects.for_user(caller(request)).filter(pk=invoice_id).first()
    if found is None:
        raise NotFound("Invoice not found")
    return found


def _method(request: Request, method_id: int) -> models.PaymentMethod:
    found = models.PaymentMethod.objects.for_user(caller(request)).filter(pk=method_id).first()
    if found is None:
        raise NotFound("Payment method not found")
    return found
