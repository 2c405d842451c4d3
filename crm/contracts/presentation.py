"""Contracts as the API presents them."""

from datetime import date
from typing import Any

from crm.contracts.models import Contract

Json = dict[str, Any]


def present_contract(found: Contract, today: date) -> Json:
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
