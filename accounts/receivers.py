"""What accounts do when one of them is verified, or goes to the owner of its address, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.rules import services as rules
from accounts.signals import account_reclaimed, user_verified
from accounts.staff import services as staff
from accounts.team import members
from accounts.users.models import User


@receiver(user_verified)
def give_staff_role(user: User, **kwargs: Any) -> None:
    staff.give_role_to_colleagues(user=user)


@receiver(account_reclaimed)
def end_what_strangers_made(user: User, **kwargs: Any) -> None:
    members.part_from_strangers(user=user)
    rules.set_networks(organisation=user.own_organisation, networks=(), address=None)
    rules.lift_second_factor(organisation=user.own_organisation)
