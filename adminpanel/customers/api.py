"""Staff calls about accounts: the list, one of them, deletions of colleagues, and viewing as a customer."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.models import SignIn
from accounts.access.permissions import RecentlyConfirmed, require_confirmed
from accounts.access.views import StaffView
from accounts.activity import actors, audit_log
from accounts.activity.serializers import ActivityQuerySerializer
from accounts.signin.page_sessions import VIEWING
from accounts.signin.serializers import EndedSerializer
from accounts.staff import colleague_deletion, viewing
from accounts.staff import services as staff
from accounts.users import directory
from adminpanel.customers import organisations
from adminpanel.customers import serializers as shapes
from adminpanel.customers import services as customers
from billing.reports import movements
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import MessageSerializer, validate_query, validate_shape, with_errors


class Users(StaffView):
    """Every registered account, whether its address is verified or not."""

    @extend_schema(
        operation_id="admin_users",
        parameters=[shapes.UsersQuerySerializer],
        responses=with_errors(shapes.StaffUsersSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        found = customers.list_users(**validate_query(shapes.UsersQuerySerializer, request.query_params))
        return Response(shapes.StaffUsersSerializer(found).data)


class UserDetail(StaffView):
    """One account."""

    permission_classes = (RecentlyConfirmed,)
    confirmed_only = ("DELETE",)

    @extend_schema(
        operation_id="admin_user_detail", responses=with_errors(shapes.UserDetailSerializer, 404, 400, 401, 403)
    )
    def get(self, request: Request, user_id: int) -> Response:
        return Response(shapes.UserDetailSerializer(customers.present_detail(directory.load_account(user_id))).data)

    @extend_schema(
        operation_id="admin_user_update",
        request=shapes.UserChangesSerializer,
        responses=with_errors(shapes.UserChangedSerializer, 409, 404, 400, 401, 403),
    )
    @idempotent
    def put(self, request: Request, user_id: int) -> Response:
        """What is not sent stays as it is; another role asks who is there."""
        user, changes = directory.load_account(user_id), validate_shape(shapes.UserChangesSerializer, request.data)
        assert isinstance(request.auth, SignIn)
        if changes.get("role", user.role) != user.role:
            require_confirmed(request.auth)
        words = customers.update_user(user=user, by=caller(request), changes=changes)
        message = f"User updated successfully! {words}".strip()
        changed = {"success": True, "message": message, "user": customers.present_user(directory.load_account(user_id))}
        return Response(shapes.UserChangedSerializer(changed).data)

    @extend_schema(
        operation_id="admin_user_delete", responses=with_errors(shapes.UserDoneSerializer, 404, 400, 401, 403)
    )
    def delete(self, request: Request, user_id: int) -> Response:
        user = directory.load_account(user_id)
        staff.delete_account(user=user, by=caller(request))
        return Response({"success": True, "message": f"User {user.email} deleted successfully!"})


class UserLedger(StaffView):
    """Every movement of the credits of an organisation that the person owns, newest first, with the balance after."""

    @extend_schema(
        operation_id="admin_user_ledger",
        parameters=[shapes.LedgerQuerySerializer],
        responses=with_errors(shapes.LedgerSerializer, 404, 400, 401, 403),
    )
    def get(self, request: Request, user_id: int) -> Response:
        query = validate_query(shapes.LedgerQuerySerializer, request.query_params)
        whose = organisations.require_organisation(directory.load_account(user_id), query.pop("organisation"))
        entries, after = movements.list_movements(whose, **query)
        return Response(shapes.LedgerSerializer({"entries": entries, "next": after}).data)


class UserActivity(StaffView):
    """What happened on an account, newest first."""

    @extend_schema(
        operation_id="admin_user_activity",
        parameters=[ActivityQuerySerializer],
        responses=with_errors(shapes.UserActivitySerializer, 404, 400, 401, 403),
    )
    def get(self, request: Request, user_id: int) -> Response:
        query = validate_query(ActivityQuerySerializer, request.query_params)
        lines, after = audit_log.list_account_activity(directory.load_account(user_id), **query)
        activity = list(map(shapes.present_activity, lines, actors.format_actors(lines)))
        return Response({"activity": activity, "next": after})


class UserSignOut(StaffView):
    """End every session of an account."""

    @extend_schema(
        operation_id="admin_user_sign_out", request=None, responses=with_errors(EndedSerializer, 404, 400, 401, 403)
    )
    def post(self, request: Request, user_id: int) -> Response:
        ended = staff.sign_out_account(user=directory.load_account(user_id), by=caller(request))
        return Response({"message": "User signed out everywhere", "ended_count": ended})


class UserResetMfa(StaffView):
    """Take the second factor off an account; its owner is told by mail."""

    @extend_schema(
        operation_id="admin_user_reset_mfa",
        request=shapes.WhySerializer,
        responses=with_errors(MessageSerializer, 404, 400, 401, 403),
    )
    def post(self, request: Request, user_id: int) -> Response:
        reason = validate_shape(shapes.WhySerializer, request.data)["reason"]
        staff.reset_mfa(user=directory.load_account(user_id), by=caller(request), reason=reason)
        return Response({"message": "Second factor removed"})


class UserResendVerification(StaffView):
    """Mail the verification link once more."""

    @extend_schema(
        operation_id="admin_user_resend_verification",
        request=None,
        responses=with_errors(MessageSerializer, 404, 400, 401, 403),
    )
    def post(self, request: Request, user_id: int) -> Response:
        staff.resend_verification(user=directory.load_account(user_id), by=caller(request))
        return Response({"message": "Verification email sent! Please check your inbox."})


class AskColleagueDeletion(StaffView):
    """Ask that the account of a colleague be deleted; another administrator has a week to confirm it."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_colleague_deletion_ask",
        request=shapes.WhySerializer,
        responses=with_errors({201: shapes.ColleagueDeletionSerializer}, 404, 409, 400, 401, 403),
    )
    def post(self, request: Request, user_id: int) -> Response:
        reason, by = validate_shape(shapes.WhySerializer, request.data)["reason"], caller(request)
        deletion = colleague_deletion.request_deletion(colleague=directory.load_account(user_id), by=by, reason=reason)
        return Response(shapes.present_deletion(deletion, by), status=201)


