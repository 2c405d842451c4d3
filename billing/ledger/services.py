"""The only code that moves credits: grant, hold, settle, claw back, write off, freeze and thaw.

Every movement names itself by a key, so that asking twice moves once. The account's row is locked, so that parallel
movements of one account happen one after another; accounts do not wait for each other. A hold is locked before its
account. What every check does, `open_hold` and a charged `close_hold`, locks the account as late as it can.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from accounts.access.models import ApiKey
from billing.ledger import caps, recount
from billing.ledger.balances import count_frozen_credits
from billing.ledger.debits import Debit, HoldClosing, LotOrder, count_spendable_credits, parse_level, split_amount
from billing.ledger.member_caps import Spender
from billing.ledger.models import (
    Clawback,
    CreditAccount,
    CreditEntry,
    CreditHold,
    CreditLot,
    EntryKind,
    HoldState,
    LotKind,
)
from billing.signals import credits_moved
from emailcheck.common.errors import Refused
from emailcheck.common.storage.statements import Rows, Statement, execute_together


class InsufficientCredits(Refused):
    """An account cannot pay for what it asks for: it needs `needed` credits and has `balance` that can be spent."""

    code = "QUOTA_EXCEEDED"

    def __init__(self, *, needed: int, balance: int) -> None:
        super().__init__(f"Insufficient credits. You need {needed} but have {balance}.")
        self.needed, self.balance = needed, balance
        self.details = {"needed": needed, "available": balance}


@transaction.atomic
def grant_credits(
    *,
    organisation_id: int,
    kind: LotKind,
    amount: int,
    reason: str,
    key: str,
    expires_at: datetime | None = None,
    reference: str = "",
) -> bool:
    """Add a lot of `amount` credits. False when `key` was granted before: nothing moves then.

    `reference` names the payment or the call that brought them. A debt is paid from it at once.
    """
    account = lock_account(organisation_id)
    if CreditEntry.objects.filter(key=key).exists():
        return False
    lot = CreditLot.objects.create(
        organisation_id=organisation_id, kind=kind, granted=amount, remaining=amount, expires_at=expires_at
    )
    CreditEntry.objects.create(
        organisation_id=organisation_id,
        lot=lot,
        kind=EntryKind.GRANT,
        amount=amount,
        reason=reason,
        key=key,
        reference=reference,
    )
    CreditAccount.objects.filter(organisation_id=organisation_id).update(balance=F("balance") + amount)
    _pay_debt(account)
    credits_moved.send(sender=CreditAccount, organisation_id=organisation_id, charged=False)
    return True


def open_hold(
    *,
    organisation_id: int,
    amount: int,
    reason: str,
    key: str,
    api_key: ApiKey | None = None,
    spender: Spender | None = None,
    order: LotOrder = LotOrder.BY_EXPIRY,
) -> CreditHold:
    """Set `amount` credits aside, from the lots in this order. The same key gives the same hold.

    `api_key` is the one that the call was made with, `spender` the member who is signed in. Raises
    `InsufficientCredits` (`QUOTA_EXCEEDED`) when the balance, `Refused` (`KEY_CAP_EXCEEDED`, `MEMBER_CAP_EXCEEDED`)
    when what is left of the cap of key or member is too low; nothing moves then.
    """
    debit = Debit(organisation_id, order)
    api_key_id = api_key.pk if api_key else None
    member_id = spender.user_id if spender else None
    if connection.vendor == "postgresql" and not connection.in_atomic_block and not caps.is_capped(api_key, spender):
        made = debit.hold_at_once(key=key, amount=amount, reason=reason, api_key_id=api_key_id, member_id=member_id)
        if made is not None:
            return made
    with transaction.atomic():
        if caps.is_capped(api_key, spender):
            debit.lock()
            caps.check_caps(organisation_id, api_key, spender, amount, key)
        made = debit.insert_hold(key=key, amount=amount, api_key_id=api_key_id, member_id=member_id)
        if made is None:
            return CreditHold.objects.get(key=key, organisation_id=organisation_id)
        taken = debit.take(made, reason)
        if not taken.is_enough:
            raise _build_insufficient(organisation_id, amount)
        if taken.lot_id is None:
            debit.record_entries(made, _take_from_several_lots(debit, organisation_id, amount), reason)
        return made


def settle_incoming(account: CreditAccount) -> None:
    """What is done with credits that came into a locked account: those of a paused plan rest with it, and what is past
    its date or owed goes."""
    _freeze_lots(account)
    _expire_and_list_lots(account)
    _pay_debt(account)


def close_hold(*, hold: CreditHold, captured: int) -> int:
    """Keep `captured` credits of a hold and return the rest to the lots they came from.

    Answers the number returned; 0 when the hold was settled before: nothing moves then.
    """
    if captured == hold.amount:
        spend_hold(hold=hold)
        return 0
    if not captured and HoldClosing(hold).release_all():
        return hold.amount
    return _close_with_rest(hold, captured)


@transaction.atomic(savepoint=False)
def _close_with_rest(hold: CreditHold, captured: int) -> int:
    closing, released = HoldClosing(hold), hold.amount - captured
    if not closing.close(captured=captured):
        return 0
    closing.release(released)
    account = lock_account(hold.organisation_id)
    _return_to_lots(account, hold, released)
    _expire_and_list_lots(account)
    _pay_debt(account)
    if captured:
        credits_moved.send(sender=CreditAccount, organisation_id=hold.organisation_id, charged=True)
    return released


def spend_hold(*, hold: CreditHold, before: Sequence[Statement] = (), after: Sequence[Statement] = ()) -> list[Rows]:
    """Keep all of a hold, and execute the caller's statements around that, together (`execute_together`): other checks
    of the account wait for none of this process's turns. Answers the rows of those `before`.

    Of one that was closed before nothing moves; the caller's statements are executed all the same. Outside a
    transaction notices follow the commit, and their failure is logged.
    """
    found = execute_together([*before, *HoldClosing(hold).build_spending(), *after])
    level = parse_level(found[len(before)])

    def tell() -> None:
        credits_moved.send(sender=CreditAccount, organisation_id=hold.organisation_id, charged=True, level=level)

    if level and connection.in_atomic_block:
        tell()
    elif level:
        transaction.on_commit(tell, robust=True)
    return found[: len(before)]


@transaction.atomic
def claw_back_credits(
    *, organisation_id: int, amount: int, reason: str, key: str, granted_by: str = "", frozen_too: bool = True
) -> bool:
    """Take `amount` credits back, of the lot that the key `granted_by` brought first, then of the others.

    What is already spent becomes a debt, paid from credits that come in later. False when `key` was clawed back
    before: nothing moves then.
    """
    account = lock_account(organisation_id)
    made, is_new = Clawback.objects.get_or_create(
        key=key,
        defaults={"organisation_id": organisation_id, "reason": reason, "amount": amount, "outstanding": amount},
    )
    if not is_new:
        return False
    CreditAccount.objects.filter(organisation_id=organisation_id).update(debt=F("debt") + amount)
    first = CreditEntry.objects.filter(key=granted_by).values_list("lot_id", flat=True).first()
    if frozen_too:
        _thaw_lots(account)
    _pay_clawback(account, made, sorted(_expire_and_list_lots(account), key=lambda lot: lot.pk != first))
    if frozen_too:
        _freeze_lots(account)
    credits_moved.send(sender=CreditAccount, organisation_id=organisation_id, charged=False)
    return True


@transaction.atomic
def freeze_credits(*, organisation_id: int) -> int:
    """Take the plan's credits out of the balance and stop their time, until `thaw_credits`; answers how many.

    What comes back to them from a hold is frozen too. Harmless when they are frozen already.
    """
    account = lock_account(organisation_id)
    _expire_and_list_lots(account)
    lots = CreditLot.objects.filter(organisation_id=organisation_id, kind=LotKind.PLAN)
    lots.filter(frozen_at=None, expires_at__gt=timezone.now()).update(frozen_at=timezone.now())
    _freeze_lots(account)
    return count_frozen_credits(organisation_id=organisation_id)


@transaction.atomic
def thaw_credits(*, organisation_id: int, at_least_until: datetime | None = None) -> None:
    """Put frozen credits back into the balance; they last longer by the time for which they were frozen."""
    account = lock_account(organisation_id)
    _thaw_lots(account)
    now = timezone.now()
    frozen = CreditLot.objects.filter(organisation_id=organisation_id, frozen_at__isnull=False)
    for lot in frozen:
        ends = (lot.expires_at or now) + (now - (lot.frozen_at or now))
        frozen.filter(pk=lot.pk).update(expires_at=max(ends, at_least_until or ends), frozen_at=None)
    _pay_debt(account)
    _expire_and_list_lots(account)
    credits_moved.send(sender=CreditAccount, organisation_id=organisation_id, charged=False)


@transaction.atomic
def write_off_expired(*, organisation_id: int) -> None:
    """Write off what is left of lots past their date. Harmless when there are none."""
    _expire_and_list_lots(lock_account(organisation_id))


def release_stale_holds(*, prefix: str, before: datetime) -> None:
    """Return the credits of open holds whose key starts with `prefix` and that were made before `before`."""
    stale = CreditHold.objects.filter(state=HoldState.OPEN, key__startswith=prefix, created_at__lt=before)
    for cut_off in stale:
        close_hold(hold=cut_off, captured=0)


def reconcile_ledger() -> list[str]:
    """One sentence for each balance, lot and hold that differs from its movements, whatever moves meanwhile."""
    return recount.list_differences()


def lock_account(organisation_id: int) -> CreditAccount:
    """The account, locked until the caller's transaction ends: everything that moves its credits waits here."""
    return CreditAccount.objects.select_for_update().get_or_create(organisation_id=organisation_id)[0]


