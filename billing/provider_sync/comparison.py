"""What comes of comparing ours with PayPal's, when PayPal cannot be asked about everything."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from billing.payments.paypal.errors import Unreachable

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A sentence for each difference, and one for each thing that could not be compared: that is neither the same nor
    different.
    """

    differ: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


class CircuitBreaker:
    """Asks PayPal one thing after another; once it cannot be reached, nothing more."""

    def __init__(self) -> None:
        self._silent: Unreachable | None = None

    def __call__(self, call: Callable[[], _T]) -> _T:
        """What `ask` answers. Raises `PayPalError`."""
        if self._silent is not None:
            raise self._silent
        try:
            return call()
        except Unreachable as error:
            self._silent = error
            raise
