"""Products and plans."""

from decimal import Decimal
from typing import Any

from emailcheck.sandbox.paypal.context import PayPalContext, require_record
from emailcheck.sandbox.paypal.errors import refused_fault
from emailcheck.sandbox.paypal.records import Cycle, Plan, Preferences, Product
from emailcheck.sandbox.paypal.request_body import Body
from emailcheck.sandbox.paypal.state import new_id

_UNITS = ("MONTH", "DAY", "WEEK", "YEAR")


class Catalogue:
    """The products and plans of a shop."""

    def __init__(self, site: PayPalContext) -> None:
        self._site = site

    def create_product(self, body: Body) -> Product:
        name = body.text("name")
        body.choice("type", "PHYSICAL", "DIGITAL", "SERVICE")
        product = Product(id=new_id("PROD-"), name=name, create_time=self._site.now())
        self._site.memory.products[product.id] = product
        return product

    def product(self, product_id: str) -> Product:
        return require_record(self._site.memory.products, product_id)

    def create_plan(self, body: Body) -> Plan:
        """A plan of a product that exists. Raises the refusals of PayPal."""
        product = self.product(body.text("product_id"))
        cycles, currency = read_cycles(body)
        plan = Plan(
            id=new_id("P-", 24),
            product_id=product.id,
            name=body.text("name"),
            status=body.choice("status", "ACTIVE", "CREATED", "INACTIVE"),
            currency=currency,
            cycles=cycles,
            preferences=read_preferences(body.maybe_node("payment_preferences"), Preferences(), currency),
            taxes=_read_taxes(body),
            create_time=self._site.now(),
        )
        self._site.memory.plans[plan.id] = plan
        return plan

    def plan(self, plan_id: str) -> Plan:
        return require_record(self._site.memory.plans, plan_id)

    def set_status(self, plan_id: str, status: str) -> None:
        self.plan(plan_id).status = status


def read_cycles(body: Body) -> tuple[list[Cycle], str]:
    """The lines of a plan's price in their order, and their currency."""
    cycles, currency = [], "USD"
    for node in body.nodes("billing_cycles"):
        price = Decimal(0)
        if "pricing_scheme" in node:
            price, currency = node.node("pricing_scheme").money("fixed_price")
        often = node.node("frequency")
        cycle = Cycle(
            tenure=node.choice("tenure_type", "REGULAR", "TRIAL"),
            sequence=node.number("sequence", 1),
            unit=often.choice("interval_unit", *_UNITS),
            count=often.number("interval_count", 1) or 1,
            total=node.number("total_cycles", 1),
            price=price,
        )
        cycles.append(cycle)
    return sorted(cycles, key=lambda cycle: cycle.sequence), currency


def read_preferences(node: Body, before: Preferences, currency: str) -> Preferences:
    """The payment preferences: those given, and the earlier ones for the rest."""
    fee = before.setup_fee
    if "setup_fee" in node:
        fee, fee_currency = node.money("setup_fee")
        if fee_currency != currency:
            raise refused_fault("PLAN_CURRENCY_MISMATCH")
    action = node.maybe_text("setup_fee_failure_action")
    return Preferences(
        setup_fee=fee,
        cancel_without_setup_fee=action == "CANCEL" if action else before.cancel_without_setup_fee,
        bill_outstanding=node.flag("auto_bill_outstanding", before.bill_outstanding),
        threshold=node.number("payment_failure_threshold", before.threshold),
    )


def _read_taxes(body: Body) -> dict[str, Any]:
    if "taxes" not in body:
        return {}
    taxes = body.node("taxes")
    return {"percentage": taxes.text("percentage"), "inclusive": taxes.flag("inclusive", True)}
