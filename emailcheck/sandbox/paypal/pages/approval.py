"""The pages where a buyer approves or cancels a payment or a subscription."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.page_helpers import Templates, read_fields, wants_json
from emailcheck.sandbox.paypal.commerce.catalogue import Catalogue
from emailcheck.sandbox.paypal.commerce.orders import OUTCOMES
from emailcheck.sandbox.paypal.commerce.renewals import find_current_cycle
from emailcheck.sandbox.paypal.errors import Fault
from emailcheck.sandbox.paypal.records import Cycle, Order, Subscription
from emailcheck.sandbox.paypal.representations import MERCHANT, PAYER_EMAIL
from emailcheck.sandbox.paypal.world import PATH, PayPalWorld

_CHOICES = (*OUTCOMES, "cancel")
_ENDED = {
    "APPROVED": "This payment is approved. The shop has not captured it yet.",
    "COMPLETED": "This payment is complete.",
    "VOIDED": "This payment was not approved in time.",
}


def approval_routes(world: PayPalWorld, templates: Templates) -> list[Route]:
    """The pages that approval links lead to."""
    pages = _Approval(world, templates)
    routes = []
    for path, page, choose in (
        ("/checkoutnow", pages.order, pages.choose_for_order),
        ("/webapps/billing/subscriptions", pages.subscription, pages.choose_for_subscription),
        ("/webapps/billing/subscriptions/update", pages.subscription, pages.choose_for_subscription),
    ):
        routes += [Route(PATH + path, page, methods=["GET"]), Route(PATH + path, choose, methods=["POST"])]
    return routes


class _Approval:
    def __init__(self, world: PayPalWorld, templates: Templates) -> None:
        self._world = world
        self._templates = templates

    async def order(self, request: Request) -> Response:
        """One payment, with what it is for."""
        self._world.catch_up()
        order = self._find_record(lambda: self._world.orders.get(request.query_params.get("token", "")))
        return self._gone(request) if order is None else self._order_page(request, order)

    async def choose_for_order(self, request: Request) -> Response:
        choice = (await read_fields(request)).get("outcome")
        order_id = request.query_params.get("token", "")
        return self._choose(
            request, choice, lambda: self._world.orders.cancelled_url(order_id),
            lambda: self._world.orders.approve(order_id, str(choice)),
        )  # fmt: skip

    async def subscription(self, request: Request) -> Response:
        """A subscription, with what it costs and when."""
        self._world.catch_up()
        found = self._find_record(
            lambda: self._world.subscriptions.find_by_token(request.query_params.get("ba_token", ""))
        )
        return self._gone(request) if found is None else self._subscription_page(request, found)

    async def choose_for_subscription(self, request: Request) -> Response:
        choice = (await read_fields(request)).get("outcome")
        token = request.query_params.get("ba_token", "")
        return self._choose(
            request, choice, lambda: self._world.subscriptions.cancelled_url(token),
            lambda: self._world.subscriptions.approve(token, str(choice)),
        )  # fmt: skip

    def _choose(
        self, request: Request, choice: object, cancel: Callable[[], str], approve: Callable[[], str]
    ) -> Response:
        if choice not in _CHOICES:
            return JSONResponse({"detail": f"outcome is one of {', '.join(_CHOICES)}."}, status_code=400)
        self._world.catch_up()
        try:
            target = cancel() if choice == "cancel" else approve()
        except Fault:
            return self._gone(request)
        self._world.site.state.save()
        if not urlsplit(target).netloc:
            return JSONResponse({"detail": "The shop did not say where to return to."}, status_code=409)
        return JSONResponse({"redirect": target}) if wants_json(request) else RedirectResponse(target, 302)

    def _order_page(self, request: Request, order: Order) -> Response:
        return self._page(
            request,
            about=order,
            title=order.description or "Payment",
            lines=[("Today", _format_money(order.amount, order.currency), "one payment")],
            reference=order.invoice_id or order.custom_id,
            ended=_ENDED.get(order.status, ""),
            action="Pay now",
            kind="payment",
        )

    def _subscription_page(self, request: Request, found: Subscription) -> Response:
        plan = self._world.catalogue.plan(found.revised_plan or found.plan_id)
        waiting = found.status == "APPROVAL_PENDING"
        return self._page(
            request,
            about=found,
            title=plan.name,
            lines=_list_changed_terms(found, self._world.catalogue)
            if found.revised_plan
            else _list_terms(found, plan.currency),
            reference=found.custom_id,
            ended="" if waiting or found.revised_plan else f"This subscription is {found.status.lower()}.",
            action="Agree and change" if found.revised_plan else "Agree and subscribe",
            kind="change" if found.revised_plan else "subscription",
        )

    def _page(self, request: Request, *, about: Order | Subscription, **values: Any) -> Response:
        return self._templates.page(
            request,
            "approve.html",
            leads_to=" ".join(sorted({_extract_origin(about.return_url), _extract_origin(about.cancel_url)} - {""})),
            brand=about.brand or MERCHANT["email_address"],
            payer=PAYER_EMAIL,
            payee=MERCHANT["email_address"],
            here=f"?{request.url.query}",
            return_url=about.return_url,
            **values,
        )

    def _gone(self, request: Request) -> Response:
        return self._templates.page(request, "approval_gone.html", status=404)

    def _find_record(self, look: Callable[[], Any]) -> Any:
        try:
            return look()
        except Fault:
            return None


def _list_terms(found: Subscription, currency: str) -> list[tuple[str, str, str]]:
    """The charges: (when, how much, of what kind)."""
    lines, times = [], int(found.quantity)
    later = found.start_time > found.create_time
    if found.preferences.setup_fee:
        lines.append(("Today", _format_money(found.preferences.setup_fee, currency), "one payment"))
    when = f"From {found.start_time:%-d %B %Y}" if later else "Today"
    for cycle in found.cycles:
        price = _format_money(cycle.price * times, currency) if cycle.price else "free"
        lines.append((when, price, _describe_rhythm(cycle)))
        days = {"DAY": 1, "WEEK": 7, "MONTH": 30, "YEAR": 365}[cycle.unit] * cycle.count * cycle.total
        when = f"Around {found.start_time + timedelta(days=days):%-d %B %Y}"
    return lines


def _list_changed_terms(found: Subscription, catalogue: Catalogue) -> list[tuple[str, str, str]]:
    old, new = find_current_cycle(found), catalogue.plan(found.revised_plan)
    lines = [("Until then", _format_money(old.price, new.currency), _describe_rhythm(old))] if old else []
    when = f"From {found.next_billing:%-d %B %Y}" if found.next_billing else "From now on"
    regular = new.cycles[-1]
    return [*lines, (when, _format_money(regular.price, new.currency), _describe_rhythm(regular))]


def _describe_rhythm(cycle: Cycle) -> str:
    unit = cycle.unit.lower()
    often = f"each {unit}" if cycle.count == 1 else f"every {cycle.count} {unit}s"
    if cycle.total == 1:
        return f"for {cycle.count} {unit}{'' if cycle.count == 1 else 's'}"
    return f"{often}, {cycle.total} times" if cycle.total else often


def _format_money(amount: Any, currency: str) -> str:
    return f"${amount:,.2f} {currency}" if currency == "USD" else f"{amount:,.2f} {currency}"


def _extract_origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
