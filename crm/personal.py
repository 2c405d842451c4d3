"""What the tables of sales and messages hold about people who have an account."""

from typing import TYPE_CHECKING

from accounts.users.models import User
from crm.messages import feedback
from crm.messages.models import Feedback, Message, Subscriber
from emailcheck.common.personal import Table

if TYPE_CHECKING:
    from django.db.models import QuerySet


def _list_subscriptions(user_id: int) -> "QuerySet[Subscriber]":
    """By the account's address, once it is confirmed: anybody can enter another person's address."""
    confirmed = User.objects.filter(pk=user_id, email_verified_at__isnull=False)
    return Subscriber.objects.filter(email__in=confirmed.values("email"))


def _keep_rows(user_id: int) -> None:
    """The newsletter was agreed to without an account, and ends by the link in each of its mails."""


TABLES = (
    Table(Feedback, "user", name="feedback", secret=("visitor",), erase=feedback.detach_feedback),
    Table(Message, "user", name="contact_messages", secret=("deal_id",)),
    Table(Subscriber, name="newsletter", erase=_keep_rows, found=_list_subscriptions),
)
