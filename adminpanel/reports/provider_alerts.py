"""Alert conditions of outside providers: low credits, switched off, an open breaker, a used-up budget.

While any of them holds, lists go on with the engine's own verdict (ADM-608).
"""

from collections.abc import Iterator

from adminpanel.monitoring.alerts.conditions import Condition
from adminpanel.reports import providers
from emailcheck.env import Env
from validation.providers.models import ProviderState

LOW_BALANCE = Env().number("PROVIDER_LOW_BALANCE", 500)
_GOES_ON = "; its questions go to the others, or our own answer stands"


def provider_conditions() -> Iterator[Condition]:
    """Of every connected provider, as it is now."""
    for service, state, spent in providers.list_connected():
        name = service.title
        yield _balance_condition(service.name, name, state)
        yield _flag_condition(f"provider_off:{service.name}", f"{name} is switched off", not state.enabled, "by staff")
        is_open = state.breaker != "closed"
        why = state.breaker_reason or "it did not answer"
        yield _flag_condition(f"provider_breaker:{service.name}", f"{name} is not asked for the moment", is_open, why)
        is_used_up = state.daily_budget is not None and spent >= state.daily_budget
        words = f"{spent:,} questions today"
        yield _flag_condition(
            f"provider_budget:{service.name}", f"The daily budget of {name} is used up", is_used_up, words
        )


def _balance_condition(key: str, name: str, state: ProviderState) -> Condition:
    """How far below the threshold the credits are; an account that has none, or is not known, has no reading."""
    known = state.balance is not None and LOW_BALANCE > 0
    missing = float(max(0, LOW_BALANCE - (state.balance or 0)))
    return Condition(
        key=f"provider_credits:{key}",
        category="provider",
        title=f"Few credits are left at {name}",
        readings=[missing] if known else [],
        warning=0.0,
        critical=LOW_BALANCE - 0.5,
        clear_below=1.0,
        describe=lambda missing: f"{LOW_BALANCE - missing:,.0f} credits left (threshold {LOW_BALANCE:,})",
    )


def _flag_condition(key: str, title: str, holds: bool, why: str) -> Condition:
    return Condition(
        key=key,
        category="provider",
        title=title,
        readings=[float(holds)],
        warning=0.5,
        critical=1.0,
        clear_below=0.5,
        describe=lambda _: f"{why}{_GOES_ON}",
    )
