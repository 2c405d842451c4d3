"""What quotes do when an account has proved to own its address, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.signals import user_verified
from accounts.users.models import User
from quotes.plan_requests import activation
from quotes.quotes import services as quotes


@receiver(user_verified)
def claim_quotes(user: User, **kwargs: Any) -> None:
    if quotes.claim_quotes(organisation=user.own_organisation):
        activation.give_waiting_plans(organisation=user.own_organisation)
