"""A thin typed client of PayPal's REST interface: catalogue, orders, subscriptions, refunds, webhooks, reports.

Calls that make something take a `request_id`, which PayPal remembers (orders 6 h, plans and subscriptions 72 h, refunds
45 d): derive it from the row it is for, and a repeated call gives the first one's answer. Every call raises
`PayPalError` (see `errors`). Asking again what is already so is no error: a captured order, a cancelled subscription.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import quote, urlencode, urlsplit

from billing.payments.paypal import parsers
from billing.payments.paypal.calls import Calls, Timing
from billing.payments.paypal.errors import AlreadyCaptured, UnexpectedAnswer, WrongStatus
from billing.payments.paypal.strict_json import Node
from billing.payments.paypal.terms import OrderTerms, PlanTerms, SubscriptionTerms, format_moment
from billing.payments.paypal.types import (
    Amount,
    Approval,
    Capture,
    Event,
    Order,
    Plan,
    Product,
    Refund,
    ReportedTransaction,
    Subscription,
    SubscriptionStatus,
    Transaction,
)
from billing.payments.paypal.webhook_signatures import WebhookVerifier

_REQUEST_ID = re.compile(r"[A-Za-z0-9_.:-]{1,108}")
_REPORT_DAYS = timedelta(days=31)
_MOST_PAGES = 1_000
_LONGEST_REASON = 127


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Where PayPal is and who we are there."""

    api_base: str
    web_base: str
    client_id: str
    secret: str
    webhook_id: str
    merchant_id: str


