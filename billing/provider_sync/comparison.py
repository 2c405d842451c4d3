"""The result of comparing our rows with PayPal's, which may be partly out of reach."""

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
    """Calls PayPal until it cannot be reached once; then every call fails at once."""

    def __init__(self) -> None:
        self._silent: Unreachable | None = None

    def __call__(self, call: Callable[[], _T]) -> _T:
        """The result of `call`. Raises `PayPalError`."""
        if self._silent is not None:
            raise self._silent
        try:
            return call()
        except Unreachable as error:
            self._silent = error
            raise
