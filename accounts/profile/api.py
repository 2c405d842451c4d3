"""Calls about one's own profile, preferences, retention and tour. They need a sign-in; keys are refused."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.authentication import caller
from accounts.profile import serializers as shapes
from accounts.profile import services as profile
from emailcheck.common.api.serializers import validate_shape, with_errors


class Profile(APIView):
    """Name, company, postal address and VAT id, as invoices show them."""

    @extend_schema(
        operation_id="user_profile",
        request=shapes.ProfileSerializer,
        responses=with_errors(shapes.ProfileAnswerSerializer, 400, 401, 403),
    )
    def put(self, request: Request) -> Response:
        user = caller(request)
        profile.save_settings(user=user, what="Profile", **validate_shape(shapes.ProfileSerializer, request.data))
        values = {name: getattr(user, name) for name in ("name", "email", "company", "address", "vat_id")}
        return Response(values | {"message": "Profile updated successfully!"})


class Preferences(APIView):
    """Which mails are wanted, and whether usage may be measured."""

    shown_in_views = True

    @extend_schema(
        operation_id="user_preferences_get", responses=with_errors(shapes.PreferencesSerializer, 400, 401, 403)
    )
    def get(self, request: Request) -> Response:
        return Response(shapes.PreferencesSerializer(caller(request)).data)

    @extend_schema(
        operation_id="user_preferences_put",
        request=shapes.PreferencesSerializer,
        responses=with_errors(shapes.PreferencesSerializer, 400, 401, 403),
    )
    def put(self, request: Request) -> Response:
        """What is not sent stays as it is."""
        profile.save_settings(
            user=caller(request), what="Preferences", **validate_shape(shapes.PreferencesSerializer, request.data)
        )
        return self.get(request)


class Retention(APIView):
    """How long uploads and results are kept, and whether outside providers may be asked."""

    shown_in_views = True

    @extend_schema(operation_id="user_retention_get", responses=with_errors(shapes.RetentionSerializer, 400, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(shapes.RetentionSerializer(caller(request)).data)

    @extend_schema(
        operation_id="user_retention",
        request=shapes.RetentionSerializer,
        responses=with_errors(shapes.RetentionSerializer, 400, 401, 403),
    )
    def put(self, request: Request) -> Response:
        """What is not sent stays as it is."""
        profile.save_settings(
            user=caller(request), what="Retention", **validate_shape(shapes.RetentionSerializer, request.data)
        )
        return self.get(request)


class Onboarding(APIView):
    """Whether the tour was finished or skipped."""

    shown_in_views = True

    @extend_schema(
        operation_id="user_onboarding_get", responses=with_errors(shapes.OnboardingSerializer, 400, 401, 403)
    )
    def get(self, request: Request) -> Response:
        return Response(shapes.OnboardingSerializer(caller(request)).data)

    @extend_schema(
        operation_id="user_onboarding",
        request=shapes.OnboardingSerializer,
        responses=with_errors(shapes.OnboardingSerializer, 400, 401, 403),
    )
    def put(self, request: Request) -> Response:
        profile.save_settings(
            user=caller(request), what="Tour", **validate_shape(shapes.OnboardingSerializer, request.data)
        )
        return self.get(request)
