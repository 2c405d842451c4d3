"""Plan requests as the API presents them."""

from typing import Any

from quotes.plan_requests.models import PlanRequest

Json = dict[str, Any]


def present_plan_request(found: PlanRequest) -> Json:
    """What a customer chose, as staff see it."""
    names = ("selected_plan", "status", "amount_paid", "payment_received_at", "auto_approval_at", "created_at")
    return {
        "id": found.pk,
        "quote_id": found.quote.quote_id,
        "customer_email": found.quote.customer_email,
        **{name: getattr(found, name) for name in names},
    }


def present_own_plan_request(found: PlanRequest) -> Json:
    """What a customer chose, as the customer sees it."""
    return present_plan_request(found) | {"credits_needed": found.quote.credits_needed}
