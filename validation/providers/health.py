"""Whether a provider is available: switched on by staff, and its circuit breaker.

The breaker is in the database, for all processes. It opens after `FAILURES` in a row, or at once when the provider
rejects all questions; every further pause is twice as long. After a pause one process at a time may send one question,
and its answer closes the breaker.
"""

from collections.abc import Collection
from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from emailcheck.common.text.cleaning import make_storable
from emailcheck.env import Env
from validation.providers.clients.base import BadKey, OutOfCredit, ProviderError, RateLimited, Refused
from validation.providers.models import ProviderState

FAILURES = 5
PAUSE_S, LONGEST_PAUSE_S = 60, 900
RATE_LIMIT_PAUSE_S = 30.0
_PROBE = timedelta(seconds=30)
DAILY_BUDGET = Env().number("PROVIDER_DAILY_BUDGET", 1_000)


def load_states(names: Collection[str]) -> dict[str, ProviderState]:
    """The states of some providers. An unknown one is switched on, with the budget of the settings."""
    known = {state.name: state for state in ProviderState.objects.filter(name__in=names)}
    missing = [ProviderState(name=name, daily_budget=DAILY_BUDGET) for name in names if name not in known]
    if missing:
        ProviderState.objects.bulk_create(missing, ignore_conflicts=True)
    return known | {state.name: state for state in missing}


def admit_question(state: ProviderState) -> bool:
    """Whether one question may be sent now. Uses up the single question of a half-open breaker."""
    if not state.enabled or state.breaker == "open":
        return False
    if state.not_before is None:
        return True
    half_open = ProviderState.objects.filter(name=state.name, not_before=state.not_before)
    return bool(half_open.update(not_before=timezone.now() + _PROBE))


def record_success(name: str) -> None:
    """Note a success: the failures are forgotten."""
    held = ProviderState.objects.filter(name=name).exclude(failures=0, not_before=None)
    held.update(failures=0, pauses=0, not_before=None, breaker_reason="")


def record_failure(name: str, error: ProviderError) -> None:
    """Count a failure, and open the breaker where it is due. A refused question says nothing about others."""
    if isinstance(error, Refused):
        return
    if isinstance(error, RateLimited):
        _open_breaker(name, error.retry_after or RATE_LIMIT_PAUSE_S, "It takes no more questions for the moment")
    elif isinstance(error, OutOfCredit):
        _open_breaker(name, LONGEST_PAUSE_S, "Our credits there are used up")
    elif isinstance(error, BadKey):
        _open_breaker(name, LONGEST_PAUSE_S, "It does not accept our key")
    else:
        _count_failure(name, error)


def _count_failure(name: str, error: ProviderError) -> None:
    mine = ProviderState.objects.filter(name=name)
    mine.update(failures=F("failures") + 1)
    state = mine.get()
    if state.failures >= FAILURES or state.pauses:
        _open_breaker(name, min(LONGEST_PAUSE_S, PAUSE_S * 2**state.pauses), error.reason)


def _open_breaker(name: str, seconds: float, reason: str) -> None:
    """Open the breaker. Of concurrent callers, one makes the pause longer."""
    now = timezone.now()
    until, said = now + timedelta(seconds=min(seconds, LONGEST_PAUSE_S)), make_storable(reason)[:200]
    mine = ProviderState.objects.filter(name=name)
    mine.filter(not_before=None).update(pauses=F("pauses") + 1, breaker_reason=said, not_before=until)
    mine.filter(not_before__gt=now, not_before__lt=until).update(not_before=until, breaker_reason=said)
