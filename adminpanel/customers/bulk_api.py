"""Staff calls that make or end many accounts, or give credits to them."""

import hashlib

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.permissions import RecentlyConfirmed
from accounts.access.views import StaffView
from accounts.staff import services as staff
from adminpanel.customers import organisations, users_named_test
from adminpanel.customers import serializers as shapes
from billing.ledger import bulk_grants
from emailcheck.common import secrecy
from emailcheck.common.api.idempotency import HEADER, idempotent
from emailcheck.common.api.serializers import validate_query, validate_shape, with_errors


class TestUsers(StaffView):
    """Which accounts `Delete Test Users` would delete, and which it would keep and why."""

    @extend_schema(
        operation_id="admin_test_users_preview", responses=with_errors(shapes.TestUsersSerializer, 400, 401, 403)
    )
    def get(self, request: Request) -> Response:
        return Response(shapes.TestUsersSerializer(users_named_test.preview_deletion(by=caller(request))).data)


class DeleteTestUsers(StaffView):
    """Delete the accounts with `test` in name or address that were listed; without a list, all that may go."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_delete_test_users",
        parameters=[shapes.TestUsersQuerySerializer],
        responses=with_errors(shapes.DeletedCountSerializer, 400, 401, 403),
    )
    def delete(self, request: Request) -> Response:
        query = validate_query(shapes.TestUsersQuerySerializer, request.query_params)
        return Response({"deleted_count": users_named_test.delete_test_users(by=caller(request), **query)})


class CreateAdmin(StaffView):
    """Make an administrator; the answer is the only place where the password is shown."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_create_admin",
        request=shapes.NewAdminSerializer,
        responses=with_errors(shapes.AdminMadeSerializer, 400, 401, 403),
    )
    def post(self, request: Request) -> Response:
        values = validate_shape(shapes.NewAdminSerializer, request.data)
        user, password = staff.create_colleague(company=values.pop("company_name"), by=caller(request), **values)
        answer = {"success": True, "password": password, "user": {"id": user.pk, "email": user.email}}
        return Response(answer, headers={"Cache-Control": "no-store"})


class BulkGrantPreview(StaffView):
    """Whom a grant would reach, and what it would come to."""

    @extend_schema(
        operation_id="admin_bulk_grant_preview",
        request=shapes.GrantPreviewSerializer,
        responses=with_errors(shapes.GrantPreviewAnswerSerializer, 400, 401, 403),
    )
    def post(self, request: Request) -> Response:
        values = validate_shape(shapes.GrantPreviewSerializer, request.data)
        found = bulk_grants.preview_grant(addresses=values["user_emails"], credits=values["credits"])
        answer = {
            "found": organisations.present_grant(found.users),
            "not_found": found.not_found,
            "duplicates": found.duplicates,
            "total_credits": len(found.users) * values["credits"],
        }
        return Response(shapes.GrantPreviewAnswerSerializer(answer).data)


class BulkGrant(StaffView):
    """Give credits to many accounts, all or none; the same `Idempotency-Key` gives them once."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_bulk_grant",
        request=shapes.GrantSerializer,
        responses=with_errors(shapes.GrantAnswerSerializer, 409, 422, 400, 401, 403),
    )
    @idempotent
    def post(self, request: Request) -> Response:
        values = validate_shape(shapes.GrantSerializer, request.data)
        made = bulk_grants.grant_to_accounts(
            staff=caller(request),
            addresses=values["user_emails"],
            credits=values["credits"],
            reason=bulk_grants.GrantReason(values["reason"]),
            reference=_build_reference(request),
        )
        message = f"Credits granted to {made.granted_count} users successfully!"
        return Response({"granted_count": made.granted_count, "not_found": made.not_found, "message": message})


def _build_reference(request: Request) -> str:
    """The reference of the grant: always the same for one key of one member of staff."""
    key = request.headers.get(HEADER, "")
    if not key:
        return secrecy.generate_id("grant")
    return f"grant_{hashlib.sha256(f'{caller(request).pk} {key}'.encode()).hexdigest()[:22]}"