def _take_from_several_lots(debit: Debit, organisation_id: int, amount: int) -> list[tuple[int, int]]:
    """Take what was set aside out of the lots, as (lot, amount) parts; what is past its date is written off first.

    Raises `InsufficientCredits` when too little is left then.
    """
    lots = debit.list_lots()
    if any(lot.is_due for lot in lots):
        debit.put_back(amount)
        _expire_and_list_lots(lock_account(organisation_id))
        if not debit.set_aside(amount):
            raise _build_insufficient(organisation_id, amount)
        lots = [lot for lot in lots if not lot.is_due]
    parts = list(split_amount(lots, amount))
    debit.take_from_lots(parts)
    return parts


def _build_insufficient(organisation_id: int, amount: int) -> InsufficientCredits:
    return InsufficientCredits(needed=amount, balance=count_spendable_credits(organisation_id))


def _return_to_lots(account: CreditAccount, settled: CreditHold, amount: int) -> None:
    """Give `amount` back, to the lot taken from last first."""
    taken: dict[int, int] = defaultdict(int)
    for entry in settled.entries.filter(kind=EntryKind.HOLD).order_by("-id"):
        taken[entry.lot_id] -= entry.amount
    lots = CreditLot.objects.in_bulk(list(taken))
    for lot_id, most in taken.items():
        returned = min(amount, most)
        amount -= returned
        if returned:
            _record_movement(lots[lot_id], returned, settled, EntryKind.RELEASE, "Not used, returned")
    if any(lot.frozen_at for lot in lots.values()):
        _freeze_lots(account)


