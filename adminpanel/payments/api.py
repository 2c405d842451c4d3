"""Staff calls about payments, refunds and open invoices."""

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.permissions import RecentlyConfirmed
from accounts.access.views import StaffView
from adminpanel.payments import serializers as shapes
from billing.invoices import buyers, open_invoices
from billing.invoices.wording import format_money
from billing.refunds import services as refunds
from billing.reports import payment_list
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import MessageSerializer, validate_query, validate_shape, with_errors


class Payments(StaffView):
    """Payments by customer, invoice number or PayPal id, newest first."""

    @extend_schema(
        operation_id="admin_payments",
        parameters=[shapes.PaymentsQuerySerializer],
        responses=with_errors(shapes.PaymentsSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        found = payment_list.search_payments(**validate_query(shapes.PaymentsQuerySerializer, request.query_params))
        payments = [payment_list.present_row(payment) for payment in found.payments]
        answer = {"payments": payments, "total": found.total, "next": found.next}
        return Response(shapes.PaymentsSerializer(answer | {"refunded_total": found.refunded_total}).data)


class Payment(StaffView):
    """A payment, with the guarantee and what a refund would do."""

    @extend_schema(
        operation_id="admin_payment_detail", responses=with_errors(shapes.PaymentDetailSerializer, 404, 401, 403)
    )
    def get(self, request: Request, payment_id: int) -> Response:
        found = payment_list.present_detail(payment_list.load_payment(payment_id))
        return Response(shapes.PaymentDetailSerializer(found).data)


class PaymentRefund(StaffView):
    """Give all of a captured payment back, once; the customer sees the reason."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_payment_refund",
        request=shapes.RefundReasonSerializer,
        responses=with_errors(shapes.RefundAnswerSerializer, 400, 502, 404, 401, 403),
    )
    @idempotent
    def post(self, request: Request, payment_id: int) -> Response:
        payment = payment_list.load_payment(payment_id)
        reason = validate_shape(shapes.RefundReasonSerializer, request.data)["reason"]
        done = refunds.refund_payment(payment_id=payment.pk, staff=caller(request), reason=reason)
        shown = payment_list.present_row(payment)
        amount, receiver = format_money(done.amount, payment.currency), shown["customer_email"] or shown["customer"]
        sent = f"Refund of {amount} sent to {receiver}"
        number = done.credit_note.number if hasattr(done, "credit_note") else None
        return Response({"refund_id": done.provider_id, "credit_note_number": number, "message": sent})


class OpenInvoices(StaffView):
    """Invoices that were written before they were paid, those that are due first first."""

    @extend_schema(
        operation_id="admin_open_invoices",
        parameters=[shapes.OpenInvoicesQuerySerializer],
        responses=with_errors(shapes.OpenInvoicesSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        rows, total, after = open_invoices.search_open_invoices(
            **validate_query(shapes.OpenInvoicesQuerySerializer, request.query_params)
        )
        answer = {"invoices": map(shapes.present_invoice, rows), "total": total, "next": after}
        return Response(shapes.OpenInvoicesSerializer(answer).data)


class InvoicePaid(StaffView):
    """The money of an open invoice came in another way than by PayPal."""

    @extend_schema(
        operation_id="admin_invoice_paid",
        request=shapes.PaidWithSerializer,
        responses=with_errors(MessageSerializer, 404, 400, 401, 403),
    )
    @idempotent
    def post(self, request: Request, invoice_id: int) -> Response:
        paid_with = validate_shape(shapes.PaidWithSerializer, request.data)["paid_with"]
        done = open_invoices.mark_invoice_paid(staff=caller(request), invoice_id=invoice_id, paid_with=paid_with)
        return Response({"message": f"Invoice {done.number} is paid"})


class InvoiceBuyer(StaffView):
    """Who bought, as a document names them: kept for deleted accounts too, and shown with a reason alone."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_invoice_buyer",
        request=shapes.BuyerReasonSerializer,
        responses=with_errors(shapes.BuyerSerializer, 404, 400, 401, 403),
    )
    def post(self, request: Request, invoice_id: int) -> Response:
        reason = validate_shape(shapes.BuyerReasonSerializer, request.data)["reason"]
        found = buyers.show_buyer(invoice_id=invoice_id, staff=caller(request), reason=reason)
        return Response(shapes.BuyerSerializer(asdict(found)).data, headers={"Cache-Control": "no-store"})
