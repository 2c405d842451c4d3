"""Requests for a price as the API presents them."""

from typing import Any

from quotes.requests.models import QuoteRequest

Json = dict[str, Any]


def present_request(found: QuoteRequest) -> Json:
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


def present_own_request(found: QuoteRequest) -> Json:
    """A request for a price, as the customer sees it."""
    return {
        "id": found.pk,
        "credits_needed": found.credits_requested,
        "company_name": found.company_name or None,
        "notes": found.notes,
        "status": found.status,
        "created_at": found.created_at,
    }
