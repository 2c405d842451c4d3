"""Who brought whom, and what it earned."""

import secrets

from django.db import models
from django.utils import timezone

from accounts.organisations.models import Organisation

_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that are mistaken for another one


def new_code() -> str:
    """A referral code: eight letters and digits, 40 bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(8))


class ReferralCode(models.Model):
    """The code of an account, created on first use."""

    organisation = models.OneToOneField(
        Organisation, models.CASCADE, db_column="user_id", primary_key=True, related_name="referral_code"
    )
    code = models.CharField(max_length=12, unique=True, default=new_code, editable=False)

    def __str__(self) -> str:
        return self.code


class ReferralState(models.TextChoices):
    PENDING = "pending"
    CONVERTED = "converted"


class Referral(models.Model):
    """A friend who came by a link; `converted` by `payment`, the first one for a plan that was not refunded."""

    referrer = models.ForeignKey(Organisation, models.CASCADE, related_name="referrals")
    friend = models.OneToOneField(Organisation, models.CASCADE, related_name="referred_by")
    state = models.CharField(max_length=10, choices=ReferralState, default=ReferralState.PENDING)
    payment = models.OneToOneField("billing.Payment", models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    referral_bonus_at = models.DateTimeField(
        "welcomed at", null=True, blank=True, help_text="When the friend got the bonus."
    )
    converted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(referrer=models.F("friend")), name="referral_not_to_oneself")
        ]
        indexes = [models.Index(fields=["referrer", "-created_at"], name="referral_of_user")]

    def __str__(self) -> str:
        return f"{self.referrer_id} brought {self.friend_id}"
