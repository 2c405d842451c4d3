"""The outside providers as staff see them: credits left, what they cost and how good they are, switch and budget.

Everything is keyed by the name that people know, in the order in which plans include them.
"""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db import models, transaction
from django.db.models import Sum
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from billing.catalogue.plans import Plan
from emailcheck.common.errors import NotFound
from emailcheck.common.text.cleaning import make_storable
from validation.providers import health, sources
from validation.providers.allowance import list_plans_with_provider
from validation.providers.clients.base import BadAnswer, BadKey, OutOfCredit, Provider, RateLimited
from validation.providers.clients.configuration import SERVICES, Service
from validation.providers.models import ProviderDay, ProviderState

ANSWER_WITHIN_S = 8.0
_SUMMED = ("calls", "spent", "answers", "hits", "disagreements", "time_ms")
_BILLED_BY_USE = "This account is billed by use, so there is no number of credits left."
_WORDS: dict[type[BaseException], str] = {
    BadKey: "{title} does not accept our key.",
    OutOfCredit: "Our credits at {title} are used up.",
    RateLimited: "{title} takes no more questions for the moment.",
    BadAnswer: "{title} gave an answer that cannot be understood.",
}


class Range(models.TextChoices):
    WEEK = "7d"
    MONTH = "30d"
    QUARTER = "90d"


_DAYS = {Range.WEEK: 7, Range.MONTH: 30, Range.QUARTER: 90}


@dataclass(frozen=True, slots=True)
class ProviderBalance:
    """Our credits at a provider: a number, or `Unknown` or `Error` with the explanation; and the plans it serves."""

    credits: int | str
    status: str
    explanation: str
    plans: tuple[Plan, ...]


def fetch_balances() -> dict[str, ProviderBalance]:
    """Fetch our credits at all connected providers, concurrently, and store them."""
    there = {provider.name: provider for provider in sources.list_connected()}
    found = _fetch_and_store(there)
    return {
        service.title: ProviderBalance(
            *found.get(service.name, _describe_unconnected(service)), list_plans_with_provider(place)
        )
        for place, service in enumerate(SERVICES)
    }


def refresh_balances() -> None:
    """Store our credits at the providers, so that low ones raise an alert."""
    _fetch_and_store({provider.name: provider for provider in sources.list_connected()})


def list_provider_stats(period: Range) -> dict[str, dict[str, Any]]:
    """The calls of each provider in the last days, including today, and their results; rates in percent."""
    first = timezone.now().date() - timedelta(days=_DAYS[period] - 1)
    summed = ProviderDay.objects.filter(date__gte=first).values_list("provider").order_by()
    sums = {name: dict(zip(_SUMMED, rest, strict=True)) for name, *rest in summed.annotate(*map(Sum, _SUMMED))}
    states = health.load_states([service.name for service in SERVICES])
    nothing = dict.fromkeys(_SUMMED, 0)
    return {
        service.title: _present_figures(sums.get(service.name, nothing), states[service.name]) for service in SERVICES
    }


@transaction.atomic
def change_provider(*, name: str, staff: User, **fields: Any) -> ProviderState:
    """Switch a provider on or off, or set its daily budget (None: any number). Raises `NotFound`."""
    service = next((one for one in SERVICES if name.lower() == one.name), None)
    if service is None:
        raise NotFound("Provider not found")
    health.load_states([service.name])
    state = ProviderState.objects.select_for_update().get(name=service.name)
    changes = {key: [getattr(state, key), value] for key, value in fields.items() if getattr(state, key) != value}
    if changes:
        ProviderState.objects.filter(name=state.name).update(**{key: after for key, (_, after) in changes.items()})
        audit_log.record_activity(
            user=None,
            kind=ActivityKind.STAFF,
            action="Outside provider changed",
            staff=staff,
            target=f"provider {service.title}",
            changes=changes,
        )
    state.refresh_from_db()
    return state


def provider_title(state: ProviderState) -> str:
    """The name that people know."""
    return next(service.title for service in SERVICES if service.name == state.name)


def list_connected() -> Iterator[tuple[Service, ProviderState, int]]:
    """The connected providers as they stand, with what they were paid for today."""
    there = [provider.name for provider in sources.list_connected()]
    states = health.load_states(there) if there else {}
    today: date = timezone.now().date()
    days = ProviderDay.objects.filter(provider__in=there, date=today) if there else ()
    spent = {day.provider: day.spent for day in days}
    for service in SERVICES:
        if service.name in states:
            yield service, states[service.name], spent.get(service.name, 0)


def _describe_unconnected(service: Service) -> tuple[int | str, str, str]:
    return "Unknown", "not_configured", f"{service.title} is not connected. The built-in checks answer by themselves."


def _fetch_and_store(there: dict[str, Provider]) -> dict[str, tuple[int | str, str, str]]:
    if not there:
        return {}
    pool = ThreadPoolExecutor(len(there))
    calls = {name: pool.submit(provider.balance) for name, provider in there.items()}
    wait(calls.values(), timeout=ANSWER_WITHIN_S)
    pool.shutdown(wait=False, cancel_futures=True)
    health.load_states(list(there))
    return {name: _store_balance(there[name], call) for name, call in calls.items()}


def _store_balance(provider: Provider, call: "Future[int | None]") -> tuple[int | str, str, str]:
    """Store a provider's balance with its time, an error beside the last known balance."""
    mine = ProviderState.objects.filter(name=provider.name)
    try:
        balance = call.result(timeout=0)
    except Exception as error:
        words = _WORDS.get(type(error), "{title} did not answer in time.").format(title=provider.title)
        mine.update(balance_error=make_storable(words), balance_at=timezone.now())
        return "Error", "error", words
    mine.update(balance=balance, balance_error="", balance_at=timezone.now())
    return ("Unknown", "ok", _BILLED_BY_USE) if balance is None else (balance, "ok", "")


def _present_figures(sums: dict[str, int], state: ProviderState) -> dict[str, Any]:
    return {
        "calls": sums["calls"],
        "spent": sums["spent"],
        "hit_rate": _to_percent(sums["hits"], sums["answers"]),
        "disagreement_rate": _to_percent(sums["disagreements"], sums["hits"]),
        "latency_ms": round(sums["time_ms"] / sums["answers"], 1) if sums["answers"] else None,
        "daily_budget": state.daily_budget,
        "enabled": state.enabled,
        "breaker": state.breaker,
    }


def _to_percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None
