"""Deals on their way over the board: made, edited, moved, noted, contacted, deleted. History keeps each step."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.activity import actors, audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from crm.deals.models import Deal, DealEvent, Stage
from crm.signals import deal_won
from emailcheck.common.errors import Conflict, NotFound

NOT_FOUND = "Deal not found"
_TRACKED = ("company_name", "contact_name", "contact_email", "value", "stage", "expected_close_date", "notes")


@dataclass(frozen=True, slots=True, kw_only=True)
class DealTerms:
    """What a deal is about; `value` in USD."""

    company_name: str
    contact_name: str
    contact_email: str
    value: Decimal
    expected_close_date: date
    stage: Stage = Stage.PROSPECT
    notes: str = ""


@transaction.atomic
def create_deal(*, staff: User, terms: DealTerms) -> Deal:
    """Make a deal, at the end of its stage."""
    deal = Deal.objects.create(
        **{name: getattr(terms, name) for name in _TRACKED}, position=_last_position(Stage(terms.stage))
    )
    _record_event(deal, staff, "created")
    return deal


@transaction.atomic
def edit_deal(*, staff: User, deal_id: int, changes: dict[str, Any]) -> Deal:
    """Change some of a deal's columns. Raises `NotFound`."""
    stage = changes.pop("stage", None)
    if stage is not None and load_deal(deal_id).stage != stage:
        move_deal(staff=staff, deal_id=deal_id, stage=Stage(stage))
    deal = _lock_deal(deal_id)
    changed = {name: value for name, value in changes.items() if getattr(deal, name) != value}
    for name, value in changed.items():
        setattr(deal, name, value)
    deal.save(update_fields=list(changed))
    if changed.keys() & set(_TRACKED):
        _record_event(deal, staff, "edited", ", ".join(sorted(name.replace("_", " ") for name in changed)))
    return deal


@transaction.atomic
def move_deal(*, staff: User, deal_id: int, stage: Stage, position: int | None = None) -> Deal:
    """Put a deal into a stage, at `position` (0: first) or last. Won, it has a contract. Raises `NotFound`."""
    # Everybody locks the whole board, in one order: two moves never wait for each other in a circle, and see each other
    # when both go into an empty stage.
    rows = list(Deal.objects.select_for_update().order_by("pk"))
    deal = next((row for row in rows if row.pk == deal_id), None)
    if deal is None:
        raise NotFound(NOT_FOUND)
    others = [row for row in rows if row.stage == stage and row is not deal]
    others.sort(key=lambda row: (row.position, row.pk))
    _place_deal(deal, stage, len(others) if position is None else min(position, len(others)), others, staff)
    return deal


@transaction.atomic
def add_note(*, staff: User, deal_id: int, text: str) -> DealEvent:
    """Write something down. Raises `NotFound`."""
    return _record_event(_lock_deal(deal_id), staff, "noted", text)


@transaction.atomic
def record_contact(*, staff: User, deal_id: int) -> Deal:
    """Note that the customer was written to. Raises `NotFound`."""
    deal = _lock_deal(deal_id)
    deal.last_contact_at = timezone.now()
    deal.save(update_fields=["last_contact_at"])
    _record_event(deal, staff, "contacted")
    return deal


@transaction.atomic
def delete_deal(*, staff: User, deal_id: int) -> None:
    """Delete a deal with its history. Raises `NotFound`, `Conflict` (`HAS_CONTRACT`)."""
    deal = _lock_deal(deal_id)
    if hasattr(deal, "contract"):
        raise Conflict("A deal with a contract cannot be deleted", code="HAS_CONTRACT")
    _record_act(deal, staff, "deleted")
    deal.delete()


def load_deal(deal_id: int) -> Deal:
    """A deal. Raises `NotFound`."""
    deal = Deal.objects.select_related("contract").filter(pk=deal_id).first()
    if deal is None:
        raise NotFound(NOT_FOUND)
    return deal


def _lock_deal(deal_id: int) -> Deal:
    deal = Deal.objects.select_for_update().filter(pk=deal_id).first()
    if deal is None:
        raise NotFound(NOT_FOUND)
    return deal


def _place_deal(deal: Deal, stage: Stage, place: int, others: list[Deal], staff: User) -> None:
    """Put a deal among the `others` of a stage, in their order; all of them are locked."""
    before = Stage(deal.stage)
    deal.stage, deal.position = stage, place
    deal.save(update_fields=["stage", "position"])
    shifted = []
    for number, other in enumerate(others):
        position = number + (number >= place)
        if other.position != position:
            other.position = position
            shifted.append(other)
    Deal.objects.bulk_update(shifted, ["position"])
    if before != stage:
        _record_event(deal, staff, "moved", f"{before.label} to {stage.label}")
    if stage == Stage.CLOSED_WON:
        deal_won.send(sender=Deal, deal=deal, staff=staff)


def _last_position(stage: Stage) -> int:
    last = Deal.objects.filter(stage=stage).aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def _record_event(deal: Deal, staff: User, action: str, text: str = "") -> DealEvent:
    _record_act(deal, staff, action)
    return DealEvent.objects.create(deal=deal, **actors.snapshot_actor(staff), action=action, text=text)


def _record_act(deal: Deal, staff: User, action: str) -> None:
    target = f"deal:{deal.pk}"
    audit_log.record_activity(user=None, kind=ActivityKind.STAFF, action=f"Deal {action}", staff=staff, target=target)
