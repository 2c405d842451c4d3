"""Our egress addresses: which there are, since when they warm up, and what staff decided about them.

A process makes a row for each address among its routes when it first sees it, and says every minute that it still has
it. What counts for the engine is read from the rows at most every ten seconds.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.activity import actors
from accounts.users.models import User
from emailcheck.common.errors import Conflict, NotFound
from validation.egress.models import EgressAddress, EgressUse
from validation.egress.profile_file import current_profiles
from validation.engine.egress.addresses import Egress, EgressState, build_egress
from validation.engine.profiles import Profiles

READ_EVERY_S = 10.0
SEEN_EVERY = timedelta(seconds=30)
GONE_AFTER = timedelta(minutes=5)
"""An address that no process has had among its routes for so long is configured no more."""
LAST_ONE = (
    "This is the last egress address that works: without it every list would stand still. Resume another one, or add "
    "one to VERIFIER_ROUTES, first."
)


class Refreshable(Protocol):
    """What works by egress addresses and profiles, and is told of changes while it runs."""

    def set_egress(self, states: Mapping[str, EgressState]) -> None:
        """Go on with these states, by the keys of egress addresses."""

    def set_profiles(self, profiles: Profiles) -> None:
        """Go on with these limits of operators."""


def sync_egress() -> None:
    """Make rows for addresses that were not known, and note that this process has all of its own.

    The addresses of the first start are warm. One that comes later warms up from now. Harmless at any number of times,
    and from many processes at once.
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
    """The state of each address that is known, by its key."""
    return {row.key: _to_state(row) for row in EgressAddress.objects.all()}


class EgressReader:
    """Reads states at most every ten seconds. Fit for several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._read_at = -READ_EVERY_S
        self._synced_routes: tuple[str, ...] = ()
        self._states: dict[str, EgressState] = {}

    def states(self) -> dict[str, EgressState]:
        """The states of some seconds ago at most; rows are made at the first call."""
        with self._lock:
            if self._synced_routes != settings.VERIFIER_ROUTES:
                sync_egress()
                self._synced_routes = settings.VERIFIER_ROUTES
            elif self._clock() < self._read_at + READ_EVERY_S:
                return self._states
            self._read_at = self._clock()
            self._states = read_states()
            return self._states


_reader = EgressReader()


def current_states() -> dict[str, EgressState]:
    """The state of each egress address, by its key, as this process last read it."""
    return _reader.states()


def refresh_egress(engine: Refreshable) -> None:
    """Hand on what staff, the calendar and the file of profiles say now. Cheap enough for every turn of a loop."""
    engine.set_profiles(current_profiles())
    engine.set_egress(current_states())


@transaction.atomic
def change_use(*, address_id: int, use: EgressUse, reason: str, staff: User) -> tuple[EgressAddress, EgressUse]:
    """Have an address used, or not. Answers it and what it was before.

    Raises `NotFound` for one that is unknown, and `Conflict` for the last one that works and for one that nobody has
    among the routes any more. Rows are locked, so that of two who take the last two addresses away one is refused.
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
    """Whether some process had it among its routes in the last minutes."""
    return address.seen_at > timezone.now() - GONE_AFTER


def is_last_working(address: EgressAddress, everybody: Sequence[EgressAddress]) -> bool:
    """Whether it works, and no other does."""
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
    """Whether it is worth a write: many processes say the same."""
    if row is None or row.seen_at <= timezone.now() - SEEN_EVERY:
        return True
    return (row.name, row.helo) != (egress.name, _helo_of(egress))


def _helo_of(egress: Egress) -> str:
    return egress.helo or settings.VERIFIER_HELO


def _to_state(row: EgressAddress) -> EgressState:
    return EgressState(
        warms_since=row.warms_since.timestamp() if row.warms_since else None, rests=row.state != EgressUse.ACTIVE
    )
