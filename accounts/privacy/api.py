"""Calls to export the data of one's account, and to delete the account."""

from django.contrib import auth
from django.http import StreamingHttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import limits
from accounts.access.authentication import caller
from accounts.access.models import SignIn
from accounts.privacy import services as privacy
from accounts.privacy.serializers import DeletionSerializer, DepartureSerializer, present_departure
from accounts.signin.session_cookies import clear_refresh_cookie
from accounts.team.deletion import plan_departure
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors


class Account(APIView):
    """The account as a whole."""

    right = None

    @extend_schema(
        operation_id="user_delete",
        request=DeletionSerializer,
        responses=with_errors(MessageSerializer, 400, 401, 403, 429),
    )
    def delete(self, request: Request) -> Response:
        """Delete it for good."""
        user = caller(request)
        assert isinstance(request.auth, SignIn)
        confirmation = validate_shape(DeletionSerializer, request.data)
        limits.count_password_guess(request._request, email=user.email)
        privacy.delete_own_account(user=user, sign_in=request.auth, **confirmation)
        auth.logout(request._request)
        return clear_refresh_cookie(Response({"message": "Your account has been deleted."}))


class AccountDeletion(APIView):
    """What deleting the account would do now."""

    right = None

    @extend_schema(operation_id="user_deletion", responses=with_errors(DepartureSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(present_departure(plan_departure(caller(request)), caller(request)))


class ExportData(APIView):
    """Everything about the account as one JSON file."""

    right = None

    @extend_schema(operation_id="user_export_data", responses=with_errors(OpenApiTypes.OBJECT, 400, 401, 403))
    def get(self, request: Request) -> StreamingHttpResponse:
        now = timezone.now()
        pieces = privacy.export_account(user=caller(request), now=now)
        answer = StreamingHttpResponse(pieces, content_type="application/json; charset=utf-8")
        name = f"emailcheck-data-{now:%Y-%m-%d}.json"
        answer["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
        return answer
