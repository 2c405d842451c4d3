"""Invoices for plans that were activated unpaid: paid by the customer at PayPal, or marked as paid by staff.

Lock order: the account, then the invoice.
"""

from decimal import Decimal

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.activity import actors, audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.users import ownership
from accounts.users.models import User
from billing.catalogue.plans import Cycle, Plan
from billing.invoices import emails
from billing.invoices.models import Invoice
from billing.ledger import services as ledger
from billing.payments import purchases
from billing.payments.models import PurchaseKind
from billing.payments.purchases import StartedPurchase
from billing.subscriptions.models import Subscription
from emailcheck.common.api import pagination
from emailcheck.common.api.pagination import Order
from emailcheck.common.errors import BadInput, NotFound
from emailcheck.common.queue import sweeps

PAGE_ROWS = 50
NOT_OPEN = "This invoice is not open"


def search_open_invoices(*, search: str = "", cursor: str = "") -> tuple[list[Invoice], int, str | None]:
    """Those that wait for their money, the ones due first first; how many, and the cursor of the next page.

    By a part of number, quote, organisation, or the name or address of its owners. Raises `BadInput` for a cursor that
    is not ours.
    """
    found = Invoice.objects.open().select_related("organisation__holder", "cancelled_by")
    text = search.strip()
    if text:
        document = Q(number__icontains=text) | Q(reference__icontains=text)
        found = found.filter(document | ownership.match_organisations(text))
    order = Order("due_on", descending=False)
    rows, after = pagination.page_ordered(found, order, size=PAGE_ROWS, cursor=cursor)
    ownership.read_owners(row.organisation for row in rows)
    return rows, found.count(), after


def is_payment_expected(*, reference: str, amount: Decimal) -> bool:
    """Whether an open invoice waits for just this payment."""
    return Invoice.objects.open().filter(reference=reference, total=amount).exists()


def is_paid_by(*, payment_id: int, reference: str) -> bool:
    """Whether this payment paid the invoice that had been open."""
    return Invoice.objects.filter(payment=payment_id, reference=reference).exists()


def begin_invoice_payment(
    *, organisation: Organisation, invoice_id: int, confirm_second: bool = False
) -> StartedPurchase:
    """Begin to pay an open invoice at PayPal.

    Raises as `purchases.begin_order`, and `NotFound`, `BadInput` (`NOT_OPEN`).
    """
    found = Invoice.objects.for_org(organisation).filter(pk=invoice_id).first()
    if found is None:
        raise NotFound("Invoice not found")
    if found.is_paid or found.reference is None:
        raise BadInput(NOT_OPEN, code="NOT_OPEN")
    subscription = Subscription.objects.filter(organisation=organisation, plan=Plan.ENTERPRISE).first()
    return purchases.begin_order(
        organisation=organisation,
        kind=PurchaseKind.QUOTE,
        amount=found.total,
        description=f"Invoice {found.number}",
        plan=Plan.ENTERPRISE,
        cycle=subscription.cycle if subscription else Cycle.YEARLY,
        reference=found.reference,
        confirm_second=confirm_second,
    )


@transaction.atomic
def mark_invoice_paid(*, staff: User, invoice_id: int, paid_with: str) -> Invoice:
    """The money came in another way; the customer gets the invoice as paid.

    Raises `NotFound`, `BadInput` (`NOT_OPEN`) for one that is paid, or never was open.
    """
    owner = Invoice.objects.filter(pk=invoice_id).values_list("organisation_id", flat=True).first()
    if owner is not None:
        ledger.lock_account(owner)
    found = Invoice.objects.select_for_update().filter(pk=invoice_id).first()
    if found is None:
        raise NotFound("Invoice not found")
    if found.due_on is None or found.is_paid:
        raise BadInput(NOT_OPEN, code="NOT_OPEN")
    found.settled_at, found.paid_with = timezone.now(), paid_with
    found.save(update_fields=["settled_at", "paid_with", *actors.stamp_actor(found, staff)])
    audit_log.record_activity(
        organisation=found.organisation,
        kind=ActivityKind.STAFF,
        action=f"Invoice {found.number} paid",
        staff=staff,
        target=found.number,
        changes={"status": ["open", "paid"], "paid_with": paid_with, "total": str(found.total)},
    )
    if found.organisation is not None:
        emails.send_document(document=found, to=found.organisation.invoice_email, key=f"invoice_paid:{found.number}")
    return found


def send_due_reminders() -> int:
    """Mail, once each, that the day has passed by which an invoice was due. Answers how many."""
    now = timezone.now()
    late = Invoice.objects.open().filter(due_on__lt=now.date(), reminded_at=None, organisation__isnull=False)
    return sweeps.sweep_each(late.values_list("pk", flat=True), "invoice %s could not be reminded of", _send_reminder)


@transaction.atomic
def _send_reminder(pk: int) -> bool:
    if not Invoice.objects.open().filter(pk=pk, reminded_at=None).update(reminded_at=timezone.now()):
        return False
    found = Invoice.objects.select_related("organisation__holder").get(pk=pk)
    if found.organisation is None:
        return False
    emails.send_overdue(document=found, to=found.organisation.invoice_email)
    return True
