"""From a chosen quote to an active plan: chosen, paid, approved by staff or by itself, once.

No payment is lost between the steps: it marks the quote as paid in the transaction that records it, and a
paid request approves itself when its time has come. Locks are taken in this order: (purchase, payment), account,
invoice, quote, request.
"""

import logging
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.activity import actors
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.plans import Cycle, Plan
from billing.invoices import open_invoices
from billing.invoices import services as invoices
from billing.invoices.models import Invoice
from billing.ledger import services as ledger
from billing.ledger.credit_months import add_months
from billing.ledger.models import LotKind
from billing.ledger.money_audit import Figures, load_figures, record_change
from billing.payments import pending, purchases
from billing.payments.fulfilment import PaidPurchase
from billing.payments.models import Agreement, Payment, Purchase, PurchaseKind
from billing.payments.purchases import StartedPurchase
from billing.subscriptions import services as subscriptions
from crm.contracts import services as contracts
from crm.contracts.models import Contract
from emailcheck.common.errors import BadInput, Conflict, NotFound
from quotes.custom_plans.models import CustomPlan
from quotes.plan_requests.emails import send_payment_received, send_plan_activated
from quotes.plan_requests.models import PlanRequest
from quotes.quotes.models import Period, PlanStatus, Quote, QuoteStatus
from quotes.quotes.services import NOT_PAYABLE, lock_quote

log = logging.getLogger(__name__)
MONTHS = 12


def choose_plan(
    *, organisation: Organisation, quote_id: str, period: Period, confirm_second: bool = False
) -> StartedPurchase:
    """Choose a plan of a quote and begin to pay it: yearly by one order, monthly by twelve payments (QUO-120).

    Raises as `purchases.begin_order`, and `NotFound`, `BadInput` (`QUOTE_NOT_PAYABLE`).
    """
    quote = _choose_quote(organisation, quote_id, period, confirm_second=confirm_second)
    words = f"Quote {quote.quote_id}: {quote.credits_needed:,} credits a year, {period}"
    if period == Period.YEARLY:
        return purchases.begin_order(
            organisation=organisation,
            kind=PurchaseKind.QUOTE,
            amount=quote.annual_price,
            description=words,
            credits=quote.yearly_credits,
            plan=Plan.ENTERPRISE,
            cycle=Cycle.YEARLY,
            reference=quote.quote_id,
            confirm_second=confirm_second,
        )
    return purchases.begin_agreement(
        organisation=organisation,
        kind=PurchaseKind.QUOTE,
        plan=Plan.ENTERPRISE,
        cycle=Cycle.MONTHLY,
        amount=quote.monthly_price,
        price=quote.monthly_price,
        description=words,
        credits=quote.later_month_credits,
        reference=quote.quote_id,
        confirm_second=confirm_second,
    )


def is_payable(purchase: Purchase) -> bool:
    """Whether the quote of a purchase waits for its payment, or the invoice of a plan that was activated unpaid.

    A quote that expired meanwhile may still be paid.
    """
    if Quote.objects.filter(quote_id=purchase.reference, status=QuoteStatus.ACTIVE).exists():
        return True
    return not purchase.recurs and open_invoices.is_payment_expected(
        reference=purchase.reference, amount=purchase.amount
    )


@transaction.atomic
def record_payment(paid: PaidPurchase) -> None:
    """Mark the quote of a payment as paid. Raises `Conflict` when it was paid before, or deleted."""
    assert paid.payment is not None
    quote = Quote.objects.select_for_update().filter(quote_id=paid.purchase.reference).first()
    if quote is not None and open_invoices.is_paid_by(payment_id=paid.payment.pk, reference=quote.quote_id):
        _record_late_payment(quote, paid.payment)
        return
    if quote is None or quote.status not in (QuoteStatus.ACTIVE, QuoteStatus.DECLINED):
        raise Conflict("This quote was paid before.")
    now = timezone.now()
    period = Period.YEARLY if paid.agreement is None else Period.MONTHLY
    quote.status, quote.paid_at, quote.selected_plan = QuoteStatus.PAID, now, period
    quote.save(update_fields=["status", "paid_at", "selected_plan"])
    request, _ = PlanRequest.objects.update_or_create(
        quote=quote,
        defaults={
            "selected_plan": period,
            "status": PlanStatus.PAYMENT_RECEIVED,
            "amount_paid": paid.payment.amount,
            "payment_received_at": now,
            "auto_approval_at": now + settings.QUOTE_APPROVAL,
        },
    )
    send_payment_received(request)


