"""Plans that staff make and assign to customers one by one (ADM-501 to ADM-514)."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.users import directory, ownership
from accounts.users.models import User
from billing.catalogue.plans import Cycle, Plan
from billing.ledger.money_audit import load_figures, record_change
from billing.subscriptions import services as subscriptions
from emailcheck.common.errors import BadInput, NotFound, require_found
from quotes.custom_plans.models import CustomPlan
from quotes.listing import Page, build_newest_page, match_text

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
NOT_FOUND, NO_USER = "Plan not found", "User not found"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTerms:
    """What a plan is; prices in USD, credits a month."""

    name: str
    monthly_price: Decimal
    yearly_price: Decimal
    credits: int
    target_customer: str
    description: str = ""
    features: tuple[str, ...] = ()
    is_active: bool = True


def merge_features(features: Iterable[str], typed: str | Iterable[str]) -> tuple[str, ...]:
    """Features of the checklist, then those typed (separated by commas): trimmed, none blank, none twice."""
    more = typed.split(",") if isinstance(typed, str) else typed
    found = (feature.strip() for feature in (*features, *more))
    return tuple(dict.fromkeys(feature for feature in found if feature))


@transaction.atomic
def create_plan(*, staff: User, terms: PlanTerms) -> CustomPlan:
    """Make a plan."""
    made = CustomPlan.objects.create(**_plan_columns(terms))
    _record_act(staff, made, "Custom plan created")
    return made


@transaction.atomic
def edit_plan(*, staff: User, plan_id: int, changes: dict[str, Any]) -> CustomPlan:
    """Change some columns; what was assigned before keeps its terms. Raises `NotFound`."""
    found = _lock_plan(plan_id)
    for name, value in changes.items():
        setattr(found, name, list(value) if name == "features" else value)
    found.save()
    _record_act(staff, found, "Custom plan edited", sorted(changes))
    return found


@transaction.atomic
def clone_plan(*, staff: User, plan_id: int, name: str = "") -> CustomPlan:
    """Make a plan like another one, active. Raises `NotFound`."""
    found = _lock_plan(plan_id)
    found.pk, found.name, found.is_active = None, name.strip() or f"{found.name} (Copy)"[:120], True
    found._state.adding = True
    found.created_at = CustomPlan._meta.get_field("created_at").get_default()
    found.save()
    _record_act(staff, found, "Custom plan created")
    return found


@transaction.atomic
def assign_plan(
    *,
    staff: User,
    plan_id: int,
    cycle: Cycle,
    reason: str,
    user_id: int | None = None,
    email: str = "",
    organisation_id: str = "",
) -> Organisation:
    """Give a plan to a customer at once, in place of the one there was; nothing is charged.

    The organisation of this public id gets it, which the person owns, or without an id the one that they hold. Raises
    `NotFound`, `BadInput` (`PLAN_INACTIVE`).
    """
    found = _lock_plan(plan_id)
    if not found.is_active:
        raise BadInput("Inactive plans cannot be assigned", code="PLAN_INACTIVE")
    organisation = _load_customer(user_id, email, organisation_id)
    subscriptions.lock_subscription(organisation.pk)
    before = load_figures(organisation)
    _grant_credits(organisation, cycle, found.credits)
    record_change(
        organisation,
        before,
        kind=ActivityKind.STAFF,
        action=f"Plan {found.name} assigned",
        staff=staff,
        target=f"user:{organisation.pk}",
        custom_plan=found.pk,
        monthly_credits=found.credits,
        reason=reason,
    )
    return organisation


def _grant_credits(organisation: Organisation, cycle: Cycle, credits: int) -> None:
    """One custom plan after another adds what the month has not had, so that assigning twice brings nothing twice."""
    _, subscription = subscriptions.lock_subscription(organisation.pk)
    if subscription.plan == Plan.CUSTOM:
        subscriptions.change_plan(
            organisation_id=organisation.pk, plan=Plan.CUSTOM, cycle=cycle, custom_monthly_credits=credits
        )
        return
    subscriptions.activate_plan(
        organisation_id=organisation.pk,
        plan=Plan.CUSTOM,
        cycle=cycle,
        paid_until=None,
        custom_monthly_credits=credits,
        instead=True,
    )


def _load_customer(user_id: int | None, email: str, public_id: str) -> Organisation:
    whose = Q(pk=user_id) if user_id is not None else Q(email=email.strip().lower())
    user = require_found(directory.open_accounts().filter(whose).first(), NO_USER)
    if public_id:
        return ownership.find_owned(user, public_id)
    return require_found(Organisation.objects.filter(holder=user, deleted_at=None).first(), NO_USER)


def _plan_columns(terms: PlanTerms) -> dict[str, Any]:
    columns = {field.name: getattr(terms, field.name) for field in fields(terms)}
    return columns | {"features": list(terms.features)}


def _lock_plan(plan_id: int) -> CustomPlan:
    found = CustomPlan.objects.select_for_update().filter(pk=plan_id).first()
    if found is None:
        raise NotFound(NOT_FOUND)
    return found


def _record_act(staff: User, found: CustomPlan, action: str, changed: list[str] | None = None) -> None:
    audit_log.record_activity(
        organisation=None,
        kind=ActivityKind.STAFF,
        action=action,
        staff=staff,
        target=f"custom_plan:{found.pk}",
        changes={"changed": changed} if changed else None,
    )


def search_custom_plans(*, search: str = "", active: bool | None = None, cursor: str = "") -> Page[CustomPlan]:
    """Plans that staff made, newest first, by name, description or customer. Raises `BadInput` for a foreign cursor."""
    found = CustomPlan.objects.all()
    if active is not None:
        found = found.filter(is_active=active)
    if search.strip():
        found = found.filter(match_text(search.strip(), ("name", "description", "target_customer")))
    return build_newest_page(found, cursor)
