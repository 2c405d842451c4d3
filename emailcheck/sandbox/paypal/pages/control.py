"""The page and the calls that move the simulated PayPal: its clock, its webhooks, its buyers and their banks."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.page_helpers import Templates, finish_request, parse_number, read_fields, wants_json
from emailcheck.sandbox.paypal.context import require_record
from emailcheck.sandbox.paypal.errors import Fault
from emailcheck.sandbox.paypal.pages.overview import build_overview
from emailcheck.sandbox.paypal.records import Event
from emailcheck.sandbox.paypal.representations import format_iso
from emailcheck.sandbox.paypal.request_body import Body
from emailcheck.sandbox.paypal.rest import TROUBLES, Trouble
from emailcheck.sandbox.paypal.webhook_delivery import FORGERIES, ORDERS, WebhookSwitches
from emailcheck.sandbox.paypal.world import PATH, PayPalWorld

_MOST_DAYS = 800
_LIMITS = {"copies": 16, "delay_s": 86_400, "hold": 1, "lose": 1}


def control_routes(world: PayPalWorld, templates: Templates) -> list[Route]:
    """The routes below `/sandbox/paypal`."""
    control = _Control(world, templates)
    return [
        Route(PATH, control.index, methods=["GET"]),
        Route(f"{PATH}/clock", control.clock, methods=["POST"]),
        Route(f"{PATH}/webhooks", control.webhooks, methods=["POST"]),
        Route(f"{PATH}/deliver", control.deliver, methods=["POST"]),
        Route(f"{PATH}/trouble", control.trouble, methods=["POST"]),
        Route(f"{PATH}/reset", control.reset, methods=["POST"]),
        Route(f"{PATH}/events/{{id}}", control.event, methods=["GET"]),
        Route(f"{PATH}/events/{{id}}", control.send_event, methods=["POST"]),
        Route(f"{PATH}/subscriptions/{{id}}", control.subscription, methods=["POST"]),
        Route(f"{PATH}/payments/{{id}}", control.payment, methods=["POST"]),
    ]


class _Control:
    def __init__(self, world: PayPalWorld, templates: Templates) -> None:
        self._world = world
        self._templates = templates

    async def index(self, request: Request) -> Response:
        """Everything there is, newest first."""
        self._world.catch_up()
        answer = build_overview(self._world)
        if wants_json(request):
            return JSONResponse(answer)
        return self._templates.page(request, "paypal.html", forgeries=FORGERIES, **answer)

    async def clock(self, request: Request) -> Response:
        """Move time ahead by `days` or up to `to`; `hold` lets it stand still or go on."""
        fields, memory = await read_fields(request), self._world.site.memory
        now = self._world.site.state.now()
        ahead = _move_clock(now, fields) - now
        if not timedelta(0) <= ahead <= timedelta(days=_MOST_DAYS):
            raise HTTPException(400, f"Time moves ahead, by at most {_MOST_DAYS} days at once.")
        held = _parse_number("hold", fields, 1) if "hold" in fields else int(memory.held is not None)
        memory.ahead = now + ahead - datetime.now(UTC)
        memory.held = now + ahead if held else None
        self._world.catch_up()
        return self._done(request, "clock", {"now": format_iso(self._world.site.state.now()), "held": bool(held)})

    async def webhooks(self, request: Request) -> Response:
        """How webhooks are delivered from now on."""
        fields, switches = await read_fields(request), self._world.courier.switches
        unknown = set(fields) - set(_LIMITS)
        if unknown:
            raise HTTPException(400, f"There is no switch {sorted(unknown)[0]}; there are {', '.join(_LIMITS)}.")
        numbers = {name: _parse_number(name, fields, limit) for name, limit in _LIMITS.items() if name in fields}
        changed = WebhookSwitches(
            copies=max(1, int(numbers.get("copies", switches.copies))),
            delay_s=numbers.get("delay_s", switches.delay_s),
            hold=bool(numbers.get("hold", switches.hold)),
            lose=bool(numbers.get("lose", switches.lose)),
        )
        self._world.courier.switches = changed
        return self._done(request, "webhooks", asdict(changed))

    async def deliver(self, request: Request) -> Response:
        """Deliver what waits, now: `order` is as_made, reversed or shuffled, `events` a list of ids."""
        fields = await read_fields(request)
        order = str(fields.get("order", ORDERS[0]))
        if order not in ORDERS:
            raise HTTPException(400, f"order is one of {', '.join(ORDERS)}.")
        only = [str(event_id) for event_id in fields.get("events") or []]
        return self._done(request, "webhooks", await self._world.courier.deliver(order, only))

    async def trouble(self, request: Request) -> Response:
        """Let the next `times` calls below `path` go wrong: `kind`, and `seconds` for what takes time."""
        fields = await read_fields(request)
        kind = str(fields.get("kind", ""))
        if kind not in TROUBLES:
            raise HTTPException(400, f"kind is one of {', '.join(TROUBLES)}.")
        times, seconds = (
            _parse_number("times", {"times": 1, **fields}, 100),
            _parse_number("seconds", {"seconds": 1, **fields}, 60),
        )
        trouble = Trouble(kind=kind, path=str(fields.get("path", "/v")), times=int(times), seconds=seconds)
        self._world.rest.troubles.append(trouble)
        return self._done(request, "trouble", asdict(trouble))

    async def reset(self, request: Request) -> Response:
        """Forget everything; time is the real one again, or stands still at `to`."""
        fields = await read_fields(request)
        self._world.site.state.reset(held=_parse_moment(fields) if fields.get("to") else None)
        self._world.courier.waiting.clear()
        self._world.courier.switches = WebhookSwitches()
        self._world.rest.troubles.clear()
        self._world.rest.forget_tokens()
        return self._done(request, "", {"now": format_iso(self._world.site.now())})

    async def event(self, request: Request) -> Response:
        """A delivery of an event as it would be sent, genuine or (`forged=`) not: headers and body."""
        event, forgery = self._event(request), request.query_params.get("forged", "")
        if forgery and forgery not in FORGERIES:
            raise HTTPException(400, f"forged is one of {', '.join(FORGERIES)}.")
        webhook_id = next(iter(self._world.site.memory.webhooks), "")
        headers, body = self._world.courier.package(event, webhook_id, forgery)
        self._world.site.state.save()
        return JSONResponse({"id": event.id, "kind": event.kind, "headers": headers, "body": body.decode()})

    async def send_event(self, request: Request) -> Response:
        """Send an event once more, as it is or forged."""
        event, fields = self._event(request), await read_fields(request)
        forgery = str(fields.get("forged", ""))
        if forgery and forgery not in FORGERIES:
            raise HTTPException(400, f"forged is one of {', '.join(FORGERIES)}.")
        if forgery:
            return self._done(request, "events", await self._world.courier.forge(event, forgery))
        self._world.courier.resend(event)
        return self._done(request, "events", await self._world.courier.deliver(only=[event.id]))

    async def subscription(self, request: Request) -> Response:
        """What the buyer or the buyer's bank does: fail, recover, cancel, suspend, activate."""
        subscriptions, here = self._world.subscriptions, request.path_params["id"]
        acts: dict[str, Callable[[], None]] = {
            "fail": lambda: setattr(subscriptions.get(here), "failing", True),
            "recover": lambda: setattr(subscriptions.get(here), "failing", False),
            "cancel": lambda: subscriptions.cancel(here),
            "suspend": lambda: subscriptions.suspend(here),
            "activate": lambda: subscriptions.activate(here),
        }
        await self._act(request, acts)
        return self._done(request, "subscriptions", subscriptions.shown(subscriptions.get(here)))

    async def payment(self, request: Request) -> Response:
        """What happens to a payment later: complete, decline, reverse, refund."""
        payments, here = self._world.payments, request.path_params["id"]
        acts: dict[str, Callable[[], object]] = {
            "complete": lambda: payments.decide(here, "COMPLETED"),
            "decline": lambda: payments.decide(here, "DECLINED"),
            "reverse": lambda: payments.reverse(here),
            "refund": lambda: payments.refund(here, Body({})),
        }
        await self._act(request, acts)
        return self._done(request, "payments", payments.shown(here))

    async def _act(self, request: Request, acts: Mapping[str, Callable[[], object]]) -> None:
        act = acts.get(str((await read_fields(request)).get("action")))
        if act is None:
            raise HTTPException(400, f"action is one of {', '.join(acts)}.")
        self._world.catch_up()
        try:
            act()
        except Fault as fault:
            issue = fault.body["details"][0]["issue"]
            raise HTTPException(fault.status, f"PayPal refuses: {issue}") from fault

    def _event(self, request: Request) -> Event:
        try:
            return require_record(self._world.site.memory.events, request.path_params["id"])
        except Fault as fault:
            raise HTTPException(404, "There is no such event.") from fault

    def _done(self, request: Request, section: str, answer: Any) -> Response:
        self._world.site.state.save()
        return finish_request(request, f"{PATH}#{section}", answer)


def _move_clock(now: datetime, fields: Mapping[str, Any]) -> datetime:
    if fields.get("to"):
        return _parse_moment(fields)
    return now + timedelta(days=_parse_number("days", {"days": 0, **fields}, _MOST_DAYS))


def _parse_moment(fields: Mapping[str, Any]) -> datetime:
    try:
        found = datetime.fromisoformat(str(fields["to"]))
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC).replace(microsecond=0)
    except (ValueError, OverflowError) as error:
        raise HTTPException(400, "to is a time such as 2026-12-20T10:00:00Z.") from error


def _parse_number(name: str, fields: Mapping[str, Any], limit: float) -> float:
    """A number from 0 to the limit; true and on count as 1, nothing as 0."""
    value_text = fields.get(name) or 0
    return parse_number(name, 1 if value_text in ("on", "true") else value_text, limit)