def _record_late_payment(quote: Quote, payment: Payment) -> None:
    """Record the late payment of a plan that was activated unpaid."""
    now = timezone.now()
    quote.paid_at = now
    quote.save(update_fields=["paid_at"])
    PlanRequest.objects.filter(quote=quote).update(amount_paid=payment.amount, payment_received_at=now)


@transaction.atomic
def approve_request(*, request_id: int, staff: User | None = None, reason: str = "") -> PlanRequest:
    """Approve a request and activate its plan. Without a payment it needs a reason (QUO-212); `staff` None: it was due.

    Raises `NotFound`, `BadInput` (`ALREADY_APPROVED`, or without a reason).
    """
    found = PlanRequest.objects.filter(pk=request_id).select_related("quote").first()
    if found is None:
        raise NotFound("Plan request not found")
    if found.quote.organisation_id is not None:
        ledger.lock_account(found.quote.organisation_id)
    quote = lock_quote(quote_id=found.quote.quote_id)
    request = PlanRequest.objects.select_for_update().get(pk=request_id)
    if request.status == PlanStatus.APPROVED:
        raise BadInput("Plan request already approved", code="ALREADY_APPROVED")
    is_paid = request.status == PlanStatus.PAYMENT_RECEIVED
    if not is_paid and not reason.strip():
        raise BadInput("Say why this plan is given without a payment.", field="reason", value=reason)
    request.quote = quote
    request.status, request.approved_at, request.reason = PlanStatus.APPROVED, timezone.now(), reason.strip()
    actors.stamp_actor(request, staff)
    request.save()
    quote.status, quote.selected_plan = QuoteStatus.ACTIVATED, request.selected_plan
    quote.save(update_fields=["status", "selected_plan"])
    contract = _write_contract(request, staff)
    _add_custom_plan(quote)
    before = load_figures(quote.organisation)
    if quote.organisation is not None:
        _give_plan(request, quote.organisation, contract)
    _record_approval(request, staff, before)
    return request


def approve_due_requests() -> int:
    """Approve paid requests that staff did not handle in time. Returns how many; a failure does not stop the rest."""
    due = PlanRequest.objects.filter(status=PlanStatus.PAYMENT_RECEIVED, auto_approval_at__lte=timezone.now())
    approved = 0
    for request_id in due.order_by("auto_approval_at").values_list("pk", flat=True):
        try:
            approve_request(request_id=request_id)
            approved += 1
        except BadInput:
            log.info("plan request %s was approved meanwhile", request_id)
        except Exception:
            log.exception("plan request %s could not be approved", request_id)
    return approved


@transaction.atomic
def give_waiting_plans(*, organisation: Organisation) -> None:
    """Activate the plans that were approved before their customer had an account."""
    waiting = PlanRequest.objects.filter(
        quote__organisation=organisation, status=PlanStatus.APPROVED, plan_started_at=None
    )
    for request in waiting.select_related("quote").select_for_update(of=("self",)):
        before, number = load_figures(organisation), request.quote.quote_id
        _give_plan(request, organisation, Contract.objects.get(quote_id=number))
        record_change(organisation, before, action=f"Plan of quote {number} activated", target=number)


@transaction.atomic
def _choose_quote(organisation: Organisation, quote_id: str, period: Period, *, confirm_second: bool) -> Quote:
    quote = lock_quote(organisation=organisation, quote_id=quote_id)
    if quote.status != QuoteStatus.ACTIVE or quote.is_expired():
        raise BadInput(NOT_PAYABLE, code="QUOTE_NOT_PAYABLE")
    purchase = Purchase(organisation=organisation, kind=PurchaseKind.QUOTE, reference=quote.quote_id)
    pending.check_second_payment(purchase, is_confirmed=confirm_second)
    quote.selected_plan = period
    quote.save(update_fields=["selected_plan"])
    PlanRequest.objects.update_or_create(quote=quote, defaults={"selected_plan": period})
    return quote


