"""Credits that move between an agency and its clients: out of lots of one account, into lots of the other.

What a client has keeps the end of the agency's lot that it came from, and goes back into that lot. Welcome and trial
credits belong to a mailbox, and frozen ones to a paused plan: they stay.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

from accounts.organisations.models import Organisation, list_clients
from billing.ledger import services as ledger
from billing.ledger.balances import list_spendable_lots
from billing.ledger.models import (
    CreditAccount,
    CreditEntry,
    CreditLot,
    CreditTransfer,
    Direction,
    EntryKind,
    LotKind,
)
from billing.ledger.money_audit import load_figures, record_change
from billing.signals import credits_moved
from emailcheck.common.errors import NotFound, Refused, Unprocessable

NO_CLIENT = "Client not found"
_MOVABLE = (LotKind.PLAN, LotKind.BONUS, LotKind.PACK)


class ClientCredits(NamedTuple):
    """What a client can spend, and what of it the agency can take back: what it gave."""

    all: int
    returnable: int


NO_CREDITS = ClientCredits(0, 0)


@dataclass(frozen=True, slots=True)
class _Part:
    """So many credits of a lot, and the lot that they go to; None for a new one."""

    source: CreditLot
    target: CreditLot | None
    amount: int


def count_movable_credits(agency: Organisation) -> int:
    """What an agency can give to clients."""
    return _list_movable(agency).order_by().aggregate(total=Sum("remaining"))["total"] or 0


def sum_client_credits(agency: Organisation) -> dict[int, ClientCredits]:
    """What the clients of an agency have, by their number; those that have nothing are left out."""
    now = timezone.now()
    lots = CreditLot.objects.filter(Q(expires_at=None) | Q(expires_at__gt=now), organisation__agency=agency)
    totals = (
        lots.filter(remaining__gt=0)
        .order_by()
        .values_list("organisation_id")
        .annotate(all=Sum("remaining"), returnable=Sum("remaining", filter=_build_returnable(agency)))
    )
    return {pk: ClientCredits(all, returnable or 0) for pk, all, returnable in totals}


@transaction.atomic
def transfer_credits(
    *, agency: Organisation, client: Organisation, credits: int, direction: Direction, key: str
) -> CreditTransfer:
    """Give credits to a client, or take unspent ones back, first what expires first. The same `key` moves once.

    Raises `NotFound` when the agency's access has ended, `Refused` (`QUOTA_EXCEEDED`) beyond what can be moved,
    `Unprocessable` (`IDEMPOTENCY_MISMATCH`) for a key that was used for another transfer; nothing moves then.
    """
    accounts = _lock_accounts(agency.pk, client.pk)
    if not list_clients(agency).filter(pk=client.pk).exists():
        raise NotFound(NO_CLIENT)
    found = CreditTransfer.objects.filter(client=client, key=key).first()
    if found is not None:
        if (found.agency_id, found.credits, found.direction) != (agency.pk, credits, direction):
            raise Unprocessable("This key was used for another transfer.", code="IDEMPOTENCY_MISMATCH")
        return found
    gives = direction == Direction.TO_CLIENT
    giver, taker = (agency, client) if gives else (client, agency)
    ledger.write_off_expired(organisation_id=giver.pk)
    lots = _list_movable(agency) if gives else _list_returnable(agency, client)
    parts = list(_split_credits(lots.select_related("source"), credits, keeps_lot=not gives))
    movable = sum(part.amount for part in parts)
    if movable < credits:
        raise Refused(f"{movable:,} credits can be moved; you asked for {credits:,}.", code="QUOTA_EXCEEDED")
    before = {organisation.pk: load_figures(organisation) for organisation in (giver, taker)}
    made = CreditTransfer.objects.create(agency=agency, client=client, direction=direction, credits=credits, key=key)
    for part in parts:
        _move_part(made, part, giver, taker)
    _add_to_balance(giver, -credits)
    _add_to_balance(taker, credits)
    ledger.settle_incoming(accounts[taker.pk])
    for organisation in (giver, taker):
        credits_moved.send(sender=CreditAccount, organisation_id=organisation.pk, charged=False)
        action = f"{credits:,} credits went from {giver.title} to {taker.title}"
        record_change(organisation, before[organisation.pk], action=action, target=made.public_id)
    return made


def _lock_accounts(*organisation_ids: int) -> dict[int, CreditAccount]:
    """Both accounts, in the order of their numbers, so that two transfers never wait for each other in a circle."""
    return {pk: ledger.lock_account(pk) for pk in sorted(organisation_ids)}


def _list_movable(agency: Organisation) -> QuerySet[CreditLot]:
    return list_spendable_lots(organisation_id=agency.pk).filter(kind__in=_MOVABLE)


def _list_returnable(agency: Organisation, client: Organisation) -> QuerySet[CreditLot]:
    return list_spendable_lots(organisation_id=client.pk).filter(_build_returnable(agency))


def _build_returnable(agency: Organisation) -> Q:
    """Lots that came from an agency, but for those whose own has ended since, as with a plan: nothing could go back."""
    goes_on = Q(source__expires_at=None) | Q(source__expires_at__gt=timezone.now())
    return goes_on & Q(source__organisation=agency)


def _split_credits(lots: Iterable[CreditLot], credits: int, *, keeps_lot: bool) -> Iterable[_Part]:
    """What to take from which lot, in their order; with `keeps_lot` it goes back to where it came from."""
    for lot in lots:
        taken = min(credits, lot.remaining)
        if not taken:
            break
        credits -= taken
        yield _Part(lot, lot.source if keeps_lot else None, taken)


def _move_part(made: CreditTransfer, part: _Part, giver: Organisation, taker: Organisation) -> None:
    target = part.target or CreditLot.objects.create(
        organisation=taker,
        kind=LotKind.TRANSFER,
        granted=part.amount,
        remaining=0,
        expires_at=part.source.expires_at,
        source=part.source,
    )
    sides = (
        (part.source, -part.amount, f"Credits to {taker.title}"),
        (target, part.amount, f"Credits from {giver.title}"),
    )
    for lot, amount, reason in sides:
        CreditLot.objects.filter(pk=lot.pk).update(remaining=F("remaining") + amount)
        CreditEntry.objects.create(
            organisation_id=lot.organisation_id,
            lot=lot,
            kind=EntryKind.TRANSFER,
            amount=amount,
            reason=reason[:120],
            reference=made.public_id,
            key=f"transfer:{made.public_id}:{part.source.pk}:{lot.pk}",
        )


def _add_to_balance(organisation: Organisation, amount: int) -> None:
    CreditAccount.objects.filter(organisation=organisation).update(balance=F("balance") + amount)
