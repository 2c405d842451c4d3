"""What billing does when an account is made or verified, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import user_registered, user_verified
from billing import subscriptions


@receiver(user_registered)
def open_account(user: User, **kwargs: Any) -> None:
    subscriptions.open_account(user_id=user.pk)


@receiver(user_verified)
def grant_first_month(user: User, **kwargs: Any) -> None:
    subscriptions.open_account(user_id=user.pk)
    subscriptions.renew(user_id=user.pk)
