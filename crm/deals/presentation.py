"""Deals as the API presents them."""

from typing import Any

from crm.deals.models import Deal, DealEvent

Json = dict[str, Any]


def present_deal(found: Deal) -> Json:
    return {
        "id": found.pk,
        "companyName": found.company_name,
        "contactName": found.contact_name,
        "contactEmail": found.contact_email,
        "dealValue": found.value,
        "stage": found.stage,
        "expectedCloseDate": found.expected_close_date,
        "notes": found.notes,
        "createdAt": found.created_at,
        "lastContact": found.last_contact_at,
    }


def present_event(found: DealEvent, who: str | None) -> Json:
    """A line of a deal's history, and who made it."""
    return {"time": found.created_at, "user": who, "action": found.action, "text": found.text}
