"""What we sell, in PayPal's catalogue: a product, and a plan for each price. Made when first needed, and remembered."""

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings

from billing.catalogue.plans import Cycle
from billing.payments.models import ProviderItem
from billing.payments.paypal import Amount, PayPal, PlanTerms, paypal
from billing.payments.paypal.types import Interval

_INTERVALS = {Cycle.MONTHLY: Interval.MONTH, Cycle.YEARLY: Interval.YEAR}


@dataclass(frozen=True, slots=True)
class Tariff:
    """A name that the buyer sees at PayPal, what is charged each cycle, and how often (0: until it is cancelled)."""

    name: str
    cycle: Cycle
    price: Amount
    payments: int = 0


def ensure_plan(tariff: Tariff) -> str:
    """PayPal's id of the plan with this tariff; concurrent callers create it once. Raises `PayPalError`."""
    shop = paypal()

    def make(request_id: str) -> str:
        terms = PlanTerms(
            product_id=_ensure_product(shop), name=tariff.name, price=tariff.price, interval=_INTERVALS[tariff.cycle],
            payments=tariff.payments,
        )  # fmt: skip
        return shop.create_plan(terms=terms, request_id=request_id).id

    return _ensure_item(_build_plan_key(shop, tariff), make)


def forget_plan(tariff: Tariff) -> None:
    """PayPal no longer knows the plan: what is remembered of it, and of the product, is void."""
    shop = paypal()
    ProviderItem.objects.filter(key__in=[_build_plan_key(shop, tariff), _build_product_key(shop)]).delete()


def _ensure_product(shop: PayPal) -> str:
    name = settings.SITE_NAME
    return _ensure_item(
        _build_product_key(shop), lambda request_id: shop.create_product(name=name, request_id=request_id).id
    )


def _ensure_item(key: str, create: Callable[[str], str]) -> str:
    item = ProviderItem.objects.get_or_create(key=key)[0]
    if not item.provider_id:
        item.provider_id = create(item.request_id)
        ProviderItem.objects.filter(pk=item.pk).update(provider_id=item.provider_id)
    return item.provider_id


def _build_product_key(shop: PayPal) -> str:
    return f"{shop.merchant_id} {settings.SITE_NAME}"


def _build_plan_key(shop: PayPal, tariff: Tariff) -> str:
    times = f" {tariff.payments} times" if tariff.payments else ""
    return f"{shop.merchant_id} {tariff.name} {tariff.cycle} {tariff.price.value:.2f} {tariff.price.currency}{times}"
