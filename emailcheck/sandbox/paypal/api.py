"""Every call of PayPal's REST interface that the simulation answers."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from emailcheck.sandbox.paypal import errors
from emailcheck.sandbox.paypal.context import require_record
from emailcheck.sandbox.paypal.records import Webhook
from emailcheck.sandbox.paypal.request_body import Body
from emailcheck.sandbox.paypal.rest import Answer, RestCall
from emailcheck.sandbox.paypal.state import new_id
from emailcheck.sandbox.paypal.webhook_signing import CERTIFICATE_ID
from emailcheck.sandbox.paypal.world import PayPalWorld

_ORDERS, _PLANS, _MONEY = timedelta(hours=6), timedelta(hours=72), timedelta(days=45)
_REPORT_SPAN = timedelta(days=31)
_PRICE_PATH = "/plan/billing_cycles/@sequence==1/pricing_scheme/fixed_price"


def api_routes(world: PayPalWorld) -> list[Route]:
    """The routes, below the root of the simulation's address."""
    calls, rest = _Calls(world), world.rest
    return [
        rest.open_route("POST", "/v1/oauth2/token", rest.token),
        rest.open_route("GET", "/v1/notifications/certs/{id}", calls.certificate),
        rest.route("POST", "/v1/catalogs/products", calls.create_product, remember=_PLANS, replayed=200),
        rest.route("GET", "/v1/catalogs/products/{id}", calls.product),
        rest.route("POST", "/v1/billing/plans", calls.create_plan, remember=_PLANS, replayed=200),
        rest.route("GET", "/v1/billing/plans/{id}", calls.plan),
        rest.route("POST", "/v1/billing/plans/{id}/activate", calls.activate_plan),
        rest.route("POST", "/v1/billing/plans/{id}/deactivate", calls.deactivate_plan),
        rest.route("POST", "/v2/checkout/orders", calls.create_order, remember=_ORDERS, replayed=200),
        rest.route("GET", "/v2/checkout/orders/{id}", calls.order),
        rest.route("POST", "/v2/checkout/orders/{id}/capture", calls.capture, remember=_ORDERS, replayed=200),
        rest.route("GET", "/v2/payments/captures/{id}", calls.payment),
        rest.route("POST", "/v2/payments/captures/{id}/refund", calls.refund, remember=_MONEY, replayed=200),
        rest.route("POST", "/v1/payments/sale/{id}/refund", calls.refund, remember=_MONEY, replayed=200),
        rest.route("GET", "/v2/payments/refunds/{id}", calls.refunded),
        rest.route("POST", "/v1/billing/subscriptions", calls.subscribe, remember=_PLANS, replayed=200),
        rest.route("GET", "/v1/billing/subscriptions/{id}", calls.subscription),
        rest.route("PATCH", "/v1/billing/subscriptions/{id}", calls.change_subscription),
        rest.route("POST", "/v1/billing/subscriptions/{id}/revise", calls.revise, remember=_PLANS),
        rest.route("POST", "/v1/billing/subscriptions/{id}/suspend", calls.suspend),
        rest.route("POST", "/v1/billing/subscriptions/{id}/activate", calls.activate),
        rest.route("POST", "/v1/billing/subscriptions/{id}/cancel", calls.cancel),
        rest.route("POST", "/v1/billing/subscriptions/{id}/capture", calls.capture_outstanding, remember=_PLANS),
        rest.route("GET", "/v1/billing/subscriptions/{id}/transactions", calls.transactions),
        rest.route("GET", "/v1/reporting/transactions", calls.report),
        rest.route("POST", "/v1/notifications/webhooks", calls.register),
        rest.route("POST", "/v1/notifications/verify-webhook-signature", calls.verify),
        rest.route("GET", "/v1/notifications/webhooks-events/{id}", calls.event),
        rest.route("POST", "/v1/notifications/webhooks-events/{id}/resend", calls.resend),
    ]


