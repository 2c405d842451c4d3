"""Calls about the organisation in which the caller works: its name, its members, its end. Keys are refused."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import limits
from accounts.access.authentication import caller
from accounts.access.calling import calling_organisation, find_membership_closure, membership_of
from accounts.access.models import SignIn
from accounts.organisations.roles import Right
from accounts.profile import services as profile
from accounts.team import deletion, members
from accounts.team import serializers as shapes
from accounts.team.presenting import present_members, present_organisation
from accounts.users.serializers import CurrentOrganisationSerializer, present_current
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors


class OrganisationDetail(APIView):
    """The organisation."""

    right: ClassVar = {"GET": Right.LOOK, "PUT": Right.MANAGE, "DELETE": Right.OWN}
    shown_in_views = True

    @extend_schema(operation_id="organisation", responses=with_errors(shapes.OrganisationSerializer, 401, 403, 404))
    def get(self, request: Request) -> Response:
        return Response(shapes.OrganisationSerializer(present_organisation(membership_of(request))).data)

    @extend_schema(
        operation_id="organisation_rename",
        request=shapes.OrganisationNameSerializer,
        responses=with_errors(shapes.OrganisationSerializer, 400, 401, 403, 404),
    )
    def put(self, request: Request) -> Response:
        values = validate_shape(shapes.OrganisationNameSerializer, request.data)
        profile.save_settings(of=calling_organisation(request), what="Name of the organisation", **values)
        return self.get(request)

    @extend_schema(
        operation_id="organisation_delete",
        request=shapes.OrganisationDeletionSerializer,
        responses=with_errors(MessageSerializer, 400, 401, 403, 404, 429),
    )
    def delete(self, request: Request) -> Response:
        """Delete it for good, with all that it owns."""
        user = caller(request)
        assert isinstance(request.auth, SignIn)
        confirmation = validate_shape(shapes.OrganisationDeletionSerializer, request.data)
        limits.count_password_guess(request._request, email=user.email)
        deletion.delete_organisation(
            organisation=calling_organisation(request), user=user, sign_in=request.auth, **confirmation
        )
        return Response({"message": "The organisation has been deleted."})


class Members(APIView):
    """Who belongs to it, who is invited, and which roles there are."""

    right = Right.LOOK
    shown_in_views = True

    @extend_schema(operation_id="organisation_members", responses=with_errors(shapes.MembersSerializer, 401, 403, 404))
    def get(self, request: Request) -> Response:
        return Response(shapes.MembersSerializer(present_members(membership_of(request))).data)


class MemberDetail(APIView):
    """One member."""

    right = Right.MANAGE

    @extend_schema(
        operation_id="organisation_member_update",
        request=shapes.RoleChoiceSerializer,
        responses=with_errors(MessageSerializer, 400, 401, 403, 404),
    )
    def put(self, request: Request, member_id: int) -> Response:
        """Give another role."""
        role = validate_shape(shapes.RoleChoiceSerializer, request.data)["role"]
        members.change_role(
            organisation=calling_organisation(request), by=membership_of(request), member_id=member_id, role=role
        )
        return Response({"message": "The role was changed."})

    @extend_schema(
        operation_id="organisation_member_remove", responses=with_errors(MessageSerializer, 400, 401, 403, 404)
    )
    def delete(self, request: Request, member_id: int) -> Response:
        """Remove; what the member made stays."""
        members.remove_member(
            organisation=calling_organisation(request), by=membership_of(request), member_id=member_id
        )
        return Response({"message": "The member was removed."})


class Leave(APIView):
    """Leaving the organisation."""

    right = Right.LOOK

    @extend_schema(
        operation_id="organisation_leave",
        request=None,
        responses=with_errors(MessageSerializer, 400, 401, 403, 404),
    )
    def post(self, request: Request) -> Response:
        members.leave_organisation(organisation=calling_organisation(request), user=caller(request))
        return Response({"message": "You have left the organisation."})


class Switch(APIView):
    """Working in another organisation from now on."""

    right = None

    @extend_schema(
        operation_id="organisation_switch",
        request=shapes.SwitchSerializer,
        responses=with_errors(CurrentOrganisationSerializer, 400, 401, 403, 404),
    )
    def post(self, request: Request) -> Response:
        named = validate_shape(shapes.SwitchSerializer, request.data)["organisation"]
        found = members.switch_organisation(user=caller(request), public_id=named)
        return Response(present_current(found, closure=find_membership_closure(found)))
