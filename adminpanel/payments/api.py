"""Staff calls about payments and refunds."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.callers import caller
from accounts.access.permissions import RecentlyConfirmed
from accounts.access.views import StaffView
from adminpanel.payments import serializers as shapes
from billing.invoices.wording import format_money
from billing.refunds import services as refunds
from billing.reports import payment_list
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import validate_shape, with_errors


class Payments(StaffView):
    """Payments by customer, invoice number or PayPal id, newest first."""

    @extend_schema(
        operation_id="admin_payments",
        parameters=[shapes.PaymentsQuerySerializer],
        responses=with_errors(shapes.PaymentsSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        found = payment_list.search_payments(**validate_shape(shapes.PaymentsQuerySerializer, request.query_params))
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
