"""Quotes as the API answers them."""

from typing import Any

from quotes.quotes.models import PlanStatus, Quote
from quotes.quotes.pricing import Figures

Json = dict[str, Any]


def present_quote(found: Quote) -> Json:
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
        "credit_distribution": {"first_month": found.first_month_credits, "monthly_after": found.later_month_credits},
        "yearly_credits": found.yearly_credits,
        "is_expired": found.is_expired(),
        "plan_status": find_plan_status(found),
        "selected_plan": found.selected_plan or None,
    }


def present_staff_quote(found: Quote) -> Json:
    """A quote, as staff see it."""
    return {
        **present_quote(found),
        "notes": found.notes,
        "created_at": found.created_at,
        "archived": found.archived_at is not None,
    }


def find_plan_status(found: Quote) -> str | None:
    """How far the plan is that came of it; none before a plan was chosen."""
    request = getattr(found, "plan_request", None)
    return PlanStatus(request.status).value if request else None


def present_preview(figures: Figures) -> Json:
    """A price that nothing was made of yet."""
    return {
        "twelve_months": figures.price_of_twelve_months,
        "monthly_price": figures.monthly_price,
        "annual_price": figures.annual_price,
        "annual_savings": figures.annual_savings,
        "credit_distribution": {
            "first_month": figures.first_month_credits,
            "monthly_after": figures.later_month_credits,
        },
        "yearly_credits": figures.yearly_credits,
    }
