"""The machines that check addresses, as recorded in the database: their shares while Redis is unavailable.

Every few seconds each process records that its machine is alive and whether it reaches Redis; at once when that
changes. A machine counts for a minute after its last heartbeat. A new one has no share until every other must have seen
it. A share that could not be confirmed for nearly a minute ends. So all machines with a share know of each other.
"""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import Error, connection
from django.db.models import BooleanField, Case, ExpressionWrapper, F, Q, When
from django.db.models.functions import Now

from emailcheck.common.shared_state.models import Machine
from validation.verifier.limits.machine_file import boot_clock
from validation.verifier.limits.shares import NO_SHARE, Share

log = logging.getLogger(__name__)

SEEN_FOR = timedelta(seconds=60)
KNOWN_AFTER = timedelta(seconds=65)
SHARE_FOR_S = 55.0
HEARTBEAT_S = 5.0
POLL_S = 1.0
"""Seconds between heartbeats and checks while Redis is unavailable."""
_FORGET_AFTER = timedelta(days=7)


class MachineHeartbeats:
    """This process's view of the machines. `is_reaching`: whether any process of this machine reaches Redis."""

    def __init__(self, own_id: str, is_reaching: Callable[[], bool], clock: Callable[[], float] = boot_clock) -> None:
        self._id = own_id
        self._is_reaching = is_reaching
        self._clock = clock
        self._share = NO_SHARE
        self._share_until = 0.0
        self._reported = False
        self._next_beat = 0.0
        self._is_failing = False

    def share(self) -> Share:
        """The share of this machine; none when it was not confirmed for too long. Thread-safe."""
        return self._share if self._clock() < self._share_until else NO_SHARE

    def start(self) -> None:
        """Send heartbeats in a thread of its own until the process ends."""
        threading.Thread(target=self._run_beats, name="machines", daemon=True).start()

    def beat_if_due(self) -> None:
        """Send a heartbeat when it is due, or when Redis became reachable or unreachable."""
        reaches = self._is_reaching()
        if self._clock() < self._next_beat and reaches is self._reported:
            return
        began = self._clock()
        try:
            share = self._beat(reaches)
        except Error as error:
            if not self._is_failing:
                log.warning("the machines could not be looked up (%s)", type(error).__name__)
            self._is_failing = True
            return
        finally:
            connection.close()
        self._is_failing, self._reported = False, reaches
        self._share, self._share_until = share, began + SHARE_FOR_S
        self._next_beat = began + (HEARTBEAT_S if reaches else POLL_S)

    def _run_beats(self) -> None:
        pause = threading.Event()
        while True:
            self.beat_if_due()
            pause.wait(POLL_S)

    def _beat(self, reaches: bool) -> Share:
        _record_heartbeat(self._id, reaches)
        others = Machine.objects.filter(seen_at__gte=Now() - SEEN_FOR)
        known = ExpressionWrapper(Q(joined_at__lte=Now() - KNOWN_AFTER), output_field=BooleanField())
        seen = list(
            others.annotate(known=known).order_by("joined_at", "id").values_list("id", "known", "reaches_redis")
        )
        machine_ids = [found for found, _, _ in seen]
        if self._id not in machine_ids:
            return NO_SHARE
        position = machine_ids.index(self._id)
        is_reached = any(reaches for _, _, reaches in seen)
        return Share(position, len(seen), may_take=seen[position][1] and not is_reached)


def _record_heartbeat(own_id: str, reaches: bool) -> None:
    """Record a machine's heartbeat. One not seen for a minute joins again, behind all others."""
    joined_at = Case(When(seen_at__lt=Now() - SEEN_FOR, then=Now()), default=F("joined_at"))
    values = {"host": settings.MACHINE_NAME[:255], "reaches_redis": reaches}
    if Machine.objects.filter(pk=own_id).update(joined_at=joined_at, seen_at=Now(), **values):
        return
    gone = Q(running_at=None) | Q(running_at__lt=Now() - _FORGET_AFTER)
    Machine.objects.filter(gone, seen_at__lt=Now() - _FORGET_AFTER).delete()
    Machine.objects.bulk_create([Machine(id=own_id, joined_at=Now(), seen_at=Now(), **values)], ignore_conflicts=True)