class PayPal:
    """Our account at PayPal. May be shared between threads."""

    def __init__(self, account: Account, timing: Timing | None = None) -> None:
        self.merchant_id = account.merchant_id
        self._web = urlsplit(account.web_base)
        self._calls = Calls(account.api_base, account.client_id, account.secret, timing or Timing())
        self._webhooks = WebhookVerifier(account.api_base, account.webhook_id)

    def check_keys(self) -> None:
        """Fetch a new token, to see that PayPal answers and accepts our keys. Raises `PayPalError`."""
        self._calls.check_keys()

    # --- catalogue

    def create_product(self, *, name: str, request_id: str) -> Product:
        body = {"name": name, "type": "SERVICE", "category": "SOFTWARE"}
        made = self._post("/v1/catalogs/products", body, request_id)
        return Product(made.text("id"), made.text("name"))

    def create_plan(self, *, terms: PlanTerms, request_id: str) -> Plan:
        return parsers.parse_plan(self._post("/v1/billing/plans", terms.as_json(), request_id))

    # --- one-time payments

    def create_order(self, *, terms: OrderTerms, request_id: str) -> Approval:
        return self._parse_approval(self._post("/v2/checkout/orders", terms.as_json(), request_id))

    def fetch_order(self, order_id: str) -> Order:
        return parsers.parse_order(self._calls.request("GET", _build_path("/v2/checkout/orders/{}", order_id)))

    def capture_order(self, order_id: str, *, request_id: str) -> Order:
        """Capture an approved order, once. Returns the order with its captures.

        A COMPLETED order may have a PENDING or DECLINED capture. Raises `NotApproved`, `Declined`.
        """
        with suppress(AlreadyCaptured):
            self._post(_build_path("/v2/checkout/orders/{}/capture", order_id), {}, request_id)
        return self.fetch_order(order_id)

    def fetch_capture(self, capture_id: str) -> Capture:
        """The payment of an order, or of a subscription by its transaction's id."""
        return parsers.parse_capture(self._calls.request("GET", _build_path("/v2/payments/captures/{}", capture_id)))

    # --- refunds

    def refund_capture(
        self, capture_id: str, *, request_id: str, invoice_id: str, note: str, amount: Amount | None = None
    ) -> Refund:
        """Refund a payment, all of it without an `amount`. Raises `AlreadyRefunded`, `RefundRefused`."""
        body: dict[str, object] = {"invoice_id": invoice_id, "note_to_payer": note[:255]}
        if amount:
            body["amount"] = amount.as_json()
        return parsers.parse_refund(
            self._post(_build_path("/v2/payments/captures/{}/refund", capture_id), body, request_id)
        )

    # --- subscriptions

    def create_subscription(self, *, terms: SubscriptionTerms, request_id: str) -> Approval:
        return self._parse_approval(self._post("/v1/billing/subscriptions", terms.as_json(), request_id))

    def reprice_subscription(self, subscription_id: str, *, price: Amount) -> None:
        """Change the price of each cycle without the buyer's approval. A charge within ten days keeps the old one."""
        path = "/plan/billing_cycles/@sequence==1/pricing_scheme/fixed_price"
        change = {"op": "replace", "path": path, "value": price.as_json()}
        self._calls.request("PATCH", _build_path("/v1/billing/subscriptions/{}", subscription_id), [change])

    def fetch_subscription(self, subscription_id: str) -> Subscription:
        """With the failed payment and the price that a plain answer leaves out."""
        path = _build_path("/v1/billing/subscriptions/{}?fields=last_failed_payment,plan", subscription_id)
        return parsers.parse_subscription(self._calls.request("GET", path))

    def suspend_subscription(self, subscription_id: str, *, reason: str) -> Subscription:
        return self._change_status(subscription_id, "suspend", SubscriptionStatus.SUSPENDED, reason)

    def activate_subscription(self, subscription_id: str, *, reason: str) -> Subscription:
        return self._change_status(subscription_id, "activate", SubscriptionStatus.ACTIVE, reason)

    def cancel_subscription(self, subscription_id: str, *, reason: str) -> Subscription:
        return self._change_status(subscription_id, "cancel", SubscriptionStatus.CANCELLED, reason)

    def list_transactions(self, subscription_id: str, *, start: datetime, end: datetime) -> tuple[Transaction, ...]:
        """The payments of a subscription between two moments."""
        span = urlencode({"start_time": format_moment(start), "end_time": format_moment(end)})
        path = _build_path("/v1/billing/subscriptions/{}/transactions?", subscription_id) + span
        return tuple(
            parsers.parse_transaction(found) for found in self._calls.request("GET", path).nodes("transactions")
        )

    # --- reports and webhooks

    def fetch_reported(self, *, start: datetime, end: datetime) -> Iterator[ReportedTransaction]:
        """Every movement on our account between two moments, for reconciliation. The newest three hours may lack."""
        while start < end:
            until = min(end, start + _REPORT_DAYS)
            yield from self._reported_pages(start, until)
            start = until

    def fetch_event(self, event_id: str) -> Event:
        return parsers.parse_event(
            self._calls.request("GET", _build_path("/v1/notifications/webhooks-events/{}", event_id))
        )

    def fetch_verified_event(self, headers: Mapping[str, str], body: bytes) -> Event:
        """The event of a delivery that PayPal signed, as PayPal's own API returns it.

        The signature covers a checksum of the body alone, which can be forged; therefore the answer is PayPal's own
        copy. Raises `WebhookRefused`, or `PayPalError` when PayPal cannot be asked.
        """
        return self._webhooks.confirm(headers, body, self.fetch_event)

    # --- parts

    def _post(self, path: str, body: Mapping[str, object], request_id: str) -> Node:
        if not _REQUEST_ID.fullmatch(request_id):
            raise ValueError("a request id is 1 to 108 letters, digits and _.:-")
        return self._calls.request("POST", path, dict(body), request_id=request_id)

    def _change_status(self, subscription_id: str, verb: str, target: SubscriptionStatus, reason: str) -> Subscription:
        body = {"reason": reason[:_LONGEST_REASON]}
        try:
            self._calls.request("POST", _build_path(f"/v1/billing/subscriptions/{{}}/{verb}", subscription_id), body)
        except WrongStatus:
            found = self.fetch_subscription(subscription_id)
            if found.status != target:
                raise
            return found
        return self.fetch_subscription(subscription_id)

    def _parse_approval(self, answer: Node) -> Approval:
        return Approval(answer.text("id"), self._approve_url(answer))

    def _approve_url(self, answer: Node) -> str:
        url = answer.link("approve", "payer-action")
        parts = urlsplit(url)
        if (parts.scheme, parts.netloc) != (self._web.scheme, self._web.netloc):
            raise UnexpectedAnswer(f"the approval link leads to {parts.netloc or 'nowhere'}")
        return url

    def _reported_pages(self, start: datetime, end: datetime) -> Iterator[ReportedTransaction]:
        span = {
            "start_date": format_moment(start),
            "end_date": format_moment(end),
            "fields": "transaction_info",
            "page_size": "500",
        }
        for page in range(1, _MOST_PAGES):
            answer = self._calls.request("GET", f"/v1/reporting/transactions?{urlencode({**span, 'page': page})}")
            yield from map(parsers.parse_reported, answer.nodes("transaction_details"))
            if page >= answer.number("total_pages"):
                return
        raise UnexpectedAnswer("a report without end")


def _build_path(template: str, thing_id: str) -> str:
    if not thing_id:
        raise ValueError("an id is needed")
    return template.format(quote(thing_id, safe=""))
