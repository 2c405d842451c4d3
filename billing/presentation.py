"""Plans and subscriptions as the API answers them."""

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from accounts.models import User
from billing import pauses, plans, services
from billing.catalogue import LISTED, OFFERS, PACKS, TRIAL_CREDITS, TRIAL_DAYS
from billing.models import (
    CreditEntry,
    CreditLot,
    Cycle,
    EntryKind,
    MethodKind,
    Payment,
    PaymentKind,
    PaymentMethod,
    PaymentState,
    Refund,
    Status,
    Subscription,
    TrialStatus,
)
from billing.periods import next_billing_at
from billing.welcome import next_checks, welcome_of
from emailcheck.common import check_costs

Json = dict[str, Any]
_FATES = {PaymentState.REFUNDED: "refunded", PaymentState.REVERSED: "charged_back"}


def catalogue() -> Json:
    """What is sold at a list price."""
    offers = [OFFERS[plan] for plan in LISTED]
    return {
        "plans": [
            {
                "id": offer.plan,
                "name": offer.name,
                "monthlyPrice": offer.price(Cycle.MONTHLY),
                "yearlyPrice": offer.yearly or 0,
                "limit": offer.limit,
                "color": offer.color,
            }
            for offer in offers
        ],
        "packs": [{"id": pack.id, "credits": pack.credits, "price": pack.price} for pack in PACKS],
    }


def subscription(user: User) -> Json:
    """The plan of an account and what it has used (SUB-001)."""
    now = plans.standing(user)
    found, summary = now.subscription, plans.account_summary(user)
    ending = now.on_trial or now.status == Status.CANCELLED
    last = _last_payment(user)
    could_pause_until = pauses.could_pause_until(found, timezone.now())
    return {
        **{name: summary[name] for name in ("credits", "pack_credits", "monthly_usage")},
        "plan_credits": summary["plan_credits"] + services.frozen_credits(user_id=user.pk),
        "subscription_plan": now.plan,
        "subscription_status": now.status,
        "monthly_limit": now.limit,
        "payment_method": _payment_method(user),
        "last_payment_date": last["date"] if last else None,
        "last_payment": last,
        "next_billing_date": next_billing_at(found),
        "billing_cycle": found.cycle or None,
        "trial_status": _trial_status(now),
        "trial_ends_at": found.trial_ends_at,
        "can_pause": could_pause_until is not None,
        "pause_ends_at": found.pause_ends_at or could_pause_until,
        "cancel_at": found.cancel_at if ending else None,
        "scheduled_plan": found.scheduled_plan or None,
        "scheduled_cycle": found.scheduled_cycle or None,
        "scheduled_at": next_billing_at(found) if found.scheduled_plan else None,
        "unknown_costs": unknown_costs(user),
    }


def unknown_costs(user: User) -> str:
    """What the checks of an account cost where the answer is unknown, in a sentence (PEN-025)."""
    if plans.has_full_checks(user):
        return check_costs.FULL
    return check_costs.WELCOME if welcome_of(user).left else check_costs.BASIC


def credits(user: User) -> Json:
    """What the account can spend, by where it came from, and what it buys."""
    return plans.account_summary(user) | _full_checks(user) | _lots(user)


def _full_checks(user: User) -> Json:
    """What a new account has left of its full checks, and which checks the next single check would run."""
    now = welcome_of(user)
    return {"welcome_credits": now.left, "welcome_ends_at": now.ends_at, "checks": next_checks(user)}


def _lots(user: User) -> Json:
    """The credits of an account by where they came from: what can be spent, and what is frozen while a plan rests."""
    if user.in_test_mode:
        return {"lots": (), "frozen_lots": ()}
    spendable, frozen = services.spendable_lots(user_id=user.pk), services.frozen_lots(user_id=user.pk)
    return {"lots": _with_origin(spendable), "frozen_lots": _with_origin(frozen)}


def _with_origin(found: QuerySet[CreditLot]) -> QuerySet[CreditLot]:
    grants = CreditEntry.objects.filter(lot=OuterRef("pk"), kind=EntryKind.GRANT)
    return found.annotate(origin=Subquery(grants.values("reason")[:1]))


def trial_started(found: Subscription, *, credits: int) -> Json:
    """The answer to a trial that has begun."""
    return {
        "message": f"Your {TRIAL_DAYS}-day Growth trial has started. {TRIAL_CREDITS} credits were added.",
        "trial_ends_at": found.trial_ends_at,
        "credits": credits,
    }


def _last_payment(user: User) -> Json | None:
    """The newest payment that was ever captured, by the provider's time, and what became of it; None without one."""
    captured = Payment.objects.filter(user=user, captured_at__isnull=False).select_related("refund")
    found = captured.order_by("-captured_at", "-pk").first()
    if found is None:
        return None
    went_back = found.state in {PaymentState.REFUNDED, PaymentState.REVERSED}
    refund: Refund | None = getattr(found, "refund", None)
    return {
        "date": found.captured_at,
        "amount": found.amount,
        "currency": found.currency,
        "description": found.description,
        "is_pack": found.kind == PaymentKind.CREDITS,
        "status": _FATES.get(PaymentState(found.state), "captured"),
        "refunded_at": refund.done_at if refund and went_back else None,
    }


def _payment_method(user: User) -> str | None:
    """What is paid with, as its owner knows it."""
    method = PaymentMethod.objects.filter(user=user, is_default=True).first()
    if method is None:
        return None
    if method.kind == MethodKind.CARD:
        return f"{method.card_brand} ending in {method.card_last_four}"
    return f"PayPal ({method.label})" if method.label else "PayPal"


def _trial_status(now: plans.Standing) -> str | None:
    stored = now.subscription.trial_status
    over = stored == TrialStatus.ACTIVE and not now.on_trial
    return TrialStatus.EXPIRED if over else stored or None
