"""Plans that staff make and assign to customers one by one (ADM-501 to ADM-514)."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any

from django.db import transaction

from accounts import activity
from accounts.models import ActivityKind, User
from billing import subscriptions
from billing.models import Cycle, Plan
from emailcheck.common.errors import BadInput, NotFound
from quotes.models import CustomPlan

FEATURES = (
    "Email Validation API",
    "Bulk Validation",
    "Real-time Validation",
    "Priority Support",
    "API Documentation",
    "Webhook Support",
    "Custom Integrations",
    "Dedicated Account Manager",
    "SLA Guarantee",
    "White-label Options",
)
NOT_FOUND = "Plan not found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a plan is; prices in USD, credits a month."""

    name: str
    monthly_price: Decimal
    yearly_price: Decimal
    credits: int
    target_customer: str
    description: str = ""
    features: tuple[str, ...] = ()
    is_active: bool = True


def merged(features: Iterable[str], typed: str | Iterable[str]) -> tuple[str, ...]:
    """Features of the checklist, then those typed (separated by commas): trimmed, none blank, none twice."""
    more = typed.split(",") if isinstance(typed, str) else typed
    found = (feature.strip() for feature in (*features, *more))
    return tuple(dict.fromkeys(feature for feature in found if feature))


@transaction.atomic
def create(*, staff: User, terms: Terms) -> CustomPlan:
    """Make a plan."""
    made = CustomPlan.objects.create(**_columns(terms))
    _log(staff, made, "Custom plan created")
    return made


@transaction.atomic
def edit(*, staff: User, plan_id: int, changes: dict[str, Any]) -> CustomPlan:
    """Change some columns; what was assigned before keeps its terms. Raises `NotFound`."""
    found = _locked(plan_id)
    for name, value in changes.items():
        setattr(found, name, list(value) if name == "features" else value)
    found.save()
    _log(staff, found, "Custom plan edited", sorted(changes))
    return found


@transaction.atomic
def clone(*, staff: User, plan_id: int, name: str = "") -> CustomPlan:
    """Make a plan like another one, active. Raises `NotFound`."""
    found = _locked(plan_id)
    found.pk, found.name, found.is_active = None, name.strip() or f"{found.name} (Copy)"[:120], True
    found._state.adding = True
    found.created_at = CustomPlan._meta.get_field("created_at").get_default()
    found.save()
    _log(staff, found, "Custom plan created")
    return found


@transaction.atomic
def assign(
    *, staff: User, plan_id: int, cycle: Cycle, reason: str, user_id: int | None = None, email: str = ""
) -> User:
    """Give a plan to a customer at once, in place of the one there was; nothing is charged.

    Raises `NotFound`, `BadInput` (`PLAN_INACTIVE`).
    """
    found = _locked(plan_id)
    if not found.is_active:
        raise BadInput("Inactive plans cannot be assigned", code="PLAN_INACTIVE")
    user = _customer(user_id, email)
    _give(user, cycle, found.credits)
    activity.record(
        user=user,
        kind=ActivityKind.STAFF,
        action=f"Plan {found.name} assigned",
        staff=staff,
        target=f"user:{user.pk}",
        changes={"plan": found.pk, "cycle": cycle, "credits": found.credits, "reason": reason},
    )
    return user


def _give(user: User, cycle: Cycle, credits: int) -> None:
    """One custom plan after another adds what the month has not had, so that assigning twice brings nothing twice."""
    _, standing = subscriptions.locked(user.pk)
    if standing.plan == Plan.CUSTOM:
        subscriptions.change_plan(user_id=user.pk, plan=Plan.CUSTOM, cycle=cycle, agreed_limit=credits)
        return
    subscriptions.activate(
        user_id=user.pk, plan=Plan.CUSTOM, cycle=cycle, paid_until=None, agreed_limit=credits, instead=True
    )


def _customer(user_id: int | None, email: str) -> User:
    named = User.objects.filter(pk=user_id) if user_id is not None else User.objects.filter(email=email.strip().lower())
    user = named.filter(deleted_at=None).first()
    if user is None:
        raise NotFound("User not found")
    return user


def _columns(terms: Terms) -> dict[str, Any]:
    columns = {field.name: getattr(terms, field.name) for field in fields(terms)}
    return columns | {"features": list(terms.features)}


def _locked(plan_id: int) -> CustomPlan:
    found = CustomPlan.objects.select_for_update().filter(pk=plan_id).first()
    if found is None:
        raise NotFound(NOT_FOUND)
    return found


def _log(staff: User, found: CustomPlan, action: str, changed: list[str] | None = None) -> None:
    activity.record(
        user=None,
        kind=ActivityKind.STAFF,
        action=action,
        staff=staff,
        target=f"custom_plan:{found.pk}",
        changes={"changed": changed} if changed else None,
    )
