"""The ledger of an account as staff read it: every movement, newest first, the balance after it, and who made it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Sum, Value, When

from accounts.activity import actors
from accounts.activity.actors import StaffAct
from accounts.organisations.models import Organisation
from billing.ledger import services as ledger
from billing.ledger.models import BulkGrant, CreditAdjustment, CreditEntry
from billing.payments.models import Refund
from emailcheck.common.api import pagination

PAGE_ROWS = 50
_CURSOR = "ledger"


@dataclass(frozen=True, slots=True)
class Movement:
    """A movement; `reference` is the batch, payment or grant, `staff` the address of who made it."""

    time: datetime
    reason: str
    reference: str | None
    lot: str
    lot_expires_at: datetime | None
    amount: int
    balance: int
    staff: str | None


def list_movements(
    organisation: Organisation, *, reason: str = "", cursor: str = ""
) -> tuple[list[Movement], str | None]:
    """A page of movements with this part in their reason, and the cursor of the next one.

    The balance counts down from that of the account, so that a page costs the same however long the ledger is; only
    what a filter leaves out between two lines is summed. Raises `BadInput` for a cursor that is not ours.
    """
    ledger.write_off_expired(organisation_id=organisation.pk)
    before, balance = _parse_cursor(cursor)
    mine = CreditEntry.objects.filter(organisation=organisation)
    if before is not None:
        mine = mine.filter(pk__lt=before)
    text = reason.strip()
    rows = _load_rows(mine.filter(reason__icontains=text) if text else mine)
    page = rows[:PAGE_ROWS]
    if not page:
        return [], None
    left_out = _sum_left_out(mine.filter(pk__lte=page[0].newest), page) if text else {}
    lines = list(_build_movements(page, page[0].total if balance is None else balance, left_out))
    balance_before = lines[-1].balance - lines[-1].amount
    return lines, pagination.encode_cursor(_CURSOR, balance_before, page[-1].pk) if len(rows) > PAGE_ROWS else None


def _parse_cursor(cursor: str) -> tuple[int | None, int | None]:
    """The entry that the page before ended with, and the balance before it."""
    if not cursor:
        return None, None
    balance, pk = pagination.decode_cursor(cursor, _CURSOR, "cursor")
    return pk, balance


def _load_rows(found: QuerySet[CreditEntry]) -> list[Any]:
    """Newest first, with the balance and the newest entry in the same statement: nothing moves between them."""
    newest = CreditEntry.objects.filter(organisation=OuterRef("organisation")).order_by("-pk").values("pk")[:1]
    known = found.annotate(total=F("organisation__credit_account__balance"), newest=Subquery(newest))
    return list(known.select_related("lot", "clawback").order_by("-pk")[: PAGE_ROWS + 1])


def _sum_left_out(mine: QuerySet[CreditEntry], page: Sequence[Any]) -> dict[int, int]:
    """What moved between each line and the one above it, by the place of the line on the page."""
    shown = [row.pk for row in page]
    places = Case(*(When(pk__gt=pk, then=Value(place)) for place, pk in enumerate(shown)))
    between = mine.filter(pk__gt=shown[-1]).exclude(pk__in=shown).annotate(place=places)
    return dict(between.order_by().values("place").annotate(sum=Sum("amount")).values_list("place", "sum"))


def _build_movements(page: Sequence[Any], balance: int, left_out: dict[int, int]) -> Iterator[Movement]:
    staff = _load_staff_names(page)
    for place, entry in enumerate(page):
        balance -= left_out.get(place, 0)
        yield Movement(
            time=entry.created_at,
            reason=entry.reason,
            reference=entry.reference or None,
            lot=entry.lot.kind,
            lot_expires_at=entry.lot.expires_at,
            amount=entry.amount,
            balance=balance,
            staff=staff.get(_name_staff_act(entry)),
        )
        balance -= entry.amount


def _name_staff_act(entry: CreditEntry) -> str:
    """The name of what staff did: a grant, an adjustment, or a refund of a payment."""
    if entry.clawback is None:
        return entry.reference
    kind, _, rest = entry.clawback.key.partition(":")
    return rest.rpartition(":")[0] if kind == "refund" else entry.clawback.key


def _load_staff_names(page: Sequence[CreditEntry]) -> dict[str, str]:
    """Who of the staff made what is on the page."""
    names = {_name_staff_act(entry) for entry in page} - {""}
    made: dict[str, StaffAct] = {}
    made |= {grant.reference: grant for grant in BulkGrant.objects.filter(reference__in=names)}
    made |= {change.key: change for change in CreditAdjustment.objects.filter(key__in=names)}
    refunds = Refund.objects.filter(payment__provider_id__in=names, staff_id__isnull=False)
    made |= {refund.payment.provider_id or "": refund for refund in refunds.select_related("payment")}
    there = actors.load_current_actors(made.values())
    return {name: actors.format_actor(act, there) or "" for name, act in made.items()}
