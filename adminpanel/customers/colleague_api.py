"""Staff calls about the deletion of a colleague, which two administrators decide."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.callers import caller
from accounts.access.permissions import RecentlyConfirmed
from accounts.access.views import StaffView
from accounts.staff import colleague_deletion
from accounts.users import directory
from adminpanel.customers import colleague_serializers as shapes
from adminpanel.customers.serializers import WhySerializer
from emailcheck.common.api.serializers import validate_shape, with_errors


class AskColleagueDeletion(StaffView):
    """Ask that the account of a colleague be deleted; another administrator has a week to confirm it."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_colleague_deletion_ask",
        request=WhySerializer,
        responses=with_errors({201: shapes.ColleagueDeletionSerializer}, 404, 409, 400, 401, 403),
    )
    def post(self, request: Request, user_id: int) -> Response:
        reason, by = validate_shape(WhySerializer, request.data)["reason"], caller(request)
        asked = colleague_deletion.request_deletion(colleague=directory.load_account(user_id), by=by, reason=reason)
        return Response(shapes.present_deletion(asked, by), status=201)


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
