"""The ledger of an account as staff read it: every movement, newest first, the balance after it, and who made it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Sum, Value, When

from accounts import actors
from accounts.actors import StaffAct
from accounts.models import User
from billing import services
from billing.models import BulkGrant, CreditAdjustment, CreditEntry, Refund
from emailcheck.common import paging

PAGE_ROWS = 50
_CURSOR = "ledger"


@dataclass(frozen=True, slots=True)
class Line:
    """A movement; `reference` is the batch, payment or grant, `staff` the address of whoever of the staff made it."""

    time: datetime
    reason: str
    reference: str | None
    lot: str
    lot_expires_at: datetime | None
    amount: int
    balance: int
    staff: str | None


def read(user: User, *, reason: str = "", cursor: str = "") -> tuple[list[Line], str | None]:
    """A page of movements with this part in their reason, and the cursor of the next one.

    The balance counts down from that of the account, so that a page costs the same however long the ledger is; only
    what a filter leaves out between two lines is summed. Raises `BadInput` for a cursor that is not ours.
    """
    services.write_off(user_id=user.pk)
    before, balance = _place(cursor)
    mine = CreditEntry.objects.filter(user=user)
    if before is not None:
        mine = mine.filter(pk__lt=before)
    wanted = reason.strip()
    rows = _rows(mine.filter(reason__icontains=wanted) if wanted else mine)
    page = rows[:PAGE_ROWS]
    if not page:
        return [], None
    left_out = _left_out(mine.filter(pk__lte=page[0].newest), page) if wanted else {}
    lines = list(_lines(page, page[0].total if balance is None else balance, left_out))
    lowest = [_CURSOR, lines[-1].balance - lines[-1].amount, page[-1].pk]
    return lines, paging.encode(lowest) if len(rows) > PAGE_ROWS else None


def _place(cursor: str) -> tuple[int | None, int | None]:
    """The entry that the page before ended with, and the balance before it."""
    if not cursor:
        return None, None
    balance, pk = paging.decode(cursor, _CURSOR, "cursor")
    if type(pk) is not int or type(balance) is not int:
        raise paging.not_valid(cursor, "cursor")
    return pk, balance


def _rows(found: QuerySet[CreditEntry]) -> list[Any]:
    """Newest first, with the balance and the newest entry in the same statement: nothing moves between them."""
    newest = CreditEntry.objects.filter(user=OuterRef("user")).order_by("-pk").values("pk")[:1]
    known = found.annotate(total=F("user__credit_account__balance"), newest=Subquery(newest))
    return list(known.select_related("lot", "clawback").order_by("-pk")[: PAGE_ROWS + 1])


def _left_out(mine: QuerySet[CreditEntry], page: Sequence[Any]) -> dict[int, int]:
    """What moved between each line and the one above it, by the place of the line on the page."""
    shown = [row.pk for row in page]
    places = Case(*(When(pk__gt=pk, then=Value(place)) for place, pk in enumerate(shown)))
    between = mine.filter(pk__gt=shown[-1]).exclude(pk__in=shown).annotate(place=places)
    return dict(between.order_by().values("place").annotate(sum=Sum("amount")).values_list("place", "sum"))


def _lines(page: Sequence[Any], balance: int, left_out: dict[int, int]) -> Iterator[Line]:
    staff = _staff(page)
    for place, entry in enumerate(page):
        balance -= left_out.get(place, 0)
        yield Line(
            time=entry.created_at,
            reason=entry.reason,
            reference=entry.reference or None,
            lot=entry.lot.kind,
            lot_expires_at=entry.lot.expires_at,
            amount=entry.amount,
            balance=balance,
            staff=staff.get(_made_by(entry)),
        )
        balance -= entry.amount


def _made_by(entry: CreditEntry) -> str:
    """The name of what staff did: a grant, an adjustment, or a refund of a payment."""
    if entry.clawback is None:
        return entry.reference
    kind, _, rest = entry.clawback.key.partition(":")
    return rest.rpartition(":")[0] if kind == "refund" else entry.clawback.key


def _staff(page: Sequence[CreditEntry]) -> dict[str, str]:
    """Who of the staff made what is on the page."""
    names = {_made_by(entry) for entry in page} - {""}
    made: dict[str, StaffAct] = {}
    made |= {grant.reference: grant for grant in BulkGrant.objects.filter(reference__in=names)}
    made |= {change.key: change for change in CreditAdjustment.objects.filter(key__in=names)}
    refunds = Refund.objects.filter(payment__provider_id__in=names, staff_id__isnull=False)
    made |= {refund.payment.provider_id or "": refund for refund in refunds.select_related("payment")}
    there = actors.present(made.values())
    return {name: actors.in_words(act, there) or "" for name, act in made.items()}
