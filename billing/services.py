"""The only code that moves credits: grant, hold, settle.

Every movement names itself by a key, so that asking twice moves once. The account's row is locked first, so that
parallel movements of one account happen one after another; accounts do not wait for each other.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import ApiKey
from billing import allowances, caps
from billing.models import (
    CreditAccount,
    CreditEntry,
    CreditHold,
    CreditLot,
    EntryKind,
    HoldState,
    LotKind,
    Plan,
    Subscription,
)
from emailcheck.common.errors import Refused

SIGN_UP_CREDITS = 100


@transaction.atomic
def open_account(*, user_id: int, plan: str = Plan.FREE) -> None:
    """Give an account its (empty) balance and its plan. Harmless when it has them."""
    CreditAccount.objects.get_or_create(user_id=user_id)
    Subscription.objects.get_or_create(user_id=user_id, defaults={"plan": plan})


@transaction.atomic
def grant(
    *, user_id: int, kind: LotKind, amount: int, reason: str, key: str, expires_at: datetime | None = None
) -> bool:
    """Add a lot of `amount` credits. False when `key` was granted before: nothing moves then."""
    _locked(user_id)
    if CreditEntry.objects.filter(key=key).exists():
        return False
    lot = CreditLot.objects.create(user_id=user_id, kind=kind, granted=amount, remaining=amount, expires_at=expires_at)
    CreditEntry.objects.create(user_id=user_id, lot=lot, kind=EntryKind.GRANT, amount=amount, reason=reason, key=key)
    CreditAccount.objects.filter(user_id=user_id).update(balance=F("balance") + amount)
    return True


@transaction.atomic
def hold(*, user_id: int, amount: int, reason: str, key: str, api_key: ApiKey | None = None) -> CreditHold:
    """Set `amount` credits aside, those that expire first first. The same key gives the same hold.

    `api_key` is the one that the call was made with. Raises `Refused` when the balance (`QUOTA_EXCEEDED`) or what is
    left of the API key's daily cap (`KEY_CAP_EXCEEDED`) is too low; nothing moves then.
    """
    account = _locked(user_id)
    existing = CreditHold.objects.filter(key=key, user_id=user_id).first()
    if existing:
        return existing
    _expire_due_lots(account)
    if account.balance < amount:
        detail = f"Insufficient credits. You need {amount} but have {account.balance}."
        raise Refused(detail, code="QUOTA_EXCEEDED")
    if api_key is not None:
        caps.check(key=api_key, amount=amount)
    made = CreditHold.objects.create(user_id=user_id, key=key, amount=amount, api_key=api_key)
    _take_from_lots(made, reason)
    CreditAccount.objects.filter(user_id=user_id).update(balance=F("balance") - amount, held=F("held") + amount)
    return made


@transaction.atomic
def settle(*, hold_id: int, captured: int) -> int:
    """Keep `captured` credits of a hold and return the rest to the lots they came from.

    Answers the number returned; 0 when the hold was settled before: nothing moves then.
    """
    user_id = CreditHold.objects.values_list("user_id", flat=True).get(pk=hold_id)
    account = _locked(user_id)
    closed = CreditHold.objects.filter(pk=hold_id, state=HoldState.OPEN).update(
        state=HoldState.SETTLED, captured=captured, settled_at=timezone.now()
    )
    if closed != 1:
        return 0
    settled = CreditHold.objects.get(pk=hold_id)
    released = settled.amount - captured
    _return_to_lots(settled, released)
    CreditAccount.objects.filter(user_id=user_id).update(
        balance=F("balance") + released, held=F("held") - settled.amount
    )
    account.refresh_from_db()
    _expire_due_lots(account)
    return released


def release_stale(*, prefix: str, before: datetime) -> None:
    """Return the credits of open holds whose key starts with `prefix` and that were made before `before`."""
    stale = CreditHold.objects.filter(state=HoldState.OPEN, key__startswith=prefix, created_at__lt=before)
    for hold_id in stale.values_list("pk", flat=True):
        settle(hold_id=hold_id, captured=0)


def account_summary(user: AbstractBaseUser) -> dict[str, Any]:
    """Plan, spendable credits (without what has expired), held credits and this month's usage of an account."""
    spendable = spendable_lots(user_id=user.pk).aggregate(total=Sum("remaining"))
    held = CreditAccount.objects.filter(user_id=user.pk).values_list("held", flat=True).first()
    return {
        "subscription_plan": allowances.plan_of(user.pk),
        "credits": spendable["total"] or 0,
        "held": held or 0,
        "monthly_usage": monthly_usage(user_id=user.pk),
    }


def spendable_lots(*, user_id: int) -> QuerySet[CreditLot]:
    """The lots with credits left, in the order in which they are spent."""
    now = timezone.now()
    return CreditLot.objects.filter(
        Q(expires_at=None) | Q(expires_at__gt=now), user_id=user_id, remaining__gt=0
    ).order_by(F("expires_at").asc(nulls_last=True), "id")


