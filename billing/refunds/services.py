"""Full refunds: by staff, at the provider's own site, or a chargeback.

The row of a refund is committed before the provider is called, and gives the request its id: after a crash in
between, `resume_refunds` asks again and gets the first answer. `complete_refund` does what follows, once.
"""

import logging
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.activity import actors, audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.invoices import emails
from billing.invoices import services as invoices
from billing.invoices.models import Invoice
from billing.invoices.wording import format_money
from billing.ledger import services as ledger
from billing.ledger.money_audit import Figures, load_figures, record_change
from billing.payments import agreement_sync
from billing.payments.models import Agreement, AgreementState, Payment, PaymentState, Refund, RefundState
from billing.payments.paypal import paypal, types
from billing.payments.paypal.errors import (
    AlreadyRefunded,
    Missing,
    PayPalError,
    Rejected,
    UnexpectedAnswer,
    Unreachable,
)
from billing.refunds import clawbacks
from billing.signals import payment_refunded
from billing.subscriptions import services as subscriptions
from emailcheck.common.errors import BadInput, Unavailable
from emailcheck.common.text.dates import format_day

log = logging.getLogger(__name__)
ALREADY_REFUNDED = "This payment was already refunded"
CHARGEBACK = "The payment was charged back by the bank or PayPal"
AT_PROVIDER = "Refunded at PayPal"
_GIVEN_BACK = (PaymentState.REFUNDED, PaymentState.REVERSED)
_RESUMED_AFTER = timedelta(minutes=2)
_REFUSED = ("FAILED", "CANCELLED")
_UNKNOWN = "PayPal has not confirmed the refund. It is asked again every few minutes; look here again later."


class RefundProviderError(Unavailable):
    """The provider refused a refund, or did not confirm it."""

    status = 502
    code = "PAYMENT_PROVIDER_ERROR"


def refund_payment(*, payment_id: int, staff: User, reason: str) -> Refund:
    """Refund a captured payment. Of concurrent calls one succeeds, the others are refused.

    Raises `BadInput` (`ALREADY_REFUNDED`, `NOT_REFUNDABLE`), and `RefundProviderError` when PayPal refuses or does not
    answer; in the latter case the refund goes on by itself.
    """
    refund, is_mine = _create_refund(payment_id, staff, reason)
    try:
        was_given = _execute_refund(refund)
    except Rejected as error:
        raise RefundProviderError(error.detail) from error
    except PayPalError as error:
        raise RefundProviderError(_UNKNOWN) from error
    if not (was_given and is_mine):
        raise _build_already_refunded()
    return Refund.objects.get(pk=refund.pk)


def request_refund(*, payment: Payment, reason: str) -> None:
    """Request the refund of a payment that brought nothing, carried out by the next `resume_refunds`."""
    if payment.state == PaymentState.COMPLETED:
        Refund.objects.get_or_create(payment=payment, defaults={"amount": payment.amount, "reason": reason})


def resume_refunds() -> None:
    """Carry out requested refunds that are not confirmed, as long as PayPal can be reached."""
    waiting = Refund.objects.filter(state=RefundState.REQUESTED, created_at__lt=timezone.now() - _RESUMED_AFTER)
    for refund in waiting.select_related("payment"):
        try:
            _execute_refund(refund)
        except Unreachable as error:
            log.warning("refunds are not confirmed yet: %s", error)
            return
        except PayPalError as error:
            log.warning("refund %s is not confirmed yet: %s", refund.pk, error)
        except Exception:
            log.exception("refund %s cannot be carried out", refund.pk)


@transaction.atomic
def complete_refund(
    *, payment_id: int, state: PaymentState = PaymentState.REFUNDED, provider_id: str = "", reason: str = AT_PROVIDER
) -> Refund | None:
    """Apply a full refund; None when it was applied before, or the payment was never captured.

    `state` is `refunded`, or `reversed` for a chargeback; `provider_id` the refund's id there, where it is known.
    """
    payment = _lock_payment(payment_id)
    if payment.state != PaymentState.COMPLETED:
        return None
    payment.state = state
    payment.save(update_fields=["state"])
    done = _mark_done(payment, provider_id, reason)
    organisation, ended = payment.organisation, ends_plan(payment)
    if organisation is not None:
        ledger.lock_account(organisation.pk)
    before = load_figures(organisation)
    count = clawbacks.take_back_credits(payment, reason=f"Refund of {payment.description}")
    if ended and organisation is not None:
        _end_plan(organisation.pk)
    note = invoices.issue_credit_note(refund=done)
    _record_activity(done, payment, before)
    payment_refunded.send(sender=Refund, refund=done)
    if organisation is not None and note is not None:
        _send_refund_mail(organisation, note, taken=count, ended=ended, is_chargeback=state == PaymentState.REVERSED)
    return done


def _lock_payment(payment_id: int) -> Payment:
    """The payment, locked until the transaction ends. Lock order: agreements, then payments."""
    mine = Agreement.objects.filter(organisation__payments=payment_id, ended_at=None).order_by("pk")
    list(Agreement.objects.select_for_update().filter(pk__in=list(mine.values_list("pk", flat=True))).order_by("pk"))
    return Payment.objects.select_for_update().get(pk=payment_id)


