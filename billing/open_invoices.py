"""Invoices for what was given before it was paid: paid at PayPal by the customer, or told as paid by staff.

Whoever pays or settles one locks the account first, then the invoice.
"""

from decimal import Decimal

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import activity, actors
from accounts.models import ActivityKind, User
from billing import invoice_emails, purchases, services
from billing.models import Cycle, Invoice, Plan, PurchaseKind, Subscription
from billing.purchases import Begun
from emailcheck.common import paging, sweeps
from emailcheck.common.errors import BadInput, NotFound
from emailcheck.common.paging import Order

PAGE_ROWS = 50
NOT_OPEN = "This invoice is not open"


def find(*, search: str = "", cursor: str = "") -> tuple[list[Invoice], int, str | None]:
    """Those that wait for their money, the ones due first first; how many, and the cursor of the next page.

    By a part of number, quote, or the customer's name or address. Raises `BadInput` for a cursor that is not ours.
    """
    found = Invoice.objects.open().select_related("user")
    text = search.strip()
    if text:
        customer = Q(user__email__icontains=text) | Q(user__name__icontains=text)
        found = found.filter(Q(number__icontains=text) | Q(reference__icontains=text) | customer)
    order = Order("due_on", descending=False)
    rows, after = paging.arranged(found, order, size=PAGE_ROWS, cursor=cursor)
    return rows, found.count(), after


def is_waiting(*, reference: str, amount: Decimal) -> bool:
    """Whether an open invoice waits for just this payment."""
    return Invoice.objects.open().filter(reference=reference, total=amount).exists()


def is_paid_by(*, payment_id: int, reference: str) -> bool:
    """Whether this payment paid the invoice that had been open."""
    return Invoice.objects.filter(payment=payment_id, reference=reference).exists()


def pay(*, user: User, invoice_id: int, confirm_second: bool = False) -> Begun:
    """Begin to pay an open invoice at PayPal.

    Raises as `purchases.begin_order`, and `NotFound`, `BadInput` (`NOT_OPEN`).
    """
    found = Invoice.objects.for_user(user).filter(pk=invoice_id).first()
    if found is None:
        raise NotFound("Invoice not found")
    if found.is_paid or found.reference is None:
        raise BadInput(NOT_OPEN, code="NOT_OPEN")
    standing = Subscription.objects.filter(user=user, plan=Plan.ENTERPRISE).first()
    return purchases.begin_order(
        user=user,
        kind=PurchaseKind.QUOTE,
        amount=found.total,
        description=f"Invoice {found.number}",
        plan=Plan.ENTERPRISE,
        cycle=standing.cycle if standing else Cycle.YEARLY,
        reference=found.reference,
        confirm_second=confirm_second,
    )


@transaction.atomic
def settle(*, staff: User, invoice_id: int, paid_with: str) -> Invoice:
    """The money came in another way; the customer gets the invoice as paid.

    Raises `NotFound`, `BadInput` (`NOT_OPEN`) for one that is paid, or never was open.
    """
    owner = Invoice.objects.filter(pk=invoice_id).values_list("user_id", flat=True).first()
    if owner is not None:
        services.locked(owner)
    found = Invoice.objects.select_for_update().filter(pk=invoice_id).first()
    if found is None:
        raise NotFound("Invoice not found")
    if found.due_on is None or found.is_paid:
        raise BadInput(NOT_OPEN, code="NOT_OPEN")
    found.settled_at, found.paid_with = timezone.now(), paid_with
    found.save(update_fields=["settled_at", "paid_with", *actors.freeze(found, staff)])
    activity.record(
        user=found.user,
        kind=ActivityKind.STAFF,
        action=f"Invoice {found.number} paid",
        staff=staff,
        target=found.number,
        changes={"paid_with": paid_with, "total": str(found.total)},
    )
    if found.user is not None:
        invoice_emails.send(document=found, to=found.user.email, key=f"invoice_paid:{found.number}")
    return found


def remind() -> int:
    """Mail, once each, that the day has passed by which an invoice was due. Answers how many."""
    now = timezone.now()
    late = Invoice.objects.open().filter(due_on__lt=now.date(), reminded_at=None, user__isnull=False)
    return sweeps.each(late.values_list("pk", flat=True), "invoice %s could not be reminded of", _remind)


@transaction.atomic
def _remind(pk: int) -> bool:
    if not Invoice.objects.open().filter(pk=pk, reminded_at=None).update(reminded_at=timezone.now()):
        return False
    found = Invoice.objects.select_related("user").get(pk=pk)
    if found.user is None:
        return False
    invoice_emails.send_overdue(document=found, to=found.user.email)
    return True
