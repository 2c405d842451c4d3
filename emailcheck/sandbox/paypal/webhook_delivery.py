"""Delivers signed webhooks: automatically as PayPal does, or as the switches and forgeries require."""

import asyncio
import json
import random
import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx2

from emailcheck.sandbox.paypal.context import PayPalContext
from emailcheck.sandbox.paypal.records import Attempt, Event, Webhook
from emailcheck.sandbox.paypal.webhook_signing import CERTIFICATE_ID, force_checksum, sign_by_stranger

FORGERIES = {
    "stranger": "signed with a key that is not PayPal's",
    "elsewhere": "signed with a stranger's key whose certificate lies elsewhere",
    "other_webhook": "signed for the webhook of another shop",
    "altered": "altered after it was signed",
    "checksum": "altered, with blanks behind it that restore the signed checksum",
    "invented": "an event that never was, with the checksum of one that was",
}
_CLAIMS = {"custom_id": "somebody-else", "custom": "somebody-else", "value": "99999.00", "total": "99999.00"}
ORDERS = ("as_made", "reversed", "shuffled")
_FIRST_RETRY_S, _LONGEST_RETRY_S = 10.0, 10_800.0
_MOST_TRIES = 25
_TIMEOUT_S = 10.0
_IDLE_S = 15.0


@dataclass(slots=True)
class WebhookSwitches:
    """Switches of delivery:

    `copies` of each, `delay_s` seconds late; `hold` stores them until released, `lose` drops them.
    """

    copies: int = 1
    delay_s: float = 0.0
    hold: bool = False
    lose: bool = False


@dataclass(slots=True)
class WebhookParcel:
    """One delivery to make. `due` is in seconds of the monotonic clock."""

    event: Event
    webhook: Webhook
    due: float
    tries: int = 0