def _record_movement(lot: CreditLot, amount: int, hold: CreditHold, kind: EntryKind, reason: str) -> None:
    CreditLot.objects.filter(pk=lot.pk).update(remaining=F("remaining") + amount)
    CreditEntry.objects.create(
        organisation_id=lot.organisation_id,
        lot=lot,
        hold=hold,
        kind=kind,
        amount=amount,
        reason=reason,
        reference=hold.key,
        key=f"{kind}:{hold.key}:{lot.pk}",
    )


def _expire_and_list_lots(account: CreditAccount) -> list[CreditLot]:
    """The lots that can be spent, first to expire first; what is past its date is written off."""
    now = timezone.now()
    lots = CreditLot.objects.filter(organisation_id=account.organisation_id, remaining__gt=0)
    by_expiry = list(lots.order_by(F("expires_at").asc(nulls_last=True), "id"))
    due = [lot for lot in by_expiry if lot.expires_at is not None and lot.expires_at <= now and lot.frozen_at is None]
    for lot in due:
        _expire_lot(account, lot)
    return [lot for lot in by_expiry if lot not in due]


def _freeze_lots(account: CreditAccount) -> None:
    """Take the remaining credits of paused lots out of the balance."""
    for lot in CreditLot.objects.filter(
        organisation_id=account.organisation_id, frozen_at__isnull=False, remaining__gt=0
    ):
        _set_frozen(account, lot, lot.frozen + lot.remaining, EntryKind.FREEZE, "Frozen while paused")


