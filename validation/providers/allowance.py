"""Which outside providers may be asked for an account, and how often (ADM-603, ADM-607, SET-060).

All that has to hold: the plan includes the provider, it is connected, neither the account nor the list keeps its
addresses in-house, and the job is not paid for by the welcome credits of a new account. Rows that turn out unknown
cost the customer nothing but us a question, so each plan has an allowance a month, and a list may use but a part of
its rows.
"""

from dataclasses import dataclass

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import LISTED, OFFERS
from billing.ledger.models import CreditHold
from billing.subscriptions import entitlements, welcome_credits
from emailcheck.env import Env
from validation.providers import sources
from validation.providers.clients.base import Provider
from validation.providers.clients.configuration import SERVICES

_env = Env()
MONTH_PERCENT = _env.number("PROVIDER_MONTH_PERCENT", 10)
"""Of the credits that the plan gives a month."""
_LISTED = (*LISTED, Plan.ENTERPRISE)


@dataclass(frozen=True, slots=True)
class ProviderAllowance:
    """The providers that may be asked for an account's rows, in their order, and how many questions a month."""

    user_id: int
    providers: tuple[Provider, ...]
    a_month: int


def allowance_of_job(user: User, *, hold: CreditHold | None, choice: bool | None) -> ProviderAllowance | None:
    """What a check or a list may ask; nothing where welcome credits pay for it, whatever the plan is by now."""
    gate = find_allowance(user, choice=choice)
    return None if gate and hold and welcome_credits.is_welcome_hold(hold) else gate


def find_allowance(user: User, *, choice: bool | None) -> ProviderAllowance | None:
    """What an account may ask; None for nothing at all. `choice` is the list's own, None where it has none."""
    if user.in_test_mode or not (user.use_providers if choice is None else choice):
        return None
    there = sources.list_connected()
    if not there:
        return None
    now = entitlements.load_current_plan(user)
    included = {service.name for service in SERVICES[: now.offer.providers]}
    providers = tuple(provider for provider in there if provider.name in included)
    a_month = entitlements.count_monthly_credits(now) * MONTH_PERCENT // 100
    return ProviderAllowance(user.pk, providers, a_month) if providers and a_month else None


def list_provider_titles(user: User, *, choice: bool | None = True) -> list[str]:
    """The names of the providers that could be sent addresses of an account; with None for `choice` where it has not
    chosen to keep them in-house."""
    gate = find_allowance(user, choice=choice)
    return [provider.title for provider in gate.providers] if gate else []


def list_plans_with_provider(number: int) -> tuple[Plan, ...]:
    """The plans whose accounts the provider of that place, from 0, is asked for; custom plans count as Enterprise."""
    return tuple(plan for plan in _LISTED if OFFERS[plan].providers > number)
