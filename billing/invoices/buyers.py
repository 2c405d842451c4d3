"""The buyers printed on documents, stored after the account is deleted as long as the law requires (ADM-226).

Staff see the buyer of a document only with a reason, which the customer can read.
"""

from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from billing.invoices.models import Invoice
from billing.ledger.credit_months import add_months
from emailcheck.common.errors import NotFound


@dataclass(frozen=True, slots=True)
class Buyer:
    """As printed on the document; missing texts are empty."""

    name: str
    company: str
    address: str
    email: str
    vat_id: str
    purchase_order: str = ""


@transaction.atomic
def show_buyer(*, invoice_id: int, staff: User, reason: str) -> Buyer:
    """Return the buyer, and record who asked and why in the account's activity.

    Raises `NotFound` for an unknown document and for one without a buyer; nothing is recorded then.
    """
    document = Invoice.objects.select_related("organisation__holder").filter(pk=invoice_id).first()
    if document is None or not document.buyer:
        raise NotFound("No name and address is kept for this document")
    audit_log.record_activity(
        organisation=document.organisation,
        kind=ActivityKind.STAFF,
        action=f"Staff looked at the buyer of {document.number}",
        staff=staff,
        target=document.number,
        changes={"reason": reason},
    )
    return Buyer(**document.buyer)


def forget_buyers() -> int:
    """Take who bought out of documents of deleted accounts once `INVOICE_BUYER_YEARS` have passed since their issue.

    Number, lines and sums stay. Answers how many documents.
    """
    issued_before = add_months(timezone.now(), -12 * settings.INVOICE_BUYER_YEARS)
    old = Invoice.objects.filter(organisation=None, issued_at__lt=issued_before).exclude(buyer={})
    return old.update(buyer={})
