"""What people thought of a finished list or of a page, and how satisfied they are on the whole (ADM-125)."""

import re
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Avg, Count, QuerySet
from django.utils import timezone

from accounts.users.models import User
from crm.messages.models import Feedback
from emailcheck.common import registry, request_context, secrecy
from emailcheck.common.errors import BadInput
from emailcheck.common.registry import Satisfaction

THANKS = "Thank you for your feedback"
UP, DOWN = 5, 1
_CONTEXT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./#-]{0,99}")
_LIST = "bat_"


@transaction.atomic
def record_feedback(*, user: User | None, device: str, context: str, rating: int, text: str = "") -> Feedback:
    """Record a rating from 1 to 5. A second one about the same context replaces the first.

    `user` is None for a visitor, whom address and `device` tell from others. Raises `BadInput`.
    """
    if not _CONTEXT.fullmatch(context):
        raise BadInput("Say what the feedback is about: the id of a list, or a page.", field="context", value=context)
    if context.startswith(_LIST):
        _require_own_list(user, context)
    who: dict[str, Any] = {"user": user} if user else {"user": None, "visitor": _hash_visitor(device)}
    values = {"rating": rating, "text": text, "created_at": timezone.now()}
    return Feedback.objects.update_or_create(**who, context=context, defaults=values)[0]


def list_feedback(context: str) -> "QuerySet[Feedback]":
    """The feedback on contexts that contain this text."""
    return Feedback.objects.filter(context__icontains=context.strip())


def average_rating(found: "QuerySet[Feedback]") -> Satisfaction:
    """The mean of some ratings."""
    sums = found.order_by().aggregate(mean=Avg("rating"), n=Count("pk"))
    return Satisfaction(None if sums["mean"] is None else round(float(sums["mean"]), 2), sums["n"])


def measure_satisfaction(since: datetime) -> Satisfaction:
    """The mean of the ratings since then."""
    return average_rating(Feedback.objects.filter(created_at__gte=since))


def detach_feedback(user_id: int) -> None:
    """Keep the ratings of an account, without text and author."""
    Feedback.objects.filter(user_id=user_id).update(user=None, text="")


def _require_own_list(user: User | None, list_id: str) -> None:
    """Only who may read a list rates it; others do not learn whether it exists."""
    if user is None:
        raise BadInput("Please sign in to rate a list.", field="context", value=list_id)
    if not registry.above.reads_list(user, list_id):
        raise BadInput("You have no list with this id.", field="context", value=list_id)


def _hash_visitor(device: str) -> str:
    return secrecy.keyed_hash(f"{request_context.caller_address()} {device}", purpose="feedback")
