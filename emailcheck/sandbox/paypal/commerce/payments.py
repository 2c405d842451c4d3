"""Payments: captures of orders and sales of subscriptions, their later changes, and refunds."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from emailcheck.sandbox.paypal.context import PayPalContext, require_record
from emailcheck.sandbox.paypal.errors import refused_fault
from emailcheck.sandbox.paypal.records import Payment, Refund
from emailcheck.sandbox.paypal.representations import PAYER_EMAIL, compute_fee, format_iso, money_json
from emailcheck.sandbox.paypal.request_body import Body
from emailcheck.sandbox.paypal.state import new_id

_REFUND_DAYS = timedelta(days=180)
_SUMMARIES = {
    "COMPLETED": "Payment completed for {}",
    "PENDING": "Payment pending for {}",
    "DECLINED": "A payment of {} was declined",
    "REVERSED": "A payment of {} was reversed",
}
_REPORTED = {"COMPLETED": "S", "PARTIALLY_REFUNDED": "S", "REFUNDED": "V", "PENDING": "P"}


class Payments:
    """Captures, sales and refunds."""

    def __init__(self, site: PayPalContext) -> None:
        self._site = site

    def record(self, payment: Payment) -> Payment:
        """Store a new payment and announce it."""
        self._site.memory.payments[payment.id] = payment
        self._announce(payment, payment.status)
        return payment

    def new(self, amount: Decimal, currency: str, *, status: str, custom_id: str, **about: str) -> Payment:
        """A new payment, not stored yet. `about`: order_id or subscription_id, invoice_id, reason."""
        now = self._site.now()
        return Payment(
            id=new_id(),
            status=status,
            amount=amount,
            currency=currency,
            custom_id=custom_id,
            invoice_id=about.get("invoice_id", ""),
            order_id=about.get("order_id", ""),
            subscription_id=about.get("subscription_id", ""),
            reason=about.get("reason", ""),
            create_time=now,
            update_time=now,
        )

    def get(self, payment_id: str) -> Payment:
        return require_record(self._site.memory.payments, payment_id)

    def shown(self, payment_id: str) -> dict[str, Any]:
        """A payment by its id, with its order or subscription."""
        payment = self.get(payment_id)
        return self._site.shapes.capture(payment) | _related_ids(payment)

    def decide(self, payment_id: str, status: str) -> None:
        """Decide a pending payment: COMPLETED or DECLINED."""
        payment = self.get(payment_id)
        if payment.status == "PENDING":
            payment.status, payment.reason, payment.update_time = status, "", self._site.now()
            self._announce(payment, status)

    def reverse(self, payment_id: str) -> None:
        """The buyer's bank takes the money back."""
        payment = self.get(payment_id)
        if payment.status in {"COMPLETED", "PARTIALLY_REFUNDED"}:
            self._record_refund(payment, payment.amount - payment.refunded, invoice_id="", note="Reversal")
            self._announce(payment, "REVERSED")

    def refund(self, payment_id: str, body: Body) -> Refund:
        """Give money back. Raises the refusals of PayPal."""
        payment = self.get(payment_id)
        amount = body.money("amount")[0] if "amount" in body else payment.amount - payment.refunded
        invoice_id = body.maybe_text("invoice_id")
        self._check_refund(payment, amount, invoice_id)
        refund = self._record_refund(payment, amount, invoice_id=invoice_id, note=body.maybe_text("note_to_payer"))
        kind = "SALE" if payment.subscription_id else "CAPTURE"
        shape = self._refunded_sale(refund) if payment.subscription_id else self._refunded_capture(refund)
        summary = f"A {_format_dollars(amount, payment.currency)} {kind.lower()} payment was refunded"
        self._site.announce(f"PAYMENT.{kind}.REFUNDED", shape, summary)
        return refund

    def report(self, start: datetime, end: datetime) -> list[dict[str, Any]]:
        """Every movement between two moments, oldest first."""
        memory = self._site.memory
        lines = [(payment.create_time, self._report_payment(payment)) for payment in memory.payments.values()]
        lines += [(refund.create_time, _report_refund(refund)) for refund in memory.refunds.values()]
        return [line for time, line in sorted(lines, key=lambda line: line[0]) if start <= time <= end]

    def _check_refund(self, payment: Payment, amount: Decimal, invoice_id: str) -> None:
        if payment.status == "REFUNDED":
            raise refused_fault("CAPTURE_FULLY_REFUNDED")
        if payment.status not in {"COMPLETED", "PARTIALLY_REFUNDED"}:
            raise refused_fault("REFUND_NOT_ALLOWED")
        if self._site.now() - payment.create_time > _REFUND_DAYS:
            raise refused_fault("REFUND_TIME_LIMIT_EXCEEDED")
        if not 0 < amount <= payment.amount - payment.refunded:
            raise refused_fault("REFUND_AMOUNT_EXCEEDED")
        if invoice_id and any(refund.invoice_id == invoice_id for refund in self._site.memory.refunds.values()):
            raise refused_fault("DUPLICATE_INVOICE_ID")

    def _record_refund(self, payment: Payment, amount: Decimal, *, invoice_id: str, note: str) -> Refund:
        payment.refunded += amount
        payment.status = "REFUNDED" if payment.refunded == payment.amount else "PARTIALLY_REFUNDED"
        payment.update_time = self._site.now()
        refund = Refund(
            id=new_id(),
            payment_id=payment.id,
            amount=amount,
            currency=payment.currency,
            total_refunded=payment.refunded,
            invoice_id=invoice_id,
            custom_id=payment.custom_id,
            note=note,
            create_time=self._site.now(),
        )
        self._site.memory.refunds[refund.id] = refund
        return refund

    def _announce(self, payment: Payment, what: str) -> None:
        shapes = self._site.shapes
        summary = _SUMMARIES[what].format(_format_dollars(payment.amount, payment.currency))
        if payment.subscription_id:
            answer = shapes.sale(payment) | ({"state": "reversed"} if what == "REVERSED" else {})
            self._site.announce(f"PAYMENT.SALE.{what}", answer, summary)
        else:
            self._site.announce(f"PAYMENT.CAPTURE.{what}", shapes.capture(payment) | _related_ids(payment), summary)

    def _refunded_capture(self, refund: Refund) -> dict[str, Any]:
        answer = self._site.shapes.refund(refund)
        answer.pop("invoice_id", None)
        return answer | ({"custom_id": refund.custom_id} if refund.custom_id else {})

    def _refunded_sale(self, refund: Refund) -> dict[str, Any]:
        here = f"/v1/payments/refund/{refund.id}"
        return {
            "id": refund.id,
            "state": "completed",
            "sale_id": refund.payment_id,
            "custom": refund.custom_id,
            "amount": {"total": str(refund.amount.quantize(Decimal("0.01"))), "currency": refund.currency},
            "create_time": format_iso(refund.create_time),
            "update_time": format_iso(refund.create_time),
            "links": [
                self._site.shapes.link(here, "self"),
                self._site.shapes.link(f"/v1/payments/sale/{refund.payment_id}", "sale"),
            ],
        }

    def _report_payment(self, payment: Payment) -> dict[str, Any]:
        fee = money_json(-compute_fee(payment.amount), payment.currency)
        answer = _report_movement(payment.id, payment.amount, payment.currency, payment.create_time)
        reference, kind = (payment.subscription_id, "SUB") if payment.subscription_id else (payment.order_id, "ODR")
        answer |= {
            "paypal_reference_id": reference,
            "paypal_reference_id_type": kind,
            "transaction_event_code": "T0002" if payment.subscription_id else "T0006",
            "transaction_updated_date": _format_report_time(payment.update_time),
            "fee_amount": fee,
            "transaction_status": _REPORTED.get(payment.status, "D"),
            "custom_field": payment.custom_id,
        }
        if payment.invoice_id:
            answer["invoice_id"] = payment.invoice_id
        return {"transaction_info": answer, "payer_info": {"email_address": PAYER_EMAIL}}


