"""Staff calls about payments and refunds."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.auth import caller
from accounts.permissions import RecentlyConfirmed, StaffView
from adminpanel import serializers_payments as shapes
from billing import refunds, staff_payments
from billing.invoice_words import money
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.idempotency import idempotent

_ERRORS = {401: ErrorSerializer, 403: ErrorSerializer}
_OF_ONE = {404: ErrorSerializer, **_ERRORS}


class Payments(StaffView):
    """Payments by customer, invoice number or PayPal id, newest first."""

    @extend_schema(
        operation_id="admin_payments",
        parameters=[shapes.PaymentsQuerySerializer],
        responses={200: shapes.PaymentsSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        found = staff_payments.find(**checked(shapes.PaymentsQuerySerializer, request.query_params))
        payments = [staff_payments.row(payment) for payment in found.payments]
        answer = {"payments": payments, "total": found.total, "next": found.next}
        return Response(shapes.PaymentsSerializer(answer | {"refunded_total": found.refunded_total}).data)


class Payment(StaffView):
    """A payment, with the guarantee and what a refund would do."""

    @extend_schema(operation_id="admin_payment_detail", responses={200: shapes.PaymentDetailSerializer, **_OF_ONE})
    def get(self, request: Request, payment_id: int) -> Response:
        found = staff_payments.detail(staff_payments.one(payment_id))
        return Response(shapes.PaymentDetailSerializer(found).data)


class PaymentRefund(StaffView):
    """Give all of a captured payment back, once; the customer sees the reason."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_payment_refund",
        request=shapes.RefundReasonSerializer,
        responses={200: shapes.RefundAnswerSerializer, 400: ErrorSerializer, 502: ErrorSerializer, **_OF_ONE},
    )
    @idempotent
    def post(self, request: Request, payment_id: int) -> Response:
        payment = staff_payments.one(payment_id)
        reason = checked(shapes.RefundReasonSerializer, request.data)["reason"]
        done = refunds.refund(payment_id=payment.pk, staff=caller(request), reason=reason)
        shown = staff_payments.row(payment)
        sent = (
            f"Refund of {money(done.amount, payment.currency)} sent to {shown['customer_email'] or shown['customer']}"
        )
        number = done.credit_note.number if hasattr(done, "credit_note") else None
        return Response({"refund_id": done.provider_id, "credit_note_number": number, "message": sent})
