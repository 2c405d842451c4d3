"""Which outside providers may be asked for an account, and how often (ADM-603, ADM-607, SET-060).

All that has to hold: the plan includes the provider, it is connected, neither the account nor the list keeps its
addresses in-house, and the job is not paid for by the welcome credits of a new account. Rows that turn out unknown
cost the customer nothing but us a question, so each plan has an allowance a month, and a list may use but a part of
its rows.
"""

from dataclasses import dataclass

from accounts.models import User
from billing import plans, welcome
from billing.catalogue import LISTED, OFFERS
from billing.models import CreditHold, Plan
from emailcheck.env import Env
from validation import provider_sources
from validation.models import Batch
from validation.provider_models import ProviderMonth
from validation.providers.base import Provider
from validation.providers.configuration import SERVICES

_env = Env()
MONTH_PERCENT = _env.number("PROVIDER_MONTH_PERCENT", 10)
"""Of the credits that the plan gives a month."""
BATCH_PERCENT = _env.number("PROVIDER_BATCH_PERCENT", 20)
BATCH_LEAST = 20
_LISTED = (*LISTED, Plan.ENTERPRISE)


@dataclass(frozen=True, slots=True)
class Gate:
    """The providers that may be asked for an account's rows, in their order, and how many questions a month."""

    user_id: int
    providers: tuple[Provider, ...]
    a_month: int


def gate_of_job(user: User, *, hold: CreditHold | None, choice: bool | None) -> Gate | None:
    """What a check or a list may ask; nothing where welcome credits pay for it, whatever the plan is by now."""
    gate = gate_for(user, choice=choice)
    return None if gate and hold and welcome.pays_for(hold) else gate


def gate_for(user: User, *, choice: bool | None) -> Gate | None:
    """What an account may ask; None for nothing at all. `choice` is the list's own, None where it has none."""
    if user.in_test_mode or not (user.use_providers if choice is None else choice):
        return None
    there = provider_sources.connected()
    if not there:
        return None
    now = plans.standing(user)
    included = {service.name for service in SERVICES[: now.offer.providers]}
    providers = tuple(provider for provider in there if provider.name in included)
    a_month = plans.monthly_credits(now) * MONTH_PERCENT // 100
    return Gate(user.pk, providers, a_month) if providers and a_month else None


def named_for(user: User, *, choice: bool | None = True) -> list[str]:
    """The names of the providers that could be sent addresses of an account; with None for `choice` where it has not
    chosen to keep them in-house."""
    gate = gate_for(user, choice=choice)
    return [provider.title for provider in gate.providers] if gate else []


def a_batch(batch: Batch) -> int:
    """How many questions a list may have asked."""
    return max(BATCH_LEAST, batch.total_emails * BATCH_PERCENT // 100)


def room(gate: Gate, batch: Batch, month: ProviderMonth | None) -> int:
    """How many rows of a list may still be asked about, by what is known now; booking is exact."""
    used = month.questions if month else 0
    return max(0, min(a_batch(batch) - batch.questions_booked, gate.a_month - used))


def plans_of(number: int) -> tuple[Plan, ...]:
    """The plans whose accounts the provider of that place, from 0, is asked for; custom plans count as Enterprise."""
    return tuple(plan for plan in _LISTED if OFFERS[plan].providers > number)
