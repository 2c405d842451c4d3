"""The limits of the companies behind the mail hosts, for each source address."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any


class Limit(StrEnum):
    """A limit, by the name of its field."""

    SESSIONS = "sessions_at_once"
    MINUTE = "recipients_per_minute"
    SESSION = "recipients_per_session"
    TRANSACTION = "recipients_per_transaction"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one source address over all hosts of a company; 0 means none."""

    sessions_at_once: int = 0
    recipients_per_minute: int = 0
    recipients_per_session: int = 0
    recipients_per_transaction: int = 0

    def paced(self, factor: float) -> "Limits":
        """The same limits with another rate; limited values stay limited."""
        if not self.recipients_per_minute:
            return self
        return replace(self, recipients_per_minute=max(1, round(self.recipients_per_minute * factor)))


NO_LIMITS = Limits()
_NAMES = tuple(field.name for field in fields(Limits))


class LimitBook:
    """The present limits by company.

    `factor` multiplies the world's rates. Numbers set for a company stay until the factor is set again.
    """

    def __init__(self, life: Mapping[str, Limits], factor: float) -> None:
        self._life = life
        self._now: dict[str, Limits] = {}
        self.factor = factor
        self.set_factor(factor)

    def of(self, company: str) -> Limits:
        """The limits of a company; none for an unknown one."""
        return self._now.get(company, NO_LIMITS)

    def set_factor(self, factor: float) -> None:
        """Set the factor on the world's rates."""
        self.factor = factor
        self._now = {company: limits.paced(factor) for company, limits in self._life.items()}

    def set_numbers(self, numbers: Mapping[str, Mapping[str, int]]) -> None:
        """Replace single limits of companies. Raises `ValueError` for a company or limit of another name."""
        self.check_names(numbers)
        for company, limits in numbers.items():
            self._now[company] = replace(self._now[company], **limits)

    def check_names(self, numbers: Mapping[str, Mapping[str, int]]) -> None:
        """Raises `ValueError` for a company or limit of another name."""
        for company, limits in numbers.items():
            if company not in self._life:
                raise ValueError(f"There is no company {company}; there are {', '.join(self._life)}.")
            unknown = sorted(set(limits) - set(_NAMES))
            if unknown:
                raise ValueError(f"There is no limit {unknown[0]}; there are {', '.join(_NAMES)}.")

    def report(self) -> dict[str, Any]:
        """The present limits as JSON values."""
        return {"factor": self.factor, "companies": {name: asdict(limits) for name, limits in self._now.items()}}
