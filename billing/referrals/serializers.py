"""Shapes of the referral calls."""

from typing import Any

from rest_framework import serializers

from billing.referrals.models import ReferralState
from emailcheck.common.api.serializers import Shape


class ReferralStatsSerializer(serializers.Serializer[Any]):
    """What the account's referral code has brought."""

    referral_code = serializers.CharField()
    total_referrals = serializers.IntegerField(help_text="Friends who have confirmed their address.")
    credits_earned = serializers.IntegerField()
    pending_credits = serializers.IntegerField()
    successful_referrals = serializers.IntegerField()
    conversion_rate = serializers.FloatField(help_text="Percent.")


class CursorSerializer(Shape):
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class ReferralActivitySerializer(Shape):
    """A friend who came by the link; name and address are not told in full."""

    id = serializers.IntegerField()
    referee_name = serializers.CharField(allow_null=True, help_text="The first name.")
    referee_email = serializers.CharField(help_text="Masked, as in j***@example.com.")
    status = serializers.ChoiceField(choices=ReferralState.choices)
    credits_awarded = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    converted_at = serializers.DateTimeField(allow_null=True)


class ReferralActivitiesSerializer(Shape):
    activities = ReferralActivitySerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")