class ColleagueDeletions(StaffView):
    """The deletions of colleagues that wait for a second administrator."""

    @extend_schema(
        operation_id="admin_colleague_deletions",
        responses=with_errors(shapes.ColleagueDeletionsSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        by = caller(request)
        return Response(
            {"deletions": [shapes.present_deletion(one, by) for one in colleague_deletion.list_open_requests()]}
        )


class ConfirmColleagueDeletion(StaffView):
    """Delete the account, as the second administrator."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_colleague_deletion_confirm",
        request=None,
        responses=with_errors(shapes.ColleagueDeletionDoneSerializer, 404, 409, 400, 401, 403),
    )
    def post(self, request: Request, deletion_id: int) -> Response:
        done = colleague_deletion.confirm_deletion(deletion_id=deletion_id, by=caller(request))
        return Response({"success": True, "message": f"User {done.colleague_email} deleted successfully!"})


class CancelColleagueDeletion(StaffView):
    """Take the request back; nothing is deleted."""

    @extend_schema(
        operation_id="admin_colleague_deletion_cancel",
        request=None,
        responses=with_errors(shapes.ColleagueDeletionDoneSerializer, 404, 409, 400, 401, 403),
    )
    def post(self, request: Request, deletion_id: int) -> Response:
        done = colleague_deletion.cancel_deletion(deletion_id=deletion_id, by=caller(request))
        return Response({"success": True, "message": f"The deletion of {done.colleague_email} is cancelled"})


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
            session[VIEWING] = made.pk
        answer = {"token": token, "expires_at": made.expires_at, "user": {"name": user.name}}
        return Response(shapes.ViewAsSerializer(answer).data, headers={"Cache-Control": "no-store"})


class ViewAsEnd(StaffView):
    """Stop looking."""

    @extend_schema(operation_id="admin_view_as_end", responses=with_errors(MessageSerializer, 401, 403))
    def delete(self, request: Request) -> Response:
        assert isinstance(request.auth, SignIn)
        viewing.end_viewings(sign_in=request.auth)
        request._request.session.pop(VIEWING, None)
        return Response({"message": "View ended"})
