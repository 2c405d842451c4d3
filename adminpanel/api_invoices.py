"""Staff calls about invoices that wait for their money."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.auth import caller
from accounts.permissions import StaffView
from accounts.serializers import MessageSerializer
from adminpanel import serializers_invoices as shapes
from billing import open_invoices
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.idempotency import idempotent

_ERRORS = {400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer}


class OpenInvoices(StaffView):
    """Invoices that were written before they were paid, those that are due first first."""

    @extend_schema(
        operation_id="admin_open_invoices",
        parameters=[shapes.OpenInvoicesQuerySerializer],
        responses={200: shapes.OpenInvoicesSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        rows, total, after = open_invoices.find(**checked(shapes.OpenInvoicesQuerySerializer, request.query_params))
        answer = {"invoices": map(shapes.row, rows), "total": total, "next": after}
        return Response(shapes.OpenInvoicesSerializer(answer).data)


class InvoicePaid(StaffView):
    """The money of an open invoice came in another way than by PayPal."""

    @extend_schema(
        operation_id="admin_invoice_paid",
        request=shapes.PaidWithSerializer,
        responses={200: MessageSerializer, 404: ErrorSerializer, **_ERRORS},
    )
    @idempotent
    def post(self, request: Request, invoice_id: int) -> Response:
        paid_with = checked(shapes.PaidWithSerializer, request.data)["paid_with"]
        done = open_invoices.settle(staff=caller(request), invoice_id=invoice_id, paid_with=paid_with)
        return Response({"message": f"Invoice {done.number} is paid"})
