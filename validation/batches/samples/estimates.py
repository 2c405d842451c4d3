"""What a sample says of its list: shares with their 95 % intervals. Pure."""

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

Z_95 = 1.959964
"""The 97.5 % quantile of the normal distribution: 95 % lie within so many standard deviations."""


class Share(NamedTuple):
    """A share from 0 to 1, and between which shares that of the whole list lies with a probability of 95 %."""

    value: float
    low: float
    high: float


def estimate_share(hits: int, drawn: int) -> Share | None:
    """The share of so many hits among those drawn, with its Wilson interval; None where none was drawn.

    E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the American
    Statistical Association 22 (1927), pages 209 to 212: with p = hits / n, the bounds are
    (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n).

    >>> estimate_share(10, 100)
    Share(value=0.1, low=0.0552, high=0.1744)
    >>> estimate_share(0, 100)
    Share(value=0.0, low=0.0, high=0.037)
    """
    if not drawn:
        return None
    share, z2 = hits / drawn, Z_95**2
    middle = share + z2 / (2 * drawn)
    half = Z_95 * sqrt(share * (1 - share) / drawn + z2 / (4 * drawn**2))
    scale = 1 + z2 / drawn
    return Share(
        round(share, 4), round(max(0.0, (middle - half) / scale), 4), round(min(1.0, (middle + half) / scale), 4)
    )


class ListEstimate(NamedTuple):
    """Figures of a list by its sample.

    `cost`: the share of conclusive verdicts, each of which costs a credit. `bounce_rate`: the share of invalid ones
    among the conclusive, None without any. `unknown`: the share that stayed unknown.
    """

    cost: Share
    bounce_rate: Share | None
    unknown: Share


def estimate_list(counts: Mapping[str, int]) -> ListEstimate | None:
    """The figures of a list by the numbers of its sample's verdicts in each category; None without any."""
    drawn, unknown = sum(counts.values()), counts.get("unknown", 0)
    cost, left_open = estimate_share(drawn - unknown, drawn), estimate_share(unknown, drawn)
    if cost is None or left_open is None:
        return None
    return ListEstimate(cost, estimate_share(counts.get("invalid", 0), drawn - unknown), left_open)
