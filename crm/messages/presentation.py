"""Messages as the API presents them."""

from typing import Any

from crm.messages.models import Message

Json = dict[str, Any]


def present_message(found: Message) -> Json:
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
