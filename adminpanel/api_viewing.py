"""Staff calls to look at the product as a customer sees it."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import directory, viewing
from accounts.auth import caller
from accounts.models import SignIn
from accounts.permissions import RecentlyConfirmed, StaffView
from accounts.serializers import MessageSerializer
from accounts.viewing_pages import SESSION_KEY
from adminpanel import serializers_users as shapes
from emailcheck.common.api import ErrorSerializer, checked

_ERRORS = {401: ErrorSerializer, 403: ErrorSerializer}


class ViewAs(StaffView):
    """Begin to look: read-only, for 15 minutes. The browser that asks shows the customer's pages meanwhile."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_view_as_start",
        request=shapes.WhySerializer,
        responses={200: shapes.ViewAsSerializer, 400: ErrorSerializer, 404: ErrorSerializer, **_ERRORS},
    )
    def post(self, request: Request, user_id: int) -> Response:
        reason = checked(shapes.WhySerializer, request.data)["reason"]
        assert isinstance(request.auth, SignIn)
        user = directory.one(user_id)
        made, token = viewing.start(user=user, by=caller(request), sign_in=request.auth, reason=reason)
        session = request._request.session
        if session.get("sign_in") == request.auth.pk:
            session[SESSION_KEY] = made.pk
        answer = {"token": token, "expires_at": made.expires_at, "user": {"name": user.name}}
        return Response(shapes.ViewAsSerializer(answer).data, headers={"Cache-Control": "no-store"})


class ViewAsEnd(StaffView):
    """Stop looking."""

    @extend_schema(operation_id="admin_view_as_end", responses={200: MessageSerializer, **_ERRORS})
    def delete(self, request: Request) -> Response:
        assert isinstance(request.auth, SignIn)
        viewing.end(sign_in=request.auth)
        request._request.session.pop(SESSION_KEY, None)
        return Response({"message": "View ended"})
