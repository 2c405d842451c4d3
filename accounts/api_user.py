"""Calls about one's own account: profile, preferences, API keys, activity. They need a sign-in; keys are refused."""

from typing import Any

from django.contrib import auth
from django.http import StreamingHttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import activity, keys, limits, privacy, profile
from accounts import serializers_user as shapes
from accounts.api import without_refresh
from accounts.auth import MayCall, caller
from accounts.models import SignIn
from accounts.permissions import RecentlyConfirmed
from accounts.serializers import MessageSerializer
from emailcheck.common.api import ErrorSerializer, checked

_ERRORS: dict[int, Any] = {400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer}
_KEY_ERRORS: dict[int, Any] = {**_ERRORS, 404: ErrorSerializer}


class Account(APIView):
    """The account as a whole."""

    @extend_schema(
        operation_id="user_delete",
        request=shapes.DeletionSerializer,
        responses={200: MessageSerializer, **_ERRORS, 429: ErrorSerializer},
    )
    def delete(self, request: Request) -> Response:
        """Delete it for good."""
        user = caller(request)
        assert isinstance(request.auth, SignIn)
        confirmation = checked(shapes.DeletionSerializer, request.data)
        limits.guess_password(request._request, email=user.email)
        privacy.delete_account(user=user, sign_in=request.auth, **confirmation)
        auth.logout(request._request)
        return without_refresh(Response({"message": "Your account has been deleted."}))


class Profile(APIView):
    """Name, company, postal address and VAT id, as invoices show them."""

    @extend_schema(
        operation_id="user_profile",
        request=shapes.ProfileSerializer,
        responses={200: shapes.ProfileAnswerSerializer, **_ERRORS},
    )
    def put(self, request: Request) -> Response:
        user = caller(request)
        profile.save(user=user, what="Profile", **checked(shapes.ProfileSerializer, request.data))
        kept = {name: getattr(user, name) for name in ("name", "email", "company", "address", "vat_id")}
        return Response(kept | {"message": "Profile updated successfully!"})


class Preferences(APIView):
    """Which mails are wanted, and whether usage may be measured."""

    shown_in_views = True

    @extend_schema(operation_id="user_preferences_get", responses={200: shapes.PreferencesSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.PreferencesSerializer(caller(request)).data)

    @extend_schema(
        operation_id="user_preferences_put",
        request=shapes.PreferencesSerializer,
        responses={200: shapes.PreferencesSerializer, **_ERRORS},
    )
    def put(self, request: Request) -> Response:
        """What is not sent stays as it is."""
        profile.save(user=caller(request), what="Preferences", **checked(shapes.PreferencesSerializer, request.data))
        return self.get(request)


class Retention(APIView):
    """How long uploads and results are kept, and whether outside providers may be asked."""

    shown_in_views = True

    @extend_schema(operation_id="user_retention_get", responses={200: shapes.RetentionSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.RetentionSerializer(caller(request)).data)

    @extend_schema(
        operation_id="user_retention",
        request=shapes.RetentionSerializer,
        responses={200: shapes.RetentionSerializer, **_ERRORS},
    )
    def put(self, request: Request) -> Response:
        """What is not sent stays as it is."""
        profile.save(user=caller(request), what="Retention", **checked(shapes.RetentionSerializer, request.data))
        return self.get(request)


class Onboarding(APIView):
    """Whether the tour was finished or skipped."""

    shown_in_views = True

    @extend_schema(operation_id="user_onboarding_get", responses={200: shapes.OnboardingSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.OnboardingSerializer(caller(request)).data)

    @extend_schema(
        operation_id="user_onboarding",
        request=shapes.OnboardingSerializer,
        responses={200: shapes.OnboardingSerializer, **_ERRORS},
    )
    def put(self, request: Request) -> Response:
        profile.save(user=caller(request), what="Tour", **checked(shapes.OnboardingSerializer, request.data))
        return self.get(request)


class ApiKeys(APIView):
    """The live keys of the account; a new one."""

    permission_classes = (MayCall, RecentlyConfirmed)
    confirmed_only = ("POST",)

    @extend_schema(operation_id="user_api_keys", responses={200: shapes.KeyListSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.KeyListSerializer({"keys": keys.of_account(caller(request))}).data)

    @extend_schema(
        operation_id="user_api_keys_create",
        request=shapes.NewKeySerializer,
        responses={201: shapes.MadeKeySerializer, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        key, text = keys.create(user=caller(request), **checked(shapes.NewKeySerializer, request.data))
        return Response({"id": key.pk, "name": key.name, "key": text, "prefix": key.prefix}, status=201)


class ApiKeyDetail(APIView):
    """One key."""

    permission_classes = (MayCall, RecentlyConfirmed)
    confirmed_only = ("PUT",)

    @extend_schema(
        operation_id="user_api_keys_update",
        request=shapes.KeyChangesSerializer,
        responses={200: shapes.KeyAnswerSerializer, **_KEY_ERRORS},
    )
    def put(self, request: Request, key_id: int) -> Response:
        """What is not sent stays as it is."""
        changes = checked(shapes.KeyChangesSerializer, request.data)
        key = keys.update(user=caller(request), key_id=key_id, **changes)
        return Response(shapes.KeyAnswerSerializer(key).data)

    @extend_schema(operation_id="user_api_keys_revoke", responses={200: MessageSerializer, **_KEY_ERRORS})
    def delete(self, request: Request, key_id: int) -> Response:
        keys.revoke(user=caller(request), key_id=key_id)
        return Response({"message": "The API key was revoked."})


class ActivityLog(APIView):
    """What happened on the account, newest first."""

    shown_in_views = True

    @extend_schema(
        operation_id="user_activity",
        parameters=[shapes.ActivityQuerySerializer],
        responses={200: shapes.ActivityPageSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = checked(shapes.ActivityQuerySerializer, request.query_params)
        lines, after = activity.of_account(caller(request), **query)
        return Response(shapes.ActivityPageSerializer({"activity": lines, "next": after}).data)


class ExportData(APIView):
    """Everything about the account as one JSON file."""

    @extend_schema(
        operation_id="user_export_data",
        responses={200: OpenApiTypes.OBJECT, **_ERRORS},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        now = timezone.now()
        pieces = privacy.export(user=caller(request), now=now)
        answer = StreamingHttpResponse(pieces, content_type="application/json; charset=utf-8")
        name = f"emailcheck-data-{now:%Y-%m-%d}.json"
        answer["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
        return answer
