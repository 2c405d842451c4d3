"""Staff calls about accounts: the list, and one of them."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import activity, actors, directory, staff
from accounts import serializers_user as account_shapes
from accounts.auth import caller
from accounts.models import SignIn
from accounts.permissions import RecentlyConfirmed, StaffView
from accounts.serializers import EndedSerializer, MessageSerializer
from accounts.services import check_confirmed
from adminpanel import serializers_users as shapes
from adminpanel import users
from billing import ledger
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.idempotency import idempotent

_ERRORS = {400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer}
_OF_ONE = {404: ErrorSerializer, **_ERRORS}


class Users(StaffView):
    """Every registered account, whether its address is verified or not."""

    @extend_schema(
        operation_id="admin_users",
        parameters=[shapes.UsersQuerySerializer],
        responses={200: shapes.StaffUsersSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        found = users.find(**checked(shapes.UsersQuerySerializer, request.query_params))
        return Response(shapes.StaffUsersSerializer(found).data)


class UserDetail(StaffView):
    """One account."""

    permission_classes = (RecentlyConfirmed,)
    confirmed_only = ("DELETE",)

    @extend_schema(operation_id="admin_user_detail", responses={200: shapes.UserDetailSerializer, **_OF_ONE})
    def get(self, request: Request, user_id: int) -> Response:
        return Response(shapes.UserDetailSerializer(users.detail(directory.one(user_id))).data)

    @extend_schema(
        operation_id="admin_user_update",
        request=shapes.UserChangesSerializer,
        responses={200: shapes.UserChangedSerializer, 409: ErrorSerializer, **_OF_ONE},
    )
    @idempotent
    def put(self, request: Request, user_id: int) -> Response:
        """What is not sent stays as it is; another role asks who is there."""
        user, wishes = directory.one(user_id), checked(shapes.UserChangesSerializer, request.data)
        assert isinstance(request.auth, SignIn)
        if wishes.get("role", user.role) != user.role:
            check_confirmed(request.auth)
        words = users.update(user=user, by=caller(request), wishes=wishes)
        message = f"User updated successfully! {words}".strip()
        changed = {"success": True, "message": message, "user": users.one(directory.one(user_id))}
        return Response(shapes.UserChangedSerializer(changed).data)

    @extend_schema(operation_id="admin_user_delete", responses={200: shapes.UserDoneSerializer, **_OF_ONE})
    def delete(self, request: Request, user_id: int) -> Response:
        user = directory.one(user_id)
        staff.delete(user=user, by=caller(request))
        return Response({"success": True, "message": f"User {user.email} deleted successfully!"})


class UserLedger(StaffView):
    """Every movement of an account's credits, newest first, with the balance after it."""

    @extend_schema(
        operation_id="admin_user_ledger",
        parameters=[shapes.LedgerQuerySerializer],
        responses={200: shapes.LedgerSerializer, **_OF_ONE},
    )
    def get(self, request: Request, user_id: int) -> Response:
        query = checked(shapes.LedgerQuerySerializer, request.query_params)
        entries, after = ledger.read(directory.one(user_id), **query)
        return Response(shapes.LedgerSerializer({"entries": entries, "next": after}).data)


class UserActivity(StaffView):
    """What happened on an account, newest first."""

    @extend_schema(
        operation_id="admin_user_activity",
        parameters=[account_shapes.ActivityQuerySerializer],
        responses={200: shapes.UserActivitySerializer, **_OF_ONE},
    )
    def get(self, request: Request, user_id: int) -> Response:
        query = checked(account_shapes.ActivityQuerySerializer, request.query_params)
        lines, after = activity.of_account(directory.one(user_id), **query)
        told = list(map(shapes.activity_line, lines, actors.of_each(lines)))
        return Response({"activity": told, "next": after})


class UserSignOut(StaffView):
    """End every session of an account."""

    @extend_schema(operation_id="admin_user_sign_out", request=None, responses={200: EndedSerializer, **_OF_ONE})
    def post(self, request: Request, user_id: int) -> Response:
        ended = staff.sign_out(user=directory.one(user_id), by=caller(request))
        return Response({"message": "User signed out everywhere", "ended_count": ended})


class UserResetMfa(StaffView):
    """Take the second factor off an account; its owner is told by mail."""

    @extend_schema(
        operation_id="admin_user_reset_mfa",
        request=shapes.WhySerializer,
        responses={200: MessageSerializer, **_OF_ONE},
    )
    def post(self, request: Request, user_id: int) -> Response:
        reason = checked(shapes.WhySerializer, request.data)["reason"]
        staff.reset_mfa(user=directory.one(user_id), by=caller(request), reason=reason)
        return Response({"message": "Second factor removed"})


class UserResendVerification(StaffView):
    """Mail the verification link once more."""

    @extend_schema(
        operation_id="admin_user_resend_verification", request=None, responses={200: MessageSerializer, **_OF_ONE}
    )
    def post(self, request: Request, user_id: int) -> Response:
        staff.resend_verification(user=directory.one(user_id), by=caller(request))
        return Response({"message": "Verification email sent! Please check your inbox."})
