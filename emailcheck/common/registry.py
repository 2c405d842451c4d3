"""What a low app needs from those above: each registers its part in `AppConfig.ready()`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser

Summary = Callable[[AbstractBaseUser], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The mailbox of an address, the same for all its spellings."""

    canonical: str
    disposable: bool


MailboxOf = Callable[[str], Mailbox]

RateOf = Callable[[AbstractBaseUser], int | None]
OwnsList = Callable[[AbstractBaseUser, str], bool]


@dataclass(frozen=True, slots=True)
class Satisfaction:
    """The mean of so many ratings from 1 to 5; None when there are none."""

    score: float | None
    ratings: int


@dataclass(frozen=True, slots=True)
class Health:
    """How the API does: percent of the last 24 hours that it was up (None: not measured), and since midnight UTC
    percent of its answers that were failures of ours, and its calls."""

    uptime: float | None
    error_rate: float
    calls: int


@dataclass(frozen=True, slots=True)
class Webhooks:
    """The webhooks of accounts: the hosts of active ones, and a function that switches all off."""

    hosts: Callable[[AbstractBaseUser], list[str]]
    switch_off: Callable[[AbstractBaseUser], None]


SatisfactionSince = Callable[[datetime], Satisfaction]
HealthNow = Callable[[], Health]

_summaries: list[Summary] = []
_mailbox_of: list[MailboxOf] = []
_rate_of: list[RateOf] = []
_read_for_rates: list[str] = []
_owns_list: list[OwnsList] = []
_satisfaction: list[SatisfactionSince] = []
_health: list[HealthNow] = []
_webhooks: list[Webhooks] = []


def add_account_summary(part: Summary) -> None:
    """Register a function that gives some keys of the account summary of a user."""
    if part not in _summaries:
        _summaries.append(part)


def load_account_summary(user: AbstractBaseUser) -> dict[str, Any]:
    """What the apps above know of a user, for `/api/auth/me` and the login answer."""
    summary: dict[str, Any] = {}
    for part in _summaries:
        summary |= part(user)
    return summary


def register_mailboxes(of: MailboxOf) -> None:
    """Register the function that knows addresses."""
    _mailbox_of[:] = [of]


def find_mailbox(address: str) -> Mailbox:
    """The mailbox of an address."""
    return _mailbox_of[0](address)


def register_rates(of: RateOf, *, reads: str) -> None:
    """Register the function that knows how many requests with API keys an account may make a minute, and the relation
    of the account that it reads, so that it can be fetched with the account."""
    _rate_of[:], _read_for_rates[:] = [of], [reads]


def rates_relation() -> str:
    """The relation of an account, as for `select_related`, that says how many requests it may make."""
    return _read_for_rates[0]


def find_requests_per_minute(user: AbstractBaseUser) -> int | None:
    """How many requests with API keys an account may make a minute; None for any number."""
    return _rate_of[0](user)


def register_lists(owns: OwnsList) -> None:
    """Register the function that knows the owner of a list."""
    _owns_list[:] = [owns]


def owns_list(user: AbstractBaseUser, list_id: str) -> bool:
    """Whether a user has a list of this id."""
    return _owns_list[0](user, list_id)


def register_webhooks(webhooks: Webhooks) -> None:
    """Register what knows the webhooks of accounts."""
    _webhooks[:] = [webhooks]


def list_webhook_hosts(user: AbstractBaseUser) -> list[str]:
    """The hosts of a user's active webhooks, once for each endpoint."""
    return _webhooks[0].hosts(user)


def switch_webhooks_off(user: AbstractBaseUser) -> None:
    """Switch off all webhooks of a user."""
    _webhooks[0].switch_off(user)


def register_satisfaction(since: SatisfactionSince) -> None:
    """Register the function that knows the ratings."""
    _satisfaction[:] = [since]


def load_satisfaction(since: datetime) -> Satisfaction:
    """The mean of the ratings since then."""
    return _satisfaction[0](since)


def register_health(now: HealthNow) -> None:
    """Register the function that measures how the API does."""
    _health[:] = [now]


def load_health() -> Health:
    """How the API does now."""
    return _health[0]()
