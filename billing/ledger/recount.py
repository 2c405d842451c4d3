"""Every balance, lot, hold and clawback against its movements."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce

from billing.ledger.models import Clawback, CreditAccount, CreditEntry, CreditHold, CreditLot, EntryKind, HoldState


def list_differences() -> list[str]:
    """One sentence for each difference; each kind is compared in one statement."""
    return [*_compare_accounts(), *_compare_lots(), *_compare_holds(), *_compare_clawbacks()]


def _compare_accounts() -> Iterator[str]:
    open_holds = CreditHold.objects.filter(state=HoldState.OPEN)
    recounted = CreditAccount.objects.annotate(
        by_entries=_build_total(CreditEntry.objects.all(), "amount"),
        by_lots=_build_total(CreditLot.objects.all(), "remaining"),
        by_holds=_build_total(open_holds, "amount"),
        by_debts=_build_total(Clawback.objects.all(), "outstanding"),
    ).exclude(balance=F("by_entries"), by_lots=F("by_entries"), held=F("by_holds"), debt=F("by_debts"))
    columns = ("organisation_id", "balance", "held", "debt", "by_entries", "by_lots", "by_holds", "by_debts")
    for organisation_id, balance, held, debt, *counted_by in recounted.order_by("organisation_id").values_list(
        *columns
    ):
        stored_as = (balance, balance, held, debt)
        comparisons = zip(stored_as, counted_by, ("entries", "lots", "open holds", "clawbacks"), strict=True)
        for stored, counted, what in comparisons:
            if stored != counted:
                yield f"account {organisation_id}: {stored} stored, {counted} by its {what}"


def _build_total(rows: QuerySet[Any], field: str) -> Coalesce:
    mine = rows.filter(organisation_id=OuterRef("organisation_id")).order_by().values("organisation_id")
    return Coalesce(Subquery(mine.annotate(total=Sum(field)).values("total")), 0)


def _compare_lots() -> Iterator[str]:
    moved = CreditLot.objects.annotate(moved=Coalesce(Sum("entries__amount"), 0)).exclude(moved=F("remaining"))
    for pk, remaining, counted in moved.order_by("pk").values_list("pk", "remaining", "moved"):
        yield f"lot {pk}: {remaining} remaining, {counted} by its entries"
    kinds = Q(entries__kind__in=[EntryKind.FREEZE, EntryKind.THAW])
    frozen = CreditLot.objects.annotate(moved=Coalesce(-Sum("entries__amount", filter=kinds), 0))
    for pk, stored, counted in frozen.exclude(moved=F("frozen")).order_by("pk").values_list("pk", "frozen", "moved"):
        yield f"lot {pk}: {stored} frozen, {counted} by its entries"


def _compare_holds() -> Iterator[str]:
    kept = Case(When(state=HoldState.OPEN, then=F("amount")), default=F("captured"))
    moved = CreditHold.objects.annotate(kept=kept, moved=Coalesce(-Sum("entries__amount"), 0))
    differing = moved.exclude(moved=F("kept")).order_by("pk")
    for pk, expected, counted in differing.values_list("pk", "kept", "moved"):
        yield f"hold {pk}: {expected} kept, {counted} by its entries"


def _compare_clawbacks() -> Iterator[str]:
    paid = Clawback.objects.annotate(paid=Coalesce(-Sum("entries__amount"), 0))
    differing = paid.exclude(amount=F("outstanding") + F("paid")).order_by("pk")
    for pk, amount, outstanding, counted in differing.values_list("pk", "amount", "outstanding", "paid"):
        yield f"clawback {pk}: {amount - outstanding} taken, {counted} by its entries"
