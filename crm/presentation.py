"""Deals, contracts, messages and subscribers as the API answers them."""

from datetime import date
from typing import Any

from crm.models import Contract, Deal, DealEvent, Message

Json = dict[str, Any]


def deal(found: Deal) -> Json:
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


def event(found: DealEvent, who: str | None) -> Json:
    """A line of a deal's history, and who made it."""
    return {"time": found.created_at, "user": who, "action": found.action, "text": found.text}


def contract(found: Contract, today: date) -> Json:
    return {
        "id": found.pk,
        "companyName": found.company_name,
        "plan": found.plan,
        "startDate": found.starts_on,
        "endDate": found.ends_on,
        "value": found.value,
        "status": found.status(today),
        "renewalDate": found.renews_on,
        "autoRenewal": found.auto_renewal,
        "deal_id": found.deal_id,
        "quote_id": found.quote_id,
    }


def message(found: Message) -> Json:
    return {
        "id": found.pk,
        "name": found.name,
        "email": found.email,
        "subject": found.subject,
        "message": found.text,
        "state": found.state,
        "created_at": found.created_at,
        "deal_id": found.deal_id,
    }
