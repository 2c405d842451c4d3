"""The memory of the simulated PayPal: stored in one file over restarts, with a movable clock."""

import pickle
import secrets
import string
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from emailcheck.sandbox.paypal.records import (
    Event,
    Order,
    Payment,
    Plan,
    Product,
    Refund,
    Replay,
    Subscription,
    Webhook,
)

_VERSION = 2
_CAPITALS = string.ascii_uppercase + string.digits
_MOST_EVENTS = 1_000


@dataclass(slots=True)
class Memory:
    """The stored state. `ahead`: virtual time minus real time, unless the clock is `held`."""

    version: int = _VERSION
    ahead: timedelta = timedelta(0)
    held: datetime | None = None
    products: dict[str, Product] = field(default_factory=dict)
    plans: dict[str, Plan] = field(default_factory=dict)
    orders: dict[str, Order] = field(default_factory=dict)
    payments: dict[str, Payment] = field(default_factory=dict)
    refunds: dict[str, Refund] = field(default_factory=dict)
    subscriptions: dict[str, Subscription] = field(default_factory=dict)
    webhooks: dict[str, Webhook] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    replays: dict[str, Replay] = field(default_factory=dict)
    signing_key: bytes = b""
    certificate: bytes = b""


class State:
    """The memory and its file. Raises `OSError` when its folder cannot be written."""

    def __init__(self, file: Path) -> None:
        self._file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        self.memory = _load_memory(file)

    def save(self) -> None:
        """Store everything, atomically."""
        draft = self._file.with_suffix(".new")
        draft.write_bytes(pickle.dumps(self.memory))
        draft.replace(self._file)

    def reset(self, *, held: datetime | None = None) -> None:
        """Delete everything but the webhooks and their key. Time is real again, or is held."""
        old = self.memory
        self.memory = Memory(held=held, webhooks=old.webhooks, signing_key=old.signing_key, certificate=old.certificate)
        self.save()

    def now(self) -> datetime:
        """Virtual time, to the second."""
        return self.memory.held or (datetime.now(UTC) + self.memory.ahead).replace(microsecond=0)

    def remember(self, event: Event) -> None:
        """Store an event; the oldest are dropped."""
        events = self.memory.events
        events[event.id] = event
        while len(events) > _MOST_EVENTS:
            del events[next(iter(events))]


def _load_memory(file: Path) -> Memory:
    """The stored state; an empty one when it is unreadable or of an older version."""
    try:
        memory = pickle.loads(file.read_bytes())
    except Exception:
        return Memory()
    return memory if isinstance(memory, Memory) and memory.version == _VERSION else Memory()


def new_id(prefix: str = "", length: int = 17) -> str:
    """An id that looks like PayPal's: capitals and digits after a prefix."""
    return prefix + "".join(secrets.choice(_CAPITALS) for _ in range(length))
