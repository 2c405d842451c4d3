"""What a quote costs and grants, to the cent and to the credit."""

from decimal import Decimal
from itertools import pairwise

import pytest
from django.conf import settings

from billing.catalogue.price_list import PACKS
from quotes.quotes.pricing import compute_figures, parse_bands
from quotes.quotes.services import CREDIT_PRESETS, CREDIT_STEP


def format_prices(credits: int) -> tuple[str, ...]:
    found = compute_figures(credits, settings.QUOTE_RATES, settings.QUOTE_MINIMUM)
    prices = (found.price_of_twelve_months, found.monthly_price, found.annual_price, found.annual_savings)
    return tuple(str(price) for price in prices)


@pytest.mark.spec("QUO-036", "QUO-022", "LIM-002")
@pytest.mark.parametrize(
    ("credits", "prices"),
    [
        (1_000, ("350.00", "29.17", "290.53", "59.51")),  # the least that is asked for
        (50_000, ("350.00", "29.17", "290.53", "59.51")),
        (51_000, ("356.50", "29.71", "295.91", "60.61")),
        (100_000, ("675.00", "56.25", "560.25", "114.75")),
        (250_000, ("1575.00", "131.25", "1307.25", "267.75")),
        (500_000, ("2950.00", "245.83", "2448.47", "501.49")),
        (1_000_000, ("5450.00", "454.17", "4523.53", "926.51")),
        (2_000_000, ("9950.00", "829.17", "8258.53", "1691.51")),
    ],
)
def test_the_price_of_an_amount(credits: int, prices: tuple[str, ...]) -> None:
    assert format_prices(credits) == prices


@pytest.mark.spec("QUO-036")
def test_more_credits_never_cost_less() -> None:
    amounts = [*range(1_000, 130_000, 1_000), *range(240_000, 270_000, 1_000), *range(980_000, 1_020_000, 1_000)]
    prices = [compute_figures(amount, settings.QUOTE_RATES, settings.QUOTE_MINIMUM) for amount in amounts]
    for less, more in pairwise(prices):
        assert less.price_of_twelve_months <= more.price_of_twelve_months
        assert less.annual_price <= more.annual_price


@pytest.mark.spec("QUO-036")
@pytest.mark.parametrize("credits", CREDIT_PRESETS)
def test_a_preset_is_no_dearer_than_the_cheapest_pack(credits: int) -> None:
    cheapest = min(pack.price / pack.credits for pack in PACKS)
    found = compute_figures(credits, settings.QUOTE_RATES, settings.QUOTE_MINIMUM)
    assert found.price_of_twelve_months <= credits * cheapest
    assert found.annual_price < found.price_of_twelve_months


@pytest.mark.spec("QUO-051", "QUO-052", "LIM-003")
@pytest.mark.parametrize(
    ("credits", "first", "after", "yearly"),
    [
        (250_000, 20_837, 20_833, 292_500),
        (1_000, 87, 83, 1_170),
        (12, 1, 1, 14),
        (99, 11, 8, 115),
        (1, 1, 0, 1),
    ],
)
def test_the_credits_of_an_amount(credits: int, first: int, after: int, yearly: int) -> None:
    found = compute_figures(credits, settings.QUOTE_RATES, settings.QUOTE_MINIMUM)
    assert (found.first_month_credits, found.later_month_credits, found.yearly_credits) == (first, after, yearly)
    assert found.first_month_credits + 11 * found.later_month_credits == credits
    assert found.annual_savings == 12 * found.monthly_price - found.annual_price


def test_rates_are_read_from_a_setting() -> None:
    bands = parse_bands("10:2 *:1.5")
    assert str(compute_figures(12, bands, Decimal(0)).price_of_twelve_months) == "23.00"


@pytest.mark.parametrize(
    "text", ["", "10:2", "*:1 10:2", "*:1 *:1", "10:1 *:2", "*:0", "*:x", "x:1 *:1", "0:2 *:1", "*"]
)
def test_rates_that_cannot_be_meant_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"band|rates|price|literal"):
        parse_bands(text)


def test_nothing_has_no_price() -> None:
    with pytest.raises(ValueError, match="0 credits cannot be priced"):
        compute_figures(0, settings.QUOTE_RATES, settings.QUOTE_MINIMUM)


@pytest.mark.spec("LIM-002", "QUO-022")
def test_the_amounts_that_are_offered() -> None:
    assert (CREDIT_PRESETS, CREDIT_STEP) == ((50_000, 100_000, 250_000, 500_000, 1_000_000), 1_000)
