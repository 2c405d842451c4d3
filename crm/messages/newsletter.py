"""The newsletter: subscribed, confirmed by a link (double opt-in), ended with one click (RFC 8058)."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from crm.messages import emails
from crm.messages.models import Subscriber, SubscriberState
from emailcheck.common.api import throttles
from emailcheck.common.api.throttles import Limit
from emailcheck.common.errors import BadInput
from emailcheck.common.outbound import mail
from emailcheck.common.text import csv_cells

CONFIRMATION_SENT = "Please confirm your subscription: we have sent you a link."
CONFIRMED = "Subscription confirmed"
ENDED = "You have been unsubscribed"
CONFIRM_WITHIN = timedelta(days=7)
COLUMNS = ("Email", "State", "Asked (UTC)", "Confirmed (UTC)", "Unsubscribed (UTC)", "Unsubscribe link")
CONFIRMATION_MAILS = Limit("newsletter mail", 3, 86_400)  # so that nobody can flood another person's mailbox
_CONFIRM, _END = "crm.newsletter.confirm", "crm.newsletter.end"


@transaction.atomic
def subscribe(*, email: str) -> None:
    """Mail a confirmation link; subscribers get none, and the caller cannot tell the difference.

    Raises `BadInput` (`INVALID_EMAIL`).
    """
    address = email.strip().lower()
    try:
        validate_email(address)
    except ValidationError as error:
        raise BadInput(
            "Please enter a valid email address.", code="INVALID_EMAIL", field="email", value=email
        ) from error
    found, _ = Subscriber.objects.get_or_create(email=address)
    if found.state == SubscriberState.CONFIRMED or not throttles.count_request(CONFIRMATION_MAILS, address).passed:
        return
    emails.send_newsletter_confirm(email=address, token=signing.dumps(address, salt=_CONFIRM))


@transaction.atomic
def confirm_subscription(*, token: str) -> None:
    """The owner of the mailbox agrees. Harmless when it was agreed to. Raises `BadInput` (`INVALID_TOKEN`)."""
    address = _read_address(token, _CONFIRM, CONFIRM_WITHIN)
    found, _ = Subscriber.objects.select_for_update().get_or_create(email=address)
    if found.state != SubscriberState.CONFIRMED:
        found.state, found.confirmed_at, found.unsubscribed_at = SubscriberState.CONFIRMED, timezone.now(), None
        found.save(update_fields=["state", "confirmed_at", "unsubscribed_at"])


@transaction.atomic
def unsubscribe(*, token: str) -> None:
    """End the newsletter for an address. Harmless when there was none. Raises `BadInput` (`INVALID_TOKEN`)."""
    address = _read_address(token, _END, None)
    Subscriber.objects.filter(email=address).exclude(state=SubscriberState.UNSUBSCRIBED).update(
        state=SubscriberState.UNSUBSCRIBED, unsubscribed_at=timezone.now()
    )


def export_subscribers(*, staff: User, found: QuerySet[Subscriber]) -> Iterator[str]:
    """The subscribers as a CSV file, newest first, each with the link that belongs into every mail to them.

    That they were handed out is written down at once.
    """
    audit_log.record_activity(user=None, kind=ActivityKind.STAFF, action="Newsletter subscribers exported", staff=staff)
    return csv_cells.write_csv_lines(_table_rows(found.order_by("-pk").iterator(2_000)))


def _table_rows(subscribers: Iterable[Subscriber]) -> Iterator[tuple[str, ...]]:
    yield COLUMNS
    for one in subscribers:
        times = (one.created_at, one.confirmed_at, one.unsubscribed_at)
        moments = [time.isoformat(timespec="seconds") if time else "" for time in times]
        yield (one.email, one.state, *moments, _build_unsubscribe_link(one))


def _build_unsubscribe_link(subscriber: Subscriber) -> str:
    """Only who has confirmed gets mails."""
    is_mailed = subscriber.state == SubscriberState.CONFIRMED
    return mail.build_link(f"/newsletter/unsubscribe?token={build_unsubscribe_token(subscriber)}") if is_mailed else ""


def build_unsubscribe_token(subscriber: Subscriber) -> str:
    """What ends the newsletter of a subscriber, in each mail; it does not expire."""
    return signing.dumps(subscriber.email, salt=_END)


def _read_address(token: str, salt: str, within: timedelta | None) -> str:
    try:
        return str(signing.loads(token, salt=salt, max_age=within))
    except signing.BadSignature as error:
        raise BadInput("This link is invalid or has expired", code="INVALID_TOKEN") from error


def search_subscribers(*, search: str = "", state: str = "") -> QuerySet[Subscriber]:
    """The subscribers of a state whose address contains the text."""
    found = Subscriber.objects.filter(email__icontains=search.strip())
    return found.filter(state=state) if state else found
