"""Calls about invitations: of those who invite, and of those who were invited. Keys are refused."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import limits
from accounts.access.authentication import caller
from accounts.access.calling import calling_organisation, find_membership_closure, membership_of
from accounts.access.views import Guarded
from accounts.organisations.roles import Right
from accounts.team import invitations
from accounts.team import serializers as shapes
from accounts.users.serializers import CurrentOrganisationSerializer, present_current
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors


class Invitations(APIView):
    """Inviting somebody."""

    right = Right.MANAGE

    @extend_schema(
        operation_id="organisation_invite",
        request=shapes.NewInvitationSerializer,
        responses=with_errors({201: shapes.InvitationSerializer}, 400, 401, 403, 404, 409, 429),
    )
    def post(self, request: Request) -> Response:
        """Mail a link that works for 7 days and once."""
        given = validate_shape(shapes.NewInvitationSerializer, request.data)
        organisation = calling_organisation(request)
        limits.count_invitation(organisation=organisation, email=given["email"])
        made = invitations.invite_person(organisation=organisation, by=membership_of(request), **given)
        return Response(shapes.InvitationSerializer(shapes.present_invitation(made)).data, status=201)


class InvitationDetail(APIView):
    """An open invitation."""

    right = Right.MANAGE

    @extend_schema(
        operation_id="organisation_invitation_revoke", responses=with_errors(MessageSerializer, 401, 403, 404)
    )
    def delete(self, request: Request, invitation_id: str) -> Response:
        """End its link."""
        invitations.revoke_invitation(
            organisation=calling_organisation(request), by=membership_of(request), invitation_id=invitation_id
        )
        return Response({"message": "The invitation was revoked."})


class InvitationResend(APIView):
    """An open invitation, once more."""

    right = Right.MANAGE

    @extend_schema(
        operation_id="organisation_invitation_resend",
        request=None,
        responses=with_errors(shapes.InvitationSerializer, 401, 403, 404, 429),
    )
    def post(self, request: Request, invitation_id: str) -> Response:
        """Mail a new link; the old one ends, and the invitation has a new id."""
        organisation = calling_organisation(request)
        email = invitations.load_unanswered(organisation, invitation_id).email
        limits.count_invitation(organisation=organisation, email=email)
        made = invitations.resend_invitation(
            organisation=organisation, by=membership_of(request), invitation_id=invitation_id
        )
        return Response(shapes.InvitationSerializer(shapes.present_invitation(made)).data)


class InvitationLink(Guarded):
    """What a mailed link opens."""

    @extend_schema(
        operation_id="invitation", responses=with_errors(shapes.ShownInvitationSerializer, 404, 429), auth=[]
    )
    def get(self, request: Request, token: str) -> Response:
        return Response(shapes.ShownInvitationSerializer(shapes.present_link(invitations.load_invitation(token))).data)


class InvitationAccept(APIView):
    """Joining."""

    right = None

    @extend_schema(
        operation_id="invitation_accept",
        request=None,
        responses=with_errors(CurrentOrganisationSerializer, 401, 403, 404, 409, 410),
    )
    def post(self, request: Request, token: str) -> Response:
        """Join by a link that was mailed to the own address, and work there from now on."""
        joined = invitations.accept_invitation(token=token, user=caller(request))
        return Response(present_current(joined, closure=find_membership_closure(joined)))