class _Calls:
    def __init__(self, world: PayPalWorld) -> None:
        self._world = world
        self._shapes = world.site.shapes

    # --- catalogue

    def create_product(self, call: RestCall) -> Answer:
        return 201, self._shapes.product(self._world.catalogue.create_product(call.body()))

    def product(self, call: RestCall) -> Answer:
        return 200, self._shapes.product(self._world.catalogue.product(call.path["id"]))

    def create_plan(self, call: RestCall) -> Answer:
        plan = self._world.catalogue.create_plan(call.body())
        return 201, self._shapes.whole_plan(plan) if call.whole else self._shapes.plan(plan)

    def plan(self, call: RestCall) -> Answer:
        return 200, self._shapes.whole_plan(self._world.catalogue.plan(call.path["id"]))

    def activate_plan(self, call: RestCall) -> Answer:
        self._world.catalogue.set_status(call.path["id"], "ACTIVE")
        return 204, None

    def deactivate_plan(self, call: RestCall) -> Answer:
        self._world.catalogue.set_status(call.path["id"], "INACTIVE")
        return 204, None

    # --- orders and payments

    def create_order(self, call: RestCall) -> Answer:
        order = self._world.orders.create(call.body())
        shape = self._world.orders.shown(order) if call.whole else self._shapes.new_order(order)
        return 200 if order.with_source else 201, shape

    def order(self, call: RestCall) -> Answer:
        return 200, self._world.orders.shown(self._world.orders.get(call.path["id"]))

    def capture(self, call: RestCall) -> Answer:
        order = self._world.orders.capture(call.path["id"])
        return 201, self._shapes.captured(order, self._world.orders.payments_of(order))

    def payment(self, call: RestCall) -> Answer:
        return 200, self._world.payments.shown(call.path["id"])

    def refund(self, call: RestCall) -> Answer:
        answer = self._shapes.refund(self._world.payments.refund(call.path["id"], call.body()))
        return 201, answer if call.whole else {name: answer[name] for name in ("id", "status", "links")}

    def refunded(self, call: RestCall) -> Answer:
        return 200, self._shapes.refund(require_record(self._world.site.memory.refunds, call.path["id"]))

    # --- subscriptions

    def subscribe(self, call: RestCall) -> Answer:
        found = self._world.subscriptions.create(call.body())
        return 201, self._world.subscriptions.shown(found) if call.whole else self._shapes.new_subscription(found)

    def subscription(self, call: RestCall) -> Answer:
        found = self._world.subscriptions.get(call.path["id"])
        return 200, self._world.subscriptions.shown(found, call.query.get("fields", ""))

    def change_subscription(self, call: RestCall) -> Answer:
        """The custom id and the price can be replaced here, nothing else."""
        found = self._world.subscriptions.get(call.path["id"])
        try:
            changes = json.loads(call.raw)
        except ValueError as error:
            raise errors.invalid_fault("/", "") from error
        for change in map(Body, changes if isinstance(changes, list) else [None]):
            change.choice("op", "replace")
            if change.text("path") == _PRICE_PATH:
                self._world.subscriptions.reprice(found.id, change.money("value")[0])
            elif change.text("path") == "/custom_id":
                found.custom_id = change.text("value")
            else:
                raise errors.invalid_fault("/path", change.text("path"))
        return 204, None

    def revise(self, call: RestCall) -> Answer:
        plan_id = self._world.subscriptions.revise(call.path["id"], call.body())
        return 200, self._shapes.revised(self._world.subscriptions.get(call.path["id"]), plan_id)

    def suspend(self, call: RestCall) -> Answer:
        call.body().text("reason", longest=128)
        self._world.subscriptions.suspend(call.path["id"])
        return 204, None

    def activate(self, call: RestCall) -> Answer:
        self._world.subscriptions.activate(call.path["id"])
        return 204, None

    def cancel(self, call: RestCall) -> Answer:
        call.body().text("reason", longest=128)
        self._world.subscriptions.cancel(call.path["id"])
        return 204, None

    def capture_outstanding(self, call: RestCall) -> Answer:
        self._world.subscriptions.capture_outstanding(call.path["id"], call.body())
        return 202, None

    def transactions(self, call: RestCall) -> Answer:
        start, end = _parse_span(call.query, "start_time", "end_time")
        found = self._world.subscriptions.get(call.path["id"])
        payments = self._world.subscriptions.transactions(found)
        listed = [self._shapes.transaction(payment) for payment in payments if start <= payment.create_time <= end]
        here = self._shapes.link(f"/v1/billing/subscriptions/{found.id}/transactions", "self")
        return 200, {"transactions": listed, "links": [here]}

    # --- reports and webhooks

    def report(self, call: RestCall) -> Answer:
        start, end = _parse_span(call.query, "start_date", "end_date")
        if end - start > _REPORT_SPAN:
            raise errors.invalid_fault("/end_date", call.query["end_date"])
        page, size = _parse_page_number(call.query, "page", 1), _parse_page_number(call.query, "page_size", 100)
        lines = self._world.payments.report(start, end)
        return 200, {
            "transaction_details": lines[(page - 1) * size : page * size],
            "account_number": "C7CYMKZDG8D6E",
            "start_date": start.strftime("%Y-%m-%dT%H:%M:%S+0000"),
            "end_date": end.strftime("%Y-%m-%dT%H:%M:%S+0000"),
            "last_refreshed_datetime": self._world.site.now().strftime("%Y-%m-%dT%H:%M:%S+0000"),
            "page": page,
            "total_items": len(lines),
            "total_pages": -(-len(lines) // size),
            "links": [self._shapes.link("/v1/reporting/transactions", "self")],
        }

    def register(self, call: RestCall) -> Answer:
        body = call.body()
        types = [node.text("name") for node in body.nodes("event_types")]
        webhook = Webhook(id=new_id(), url=body.address("url"), event_types=types)
        self._world.site.memory.webhooks[webhook.id] = webhook
        return 201, {"id": webhook.id, "url": webhook.url, "event_types": [{"name": name} for name in types],
                     "links": []}  # fmt: skip

    def verify(self, call: RestCall) -> Answer:
        """The event has to be spliced in as it came: the checksum covers its bytes."""
        body = call.body()
        names = ("transmission_id", "transmission_time", "transmission_sig")
        answer = {name: body.text(name, longest=500) for name in names}
        body.node("webhook_event")
        good = self._world.site.signer.verify(answer, body.text("webhook_id"), _extract_event_text(call.raw))
        return 200, {"verification_status": "SUCCESS" if good else "FAILURE"}

    def event(self, call: RestCall) -> Answer:
        return 200, json.loads(require_record(self._world.site.memory.events, call.path["id"]).body)

    def resend(self, call: RestCall) -> Answer:
        event = require_record(self._world.site.memory.events, call.path["id"])
        self._world.courier.resend(event)
        return 202, json.loads(event.body)

    async def certificate(self, request: Request) -> Response:
        if request.path_params["id"] != CERTIFICATE_ID:
            return Response("There is no such certificate.", status_code=404)
        pem = self._world.site.signer.certificate()
        self._world.site.state.save()
        return Response(pem, media_type="application/x-x509-ca-cert")


def _parse_page_number(query: Mapping[str, str], name: str, default: int) -> int:
    """A number from 1 to 500 in the query."""
    value_text = query.get(name, str(default))
    if not value_text.isascii() or not value_text.isdigit() or not 1 <= int(value_text) <= 500:
        raise errors.invalid_fault(f"/{name}", value_text)
    return int(value_text)


def _parse_span(query: Mapping[str, str], start: str, end: str) -> tuple[datetime, datetime]:
    body = Body(dict(query))
    return body.time(start), body.time(end)


def _extract_event_text(raw: bytes) -> bytes:
    """The text of the member `webhook_event`, untouched."""
    text = raw.decode()
    begins = text.index("{", text.index('"webhook_event"'))
    _: Any
    _, ends = json.JSONDecoder().raw_decode(text, begins)
    return text[begins:ends].encode()
