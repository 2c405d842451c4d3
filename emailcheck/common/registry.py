"""What a low app needs from those above: each fills its part of `above` in `AppConfig.ready()`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The mailbox of an address, the same for all its spellings."""

    canonical: str
    disposable: bool


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


class AppsAbove:
    """Functions of the apps above. What no app has filled in raises `AttributeError`."""

    load_account_summary: Callable[[AbstractBaseUser], dict[str, Any]]
    """What `/api/auth/me` and the answer to a sign-in say of a user's plan and credits."""
    find_requests_per_minute: Callable[[AbstractBaseUser], int | None]
    """How many requests with API keys an account may make a minute; None for any number."""
    rate_relation: str
    """The relation of an account that this reads, as for `select_related`, to be fetched with the account."""
    find_mailbox: Callable[[str], Mailbox]
    """The mailbox of an address."""
    owns_list: Callable[[AbstractBaseUser, str], bool]
    """Whether a user has a list of this id."""
    list_webhook_hosts: Callable[[AbstractBaseUser], list[str]]
    """The hosts of a user's active webhooks, once for each endpoint."""
    switch_webhooks_off: Callable[[AbstractBaseUser], None]
    """Switch off all webhooks of a user."""
    measure_satisfaction: Callable[[datetime], Satisfaction]
    """The mean of the ratings since then."""
    measure_health: Callable[[], Health]
    """How the API does now."""


above = AppsAbove()
