"""Calls about one's own profile, preferences, retention and tour. They need a sign-in; keys are refused."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.authentication import caller
from accounts.access.calling import (
    calling_organisation,
    find_caller_closure,
    membership_of,
    read_membership,
    require_right,
)
from accounts.organisations.roles import Right
from accounts.profile import serializers as shapes
from accounts.profile import services as profile
from emailcheck.common.api.serializers import validate_shape, with_errors

_BILLED = ("company", "address", "vat_id")


class Profile(APIView):
    """The person's name, and company, postal address and VAT id of the organisation, as invoices show them; those are
    null where the organisation is closed to the person now."""

    right = None

    @extend_schema(
        operation_id="user_profile",
        request=shapes.ProfileSerializer,
        responses=with_errors(shapes.ProfileAnswerSerializer, 400, 401, 403),
    )
    def put(self, request: Request) -> Response:
        user, organisation = caller(request), read_membership(request).organisation
        values = validate_shape(shapes.ProfileSerializer, request.data)
        name = values.pop("name")
        closure = find_caller_closure(request)
        if closure is not None and values:
            raise closure
        if any(getattr(organisation, field) != value for field, value in values.items()):
            require_right(request, Right.PAY)
        profile.save_profile(user=user, organisation=organisation, name=name, billing=values)
        of_organisation = {field: getattr(organisation, field) if closure is None else None for field in _BILLED}
        of_person = {"name": user.name, "email": user.email}
        return Response(of_person | of_organisation | {"message": "Profile updated successfully!"})


class Preferences(APIView):
    """Which mails are wanted, and whether usage may be measured."""

    right = None
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
            of=caller(request), what="Preferences", **validate_shape(shapes.PreferencesSerializer, request.data)
        )
        return self.get(request)


class Retention(APIView):
    """How long uploads and results are kept, and whether outside providers may be asked."""

    right: ClassVar = {"GET": Right.LOOK, "PUT": Right.MANAGE}
    shown_in_views = True

    @extend_schema(operation_id="user_retention_get", responses=with_errors(shapes.RetentionSerializer, 400, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(shapes.RetentionSerializer(calling_organisation(request)).data)

    @extend_schema(
        operation_id="user_retention",
        request=shapes.RetentionSerializer,
        responses=with_errors(shapes.RetentionSerializer, 400, 401, 403),
    )
    def put(self, request: Request) -> Response:
        """What is not sent stays as it is."""
        profile.save_settings(
            of=calling_organisation(request),
            what="Retention",
            **validate_shape(shapes.RetentionSerializer, request.data),
        )
        return self.get(request)


class Downloads(APIView):
    """Whether viewers may download lists and reports."""

    right: ClassVar = {"GET": Right.LOOK, "PUT": Right.MANAGE}
    shown_in_views = True

    @extend_schema(
        operation_id="organisation_downloads_get",
        responses=with_errors(shapes.DownloadsAnswerSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        return Response(shapes.present_downloads(membership_of(request)))

    @extend_schema(
        operation_id="organisation_downloads",
        request=shapes.DownloadsSerializer,
        responses=with_errors(shapes.DownloadsAnswerSerializer, 400, 401, 403),
    )
    def put(self, request: Request) -> Response:
        """What is not sent stays as it is."""
        values = validate_shape(shapes.DownloadsSerializer, request.data)
        profile.save_settings(of=calling_organisation(request), what="Downloads of viewers", **values)
        return self.get(request)


class Onboarding(APIView):
    """Whether the tour was finished or skipped."""

    right = None
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
            of=caller(request), what="Tour", **validate_shape(shapes.OnboardingSerializer, request.data)
        )
        return self.get(request)