class WebhookCourier:
    """The deliveries that wait, and who makes them."""

    def __init__(self, site: PayPalContext) -> None:
        self._site = site
        self.switches = WebhookSwitches()
        self.waiting: list[WebhookParcel] = []
        self._task: asyncio.Task[None] | None = None
        self._client: httpx2.AsyncClient | None = None
        self._wakeup = asyncio.Event()
        site.listeners.append(self.enqueue)

    def enqueue(self, event: Event) -> None:
        """Prepare the deliveries of a new event."""
        if self.switches.lose:
            return
        for webhook in self._site.memory.webhooks.values():
            if {"*", event.kind} & set(webhook.event_types):
                due = time.monotonic() + self.switches.delay_s
                self.waiting += [WebhookParcel(event, webhook, due) for _ in range(self.switches.copies)]
        self.notify()

    def resend(self, event: Event) -> None:
        """Prepare one more delivery of an event, whatever the switches say."""
        self.waiting += [WebhookParcel(event, webhook, 0.0) for webhook in self._site.memory.webhooks.values()]
        self.notify()

    def package(self, event: Event, webhook_id: str, forgery: str = "") -> tuple[dict[str, str], bytes]:
        """Headers and body of a delivery, genuine or forged."""
        url = f"{self._site.shapes.api}/v1/notifications/certs/{CERTIFICATE_ID}"
        signed_for = "0FOREIGN00WEBHOOK" if forgery == "other_webhook" else webhook_id
        headers = self._site.signer.headers(event.body, signed_for, url)
        body = event.body
        if forgery in {"altered", "checksum", "invented"}:
            body = _forge_event(event.body, invent=forgery == "invented")
        if forgery in {"checksum", "invented"}:
            body = force_checksum(body, zlib.crc32(event.body))
        if forgery in {"stranger", "elsewhere"}:
            headers = sign_by_stranger(headers, webhook_id, body)
        if forgery == "elsewhere":
            headers["PAYPAL-CERT-URL"] = url.replace("127.0.0.1", "127.0.0.2")
        return {**headers, "Content-Type": "application/json"}, body

    async def deliver(self, order: str = "as_made", only: Iterable[str] = ()) -> list[dict[str, Any]]:
        """Make all waiting deliveries now, or those of some events; answers what each receiver said."""
        wanted = set(only)
        chosen = [parcel for parcel in self.waiting if not wanted or parcel.event.id in wanted]
        self.waiting = [parcel for parcel in self.waiting if parcel not in chosen]
        if order == "reversed":
            chosen.reverse()
        elif order == "shuffled":
            random.shuffle(chosen)
        return [await self._hand_over(parcel) for parcel in chosen]

    async def forge(self, event: Event, forgery: str) -> list[dict[str, Any]]:
        """Send a forged delivery to every webhook; answers what each receiver said."""
        outcomes = []
        for webhook in list(self._site.memory.webhooks.values()):
            headers, body = self.package(event, webhook.id, forgery)
            attempt = await self._post(webhook.url, headers, body)
            event.attempts.append(Attempt(time=attempt.time, status=attempt.status, note=f"forged: {forgery}"))
            outcomes.append({"event": event.id, "kind": event.kind, "status": attempt.status, "forged": forgery})
        return outcomes

    def start(self, catch_up: Callable[[], None]) -> None:
        """Deliver in the background from now on, and let time pass where nobody asks."""
        self._task = asyncio.get_running_loop().create_task(self._run(catch_up))

    def notify(self) -> None:
        """Look again at once."""
        self._wakeup.set()

    async def stop(self) -> None:
        """End the deliveries; what waits is forgotten."""
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._client:
            await self._client.aclose()

    async def _run(self, catch_up: Callable[[], None]) -> None:
        while True:
            self._wakeup.clear()
            catch_up()
            now = time.monotonic()
            due = [] if self.switches.hold else [parcel for parcel in self.waiting if parcel.due <= now]
            for parcel in due:
                if parcel in self.waiting:
                    self.waiting.remove(parcel)
                    await self._hand_over(parcel)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wakeup.wait(), 0.2 if self.waiting else _IDLE_S)

    async def _hand_over(self, parcel: WebhookParcel) -> dict[str, Any]:
        headers, body = self.package(parcel.event, parcel.webhook.id)
        attempt = await self._post(parcel.webhook.url, headers, body)
        parcel.event.attempts.append(attempt)
        parcel.tries += 1
        if not 200 <= attempt.status < 300 and parcel.tries < _MOST_TRIES:
            parcel.due = time.monotonic() + min(_FIRST_RETRY_S * 2 ** (parcel.tries - 1), _LONGEST_RETRY_S)
            self.waiting.append(parcel)
        return {"event": parcel.event.id, "kind": parcel.event.kind, "status": attempt.status}

    async def _post(self, url: str, headers: dict[str, str], body: bytes) -> Attempt:
        if self._client is None:
            self._client = httpx2.AsyncClient(timeout=_TIMEOUT_S, trust_env=False)
        note, status = "", 0
        try:
            status = (await self._client.post(url, headers=headers, content=body)).status_code
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            note = type(error).__name__
        return Attempt(time=datetime.now(UTC), status=status, note=note)


def _forge_part(answer: Any) -> Any:
    """A part of an event, forged."""
    if isinstance(answer, dict):
        return {name: _CLAIMS.get(name) or _forge_part(part) for name, part in answer.items()}
    return [_forge_part(part) for part in answer] if isinstance(answer, list) else answer


def _forge_event(body: bytes, *, invent: bool) -> bytes:
    """The event with another customer and a large sum, also in each unit of an order.

    If invented, with an id that PayPal never gave.
    """
    event = json.loads(body)
    event["resource"] = _forge_part(event["resource"]) | {name: _CLAIMS[name] for name in ("custom_id", "custom")}
    if invent:
        event["id"] = "WH-0000000000000FORGE-0000000000000FORGE"
    return json.dumps(event).encode()
