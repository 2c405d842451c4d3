"""Sums of money."""

from decimal import ROUND_HALF_UP, Decimal

_CENT = Decimal("0.01")


def round_to_cents(amount: Decimal) -> Decimal:
    """The amount in whole cents, a half rounded up."""
    return amount.quantize(_CENT, ROUND_HALF_UP)
