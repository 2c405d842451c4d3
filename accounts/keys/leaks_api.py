"""Calls about keys that were found in public: reports by anybody, the rule of the organisation, notices of a person."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import limits
from accounts.access.authentication import caller
from accounts.access.calling import calling_organisation, membership_of
from accounts.access.views import Guarded
from accounts.keys import leaks
from accounts.keys import leaks_serializers as shapes
from accounts.organisations.roles import Right
from accounts.profile.services import save_settings
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors
from emailcheck.common.opaque_ids import decode_id

RECEIVED = "Received. Keys of ours that work are dealt with."


class LeakedKeys(Guarded):
    """For secret scanners, in the format of GitHub's partner program. No sign-in and no key is needed."""

    open_to_programs = True

    def count(self, request: Request) -> None:
        limits.count_leak_report()

    @extend_schema(
        operation_id="keys_leaked",
        auth=[],
        request=shapes.LeakReportSerializer(many=True),
        responses=with_errors({202: MessageSerializer}, 400),
    )
    def post(self, request: Request) -> Response:
        """Report up to 100 texts that look like keys. Live keys are revoked, unless their organisation does not want
        that, and their people are told. The answer is the same whatever was sent."""
        leaks.handle_reports(shapes.read_reports(request.data))
        return Response({"message": RECEIVED}, status=202)


class LeakRule(APIView):
    """Whether keys that were found in public are revoked at once."""

    right: ClassVar = {"GET": Right.DEVELOP, "PUT": Right.MANAGE}

    @extend_schema(
        operation_id="organisation_leaked_keys_get", responses=with_errors(shapes.LeakRuleSerializer, 401, 403)
    )
    def get(self, request: Request) -> Response:
        return Response(shapes.LeakRuleSerializer(calling_organisation(request)).data)

    @extend_schema(
        operation_id="organisation_leaked_keys",
        request=shapes.LeakRuleSerializer,
        responses=with_errors(shapes.LeakRuleSerializer, 400, 401, 403),
    )
    def put(self, request: Request) -> Response:
        """What is not sent stays as it is."""
        values: dict[str, Any] = validate_shape(shapes.LeakRuleSerializer, request.data)
        save_settings(of=calling_organisation(request), what="Leaked keys", **values)
        return self.get(request)


class LeakNotice(APIView):
    """What somebody is told of a key that was found."""

    right = None

    @extend_schema(operation_id="user_key_leaks_dismiss", responses=with_errors(MessageSerializer, 401, 403, 404))
    def delete(self, request: Request, notice_id: str) -> Response:
        """Show it no more."""
        number = decode_id(shapes.NOTICE_ID, notice_id)
        organisation = membership_of(request).organisation
        leaks.dismiss_notice(user=caller(request), organisation=organisation, notice_id=number)
        return Response({"message": "Notice dismissed"})
