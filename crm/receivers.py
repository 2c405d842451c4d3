"""What sales and messages do when an account has proved to own its address, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import user_verified
from crm import messages


@receiver(user_verified)
def claim_messages(user: User, **kwargs: Any) -> None:
    messages.claim(user=user)
