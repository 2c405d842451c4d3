"""What a quote costs and grants: pure figures, Decimal, each rounded once (QUO-036, QUO-037, QUO-051).

Rates are graduated: each band of credits has a price of its own, so that more credits never cost less.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from emailcheck.common.text.money import round_to_cents

MONTHS = 12
_YEARLY_SHARE = Decimal("0.83")  # 17 % below twelve monthly prices
_YEARLY_BONUS = (117, 100)  # 17 % more credits


@dataclass(frozen=True, slots=True)
class Band:
    """The next `credits` (None: all others) cost `rate` USD each."""

    credits: int | None
    rate: Decimal


@dataclass(frozen=True, slots=True)
class Figures:
    """A price in USD and the credits it brings.

    Monthly: twelve payments of `monthly_price`, with `first_month_credits` and then `later_month_credits`. Yearly:
    `annual_price` at once, with `yearly_credits` at once.
    """

    price_of_twelve_months: Decimal
    monthly_price: Decimal
    annual_price: Decimal
    annual_savings: Decimal
    first_month_credits: int
    later_month_credits: int
    yearly_credits: int


def compute_figures(credits: int, bands: Sequence[Band], minimum: Decimal) -> Figures:
    """The price of `credits` a year, twelve months at least `minimum` USD. Raises `ValueError` below one credit."""
    if credits < 1:
        raise ValueError(f"{credits} credits cannot be priced")
    total = round_to_cents(max(minimum, _sum_bands(credits, bands)))
    monthly = round_to_cents(total / MONTHS)
    yearly = round_to_cents(MONTHS * monthly * _YEARLY_SHARE)
    after, rest = divmod(credits, MONTHS)
    more, whole = _YEARLY_BONUS
    return Figures(
        price_of_twelve_months=total,
        monthly_price=monthly,
        annual_price=yearly,
        annual_savings=MONTHS * monthly - yearly,
        first_month_credits=after + rest,
        later_month_credits=after,
        yearly_credits=credits * more // whole,
    )


def parse_bands(text: str) -> tuple[Band, ...]:
    """Bands as a setting writes them: `50000:0.0070 50000:0.0065 *:0.0060`, the last band for all others.

    Raises `ValueError` when they are not that, or when a later credit would cost more than an earlier one.
    """
    bands = tuple(_parse_band(part) for part in text.split())
    if not bands or bands[-1].credits is not None or any(band.credits is None for band in bands[:-1]):
        raise ValueError("the last band, and only that, is for all others: *")
    rates = [band.rate for band in bands]
    if rates != sorted(rates, reverse=True) or rates[-1] <= 0:
        raise ValueError("rates must be above nothing and fall from band to band")
    return bands


def _parse_band(part: str) -> Band:
    credits, _, rate = part.partition(":")
    size = None if credits == "*" else int(credits)
    if size is not None and size < 1:
        raise ValueError("a band holds at least one credit")
    try:
        return Band(size, Decimal(rate))
    except ArithmeticError as error:
        raise ValueError(f"{rate} is no price") from error


def _sum_bands(credits: int, bands: Sequence[Band]) -> Decimal:
    total, left = Decimal(0), credits
    for band in bands:
        taken = left if band.credits is None else min(left, band.credits)
        total += taken * band.rate
        left -= taken
    return total
