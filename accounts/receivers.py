"""What accounts do when one of them is verified, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts import staff
from accounts.models import User
from accounts.signals import user_verified


@receiver(user_verified)
def give_role(user: User, **kwargs: Any) -> None:
    staff.give_role_to_colleagues(user=user)