def _give_plan(request: PlanRequest, organisation: Organisation, contract: Contract) -> None:
    """Plan Enterprise: a year's credits at once, or a month's and the others with each payment."""
    quote, now = request.quote, timezone.now()
    if request.selected_plan == Period.YEARLY:
        until = add_months(now, MONTHS)
        _activate_subscription(organisation, Cycle.YEARLY, until, limit=0)
        _grant_credits(quote, organisation, quote.yearly_credits, until, "credits of the year")
        at_once, later = quote.yearly_credits, 0
    else:
        agreement = Agreement.objects.filter(purchase__reference=quote.quote_id, ended_at=None).order_by("pk").last()
        until = (agreement.next_billing_at if agreement else None) or add_months(now, 1)
        _activate_subscription(organisation, Cycle.MONTHLY, until, limit=quote.later_month_credits, agreement=agreement)
        at_once, later = quote.first_month_credits, quote.later_month_credits
        _grant_credits(quote, organisation, at_once - later, until, "rest of the first month")
    request.plan_started_at = now
    request.save(update_fields=["plan_started_at"])
    invoice = None if request.payment_received_at else _issue_invoice(request, organisation)
    send_plan_activated(request, contract=contract, now=at_once, later=later, invoice=invoice)


def _issue_invoice(request: PlanRequest, organisation: Organisation) -> Invoice:
    """Issue an open invoice for a plan that was activated unpaid: the year, or the first month (QUO-212)."""
    quote = request.quote
    is_yearly = request.selected_plan == Period.YEARLY
    credits = (
        f"{quote.yearly_credits:,} credits, one year"
        if is_yearly
        else f"{quote.first_month_credits:,} credits, first month"
    )
    return invoices.issue_open_invoice(
        organisation=organisation,
        reference=quote.quote_id,
        amount=quote.annual_price if is_yearly else quote.monthly_price,
        description=f"Quote {quote.quote_id}: {credits}",
    )


def _activate_subscription(
    organisation: Organisation, cycle: Cycle, until: datetime, *, limit: int, agreement: Agreement | None = None
) -> None:
    subscriptions.activate_plan(
        organisation_id=organisation.pk,
        plan=Plan.ENTERPRISE,
        cycle=cycle,
        paid_until=until,
        custom_monthly_credits=limit,
        agreement=agreement,
        instead=True,
    )


def _grant_credits(quote: Quote, organisation: Organisation, amount: int, until: datetime, what: str) -> None:
    if amount:
        ledger.grant_credits(
            organisation_id=organisation.pk,
            kind=LotKind.PLAN,
            amount=amount,
            reason=f"Quote {quote.quote_id}: {what}",
            key=f"quote:{quote.quote_id}",
            expires_at=until,
            reference=quote.quote_id,
        )


def _write_contract(request: PlanRequest, staff: User | None) -> Contract:
    """One year from today, worth what the chosen payments come to."""
    quote, today = request.quote, timezone.now().date()
    ends = contracts.add_year(today)
    is_yearly = request.selected_plan == Period.YEARLY
    terms = contracts.ContractTerms(
        company_name=quote.customer_company or quote.customer_name,
        plan=f"Enterprise, {request.selected_plan}: {quote.credits_needed:,} credits a year",
        starts_on=today,
        ends_on=ends,
        value=quote.annual_price if is_yearly else MONTHS * quote.monthly_price,
        renews_on=ends,
    )
    return contracts.create_quote_contract(quote_id=quote.quote_id, terms=terms, deal=quote.deal, staff=staff)


def _add_custom_plan(quote: Quote) -> None:
    """The plan of the quote in the grid of the Plan Builder (QUO-210)."""
    CustomPlan.objects.get_or_create(
        name=f"Quote {quote.quote_id}",
        defaults={
            "description": f"{quote.credits_needed:,} credits a year",
            "monthly_price": quote.monthly_price,
            "yearly_price": quote.annual_price,
            "credits": quote.later_month_credits,
            "target_customer": quote.customer_company or quote.customer_name,
        },
    )


def _record_approval(request: PlanRequest, staff: User | None, before: Figures) -> None:
    quote = request.quote
    record_change(
        quote.organisation,
        before,
        kind=ActivityKind.STAFF if staff else ActivityKind.PURCHASE,
        action=f"Plan of quote {quote.quote_id} approved",
        staff=staff,
        target=quote.quote_id,
        paid=str(request.amount_paid or 0),
        reason=request.reason,
    )
