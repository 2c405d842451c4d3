"""What accounts do when one of them is verified, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.signals import user_verified
from accounts.staff import services as staff
from accounts.users.models import User


@receiver(user_verified)
def give_staff_role(user: User, **kwargs: Any) -> None:
    staff.give_role_to_colleagues(user=user)
