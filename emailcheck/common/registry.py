"""What a low app needs from those above: each fills its part of `above` in `AppConfig.ready()`."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any


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

    load_account_summary: Callable[[Any], dict[str, Any]]
    """What `/api/auth/me` and the answer to a sign-in say of an organisation's plan and credits."""
    find_requests_per_minute: Callable[[Any], int | None]
    """How many requests with API keys an organisation may make a minute; None for any number."""
    rate_relation: str
    """The relation of an organisation that this reads, as for `select_related`, to be fetched with it."""
    list_held_organisations: Callable[[int], Collection[int]]
    """The numbers of the organisations that an account holds, by its number: their rows go with it."""
    list_owned_organisations: Callable[[int], Collection[int]]
    """The numbers of the organisations of which an account is an owner: its export has their rows."""
    find_mailbox: Callable[[str], Mailbox]
    """The mailbox of an address."""
    is_public_mail_domain: Callable[[str], bool]
    """Whether anybody can get a mailbox at a domain, as at a freemail provider."""
    look_up_texts: Callable[[str], list[str] | None]
    """The TXT records of a name, asked for now; None when DNS did not answer."""
    reads_list: Callable[[Any, str], bool]
    """Whether a person may read a list of this id in one of their organisations."""
    list_webhook_hosts: Callable[[Any], list[str]]
    """The hosts of an organisation's active webhooks, once for each endpoint."""
    sum_credits_by_kind: Callable[[Any], dict[str, int]]
    """The spendable credits of an organisation by the kind of their lots, in the order in which they are spent."""
    count_member_credits: Callable[[Any], dict[int, int]]
    """The credits that each member of an organisation has used in its credit month, by the number of the account."""
    switch_webhooks_off: Callable[[Any], None]
    """Switch off all webhooks of an organisation."""
    measure_satisfaction: Callable[[datetime], Satisfaction]
    """The mean of the ratings since then."""
    measure_health: Callable[[], Health]
    """How the API does now."""


above = AppsAbove()
