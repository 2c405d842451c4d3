"""The outside providers that an account may use, and how often (ADM-603, ADM-607, SET-060).

A provider is used when the plan includes it, it is connected, neither the account nor the list keeps its addresses
in-house, and the job is not paid for by a new account's welcome credits. Rows that turn out unknown are free for the
customer but cost us a question. So each plan has a monthly allowance, and a list may use it for a part of its rows
only.
"""

from dataclasses import dataclass

from accounts.organisations.models import Organisation
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
"""Percent of a plan's monthly credits."""
_LISTED = (*LISTED, Plan.ENTERPRISE)


@dataclass(frozen=True, slots=True)
class ProviderAllowance:
    """The providers for an account's rows, in order, and the number of questions a month."""

    organisation_id: int
    providers: tuple[Provider, ...]
    a_month: int


def allowance_of_job(
    organisation: Organisation, *, hold: CreditHold | None, choice: bool | None
) -> ProviderAllowance | None:
    """The allowance of a check or a list; None where welcome credits pay for it, whatever the plan is now."""
    gate = find_allowance(organisation, choice=choice)
    return None if gate and hold and welcome_credits.is_welcome_hold(hold) else gate


def find_allowance(organisation: Organisation, *, choice: bool | None) -> ProviderAllowance | None:
    """The allowance of an account; None for no questions. `choice`: the list's own setting, None without one."""
    if organisation.in_test_mode or not (organisation.use_providers if choice is None else choice):
        return None
    there = sources.list_connected()
    if not there:
        return None
    now = entitlements.load_current_plan(organisation)
    included = {service.name for service in SERVICES[: now.offer.providers]}
    providers = tuple(provider for provider in there if provider.name in included)
    a_month = entitlements.count_monthly_credits(now) * MONTH_PERCENT // 100
    return ProviderAllowance(organisation.pk, providers, a_month) if providers and a_month else None


def list_provider_titles(organisation: Organisation, *, choice: bool | None = True) -> list[str]:
    """The names of the providers that could receive an account's addresses.

    With None for `choice`, only where the account has not chosen to keep them in-house.
    """
    gate = find_allowance(organisation, choice=choice)
    return [provider.title for provider in gate.providers] if gate else []


def list_plans_with_provider(number: int) -> tuple[Plan, ...]:
    """The plans that include the provider at an index of the order; custom plans count as Enterprise."""
    return tuple(plan for plan in _LISTED if OFFERS[plan].providers > number)
