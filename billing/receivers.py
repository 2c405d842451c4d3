"""What billing does when an account is made or verified, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import user_registered, user_verified
from billing import services
from billing.models import LotKind


@receiver(user_registered)
def open_account(user: User, **kwargs: Any) -> None:
    services.open_account(user_id=user.pk)


@receiver(user_verified)
def grant_sign_up_credits(user: User, **kwargs: Any) -> None:
    services.open_account(user_id=user.pk)
    services.grant(
        user_id=user.pk,
        kind=LotKind.BONUS,
        amount=services.SIGN_UP_CREDITS,
        reason="Free credits for a verified address",
        key=f"sign-up:{user.pk}",
    )
