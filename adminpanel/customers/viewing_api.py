"""Staff calls to look at the product as a customer sees it."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.callers import caller
from accounts.access.models import SignIn
from accounts.access.page_middleware import SESSION_KEY
from accounts.access.permissions import RecentlyConfirmed
from accounts.access.views import StaffView
from accounts.staff import viewing
from accounts.users import directory
from adminpanel.customers import serializers as shapes
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors


class ViewAs(StaffView):
    """Begin to look: read-only, for 15 minutes. The browser that asks shows the customer's pages meanwhile."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_view_as_start",
        request=shapes.WhySerializer,
        responses=with_errors(shapes.ViewAsSerializer, 400, 404, 401, 403),
    )
    def post(self, request: Request, user_id: int) -> Response:
        reason = validate_shape(shapes.WhySerializer, request.data)["reason"]
        assert isinstance(request.auth, SignIn)
        user = directory.load_account(user_id)
        made, token = viewing.start_viewing(user=user, by=caller(request), sign_in=request.auth, reason=reason)
        session = request._request.session
        if session.get("sign_in") == request.auth.pk:
            session[SESSION_KEY] = made.pk
        answer = {"token": token, "expires_at": made.expires_at, "user": {"name": user.name}}
        return Response(shapes.ViewAsSerializer(answer).data, headers={"Cache-Control": "no-store"})


class ViewAsEnd(StaffView):
    """Stop looking."""

    @extend_schema(operation_id="admin_view_as_end", responses=with_errors(MessageSerializer, 401, 403))
    def delete(self, request: Request) -> Response:
        assert isinstance(request.auth, SignIn)
        viewing.end_viewings(sign_in=request.auth)
        request._request.session.pop(SESSION_KEY, None)
        return Response({"message": "View ended"})