def _thaw_lots(account: CreditAccount) -> None:
    for lot in CreditLot.objects.filter(organisation_id=account.organisation_id, frozen__gt=0):
        _set_frozen(account, lot, 0, EntryKind.THAW, "No longer frozen")


def _set_frozen(account: CreditAccount, lot: CreditLot, frozen: int, kind: EntryKind, reason: str) -> None:
    amount = lot.frozen - frozen
    times = lot.entries.filter(kind=kind).count()
    CreditEntry.objects.create(
        organisation_id=account.organisation_id,
        lot=lot,
        kind=kind,
        amount=amount,
        reason=reason,
        key=f"{kind}:{lot.pk}:{times + 1}",
    )
    CreditAccount.objects.filter(organisation_id=account.organisation_id).update(balance=F("balance") + amount)
    CreditLot.objects.filter(pk=lot.pk).update(frozen=frozen, remaining=F("remaining") + amount)


def _expire_lot(account: CreditAccount, lot: CreditLot) -> None:
    """A lot that gets credits back after its date (from a hold) expires again: the key carries a number."""
    times = lot.entries.filter(kind=EntryKind.EXPIRE).count()
    CreditEntry.objects.create(
        organisation_id=account.organisation_id,
        lot=lot,
        kind=EntryKind.EXPIRE,
        amount=-lot.remaining,
        reason="Expired",
        key=f"expire:{lot.pk}:{times + 1}",
    )
    CreditAccount.objects.filter(organisation_id=account.organisation_id).update(balance=F("balance") - lot.remaining)
    CreditLot.objects.filter(pk=lot.pk).update(remaining=0)


def _pay_debt(account: CreditAccount) -> None:
    """Take what is owed from what can be spent, oldest debt first."""
    if not account.debt:
        return
    for owed in Clawback.objects.filter(organisation_id=account.organisation_id, outstanding__gt=0).order_by("id"):
        _pay_clawback(account, owed, _expire_and_list_lots(account))


def _pay_clawback(account: CreditAccount, owed: Clawback, lots: Iterable[CreditLot]) -> None:
    payments = owed.entries.count()
    for lot in lots:
        taken = min(owed.outstanding, lot.remaining)
        if not taken:
            break
        payments += 1
        CreditEntry.objects.create(
            organisation_id=account.organisation_id,
            lot=lot,
            clawback=owed,
            kind=EntryKind.CLAW_BACK,
            amount=-taken,
            reason=owed.reason,
            key=f"clawback:{owed.pk}:{payments}",
        )
        CreditLot.objects.filter(pk=lot.pk).update(remaining=F("remaining") - taken)
        CreditAccount.objects.filter(organisation_id=account.organisation_id).update(
            balance=F("balance") - taken, debt=F("debt") - taken
        )
        owed.outstanding -= taken
    Clawback.objects.filter(pk=owed.pk).update(outstanding=owed.outstanding)
