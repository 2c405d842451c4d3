"""Shared by the parts of the simulated PayPal: memory, clock, shapes, and `announce` for events."""

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from emailcheck.sandbox.paypal.errors import not_found_fault
from emailcheck.sandbox.paypal.records import Event
from emailcheck.sandbox.paypal.representations import Representations
from emailcheck.sandbox.paypal.state import Memory, State, new_id
from emailcheck.sandbox.paypal.webhook_signing import Signer

_Found = TypeVar("_Found")


class PayPalContext:
    """One simulated PayPal. Raises `OSError` when its folder cannot be written."""

    def __init__(self, folder: Path) -> None:
        self.state = State(folder / "paypal.state")
        self.signer = Signer(self.state)
        self.shapes = Representations("", "")
        self.listeners: list[Callable[[Event], None]] = []
        self._now: datetime | None = None

    @property
    def memory(self) -> Memory:
        return self.state.memory

    def now(self) -> datetime:
        """Virtual time; during a catch-up, the replayed time."""
        return self._now or self.state.now()

    def play(self, moment: datetime, act: Callable[[], None]) -> None:
        """Call with the virtual time set to a moment."""
        self._now = moment
        try:
            act()
        finally:
            self._now = None

    def announce(self, kind: str, resource: dict[str, Any], summary: str) -> Event:
        """Create an event and pass it to delivery."""
        event_id = f"WH-{new_id()}-{new_id()}"
        here = f"/v1/notifications/webhooks-events/{event_id}"
        now = self.now()
        resource_type = _resource_type(kind)
        envelope = {
            "id": event_id,
            "event_version": "1.0",
            "create_time": now.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "resource_type": resource_type,
            "resource_version": "1.0" if resource_type == "sale" else "2.0",
            "event_type": kind,
            "summary": summary,
            "resource": resource,
            "links": [
                self.shapes.link(here, "self"),
                self.shapes.link(f"{here}/resend", "resend", "POST"),
            ],
        }
        event = Event(id=event_id, kind=kind, body=json.dumps(envelope).encode(), create_time=now, about=resource["id"])
        self.state.remember(event)
        for listener in self.listeners:
            listener(event)
        return event


def require_record(records: dict[str, _Found], record_id: str) -> _Found:
    """The record of that id. Raises the 404 of PayPal."""
    record = records.get(record_id)
    if record is None:
        raise not_found_fault()
    return record


def _resource_type(kind: str) -> str:
    if kind.startswith("CHECKOUT.ORDER."):
        return "checkout-order"
    if kind.startswith("BILLING.SUBSCRIPTION."):
        return "subscription"
    if kind.endswith(".REFUNDED"):
        return "refund"
    return "sale" if kind.startswith("PAYMENT.SALE.") else "capture"
