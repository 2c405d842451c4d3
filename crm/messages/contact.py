"""Messages of visitors: stored, mailed to support, answered, and deleted long after they are done."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from crm.deals import services as deals
from crm.deals.models import Deal
from crm.messages import emails
from crm.messages.models import Message, MessageState
from crm.text_search import match_words
from emailcheck.common.api import throttles
from emailcheck.common.api.throttles import Limit
from emailcheck.common.errors import BadInput, Conflict, NotFound

SENT = "Message sent successfully! We'll respond within 24 hours."
FAILED = "Failed to send message. Please try again or use live chat."
ACKNOWLEDGEMENTS = Limit("contact thanks", 3, 86_400)  # so that nobody can flood another person's mailbox
RETENTION = timedelta(days=365)


@transaction.atomic
def receive_message(*, name: str, email: str, subject: str, text: str, trap: str = "") -> Message:
    """Store a message, mail it to support and confirm it to the visitor.

    `trap`: what stood in a field that people do not see. Raises `BadInput` when a robot filled it in.
    """
    if trap:
        raise BadInput(FAILED)
    owner = User.objects.filter(email=email.lower(), email_verified_at__isnull=False).first()
    made = Message.objects.create(user=owner, name=name, email=email, subject=subject, text=text)
    emails.send_contact_received(message=made, to=settings.SUPPORT_EMAIL)
    if throttles.count_request(ACKNOWLEDGEMENTS, email.lower()).passed:
        emails.send_contact_acknowledged(message=made)
    return made


def claim_messages(*, user: User) -> None:
    """Give an account the messages with its address, once it has proved to own it."""
    Message.objects.filter(email__iexact=user.email, user=None).update(user=user)


@transaction.atomic
def set_message_state(*, staff: User, message_id: int, state: MessageState) -> Message:
    """Note that a message is new, was answered, or is closed. Raises `NotFound`."""
    found = Message.objects.select_for_update().filter(pk=message_id).first()
    if found is None:
        raise NotFound("Message not found")
    found.state = state
    found.save(update_fields=["state"])
    target = f"message:{found.pk}"
    audit_log.record_activity(
        user=None, kind=ActivityKind.STAFF, action=f"Message marked {state}", staff=staff, target=target
    )
    return found


def delete_old_messages() -> None:
    """Delete what was answered or closed, a year after it was written; what waits for an answer stays."""
    done = Message.objects.exclude(state=MessageState.NEW)
    done.filter(created_at__lt=timezone.now() - RETENTION).delete()


@transaction.atomic
def create_deal_from_message(*, staff: User, message_id: int, terms: deals.DealTerms) -> Deal:
    """Make a deal of a message. Raises `NotFound` for an unknown one, `Conflict` (`DEAL_EXISTS`) when it has a deal."""
    message = _lock_message_without_deal(message_id)
    message.deal = deals.create_deal(staff=staff, terms=terms)
    message.save(update_fields=["deal"])
    return message.deal


def _lock_message_without_deal(message_id: int) -> Message:
    message = Message.objects.select_for_update().filter(pk=message_id).first()
    if message is None:
        raise NotFound("Message not found")
    if message.deal_id is not None:
        raise Conflict("This message already has a deal", code="DEAL_EXISTS")
    return message


def search_messages(*, search: str = "", state: str = "") -> QuerySet[Message]:
    """The messages of a state that contain each word."""
    found = Message.objects.filter(match_words(search, "name", "email", "subject", "text"))
    return found.filter(state=state) if state else found
