"""Quotes as the API answers them."""

from typing import Any

from quotes.models import PlanRequest, PlanStatus, Quote, QuoteRequest
from quotes.pricing import Figures

Json = dict[str, Any]


def quote(found: Quote) -> Json:
    """A quote, as its customer sees it."""
    return {
        "id": found.pk,
        **{
            name: getattr(found, name)
            for name in ("quote_id", "customer_name", "customer_email", "credits_needed", "expires_at", "status")
        },
        "customer_company": found.customer_company or None,
        "monthly_price": found.monthly_price,
        "annual_price": found.annual_price,
        "annual_savings": found.annual_savings,
        "credit_distribution": {"first_month": found.first_month, "monthly_after": found.monthly_after},
        "yearly_credits": found.yearly_credits,
        "is_expired": found.is_expired(),
        "plan_status": plan_status(found),
        "selected_plan": found.selected_plan or None,
    }


def staff_quote(found: Quote) -> Json:
    """A quote, as staff see it."""
    return {
        **quote(found),
        "notes": found.notes,
        "created_at": found.created_at,
        "archived": found.archived_at is not None,
    }


def plan_status(found: Quote) -> str | None:
    """How far the plan is that came of it; none before a plan was chosen."""
    request = getattr(found, "plan_request", None)
    return PlanStatus(request.status).value if request else None


def request(found: QuoteRequest) -> Json:
    """A request for a price, as staff see it; the amount under both of its names (QUO-008)."""
    return {
        "id": found.pk,
        "user_name": found.user.name,
        "user_email": found.user.email,
        "company_name": found.company_name or None,
        "credits_requested": found.credits_requested,
        "credits_needed": found.credits_requested,
        "notes": found.notes,
        "status": found.status,
        "created_at": found.created_at,
    }


def preview(told: Figures) -> Json:
    """A price that nothing was made of yet."""
    return {
        "twelve_months": told.twelve_months,
        "monthly_price": told.monthly_price,
        "annual_price": told.annual_price,
        "annual_savings": told.annual_savings,
        "credit_distribution": {"first_month": told.first_month, "monthly_after": told.monthly_after},
        "yearly_credits": told.yearly_credits,
    }


def plan_request(found: PlanRequest) -> Json:
    """What a customer chose, as staff see it."""
    names = ("selected_plan", "status", "amount_paid", "payment_received_at", "auto_approval_at", "created_at")
    return {
        "id": found.pk,
        "quote_id": found.quote.quote_id,
        "customer_email": found.quote.customer_email,
        **{name: getattr(found, name) for name in names},
    }


def my_request(found: QuoteRequest) -> Json:
    """A request for a price, as the customer sees it."""
    return {
        "id": found.pk,
        "credits_needed": found.credits_requested,
        "company_name": found.company_name or None,
        "notes": found.notes,
        "status": found.status,
        "created_at": found.created_at,
    }


def my_plan_request(found: PlanRequest) -> Json:
    """What a customer chose, as the customer sees it."""
    return plan_request(found) | {"credits_needed": found.quote.credits_needed}
