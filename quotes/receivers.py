"""What quotes do when an account has proved to own its address, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import user_verified
from quotes import activation, services


@receiver(user_verified)
def claim_quotes(user: User, **kwargs: Any) -> None:
    if services.claim(user=user):
        activation.give_waiting(user=user)
