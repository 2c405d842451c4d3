"""Subscriptions: created by the shop, approved by the buyer, changed by either."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from emailcheck.sandbox.paypal.commerce.catalogue import Catalogue, read_preferences
from emailcheck.sandbox.paypal.commerce.orders import open_query
from emailcheck.sandbox.paypal.commerce.renewals import Renewals
from emailcheck.sandbox.paypal.context import PayPalContext, require_record
from emailcheck.sandbox.paypal.errors import refused_fault
from emailcheck.sandbox.paypal.records import Cycle, Payment, Plan, Subscription
from emailcheck.sandbox.paypal.request_body import Body
from emailcheck.sandbox.paypal.state import new_id

_NOTICE = timedelta(days=10)


class Subscriptions:
    """The subscriptions."""

    def __init__(self, site: PayPalContext, catalogue: Catalogue, renewals: Renewals) -> None:
        self._site = site
        self._catalogue = catalogue
        self._renewals = renewals

    def create(self, body: Body) -> Subscription:
        """Create a subscription that waits for its buyer. Raises the refusals of PayPal."""
        plan = self._catalogue.plan(body.text("plan_id"))
        if plan.status != "ACTIVE":
            raise refused_fault("PLAN_STATUS_INVALID")
        now, context = self._site.now(), body.node("application_context")
        own_terms = body.maybe_node("plan")
        subscription = Subscription(
            id=new_id("I-", 12),
            ba_token=new_id("BA-"),
            plan_id=plan.id,
            status="APPROVAL_PENDING",
            custom_id=body.maybe_text("custom_id"),
            quantity=body.maybe_text("quantity") or "1",
            brand=context.maybe_text("brand_name"),
            return_url=context.address("return_url"),
            cancel_url=context.address("cancel_url"),
            bills_at_once=context.choice("user_action", "SUBSCRIBE_NOW", "CONTINUE") == "SUBSCRIBE_NOW",
            overridden="plan" in body,
            cycles=_build_own_cycles(own_terms, plan),
            preferences=read_preferences(own_terms.maybe_node("payment_preferences"), plan.preferences, plan.currency),
            start_time=max(now, body.time("start_time")) if "start_time" in body else now,
            create_time=now,
            update_time=now,
            status_time=now,
        )
        self._site.memory.subscriptions[subscription.id] = subscription
        self._renewals.announce(subscription, "CREATED")
        return subscription

    def get(self, subscription_id: str) -> Subscription:
        return require_record(self._site.memory.subscriptions, subscription_id)

    def find_by_token(self, ba_token: str) -> Subscription:
        """The subscription of an approval link."""
        tokens = {found.ba_token: found for found in self._site.memory.subscriptions.values()}
        return require_record(tokens, ba_token)

    def shown(self, subscription: Subscription, fields: str = "") -> dict[str, Any]:
        """A subscription with the members of `fields`."""
        answer = self._renewals.shown(subscription)
        currency = self._catalogue.plan(subscription.plan_id).currency
        wanted = fields.split(",")
        if "plan" in wanted:
            answer["plan"] = self._site.shapes.own_plan(subscription, currency)
        if "last_failed_payment" in wanted and "billing_info" in answer and subscription.last_failure:
            answer["billing_info"]["last_failed_payment"] = self._site.shapes.failed_payment(subscription, currency)
        return answer

    def transactions(self, subscription: Subscription) -> list[Payment]:
        payments = self._site.memory.payments.values()
        return [payment for payment in payments if payment.subscription_id == subscription.id]

    # --- the shop

    def revise(self, subscription_id: str, body: Body) -> str:
        """Change to another plan of the same product, valid after the buyer's approval. Returns the plan's id."""
        subscription = self.get(subscription_id)
        plan = self._catalogue.plan(body.text("plan_id"))
        if subscription.status not in {"ACTIVE", "SUSPENDED"}:
            raise refused_fault("SUBSCRIPTION_STATUS_INVALID")
        if plan.product_id != self._catalogue.plan(subscription.plan_id).product_id:
            raise refused_fault("PRODUCT_MISMATCH")
        context = body.maybe_node("application_context")
        if "return_url" in context:
            subscription.return_url = context.address("return_url")
            subscription.cancel_url = context.address("cancel_url")
        subscription.ba_token, subscription.revised_plan = new_id("BA-"), plan.id
        return plan.id

    def reprice(self, subscription_id: str, price: Decimal) -> None:
        """Change the price of the regular cycles; a charge within ten days keeps the old one."""
        subscription = self._require_status(subscription_id, "ACTIVE", "SUSPENDED")
        before = subscription.cycles[0].price
        subscription.cycles = [replace(cycle, price=price) for cycle in subscription.cycles]
        subscription.overridden, subscription.update_time = True, self._site.now()
        soon = subscription.next_billing and subscription.next_billing - self._site.now() < _NOTICE
        if soon and subscription.price_once is None:
            subscription.price_once = before
        self._renewals.announce(subscription, "UPDATED")

    def suspend(self, subscription_id: str) -> None:
        self._renewals.suspend(self._require_status(subscription_id, "ACTIVE"))

    def activate(self, subscription_id: str) -> None:
        """Start a subscription approved without a first charge, or resume a suspended one."""
        subscription = self._require_status(subscription_id, "APPROVED", "SUSPENDED")
        if subscription.status == "APPROVED":
            self._renewals.begin(subscription, "pay")
        else:
            self._renewals.reactivate(subscription)

    def cancel(self, subscription_id: str) -> None:
        self._renewals.end(self._require_status(subscription_id, "ACTIVE", "SUSPENDED", "APPROVED"), "CANCELLED")

    def capture_outstanding(self, subscription_id: str, body: Body) -> None:
        """Charge the outstanding balance. Raises the refusals of PayPal."""
        body.choice("capture_type", "OUTSTANDING_BALANCE")
        amount, _ = body.money("amount")
        subscription = self._require_status(subscription_id, "ACTIVE", "SUSPENDED")
        if not subscription.outstanding:
            raise refused_fault("ZERO_OUTSTANDING_BALANCE")
        if subscription.failing:
            raise refused_fault("INSTRUMENT_DECLINED")
        self._renewals.collect_outstanding(subscription, min(amount, subscription.outstanding))

    # --- the buyer

    def approve(self, ba_token: str, outcome: str) -> str:
        """The buyer approves the subscription or its change. Returns the browser's next address."""
        subscription = self.find_by_token(ba_token)
        if subscription.revised_plan:
            self._apply_revision(subscription)
        elif subscription.status == "APPROVAL_PENDING":
            subscription.payer_known = True
            if subscription.bills_at_once:
                self._renewals.begin(subscription, outcome)
            else:
                subscription.status, subscription.status_time = "APPROVED", self._site.now()
        return self._build_return_url(subscription.return_url, subscription)

    def cancelled_url(self, ba_token: str) -> str:
        """The browser's address when the buyer cancels; nothing changes."""
        subscription = self.find_by_token(ba_token)
        return self._build_return_url(subscription.cancel_url, subscription)

    def _build_return_url(self, address: str, subscription: Subscription) -> str:
        token = f"EC-{subscription.id[2:]}"
        return f"{open_query(address)}subscription_id={subscription.id}&ba_token={subscription.ba_token}&token={token}"

    def _apply_revision(self, subscription: Subscription) -> None:
        plan = self._catalogue.plan(subscription.revised_plan)
        subscription.plan_id, subscription.revised_plan = plan.id, ""
        subscription.cycles, subscription.overridden = plan.cycles, False
        # A trial is for newcomers: a change of plan goes straight to the regular price.
        subscription.done = {cycle.sequence: cycle.total for cycle in plan.cycles if cycle.tenure == "TRIAL"}
        subscription.update_time = self._site.now()
        self._renewals.announce(subscription, "UPDATED")

    def _require_status(self, subscription_id: str, *statuses: str) -> Subscription:
        subscription = self.get(subscription_id)
        if subscription.status not in statuses:
            raise refused_fault("SUBSCRIPTION_STATUS_INVALID")
        return subscription


def _build_own_cycles(own_terms: Body, plan: Plan) -> list[Cycle]:
    """The plan's lines, with this subscription's own prices."""
    if "billing_cycles" not in own_terms:
        return plan.cycles
    prices = {
        node.number("sequence", 1): node.node("pricing_scheme").money("fixed_price")[0]
        for node in own_terms.nodes("billing_cycles")
        if "pricing_scheme" in node
    }
    return [
        Cycle(
            tenure=cycle.tenure,
            sequence=cycle.sequence,
            unit=cycle.unit,
            count=cycle.count,
            total=cycle.total,
            price=prices.get(cycle.sequence, cycle.price),
        )
        for cycle in plan.cycles
    ]
