"""Our egress addresses: their existence, the start of their warm-up, and the staff's decisions.

A process creates a row for each address of its routes when it first sees it, and confirms every minute that it still
has it.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.activity import actors
from accounts.users.models import User
from emailcheck.common.errors import Conflict, NotFound
from validation.egress.models import EgressAddress, EgressUse
from validation.engine.egress.addresses import Egress, EgressState, build_egress

SEEN_EVERY = timedelta(seconds=30)
GONE_AFTER = timedelta(minutes=5)
"""An address that no process has confirmed for so long is not configured any more."""
LAST_ONE = (
    "This is the last egress address that works: without it every list would stand still. Resume another one, or add "
    "one to VERIFIER_ROUTES, first."
)


def sync_egress() -> None:
    """Create rows for new addresses, and confirm all addresses of this process.

    The addresses of the first start are warm; a later one warms up from now. May run any number of times, and in many
    processes at once.
    """
    configured, known = _list_configured(), _load_known()
    if not any(_needs_update(one, known.get(one.key)) for one in configured):
        return  # nothing is locked then
    with transaction.atomic():
        known, now = _load_known(), timezone.now()
        missing = [_build_row(one, added_at=now, is_first=not known) for one in configured if one.key not in known]
        EgressAddress.objects.bulk_create(missing, ignore_conflicts=True)
        for one in configured:
            if one.key in known:
                seen = {"name": one.name, "helo": _helo_of(one), "seen_at": now}
                EgressAddress.objects.filter(pk=known[one.key].pk).update(**seen)


def read_states() -> dict[str, EgressState]:
    """The state of each known address, by its key."""
    return {row.key: _to_state(row) for row in EgressAddress.objects.all()}


@transaction.atomic
def change_use(*, address_id: int, use: EgressUse, reason: str, staff: User) -> tuple[EgressAddress, EgressUse]:
    """Set whether an address is used. Returns it and its former state.

    Raises `NotFound` for an unknown one; `Conflict` for the last working one, and for one that is no longer configured.
    Rows are locked, so that of two callers who disable the last two addresses one is refused.
    """
    rows = {row.pk: row for row in EgressAddress.objects.select_for_update().order_by("pk")}
    if address_id not in rows:
        raise NotFound("Egress address not found.")
    address = rows[address_id]
    before = EgressUse(address.state)
    if use == before:
        return address, before
    if not is_configured(address):
        raise Conflict("No process has this egress address among its VERIFIER_ROUTES any more.", code="EGRESS_GONE")
    if use != EgressUse.ACTIVE and is_last_working(address, list(rows.values())):
        raise Conflict(LAST_ONE, code="EGRESS_LAST")
    address.state, address.note = use, reason
    address.changed_at, who = timezone.now(), actors.stamp_actor(address, staff)
    address.save(update_fields=["state", "note", "changed_at", *who])
    return address, before


def is_configured(address: EgressAddress) -> bool:
    """Whether a process confirmed it within the last minutes."""
    return address.seen_at > timezone.now() - GONE_AFTER


def is_last_working(address: EgressAddress, everybody: Sequence[EgressAddress]) -> bool:
    """Whether it is the only working one."""
    working = [row.pk for row in everybody if row.state == EgressUse.ACTIVE and is_configured(row)]
    return working == [address.pk]


def _list_configured() -> list[Egress]:
    return [build_egress(route, number) for number, route in enumerate(settings.VERIFIER_ROUTES, 1)]


def _build_row(egress: Egress, *, added_at: datetime, is_first: bool) -> EgressAddress:
    return EgressAddress(
        key=egress.key,
        name=egress.name,
        helo=_helo_of(egress),
        added_at=added_at,
        warms_since=None if is_first else added_at,
        seen_at=added_at,
    )


def _load_known() -> dict[str, EgressAddress]:
    return {row.key: row for row in EgressAddress.objects.all()}


def _needs_update(egress: Egress, row: EgressAddress | None) -> bool:
    """Whether a write is due: many processes confirm the same address."""
    if row is None or row.seen_at <= timezone.now() - SEEN_EVERY:
        return True
    return (row.name, row.helo) != (egress.name, _helo_of(egress))


def _helo_of(egress: Egress) -> str:
    return egress.helo or settings.VERIFIER_HELO


def _to_state(row: EgressAddress) -> EgressState:
    return EgressState(
        warms_since=row.warms_since.timestamp() if row.warms_since else None, rests=row.state != EgressUse.ACTIVE
    )