def _report_refund(refund: Refund) -> dict[str, Any]:
    answer = _report_movement(refund.id, -refund.amount, refund.currency, refund.create_time)
    answer |= {
        "paypal_reference_id": refund.payment_id,
        "paypal_reference_id_type": "TXN",
        "transaction_event_code": "T1106" if refund.note == "Reversal" else "T1107",
        "transaction_updated_date": _format_report_time(refund.create_time),
        "transaction_status": "S",
        "custom_field": refund.custom_id,
    }
    if refund.invoice_id:
        answer["invoice_id"] = refund.invoice_id
    return {"transaction_info": answer, "payer_info": {"email_address": PAYER_EMAIL}}


def _report_movement(movement_id: str, amount: Decimal, currency: str, time: datetime) -> dict[str, Any]:
    return {
        "transaction_id": movement_id,
        "transaction_initiation_date": _format_report_time(time),
        "transaction_amount": money_json(amount, currency),
    }


def _format_report_time(time: datetime) -> str:
    """Reports write the zone without a colon."""
    return time.strftime("%Y-%m-%dT%H:%M:%S+0000")


def _related_ids(payment: Payment) -> dict[str, Any]:
    if not payment.order_id:
        return {}
    return {"supplementary_data": {"related_ids": {"order_id": payment.order_id}}}


def _format_dollars(amount: Decimal, currency: str) -> str:
    return f"$ {float(amount)} {currency}"
