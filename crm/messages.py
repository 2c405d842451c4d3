"""Messages of visitors: kept, mailed to support, answered."""

from django.conf import settings
from django.db import transaction

from accounts import activity
from accounts.models import ActivityKind, User
from crm import emails
from crm.models import Message, MessageState
from emailcheck.common import throttles
from emailcheck.common.errors import NotFound
from emailcheck.common.throttles import Limit

SENT = "Message sent successfully! We'll respond within 24 hours."
THANKED = Limit("contact thanks", 3, 86_400)  # so that nobody can fill a stranger's mailbox


@transaction.atomic
def write(*, name: str, email: str, subject: str, text: str) -> Message:
    """Keep a message, mail it to support and tell the visitor."""
    made = Message.objects.create(name=name, email=email, subject=subject, text=text)
    emails.send_received(message=made, to=settings.SUPPORT_EMAIL)
    if throttles.take(THANKED, email.lower()).passed:
        emails.send_acknowledged(message=made)
    return made


@transaction.atomic
def set_state(*, staff: User, message_id: int, state: MessageState) -> Message:
    """Note that a message is new, was answered, or is closed. Raises `NotFound`."""
    found = Message.objects.select_for_update().filter(pk=message_id).first()
    if found is None:
        raise NotFound("Message not found")
    found.state = state
    found.save(update_fields=["state"])
    target = f"message:{found.pk}"
    activity.record(user=None, kind=ActivityKind.STAFF, action=f"Message marked {state}", staff=staff, target=target)
    return found
