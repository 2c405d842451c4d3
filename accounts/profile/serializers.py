"""Shapes of the calls about one's own profile."""

from rest_framework import serializers

from accounts.organisations.models import Organisation, RetentionDays
from accounts.users.models import User


class ProfileSerializer(serializers.Serializer[User]):
    name = serializers.CharField(max_length=150)
    company = serializers.CharField(max_length=255, required=False, allow_blank=True)
    address = serializers.CharField(max_length=500, required=False, allow_blank=True)
    vat_id = serializers.CharField(max_length=30, required=False, allow_blank=True)


class ProfileAnswerSerializer(serializers.Serializer[dict[str, str]]):
    name = serializers.CharField()
    email = serializers.EmailField()
    company = serializers.CharField(allow_blank=True)
    address = serializers.CharField(allow_blank=True)
    vat_id = serializers.CharField(allow_blank=True)
    message = serializers.CharField()


class PreferencesSerializer(serializers.ModelSerializer[User]):
    class Meta:
        model = User
        fields = ("email_notifications", "analytics", "marketing")


class RetentionSerializer(serializers.ModelSerializer[Organisation]):
    uploads_days = serializers.ChoiceField(choices=RetentionDays.choices, required=False)
    results_days = serializers.ChoiceField(choices=RetentionDays.choices, required=False)

    class Meta:
        model = Organisation
        fields = ("uploads_days", "results_days", "use_providers")


class DownloadsSerializer(serializers.ModelSerializer[Organisation]):
    class Meta:
        model = Organisation
        fields = ("viewers_may_download",)


class OnboardingSerializer(serializers.Serializer[User]):
    completed = serializers.BooleanField(source="tour_completed")
