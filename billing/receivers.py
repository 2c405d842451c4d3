"""What billing does when an account is made, verified or deleted, or its credits move, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import user_deleted, user_registered, user_verified
from billing import agreements, quota, subscriptions
from billing.signals import credits_moved
from emailcheck.common import tasks


@receiver(user_registered)
def open_account(user: User, **kwargs: Any) -> None:
    subscriptions.open_account(user_id=user.pk)


@receiver(user_verified)
def grant_first_month(user: User, **kwargs: Any) -> None:
    subscriptions.open_account(user_id=user.pk)
    subscriptions.renew(user_id=user.pk)


@receiver(user_deleted)
def end_agreements(user: User, **kwargs: Any) -> None:
    tasks.enqueue(agreements.END_UNWANTED)


@receiver(credits_moved)
def look_at_quota(user_id: int, charged: bool, **kwargs: Any) -> None:
    quota.look(user_id=user_id, charged=charged)