def _send_refund_mail(
    organisation: Organisation, note: Invoice, *, taken: int, ended: bool, is_chargeback: bool
) -> None:
    if is_chargeback:
        emails.send_document(document=note, to=organisation.contact.email, key=f"credit_note:{note.number}")
    else:
        emails.send_refund(document=note, to=organisation.contact.email, credits_taken=taken, ended=ended)


@transaction.atomic
def _create_refund(payment_id: int, staff: User, reason: str) -> tuple[Refund, bool]:
    """The row, and whether this caller executes it: it is new, or its first caller has probably died."""
    payment = Payment.objects.select_for_update().get(pk=payment_id)
    if payment.state in _GIVEN_BACK:
        raise _build_already_refunded()
    if payment.state != PaymentState.COMPLETED:
        raise BadInput("Only a payment that was captured can be refunded.", code="NOT_REFUNDABLE")
    # A new row after a refusal, because the provider remembers what it answered to the old one's id.
    Refund.objects.filter(payment=payment, state=RefundState.FAILED).delete()
    terms = {"amount": payment.amount, "reason": reason, **actors.snapshot_actor(staff)}
    refund, is_new = Refund.objects.select_related("payment").get_or_create(payment=payment, defaults=terms)
    return refund, is_new or refund.created_at < timezone.now() - _RESUMED_AFTER


def _execute_refund(refund: Refund) -> bool:
    """Refund at the provider, and apply it. False when it was refunded before. Raises `PayPalError`."""
    capture = refund.payment.provider_id
    try:
        answer = paypal().refund_capture(
            capture, request_id=f"refund:{refund.pk}", invoice_id=f"refund-{refund.pk}", note=refund.reason
        )
    except AlreadyRefunded:
        complete_refund(payment_id=refund.payment_id, reason=refund.reason)
        return False
    except (Rejected, Missing):
        _mark_failed(refund)
        raise
    if answer.status in _REFUSED:
        _mark_failed(refund)
        raise Rejected(f"the refund is {answer.status}")
    _check_answer(refund, answer)
    complete_refund(payment_id=refund.payment_id, provider_id=answer.id, reason=refund.reason)
    return True


def _check_answer(refund: Refund, answer: types.Refund) -> None:
    if answer.capture_id != refund.payment.provider_id:
        raise UnexpectedAnswer(f"refund {answer.id} is of another payment")


@transaction.atomic
def _mark_failed(refund: Refund) -> None:
    """Record that the provider refused: the payment stays as it is, and the refund may be tried again."""
    if not Refund.objects.filter(pk=refund.pk, state=RefundState.REQUESTED).update(state=RefundState.FAILED):
        return
    audit_log.record_activity(
        organisation=refund.payment.organisation,
        kind=ActivityKind.STAFF,
        action="Refund refused by PayPal",
        staff=refund,
        target=f"payment:{refund.payment_id}",
        changes={"amount": str(refund.amount)},
    )


def _mark_done(payment: Payment, provider_id: str, reason: str) -> Refund:
    done, _ = Refund.objects.get_or_create(payment=payment, defaults={"amount": payment.amount, "reason": reason})
    done.state, done.provider_id, done.done_at = RefundState.DONE, provider_id or None, timezone.now()
    done.save(update_fields=["state", "provider_id", "done_at"])
    return done


def ends_plan(payment: Payment) -> bool:
    """Whether a refund ends the plan: the paid period has not ended, or its agreement runs."""
    if payment.organisation_id is None or not payment.plan or clawbacks.has_brought_nothing(payment):
        return False
    ends = clawbacks.find_period_end(payment)
    runs = payment.agreement is not None and payment.agreement.ended_at is None
    return runs or (ends is not None and timezone.now() < ends)


def _end_plan(organisation_id: int) -> None:
    """Return the account to Free and cancel its agreements."""
    for agreement_id in Agreement.objects.filter(organisation_id=organisation_id, ended_at=None).values_list(
        "pk", flat=True
    ):
        agreement_sync.request_agreement_change(agreement_id, desired_state=AgreementState.CANCELLED)
    subscriptions.end_plan(organisation_id=organisation_id)


def _record_activity(done: Refund, payment: Payment, before: Figures) -> None:
    amount = format_money(payment.amount, payment.currency)
    words = "charged back" if payment.state == PaymentState.REVERSED else "refunded"
    record_change(
        payment.organisation,
        before,
        kind=ActivityKind.STAFF if done.staff_id else ActivityKind.PURCHASE,
        action=f"Payment of {amount} of {format_day(payment.created_at)} {words}",
        staff=done,
        target=f"payment:{payment.pk}",
        state=[PaymentState.COMPLETED, payment.state],
        refund=done.pk,
    )


def _build_already_refunded() -> BadInput:
    return BadInput(ALREADY_REFUNDED, code="ALREADY_REFUNDED")
