"""Plans and subscriptions as the API answers them."""

from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.price_list import TRIAL_CREDITS, TRIAL_DAYS
from billing.catalogue.price_tables import Json
from billing.ledger.balances import count_frozen_credits
from billing.payments.models import MethodKind, Payment, PaymentKind, PaymentMethod, PaymentState, Refund
from billing.subscriptions import entitlements
from billing.subscriptions.lifecycle import pauses
from billing.subscriptions.models import Status, Subscription, TrialStatus
from billing.subscriptions.periods import find_next_billing
from billing.subscriptions.welcome_credits import load_welcome
from emailcheck.common.text import check_costs

_REVERSALS = {PaymentState.REFUNDED: "refunded", PaymentState.REVERSED: "charged_back"}


def present_subscription(organisation: Organisation) -> Json:
    """The plan of an account and what it has used (SUB-001)."""
    now = entitlements.load_current_plan(organisation)
    found, summary = now.subscription, entitlements.build_account_summary(organisation)
    ending = now.on_trial or now.status == Status.CANCELLED
    last = _present_last_payment(organisation)
    could_pause_until = pauses.find_possible_pause_end(found, timezone.now())
    return {
        **{name: summary[name] for name in ("credits", "pack_credits", "monthly_usage", "monthly_limit")},
        "plan_credits": summary["plan_credits"] + count_frozen_credits(organisation_id=organisation.pk),
        "subscription_plan": now.plan,
        "subscription_status": now.status,
        "payment_method": _describe_payment_method(organisation),
        "last_payment_date": last["date"] if last else None,
        "last_payment": last,
        "next_billing_date": find_next_billing(found),
        "billing_cycle": found.cycle or None,
        "trial_status": _find_trial_status(now),
        "trial_ends_at": found.trial_ends_at,
        "can_pause": could_pause_until is not None,
        "pause_ends_at": found.pause_ends_at or could_pause_until,
        "cancel_at": found.cancel_at if ending else None,
        "scheduled_plan": found.scheduled_plan or None,
        "scheduled_cycle": found.scheduled_cycle or None,
        "scheduled_at": find_next_billing(found) if found.scheduled_plan else None,
        "unknown_costs": describe_unknown_costs(organisation),
    }


def describe_unknown_costs(organisation: Organisation) -> str:
    """What the checks of an account cost where the answer is unknown, in a sentence (PEN-025)."""
    if entitlements.has_full_checks(organisation):
        return check_costs.FULL
    return check_costs.WELCOME if load_welcome(organisation).left else check_costs.BASIC


def present_trial_start(found: Subscription, *, credits: int) -> Json:
    """The answer to the start of a trial."""
    return {
        "message": f"Your {TRIAL_DAYS}-day Growth trial has started. {TRIAL_CREDITS} credits were added.",
        "trial_ends_at": found.trial_ends_at,
        "credits": credits,
    }


def _present_last_payment(organisation: Organisation) -> Json | None:
    """The newest payment that was ever captured, by the provider's time, and what became of it; None without one."""
    captured = Payment.objects.filter(organisation=organisation, captured_at__isnull=False).select_related("refund")
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
        "status": _REVERSALS.get(PaymentState(found.state), "captured"),
        "refunded_at": refund.done_at if refund and went_back else None,
    }


def _describe_payment_method(organisation: Organisation) -> str | None:
    """What is paid with, as its owner knows it."""
    method = PaymentMethod.objects.filter(organisation=organisation, is_default=True).first()
    if method is None:
        return None
    if method.kind == MethodKind.CARD:
        return f"{method.card_brand} ending in {method.card_last_four}"
    return f"PayPal ({method.label})" if method.label else "PayPal"


def _find_trial_status(now: entitlements.CurrentPlan) -> str | None:
    stored = now.subscription.trial_status
    over = stored == TrialStatus.ACTIVE and not now.on_trial
    return TrialStatus.EXPIRED if over else stored or None