def monthly_usage(*, user_id: int) -> int:
    """Credits charged since the first of this month (UTC)."""
    first = timezone.now().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    holds = CreditHold.objects.filter(user_id=user_id, settled_at__gte=first)
    return holds.aggregate(total=Sum("captured"))["total"] or 0


def credits_of_all() -> int:
    """What all accounts together can spend."""
    return CreditAccount.objects.aggregate(total=Sum("balance"))["total"] or 0


def reconcile() -> list[str]:
    """Recount every balance, lot and hold from its movements; one sentence for each difference.

    Each kind is compared in one statement, so that credits which move meanwhile make no difference.
    """
    return [*_accounts_that_differ(), *_lots_that_differ(), *_holds_that_differ()]


def _accounts_that_differ() -> Iterator[str]:
    open_holds = CreditHold.objects.filter(state=HoldState.OPEN)
    recounted = CreditAccount.objects.annotate(
        by_entries=_total(CreditEntry.objects.all(), "amount"),
        by_lots=_total(CreditLot.objects.all(), "remaining"),
        by_holds=_total(open_holds, "amount"),
    ).exclude(balance=F("by_entries"), by_lots=F("by_entries"), held=F("by_holds"))
    columns = ("user_id", "balance", "held", "by_entries", "by_lots", "by_holds")
    for user_id, balance, held, by_entries, by_lots, by_holds in recounted.order_by("user_id").values_list(*columns):
        comparisons = ((balance, by_entries, "entries"), (balance, by_lots, "lots"), (held, by_holds, "open holds"))
        for stored, counted, what in comparisons:
            if stored != counted:
                yield f"account {user_id}: {stored} stored, {counted} by its {what}"


def _total(rows: QuerySet[Any], field: str) -> Coalesce:
    mine = rows.filter(user_id=OuterRef("user_id")).order_by().values("user_id")
    return Coalesce(Subquery(mine.annotate(total=Sum(field)).values("total")), 0)


def _lots_that_differ() -> Iterator[str]:
    moved = CreditLot.objects.annotate(moved=Coalesce(Sum("entries__amount"), 0)).exclude(moved=F("remaining"))
    for pk, remaining, counted in moved.order_by("pk").values_list("pk", "remaining", "moved"):
        yield f"lot {pk}: {remaining} remaining, {counted} by its entries"


def _holds_that_differ() -> Iterator[str]:
    kept = Case(When(state=HoldState.OPEN, then=F("amount")), default=F("captured"))
    moved = CreditHold.objects.annotate(kept=kept, moved=Coalesce(-Sum("entries__amount"), 0))
    differing = moved.exclude(moved=F("kept")).order_by("pk")
    for pk, expected, counted in differing.values_list("pk", "kept", "moved"):
        yield f"hold {pk}: {expected} kept, {counted} by its entries"


def _locked(user_id: int) -> CreditAccount:
    return CreditAccount.objects.select_for_update().get_or_create(user_id=user_id)[0]


def _take_from_lots(made: CreditHold, reason: str) -> None:
    wanted = made.amount
    for lot in spendable_lots(user_id=made.user_id):
        if not wanted:
            break
        taken = min(wanted, lot.remaining)
        wanted -= taken
        _move(lot, -taken, made, EntryKind.HOLD, reason)


def _return_to_lots(settled: CreditHold, amount: int) -> None:
    """Give `amount` back, to the lot taken from last first."""
    taken: dict[int, int] = defaultdict(int)
    for entry in settled.entries.filter(kind=EntryKind.HOLD).order_by("-id"):
        taken[entry.lot_id] -= entry.amount
    lots = CreditLot.objects.in_bulk(list(taken))
    for lot_id, most in taken.items():
        returned = min(amount, most)
        amount -= returned
        if returned:
            _move(lots[lot_id], returned, settled, EntryKind.RELEASE, "Not used")


def _move(lot: CreditLot, amount: int, hold: CreditHold, kind: EntryKind, reason: str) -> None:
    CreditLot.objects.filter(pk=lot.pk).update(remaining=F("remaining") + amount)
    CreditEntry.objects.create(
        user_id=lot.user_id,
        lot=lot,
        hold=hold,
        kind=kind,
        amount=amount,
        reason=reason,
        key=f"{kind}:{hold.key}:{lot.pk}",
    )


def _expire_due_lots(account: CreditAccount) -> None:
    """Write off what is left of lots past their date, and correct `account` in place.

    A lot that gets credits back after its date (from a hold) expires again: the key carries a number.
    """
    due = CreditLot.objects.filter(user_id=account.user_id, remaining__gt=0, expires_at__lte=timezone.now())
    for lot in due:
        times = lot.entries.filter(kind=EntryKind.EXPIRE).count()
        CreditEntry.objects.create(
            user_id=account.user_id,
            lot=lot,
            kind=EntryKind.EXPIRE,
            amount=-lot.remaining,
            reason="Expired",
            key=f"expire:{lot.pk}:{times + 1}",
        )
        account.balance -= lot.remaining
        CreditAccount.objects.filter(user_id=account.user_id).update(balance=F("balance") - lot.remaining)
        CreditLot.objects.filter(pk=lot.pk).update(remaining=0)
