"""Shapes of the calls about one's own profile."""

from rest_framework import serializers

from accounts.organisations.models import Membership, Organisation, RetentionDays
from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User


class ProfileSerializer(serializers.Serializer[User]):
    name = serializers.CharField(max_length=150)
    company = serializers.CharField(max_length=255, required=False, allow_blank=True)
    address = serializers.CharField(max_length=500, required=False, allow_blank=True)
    vat_id = serializers.CharField(max_length=30, required=False, allow_blank=True)


class ProfileAnswerSerializer(serializers.Serializer[dict[str, str]]):
    name = serializers.CharField()
    email = serializers.EmailField()
    company = serializers.CharField(allow_blank=True, allow_null=True)
    address = serializers.CharField(allow_blank=True, allow_null=True)
    vat_id = serializers.CharField(allow_blank=True, allow_null=True)
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


class DownloadsSerializer(serializers.Serializer[dict[str, bool]]):
    viewers_may_download = serializers.BooleanField(required=False)


class DownloadsAnswerSerializer(serializers.Serializer[dict[str, bool]]):
    viewers_may_download = serializers.BooleanField()
    may_download = serializers.BooleanField(help_text="Whether the caller may.")
    is_shared = serializers.BooleanField(help_text="Whether the organisation has more than one member.")


def present_downloads(membership: Membership) -> dict[str, bool]:
    """Who may download in an organisation, as one of its members sees it."""
    organisation = membership.organisation
    return {
        "viewers_may_download": organisation.viewers_may_download,
        "may_download": organisation.viewers_may_download or membership.role != OrganisationRole.VIEWER,
        "is_shared": organisation.memberships.count() > 1,
    }


class OnboardingSerializer(serializers.Serializer[User]):
    completed = serializers.BooleanField(source="tour_completed")
