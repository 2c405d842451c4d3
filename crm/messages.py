"""Messages of visitors: kept, mailed to support, answered, and forgotten when they are long done."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import activity
from accounts.models import ActivityKind, User
from crm import emails
from crm.models import Message, MessageState
from emailcheck.common import throttles
from emailcheck.common.errors import BadInput, NotFound
from emailcheck.common.throttles import Limit

SENT = "Message sent successfully! We'll respond within 24 hours."
FAILED = "Failed to send message. Please try again or use live chat."
THANKED = Limit("contact thanks", 3, 86_400)  # so that nobody can fill a stranger's mailbox
KEPT_FOR = timedelta(days=365)


@transaction.atomic
def write(*, name: str, email: str, subject: str, text: str, trap: str = "") -> Message:
    """Keep a message, mail it to support and tell the visitor.

    `trap`: what stood in a field that people do not see. Raises `BadInput` when a robot filled it in.
    """
    if trap:
        raise BadInput(FAILED)
    owner = User.objects.filter(email=email.lower(), email_verified_at__isnull=False).first()
    made = Message.objects.create(user=owner, name=name, email=email, subject=subject, text=text)
    emails.send_received(message=made, to=settings.SUPPORT_EMAIL)
    if throttles.take(THANKED, email.lower()).passed:
        emails.send_acknowledged(message=made)
    return made


def claim(*, user: User) -> None:
    """Give an account the messages with its address, once it has proved to own it."""
    Message.objects.filter(email__iexact=user.email, user=None).update(user=user)


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


def forget_old() -> None:
    """Delete what was answered or closed, a year after it was written; what waits for an answer stays."""
    done = Message.objects.exclude(state=MessageState.NEW)
    done.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
